"""What tells an index that was made elsewhere from one that this program would write: other tables, or files that its commit does not have.

A view, a trigger or a computed column would have SQLite evaluate what its author wrote.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Set as AbstractSet
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.storage.files.examine import open_read_only

_SCHEMA: Final = "SELECT type, name, tbl_name, sql FROM sqlite_master"


def unusual_schema(path: Path) -> str:
    """What a baseline has that one which this release writes does not have, or lacks of it, in words; empty: nothing."""
    try:
        with open_read_only(path) as connection:
            found = frozenset(connection.execute(_SCHEMA))
    except sqlite3.Error as error:
        return str(error)
    different = min((str(row[1]) for row in found ^ _usual()), default="")
    return f"its schema has another {different} than this release writes" if different else ""


def uncommitted_file(path: Path, committed: AbstractSet[tuple[str, str]]) -> str:
    """A file of an index that the commit does not have, in words; empty: none. ``committed``: (path, blob id)."""
    try:
        with open_read_only(path) as connection:
            rows = connection.execute("SELECT path, blob_id FROM files")
            strange = next((name for name, blob in rows if (name, blob) not in committed), None)
    except sqlite3.Error as error:
        return str(error)
    return "" if strange is None else "it has files that the commit does not have"


@cache
def _usual() -> frozenset[tuple[object, ...]]:
    from codemap_core.storage.writing.fresh_baseline import create_indexes, create_schema

    with closing(sqlite3.connect(":memory:")) as connection:
        create_schema(connection)
        create_indexes(connection)
        return frozenset(connection.execute(_SCHEMA))
