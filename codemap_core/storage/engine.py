"""Connections: how a sealed index is read and how a new one is written.

A reader opens the file read-only and immutable, so that it takes no lock and leaves no file beside it. A builder owns
its file alone and throws it away on any failure, so it writes without a journal and makes the file durable once, at
the end.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import NullPool, QueuePool

from codemap_core.storage.examine import read_only_uri

_READER_PRAGMAS: Final = (
    "PRAGMA query_only=ON",
    "PRAGMA cache_size=-16384",
    "PRAGMA temp_store=MEMORY",
)
BUILDER_PRAGMAS: Final = (
    "PRAGMA journal_mode=OFF",
    "PRAGMA synchronous=OFF",
    "PRAGMA locking_mode=EXCLUSIVE",
    "PRAGMA cache_size=-65536",
    "PRAGMA temp_store=MEMORY",
)
_URL: Final = URL.create("sqlite")


def read_engine(path: Path, immutable: bool = True) -> Engine:
    """For a sealed file (``immutable``) or one that other processes may write."""
    uri = read_only_uri(path, immutable)

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, check_same_thread=False)

    return _with_pragmas(
        create_engine(_URL, creator=connect, poolclass=QueuePool, pool_size=4, max_overflow=8), _READER_PRAGMAS
    )


def build_engine(path: Path) -> Engine:
    """For a file that this process makes and nobody else may see yet."""

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(path, check_same_thread=False)

    return _with_pragmas(create_engine(_URL, creator=connect, poolclass=NullPool), BUILDER_PRAGMAS)


def _with_pragmas(engine: Engine, pragmas: tuple[str, ...]) -> Engine:
    @event.listens_for(engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _record: Any) -> None:
        for pragma in pragmas:
            connection.execute(pragma)

    return engine
