"""What replaces the references of a document leaves exactly those it has now, and touches no more rows than it must."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.storage.schema.stored_fields import REFS
from codemap_core.storage.schema.table_text import index_statements, table_statements
from codemap_core.storage.writing.fresh_baseline import encoded_columns, insert_rows
from codemap_core.storage.writing.replaced_references import PLACE, ReplacedReferences
from codemap_core.storage.writing.row_encoder import Row

FILE = 7
COLUMNS = encoded_columns(REFS)
FROM, TO, CONSTRUCTOR, LINE = map(COLUMNS.index, ("from_symbol", "to_symbol", "constructor", "line"))


def reference(kind: int, symbol: int, line: int, file: int = FILE) -> Row:
    given = {"kind": kind, "to_symbol": symbol, "constructor": 50, "from_symbol": 60, "file_id": file, "line": line}
    return tuple(given.get(name, 0) for name in COLUMNS)


LAST = reference(0, 1, 1, FILE + 1)
"""Of another document: rows that are added get numbers that none has had."""

ROWS = st.lists(st.builds(reference, st.integers(0, 1), st.integers(1, 3), st.integers(1, 4)), max_size=12)


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        for statement in (*table_statements(), *index_statements()):
            opened.execute(statement)
        yield opened


def stored(connection: sqlite3.Connection) -> dict[int, Row]:
    columns = ", ".join(f'ifnull("{name}", 0)' for name in COLUMNS)
    rows = connection.execute(f"SELECT id, {columns} FROM refs WHERE file_id = ? ORDER BY id", (FILE,))
    return {row[0]: row[1:] for row in rows}


@given(before=ROWS, now=ROWS)
def test_what_a_document_has_now_is_there(connection: sqlite3.Connection, before: list[Row], now: list[Row]) -> None:
    connection.execute("DELETE FROM refs")
    insert_rows(connection, REFS, [*before, LAST])
    had = stored(connection)
    difference = ReplacedReferences(connection).replace(FILE, iter(now))
    insert_rows(connection, REFS, difference.added)
    have = stored(connection)

    assert Counter(have.values()) == Counter(now)
    assert len(had) - difference.gone == len(have) - len(difference.added)
    same = Counter(before) & Counter(now)
    assert Counter(row for number, row in have.items() if had.get(number) == row) == same
    said = Counter(map(without_place, before)) & Counter(map(without_place, now))
    assert len(had.keys() & have.keys()) == said.total(), "no row is deleted and added that could be moved"
    gone = [row for number, row in had.items() if number not in have]
    assert difference.let_go == {row[column] for row in gone for column in (FROM, TO, CONSTRUCTOR)}


def without_place(row: Row) -> Row:
    return tuple(value for value, name in zip(row, COLUMNS, strict=True) if name not in PLACE)


def test_no_index_has_a_place(connection: sqlite3.Connection) -> None:
    assert COLUMNS[LINE : LINE + len(PLACE)] == PLACE
    indexes = [name for _, name, *_ in connection.execute("PRAGMA index_list(refs)")]
    indexed = {column for name in indexes for _, _, column in connection.execute(f"PRAGMA index_info({name})")}
    assert indexed, "there are indexes"
    assert indexed.isdisjoint(PLACE)
    conditions = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'index'") if sql]
    assert not any(name in sql.rpartition(" WHERE ")[2] for sql in conditions for name in PLACE if " WHERE " in sql)
