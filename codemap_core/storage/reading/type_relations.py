"""Which types derive from which, for walks up and down: by base lists in source and by what metadata says of library types. Numbers are
``symbol_ids.id``; rows are in no order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from sqlalchemy import Connection, select

from codemap_core.model import RelationKind, SymbolKind
from codemap_core.model.documentation_id import ERROR_PREFIX
from codemap_core.storage.reading.prepared import Prepared, given
from codemap_core.storage.schema import baseline_tables as t


class BaseOf(NamedTuple):
    """``base`` stands in a base list of ``derived``, written as ``display_name``; of library types that is its full name."""

    derived: int
    base: int
    kind: RelationKind
    display_name: str


def bases(connection: Connection, numbers: Collection[int]) -> list[BaseOf]:
    """The base types and interfaces that the base lists of types name, each once even if several projects or parts repeat it."""
    return _read(connection, _BASES, _LIBRARY_BASES, numbers)


def derived(connection: Connection, numbers: Collection[int]) -> list[BaseOf]:
    """The types whose base lists name one of ``numbers``."""
    return _read(connection, _DERIVED, _LIBRARY_DERIVED, numbers)


class UnknownBase(NamedTuple):
    """``written``: a base type or interface of ``derived`` that was not found, as its base list has it."""

    derived: int
    written: str


def unknown_bases(connection: Connection) -> list[UnknownBase]:
    """All base types and interfaces that were not found, each once."""
    return [
        UnknownBase(derived, symbol_id.removeprefix(ERROR_PREFIX))
        for derived, symbol_id in _UNKNOWN_BASES.rows(connection)
    ]


class DeclaredName(NamedTuple):
    """``project_id``: of the first project that declares it, by number; null where no project compiles a declaration."""

    number: int
    full_name: str
    project_id: int | None


def declared_names(connection: Connection, numbers: Collection[int]) -> dict[int, DeclaredName]:
    """Of those that have a declaration."""
    found: dict[int, DeclaredName] = {}
    for row in _DECLARED_NAMES.rows(connection, numbers=list(numbers)):
        found.setdefault(row[0], DeclaredName(*row))
    return found


def _read(
    connection: Connection, in_source: Prepared, of_libraries: Prepared, numbers: Collection[int]
) -> list[BaseOf]:
    listed = list(numbers)
    return [
        BaseOf(low, high, RelationKind(kind), name)
        for low, high, kind, name in in_source.rows(connection, numbers=listed)
    ] + [
        BaseOf(low, high, RelationKind.INTERFACE if kind == SymbolKind.INTERFACE else RelationKind.BASE_TYPE, name)
        for low, high, kind, name in of_libraries.rows(connection, numbers=listed)
    ]


_GIVEN: Final = given("numbers")
_RELATIONS: Final = select(
    t.Relation.from_symbol, t.Relation.to_symbol, t.Relation.kind, t.Relation.display_name
).distinct()
_OF_LIBRARIES: Final = select(
    t.LibraryBase.symbol, t.LibraryBase.base, t.LibrarySymbol.kind, t.LibrarySymbol.fully_qualified_name
).join(t.LibrarySymbol, t.LibrarySymbol.id == t.LibraryBase.base)
_BASES: Final = Prepared(_RELATIONS.where(t.Relation.from_symbol.in_(_GIVEN)))
_DERIVED: Final = Prepared(_RELATIONS.where(t.Relation.to_symbol.in_(_GIVEN)))
_UNKNOWN_BASES: Final = Prepared(
    select(t.Relation.from_symbol, t.SymbolId.symbol_id)
    .join(t.SymbolId, t.SymbolId.id == t.Relation.to_symbol)
    .where(t.SymbolId.symbol_id >= ERROR_PREFIX, t.SymbolId.symbol_id < "!;")
    .distinct()
)
_LIBRARY_BASES: Final = Prepared(_OF_LIBRARIES.where(t.LibraryBase.symbol.in_(_GIVEN)))
_LIBRARY_DERIVED: Final = Prepared(_OF_LIBRARIES.where(t.LibraryBase.base.in_(_GIVEN)))
_DECLARED_NAMES: Final = Prepared(
    select(t.Symbol.symbol, t.Symbol.fully_qualified_name, t.Symbol.project_id)
    .where(t.Symbol.symbol.in_(_GIVEN))
    .order_by(t.Symbol.symbol, t.Symbol.project_id.is_(None), t.Symbol.project_id, t.Symbol.fully_qualified_name)
)
