"""Facts for walks over many symbols: those that some symbols own, those of the fields and properties that they read, and what facts say
about what runs: implementations of services and handlers of messages.

Numbers are ``symbol_ids.id`` and ``files.id`` of one database file. A lookup for any count of symbols is one statement. ``detail`` stays
the JSON text that it is stored as: who asks decodes the keys it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, select
from sqlalchemy.orm import aliased

from codemap_core.model import FactKind, RefKind
from codemap_core.storage.reading.edge_lookup import SLOT_KINDS
from codemap_core.storage.reading.prepared import Prepared, given
from codemap_core.storage.reading.test_projects import test_project_paths
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES

HANDLER: Final = "handler"
"""The kind of facts about methods that handle a message."""
JOB: Final = "job"
"""The kind of facts about what runs beside requests: background services and scheduled jobs."""
_USES: Final = (RefKind.READ, RefKind.WRITE)


class OwnedFact(NamedTuple):
    """One fact without its texts joined. ``owner`` is null for what no symbol owns; ``confidence`` is the value of a ``Confidence``."""

    owner: int | None
    kind: str
    value: str
    detail: str
    file_id: int
    line_start: int
    line_end: int
    confidence: str
    project_id: int | None


class ReachedFact(NamedTuple):
    """A fact of what ``reader`` reads or writes at a line of a file."""

    reader: int
    file_id: int
    line: int
    fact: OwnedFact


class Registered(NamedTuple):
    """A type that is registered for a service, and the project that does so."""

    implementation: int
    project_id: int | None


class Handling(NamedTuple):
    """``method`` handles messages of the type ``message``; ``answers``: the message has a response; ``shown``: the message with its type
    arguments, as it is displayed."""

    message: int
    method: int
    answers: bool
    shown: str


class _Registration(Struct):
    service_id: str = ""
    implementation_id: str = ""


class _Handler(Struct):
    request: str = ""
    request_id: str = ""
    response_id: str = ""


_COLUMNS: Final[tuple[Any, ...]] = (
    t.Fact.symbol,
    t.Fact.kind,
    t.Fact.value,
    t.Fact.detail,
    t.Fact.file_id,
    t.Fact.line_start,
    t.Fact.line_end,
    t.Fact.confidence,
    t.Fact.project_id,
)


class FactLookup:
    """Asks one index. ``reading`` gives a connection. Facts come by file, line, kind and value."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading: Final = reading

    def of_owners(self, numbers: Collection[int]) -> list[OwnedFact]:
        """The facts that symbols own."""
        return self._facts(_OF_OWNERS, numbers=list(numbers))

    def of_kinds(self, kinds: Iterable[str]) -> list[OwnedFact]:
        """All facts of some kinds."""
        return self._facts(_OF_KINDS, kinds=list(kinds))

    def reached_from(self, numbers: Collection[int]) -> list[ReachedFact]:
        """The facts of the fields and properties that symbols read or write, by reading place; of one of an interface, or one that is
        overridden, those of what implements or overrides it."""
        asked = list(numbers)
        with self._reading() as connection:
            return [
                ReachedFact(reader, file_id, line, OwnedFact._make(fact))
                for reached in (_REACHED, _REACHED_BY_SLOT)
                for reader, file_id, line, *fact in reached.rows(connection, numbers=asked)
            ]

    @cached_property
    def implementations(self) -> dict[int, tuple[Registered, ...]]:
        """By the number of a service type, the types that are registered for it, as far as something here names them; what test projects
        register only where no other project does."""
        with self._reading() as connection:
            tests = test_project_paths(connection)
        found: dict[str, list[tuple[str, int | None]]] = {}
        for fact in self.of_kinds([FactKind.DI_REGISTRATION]):
            said = msgspec.json.decode(fact.detail, type=_Registration)
            if said.service_id and said.implementation_id and said.implementation_id != said.service_id:
                found.setdefault(said.service_id, []).append((said.implementation_id, fact.project_id))
        numbers = self._numbers({*found, *(each for pairs in found.values() for each, _ in pairs)})
        registered = {}
        for service, pairs in found.items():
            if service in numbers:
                production = [pair for pair in pairs if pair[1] not in tests] or pairs
                known = (Registered(numbers[each], project) for each, project in production if each in numbers)
                registered[numbers[service]] = tuple(dict.fromkeys(known))
        return registered

    @cached_property
    def handlings(self) -> tuple[Handling, ...]:
        """Which method handles which type of message, by place."""
        found = [
            (fact.owner, msgspec.json.decode(fact.detail, type=_Handler))
            for fact in self.of_kinds([HANDLER])
            if fact.owner is not None
        ]
        numbers = self._numbers({said.request_id for _, said in found})
        return tuple(
            Handling(numbers[said.request_id], owner, bool(said.response_id), said.request)
            for owner, said in found
            if owner is not None and said.request_id in numbers
        )

    def _numbers(self, symbol_ids: Collection[str]) -> dict[str, int]:
        with self._reading() as connection:
            return dict(_NUMBERS.rows(connection, symbol_ids=list(symbol_ids)))

    def _facts(self, asked: Prepared, **values: object) -> list[OwnedFact]:
        with self._reading() as connection:
            return [OwnedFact._make(row) for row in asked.rows(connection, **values)]


def _facts(condition: ColumnElement[bool]) -> Prepared:
    return Prepared(
        select(*_COLUMNS)
        .where(condition)
        .join(t.File, t.File.id == t.Fact.file_id)
        .order_by(t.File.path, t.Fact.line_start, t.Fact.kind, t.Fact.value, t.Fact.detail)
    )


_OF_OWNERS: Final = _facts(t.Fact.symbol.in_(given("numbers")))
_OF_KINDS: Final = _facts(t.Fact.kind.in_(given("kinds")))
_REACHED: Final = Prepared(
    select(t.Ref.from_symbol, t.Ref.file_id, t.Ref.line, *_COLUMNS)
    .join(t.Fact, t.Fact.symbol == t.Ref.to_symbol)
    .where(t.Ref.from_symbol.in_(given("numbers")), t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in _USES]))
    .order_by(t.Ref.from_symbol, t.Ref.file_id, t.Ref.line, t.Ref.column, t.Fact.kind, t.Fact.value)
)
_FILLER: Final = aliased(t.Ref)
_REACHED_BY_SLOT: Final = Prepared(
    select(t.Ref.from_symbol, t.Ref.file_id, t.Ref.line, *_COLUMNS)
    .join(_FILLER, _FILLER.to_symbol == t.Ref.to_symbol)
    .join(t.Fact, t.Fact.symbol == _FILLER.from_symbol)
    .where(
        t.Ref.from_symbol.in_(given("numbers")),
        t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in _USES]),
        _FILLER.kind.in_([REF_KIND_CODES[kind] for kind in SLOT_KINDS]),
    )
    .distinct()
    .order_by(t.Ref.from_symbol, t.Ref.file_id, t.Ref.line, t.Ref.column, t.Fact.kind, t.Fact.value)
)
_NUMBERS: Final = Prepared(
    select(t.SymbolId.symbol_id, t.SymbolId.id).where(t.SymbolId.symbol_id.in_(given("symbol_ids")))
)
