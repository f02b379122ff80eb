"""``symbols.search``, ``symbols.get_card`` and ``symbols.get_definition_span``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Evidence
from codemap_core.queries.names.wanted import Wanted
from codemap_core.toolkit.arguments import (
    AS_TEXT,
    Names,
    SnapshotArguments,
    find_target,
    open_snapshot,
    parse_kinds,
)
from codemap_core.toolkit.budget import Budget
from codemap_plugins.index_tools.code_tools import ContextLines, MaxLines
from codemap_plugins.index_tools.reading_tools import CONTEXT, CONTEXT_PIECES, OUTLINE
from codemap_plugins.index_tools.search_miss import explain_miss
from codemap_plugins.index_tools.several import SeveralArguments, each_of, find_declared
from codemap_plugins.index_tools.unreferenced_tool import UNREFERENCED

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_targets import Target
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.symbols import SymbolSearchResponse

CARD_ROWS = 100
"""Members, or lines of source, that one page of a card shows."""
_LIMIT = 20
"""Rows of a search that names no limit."""


class SearchArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.search``."""

    query: Annotated[
        str,
        Meta(description='Words; space = AND, OR, NOT, prefix*, "phrase".'),
    ] = ""
    kinds: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()
    kind: Names = ()
    namespace: str = ""
    file_path: str = ""
    project_name: str = ""
    limit: Annotated[int, Meta(ge=1)] = _LIMIT


