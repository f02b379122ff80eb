"""Everything an agent needs of one symbol in place of its source, and the members of a type."""

from __future__ import annotations

from collections import Counter
from typing import Final

from codemap_core.hooks.tool import Evidence
from codemap_core.model import FactKind, FactRow, ReferenceRow, RefKind, SymbolRow
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.symbol_targets import FoundSymbol
from codemap_core.queries.views import Fact, Member, SymbolCard, SymbolRef

CALLS_SHOWN: Final = 10
_CALLS_READ: Final = 500
_SIDE_EFFECTS: Final = frozenset({FactKind.DB_TABLE.value, FactKind.LOG.value, FactKind.CONFIG.value})


def get_card(snapshot: Snapshot, found: FoundSymbol) -> SymbolCard:
    """The card of a symbol. ``calls_top``: the first-party targets it calls most often; ``thrown_exceptions``: of its
    exception facts."""
    symbol = found.symbol
    facts = snapshot.reader.facts_of(symbol.symbol_id)
    bases = snapshot.reader.relations_from(symbol.symbol_id) if symbol.kind.is_type else ()
    project_names = _project_names(snapshot, symbol, *found.others)
    return SymbolCard(
        symbol_id=symbol.symbol_id,
        fully_qualified_name=symbol.fully_qualified_name,
        kind=symbol.kind,
        signature=symbol.signature,
        documentation=_documentation(symbol),
        namespace=symbol.namespace,
        containing_type=symbol.containing_type,
        file_path=symbol.file_path,
        span_start=symbol.span_start,
        span_end=symbol.span_end,
        visibility=symbol.visibility.value,
        calls_top=() if symbol.kind.is_type else _calls_top(snapshot, symbol),
        facts=tuple(_fact(fact) for fact in facts),
        side_effects=tuple(
            dict.fromkeys(f"{fact.kind}: {_display(fact)}" for fact in facts if fact.kind in _SIDE_EFFECTS)
        ),
        thrown_exceptions=tuple(dict.fromkeys(_display(fact) for fact in facts if fact.kind == FactKind.EXCEPTION)),
        evidence=evidence_of(snapshot, symbol),
        confidence=symbol.confidence,
        stable_id=symbol.stable_id,
        project=project_names[0] if project_names else None,
        other_projects=tuple(project_names[1:]),
        condition=symbol.condition,
        base_types=tuple(dict.fromkeys(base.display_name for base in bases)),
    )


def evidence_of(snapshot: Snapshot, symbol: SymbolRow) -> tuple[Evidence, ...]:
    """Where the symbol is declared: one pointer for each part."""
    places = [(symbol.file_path, symbol.span_start, symbol.span_end)]
    places += [(part.file_path, part.span_start, part.span_end) for part in symbol.other_parts]
    return tuple(
        Evidence(snapshot.repo_id, path, start, end, symbol_id=symbol.symbol_id) for path, start, end in places
    )


def members_of(snapshot: Snapshot, symbol: SymbolRow) -> tuple[Member, ...]:
    """Direct members of a type, nested types included, by place."""
    return tuple(
        Member(
            symbol_id=member.symbol_id,
            name=member.name,
            kind=member.kind,
            signature=member.signature,
            visibility=member.visibility.value,
            file_path=member.file_path,
            line=member.name_line,
        )
        for member in snapshot.reader.members_of(symbol.symbol_id)
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


def _documentation(symbol: SymbolRow) -> str | None:
    if symbol.documentation is None:
        return None
    parts = (symbol.documentation.summary, symbol.documentation.rest)
    return "\n\n".join(part for part in parts if part) or None


def _fact(fact: FactRow) -> Fact:
    return Fact(fact.kind, fact.value)


def _display(fact: FactRow) -> str:
    return fact.value.partition("|")[0]


def _project_names(snapshot: Snapshot, *symbols: SymbolRow) -> list[str]:
    paths = dict.fromkeys(symbol.project for symbol in symbols if symbol.project)
    names = snapshot.reader.project_names()
    return [names[path] for path in paths]
