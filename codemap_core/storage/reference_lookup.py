"""References of one symbol, counted, filtered and paged; edges between symbols.

Order: by file, line, column, kind, then by the enclosing symbol. A constructor is meant by rows whose target it is and by
those that name it beside the type they create. Invariant: rows are sorted and cut before their texts are joined, so that a page of a
target with many references costs no more than the sorting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    case,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    text,
    union_all,
)

from codemap_core.model import Confidence, ReferenceRow, RefKind
from codemap_core.model.documentation_id import is_constructor_id
from codemap_core.storage import baseline_tables as t
from codemap_core.storage import row_decoder
from codemap_core.storage.codes import CONFIDENCES, REF_KIND_CODES, REF_KINDS
from codemap_core.storage.value_list import value_list

_FROM_ORDER: Final = select(t.SymbolId.symbol_id).where(t.SymbolId.id == t.Ref.from_symbol).scalar_subquery()
# Left to itself SQLite reads all rows without a target.
_UNRESOLVED_OF_NAME: Final = text(
    "SELECT id FROM refs INDEXED BY ix_refs_to_name "
    "WHERE to_symbol IS NULL AND to_name = (SELECT id FROM strings WHERE value = :name)"
)


class EdgeRow(Struct, frozen=True, kw_only=True):
    """``from_symbol`` refers to ``to_symbol``: the first place that does, and how many do. Of a creation ``to_symbol`` is the constructor
    where that has a declaration, else the type."""

    from_symbol: str
    to_symbol: str
    kind: RefKind
    file_path: str
    line: int
    column: int
    confidence: Confidence
    external: bool
    count: int


class Meaning(Struct, frozen=True):
    """The references to look up: those whose target is one of ``symbol_ids``, and those without a target whose name is one of
    ``names``; in projects of these paths, in all where none is given."""

    symbol_ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()


class ReferenceCount(Struct, frozen=True):
    """References of one kind in one file for one project, or of one enclosing symbol."""

    file_id: int
    project_id: int | None
    kind: RefKind
    count: int


def condition_of(asked: Meaning) -> ColumnElement[bool]:
    """Rows that are asked for."""
    numbers = _numbers(asked.symbol_ids)
    conditions: list[ColumnElement[bool]] = []
    if asked.symbol_ids:
        conditions.append(t.Ref.to_symbol.in_(numbers))
    if any(map(is_constructor_id, asked.symbol_ids)):
        conditions.append(t.Ref.constructor.in_(numbers))
    for name in asked.names:
        rows = _UNRESOLVED_OF_NAME.bindparams(name=name).columns(t.Ref.id).subquery()
        conditions.append(t.Ref.id.in_(select(rows.c.id)))
    condition = or_(false(), *conditions)
    if asked.projects:
        condition &= t.Ref.project_id.in_(select(t.Project.id).where(t.Project.project_path.in_(asked.projects)))
    return condition


def page(
    connection: Connection, condition: ColumnElement[bool], kinds: Sequence[RefKind], limit: int, offset: int
) -> tuple[ReferenceRow, ...]:
    wanted = select(t.Ref.id).join(t.File, t.File.id == t.Ref.file_id).where(condition, *_of_kinds(kinds))
    wanted = wanted.order_by(*_place()).limit(limit).offset(offset)
    numbers = list(connection.execute(wanted).scalars())
    query = row_decoder.REFERENCES.where(t.Ref.id.in_(numbers)).order_by(*_place())
    return tuple(row_decoder.reference(row) for row in connection.execute(query))


def count(connection: Connection, asked: Meaning) -> tuple[ReferenceCount, ...]:
    """In no order."""
    columns = (t.Ref.file_id, t.Ref.project_id, t.Ref.kind)
    query = select(*columns, func.count()).where(condition_of(asked)).group_by(*columns)
    return tuple(
        ReferenceCount(file_id, project_id, REF_KINDS[kind], found)
        for file_id, project_id, kind, found in connection.execute(query)
    )


def count_by_member(
    connection: Connection, asked: Meaning, kinds: Sequence[RefKind], file_ids: Sequence[int]
) -> tuple[tuple[str | None, ReferenceCount], ...]:
    """By the enclosing symbol; null for none. In no order."""
    columns = (t.Ref.from_symbol, t.Ref.file_id, t.Ref.project_id, t.Ref.kind)
    counted = (
        select(*columns, func.count().label("found"))
        .where(condition_of(asked), *_of_kinds(kinds), _in_files(file_ids))
        .group_by(*columns)
        .subquery()
    )
    query = select(t.SymbolId.symbol_id, counted).outerjoin(t.SymbolId, t.SymbolId.id == counted.c.from_symbol)
    return tuple(
        (symbol_id, ReferenceCount(file_id, project_id, REF_KINDS[kind], found))
        for symbol_id, _, file_id, project_id, kind, found in connection.execute(query.select_from(counted))
    )


def rows_in_files(
    connection: Connection, asked: Meaning, kinds: Sequence[RefKind], file_ids: Sequence[int]
) -> tuple[ReferenceRow, ...]:
    """All rows that stand in some files, in no order."""
    query = row_decoder.REFERENCES.where(condition_of(asked), *_of_kinds(kinds), _in_files(file_ids))
    return tuple(row_decoder.reference(row) for row in connection.execute(query))


def declared_after(connection: Connection, file_path: str, line: int) -> str | None:
    """The first symbol of a file that is declared behind a line: what a documentation comment on that line is about."""
    query = (
        select(t.SymbolId.symbol_id)
        .join(t.Symbol, t.Symbol.symbol == t.SymbolId.id)
        .join(t.File, t.File.id == t.Symbol.file_id)
        .where(t.File.path == file_path, t.Symbol.span_start > line)
        .order_by(t.Symbol.span_start, t.Symbol.span_end.desc(), t.SymbolId.symbol_id)
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none()


def count_by_reason(connection: Connection) -> dict[str, int]:
    """All unresolved references by reason, most frequent first."""
    query = (
        select(row_decoder.REASON.value, func.count().label("count"))
        .select_from(t.Ref)
        .outerjoin(row_decoder.REASON, row_decoder.REASON.id == t.Ref.reason)
        .where(t.Ref.to_symbol.is_(None))
        .group_by(row_decoder.REASON.value)
        .order_by(func.count().desc(), row_decoder.REASON.value)
    )
    return {reason or "": count for reason, count in connection.execute(query)}


def edges_to(connection: Connection, symbol_ids: Sequence[str], kinds: Sequence[RefKind]) -> tuple[EdgeRow, ...]:
    """From every symbol that refers to one of ``symbol_ids``, constructors by what they create. By place."""
    numbers = _numbers(symbol_ids)
    direct = _edges(t.Ref.to_symbol, kinds).where(t.Ref.to_symbol.in_(numbers))
    creating = _edges(t.Ref.constructor, kinds).where(t.Ref.constructor.in_(numbers))
    return _first_places(connection, union_all(direct, creating))


def edges_from(connection: Connection, symbol_ids: Sequence[str], kinds: Sequence[RefKind]) -> tuple[EdgeRow, ...]:
    """From each of ``symbol_ids`` to what it refers to. By place."""
    declared = exists(select(literal(1)).where(t.Symbol.symbol == t.Ref.constructor))
    target = case((declared, t.Ref.constructor), else_=t.Ref.to_symbol)
    edges = _edges(target, kinds).where(t.Ref.from_symbol.in_(_numbers(symbol_ids)), t.Ref.to_symbol.is_not(None))
    return _first_places(connection, edges)


def _of_kinds(kinds: Sequence[RefKind]) -> tuple[ColumnElement[bool], ...]:
    return (t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in kinds]),) if kinds else ()


def _in_files(file_ids: Sequence[int]) -> ColumnElement[bool]:
    """Not by the index on files, which would be the wrong one for most symbols."""
    return (t.Ref.file_id + 0).in_(value_list(file_ids))


def _place() -> tuple[Any, ...]:
    return (t.File.path, t.Ref.line, t.Ref.column, t.Ref.kind, _FROM_ORDER)


def _numbers(symbol_ids: Sequence[str]) -> Select[Any]:
    return select(t.SymbolId.id).where(t.SymbolId.symbol_id.in_(value_list(symbol_ids)))


def _edges(target: Any, kinds: Sequence[RefKind]) -> Select[Any]:
    return select(
        t.Ref.from_symbol.label("source"),
        target.label("target"),
        t.Ref.kind,
        t.Ref.file_id,
        t.Ref.line,
        t.Ref.column,
        t.Ref.confidence,
        t.Ref.external,
    ).where(t.Ref.from_symbol.is_not(None), *_of_kinds(kinds))


def _first_places(connection: Connection, edges: Any) -> tuple[EdgeRow, ...]:
    rows = edges.subquery()
    pair = (rows.c.source, rows.c.target)
    ranked = (
        select(
            rows,
            t.File.path,
            func.row_number()
            .over(partition_by=pair, order_by=(t.File.path, rows.c.line, rows.c.column, rows.c.kind))
            .label("nth"),
            func.count().over(partition_by=pair).label("count"),
        )
        .join(t.File, t.File.id == rows.c.file_id)
        .subquery()
    )
    query = (
        select(
            row_decoder.FROM_ID.symbol_id,
            row_decoder.TO_ID.symbol_id,
            ranked.c.kind,
            ranked.c.path,
            ranked.c.line,
            ranked.c.column,
            ranked.c.confidence,
            ranked.c.external,
            ranked.c.count,
        )
        .join(row_decoder.FROM_ID, row_decoder.FROM_ID.id == ranked.c.source)
        .join(row_decoder.TO_ID, row_decoder.TO_ID.id == ranked.c.target)
        .where(ranked.c.nth == 1)
        .order_by(
            ranked.c.path,
            ranked.c.line,
            ranked.c.column,
            row_decoder.FROM_ID.symbol_id,
            row_decoder.TO_ID.symbol_id,
        )
    )
    return tuple(
        EdgeRow(
            from_symbol=source,
            to_symbol=target,
            kind=REF_KINDS[kind],
            file_path=path,
            line=line,
            column=column,
            confidence=CONFIDENCES[confidence],
            external=bool(external),
            count=count,
        )
        for source, target, kind, path, line, column, confidence, external, count in connection.execute(query)
    )
