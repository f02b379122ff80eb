"""BaselineCopy: the next baseline of a repository made from an earlier one, by replacing documents in a copy of its file.

As ``BaselineWriter``: the copy is a temporary file beside its place and is put there in one step, complete or not at all.
"""

from __future__ import annotations

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
from codemap_core.storage.examine import IndexInfo
from codemap_core.storage.fresh_baseline import open_for_building
from codemap_core.storage.index_editor import IndexEditor
from codemap_core.storage.lock import BuildLock, not_written, put_in_place, temporary_file, unwritable
from codemap_core.version import __version__


class BaselineCopy:
    """Used as a context manager: what ``editor`` is asked to do, and then ``publish``. Raises StorageError when the disk is full or the
    folder cannot be written, CorruptIndexError or IndexNotAvailableError when the earlier index cannot be read; nothing half-made stays."""

    def __init__(self, lock: BuildLock, earlier: Path) -> None:
        self._path: Final = lock.path
        self._temporary: Final = temporary_file(lock.path)
        self._connection: sqlite3.Connection | None = None
        self._published = False
        try:
            shutil.copyfile(earlier, self._temporary)
            self._connection = open_for_building(self._temporary)
            self._connection.execute("BEGIN")
            self._editor = IndexEditor(self._connection)
        except OSError as error:
            self._discard()
            if not earlier.exists():
                raise IndexNotAvailableError(f"The index {earlier} was removed while it was read.") from error
            raise unwritable(self._path, error) from error
        except BaseException:
            self._discard()
            raise

    @property
    def editor(self) -> IndexEditor:
        return self._editor

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
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if not self._published:
            self._discard()
        if isinstance(error, sqlite3.OperationalError):
            raise not_written(self._path, error) from error
        if isinstance(error, sqlite3.DatabaseError):
            raise CorruptIndexError(f"The index that was to be continued is damaged ({error}).") from error
        if isinstance(error, OSError):
            raise unwritable(self._path, error) from error

    def _discard(self) -> None:
        if self._connection is not None:
            with suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        self._temporary.unlink(missing_ok=True)
