"""Which types derive from which, for walks up and down: by base lists in source and by what metadata says of library types. Numbers are
``symbol_ids.id``; rows are in no order."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, select

from codemap_core.model import RelationKind, SymbolKind
from codemap_core.storage import baseline_tables as t
from codemap_core.storage.value_list import value_list


class BaseOf(NamedTuple):
    """``base`` stands in a base list of ``derived``, written as ``display_name``; of library types that is its full name."""

    derived: int
    base: int
    kind: RelationKind
    display_name: str


def bases(connection: Connection, numbers: Collection[int]) -> list[BaseOf]:
    """The base types and interfaces that the base lists of types name, each once even if several projects or parts repeat it."""
    in_source = _relations(connection, t.Relation.from_symbol.in_(value_list(numbers)))
    return in_source + _of_libraries(connection, t.LibraryBase.symbol.in_(value_list(numbers)))


def derived(connection: Connection, numbers: Collection[int]) -> list[BaseOf]:
    """The types whose base lists name one of ``numbers``."""
    in_source = _relations(connection, t.Relation.to_symbol.in_(value_list(numbers)))
    return in_source + _of_libraries(connection, t.LibraryBase.base.in_(value_list(numbers)))


class DeclaredName(NamedTuple):
    """``project_id``: of the first project that declares it, by number."""

    number: int
    full_name: str
    project_id: int | None


def declared_names(connection: Connection, numbers: Collection[int]) -> dict[int, DeclaredName]:
    """Of those that have a declaration."""
    query = (
        select(t.Symbol.symbol, t.Symbol.fully_qualified_name, t.Symbol.project_id)
        .where(t.Symbol.symbol.in_(value_list(numbers)))
        .order_by(t.Symbol.symbol, t.Symbol.project_id, t.Symbol.fully_qualified_name)
    )
    found: dict[int, DeclaredName] = {}
    for row in connection.execute(query):
        found.setdefault(row[0], DeclaredName(*row))
    return found


def _relations(connection: Connection, condition: ColumnElement[bool]) -> list[BaseOf]:
    columns = (t.Relation.from_symbol, t.Relation.to_symbol, t.Relation.kind, t.Relation.display_name)
    query = select(*columns).where(condition).distinct()
    return [BaseOf(low, high, RelationKind(kind), name) for low, high, kind, name in connection.execute(query)]


def _of_libraries(connection: Connection, condition: ColumnElement[bool]) -> list[BaseOf]:
    query = (
        select(t.LibraryBase.symbol, t.LibraryBase.base, t.LibrarySymbol.kind, t.LibrarySymbol.fully_qualified_name)
        .join(t.LibrarySymbol, t.LibrarySymbol.id == t.LibraryBase.base)
        .where(condition)
    )
    return [
        BaseOf(low, high, RelationKind.INTERFACE if kind == SymbolKind.INTERFACE else RelationKind.BASE_TYPE, name)
        for low, high, kind, name in connection.execute(query)
    ]