class CardArguments(SeveralArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.get_card``."""

    include_code: bool = True


class DefinitionArguments(SeveralArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.get_definition_span``. ``max_lines`` 0: the whole declaration as far as the cap allows."""

    context_lines: ContextLines = 0
    max_lines: MaxLines = 0


def search(context: ToolContext, arguments: SearchArguments) -> ToolResult:
    from codemap_core.queries.search.symbol_search import named_first, search_symbols

    snapshot = open_snapshot(context, arguments)
    budget = Budget()
    limit = budget.clamped("max_results", arguments.limit, context.budgets.max_results, HARD_CAPS.max_results)
    kinds = parse_kinds((*arguments.kinds, *arguments.kind), snapshot)
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
    is_open = not arguments.offset and arguments.limit == _LIMIT  # who says how many rows has as many
    if found.total_count:
        answer = _search_answer(arguments, found)
    else:
        answer = explain_miss(snapshot, arguments, kinds)
    return ToolResult(
        answer=answer,
        data=found,
        page=Page(arguments.offset, found.total_count, found.total_is_minimum),
        sufficient_rows=named_first(arguments.query, found.hits) if is_open else 0,
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _search_answer(arguments: SearchArguments, found: SymbolSearchResponse) -> str:
    from codemap_core.model.counting import counted

    if not found.hits:
        return f"The answer has {counted(found.total_count, 'hit')}; offset {arguments.offset} is past the last."
    query = arguments.query.strip()
    one = found.total_count == 1
    total = f"{'At least ' if found.total_is_minimum else ''}{counted(found.total_count, 'symbol')}"
    if query in ("", "*"):
        return f"{total} {'passes' if one else 'pass'} the filter."
    match = "matches" if one else "match"
    reading = found.reading(query)
    return f"No symbol matches {query!r}. {total} {match} {reading}." if reading else f"{total} {match} {query!r}."


def get_card(context: ToolContext, arguments: CardArguments) -> ToolResult:
    from codemap_core.model.counting import counted, kinds_counted
    from codemap_core.queries.cards.symbol_card import get_card as card_of
    from codemap_core.queries.cards.symbol_card import row_total

    snapshot = open_snapshot(context, arguments)
    asked = each_of(arguments)
    if len(asked) > 1:
        return _several_cards(snapshot, arguments)
    found = find_target(snapshot, asked[0], Wanted.ONE)
    symbol = found.symbol
    if symbol is None:
        return _undeclared(snapshot, found)
    card = card_of(
        snapshot, symbol, found.others, with_source=arguments.include_code, offset=arguments.offset, limit=CARD_ROWS
    )
    total = row_total(card)
    actions = []
    if card.members and arguments.include_code and not symbol.other_parts:
        actions.append(NextAction("symbols.get_definition_span", "its source", {"symbol": symbol.symbol_id}))
    parts = f", declared in {counted(len(symbol.other_parts) + 1, 'part')}" if symbol.other_parts else ""
    kinds = f": {kinds_counted(card.member_kinds)}" if card.members else ""
    return ToolResult(
        answer=f"{_corrected(found)}{symbol.kind.value} {symbol.fully_qualified_name}{parts}{kinds}.",
        data=card,
        page=Page(arguments.offset, total) if total else None,
        next_actions=tuple(actions),
        confidence=symbol.confidence,
        snapshot=snapshot,
    )


def get_definition_span(context: ToolContext, arguments: DefinitionArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.cards.source_text import definition_range
    from codemap_core.queries.plain_lines import line_range

    snapshot = open_snapshot(context, arguments)
    named = each_of(arguments)
    if len(named) > 1:
        return _several_sources(snapshot, arguments)
    found = find_target(snapshot, named[0], Wanted.ONE)
    symbol = found.symbol
    if symbol is None:
        return _undeclared(snapshot, found)
    budget = Budget()
    max_lines = budget.clamped("max_lines", arguments.max_lines, HARD_CAPS.max_lines, HARD_CAPS.max_lines)
    asked = definition_range(snapshot, symbol, arguments.context_lines)
    others = tuple(
        Evidence(snapshot.repo_id, part.file_path, part.span_start, part.span_end) for part in symbol.other_parts
    )
    further = f" It has {counted(len(others) + 1, 'part')}; the others are named below." if others else ""
    place = f"{asked.file_path}:{line_range(asked.first + arguments.offset, asked.last)}"
    return ToolResult(
        answer=f"{_corrected(found)}{symbol.fully_qualified_name}: {place}.{further}",
        data=asked.span(arguments.offset, max_lines),
        page=Page(arguments.offset, asked.count),
        evidence=others,
        confidence=symbol.confidence,
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _several_cards(snapshot: Snapshot, arguments: CardArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.cards.symbol_card import get_cards

    symbols, notes = find_declared(snapshot, arguments)
    cards = get_cards(
        snapshot,
        symbols,
        with_source=arguments.include_code,
        limit=HARD_CAPS.max_results,
        offset=arguments.offset,
    )
    return ToolResult(
        answer=f"{counted(cards.total_count, 'symbol')}.",
        data=cards,
        page=Page(arguments.offset, cards.total_count),
        notes=notes,
        snapshot=snapshot,
    )


def _several_sources(snapshot: Snapshot, arguments: DefinitionArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.cards.context import sources_of

    symbols, notes = find_declared(snapshot, arguments)
    found = sources_of(snapshot, symbols, limit=CONTEXT_PIECES, offset=arguments.offset)
    return ToolResult(
        answer=f"Source of {counted(len(symbols), 'symbol')}.",
        data=found,
        page=Page(arguments.offset, found.total_count),
        notes=notes,
        snapshot=snapshot,
    )


def _undeclared(snapshot: Snapshot, target: Target) -> ToolResult:
    """Of a library's symbol, or a constructor that no one wrote: what there is in place of source."""
    from codemap_core.queries.cards.library_card import library_card

    kind = target.kind.value if target.kind is not None else "symbol"
    where = (
        "its type has it without declaring it"
        if target.is_implicit
        else "of a library; its source is not in this repository"
    )
    container = target.library.container_id if target.library is not None else None
    actions = [NextAction("refs.find", "where it is used", {"symbol": target.symbol_id, "kind": "all"})]
    if target.is_implicit and container is not None:
        actions.append(NextAction("symbols.get_card", "its type", {"symbol": container}))
    return ToolResult(
        answer=f"{_corrected(target)}{kind} {target.symbol_id}: {where}.",
        data=library_card(snapshot, target),
        next_actions=tuple(actions),
        snapshot=snapshot,
    )


def _corrected(found: Target) -> str:
    return f"{found.note} " if found.note else ""


SYMBOLS = ToolFamily(
    name="symbols",
    title="Symbols",
    tools=(
        Tool(
            name="symbols.search",
            title="Search symbols",
            description="Find C# types and members by name or words, best first; without query, all that pass the filters.",
            arguments=SearchArguments,
            run=search,
            of_index=True,
        ),
        Tool(
            name="symbols.get_card",
            title="Symbol card",
            description="One symbol: signature, documentation, members or source, facts, effects, calls.",
            arguments=CardArguments,
            run=get_card,
            of_index=True,
        ),
        Tool(
            name="symbols.get_definition_span",
            title="Symbol source",
            description="Go to definition: the source of a symbol.",
            arguments=DefinitionArguments,
            run=get_definition_span,
            of_index=True,
        ),
        OUTLINE,
        CONTEXT,
        UNREFERENCED,
    ),
)
