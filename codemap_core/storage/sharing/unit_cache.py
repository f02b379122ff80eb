"""Units of analysed files by content key, kept between runs in one SQLite file: what is parsed once is never parsed
again. Contents that are known to be binary are kept in it too.

A cache and nothing more: it may be deleted at any time, a damaged or locked one is passed over, and no error of it
ends a run. When it grows beyond its bound, what was used longest ago goes. Values are kept as they are given: who makes them knows which
parts of them are read seldom, and compresses these. A value whose checksum is wrong is not known.

Units that another machine analysed are kept apart, under the repository that they were shared for, and serve no other one.
"""

from __future__ import annotations

import sqlite3
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

FORMAT: Final = 3
MAX_BYTES: Final = 1_500_000_000
"""Bytes that the cache may hold."""
_LOOKUP_SIZE: Final = 400
_USE_NOTED_AFTER: Final = 86_400
"""Seconds after which another use is noted."""
_MAPPED: Final = 1 << 30
"""Bytes of the file that are read from memory it is mapped into: half the time of asking for each of its pages."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS units (
    key BLOB PRIMARY KEY, used INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS ix_units_used ON units (used);
CREATE TABLE IF NOT EXISTS shared_units (
    repo_id TEXT NOT NULL, key BLOB NOT NULL, used INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY (repo_id, key)
) WITHOUT ROWID;
"""
MAX_UNIT: Final = 1 << 28
"""Bytes of one unit."""


class UnitCache:
    """Opened by one process at a time or by several; writes of one are seen by the others."""

    def __init__(self, connection: sqlite3.Connection, repo_id: str) -> None:
        self._repo_id: Final = repo_id
        self._connection: Final = connection
        self._now: Final = int(time.time())
        self._broken = False

    @classmethod
    def open(cls, folder: Path, repo_id: str = "") -> UnitCache | None:
        """The cache in ``folder``, made if need be; null when it cannot be used there. A damaged file is replaced. ``repo_id``: whose
        shared units count too."""
        path = folder / f"units-{FORMAT}.db"
        for attempt in range(2):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                connection = sqlite3.connect(path, timeout=5, isolation_level=None, check_same_thread=False)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = OFF")
                connection.execute(f"PRAGMA mmap_size = {_MAPPED}")
                connection.executescript(_SCHEMA)
                _remove_older(folder)
                return cls(connection, repo_id)
            except sqlite3.DatabaseError as error:
                if attempt or isinstance(error, sqlite3.OperationalError):
                    return None
                _remove(path)
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
                self._find("units", (), part, found)
                missing = [key for key in part if key not in found] if self._repo_id else []
                if missing:
                    self._find("shared_units", (self._repo_id,), missing, found)
        except sqlite3.Error:
            self._broken = True
        return found

    def _find(self, table: str, owner: tuple[str, ...], keys: Sequence[bytes], found: dict[bytes, bytes]) -> None:
        """Adds the values that a table has. ``owner``: the repository, for the table of shared units."""
        of_owner = "repo_id = ? AND " if owner else ""
        query = f"SELECT key, used, checksum, data FROM {table} WHERE {of_owner}key IN ({','.join('?' * len(keys))})"
        long_unused: list[tuple[object, ...]] = []
        for key, used, checksum, data in self._connection.execute(query, (*owner, *keys)):
            if zlib.crc32(data) == checksum:
                found[key] = data
            if used < self._now - _USE_NOTED_AFTER:
                long_unused.append((self._now, *owner, key))
        if long_unused:
            self._connection.executemany(f"UPDATE {table} SET used = ? WHERE {of_owner}key = ?", long_unused)

    def put_shared(self, values: Mapping[bytes, bytes]) -> None:
        """Keeps units that another machine analysed for this repository."""
        self._put(
            "INSERT OR REPLACE INTO shared_units (repo_id, key, used, checksum, data) VALUES (?, ?, ?, ?, ?)",
            [(self._repo_id, key, self._now, zlib.crc32(data), data) for key, data in values.items()],
        )

    def put_many(self, values: Mapping[bytes, bytes]) -> None:
        self._put(
            "INSERT OR REPLACE INTO units (key, used, checksum, data) VALUES (?, ?, ?, ?)",
            [(key, self._now, zlib.crc32(data), data) for key, data in values.items()],
        )

    def _put(self, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
        if self._broken:
            return
        try:
            self._connection.execute("BEGIN")
            self._connection.executemany(statement, rows)
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            self._broken = True

    def forget(self, used_before: int) -> None:
        """Drops what was last used before a time, in seconds since 1970. A cache that another process is writing is left as it is."""
        try:
            for table in ("units", "shared_units"):
                self._connection.execute(f"DELETE FROM {table} WHERE used < ?", (used_before,))
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
        self._connection.execute("DELETE FROM shared_units WHERE used <= (SELECT avg(used) FROM shared_units)")
        self._connection.execute(
            "DELETE FROM units WHERE key IN (SELECT key FROM units ORDER BY used LIMIT (SELECT count(*) / 3 FROM units))"
        )
        self._connection.execute("VACUUM")


def _remove_older(folder: Path) -> None:
    """Files of earlier formats, which nothing reads any more."""
    for number in range(1, FORMAT):
        older = folder / f"units-{number}.db"
        if older.exists():
            _remove(older)


def _remove(path: Path) -> None:
    for each in (path, path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")):
        with suppress(OSError):
            each.unlink()
