"""BaselineCopy: the next baseline of a repository made from an earlier one, by replacing documents in a copy of its file.

As ``BaselineWriter``: the copy is a temporary file beside its place and is put there in one step, complete or not at all. It may be made
by another process while this one finds out what is to be replaced.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from msgspec.structs import replace

from codemap_core.errors import IndexNotAvailableError
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.durable_files import not_written, put_in_place, temporary_file, unwritable
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.lock import BuildLock
from codemap_core.storage.writing.fresh_baseline import open_for_building
from codemap_core.storage.writing.index_editor import IndexEditor
from codemap_core.version import __version__

_PORTION: Final = 1 << 26


class BaselineCopy:
    """``make`` copies the earlier index. Then it is used as a context manager: what ``editor`` is asked to do, and then ``publish``. Raises
    StorageError when the disk is full or the folder cannot be written, CorruptIndexError or IndexNotAvailableError when the earlier index
    cannot be read; nothing half-made stays."""

    def __init__(self, lock: BuildLock, earlier: Path) -> None:
        self._path: Final = lock.path
        self._earlier: Final = earlier
        self._temporary: Final = temporary_file(lock.path)
        self._connection: sqlite3.Connection | None = None
        self._published = False

    def make(self) -> None:
        """Copies the file, and has it written to the disk, which would delay the end otherwise. Any process may do so, again too."""
        try:
            with self._earlier.open("rb") as source, self._temporary.open("wb") as target:
                if not _copied_by_system(source.fileno(), target.fileno()):
                    target.seek(0)
                    source.seek(0)
                    shutil.copyfileobj(source, target, _PORTION)
                    target.flush()
                os.fsync(target.fileno())
        except OSError as error:
            if not self._earlier.exists():
                raise IndexNotAvailableError(f"The index {self._earlier} was removed while it was read.") from error
            raise unwritable(self._path, error) from error

    @property
    def editor(self) -> IndexEditor:
        return self._editor

    def discard(self) -> None:
        """Throws away what is not published."""
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        if not self._published:
            self._temporary.unlink(missing_ok=True)

    def publish(self, info: IndexInfo) -> IndexInfo:
        """Makes the index visible at its place, and answers with what it says of itself."""
        assert self._connection is not None
        info = self._editor.finish(
            replace(
                info,
                state="complete",
                codemap_version=__version__,
                created_at=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )
        self._connection.execute("COMMIT")
        self._connection.close()
        self._connection = None
        put_in_place(self._temporary, self._path)
        self._published = True
        return info

    def __enter__(self) -> Self:
        try:
            self._connection = open_for_building(self._temporary)
            self._connection.execute("BEGIN")
            self._editor = IndexEditor(self._connection)
        except BaseException as error:
            self.discard()
            self._explain(error)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.discard()
        if error is not None:
            self._explain(error)

    def _explain(self, error: BaseException) -> None:
        """Raises what an error of the database or the disk means."""
        if isinstance(error, sqlite3.OperationalError):
            raise not_written(self._path, error) from error
        if isinstance(error, sqlite3.DatabaseError):
            raise CorruptIndexError(f"The index that was to be continued is damaged ({error}).") from error
        if isinstance(error, OSError):
            raise unwritable(self._path, error) from error


def _copied_by_system(source: int, target: int) -> bool:
    """Whether the system could copy one open file into another, which some file systems do without copying anything."""
    if not hasattr(os, "copy_file_range"):
        return False
    try:
        while os.copy_file_range(source, target, _PORTION):
            pass
    except OSError:  # it cannot, or the disk is full: then whoever copies otherwise will say so
        return False
    return os.fstat(source).st_size == os.fstat(target).st_size
