"""All symbols that pass a filter, by place, with what decides about them and no more: for tools that filter by what no column says.

Patterns are SQLite's ``GLOB``: ``*`` stands for any text, slashes too, ``?`` for one character; case counts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from functools import lru_cache
from itertools import count
from typing import Any, Final, NamedTuple

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Integer, Text, func, literal_column, or_, select

from codemap_core.model import SymbolKind
from codemap_core.storage.reading.prepared import Prepared, given, parameter
from codemap_core.storage.reading.symbol_conditions import Condition
from codemap_core.storage.schema import baseline_tables as t

_STATEMENTS: Final = 128


class SymbolScan(Struct, frozen=True):
    """Every filter that is set must let a symbol through."""

    kinds: tuple[SymbolKind, ...] = ()
    but_not: tuple[SymbolKind, ...] = ()
    """Kinds that are left out."""
    name: str = ""
    """A simple name, ASCII case ignored, or a pattern of one where it has ``*`` or ``?``. Operators, indexers, finalizers and top-level
    statements, whose names are spelt in several ways, pass."""
    paths: tuple[str, ...] = ()
    """Patterns of the file's path, of which one must match."""
    and_path: str = ""
    """A further pattern that must match."""
    files: frozenset[str] | None = None
    """Paths."""
    namespaces: frozenset[str] | None = None
    first_line: int = 0
    last_line: int = 0
    """Of the name; 0 for no bound."""
    condition: Condition | None = None


class ScannedSymbol(NamedTuple):
    """``number``: ``symbol_ids.id``; ``row``: ``symbols.id``. ``containing_type``, ``summary``, ``rest``: as ``SymbolRow`` has them."""

    row: int
    number: int
    symbol_id: str
    kind: str
    name: str
    containing_type: str | None
    namespace: str
    file_path: str
    span_start: int
    span_end: int
    name_line: int
    name_column: int
    visibility: str
    is_static: int
    has_summary: int
    has_rest: int
    project_id: int | None


