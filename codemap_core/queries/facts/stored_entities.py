"""The tables that members reach through generic services of entities, such as ``IRepository<Order>`` where ``Order`` has a table.

A member reaches the table of an entity when it calls a member of a generic type that is registered as a service, and has that service of
that entity: in a field or property that it reads, as a parameter, as a parameter of its type's primary constructor if that has no other
entity, or by a call of a generic method that gives the service, ``unitOfWork.Repository<Order>()``. What the service does is often a
library's, so that such a table is only likely.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.model import HOLE, Confidence, FactKind, RefKind, split_value
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import Edge, UnresolvedUse

_GENERIC: Final = "`"
_GENERIC_METHOD: Final = "``"
_SNAPSHOT: Final = "snapshot"
_FROM_SNAPSHOT: Final = 1
_WITH_HOLE: Final = 2
"""How doubtful the name of a table is: 0 for what the model says."""


class ReachedTable(Struct, frozen=True):
    """``through``: the member or type that names the entity; ``line``: where it does."""

    table: str
    through: str
    line: int
    confidence: Confidence = Confidence.MEDIUM


class _Table(Struct):
    entity_id: str = ""
    source: str = ""


class _Service(Struct, frozen=True):
    """``name``: without type parameters. ``members_of``: the types whose members it has: itself and its bases."""

    name: str
    members_of: frozenset[str]


class EntityServices:
    """``tables``: by entity. ``services``: generic types that are registered as services, none where no entity has a table."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.tables: Final = _tables_by_entity(snapshot)
        self.services: Final = _services(snapshot) if self.tables else {}


def tables_reached(
    snapshot: Snapshot, nodes: Collection[int], called: Mapping[int, Collection[int]], missing: Iterable[UnresolvedUse]
) -> dict[int, list[ReachedTable]]:
    """By node. ``called``: the members that nodes call, including those of libraries; ``missing``: their calls that could not be
    resolved."""
    edges = snapshot.reader.edges
    known = snapshot.kept(EntityServices)
    tables, services = known.tables, known.services
    if not services:
        return {}
    ids_called = edges.ids_of(_all(called))
    containers = {number: container_of(each) for number, each in ids_called.items()}
    hints: dict[int, set[str]] = {}
    for use in missing:
        hints.setdefault(use.source, set()).add(use.container_hint or "")
    using: dict[int, set[int]] = {}
    for node in nodes:
        of = {containers.get(each, "") for each in called.get(node, ())}
        named = hints.get(node, set())
        found = {
            number for number, each in services.items() if each.name in named or not of.isdisjoint(each.members_of)
        }
        if found:
            using[node] = found
    if not using:
        return {}
    holders = _holders(snapshot, using, services)
    mentions = _mentions(snapshot, _all(holders), tables, services)
    ids = edges.ids_of(mentions)
    types = {container_of(each) for each in edges.ids_of(using).values()}
    reached: dict[int, list[ReachedTable]] = {}
    for node, own in holders.items():
        for holder in own:
            pairs = [
                (service, entity, line) for service, entity, line in mentions.get(holder, ()) if service in using[node]
            ]
            if ids.get(holder) in types and len({entity for _, entity, _ in pairs}) > 1:
                continue
            reached.setdefault(node, []).extend(
                ReachedTable(tables[entity], ids[holder], line) for _, entity, line in pairs
            )
    generic = {number: parse_id(each).name for number, each in ids_called.items() if _GENERIC_METHOD in each}
    for edge, service in _given_by_calls(snapshot, using, generic, tables, services):
        if service in using[edge.source]:
            table = ReachedTable(tables[edge.target], edges.ids_of([edge.source])[edge.source], edge.line)
            reached.setdefault(edge.source, []).append(table)
    return {node: found for node, found in reached.items() if found}


