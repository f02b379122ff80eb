"""``code.get_span`` and ``code.search_text``: the text of the indexed commit, by place and by pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS, BudgetLimits
from codemap_core.hooks.tool import Evidence, LimitApplied, NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import FilePathPrefix, SnapshotArguments, VirtualFiles, open_snapshot
from codemap_core.toolkit.budget import EVIDENCE_SHOWN, Budget, fitting

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views import SpanResponse, TextSearchResponse

SEARCH_DEFAULT = 50
SEARCH_CAP = 200
"""Matches of one text search; the contract's own cap for it."""

MaxLines = Annotated[int, Meta(description=f"Lines shown, cap {HARD_CAPS.max_lines}.", ge=1)]
MaxChars = Annotated[int, Meta(description=f"Characters shown, cap {HARD_CAPS.max_chars}; 0: the default 12000.", ge=0)]


class SpanArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``code.get_span``."""

    file_path: Annotated[str, Meta(description="Path relative to the repository's root.", min_length=1)]
    start_line: Annotated[int, Meta(description="First line.", ge=1)] = 1
    end_line: Annotated[int, Meta(description="Last line, included; 0: the end of the file.", ge=0)] = 0
    context_lines: Annotated[int, Meta(description="Lines to add on both sides.", ge=0)] = 0
    max_lines: MaxLines = 120
    max_chars: MaxChars = 0
    virtual_files: VirtualFiles = ()


class SearchTextArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``code.search_text``."""

    pattern: Annotated[
        str, Meta(description="Python regular expression, matched line by line; (?i) ignores case.", min_length=1)
    ]
    file_path: FilePathPrefix = ""
    limit: Annotated[int, Meta(description=f"Matches shown, cap {SEARCH_CAP}.", ge=1)] = SEARCH_DEFAULT


def get_span(context: ToolContext, arguments: SpanArguments) -> ToolResult:
    from codemap_core.queries.source_text import get_span as read_span

    snapshot = open_snapshot(context, arguments, arguments.virtual_files)
    budget = Budget()
    max_lines = budget.clamped("max_lines", arguments.max_lines, context.budgets.max_lines, HARD_CAPS.max_lines)
    max_chars = budget.clamped("max_chars", arguments.max_chars, context.budgets.max_chars, HARD_CAPS.max_chars)
    end = arguments.end_line or max(arguments.start_line, _line_count(snapshot, arguments.file_path))
    span = read_span(
        snapshot, arguments.file_path, arguments.start_line, end, arguments.context_lines, max_lines, max_chars
    )
    wanted = end - arguments.start_line + 1 + 2 * arguments.context_lines
    return span_answer(context, snapshot, span, "Lines", budget, wanted, max_lines, max_chars)


def span_answer(
    context: ToolContext,
    snapshot: Snapshot,
    span: SpanResponse,
    what: str,
    budget: Budget,
    wanted_lines: int,
    max_lines: int,
    max_chars: int,
    **evidence: Any,
) -> ToolResult:
    """A span as an answer: what was cut and how to go on, and whether the file on disk is another."""
    answer = f"{what} {span.start_line}–{span.end_line} of {span.file_path} ({span.total_file_lines} lines)"
    actions: tuple[NextAction, ...] = ()
    if span.truncated:
        _record_cut(budget, context.budgets, wanted_lines, max_lines, max_chars)
        answer += ", cut"
        if span.end_line < span.total_file_lines:
            following = {"file_path": span.file_path, "start_line": span.end_line + 1}
            actions = (NextAction("code.get_span", "the lines that follow", following),)
    if context.differs_from_working_copy(snapshot, span.file_path):
        answer += ". The file on disk is not as indexed: these are the lines of the indexed commit"
    pointer = Evidence(
        snapshot.repo_id, span.file_path, span.start_line, max(span.start_line, span.end_line), **evidence
    )
    return ToolResult(
        answer=f"{answer}.",
        data=span,
        evidence=(pointer,),
        next_actions=actions,
        limits_applied=budget.limits_applied,
        answer_files=(span.file_path,),
        snapshot=snapshot,
    )


