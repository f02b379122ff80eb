"""``symbols.search``, ``symbols.get_card`` and ``symbols.get_definition_span``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, to_builtins
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Evidence, NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import SymbolKind, SymbolRow
from codemap_core.toolkit.arguments import (
    FilePathPrefix,
    Kind,
    SnapshotArguments,
    SymbolArguments,
    VirtualFiles,
    find_symbol,
    open_snapshot,
    parse_kinds,
)
from codemap_core.toolkit.budget import EVIDENCE_SHOWN, Budget, fitting
from codemap_plugins.index_tools.code_tools import MaxChars, MaxLines, span_answer
from codemap_plugins.index_tools.search_miss import explain_miss

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import FoundSymbol
    from codemap_core.queries.views import SpanResponse, SymbolSearchResponse

CARD_LINES = 100
"""Lines of source that a card shows."""
CARD_MEMBERS = 60
"""Members that a type's card lists."""


class SearchArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.search``."""

    query: Annotated[
        str,
        Meta(
            description=(
                'Words of name, signature or documentation: space = AND, OR, NOT, prefix*, "phrase"; an exact name '
                "comes first. Empty or * with kinds: browse."
            )
        ),
    ] = ""
    kinds: Annotated[tuple[Kind, ...], Meta(description="Only these kinds.")] = ()
    namespace: Annotated[str, Meta(description="Namespace, those below included.")] = ""
    file_path: FilePathPrefix = ""
    project_name: Annotated[str, Meta(description="Name or path of a project.")] = ""
    limit: Annotated[int, Meta(description=f"Hits shown, cap {HARD_CAPS.max_results}.", ge=1)] = 20
    offset: Annotated[int, Meta(description="Hits to skip, for the next page.", ge=0)] = 0
    virtual_files: VirtualFiles = ()


class CardArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.get_card``."""

    include_code: Annotated[bool, Meta(description=f"With the source, at most {CARD_LINES} lines.")] = True
    virtual_files: VirtualFiles = ()


class DefinitionArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.get_definition_span``."""

    max_lines: MaxLines = 120
    context_lines: Annotated[int, Meta(description="Lines to add on both sides.", ge=0)] = 2
    max_chars: MaxChars = 0
    virtual_files: VirtualFiles = ()


class CardMember(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A type's member as a card lists it."""

    symbol_id: str
    kind: str
    signature: str
    line: int
    file_path: str = ""
    """Where it is not the card's: in another part of a partial type."""


def search(context: ToolContext, arguments: SearchArguments) -> ToolResult:
    from codemap_core.queries.symbol_search import search_symbols

    snapshot = open_snapshot(context, arguments, arguments.virtual_files)
    budget = Budget()
    limit = budget.clamped("max_results", arguments.limit, context.budgets.max_results, HARD_CAPS.max_results)
    kinds = parse_kinds(arguments.kinds)
    found = search_symbols(
        snapshot,
        arguments.query,
        kinds,
        arguments.namespace,
        arguments.file_path,
        arguments.project_name,
        limit,
        arguments.offset,
    )
    hits = tuple(fitting(found.hits, context.budgets.max_chars, budget.limits_applied))
    if len(hits) < len(found.hits):
        found = replace(found, hits=hits, truncated=True)
    if hits:
        answer = _search_answer(arguments, found)
    elif found.total_count:
        answer = f"There are {found.total_count} hits; offset {arguments.offset} is past the last."
    else:
        answer = explain_miss(context, snapshot, arguments, kinds)
    return ToolResult(
        answer=answer,
        data=found,
        evidence=tuple(
            Evidence(snapshot.repo_id, hit.file_path, hit.line, hit.line, symbol_id=hit.symbol_id)
            for hit in hits[:EVIDENCE_SHOWN]
        ),
        next_actions=_search_actions(arguments, found),
        limits_applied=budget.limits_applied,
        answer_files=tuple(dict.fromkeys(hit.file_path for hit in hits)),
        snapshot=snapshot,
    )


def _search_answer(arguments: SearchArguments, found: SymbolSearchResponse) -> str:
    query = arguments.query.strip()
    one = found.total_count == 1
    if query in ("", "*"):
        asked = "passes the filter" if one else "pass the filter"
    else:
        asked = f"{'matches' if one else 'match'} {query!r}"
    first, last = arguments.offset + 1, arguments.offset + len(found.hits)
    shown = f"; shown: {first}–{last}" if found.truncated or arguments.offset else ""
    relaxed = " No symbol matches as asked; words were taken as beginnings of words." if found.relaxed else ""
    total = f"{'More than ' if found.total_is_minimum else ''}{found.total_count} {'symbol' if one else 'symbols'}"
    return f"{total} {asked}{shown}.{relaxed}"


def _search_actions(arguments: SearchArguments, found: SymbolSearchResponse) -> tuple[NextAction, ...]:
    if not found.hits:
        return ()
    actions = [NextAction("symbols.get_card", "the first hit in full", {"symbol_id": found.hits[0].symbol_id})]
    if found.truncated:
        following = {
            name: value
            for name, value in to_builtins(arguments).items()
            if value not in ("", [], 0) and name not in ("repo_path", "virtual_files")
        }
        following["offset"] = arguments.offset + len(found.hits)
        actions.append(NextAction("symbols.search", "the next page", following))
    return tuple(actions)


