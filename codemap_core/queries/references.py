"""Where a symbol is used: its references by kind, honestly counted, each with its line; and the members it can be called through."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import ReferenceRow, RefKind, ResolutionState, SymbolKind
from codemap_core.queries.excerpts import excerpts
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.symbol_targets import Target
from codemap_core.queries.views import ClassifiedReference, FindRefsResponse

CONTRACT_KINDS: Final = (
    RefKind.CALL,
    RefKind.READ,
    RefKind.WRITE,
    RefKind.INSTANTIATE,
    RefKind.OVERRIDE,
    RefKind.IMPLEMENTATION,
)
ALL_KINDS: Final = tuple(RefKind)
_USES: Final[dict[SymbolKind, tuple[RefKind, ...]]] = {
    SymbolKind.CONSTRUCTOR: (RefKind.CTOR_INITIALIZER, RefKind.ATTRIBUTE),
    SymbolKind.OPERATOR: (RefKind.OPERATOR,),
    SymbolKind.EVENT: (RefKind.EVENT_SUBSCRIBE,),
}
"""Kinds that are to these symbols what a call is to a method."""
_SLOTS: Final = (RefKind.IMPLEMENTATION, RefKind.OVERRIDE)
_MAX_SLOTS: Final = 100


def default_kinds(target: Target) -> tuple[RefKind, ...]:
    """The contract's six, and what a use of such a symbol is."""
    further = _USES.get(target.kind, ()) if target.kind is not None else ()
    return (*CONTRACT_KINDS, *further)


def parse_kinds(texts: Iterable[str]) -> tuple[RefKind, ...]:
    """Kinds as a client writes them: ``Call``, ``method_group``, in one text with commas or in several, ``all``; empty for none given.
    Raises: InvalidArgumentError listing them."""
    known = {kind.value.replace("_", ""): kind for kind in ALL_KINDS}
    parsed: list[RefKind] = []
    for name in (part for text in texts for part in text.split(",")):
        spelt = re.sub(r"[\s_-]", "", name).lower()
        if spelt == "all":
            return ALL_KINDS
        if spelt in known:
            parsed.append(known[spelt])
        elif spelt:
            kinds = ", ".join(kind.value for kind in ALL_KINDS)
            raise InvalidArgumentError(f"There is no kind of reference {name.strip()!r}. Kinds: {kinds}, all.")
    return tuple(dict.fromkeys(parsed))


def parse_states(text: str) -> tuple[ResolutionState, ...]:
    """``resolved``, ``unresolved``, or both, which is meant by ``both`` and by an empty text. Raises: InvalidArgumentError."""
    spelt = text.strip().lower()
    if spelt in ("", "both"):
        return (ResolutionState.RESOLVED, ResolutionState.UNRESOLVED)
    try:
        return (ResolutionState(spelt),)
    except ValueError:
        states = ", ".join(state.value for state in ResolutionState)
        raise InvalidArgumentError(f"There is no resolution_state {text!r}. States: {states}, both.") from None


def find_references(
    snapshot: Snapshot,
    target: Target,
    kinds: Sequence[RefKind] = (),
    states: Collection[ResolutionState] = (ResolutionState.RESOLVED,),
    limit: int = 50,
    offset: int = 0,
) -> FindRefsResponse:
    """References to a symbol by place, then the unresolved occurrences of its name, which may mean it; as far as ``states`` asks for
    them. ``kinds`` empty: ``default_kinds``, or all when there are none of these."""
    wanted = tuple(kinds) or default_kinds(target)
    reader = snapshot.reader
    resolved = reader.count_references_to(target.symbol_ids, target.projects)
    unresolved = reader.count_unresolved_references(target.simple_name)
    counted = resolved if ResolutionState.RESOLVED in states else unresolved
    if not kinds and not any(kind in wanted for kind in counted):
        wanted = ALL_KINDS
    by_kind = _of_kinds(resolved, wanted) if ResolutionState.RESOLVED in states else {}
    certain = sum(by_kind.values())
    doubtful = _of_kinds(unresolved, wanted)
    rows: list[ReferenceRow] = []
    if offset < certain:
        rows += reader.references_to(target.symbol_ids, wanted, limit, offset, target.projects)
    if ResolutionState.UNRESOLVED in states:
        if len(rows) < limit:
            rows += reader.unresolved_references(
                target.simple_name, wanted, limit - len(rows), max(0, offset - certain)
            )
        by_kind = {kind: by_kind.get(kind, 0) + doubtful.get(kind, 0) for kind in {**by_kind, **doubtful}}
    total = sum(by_kind.values())
    lines = excerpts(snapshot, [(row.file_path, row.line) for row in rows])
    return FindRefsResponse(
        target_symbol=target.symbol_id,
        references=tuple(_classified(row, lines.get((row.file_path, row.line))) for row in rows),
        total_count=total,
        truncated=offset + len(rows) < total,
        by_kind=by_kind,
        other_kinds={kind: count for kind, count in counted.items() if kind not in wanted},
        unresolved_count=sum(doubtful.values()),
        external=target.is_external,
    )


def _of_kinds(counts: Mapping[RefKind, int], wanted: Collection[RefKind]) -> dict[RefKind, int]:
    return {kind: count for kind, count in counts.items() if kind in wanted}


def slots_of(snapshot: Snapshot, symbol_id: str) -> tuple[str, ...]:
    """Members through which a member may be called: those it implements or overrides, and those that these do; nearest first."""
    return slots_of_all(snapshot, [symbol_id])[symbol_id]


def slots_of_all(snapshot: Snapshot, symbol_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """As ``slots_of``, for several members at once."""
    found: dict[str, dict[str, None]] = {each: {} for each in symbol_ids}
    frontier: dict[str, list[str]] = {each: [each] for each in symbol_ids}  # by a member, those it is a slot of
    while frontier:
        reached: dict[str, list[str]] = {}
        for edge in snapshot.reader.edges_from(frontier, _SLOTS):
            for origin in frontier[edge.from_symbol]:
                slots = found[origin]
                if edge.to_symbol != origin and edge.to_symbol not in slots and len(slots) < _MAX_SLOTS:
                    slots[edge.to_symbol] = None
                    reached.setdefault(edge.to_symbol, []).append(origin)
        frontier = reached
    return {each: tuple(slots) for each, slots in found.items()}


def _classified(row: ReferenceRow, line: str | None) -> ClassifiedReference:
    unresolved = row.resolution_state is ResolutionState.UNRESOLVED
    return ClassifiedReference(
        kind=row.kind,
        from_symbol=row.from_symbol,
        file_path=row.file_path,
        line_start=row.line,
        line_end=row.line_end if row.line_end != row.line else None,
        column=row.column,
        excerpt=line,
        resolution_state=row.resolution_state,
        confidence=row.confidence,
        to_name=row.to_name if unresolved else None,
        to_container_hint=row.to_container_hint if unresolved else None,
        reason=row.reason,
        condition=row.condition,
    )
