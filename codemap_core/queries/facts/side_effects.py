"""What a member does beyond its own memory, as far as it does so itself: tables it writes or reads, calls over HTTP, messages it sends,
configuration it reads or sets. From facts, from links to handlers, and from calls of library members that are known for it.

What its callees do is not said here; a trace follows them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from codemap_core.model import FactKind, RefKind, split_value
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_core.model.meanings import Does, LibraryCalls
from codemap_core.model.reference import SENDS
from codemap_core.queries.facts.entity_calls import tables_called_for
from codemap_core.queries.facts.inherited_members import bases_behind
from codemap_core.queries.plain_lines import short_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import Edge, UnresolvedUse
from codemap_core.storage.reading.fact_lookup import OwnedFact

_CALLS: Final = (RefKind.CALL,)
_SQL_WRITES: Final = frozenset({"into", "update", "delete"})


class Doing(StrEnum):
    """A sort of effect, as a clause with what it is done to; declared in the order in which effects are said."""

    WRITES_TABLE = "writes table {}"
    USES_TABLE = "uses table {}"
    """Of tables whose sets a member reads, it changes some, and which ones is not known."""
    READS_TABLE = "reads table {}"
    SAVES = "saves changes to the database"
    WRITES_STORE = "writes a data store by {}"
    READS_STORE = "reads a data store by {}"
    CALLS_OUT = "calls out over HTTP by {}"
    SENDS_BY = "sends a message by {}"
    SENDS_TO = "sends a message to {}"
    SETS_KEY = "sets configuration {}"
    READS_KEY = "reads configuration {}"
    READS_VARIABLE = "reads the environment variable {}"


class Effect(NamedTuple):
    doing: Doing
    what: str = ""

    def __str__(self) -> str:
        return self.doing.value.format(self.what)


_DOING: Final = {
    Does.SAVES: Doing.SAVES,
    Does.CALLS_OUT: Doing.CALLS_OUT,
    Does.SENDS: Doing.SENDS_BY,
    Does.READS_STORE: Doing.READS_STORE,
    Does.WRITES_STORE: Doing.WRITES_STORE,
}


class LibraryEffects:
    """What calls of libraries do, as the plug-ins of a snapshot know it."""

    def __init__(self, snapshot: Snapshot) -> None:
        meanings = snapshot.meanings
        self._by_type: Final[dict[str, list[LibraryCalls]]] = {}
        self._by_simple_name: Final[dict[str, list[LibraryCalls]]] = {}
        for calls in meanings.calls:
            for type_id in calls.types:
                self._by_type.setdefault(type_id, []).append(calls)
                self._by_simple_name.setdefault(parse_id(type_id).name, []).append(calls)
        self._changes: Final = {
            type_id: frozenset(store.changes) for store in meanings.stores for type_id in store.changing
        }
        self._names: Final = tuple({name for calls in meanings.calls for name in calls.names})

    def of_call(self, target: str) -> Effect | None:
        """What a call of a library's member does, if it is known to do anything."""
        known = self._by_type.get(container_of(target))
        return _effect(known, parse_id(target).name, short_name(target)) if known is not None else None

    def of_inherited(self, snapshot: Snapshot, calls: Iterable[Edge]) -> dict[int, Effect]:
        """By target, what calls of an interface in source do that a library's member implements for the types in source."""
        ids = snapshot.reader.edges.ids_of({edge.target for edge in calls if not edge.external})
        likely = {number: each for number, each in ids.items() if parse_id(each).name.startswith(self._names)}
        found = {}
        for number, types in (bases_behind(snapshot, likely) if likely else {}).items():
            known = [each for type_id in sorted(types) for each in self._by_type.get(type_id, ())]
            effect = _effect(known, parse_id(likely[number]).name, short_name(likely[number]))
            if effect is not None:
                found[number] = effect
        return found

    def of_use(self, use: UnresolvedUse) -> Effect | None:
        """The same for a call of which no more is known than the simple name of the type and the member's name, as when several overloads
        fit."""
        known = self._by_simple_name.get(use.container_hint or "")
        return _effect(known, use.name, f"{use.container_hint}.{use.name}") if known is not None else None

    def changes_table(self, target: str) -> bool:
        """Whether a call of a library's member changes the table of the entities that it is called for."""
        names = self._changes.get(container_of(target))
        return names is not None and parse_id(target).name in names


def _effect(known: Iterable[LibraryCalls], name: str, by: str) -> Effect | None:
    """``name``: of the member that is called; ``by``: how the effect names it."""
    does = next((calls.does for calls in known if name.startswith(calls.names)), None)
    return Effect(_DOING[does], "" if does is Does.SAVES else by) if does is not None else None


class _ConfigDetail(Struct):
    source: str = ""
    write: bool = False


class _TableDetail(Struct):
    source: str = ""
    use: str = ""


