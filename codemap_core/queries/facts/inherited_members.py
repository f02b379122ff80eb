"""Members of interfaces in source that no member in source implements, because a library's base class does: ``IOrders.SaveChangesAsync`` of
a class that derives from ``DbContext`` (ECMA-334 §19.6.5).
"""

from __future__ import annotations

from collections.abc import Collection

from codemap_core.model import RelationKind
from codemap_core.model.documentation_id import container_of
from codemap_core.queries.snapshot import Snapshot


def bases_behind(snapshot: Snapshot, members: Collection[int]) -> dict[int, frozenset[str]]:
    """By member, the ids of what the types that implement its interface derive from, themselves included. ``members``: by number; those
    that source implements are left out."""
    edges = snapshot.reader.edges
    filled = {slot for slot, _ in edges.fillers(members)}
    containers = {number: container_of(each) for number, each in edges.ids_of(set(members) - filled).items()}
    numbers = edges.numbers_of(set(containers.values()))
    above = {each: _bases_of(snapshot, _implementing(snapshot, each)) for each in set(numbers.values())}
    found = {number: above[numbers[each]] for number, each in containers.items() if each in numbers}
    return {number: ids for number, ids in found.items() if ids}


def _implementing(snapshot: Snapshot, interface: int) -> set[int]:
    found: set[int] = set()
    frontier = {interface}
    while frontier:
        below = snapshot.reader.derived(frontier)
        frontier = {each.derived for each in below if each.kind is RelationKind.INTERFACE} - found
        found |= frontier
    return found


def _bases_of(snapshot: Snapshot, types: Collection[int]) -> frozenset[str]:
    found: set[int] = set()
    frontier = set(types)
    while frontier:
        found |= frontier
        above = snapshot.reader.bases(frontier)
        frontier = {each.base for each in above if each.kind is RelationKind.BASE_TYPE} - found
    return frozenset(snapshot.reader.edges.ids_of(found).values())
