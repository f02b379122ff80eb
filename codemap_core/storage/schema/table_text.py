"""The tables of a fresh baseline as SQL text, and their columns: read without the database library, as loading it takes longer than
writing a small index.

``baseline.sql`` is what ``baseline_tables`` and the newest revision say; ``python -m codemap_core.storage.writing.schema_text`` writes it.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache
from typing import Final

from msgspec import Struct

from codemap_core.storage.schema.versions import BASELINE_VERSION_TABLE, SCHEMA_FILE

STATEMENT_END: Final = ";\n\n"
_TABLE: Final = "CREATE TABLE"
_INTEGER: Final = "INTEGER"


class Column(Struct, frozen=True):
    """``is_number``: its values are integers."""

    name: str
    is_number: bool
    is_nullable: bool


@cache
def table_statements() -> tuple[str, ...]:
    return tuple(each for each in _statements() if each.startswith(_TABLE))


@cache
def index_statements() -> tuple[str, ...]:
    return tuple(each for each in _statements() if not each.startswith(_TABLE))


@cache
def columns_of_tables() -> dict[str, tuple[Column, ...]]:
    """The columns of each table that holds what was indexed, in their order; full-text tables left out."""
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in table_statements():
            connection.execute(statement)
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: tuple(
                Column(column, kind == _INTEGER, is_nullable=not is_required)
                for _, column, kind, is_required, *_ in connection.execute(f"PRAGMA table_info({name})")
            )
            for name in sorted(names)
            if name != BASELINE_VERSION_TABLE
        }


def _statements() -> list[str]:
    _, _, statements = SCHEMA_FILE.read_text(encoding="utf-8").partition("\n\n")
    return statements.split(STATEMENT_END)[:-1]
