"""What depends on some symbols, and what they depend on, level by level over the references of the index.

A member is also used where a call names what it overrides or implements in this repository and may reach it; of a library's interface
too many calls mean something else. Invariants: a symbol is reached once, at its least distance, by the strongest of the references that
lead to it there; the order depends on the rows of the index alone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import chain
from typing import Final, NamedTuple

from msgspec import Struct

from codemap_core.model import RefKind
from codemap_core.queries.dispatch.member_slots import slots_of_all
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.schema.codes import REF_KIND_CODES, REF_KINDS
from codemap_plugins.coderef.relationships import USES

FOLLOWED: Final = 2_000
"""Symbols of a level from which a walk goes on; a walk that met more says so."""
STRONG: Final = frozenset(
    {
        *(RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.OVERRIDE, RefKind.IMPLEMENTATION),
        *(RefKind.WRITE, RefKind.OPERATOR),
    }
)
"""References through which a change of behaviour or signature is felt at once."""
_STRENGTH: Final = {
    REF_KIND_CODES[kind]: rank for rank, kind in enumerate((*sorted(STRONG), *sorted(set(USES) - STRONG)))
}
_CALLING: Final = (RefKind.CALL, RefKind.READ, RefKind.WRITE, RefKind.METHOD_GROUP, RefKind.EVENT_SUBSCRIBE)


class Use(NamedTuple):
    """``user`` refers to ``used``, or to the member ``via`` in whose place ``used`` may run."""

    user: int
    used: int
    kind: RefKind
    via: int | None = None


Row = tuple[int, int, int, int]
"""A use as a walk has it, of which it sees hundreds of thousands: user, used, code of the kind, and ``via`` or 0."""
_USER, _USED = 0, 1
Uses = Callable[[Collection[int]], Iterable[Row]]
"""Every use of some symbols."""


class Reached(Struct, frozen=True):
    depth: int
    use: Use
    """Of the user for dependents, of what is used for dependencies, on the way to the roots."""


class Walk(Struct):
    """``reached``: by number, without the roots, nearest first. ``rows``: every use that was met. ``left_out``: what was met and neither
    counted nor followed. ``is_partial``: a level was too large to be followed whole."""

    reached: dict[int, Reached]
    rows: list[Row]
    left_out: set[int]
    is_partial: bool = False

    def by_depth(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for each in self.reached.values():
            counts[str(each.depth)] = counts.get(str(each.depth), 0) + 1
        return counts


class KeptUses:
    """What uses the symbols of a snapshot. Each is looked up once, for several walks."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot: Final = snapshot
        self._rows: Final[dict[int, list[Row]]] = {}

    def __call__(self, symbols: Collection[int]) -> Iterable[Row]:
        rows = self._rows
        new = [each for each in symbols if each not in rows]
        rows.update({each: [] for each in new})
        for row in uses_of(self._snapshot, new) if new else ():
            rows[row[_USED]].append(row)
        return chain.from_iterable(map(rows.__getitem__, symbols))


def dependents(
    uses: Uses,
    roots: Collection[int],
    depth: int,
    check: Callable[[], None],
    left_out: Callable[[Collection[int]], Collection[int]] = lambda _: (),
) -> Walk:
    """What uses ``roots``, over ``depth`` steps. ``left_out``: of some symbols those that are neither counted nor followed."""
    return _walk(roots, depth, check, uses, _USER, left_out)


def dependencies(snapshot: Snapshot, roots: Collection[int], depth: int, check: Callable[[], None]) -> Walk:
    """The symbols of the repository that ``roots`` use, over ``depth`` steps."""
    return _walk(roots, depth, check, lambda frontier: _used_by(snapshot, frontier), _USED, lambda _: ())


def _walk(
    roots: Collection[int],
    depth: int,
    check: Callable[[], None],
    step: Uses,
    end: int,
    left_out: Callable[[Collection[int]], Collection[int]],
) -> Walk:
    walk = Walk({}, [], set())
    known = set(roots)
    frontier = sorted(known)
    for distance in range(1, depth + 1):
        check()
        rows = list(step(frontier))
        walk.rows += rows
        best: dict[int, _Ranked] = {}
        for row in rows:
            node = row[end]
            if node in known:
                continue
            ranked = _ranked(row)
            before = best.get(node)
            if before is None or ranked < before:
                best[node] = ranked
        gone = set(left_out(best)) if best else set()
        walk.left_out |= gone
        level = sorted(node for node in best if node not in gone)
        known.update(best)
        walk.reached.update({node: Reached(distance, _use(best[node][-1])) for node in level})
        if len(level) > FOLLOWED:
            walk.is_partial |= distance < depth
            level = level[:FOLLOWED]
        if not level:
            break
        frontier = level
    return walk


_Ranked = tuple[int, bool, int, int, Row]
"""The strongest first; of equally strong ones what is meant itself, then by number."""


def _ranked(row: Row) -> _Ranked:
    user, used, kind, via = row
    return _STRENGTH[kind], via != 0, used, user, row


def _use(row: Row) -> Use:
    user, used, kind, via = row
    return Use(user, used, REF_KINDS[kind], via or None)


def uses_of(snapshot: Snapshot, frontier: Collection[int]) -> Iterable[Row]:
    edges = snapshot.reader.edges
    for row in edges.uses(frontier, USES):
        yield (*row, 0)
    fillers = _fillers(slots_of_all(edges, frontier))
    if fillers:
        for user, slot, kind in edges.uses(fillers, _CALLING, only_virtual=True):
            for member in fillers[slot]:
                yield user, member, kind, slot


def _fillers(slots: Mapping[int, Iterable[int]]) -> dict[int, list[int]]:
    """By slot, the members that fill it."""
    found: dict[int, list[int]] = {}
    for member, filled in slots.items():
        for slot in filled:
            found.setdefault(slot, []).append(member)
    return found


def _used_by(snapshot: Snapshot, frontier: Collection[int]) -> Iterable[Row]:
    return ((*row, 0) for row in snapshot.reader.edges.used(frontier, USES))