def _record_cut(budget: Budget, defaults: BudgetLimits, wanted_lines: int, max_lines: int, max_chars: int) -> None:
    """A limit that the caller chose below the default is no clamp."""
    if wanted_lines > max_lines:
        if max_lines >= defaults.max_lines:
            budget.limits_applied.setdefault("max_lines", LimitApplied(wanted_lines, max_lines))
    elif max_chars >= defaults.max_chars:
        budget.limits_applied.setdefault("max_chars", LimitApplied(max_chars + 1, max_chars))


def search_text(context: ToolContext, arguments: SearchTextArguments) -> ToolResult:
    from codemap_core.queries.text_search import search_text as search

    snapshot = open_snapshot(context, arguments)
    budget = Budget()
    limit = budget.clamped("max_results", arguments.limit, SEARCH_DEFAULT, SEARCH_CAP)
    found = search(snapshot, arguments.pattern, arguments.file_path, limit, check=context.check_cancelled)
    context.check_cancelled()
    matches = tuple(fitting(found.matches, context.budgets.max_chars, budget.limits_applied))
    if len(matches) < len(found.matches):
        found = replace(found, matches=matches, truncated=True)
    files = tuple(dict.fromkeys(match.file_path for match in matches))
    return ToolResult(
        answer=_search_answer(context, snapshot, arguments, found, len(files)),
        data=found,
        evidence=tuple(
            Evidence(snapshot.repo_id, match.file_path, match.line, match.line) for match in matches[:EVIDENCE_SHOWN]
        ),
        next_actions=_search_actions(arguments, found, limit),
        limits_applied=budget.limits_applied,
        answer_files=files,
        snapshot=snapshot,
    )


def _search_answer(
    context: ToolContext, snapshot: Snapshot, arguments: SearchTextArguments, found: TextSearchResponse, files: int
) -> str:
    pattern = arguments.pattern if len(arguments.pattern) <= 100 else f"{arguments.pattern[:100]}…"
    where = f" under {arguments.file_path}" if arguments.file_path else ""
    stopped = (
        " The search was stopped by its time bound, so there may be more: use a simpler pattern or a file_path."
        if found.timed_out
        else ""
    )
    if found.matches:
        shown = f"The first {len(found.matches)} matches" if found.truncated else f"{len(found.matches)} matches"
        return f"{shown} of /{pattern}/ in {files} files{where} ({found.total_files} searched).{stopped}"
    if found.total_files == 0:
        return f"No file{where} is indexed with its text: check file_path, which is relative to the repository's root."
    changes = context.changes_since(snapshot)
    case = "" if "(?i" in arguments.pattern else " Case counts; (?i) ignores it."
    return " ".join(
        part
        for part in (
            f"No line of {found.total_files} files{where} matches /{pattern}/.{case}{stopped}",
            changes,
        )
        if part
    )


def _search_actions(arguments: SearchTextArguments, found: TextSearchResponse, limit: int) -> tuple[NextAction, ...]:
    if not found.matches:
        return ()
    first = found.matches[0]
    span = {"file_path": first.file_path, "start_line": max(1, first.line - 5), "end_line": first.line + 15}
    actions = [NextAction("code.get_span", "the first match with its surroundings", span)]
    if found.truncated and limit < SEARCH_CAP:
        wider = {"pattern": arguments.pattern, "file_path": arguments.file_path, "limit": SEARCH_CAP}
        actions.append(NextAction("code.search_text", "more matches; or narrow it with file_path", _given(wider)))
    return tuple(actions)


def _line_count(snapshot: Snapshot, file_path: str) -> int:
    from codemap_core.queries.snapshot import normalise_path

    document = snapshot.reader.document(normalise_path(file_path))
    return document.line_count if document is not None else 1


def _given(parameters: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if value not in ("", (), None)}


CODE = ToolFamily(
    name="code",
    title="Source text",
    tools=(
        Tool(
            name="code.get_span",
            title="Read lines of a file",
            description=(
                "Read lines of a source file as of the indexed commit, with line numbers. For one symbol's source use "
                "symbols.get_definition_span. Says when the file on disk differs."
            ),
            arguments=SpanArguments,
            run=get_span,
        ),
        Tool(
            name="code.search_text",
            title="Search text",
            description=(
                "Grep: search file contents with a regular expression; for strings, comments, configuration, JSON and "
                "XML, and anything that is no symbol. For classes and members symbols.search is better."
            ),
            arguments=SearchTextArguments,
            run=search_text,
        ),
    ),
)
