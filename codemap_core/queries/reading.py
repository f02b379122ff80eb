"""The supported way to read an index from a tool: rows of one sort, filtered and paged, as the structs of ``codemap_core.model``.

    page = context.snapshot(arguments.repo_path).reading.facts("route", prefix="GET ")
    page.rows, page.total

Every sequence has one order that depends on the rows alone, so that ``offset`` continues where a page ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import FactRow, ReferenceRow, RefKind, SymbolKind, SymbolRow
from codemap_core.storage.reading import row_pages
from codemap_core.storage.reading.reader import IndexReader

MAX_PAGE: Final = 1000
"""Rows of one page."""
_Row = TypeVar("_Row")


class Rows(Struct, Generic[_Row], frozen=True):
    """A page, and how many rows there are in all."""

    rows: tuple[_Row, ...]
    total: int


class Reading:
    """One index, read row by row. ``project`` is a project's name or path, ``file_path`` a path as the index has it; an empty argument
    filters nothing. ``limit`` is at most ``MAX_PAGE``."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader: Final = reader

    def facts(
        self,
        kind: str = "",
        *,
        prefix: str = "",
        symbol_id: str = "",
        project: str = "",
        file_path: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> Rows[FactRow]:
        """By kind, value, file and line. ``prefix``: beginning of the value; ``symbol_id``: the owner."""
        _check_page(limit, offset)
        return Rows(*row_pages.facts(self._reader, kind, prefix, symbol_id, project, file_path, limit, offset))

    def symbols(
        self,
        kinds: Sequence[SymbolKind] = (),
        *,
        name: str = "",
        project: str = "",
        file_path: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> Rows[SymbolRow]:
        """By id, project and file. ``name``: the simple name, ASCII case ignored."""
        _check_page(limit, offset)
        return Rows(*row_pages.symbols(self._reader, kinds, name, project, file_path, limit, offset))

    def references(
        self,
        kinds: Sequence[RefKind] = (),
        *,
        role: str = "",
        from_symbol: str = "",
        to_symbol: str = "",
        project: str = "",
        file_path: str = "",
        limit: int = 100,
        offset: int = 0,
    ) -> Rows[ReferenceRow]:
        """By file, line and column. ``role``: of links."""
        _check_page(limit, offset)
        ends = (from_symbol, to_symbol)
        return Rows(*row_pages.references(self._reader, kinds, role, ends, project, file_path, limit, offset))


def _check_page(limit: int, offset: int) -> None:
    if not 1 <= limit <= MAX_PAGE or offset < 0:
        raise InvalidArgumentError(
            f"A page has 1 to {MAX_PAGE:,} rows and begins at 0 or later, not {limit} rows from {offset}.",
            limit=limit,
            offset=offset,
        )