def side_effects(snapshot: Snapshot, members: Mapping[str, Collection[str]]) -> dict[str, tuple[Effect, ...]]:
    """By id, of the members that have any. ``members``: by id, the files that declare the member that is meant, as other projects may
    declare the same id."""
    reader = snapshot.reader
    numbers = reader.edges.numbers_of(members)
    if not numbers:
        return {}
    every = reader.edges.edges_from(numbers.values(), _CALLS)
    calls = [edge for edge in every if edge.external]
    links = reader.edges.links_from(numbers.values(), (SENDS,))
    named = {edge.target for edge in (*calls, *links)}
    ids = reader.edges.ids_of(named) if named else {}
    own = reader.facts.of_owners(numbers.values())
    uses = _table_uses(snapshot, numbers.values(), calls)
    order, paths = tuple(Doing), reader.edges.paths
    library = snapshot.kept(LibraryEffects)
    inherited = library.of_inherited(snapshot, every)
    found = {}
    for symbol_id, number in numbers.items():
        files = members[symbol_id]
        called = [(edge, ids[edge.target]) for edge in calls if edge.source == number and paths[edge.file_id] in files]
        sent = [
            Effect(Doing.SENDS_TO, short_name(ids[edge.target]))
            for edge in links
            if edge.source == number and paths[edge.file_id] in files
        ]
        effects = [
            *_of_facts(fact for fact in own if fact.owner == number and paths[fact.file_id] in files),
            *_of_tables(
                library, [each for each in uses if each.member == number and paths[each.file_id] in files], called
            ),
            *(each for each in _of_calls(library, called) if not sent or each.doing is not Doing.SENDS_BY),
            *(
                inherited[edge.target]
                for edge in every
                if edge.source == number and paths[edge.file_id] in files and edge.target in inherited
            ),
            *sent,
        ]
        if effects:
            unique = dict.fromkeys(effects)
            found[symbol_id] = tuple(sorted(unique, key=lambda each: order.index(each.doing)))
    return found


def _of_facts(facts: Iterable[OwnedFact]) -> Iterator[Effect]:
    for fact in facts:
        name, _ = split_value(fact.kind, fact.value)
        if fact.kind == FactKind.CONFIG:
            config = msgspec.json.decode(fact.detail, type=_ConfigDetail)
            doing = Doing.READS_VARIABLE if config.source == "env" else Doing.READS_KEY
            yield Effect(Doing.SETS_KEY if config.write else doing, name)
        elif fact.kind == FactKind.DB_TABLE:
            table = msgspec.json.decode(fact.detail, type=_TableDetail)
            if table.source == "sql":
                yield Effect(Doing.WRITES_TABLE if table.use in _SQL_WRITES else Doing.READS_TABLE, name)


class _TableUse(NamedTuple):
    """A set of entities that a member reads, or asks a context for. ``changes``: the call itself changes the table."""

    member: int
    file_id: int
    line: int
    table: str
    changes: bool = False


def _table_uses(snapshot: Snapshot, members: Collection[int], calls: Sequence[Edge]) -> list[_TableUse]:
    found = [
        _TableUse(each.reader, each.file_id, each.line, split_value(each.fact.kind, each.fact.value)[0])
        for each in snapshot.reader.facts.reached_from(members)
        if each.fact.kind == FactKind.DB_TABLE
    ]
    for call, table, changes in tables_called_for(snapshot, calls):
        found.append(_TableUse(call.source, call.file_id, call.line, table.table, changes))
    return found


def _of_tables(
    library: LibraryEffects, uses: Sequence[_TableUse], called: Sequence[tuple[Edge, str]]
) -> Iterator[Effect]:
    """A table is written where the line also changes a set. A change in another line is one of the only table, or of any."""
    changed = {(edge.file_id, edge.line) for edge, target in called if library.changes_table(target)}
    elsewhere = changed - {(each.file_id, each.line) for each in uses}
    is_only = len({each.table for each in uses}) == 1
    for each in uses:
        if each.changes or (each.file_id, each.line) in changed or (elsewhere and is_only):
            yield Effect(Doing.WRITES_TABLE, each.table)
        else:
            yield Effect(Doing.USES_TABLE if elsewhere else Doing.READS_TABLE, each.table)


def _of_calls(library: LibraryEffects, called: Iterable[tuple[Edge, str]]) -> Iterator[Effect]:
    for _, target in called:
        effect = library.of_call(target)
        if effect is not None:
            yield effect


def sending_places(snapshot: Snapshot, members: Collection[int]) -> list[Edge]:
    """Where each of some members first sends a message by a call of a library."""
    edges, library = snapshot.reader.edges, snapshot.kept(LibraryEffects)
    calls = [edge for edge in edges.edges_from(members, _CALLS) if edge.external]
    ids = edges.ids_of({edge.target for edge in calls})
    found = [edge for edge in calls if _sends(library.of_call(ids[edge.target]))]
    found += [
        Edge(use.source, 0, use.kind, use.file_id, use.line, use.column, 0, 0, 1, None)
        for use in edges.unresolved_from(members, _CALLS)
        if _sends(library.of_use(use))
    ]
    first: dict[int, Edge] = {}
    for edge in sorted(found, key=lambda each: (each.line, each.column)):
        first.setdefault(edge.source, edge)
    return list(first.values())


def _sends(effect: Effect | None) -> bool:
    return effect is not None and effect.doing is Doing.SENDS_BY
