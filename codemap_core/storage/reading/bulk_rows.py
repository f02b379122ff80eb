"""Rows of an index as plain tuples, for what is computed from a whole index: few joins, no structs, numbers in place of texts. Where
``numbers`` are given, only the rows of those symbols.

Numbers are ``symbol_ids.id``, ``symbols.id`` and ``files.id``: private to one database file. Rows come in the order of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, or_, select

from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.value_list import value_list
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.writing.row_encoder import decompress_text


class Declared(NamedTuple):
    """A declared symbol, once. ``row``: ``symbols.id``; ``number`` and ``container``: ``symbol_ids.id``."""

    row: int
    number: int
    container: int | None
    kind: str
    name: str
    namespace: str
    file_id: int
    first_line: int
    last_line: int
    prefix: str
    """Of its documentation-comment id."""


def declared(reader: IndexReader, numbers: Collection[int] | None = None) -> list[Declared]:
    """With ``numbers``: those symbols, and the members of the types among them."""
    query = (
        select(
            t.Symbol.id,
            t.Symbol.symbol,
            t.Symbol.container,
            t.Symbol.kind,
            t.Symbol.name,
            t.Symbol.namespace,
            t.Symbol.file_id,
            t.Symbol.span_start,
            t.Symbol.span_end,
            func.substr(t.SymbolId.symbol_id, 1, 2),
        )
        .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
        .where(t.Symbol.repeated.is_(False))
        .order_by(t.Symbol.id)
    )
    if numbers is not None:
        query = query.where(or_(t.Symbol.symbol.in_(value_list(numbers)), t.Symbol.container.in_(value_list(numbers))))
    with reader.streaming() as connection:
        return [Declared(*row) for row in _rows(connection, query)]


def mentions(reader: IndexReader, numbers: Collection[int] | None = None) -> Iterator[tuple[int, int, int]]:
    """(symbol, symbol that it mentions, kind by number of ``codes``) for each resolved reference."""
    query = select(t.Ref.from_symbol, t.Ref.to_symbol, t.Ref.kind).where(
        t.Ref.from_symbol.is_not(None), t.Ref.to_symbol.is_not(None)
    )
    if numbers is not None:
        query = query.where(t.Ref.from_symbol.in_(value_list(numbers)))
    with reader.streaming() as connection:
        yield from _rows(connection, query)


def base_types(reader: IndexReader, numbers: Collection[int] | None = None) -> list[tuple[int, int]]:
    """(type, base type or interface) for each entry of a base list."""
    query = select(t.Relation.from_symbol, t.Relation.to_symbol).distinct()
    if numbers is not None:
        query = query.where(t.Relation.from_symbol.in_(value_list(numbers)))
    with reader.streaming() as connection:
        return list(_rows(connection, query))


def ids(reader: IndexReader, numbers: Collection[int] | None = None) -> dict[int, str]:
    """The documentation-comment ids of all symbols that occur, by number. With ``numbers``: of those."""
    query = select(t.SymbolId.id, t.SymbolId.symbol_id)
    if numbers is not None:
        query = query.where(t.SymbolId.id.in_(value_list(numbers)))
    with reader.streaming() as connection:
        return dict(_rows(connection, query))


def texts(reader: IndexReader, language: str, files: Collection[int] | None = None) -> Iterator[tuple[int, str]]:
    """(file, text) for each file of a language that has a text. With ``files``: of those."""
    query = (
        select(t.FileText.file_id, t.FileText.text)
        .join(t.File, t.File.id == t.FileText.file_id)
        .where(t.File.language == language)
    )
    if files is not None:
        query = query.where(t.FileText.file_id.in_(value_list(files)))
    with reader.streaming() as connection:
        for file_id, stored in _rows(connection, query):
            yield file_id, decompress_text(stored)


def owners(reader: IndexReader) -> dict[int, tuple[str, int]]:
    """By row of each declared symbol its stable id and its file."""
    query = select(t.Symbol.id, t.Symbol.stable_id, t.Symbol.file_id).where(t.Symbol.repeated.is_(False))
    with reader.streaming() as connection:
        return {row: (stable_id, file_id) for row, stable_id, file_id in _rows(connection, query)}


def numbers_at(reader: IndexReader, rows: Collection[int]) -> frozenset[int]:
    """The symbols of some rows, and the types that contain them."""
    query = select(t.Symbol.symbol, t.Symbol.container).where(t.Symbol.id.in_(value_list(rows)))
    with reader.streaming() as connection:
        return frozenset(number for row in _rows(connection, query) for number in row if number is not None)


def row_of(reader: IndexReader, stable_id: str) -> int | None:
    """The ``symbols.id`` under which ``declared`` has a symbol."""
    query = select(t.Symbol.id).where(t.Symbol.stable_id == stable_id, t.Symbol.repeated.is_(False)).limit(1)
    with reader.streaming() as connection:
        return next((row[0] for row in _rows(connection, query)), None)


def _rows(connection: Connection, query: Any) -> Iterator[Any]:
    for row in connection.execute(query):
        yield tuple(row)
