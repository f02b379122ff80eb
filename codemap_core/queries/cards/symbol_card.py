"""Everything an agent needs of one symbol in place of its source, and the members of a type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import Evidence, ReferenceRow, RefKind, SymbolRow
from codemap_core.model.counting import counted
from codemap_core.queries.cards.outline import by_kind, short_signature
from codemap_core.queries.cards.source_text import definition_range
from codemap_core.queries.facts.fact_listing import line_of
from codemap_core.queries.facts.side_effects import side_effects
from codemap_core.queries.facts.thrown_exceptions import thrown, thrown_through_calls
from codemap_core.queries.names.declaring_projects import members_of_declaration
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.cards import SymbolCards
from codemap_core.queries.views.symbols import CardMember, Fact, SymbolCard, SymbolRef

CALLS_SHOWN: Final = 10
FACTS_SHOWN: Final = 30
_CALLS_READ: Final = 500
_CARD_ROWS_SHARED: Final = 120
_CARD_ROWS_LEAST: Final = 10
"""Rows that several cards have together, and that each of them may have in any case."""


def get_card(
    snapshot: Snapshot,
    symbol: SymbolRow,
    others: Sequence[SymbolRow] = (),
    *,
    with_source: bool,
    offset: int = 0,
    limit: int = 100,
) -> SymbolCard:
    """The card of a symbol; ``others``: further declarations of its id. Its rows, ``limit`` of them after ``offset``, are the lines of its
    source; of a type that is declared in several parts, is longer than ``limit`` lines, or is shown without source: its members. Raises:
    InvalidArgumentError for an offset past the end."""
    card = _head(snapshot, symbol, others)
    lines = symbol.span_end - symbol.span_start + 1
    members = members_of(snapshot, symbol) if symbol.is_type else ()
    if members and (not with_source or symbol.other_parts or lines > limit):
        if offset >= len(members):
            raise InvalidArgumentError(
                f"The answer has {counted(len(members), 'member')}; offset {offset} is past the last."
            )
        shown = members[offset : offset + limit]
        truncated = offset + len(shown) < len(members)
        kinds = Counter(member.kind for member in members)
        counts = {kind: kinds[kind] for kind in dict.fromkeys(member.kind for member in members)}
        return replace(card, member_count=len(members), members=shown, member_kinds=counts, truncated=truncated)
    if not with_source:
        return replace(card, member_count=len(members))
    span = definition_range(snapshot, symbol).span(offset, limit)
    return replace(
        card,
        member_count=len(members),
        source_code=span.content,
        source_start=span.start_line if offset else 0,
        truncated=span.truncated,
    )


def get_cards(
    snapshot: Snapshot, symbols: Sequence[SymbolRow], *, with_source: bool, limit: int, offset: int = 0
) -> SymbolCards:
    """Cards of several symbols, ``limit`` of them after ``offset``, each with the first of its rows."""
    rows = max(_CARD_ROWS_LEAST, _CARD_ROWS_SHARED // max(1, len(symbols)))
    page = symbols[offset : offset + limit]
    return SymbolCards(
        cards=tuple(get_card(snapshot, symbol, with_source=with_source, limit=rows) for symbol in page),
        total_count=len(symbols),
        truncated=offset + limit < len(symbols),
    )


def row_total(card: SymbolCard) -> int:
    """Rows of the card over all pages."""
    if card.members:
        return card.member_count
    return card.span_end - card.span_start + 1 if card.source_code else 0


def _head(snapshot: Snapshot, symbol: SymbolRow, others: Sequence[SymbolRow]) -> SymbolCard:
    """What does not depend on the page."""
    bases = snapshot.reader.relations_from(symbol.symbol_id) if symbol.is_type else ()
    project_names = _project_names(snapshot, symbol, *others)
    documentation = symbol.documentation
    return SymbolCard(
        symbol_id=symbol.symbol_id,
        fully_qualified_name=symbol.fully_qualified_name,
        kind=symbol.kind,
        signature=symbol.signature,
        documentation=(documentation.summary or None) if documentation else None,
        documentation_details=(documentation.rest or None) if documentation else None,
        namespace=symbol.namespace,
        containing_type=symbol.containing_type,
        file_path=symbol.file_path,
        span_start=symbol.span_start,
        span_end=symbol.span_end,
        visibility=symbol.visibility.value,
        calls_top=() if symbol.is_type else _calls_top(snapshot, symbol),
        **_facts(snapshot, symbol),
        evidence=tuple(
            Evidence(snapshot.repo_id, part.file_path, part.span_start, part.span_end) for part in symbol.other_parts
        ),
        confidence=symbol.confidence,
        stable_id=symbol.stable_id,
        project=project_names[0] if project_names else None,
        other_projects=tuple(project_names[1:]),
        is_left_out=not symbol.project and bool(snapshot.reader.project_names),
        condition=symbol.condition,
        base_types=tuple(dict.fromkeys(base.display_name for base in bases)),
    )


def members_of(snapshot: Snapshot, symbol: SymbolRow) -> tuple[CardMember, ...]:
    """Direct members of a type, nested types included, in the order of an outline."""
    members = by_kind(members_of_declaration(snapshot, symbol))
    return tuple(
        CardMember(
            symbol_id=member.symbol_id,
            kind=member.kind,
            signature=short_signature(member),
            line=member.name_line,
            file_path=member.file_path if member.file_path != symbol.file_path else "",
        )
        for member in members
    )


def _calls_top(snapshot: Snapshot, symbol: SymbolRow) -> tuple[SymbolRef, ...]:
    calls = snapshot.reader.references_from(symbol.symbol_id, (RefKind.CALL, RefKind.INSTANTIATE), limit=_CALLS_READ)
    first: dict[str, ReferenceRow] = {}
    frequency: Counter[str] = Counter()
    for call in calls:
        if call.to_symbol is None or call.external:
            continue
        frequency[call.to_symbol] += 1
        first.setdefault(call.to_symbol, call)
    most = sorted(frequency, key=lambda target: (-frequency[target], first[target].line, target))[:CALLS_SHOWN]
    names = snapshot.reader.full_names(most)
    return tuple(
        SymbolRef(
            to_symbol=target,
            fully_qualified_name=names.get(target) or target.partition(":")[2],
            kind=first[target].kind,
            file_path=first[target].file_path,
            line=first[target].line,
        )
        for target in most
    )


def _facts(snapshot: Snapshot, symbol: SymbolRow) -> dict[str, Any]:
    """The fields of a card that facts fill."""
    files = {
        symbol.file_path,
        *(part.file_path for part in symbol.other_parts),
    }  # other projects may declare the same id
    owned = (each for each in snapshot.reader.facts_of(symbol.symbol_id) if each.file_path in files)
    found = sorted(owned, key=lambda each: (line_of(each), each.kind, each.value))
    known: dict[str, Any] = {
        "facts": tuple(Fact(each.kind, each.value, line_of(each)) for each in found[:FACTS_SHOWN]),
        "fact_count": len(found),
        "thrown_exceptions": thrown(found, snapshot.meanings.root_exceptions),
    }
    if symbol.is_type:
        return known | {"member_facts": snapshot.reader.fact_pages.count_of_members(symbol.symbol_id)}
    effects = side_effects(snapshot, {symbol.symbol_id: files}).get(symbol.symbol_id, ())
    through_calls = {
        name: thrower
        for name, thrower in thrown_through_calls(snapshot, symbol.symbol_id).items()
        if name not in known["thrown_exceptions"]
    }
    return known | {
        "side_effects": tuple(map(str, effects)),
        "thrown_exceptions": (*known["thrown_exceptions"], *through_calls),
        "thrown_by_callees": through_calls,
    }


def _project_names(snapshot: Snapshot, *symbols: SymbolRow) -> list[str]:
    paths = dict.fromkeys(symbol.project for symbol in symbols if symbol.project)
    names = snapshot.reader.project_names
    return [names[path] for path in paths]
