"""Connections: how a sealed index is read (``fresh_baseline`` has how a new one is written). A reader opens the file read-only and
immutable, so that it takes no lock and leaves no file beside it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from codemap_core.storage.files.examine import read_only_uri

_READER_PRAGMAS: Final = (
    "PRAGMA query_only=ON",
    "PRAGMA cache_size=-16384",
    "PRAGMA temp_store=MEMORY",
)
_URL: Final = URL.create("sqlite")


def read_engine(path: Path, immutable: bool = True) -> Engine:
    """For a sealed file (``immutable``) or one that other processes may write."""
    uri = read_only_uri(path, immutable)

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(uri, uri=True, check_same_thread=False)

    engine = create_engine(_URL, creator=connect, poolclass=QueuePool, pool_size=4, max_overflow=8)

    @event.listens_for(engine, "connect")
    def set_pragmas(connection: sqlite3.Connection, _record: Any) -> None:
        for pragma in _READER_PRAGMAS:
            connection.execute(pragma)

    return engine