def get_card(context: ToolContext, arguments: CardArguments) -> ToolResult:
    from codemap_core.queries.symbol_card import get_card as card_of

    snapshot = open_snapshot(context, arguments, arguments.virtual_files)
    found = find_symbol(snapshot, arguments)
    symbol = found.symbol
    card = card_of(snapshot, found)
    data: dict[str, Any] = to_builtins(card)
    budget = Budget()
    answer = f"{_corrected(found)}{symbol.kind.value} {symbol.fully_qualified_name}: {symbol.signature}"
    if symbol.other_parts:
        answer += f". Declared in {len(symbol.other_parts) + 1} parts, see evidence"
    room = context.budgets.max_chars
    if symbol.kind.is_type:
        room = _add_members(snapshot, symbol, data, budget, room)
    if arguments.include_code:
        span = _definition(snapshot, symbol, 0, CARD_LINES, max(2_000, room))
        data["source"] = "source_code"
        data["source_code"] = span.content
        if span.truncated:
            data["code_truncated"] = True
        if context.differs_from_working_copy(snapshot, symbol.file_path):
            answer += ". The file on disk is not as indexed"
    return ToolResult(
        answer=f"{answer}.",
        data=data,
        evidence=card.evidence,
        next_actions=_card_actions(symbol, arguments, data),
        confidence=symbol.confidence,
        limits_applied=budget.limits_applied,
        answer_files=tuple(dict.fromkeys(pointer.file_path for pointer in card.evidence)),
        snapshot=snapshot,
    )


def _add_members(snapshot: Snapshot, symbol: SymbolRow, data: dict[str, Any], budget: Budget, room: int) -> int:
    """Lists a type's members in its card, in at most half of ``room``; the characters that are left."""
    from codemap_core.queries.symbol_card import members_of

    members = members_of(snapshot, symbol)
    listed = [
        CardMember(
            symbol_id=each.symbol_id,
            kind=each.kind.value,
            signature=each.signature,
            line=each.line,
            file_path=each.file_path if each.file_path != symbol.file_path else "",
        )
        for each in members[:CARD_MEMBERS]
    ]
    shown = to_builtins(list(fitting(listed, room // 2, budget.limits_applied)))
    data["member_count"] = len(members)
    data["members"] = shown
    return room - sum(len(str(each)) for each in shown)


def _card_actions(symbol: SymbolRow, arguments: CardArguments, data: dict[str, Any]) -> tuple[NextAction, ...]:
    actions = []
    if not arguments.include_code or data.get("code_truncated"):
        actions.append(
            NextAction("symbols.get_definition_span", "its source", {"symbol_id": symbol.symbol_id, "max_lines": 400})
        )
    if len(data.get("members", ())) < data.get("member_count", 0):
        kinds = [kind.value for kind in SymbolKind if not kind.is_type]
        browse = {"kinds": kinds, "file_path": symbol.file_path, "limit": 100}
        actions.append(NextAction("symbols.search", "the members that are not listed", browse))
    if not actions and symbol.container_id:
        actions.append(NextAction("symbols.get_card", "the containing type", {"symbol_id": symbol.container_id}))
    return tuple(actions)


def get_definition_span(context: ToolContext, arguments: DefinitionArguments) -> ToolResult:
    snapshot = open_snapshot(context, arguments, arguments.virtual_files)
    found = find_symbol(snapshot, arguments)
    symbol = found.symbol
    budget = Budget()
    max_lines = budget.clamped("max_lines", arguments.max_lines, context.budgets.max_lines, HARD_CAPS.max_lines)
    max_chars = budget.clamped("max_chars", arguments.max_chars, context.budgets.max_chars, HARD_CAPS.max_chars)
    span = _definition(snapshot, symbol, arguments.context_lines, max_lines, max_chars)
    what = f"{_corrected(found)}{symbol.kind.value} {symbol.fully_qualified_name}: lines"
    wanted = symbol.span_end - symbol.span_start + 1
    answered = span_answer(
        context, snapshot, span, what, budget, wanted, max_lines, max_chars, symbol_id=symbol.symbol_id
    )
    others = tuple(
        Evidence(snapshot.repo_id, part.file_path, part.span_start, part.span_end, symbol_id=symbol.symbol_id)
        for part in symbol.other_parts
    )
    if not others:
        return answered
    first = others[0]
    part = {"file_path": first.file_path, "start_line": first.line_start, "end_line": first.line_end}
    return replace(
        answered,
        answer=f"{answered.answer} It has {len(others)} further parts, see evidence.",
        evidence=answered.evidence + others,
        next_actions=(*answered.next_actions, NextAction("code.get_span", "the next part of the declaration", part)),
    )


def _definition(
    snapshot: Snapshot, symbol: SymbolRow, context_lines: int, max_lines: int, max_chars: int
) -> SpanResponse:
    from codemap_core.queries.source_text import definition_span

    return definition_span(snapshot, symbol, context_lines, max_lines, max_chars)


def _corrected(found: FoundSymbol) -> str:
    return f"{found.note} " if found.note else ""


SYMBOLS = ToolFamily(
    name="symbols",
    title="Symbols",
    tools=(
        Tool(
            name="symbols.search",
            title="Search symbols",
            description=(
                "Find classes, interfaces, methods, properties and other C# symbols by name or words, ranked; or browse "
                "them by kind, namespace, file or project. Returns ids, signatures and places."
            ),
            arguments=SearchArguments,
            run=search,
        ),
        Tool(
            name="symbols.get_card",
            title="Symbol card",
            description=(
                "Everything about one symbol: signature, documentation, place, visibility, base types, members of a "
                "type, facts, calls, and its source. Use it in place of opening the file."
            ),
            arguments=CardArguments,
            run=get_card,
        ),
        Tool(
            name="symbols.get_definition_span",
            title="Symbol source",
            description="Go to definition: the source lines of one symbol's declaration, with line numbers.",
            arguments=DefinitionArguments,
            run=get_definition_span,
        ),
    ),
)
