"""All rows of an index as plain tuples, for what is computed from a whole index: no joins, no structs, numbers in place of texts.

Numbers are ``symbol_ids.id``, ``symbols.id`` and ``files.id``: private to one database file. Rows come in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlalchemy import Connection, select

from codemap_core.storage import baseline_tables as t
from codemap_core.storage.reader import IndexReader
from codemap_core.storage.row_encoder import decompress_text


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


def declared(reader: IndexReader) -> list[Declared]:
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
        )
        .where(t.Symbol.repeated.is_(False))
        .order_by(t.Symbol.id)
    )
    with reader.streaming() as connection:
        return [Declared(*row) for row in _rows(connection, query)]


def mentions(reader: IndexReader) -> Iterator[tuple[int, int, int]]:
    """(symbol, symbol that it mentions, kind by number of ``codes``) for each resolved reference."""
    query = select(t.Ref.from_symbol, t.Ref.to_symbol, t.Ref.kind).where(
        t.Ref.from_symbol.is_not(None), t.Ref.to_symbol.is_not(None)
    )
    with reader.streaming() as connection:
        yield from _rows(connection, query)


def base_types(reader: IndexReader) -> list[tuple[int, int]]:
    """(type, base type or interface) for each entry of a base list."""
    with reader.streaming() as connection:
        return list(_rows(connection, select(t.Relation.from_symbol, t.Relation.to_symbol).distinct()))


def ids(reader: IndexReader) -> dict[int, str]:
    """The documentation-comment ids of all symbols that occur, by number."""
    with reader.streaming() as connection:
        return dict(_rows(connection, select(t.SymbolId.id, t.SymbolId.symbol_id)))


def texts(reader: IndexReader, language: str) -> Iterator[tuple[int, str]]:
    """(file, text) for each file of a language that has a text."""
    query = (
        select(t.FileText.file_id, t.FileText.text)
        .join(t.File, t.File.id == t.FileText.file_id)
        .where(t.File.language == language)
    )
    with reader.streaming() as connection:
        for file_id, stored in _rows(connection, query):
            yield file_id, decompress_text(stored)


def row_of(reader: IndexReader, stable_id: str) -> int | None:
    """The ``symbols.id`` under which ``declared`` has a symbol."""
    query = select(t.Symbol.id).where(t.Symbol.stable_id == stable_id, t.Symbol.repeated.is_(False)).limit(1)
    with reader.streaming() as connection:
        return next((row[0] for row in _rows(connection, query)), None)


def _rows(connection: Connection, query: Any) -> Iterator[Any]:
    for row in connection.execute(query):
        yield tuple(row)
