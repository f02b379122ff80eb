"""A fresh baseline at the head revision, and statements that fill one: with the standard library alone, as loading the database library
takes longer than writing a small index.

The SQL is that of ``baseline_tables``, kept as text (``table_text``).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import structs

from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.schema.fulltext import FULLTEXT_DDL, SYMBOL_RANK
from codemap_core.storage.schema.table_text import columns_of_tables, index_statements, table_statements
from codemap_core.storage.schema.versions import BASELINE_HEAD, BASELINE_VERSION_TABLE

_FULLTEXT_COLUMNS: Final = {
    "symbols_fts": ("rowid", "name_tokens", "fqname", "signature", "documentation"),
    "files_fts": ("rowid", "text"),
}
_NUMBERED_BY_SQLITE: Final = frozenset({"refs", "relations", "facts", "document_records"})
"""Tables whose rows come without their number."""
_ZERO_FOR_NULL: Final = frozenset({"refs", "symbols"})
"""Tables whose rows come with 0 for null, as nothing that they may lack is that number. Python's library tries every way to convert a null
that it is to bind, which costs more than storing the row."""
_TOGETHER: Final = {"refs": 32}
"""Rows that one statement inserts, of a table whose rows come by the hundred thousand: they take a quarter less time together. They have
fewer values than a statement may have (999 before SQLite 3.32)."""
_CACHE: Final = "PRAGMA cache_size=-65536"
"""Also how much is sorted in memory while an index is made."""
_CACHE_OF_ROWS: Final = "PRAGMA cache_size=-16384"
"""While a fresh file is filled, beside processes that need the memory: rows come in the order of their numbers, so that hardly any page is
needed again."""
_PRAGMAS: Final = (
    "PRAGMA journal_mode=OFF",
    "PRAGMA synchronous=OFF",
    "PRAGMA locking_mode=EXCLUSIVE",
    _CACHE,
    "PRAGMA temp_store=FILE",  # SQLite sorts in one block of memory what it may spill, and faster
)


def open_for_building(path: Path) -> sqlite3.Connection:
    """A file that this process makes, that nobody else may see yet and that is thrown away on any failure: it is written without a journal.
    The caller begins and commits. Raises: sqlite3.Error."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for pragma in _PRAGMAS:
        connection.execute(pragma)
    return connection


def create_schema(connection: sqlite3.Connection) -> None:
    """The tables of a fresh baseline at the head revision, without their indexes."""
    connection.execute(_CACHE_OF_ROWS)
    for statement in table_statements():
        connection.execute(statement)
    for ddl in FULLTEXT_DDL:
        connection.execute(ddl)
    connection.execute("INSERT INTO symbols_fts (symbols_fts, rank) VALUES ('rank', ?)", (SYMBOL_RANK,))
    connection.execute(f"INSERT INTO {BASELINE_VERSION_TABLE} (version_num) VALUES (?)", (BASELINE_HEAD,))


def create_indexes(connection: sqlite3.Connection) -> None:
    connection.execute(_CACHE)
    for statement in index_statements():
        connection.execute(statement)


@cache
def encoded_columns(table: str) -> tuple[str, ...]:
    """The columns that an encoded row has, in its order: those of the table, without a number that SQLite gives."""
    columns = _FULLTEXT_COLUMNS.get(table) or tuple(each.name for each in columns_of_tables()[table])
    return tuple(name for name in columns if name != "id") if table in _NUMBERED_BY_SQLITE else columns


@cache
def zero_for_null(table: str) -> frozenset[str]:
    """The columns of an encoded row that have 0 for null."""
    return frozenset(each.name for each in columns_of_tables()[table] if each.is_nullable and table in _ZERO_FOR_NULL)


def insert_rows(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Inserts rows of a ``RowEncoder`` or of a full-text table, in their order. Raises: sqlite3.Error."""
    together = _TOGETHER.get(table)
    if together is not None:
        grouped = len(rows) - len(rows) % together
        groups = (tuple(chain.from_iterable(rows[at : at + together])) for at in range(0, grouped, together))
        connection.executemany(insert_statement(table, together), groups)
        rows = rows[grouped:]
    connection.executemany(insert_statement(table), rows)


@cache
def insert_statement(table: str, together: int = 1) -> str:
    """INSERT with positional parameters in column order, for the rows of a ``RowEncoder`` and those of both full-text tables. ``together``:
    how many rows it takes, whose values follow one another."""
    columns = encoded_columns(table)
    names = ", ".join(f'"{name}"' for name in columns)
    zeros = zero_for_null(table) if table in _ZERO_FOR_NULL else frozenset()
    values = ", ".join("nullif(?, 0)" if name in zeros else "?" for name in columns)
    return f"INSERT INTO {table} ({names}) VALUES {', '.join([f'({values})'] * together)}"


def info_values(info: IndexInfo) -> dict[str, Any]:
    """The row of ``info`` by column."""
    values = structs.asdict(info)
    values["semantic_level"] = info.semantic_level.value
    values["project_diagnostics"] = msgspec.json.encode(info.project_diagnostics).decode()
    values["library_places"] = msgspec.json.encode(info.library_places, order="deterministic").decode()
    values["unsettled"] = msgspec.json.encode(info.unsettled).decode()
    values["project_problems"] = msgspec.json.encode(
        [(problem.project_path, problem.message) for problem in info.project_problems]
    ).decode()
    return {"id": 1, **values}


def set_info(connection: sqlite3.Connection, info: IndexInfo) -> None:
    """What the index says of itself, in place of what it said."""
    values = info_values(info)
    names = ", ".join(values)
    marks = ", ".join("?" * len(values))
    connection.execute(f"INSERT OR REPLACE INTO info ({names}) VALUES ({marks})", tuple(values.values()))
