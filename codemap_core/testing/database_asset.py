"""Writes one small database of the head revision of each schema, to be kept forever:

    python -m codemap_core.testing.database_asset testdata/databases

Run it once when a revision is added, before the next one; commit ``{schema}/{revision}.db``. Existing files are left
alone, as they show what released programs wrote.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from codemap_core.storage.migrate import SchemaName, create_by_revisions
from codemap_core.testing.sample_index import write_sample_index


def write_database_assets(folder: Path) -> list[Path]:
    """Writes the missing files and returns them."""
    written: list[Path] = []
    for schema in SchemaName:
        target = folder / schema.value / f"{schema.head}.db"
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as temporary:
            source = Path(temporary) / "sample.db"
            if schema is SchemaName.BASELINE:
                write_sample_index(source)
            else:
                _write_overlay(source)
            _write_small(source, target)
        written.append(target)
    return written


def _write_overlay(path: Path) -> None:
    with closing(sqlite3.connect(path, check_same_thread=False)) as connection:
        create_by_revisions(connection, SchemaName.OVERLAY)
        made = "2026-01-01T00:00:00+00:00"
        connection.execute("INSERT INTO workspace VALUES (1, 'agent-1', '/src/shop', 0, 1, ?, ?)", (made, made))
        connection.execute("INSERT INTO revisions VALUES (1, ?, 1, 0)", (made,))
        connection.execute("INSERT INTO replaced_files VALUES ('src/Shop/Order.cs', NULL, 0, 1)")
        connection.commit()


def _write_small(source: Path, target: Path) -> None:
    """A copy with the smallest pages."""
    with closing(sqlite3.connect(source, isolation_level=None)) as connection:
        connection.execute("PRAGMA page_size=512")
        connection.execute("VACUUM INTO ?", (str(target),))


if __name__ == "__main__":
    for path in write_database_assets(Path(sys.argv[1])):
        sys.stdout.write(f"{path}\n")
