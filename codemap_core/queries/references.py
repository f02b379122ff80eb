"""Where a symbol is used: its references by kind, honestly counted, each with its line; and the members it can be called through."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def parse_kind(text: str) -> tuple[RefKind, ...]:
    """Kinds as a client writes them: ``Call``, ``method_group``, several with commas, ``all``; empty for none given.
    Raises: InvalidArgumentError listing them."""
    known = {kind.value.replace("_", ""): kind for kind in ALL_KINDS}
    parsed: list[RefKind] = []
    for name in text.split(","):
        spelt = re.sub(r"[\s_-]", "", name).lower()
        if spelt == "all":
            return ALL_KINDS
        if spelt in known:
            parsed.append(known[spelt])
        elif spelt:
            kinds = ", ".join(kind.value for kind in ALL_KINDS)
            raise InvalidArgumentError(f"There is no kind of reference {name.strip()!r}. Kinds: {kinds}, all.")
    return tuple(dict.fromkeys(parsed))


def parse_state(text: str) -> ResolutionState:
    """Empty: resolved. Raises: InvalidArgumentError."""
    spelt = text.strip().lower()
    if not spelt:
        return ResolutionState.RESOLVED
    try:
        return ResolutionState(spelt)
    except ValueError:
        states = ", ".join(state.value for state in ResolutionState)
        raise InvalidArgumentError(f"There is no resolution_state {text!r}. States: {states}.") from None


def find_references(
    snapshot: Snapshot,
    target: Target,
    kinds: Sequence[RefKind] = (),
    state: ResolutionState = ResolutionState.RESOLVED,
    limit: int = 50,
    offset: int = 0,
) -> FindRefsResponse:
    """References to a symbol by place. ``kinds`` empty: ``default_kinds``, or all when there are none of these. ``state`` unresolved:
    occurrences of its name that were not resolved and may mean it."""
    wanted = tuple(kinds) or default_kinds(target)
    reader = snapshot.reader
    unresolved = reader.count_unresolved_references(target.simple_name)
    resolved = state is ResolutionState.RESOLVED
    counts = reader.count_references_to(target.symbol_ids, target.projects) if resolved else unresolved
    if not kinds and not any(kind in wanted for kind in counts):
        wanted = ALL_KINDS
    if resolved:
        rows = reader.references_to(target.symbol_ids, wanted, limit, offset, target.projects)
        hidden = sum(count for kind, count in unresolved.items() if kind in wanted)
    else:
        rows = reader.unresolved_references(target.simple_name, wanted, limit, offset)
        hidden = 0
    total = sum(count for kind, count in counts.items() if kind in wanted)
    lines = excerpts(snapshot, [(row.file_path, row.line) for row in rows])
    return FindRefsResponse(
        target_symbol=target.symbol_id,
        references=tuple(_classified(row, lines.get((row.file_path, row.line))) for row in rows),
        total_count=total,
        truncated=offset + len(rows) < total,
        other_kinds={kind: count for kind, count in counts.items() if kind not in wanted},
        unresolved_count=hidden,
        external=target.is_external,
    )


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
        line_end=row.line_end,
        column=row.column,
        excerpt=line,
        resolution_state=row.resolution_state,
        confidence=row.confidence,
        to_name=row.to_name if unresolved else None,
        to_container_hint=row.to_container_hint if unresolved else None,
        reason=row.reason,
        condition=row.condition,
    )
