"""The tables that members reach by calling a library's context for an entity, without one of its sets: ``context.Set<Order>()``,
``context.FindAsync<Order>(id)``, and ``context.Add(order)`` where the member makes entities of one type only, or makes none and names one
type of them, as a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from codemap_core.model import Confidence, RefKind
from codemap_core.model.documentation_id import container_of, is_type_id, parse_id
from codemap_core.model.meanings import EntityStore
from codemap_core.queries.facts.stored_entities import EntityServices, ReachedTable
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import Edge


class EntityCall(NamedTuple):
    """``call``: of the context. ``changes``: it changes the table by itself, as ``context.Add(order)`` does."""

    call: Edge
    table: ReachedTable
    changes: bool


def tables_called_for(snapshot: Snapshot, calls: Sequence[Edge]) -> Iterator[EntityCall]:
    """``calls``: those of libraries."""
    edges = snapshot.reader.edges
    ids = edges.ids_of({edge.target for edge in calls})
    stores = {context: store for store in snapshot.meanings.stores for context in store.contexts}
    named: list[tuple[Edge, str, EntityStore]] = []
    for edge in calls:
        store = stores.get(container_of(ids.get(edge.target, "")))
        if store is not None:
            named.append((edge, parse_id(ids[edge.target]).name, store))
    callers = {edge.source for edge, name, store in named if name in store.of_type or name in store.of_object}
    tables = snapshot.kept(EntityServices).tables if callers else {}
    if not tables:
        return
    mentioned = edges.edges_between(callers, tables, (RefKind.TYPE,))
    written = {(edge.file_id, edge.line, edge.column): edge.target for edge in mentioned}
    handled = _by_member(mentioned)
    handled.update(_entities_made(snapshot, callers, tables))
    owners = edges.ids_of(callers)
    for edge, name, store in named:
        entity = written.get((edge.file_id, edge.line, edge.column + len(name) + 1))
        confidence = Confidence.HIGH
        if entity is None and name in store.of_object and len(handled.get(edge.source, ())) == 1:
            (entity,), confidence = handled[edge.source], Confidence.MEDIUM
        if entity is not None:
            table = ReachedTable(tables[entity], owners[edge.source], edge.line, confidence)
            yield EntityCall(edge, table, name in store.changes)


def _by_member(mentions: Iterable[Edge]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for edge in mentions:
        found.setdefault(edge.source, set()).add(edge.target)
    return found


def _entities_made(snapshot: Snapshot, callers: set[int], tables: Mapping[int, str]) -> dict[int, set[int]]:
    """By member, the entities with a table that it creates."""
    edges = snapshot.reader.edges
    creations = edges.edges_from(callers, (RefKind.INSTANTIATE,))
    ids = edges.ids_of({edge.target for edge in creations})
    types = {number: each if is_type_id(each) else container_of(each) for number, each in ids.items()}
    numbers = edges.numbers_of(set(types.values()))
    found: dict[int, set[int]] = {}
    for edge in creations:
        entity = numbers.get(types[edge.target])
        if entity in tables and entity is not None:
            found.setdefault(edge.source, set()).add(entity)
    return found
