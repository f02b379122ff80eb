"""``code.get_span`` and ``code.search_text``: the text of the indexed commit, by place and by pattern."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import AS_TEXT, RARE, UNLISTED, SnapshotArguments, open_snapshot
from codemap_core.toolkit.budget import Budget
from codemap_plugins.index_tools.explain_tool import EXPLAIN

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.symbols import TextSearchResponse

SEARCH_DEFAULT = 50
SEARCH_CAP = 200
"""Matches of one text search; the contract's own cap for it."""

_COMMA = re.compile(r",(?![^{}]*\})")

ContextLines = Annotated[int, Meta(ge=0, extra_json_schema=RARE)]
MaxLines = Annotated[int, Meta(ge=0, extra_json_schema=RARE)]


class SpanArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``code.get_span``. ``end_line`` 0: the end of the file. ``max_lines`` 0: the range that was asked for as far as the cap
    allows, or the default of the settings where no end was."""

    file_path: Annotated[str, Meta(min_length=1)]
    start_line: Annotated[int, Meta(ge=1)] = 1
    end_line: Annotated[int, Meta(ge=0)] = 0
    context_lines: ContextLines = 0
    max_lines: MaxLines = 0


class SearchTextArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``code.search_text``."""

    pattern: Annotated[str, Meta(description="Python regular expression for a line.", min_length=1)]
    glob: Annotated[tuple[str, ...], Meta(description="*.cs,src/**/*.json", extra_json_schema=AS_TEXT)] = ()
    exclude: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()
    ignore_case: Annotated[bool, Meta(extra_json_schema=RARE)] = False
    context_lines: Annotated[int, Meta(ge=0, le=20)] = 0
    file_path: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    limit: Annotated[int, Meta(ge=1)] = SEARCH_DEFAULT


def get_span(context: ToolContext, arguments: SpanArguments) -> ToolResult:
    from codemap_core.queries.cards.source_text import get_range
    from codemap_core.queries.plain_lines import line_range

    snapshot = open_snapshot(context, arguments)
    asked = get_range(snapshot, arguments.file_path, arguments.start_line, arguments.end_line, arguments.context_lines)
    budget = Budget()
    default = HARD_CAPS.max_lines if arguments.end_line else context.budgets.max_lines
    max_lines = budget.clamped("max_lines", arguments.max_lines, default, HARD_CAPS.max_lines)
    span = asked.span(arguments.offset, max_lines)
    lines = "Line" if span.start_line == asked.last else "Lines"
    return ToolResult(
        answer=f"{lines} {line_range(span.start_line, asked.last)} of {span.file_path} ({span.total_file_lines} in all).",
        data=span,
        page=Page(arguments.offset, asked.count),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def search_text(context: ToolContext, arguments: SearchTextArguments) -> ToolResult:
    from codemap_core.queries.search.text_search import TextFilter
    from codemap_core.queries.search.text_search import search_text as search

    snapshot = open_snapshot(context, arguments)
    budget = Budget()
    limit = budget.clamped("max_results", arguments.limit, SEARCH_DEFAULT, SEARCH_CAP)
    found = search(
        snapshot,
        arguments.pattern,
        TextFilter(path_prefix=arguments.file_path, globs=_globs(arguments.glob), exclude=_globs(arguments.exclude)),
        limit,
        arguments.offset,
        ignore_case=arguments.ignore_case,
        context_lines=arguments.context_lines,
        check=context.check_cancelled,
    )
    context.check_cancelled()
    return ToolResult(
        answer=_search_answer(snapshot, arguments, found),
        data=found,
        page=Page(arguments.offset, found.total_count, found.timed_out),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _globs(texts: tuple[str, ...]) -> tuple[str, ...]:
    """One text may name several, with commas; those inside braces are a glob's own."""
    return tuple(part for text in texts for part in _COMMA.split(text) if part.strip())


def _search_answer(snapshot: Snapshot, arguments: SearchTextArguments, found: TextSearchResponse) -> str:
    from codemap_core.model.counting import counted

    pattern = arguments.pattern if len(arguments.pattern) <= 100 else f"{arguments.pattern[:100]}…"
    where = _where(arguments)
    stopped = (
        " The search was stopped by its time bound, so there may be more: use a simpler pattern or a glob."
        if found.timed_out
        else ""
    )
    if found.total_count:
        matches = counted(found.total_count, "match", "matches")
        return f"{matches} in {counted(found.file_count, 'file')}.{stopped}"
    if found.total_files == 0:
        return f"No file{where} is indexed with its text: globs and paths are relative to the repository's root."
    case = "" if arguments.ignore_case or "(?i" in arguments.pattern else " Case counts without ignore_case."
    return f"No line of {counted(found.total_files, 'file')}{where} matches /{pattern}/.{case}{stopped}"


def _where(arguments: SearchTextArguments) -> str:
    said = [
        f" under {arguments.file_path}" if arguments.file_path else "",
        f" matching {', '.join(arguments.glob)}" if arguments.glob else "",
        f" outside {', '.join(arguments.exclude)}" if arguments.exclude else "",
    ]
    return "".join(said)


CODE = ToolFamily(
    name="code",
    title="Source text",
    tools=(
        Tool(
            name="code.get_span",
            title="Read lines of a file",
            description="Lines of an indexed file, by their numbers.",
            arguments=SpanArguments,
            run=get_span,
        ),
        Tool(
            name="code.search_text",
            title="Search text",
            description="Grep over all indexed files, for strings, comments and whatever is not a symbol.",
            arguments=SearchTextArguments,
            run=search_text,
        ),
        EXPLAIN,
    ),
)
