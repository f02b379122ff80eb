"""Symbols by their simple names: what deciding between them takes, without the rest of a row."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache
from typing import Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, or_, select
from sqlalchemy.orm import aliased

from codemap_core.model import LibrarySymbolRow, SymbolKind
from codemap_core.storage.reading.prepared import Prepared, given
from codemap_core.storage.reading.symbol_search import SymbolFilter, beginning_with, conditions_of
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.fulltext import words_of_lines

_LAST_CHARACTER: Final = "\U0010ffff"
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
    """Declarations whose simple name is one of ``names``, ASCII case ignored, or those of all operators too; by id, then those that a
    project compiles before others, then by path."""
    rows = _declared(where, with_operators).rows(connection, names=list(names))
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
        for symbol_id, name, kind, full_name, signature, path, line, project in rows
    )


@lru_cache(maxsize=64)
def _declared(where: SymbolFilter, with_operators: bool) -> Prepared:
    named: ColumnElement[bool] = t.Symbol.name.in_(given("names"))
    if with_operators:
        named = or_(named, beginning_with(t.Symbol.name, OPERATOR))
    return Prepared(
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
        .order_by(t.SymbolId.symbol_id, t.Symbol.project_id.is_(None), t.File.path, t.Symbol.name_line)
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


_CONTAINER: Final = aliased(t.SymbolId)
_BASE: Final = aliased(t.SymbolId)
_KNOWN: Final = Prepared(
    select(
        t.SymbolId.symbol_id,
        t.LibrarySymbol.kind,
        t.LibrarySymbol.name,
        t.LibrarySymbol.fully_qualified_name,
        t.LibrarySymbol.signature,
        t.LibrarySymbol.assembly,
        t.LibrarySymbol.version,
        _CONTAINER.symbol_id,
    )
    .join(t.SymbolId, t.SymbolId.id == t.LibrarySymbol.id)
    .outerjoin(_CONTAINER, _CONTAINER.id == t.LibrarySymbol.container)
    .where(t.SymbolId.symbol_id.in_(given("symbol_ids")))
)
_BASES: Final = Prepared(
    select(t.SymbolId.symbol_id, _BASE.symbol_id)
    .join(t.LibraryBase, t.LibraryBase.symbol == t.SymbolId.id)
    .join(_BASE, _BASE.id == t.LibraryBase.base)
    .where(t.SymbolId.symbol_id.in_(given("symbol_ids")))
    .order_by(t.LibraryBase.symbol, t.LibraryBase.ordinal)
)


def library_symbols(connection: Connection, symbol_ids: Sequence[str]) -> dict[str, LibrarySymbolRow]:
    """What is known of library symbols, by id."""
    asked = list(symbol_ids)
    bases: dict[str, list[str]] = {}
    for symbol_id, base_id in _BASES.rows(connection, symbol_ids=asked):
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
        for symbol_id, kind, name, full_name, signature, assembly, version, container_id in _KNOWN.rows(
            connection, symbol_ids=asked
        )
    }


class NameList:
    """Different names, sorted, in the forms in which they are compared; each form is made when it is first needed."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names: Final = tuple(sorted(names))

    @cached_property
    def folded(self) -> list[str]:
        """In lower case, in the same order."""
        return [name.lower() for name in self.names]

    @cached_property
    def lines(self) -> str:
        """One name a line."""
        return "\n".join(self.names)

    @cached_property
    def _by_folded(self) -> list[tuple[str, str]]:
        return sorted(zip(self.folded, self.names, strict=True))

    def beginning_with(self, prefix: str) -> list[str]:
        """Case ignored; in the order of their lower-case forms."""
        folded = prefix.lower()
        first = bisect_left(self._by_folded, (folded, ""))
        behind = bisect_left(self._by_folded, (folded + _LAST_CHARACTER, ""))
        return [name for _, name in self._by_folded[first:behind]]


class Vocabulary:
    """The names that declarations have, read when first asked for and kept: an index does not change."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading: Final = reading

    @cached_property
    def names(self) -> NameList:
        """All simple names."""
        with self._reading() as connection:
            return NameList({name for (name,) in _NAMES.rows(connection)})

    @cached_property
    def words(self) -> NameList:
        """The words of all simple names, lower-case."""
        return NameList(words_of_lines(self.names.lines))


_NAMES: Final = Prepared(select(t.Symbol.name))
