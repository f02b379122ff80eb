"""Rows of one sort, filtered and paged: what a reader of a whole index asks for. Every order is by content alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, func, or_, select

from codemap_core.model import FactRow, ReferenceRow, RefKind, SymbolKind, SymbolRow
from codemap_core.storage.reading import row_decoder
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES

_SYMBOL_ORDER: Final = (t.SymbolId.symbol_id, t.Project.project_path, t.File.path, t.Symbol.span_start)
_FACT_ORDER: Final = (t.Fact.kind, t.Fact.value, t.File.path, t.Fact.line_start, t.Fact.line_end, t.SymbolId.symbol_id)
_REFERENCE_ORDER: Final = (t.File.path, t.Ref.line, t.Ref.column, t.Ref.kind, row_decoder.FROM_ID.symbol_id)


def _of_place(project: str, file_path: str) -> tuple[ColumnElement[bool], ...]:
    """In a project of that name or path, and in a file; empty texts stand for any."""
    conditions: list[ColumnElement[bool]] = []
    if project:
        conditions.append(or_(t.Project.name == project, t.Project.project_path == project))
    if file_path:
        conditions.append(t.File.path == file_path)
    return tuple(conditions)


def facts(
    reader: IndexReader, kind: str, prefix: str, symbol_id: str, project: str, file_path: str, limit: int, offset: int
) -> tuple[tuple[FactRow, ...], int]:
    """A page by kind, value and place, and how many there are in all."""
    query = row_decoder.FACTS.where(*_of_place(project, file_path))
    if kind:
        query = query.where(t.Fact.kind == kind)
    if prefix:
        query = query.where(func.substr(t.Fact.value, 1, len(prefix)) == prefix)
    if symbol_id:
        query = query.where(t.SymbolId.symbol_id == symbol_id)
    rows, total = _page(reader, query.order_by(*_FACT_ORDER, t.Fact.id), limit, offset)
    return tuple(map(row_decoder.fact, rows)), total


def references(
    reader: IndexReader,
    kinds: Sequence[RefKind],
    role: str,
    ends: tuple[str, str],
    project: str,
    file_path: str,
    limit: int,
    offset: int,
) -> tuple[tuple[ReferenceRow, ...], int]:
    """A page by place, and how many there are in all. ``ends``: the symbol that refers, and the one referred to; empty for any."""
    query = row_decoder.REFERENCES.where(*_of_place(project, file_path))
    if kinds:
        query = query.where(t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in kinds]))
    if role:
        query = query.where(row_decoder.ROLE.value == role)
    source, target = ends
    if source:
        query = query.where(t.Ref.from_symbol == _number_of(source))
    if target:
        query = query.where(t.Ref.to_symbol == _number_of(target))
    rows, total = _page(reader, query.order_by(*_REFERENCE_ORDER, t.Ref.id), limit, offset)
    return tuple(map(row_decoder.reference, rows)), total


def symbols(
    reader: IndexReader, kinds: Sequence[SymbolKind], name: str, project: str, file_path: str, limit: int, offset: int
) -> tuple[tuple[SymbolRow, ...], int]:
    """A page by id, project and file, and how many there are in all."""
    query = row_decoder.SYMBOLS.where(*_of_place(project, file_path), t.Symbol.repeated.is_(False))
    if kinds:
        query = query.where(t.Symbol.kind.in_([kind.value for kind in kinds]))
    if name:
        query = query.where(t.Symbol.name == name)
    rows, total = _page(reader, query.order_by(*_SYMBOL_ORDER, t.Symbol.id), limit, offset)
    return reader.symbols_numbered([row_decoder.number_of_symbol(row) for row in rows]), total


def _page(reader: IndexReader, query: Any, limit: int, offset: int) -> tuple[Sequence[Any], int]:
    counted = select(func.count()).select_from(query.order_by(None).subquery())
    with reader.streaming() as connection:
        total: int = connection.execute(counted).scalar_one()
        return connection.execute(query.limit(limit).offset(offset)).all(), total


def _number_of(symbol_id: str) -> Any:
    return select(t.SymbolId.id).where(t.SymbolId.symbol_id == symbol_id).scalar_subquery()
