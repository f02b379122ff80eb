"""Members that stand for each other at run time: the slots that a member fills (what it overrides and implements, and what that does in
turn), and the members that fill a slot."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import EdgeLookup

_MAX_SLOTS: Final = 100


def slots_of(snapshot: Snapshot, symbol_id: str) -> tuple[str, ...]:
    """Members through which a member may be called: those it implements or overrides, and those that these do; nearest first."""
    edges = snapshot.reader.edges
    own = edges.numbers_of([symbol_id]).get(symbol_id)
    if own is None:
        return ()
    found = slots_of_all(edges, [own])[own]
    ids = edges.ids_of(found)
    return tuple(ids[each] for each in found)


def slots_of_all(edges: EdgeLookup, numbers: Collection[int]) -> dict[int, tuple[int, ...]]:
    """The slots of each member, nearest first, those of one step by their numbers' ids; at most 100 of each."""
    return _closure(edges, edges.slots, numbers, _MAX_SLOTS)


def fillers_of_all(edges: EdgeLookup, numbers: Collection[int]) -> dict[int, tuple[int, ...]]:
    """The members that fill each slot, directly or by overriding one that does; nearest first."""
    return _closure(edges, edges.fillers, numbers, None)


def _closure(
    edges: EdgeLookup,
    step: Callable[[Collection[int]], list[tuple[int, int]]],
    numbers: Collection[int],
    limit: int | None,
) -> dict[int, tuple[int, ...]]:
    found: dict[int, dict[int, None]] = {each: {} for each in numbers}
    frontier: dict[int, list[int]] = {each: [each] for each in numbers}  # by a member, those that it was reached from
    while frontier:
        pairs = step(frontier)
        ids = edges.ids_of({far for _, far in pairs})
        reached: dict[int, list[int]] = {}
        for near, far in sorted(pairs, key=lambda pair: ids[pair[1]]):
            for origin in frontier[near]:
                known = found[origin]
                if far != origin and far not in known and (limit is None or len(known) < limit):
                    known[far] = None
                    reached.setdefault(far, []).append(origin)
        frontier = reached
    return {each: tuple(members) for each, members in found.items()}
