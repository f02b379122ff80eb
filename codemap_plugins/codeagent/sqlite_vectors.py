"""Vectors in a database of sqlite-vec (the extra ``codemap[similarity]``): a file that whatever reads SQLite can ask, too.

It is read through APSW, whose SQLite loads extensions whatever the interpreter was built with. Beside what sqlite-vec keeps, table
``head`` has what concerns all vectors, in one row.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec
import numpy as np

from codemap_core.storage.files.durable_files import temporary_file
from codemap_plugins.codeagent.projection import Bytes, Frequencies
from codemap_plugins.codeagent.vectors import (
    Neighbour,
    Numbers,
    VectorContent,
    VectorHead,
    cosines_of,
    lengths_of,
    likest,
)

if TYPE_CHECKING:
    from apsw import Connection

_MARGIN: Final = 40
"""Rows that are asked for beyond those that are wanted: some are the symbol itself, or hidden by edits, or as like as the last."""
_FACTOR: Final = 4
_MOST: Final = 4_096
"""What sqlite-vec finds at a time."""
_CLOSE: Final = 1e-5
"""Distances that differ by less may be of equal vectors."""
_TABLES: Final = """
    CREATE TABLE head (head TEXT, count INTEGER, dimensions INTEGER, hidden BLOB, hashes BLOB, counts BLOB);
    CREATE VIRTUAL TABLE vectors USING vec0(
        number INTEGER PRIMARY KEY, kind INTEGER PARTITION KEY, vector INT8[{dimensions}] distance_metric=cosine
    );
"""


def is_available() -> bool:
    """Whether the extra is installed and SQLite loads the extension."""
    try:
        import apsw
    except ImportError:
        return False
    try:
        _connect(Path(":memory:"), apsw.SQLITE_OPEN_READWRITE).close()
    except (ImportError, apsw.Error):
        return False
    return True


def _connect(path: Path, flags: int) -> Connection:
    """Raises: ImportError, apsw.Error."""
    import apsw
    import sqlite_vec

    connection = apsw.Connection(str(path), flags=flags)
    connection.enable_load_extension(True)
    connection.load_extension(sqlite_vec.loadable_path())
    connection.enable_load_extension(False)
    return connection


class SqliteVectors:
    """A ``VectorStore``."""

    def __init__(
        self, connection: Connection, head: VectorHead, count: int, dimensions: int, blobs: list[bytes]
    ) -> None:
        """``blobs``: the hidden rows, the features, and how many have each."""
        hidden, hashes, counts = blobs
        self.head: Final = head
        self.hidden: Final[Numbers] = np.frombuffer(hidden, dtype=np.int64)
        self.frequencies: Final = Frequencies(
            head.rows, np.frombuffer(hashes, dtype=np.uint64), np.frombuffer(counts, dtype=np.int32)
        )
        self._connection: Final = connection
        self._count: Final = count
        self._dimensions: Final = dimensions

    def __len__(self) -> int:
        return self._count

    @classmethod
    def open(cls, path: Path) -> SqliteVectors | None:
        """Null when there is none, or not one of this release."""
        import apsw

        try:
            connection = _connect(path, apsw.SQLITE_OPEN_READONLY)
            ((size,),) = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            if size != path.stat().st_size:
                return None
            ((head, count, dimensions, *blobs),) = connection.execute("SELECT * FROM head")
            return cls(connection, msgspec.json.decode(head, type=VectorHead), count, dimensions, blobs)
        except (OSError, apsw.Error, ValueError, msgspec.MsgspecError):
            return None

    @classmethod
    def write(cls, path: Path, head: VectorHead, content: VectorContent) -> None:
        """Raises: OSError."""
        import apsw

        temporary = temporary_file(path)
        try:
            with closing(_connect(temporary, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)) as connection:
                _fill(connection, head, content)
            temporary.replace(path)
        except apsw.Error as error:
            raise OSError(f"{path} cannot be written: {error}") from error
        finally:
            temporary.unlink(missing_ok=True)

    def vector(self, number: int) -> tuple[int, Bytes] | None:
        for group, vector in self._connection.execute("SELECT kind, vector FROM vectors WHERE number = ?", (number,)):
            return group, np.frombuffer(vector, dtype=np.int8)
        return None

    def near(self, group: int, asked: Bytes, without: Numbers, limit: int) -> list[Neighbour]:
        if not self._count or len(asked) != self._dimensions:
            return []
        left_out = set(without.tolist())
        wanted = min(limit + _MARGIN, _MOST)
        while True:
            found = self._nearest(group, asked, wanted)
            kept = [each for each in found if each[0] not in left_out]
            is_whole = len(found) < wanted or wanted == _MOST
            if is_whole or (len(kept) > limit and kept[limit - 1][1] < found[-1][1] - _CLOSE):
                break
            wanted = min(wanted * _FACTOR, _MOST)
        if not kept:
            return []
        numbers = np.array([number for number, _, _ in kept], dtype=np.int64)
        vectors = np.frombuffer(b"".join(vector for _, _, vector in kept), dtype=np.int8).reshape(len(kept), -1)
        return likest(numbers, cosines_of(vectors, lengths_of(vectors), asked), limit)

    def _nearest(self, group: int, asked: Bytes, count: int) -> list[tuple[int, float, bytes]]:
        """The number, the distance and the vector of the rows that are nearest."""
        query = "SELECT number, distance, vector FROM vectors WHERE vector MATCH vec_int8(?) AND kind = ? AND k = ?"
        rows = self._connection.execute(query, (asked.tobytes(), group, count))
        return [(number, distance, vector) for number, distance, vector in rows]


def _fill(connection: Connection, head: VectorHead, content: VectorContent) -> None:
    count, dimensions = content.vectors.shape
    known = content.frequencies
    connection.execute("PRAGMA journal_mode = OFF")  # the file is thrown away if it is not completed
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute(_TABLES.format(dimensions=dimensions))
    blobs = (content.hidden.tobytes(), known.hashes.tobytes(), known.counts.tobytes())
    with connection:
        connection.execute(
            "INSERT INTO head VALUES (?, ?, ?, ?, ?, ?)",
            (msgspec.json.encode(head).decode(), count, dimensions, *blobs),
        )
        connection.executemany("INSERT INTO vectors (number, kind, vector) VALUES (?, ?, vec_int8(?))", _rows(content))


def _rows(content: VectorContent) -> Iterator[tuple[int, int, bytes]]:
    """Without those that are all zeros: they have no direction, and are like nothing."""
    for row in np.flatnonzero(content.vectors.any(axis=1)).tolist():
        yield int(content.numbers[row]), int(content.groups[row]), content.vectors[row].tobytes()