class SymbolScans:
    """Asks one index. ``reading`` gives a connection. Every sequence is by path, line and id."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading: Final = reading

    def page(self, where: SymbolScan, limit: int = -1, offset: int = 0) -> list[ScannedSymbol]:
        """What passes; ``limit`` -1 for all."""
        return self._symbols(_scanning(_form(where)), limit=limit, offset=offset, **_values(where))

    def page_and_total(self, where: SymbolScan, limit: int, offset: int) -> tuple[list[ScannedSymbol], int]:
        """As ``page``, and the number of all that passes."""
        if limit < 0 and not offset:
            found = self.page(where)
            return found, len(found)
        if where.condition is None or not limit:
            return (self.page(where, limit, offset) if limit else []), self.count(where)
        # Conditions look into other tables for each symbol, which costs more than all else: they are asked once for both.
        with self._reading() as connection:
            asked = _counted_page(_form(where))
            rows = asked.rows(connection, limit=limit, offset=offset, **_values(where))
        if not rows:
            return [], self.count(where) if offset else 0
        return [ScannedSymbol._make(row[:-1]) for row in rows], int(rows[0][-1])

    def count(self, where: SymbolScan) -> int:
        """All that passes."""
        with self._reading() as connection:
            ((total,),) = _counting(_form(where)).rows(connection, **_values(where))
        return int(total)

    def has_file(self, path: str) -> bool:
        """Whether a file has exactly this path."""
        with self._reading() as connection:
            return bool(_FILE.rows(connection, path=path))

    def by_number(self, numbers: Collection[int]) -> list[ScannedSymbol]:
        """The first declarations of symbols by ``symbol_ids.id``, each once."""
        return self._first(_NUMBERED, numbers)

    def members(self, numbers: Collection[int]) -> list[ScannedSymbol]:
        """The direct members of types by ``symbol_ids.id``, each once."""
        return self._first(_MEMBERS, numbers)

    def containing(self, numbers: Collection[int]) -> frozenset[int]:
        """Those of ``symbol_ids.id`` that contain a symbol."""
        with self._reading() as connection:
            return frozenset(each for (each,) in _CONTAINING.rows(connection, numbers=list(numbers)))

    def _first(self, asked: Prepared, numbers: Collection[int]) -> list[ScannedSymbol]:
        found: dict[int, ScannedSymbol] = {}
        for symbol in self._symbols(asked, numbers=list(numbers)):
            found.setdefault(symbol.number, symbol)
        return list(found.values())

    def _symbols(self, asked: Prepared, **values: object) -> list[ScannedSymbol]:
        with self._reading() as connection:
            return [ScannedSymbol._make(row) for row in asked.rows(connection, **values)]


def _values(where: SymbolScan) -> dict[str, Any]:
    """What statements of one form differ in."""
    values: dict[str, Any] = {f"path{n}": each for n, each in enumerate(where.paths)}
    for name in ("name", "and_path", "first_line", "last_line"):
        if getattr(where, name):
            values[name] = getattr(where, name)
    for name, listed in (("files", where.files), ("namespaces", where.namespaces)):
        if listed is not None:
            values[name] = sorted(listed)
    if where.condition is not None:
        values |= {f"condition{n}": each for n, each in enumerate(where.condition.values())}
    return values


def _form(where: SymbolScan) -> SymbolScan:
    """The filter without what a statement takes as parameters, as the key of that statement."""
    return SymbolScan(
        kinds=where.kinds,
        but_not=where.but_not,
        name="*" if _is_pattern(where.name) else where.name and "exact",
        paths=("",) * len(where.paths),
        and_path=where.and_path and "*",
        files=where.files and frozenset(),
        namespaces=where.namespaces and frozenset(),
        first_line=int(bool(where.first_line)),
        last_line=int(bool(where.last_line)),
        condition=where.condition.form() if where.condition is not None else None,
    )


def _is_pattern(name: str) -> bool:
    return "*" in name or "?" in name


@lru_cache(maxsize=_STATEMENTS)
def _scanning(form: SymbolScan) -> Prepared:
    return Prepared(
        _COLUMNS.where(*_conditions(form)).order_by(*_ORDER).limit(parameter("limit")).offset(parameter("offset"))
    )


@lru_cache(maxsize=_STATEMENTS)
def _counted_page(form: SymbolScan) -> Prepared:
    """As ``_scanning``, with the number of all in a last column."""
    passing = (
        select(t.Symbol.id.label("id"), func.count().over().label("total"))
        .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
        .join(t.File, t.File.id == t.Symbol.file_id)
        .where(*_conditions(form))
        .order_by(*_ORDER)
        .limit(parameter("limit"))
        .offset(parameter("offset"))
        .cte("passing")
    )
    shown = _COLUMNS.add_columns(passing.c.total).join(passing, passing.c.id == t.Symbol.id)
    return Prepared(shown.order_by(*_ORDER))


@lru_cache(maxsize=_STATEMENTS)
def _counting(form: SymbolScan) -> Prepared:
    counting = select(func.count()).select_from(t.Symbol)
    if form.condition is not None:  # which may be about the id
        counting = counting.join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
    return Prepared(counting.where(*_conditions(form)))


def _conditions(form: SymbolScan) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [t.Symbol.repeated.is_(False)]
    if form.kinds:
        is_narrow = form.paths or form.name or form.files is not None
        kind: Any = _KIND if is_narrow else t.Symbol.kind
        conditions.append(kind.in_([each.value for each in form.kinds]))
    if form.but_not:
        conditions.append(t.Symbol.kind.not_in([each.value for each in form.but_not]))
    if form.name:
        name = parameter("name")
        named = t.Symbol.name.op("GLOB")(name) if _is_pattern(form.name) else t.Symbol.name == name
        marked = (t.Symbol.name.between(mark, mark + "\U0010ffff") for mark in _MARKS)
        conditions.append(or_(named, t.Symbol.kind.in_(_SPELT_OTHERWISE), *marked))
    if form.paths:
        globs = [t.File.path.op("GLOB")(parameter(f"path{n}")) for n in range(len(form.paths))]
        further = (t.File.path.op("GLOB")(parameter("and_path")),) if form.and_path else ()
        conditions.append(t.Symbol.file_id.in_(select(t.File.id).where(or_(*globs), *further)))
    if form.files is not None:
        conditions.append(t.Symbol.file_id.in_(select(t.File.id).where(t.File.path.in_(given("files")))))
    if form.namespaces is not None:
        conditions.append(t.Symbol.namespace.in_(given("namespaces")))
    if form.first_line:
        conditions.append(t.Symbol.name_line >= parameter("first_line"))
    if form.last_line:
        conditions.append(t.Symbol.name_line <= parameter("last_line"))
    if form.condition is not None:
        parameters = count()
        conditions.append(form.condition.sql(lambda: f"condition{next(parameters)}"))
    return conditions


# The + keeps SQLite from using the index on kinds where those on files and names are at hand.
_KIND: Final[ColumnElement[str]] = literal_column("+symbols.kind", Text)
_SPELT_OTHERWISE: Final = (SymbolKind.OPERATOR.value, SymbolKind.INDEXER.value)
_MARKS: Final = ("~", "<")
"""What the names of finalizers and of top-level statements begin with."""
_ORDER: Final = (t.File.path, t.Symbol.name_line, t.Symbol.name_column, t.SymbolId.symbol_id)
_COLUMNS: Final = (
    select(
        t.Symbol.id,
        t.Symbol.symbol,
        t.SymbolId.symbol_id,
        t.Symbol.kind,
        t.Symbol.name,
        t.Symbol.containing_type,
        t.Symbol.namespace,
        t.File.path,
        t.Symbol.span_start,
        t.Symbol.span_end,
        t.Symbol.name_line,
        t.Symbol.name_column,
        t.Symbol.visibility,
        t.Symbol.is_static,
        literal_column("symbols.summary IS NOT NULL AND symbols.summary <> ''", Integer),
        literal_column("symbols.documentation IS NOT NULL AND symbols.documentation <> ''", Integer),
        t.Symbol.project_id,
    )
    .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
    .join(t.File, t.File.id == t.Symbol.file_id)
)
_NUMBERED: Final = Prepared(_COLUMNS.where(t.Symbol.symbol.in_(given("numbers"))).order_by(*_ORDER))
_MEMBERS: Final = Prepared(_COLUMNS.where(t.Symbol.container.in_(given("numbers"))).order_by(*_ORDER))
_FILE: Final = Prepared(select(t.File.id).where(t.File.path == parameter("path")))
_CONTAINING: Final = Prepared(select(t.Symbol.container).where(t.Symbol.container.in_(given("numbers"))).distinct())
