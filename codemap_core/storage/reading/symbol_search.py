"""Symbols by words, filtered, ranked and paged, and browsing by kind.

Order: names equal to the word asked for (types first, then members, then constructors), the types whose names have its
words, names that begin with it, then bm25. A capital at the beginning of the word means itself: ``JobStore`` is not the
field ``jobStore``. Where very many symbols match, those that match by name come before the rest, and only as many are
ranked as can be ranked quickly. Invariant: the full-text index drives every query that has one. Left to itself SQLite
may ask it once for each row of another index.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Text, case, func, literal_column, or_, select, text

from codemap_core.model import SymbolKind
from codemap_core.storage.reading.prepared import Prepared, parameter
from codemap_core.storage.reading.type_symbols import IS_TYPE
from codemap_core.storage.schema.baseline_tables import File, FileProject, Project, Symbol
from codemap_core.storage.schema.fulltext import MatchQuery, Word, name_words, render

COUNT_LIMIT: Final = 10_000
"""Matches are counted up to here; ``SearchRows.total`` is then a lower bound. bm25 is not computed for more."""
_FEW_MATCHES: Final = 2_000
"""Up to here a look at every match is cheap enough to find the closest types."""
_CLOSEST_TYPES: Final = 10
"""Types that come before longer names: half a page of the usual size."""
_LAST_CHARACTER: Final = "\U0010ffff"
_TYPES_FIRST: Final[ColumnElement[int]] = case((IS_TYPE, 0), (Symbol.kind == SymbolKind.CONSTRUCTOR.value, 2), else_=1)
"""Of one name, types come before members, constructors last."""
_MATCH: Final = text("symbols_fts MATCH :match").bindparams(parameter("match"))
_ROWID: Final[ColumnElement[int]] = literal_column("symbols_fts.rowid")
_RANK: Final[ColumnElement[float]] = literal_column("symbols_fts.rank")
_FEW_FILES: Final = 500
_STATEMENTS: Final = 64
"""Compiled statements that are kept of each form: one for each filter that is used again."""
# The + keeps SQLite from using an index on these columns in place of the names' or the full-text index.
_KIND: Final = literal_column("+symbols.kind", Text)
_NAMESPACE: Final = literal_column("+symbols.namespace", Text)
_FILE: Final[ColumnElement[int]] = literal_column("+symbols.file_id")


class SymbolFilter(Struct, frozen=True):
    """Every filter that is set must match. Case is ignored except in kinds."""

    kinds: tuple[SymbolKind, ...] = ()
    namespace: str = ""
    """The namespace or one above it."""
    file_path: str = ""
    """A path or the beginning of one."""
    project: str = ""
    """Name, assembly name or path of a project that compiles the file."""

    @property
    def is_empty(self) -> bool:
        return not (self.kinds or self.namespace or self.file_path or self.project)


class NameMatch(Struct, frozen=True):
    """The name that ranks first. ``qualified``: what the full name must end with, or empty. ``prefix``: any longer
    name matches too."""

    name: str
    qualified: str = ""
    prefix: bool = False


class ScoredRows(Struct, frozen=True):
    """``symbols.id`` and score of one page, best first. The score is bm25: negative, the less the better. What comes first by its name
    has the score of the first of these on every page, and what follows has no better one; of very many matches all have 0.
    ``total`` counts all pages; when ``is_minimum`` there may be more."""

    rows: tuple[tuple[int, float], ...]
    total: int
    is_minimum: bool = False


def search(
    connection: Connection, query: MatchQuery, name: NameMatch | None, where: SymbolFilter, limit: int, offset: int
) -> ScoredRows:
    """Symbols that match ``query``."""
    match = render(query)
    wanted = limit + offset
    total = _count(connection, match, where)
    if not total:
        return ScoredRows((), 0)
    first = _by_name(connection, query, name, where, wanted, total < _FEW_MATCHES) if name is not None else []
    ranked: list[tuple[int, float]] = []
    if len(first) < wanted:
        in_names = f"{{name_tokens fqname}} : ({match})"
        if total < COUNT_LIMIT:
            ranked = _by_rank(connection, match, where, wanted)
        elif _count(connection, in_names, where) < COUNT_LIMIT:
            ranked = [(row_id, 0.0) for row_id, _ in _by_rank(connection, in_names, where, wanted)]
    best = _score(connection, match, first[0]) if first and total < COUNT_LIMIT else 0.0
    found = dict.fromkeys(first, best)
    for row_id, score in ranked:
        found.setdefault(row_id, max(score, best) if first else score)
    if total == COUNT_LIMIT and len(found) < wanted:
        for row_id in _unranked(connection, match, where, wanted):
            found.setdefault(row_id, 0.0)
    return ScoredRows(tuple(found.items())[offset:wanted], total, total == COUNT_LIMIT)


def _by_name(
    connection: Connection, query: MatchQuery, name: NameMatch, where: SymbolFilter, wanted: int, with_types: bool
) -> list[int]:
    """Those that come first by their names; ``with_types``: types that have its words as well, which costs a look at every match."""
    found = _with_name(connection, name, where, wanted)
    if name.qualified or len(found) >= wanted:
        return found
    in_name = f"name_tokens : ({render(query)})"
    if with_types and not name.prefix:
        found += _types_with_words(connection, in_name, where)
    if len(set(found)) < wanted:
        among = "" if _matches_longer_names(query, name) else in_name
        found += _beginning_with_name(connection, name, among, where, wanted)
    return list(dict.fromkeys(found))


def browse(connection: Connection, where: SymbolFilter, limit: int, offset: int) -> ScoredRows:
    """All symbols that pass the filter, by full name."""
    conditions = _browse_conditions(connection, where)
    if where.namespace:
        # full names begin with the namespace: with its case right, the index on them has all there is
        inside = Symbol.fully_qualified_name.between(where.namespace + ".", where.namespace + "." + _LAST_CHARACTER)
        found = _browse(connection, [*conditions, inside], limit, offset)
        if found.total:
            return found
    return _browse(connection, conditions, limit, offset)


def matching(connection: Connection, where: SymbolFilter) -> Any:
    """A SELECT of ``symbols.id`` of all that passes the filter, for use inside another query."""
    return select(Symbol.id).where(*_browse_conditions(connection, where), Symbol.repeated.is_(False))


def beginning_with(expression: Any, prefix: str) -> ColumnElement[bool]:
    """``expression`` begins with ``prefix``, ASCII case ignored; an index on it with COLLATE NOCASE is used."""
    folded = expression.collate("NOCASE")
    condition: ColumnElement[bool] = (folded >= prefix) & (folded < prefix + _LAST_CHARACTER)
    return condition


def _browse(connection: Connection, conditions: list[ColumnElement[bool]], limit: int, offset: int) -> ScoredRows:
    matches = select(Symbol.id).where(*conditions, Symbol.repeated.is_(False))
    page = matches.order_by(Symbol.fully_qualified_name, Symbol.id).limit(limit).offset(offset)
    counted = select(func.count()).select_from(matches.limit(COUNT_LIMIT).subquery())
    total: int = connection.execute(counted).scalar_one()
    rows = tuple((row_id, 0.0) for row_id in connection.execute(page).scalars())
    return ScoredRows(rows, total, total == COUNT_LIMIT)


def _browse_conditions(connection: Connection, where: SymbolFilter) -> list[ColumnElement[bool]]:
    """The filter for a query that is driven by its files when they are few, else by its kinds."""
    files = _files(where)
    few = False
    if files is not None:
        counted = select(func.count()).select_from(files.limit(_FEW_FILES + 1).subquery())
        few = connection.execute(counted).scalar_one() <= _FEW_FILES
    return conditions_of(where, kind=_KIND if few else Symbol.kind, file=Symbol.file_id if few else _FILE)


def conditions_of(where: SymbolFilter, kind: Any = _KIND, file: Any = _FILE) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if where.kinds:
        conditions.append(kind.in_([each.value for each in where.kinds]))
    if where.namespace:
        folded = _NAMESPACE.collate("NOCASE")
        conditions.append(or_(folded == where.namespace, beginning_with(_NAMESPACE, where.namespace + ".")))
    files = _files(where)
    if files is not None:
        conditions.append(file.in_(files))
    return conditions


def _files(where: SymbolFilter) -> Any:
    """A SELECT of the numbers of the files that the filter lets through; null when it lets all through."""
    files, projects, compiled = File.__table__, Project.__table__, FileProject.__table__
    query: Any = select(files.c.id)
    if where.file_path:
        query = query.where(beginning_with(files.c.path, where.file_path))
    if where.project:
        names = (projects.c.name, projects.c.assembly_name, projects.c.project_path)
        named = select(projects.c.id).where(or_(*(name.collate("NOCASE") == where.project for name in names)))
        query = query.where(files.c.id.in_(select(compiled.c.file_id).where(compiled.c.project_id.in_(named))))
    return query if where.file_path or where.project else None


def _matches_longer_names(query: MatchQuery, name: NameMatch) -> bool:
    """Whether every name that begins with ``name`` matches the query, so that it need not be asked: a word that may go on, as one of
    several parts always may."""
    return isinstance(query, Word) and query.text == name.name and (query.prefix or len(name_words(query.text)) > 1)


def _with_name(connection: Connection, name: NameMatch, where: SymbolFilter, limit: int) -> list[int]:
    values = {"qualified": f"%{_like(name.qualified)}"} if name.qualified else {}
    statement = _named(where, bool(name.qualified), _has_capital(name))
    return [row_id for (row_id,) in statement.rows(connection, name=name.name, limit=limit, **values)]


def _has_capital(name: NameMatch) -> bool:
    return name.name[:1].isupper()


_BEGINS_ALIKE: Final = func.substr(Symbol.name, 1, 1).collate("BINARY") == func.substr(parameter("name"), 1, 1)


@lru_cache(maxsize=_STATEMENTS)
def _named(where: SymbolFilter, qualified: bool, capital: bool) -> Prepared:
    query = select(Symbol.id).where(Symbol.name == parameter("name"), Symbol.repeated.is_(False), *conditions_of(where))
    if capital:
        query = query.where(_BEGINS_ALIKE)
    if qualified:
        query = query.where(Symbol.fully_qualified_name.ilike(parameter("qualified"), escape="\\"))
    order = (
        (Symbol.name.collate("BINARY") == parameter("name")).desc(),
        _TYPES_FIRST,
        func.length(Symbol.fully_qualified_name),
        Symbol.fully_qualified_name,
        Symbol.id,
    )
    return Prepared(query.order_by(*order).limit(parameter("limit")))


def _types_with_words(connection: Connection, in_name: str, where: SymbolFilter) -> list[int]:
    """The types of the shortest names that match, which have least beside the words."""
    rows = _types(where).rows(connection, match=in_name, limit=_CLOSEST_TYPES)
    return [row_id for (row_id,) in rows]


@lru_cache(maxsize=_STATEMENTS)
def _types(where: SymbolFilter) -> Prepared:
    matches = select(_ROWID).select_from(text("symbols_fts")).where(_MATCH)
    query = select(Symbol.id).where(Symbol.id.in_(matches), IS_TYPE, Symbol.repeated.is_(False), *conditions_of(where))
    order = (func.length(Symbol.name), Symbol.fully_qualified_name, Symbol.id)
    return Prepared(query.order_by(*order).limit(parameter("limit")))


def _beginning_with_name(
    connection: Connection, name: NameMatch, among: str, where: SymbolFilter, limit: int
) -> list[int]:
    """Those that match the expression ``among``, or all where that is empty."""
    statement = _beginning(where, not name.prefix and bool(among), _has_capital(name))
    values = {"match": among} if not name.prefix and among else {}
    rows = statement.rows(connection, name=name.name, behind=name.name + _LAST_CHARACTER, limit=limit, **values)
    return [row_id for (row_id,) in rows]


@lru_cache(maxsize=_STATEMENTS)
def _beginning(where: SymbolFilter, with_match: bool, capital: bool) -> Prepared:
    folded = Symbol.name.collate("NOCASE")
    query = select(Symbol.id).where(
        folded >= parameter("name"), folded < parameter("behind"), Symbol.repeated.is_(False), *conditions_of(where)
    )
    if capital:
        query = query.where(_BEGINS_ALIKE)
    if with_match:
        query = query.where(Symbol.id.in_(select(_ROWID).select_from(text("symbols_fts")).where(_MATCH)))
    order = (func.length(Symbol.name), Symbol.name, _TYPES_FIRST, Symbol.fully_qualified_name, Symbol.id)
    return Prepared(query.order_by(*order).limit(parameter("limit")))


def _score(connection: Connection, match: str, row_id: int) -> float:
    return next((score for (score,) in _SCORE.rows(connection, match=match, row=row_id)), 0.0)


_SCORE: Final = Prepared(select(_RANK).select_from(text("symbols_fts")).where(_MATCH, parameter("row") == _ROWID))


def _by_rank(connection: Connection, match: str, where: SymbolFilter, limit: int) -> list[tuple[int, float]]:
    rows = _ranked(where).rows(connection, match=match, limit=limit)
    return [(row_id, score) for row_id, score in rows]


@lru_cache(maxsize=_STATEMENTS)
def _ranked(where: SymbolFilter) -> Prepared:
    query = _matching(select(_ROWID, _RANK), conditions_of(where))
    return Prepared(query.order_by(_RANK, _ROWID).limit(parameter("limit")))


def _unranked(connection: Connection, match: str, where: SymbolFilter, limit: int) -> list[int]:
    """Matches in the order in which they were written."""
    return [row_id for (row_id,) in _as_written(where).rows(connection, match=match, limit=limit)]


@lru_cache(maxsize=_STATEMENTS)
def _as_written(where: SymbolFilter) -> Prepared:
    return Prepared(_matching(select(_ROWID), conditions_of(where)).order_by(_ROWID).limit(parameter("limit")))


def _count(connection: Connection, match: str, where: SymbolFilter) -> int:
    """The number of matches, at most ``COUNT_LIMIT``."""
    ((total,),) = _counted(where).rows(connection, match=match)
    return int(total)


@lru_cache(maxsize=_STATEMENTS)
def _counted(where: SymbolFilter) -> Prepared:
    matches = _matching(select(_ROWID), conditions_of(where)).limit(COUNT_LIMIT).subquery()
    return Prepared(select(func.count()).select_from(matches))


def _matching(query: Any, conditions: list[ColumnElement[bool]]) -> Any:
    """``query``, a SELECT, over the matches that meet the conditions."""
    if not conditions:
        return query.select_from(text("symbols_fts")).where(_MATCH)
    return query.select_from(text("symbols_fts CROSS JOIN symbols ON symbols.id = symbols_fts.rowid")).where(
        _MATCH, *conditions
    )


def _like(literal: str) -> str:
    return literal.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
