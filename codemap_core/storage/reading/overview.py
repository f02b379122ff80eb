"""Rows for an overview of a whole index: every declared symbol in short, and how often each type is used. Read in one pass each."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from sqlalchemy import case, func, select

from codemap_core.model import RefKind, SymbolKind
from codemap_core.model.documentation_id import is_type_id
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.type_symbols import IS_TYPE
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES


class DeclaredSymbol(Struct, frozen=True):
    """``line_count``: of its first declaration. ``project``: name of the project that compiles it; empty for none."""

    symbol_id: str
    kind: SymbolKind
    fully_qualified_name: str
    name: str
    file_path: str
    line: int
    line_count: int
    project: str

    @property
    def is_type(self) -> bool:
        return is_type_id(self.symbol_id)


def iter_declared(reader: IndexReader) -> Iterator[DeclaredSymbol]:
    """All declared symbols by full name, then by id and place; what a file declares several times once."""
    query = (
        select(
            t.SymbolId.symbol_id,
            t.Symbol.kind,
            t.Symbol.fully_qualified_name,
            t.Symbol.name,
            t.File.path,
            t.Symbol.name_line,
            t.Symbol.span_end - t.Symbol.span_start + 1,
            t.Project.name,
        )
        .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
        .join(t.File, t.File.id == t.Symbol.file_id)
        .outerjoin(t.Project, t.Project.id == t.Symbol.project_id)
        .where(t.Symbol.repeated.is_(False))
        .order_by(t.Symbol.fully_qualified_name, t.SymbolId.symbol_id, t.File.path)
    )
    with reader.streaming() as connection:
        for row in connection.execute(query):
            yield DeclaredSymbol(row[0], SymbolKind(row[1]), *row[2:7], row[7] or "")


def count_symbols_of_projects(reader: IndexReader) -> dict[str, int]:
    """By path of the project; what several projects compile from one file counts for each."""
    query = (
        select(t.Project.project_path, func.count())
        .select_from(t.Symbol)
        .join(t.Project, t.Project.id == t.Symbol.project_id)
        .group_by(t.Project.project_path)
    )
    with reader.streaming() as connection:
        return {row[0]: row[1] for row in connection.execute(query)}


def count_uses_of_types(reader: IndexReader) -> dict[str, int]:
    """By id of a declared type: references to it and to its members from outside it, ``using`` directives left out."""
    owner = select(
        t.Symbol.symbol.label("symbol"),
        case((IS_TYPE, t.Symbol.symbol), else_=t.Symbol.container).label("type"),
    ).distinct()
    target, origin = owner.cte("target"), owner.cte("origin")
    query = (
        select(t.SymbolId.symbol_id, func.count())
        .select_from(t.Ref)
        .join(target, target.c.symbol == t.Ref.to_symbol)
        .outerjoin(origin, origin.c.symbol == t.Ref.from_symbol)
        .join(t.SymbolId, t.SymbolId.id == target.c.type)
        .where(t.Ref.kind != REF_KIND_CODES[RefKind.IMPORT], origin.c.type.is_distinct_from(target.c.type))
        .group_by(t.SymbolId.symbol_id)
    )
    with reader.streaming() as connection:
        return {row[0]: row[1] for row in connection.execute(query)}
