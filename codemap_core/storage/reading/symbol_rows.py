"""Whole symbols with all their parts, by what they are asked for with. Of several declarations of one id, those come first that a project
compiles, in path order of the projects, so that the first one is never a template or a snapshot where there is code that is compiled."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from sqlalchemy import ColumnElement, Connection, select

from codemap_core.model import SymbolPart, SymbolRow
from codemap_core.storage.reading import row_decoder
from codemap_core.storage.reading.prepared import Prepared, given, parameter
from codemap_core.storage.schema import baseline_tables as t

NUMBER: Final = select(t.SymbolId.id).where(t.SymbolId.symbol_id == parameter("symbol_id")).scalar_subquery()
"""The number of the id that is given as ``symbol_id``."""


def _symbols(*conditions: ColumnElement[bool]) -> Prepared:
    is_left_out = t.Project.project_path.is_(None)
    order = (t.SymbolId.symbol_id, is_left_out, t.Project.project_path, t.File.path, t.Symbol.span_start)
    return Prepared(row_decoder.SYMBOLS.where(*conditions).order_by(*order))


WITH_ID: Final = _symbols(t.Symbol.symbol == NUMBER)
WITH_IDS: Final = _symbols(t.SymbolId.symbol_id.in_(given("symbol_ids")))
WITH_STABLE_ID: Final = _symbols(t.Symbol.stable_id == parameter("stable_id"))
MEMBERS: Final = _symbols(t.Symbol.container == NUMBER, t.Symbol.repeated.is_(False))
IN_FILE: Final = _symbols(t.File.path == parameter("path"), t.Symbol.repeated.is_(False))
NUMBERED: Final = _symbols(t.Symbol.id.in_(given("numbers")))
_PARTS: Final = Prepared(
    row_decoder.PARTS.where(t.SymbolPart.symbol_row.in_(given("numbers"))).order_by(
        t.SymbolPart.symbol_row, t.SymbolPart.ordinal
    )
)


def read(connection: Connection, asked: Prepared, **values: object) -> dict[int, SymbolRow]:
    """The symbols that ``asked``, one of this module's, finds for ``values``: by row number, in order of their ids."""
    rows = asked.rows(connection, **values)
    parts: dict[int, list[SymbolPart]] = defaultdict(list)
    for owner, path, start, end in (
        _PARTS.rows(connection, numbers=list(map(row_decoder.number_of_symbol, rows))) if rows else ()
    ):
        parts[owner].append(SymbolPart(path, start, end))
    numbered = ((row_decoder.number_of_symbol(row), row) for row in rows)
    return {number: row_decoder.symbol(row, tuple(parts.get(number, ()))) for number, row in numbered}
