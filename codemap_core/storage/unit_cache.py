"""Units of analysed files by content key, kept between runs in one SQLite file: what is parsed once is never parsed
again.

A cache and nothing more: it may be deleted at any time, a damaged or locked one is passed over, and no error of it
ends a run. When it grows beyond its bound, what was used longest ago goes. Values are compressed.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

FORMAT: Final = 1
MAX_BYTES: Final = 1_500_000_000
"""Compressed bytes that the cache may hold."""
_LOOKUP_SIZE: Final = 400
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS units (key BLOB PRIMARY KEY, used INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ix_units_used ON units (used);
"""


class UnitCache:
    """Opened by one process at a time or by several; writes of one are seen by the others."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection: Final = connection
        self._now: Final = int(time.time())
        self._broken = False

    @classmethod
    def open(cls, folder: Path) -> UnitCache | None:
        """The cache in ``folder``, made if need be; null when it cannot be used there. A damaged file is replaced."""
        path = folder / f"units-{FORMAT}.db"
        for attempt in range(2):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = OFF")
                connection.executescript(_SCHEMA)
                return cls(connection)
            except sqlite3.DatabaseError as error:
                if attempt or isinstance(error, sqlite3.OperationalError):
                    return None
                for leftover in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
                    with suppress(OSError):
                        leftover.unlink()
            except OSError:
                return None
        return None

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values known for these keys."""
        found: dict[bytes, bytes] = {}
        wanted = list(keys)
        if self._broken:
            return found
        try:
            for start in range(0, len(wanted), _LOOKUP_SIZE):
                part = wanted[start : start + _LOOKUP_SIZE]
                marks = ",".join("?" * len(part))
                for key, data in self._connection.execute(f"SELECT key, data FROM units WHERE key IN ({marks})", part):
                    found[key] = zlib.decompress(data)
            if found:
                self._connection.executemany(
                    "UPDATE units SET used = ? WHERE key = ? AND used < ?",
                    [(self._now, key, self._now - 86_400) for key in found],
                )
        except (sqlite3.Error, zlib.error):
            self._broken = True
        return found

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        if self._broken:
            return
        rows = [(key, self._now, zlib.compress(data, 1)) for key, data in values.items()]
        try:
            self._connection.execute("BEGIN")
            self._connection.executemany("INSERT OR REPLACE INTO units (key, used, data) VALUES (?, ?, ?)", rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            self._broken = True

    def forget(self, used_before: int) -> None:
        """Drops what was last used before a time, in seconds since 1970. A cache that another process is writing is left as it is."""
        try:
            self._connection.execute("DELETE FROM units WHERE used < ?", (used_before,))
            self._connection.execute("VACUUM")
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            self._broken = True

    def close(self) -> None:
        """Drops what is beyond the bound, then closes."""
        with suppress(sqlite3.Error):
            if not self._broken:
                self._shrink()
            self._connection.close()

    def _shrink(self) -> None:
        (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
        (page_size,) = self._connection.execute("PRAGMA page_size").fetchone()
        if pages * page_size <= MAX_BYTES:
            return
        self._connection.execute(
            "DELETE FROM units WHERE key IN (SELECT key FROM units ORDER BY used LIMIT (SELECT count(*) / 3 FROM units))"
        )
        self._connection.execute("VACUUM")
