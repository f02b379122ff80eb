"""Symbols by their simple names: what deciding between them takes, without the rest of a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, or_, select

from codemap_core.model import SymbolKind
from codemap_core.storage import baseline_tables as t
from codemap_core.storage.symbol_search import SymbolFilter, beginning_with, conditions_of

OPERATOR: Final = "operator"
"""What the simple names of operators begin with."""


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


def distinct_names(connection: Connection) -> tuple[str, ...]:
    """All simple names of declarations, sorted."""
    query = select(t.Symbol.name.collate("BINARY")).distinct()
    return tuple(sorted(connection.execute(query).scalars()))