def _tables_by_entity(snapshot: Snapshot) -> dict[int, str]:
    """What the model says, unless a piece of the name is not known: then what the last snapshot of the model says, if there is one."""
    said: dict[str, tuple[int, str]] = {}
    for fact in snapshot.reader.facts.of_kinds([FactKind.DB_TABLE]):
        detail = msgspec.json.decode(fact.detail, type=_Table)
        if not detail.entity_id:
            continue
        table = split_value(fact.kind, fact.value)[0]
        doubt = _WITH_HOLE if HOLE in table else _FROM_SNAPSHOT if detail.source == _SNAPSHOT else 0
        known = said.get(detail.entity_id)
        if known is None or doubt < known[0] or doubt == known[0] == _FROM_SNAPSHOT:
            said[detail.entity_id] = (doubt, table)
    numbers = snapshot.reader.edges.numbers_of(said)
    return {numbers[entity]: table for entity, (_, table) in said.items() if entity in numbers}


def _services(snapshot: Snapshot) -> dict[int, _Service]:
    """Generic types that are registered as services, by number."""
    edges = snapshot.reader.edges
    ids = edges.ids_of(snapshot.reader.facts.implementations)
    generic = {number: symbol_id for number, symbol_id in ids.items() if _GENERIC in symbol_id}
    found = {}
    for number, symbol_id in generic.items():
        above: set[int] = set()
        frontier: set[int] = {number}
        while frontier:
            above |= frontier
            frontier = {each.base for each in snapshot.reader.bases(frontier)}.difference(above)
        found[number] = _Service(parse_id(symbol_id).name, frozenset(edges.ids_of(above).values()))
    return found


def _holders(
    snapshot: Snapshot, using: Mapping[int, set[int]], services: Mapping[int, _Service]
) -> dict[int, list[int]]:
    """By node, what may name its services: itself, the fields and properties that it reads, its type."""
    edges = snapshot.reader.edges
    types = {node: container_of(symbol_id) for node, symbol_id in edges.ids_of(using).items()}
    numbers = edges.numbers_of(set(types.values()))
    found: dict[int, list[int]] = {node: [node] for node in using}
    for reader, member in sorted(edges.members_read(using, services)):
        found[reader].append(member)
    for node in using:
        if types[node] in numbers:
            found[node].append(numbers[types[node]])
    return found


def _mentions(
    snapshot: Snapshot, holders: Collection[int], tables: Mapping[int, str], services: Mapping[int, _Service]
) -> dict[int, list[tuple[int, int, int]]]:
    """By holder, (service, entity, line) wherever an entity is written as the first type argument of a service."""
    edges = snapshot.reader.edges.edges_between(holders, {*tables, *services}, (RefKind.TYPE,))
    behind: dict[tuple[int, int, int], int] = {}
    for edge in edges:
        if edge.target in services:
            behind[(edge.file_id, edge.line, edge.column + len(services[edge.target].name) + 1)] = edge.target
    found: dict[int, list[tuple[int, int, int]]] = {}
    for edge in sorted(edges, key=_place):
        service = behind.get((edge.file_id, edge.line, edge.column))
        if service is not None and edge.target in tables:
            found.setdefault(edge.source, []).append((service, edge.target, edge.line))
    return found


def _given_by_calls(
    snapshot: Snapshot,
    callers: Collection[int],
    generic: Mapping[int, str],
    tables: Mapping[int, str],
    services: Mapping[int, _Service],
) -> Iterator[tuple[Edge, int]]:
    """Where an entity is the first type argument of a call of a method whose declaration names a service, with that service.
    ``generic``: the simple names of the generic methods that are called."""
    edges = snapshot.reader.edges
    given = {edge.source: edge.target for edge in edges.edges_between(generic, services, (RefKind.TYPE,))}
    if not given:
        return
    behind = {
        (edge.source, edge.file_id, edge.line, edge.column + len(generic[edge.target]) + 1): given[edge.target]
        for edge in edges.edges_between(callers, given, (RefKind.CALL,))
    }
    for edge in sorted(edges.edges_between(callers, tables, (RefKind.TYPE,)), key=_place):
        service = behind.get((edge.source, edge.file_id, edge.line, edge.column))
        if service is not None:
            yield edge, service


def _place(edge: Edge) -> tuple[int, int, int]:
    return edge.file_id, edge.line, edge.column


def _all(by_node: Mapping[int, Iterable[int]]) -> set[int]:
    return {each for found in by_node.values() for each in found}
