"""Symbols by words, filtered, ranked and paged, and browsing by kind.

Order: names equal to the word asked for (types first, then members, then constructors), names that begin with it,
then bm25. The first two need an index on names only; bm25 orders the rest inside FTS5, so a page costs what it shows
plus one pass over the matches.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, case, column, func, literal_column, or_, select, table, text

from codemap_core.model import SymbolKind
from codemap_core.storage.baseline_tables import File, FileProject, Project, Symbol

EXACT_SCORE: Final = -1000.0
PREFIX_SCORE: Final = -100.0
_LAST_CHARACTER: Final = "\U0010ffff"
_FTS: Final = table("symbols_fts", column("rowid"), column("rank"))
_MATCH: Final = text("symbols_fts MATCH :match")
_TYPE_KINDS: Final = tuple(kind.value for kind in SymbolKind if kind.is_type)


class SymbolFilter(Struct, frozen=True):
    """All that is given must hold. Case is ignored but for kinds."""

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
    """``symbols.id`` and score of one page, best first; the less the score, the better. ``total`` counts all pages."""

    rows: tuple[tuple[int, float], ...]
    total: int


def search(
    connection: Connection, match: str, name: NameMatch | None, where: SymbolFilter, limit: int, offset: int
) -> ScoredRows:
    """Symbols that match the FTS5 expression ``match``, which must be valid."""
    conditions = _conditions(where)
    wanted = limit + offset
    found: dict[int, float] = {}
    if name is not None:
        for row_id in _with_name(connection, name, conditions, wanted):
            found[row_id] = EXACT_SCORE
        if len(found) < wanted:
            for row_id in _beginning_with_name(connection, name, match, conditions, wanted):
                found.setdefault(row_id, PREFIX_SCORE)
    if len(found) < wanted:
        for row_id, score in _by_rank(connection, match, conditions, wanted):
            found.setdefault(row_id, score)
    page = tuple(found.items())[offset:wanted]
    return ScoredRows(page, _count(connection, match, conditions))


def browse(connection: Connection, where: SymbolFilter, limit: int, offset: int) -> ScoredRows:
    """All symbols that pass the filter, by full name."""
    conditions = _conditions(where)
    ids = (
        select(Symbol.id)
        .where(*conditions, Symbol.repeated.is_(False))
        .order_by(Symbol.fully_qualified_name, Symbol.id)
        .limit(limit)
        .offset(offset)
    )
    count = select(func.count()).select_from(Symbol).where(*conditions, Symbol.repeated.is_(False))
    return ScoredRows(
        tuple((row_id, 0.0) for row_id in connection.execute(ids).scalars()), connection.execute(count).scalar_one()
    )


def beginning_with(expression: Any, prefix: str) -> ColumnElement[bool]:
    """``expression`` begins with ``prefix``, ASCII case ignored; an index on it with COLLATE NOCASE is used."""
    folded = expression.collate("NOCASE")
    condition: ColumnElement[bool] = (folded >= prefix) & (folded < prefix + _LAST_CHARACTER)
    return condition


def _conditions(where: SymbolFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if where.kinds:
        conditions.append(Symbol.kind.in_([kind.value for kind in where.kinds]))
    if where.namespace:
        folded = Symbol.namespace.collate("NOCASE")
        conditions.append(or_(folded == where.namespace, beginning_with(Symbol.namespace, where.namespace + ".")))
    if where.file_path:
        conditions.append(Symbol.file_id.in_(select(File.id).where(beginning_with(File.path, where.file_path))))
    if where.project:
        conditions.append(_compiled_by(where.project))
    return conditions


def _compiled_by(project: str) -> ColumnElement[bool]:
    names = (Project.name, Project.assembly_name, Project.project_path)
    files = (
        select(FileProject.file_id)
        .join(Project, Project.id == FileProject.project_id)
        .where(or_(*(name.collate("NOCASE") == project for name in names)))
    )
    return Symbol.file_id.in_(files)


def _with_name(connection: Connection, name: NameMatch, conditions: list[ColumnElement[bool]], limit: int) -> list[int]:
    query = (
        select(Symbol.id)
        .where(Symbol.name == name.name, Symbol.repeated.is_(False), *conditions)
        .order_by(
            (Symbol.name.collate("BINARY") == name.name).desc(),
            case((Symbol.kind.in_(_TYPE_KINDS), 0), (Symbol.kind == SymbolKind.CONSTRUCTOR.value, 2), else_=1),
            func.length(Symbol.fully_qualified_name),
            Symbol.fully_qualified_name,
            Symbol.id,
        )
        .limit(limit)
    )
    if name.qualified:
        query = query.where(Symbol.fully_qualified_name.ilike(f"%{_like(name.qualified)}", escape="\\"))
    return list(connection.execute(query).scalars())


def _beginning_with_name(
    connection: Connection, name: NameMatch, match: str, conditions: list[ColumnElement[bool]], limit: int
) -> list[int]:
    query = (
        select(Symbol.id)
        .where(beginning_with(Symbol.name, name.name), Symbol.repeated.is_(False), *conditions)
        .order_by(func.length(Symbol.name), Symbol.name, Symbol.fully_qualified_name, Symbol.id)
        .limit(limit)
    )
    if name.qualified:
        return []
    if name.prefix:
        return list(connection.execute(query).scalars())
    query = query.where(Symbol.id.in_(select(_FTS.c.rowid).where(_MATCH)))
    return list(connection.execute(query, {"match": match}).scalars())


def _by_rank(
    connection: Connection, match: str, conditions: list[ColumnElement[bool]], limit: int
) -> list[tuple[int, float]]:
    query = select(_FTS.c.rowid, _FTS.c.rank).where(_MATCH)
    if conditions:
        query = query.join(Symbol, Symbol.id == _FTS.c.rowid).where(*conditions)
    query = query.order_by(literal_column("rank"), _FTS.c.rowid).limit(limit)
    return [(row_id, score) for row_id, score in connection.execute(query, {"match": match})]


def _count(connection: Connection, match: str, conditions: list[ColumnElement[bool]]) -> int:
    query = select(func.count()).select_from(_FTS).where(_MATCH)
    if conditions:
        query = query.join(Symbol, Symbol.id == _FTS.c.rowid).where(*conditions)
    return connection.execute(query, {"match": match}).scalar_one()


def _like(literal: str) -> str:
    return literal.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
