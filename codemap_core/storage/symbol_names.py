"""Symbols by their simple names: what deciding between them takes, without the rest of a row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, or_, select
from sqlalchemy.orm import aliased

from codemap_core.model import LibrarySymbolRow, SymbolKind
from codemap_core.storage import baseline_tables as t
from codemap_core.storage.fulltext import name_words
from codemap_core.storage.symbol_search import SymbolFilter, beginning_with, conditions_of

OPERATOR: Final = "operator"
"""The prefix of the simple names of operators."""


class NamedSymbol(Struct, frozen=True, kw_only=True):
    """A declaration, or a symbol that is only referred to: then ``file_path`` is empty and ``line`` 0. ``kind``: null where that is not
    known. ``project``: path of the declaring project."""

    symbol_id: str
    name: str
    kind: SymbolKind | None
    full_name: str
    signature: str = ""
    file_path: str = ""
    line: int = 0
    project: str = ""

    @property
    def is_declared(self) -> bool:
        return bool(self.file_path)


def declared(
    connection: Connection, names: Sequence[str], where: SymbolFilter, with_operators: bool = False
) -> tuple[NamedSymbol, ...]:
    """Declarations whose simple name is one of ``names``, ASCII case ignored, or those of all operators too; by id, then by path."""
    named: ColumnElement[bool] = t.Symbol.name.in_(names)
    if with_operators:
        named = or_(named, beginning_with(t.Symbol.name, OPERATOR))
    query = (
        select(
            t.SymbolId.symbol_id,
            t.Symbol.name,
            t.Symbol.kind,
            t.Symbol.fully_qualified_name,
            t.Symbol.signature,
            t.File.path,
            t.Symbol.name_line,
            t.Project.project_path,
        )
        .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
        .join(t.File, t.File.id == t.Symbol.file_id)
        .outerjoin(t.Project, t.Project.id == t.Symbol.project_id)
        .where(named, t.Symbol.repeated.is_(False), *conditions_of(where))
        .order_by(t.SymbolId.symbol_id, t.File.path, t.Symbol.name_line)
    )
    return tuple(
        NamedSymbol(
            symbol_id=symbol_id,
            name=name,
            kind=SymbolKind(kind),
            full_name=full_name,
            signature=signature,
            file_path=path,
            line=line,
            project=project or "",
        )
        for symbol_id, name, kind, full_name, signature, path, line, project in connection.execute(query)
    )


def of_libraries(connection: Connection, names: Sequence[str], with_operators: bool = False) -> tuple[NamedSymbol, ...]:
    """Library symbols whose simple name is one of ``names``, ASCII case ignored, or all operators too; by id."""
    named: ColumnElement[bool] = t.LibrarySymbol.name.in_(names)
    if with_operators:
        named = or_(named, beginning_with(t.LibrarySymbol.name, OPERATOR))
    return _library_names(connection, named)


def library_members(connection: Connection, type_id: str) -> tuple[NamedSymbol, ...]:
    """Members of a library's type that something refers to, by id."""
    number = select(t.SymbolId.id).where(t.SymbolId.symbol_id == type_id).scalar_subquery()
    return _library_names(connection, t.LibrarySymbol.container == number)


def _library_names(connection: Connection, condition: ColumnElement[bool]) -> tuple[NamedSymbol, ...]:
    query = (
        select(
            t.SymbolId.symbol_id,
            t.LibrarySymbol.name,
            t.LibrarySymbol.kind,
            t.LibrarySymbol.fully_qualified_name,
            t.LibrarySymbol.signature,
        )
        .join(t.SymbolId, t.SymbolId.id == t.LibrarySymbol.id)
        .where(condition)
        .order_by(t.SymbolId.symbol_id)
    )
    return tuple(
        NamedSymbol(
            symbol_id=symbol_id,
            name=name,
            kind=None if kind is None else SymbolKind(kind),
            full_name=full_name,
            signature=signature,
        )
        for symbol_id, name, kind, full_name, signature in connection.execute(query)
    )


def library_symbols(connection: Connection, symbol_ids: Sequence[str]) -> dict[str, LibrarySymbolRow]:
    """What is known of library symbols, by id."""
    container = aliased(t.SymbolId)
    base = aliased(t.SymbolId)
    query = (
        select(
            t.SymbolId.symbol_id,
            t.LibrarySymbol.kind,
            t.LibrarySymbol.name,
            t.LibrarySymbol.fully_qualified_name,
            t.LibrarySymbol.signature,
            t.LibrarySymbol.assembly,
            t.LibrarySymbol.version,
            container.symbol_id,
        )
        .join(t.SymbolId, t.SymbolId.id == t.LibrarySymbol.id)
        .outerjoin(container, container.id == t.LibrarySymbol.container)
        .where(t.SymbolId.symbol_id.in_(symbol_ids))
    )
    of_types = (
        select(t.SymbolId.symbol_id, base.symbol_id)
        .join(t.LibraryBase, t.LibraryBase.symbol == t.SymbolId.id)
        .join(base, base.id == t.LibraryBase.base)
        .where(t.SymbolId.symbol_id.in_(symbol_ids))
        .order_by(t.LibraryBase.symbol, t.LibraryBase.ordinal)
    )
    bases: dict[str, list[str]] = {}
    for symbol_id, base_id in connection.execute(of_types):
        bases.setdefault(symbol_id, []).append(base_id)
    return {
        symbol_id: LibrarySymbolRow(
            symbol_id=symbol_id,
            kind=None if kind is None else SymbolKind(kind),
            name=name,
            fully_qualified_name=full_name,
            signature=signature,
            container_id=container_id,
            assembly=assembly,
            version=version,
            bases=tuple(bases.get(symbol_id, ())),
        )
        for symbol_id, kind, name, full_name, signature, assembly, version, container_id in connection.execute(query)
    }


class Vocabulary:
    """The names that declarations have, read when first asked for and kept: an index does not change."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading: Final = reading

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All simple names, sorted."""
        with self._reading() as connection:
            return tuple(sorted(connection.execute(select(t.Symbol.name.collate("BINARY")).distinct()).scalars()))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of all simple names, lower-case, sorted."""
        return tuple(sorted({word for name in self.names for word in name_words(name)}))
