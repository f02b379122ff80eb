"""The file of one workspace: a copy of its baseline in which each refresh replaces documents, in one transaction.

The file is in WAL mode: readers see the revision that was newest when they opened it, for as long as they are open, while a refresh
writes the next one; a refresh that is killed leaves the revision before it. Who changes the file holds its lock (``lock.build_lock``).
Times are ISO 8601, UTC.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import URL, create_engine
from sqlalchemy.pool import StaticPool
from sqlalchemy.schema import CreateTable

from codemap_core.errors import NotFoundError, StorageError
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.beside import side_files, vectors_beside
from codemap_core.storage.files.durable_files import put_in_place, temporary_file, unwritable
from codemap_core.storage.files.examine import IndexInfo, read_info
from codemap_core.storage.files.lock import BuildLock
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.schema.overlay_tables import OverlayBase
from codemap_core.storage.schema.versions import (
    BASELINE_HEAD,
    BASELINE_VERSION_TABLE,
    OVERLAY_HEAD,
    OVERLAY_VERSION_TABLE,
)
from codemap_core.storage.writing.index_editor import IndexEditor

_BUSY_SECONDS: Final = 30.0
"""How long a refresh waits for questions with unsaved files."""
_URL: Final = URL.create("sqlite")


class ReplacedFile(Struct, frozen=True):
    """A file that a workspace shows otherwise than its baseline. ``blob_id``: null for one that is deleted."""

    path: str
    blob_id: str | None
    size: int
    revision: int = 0


class WorkspaceState(Struct, frozen=True, kw_only=True):
    """What a workspace says of itself. ``info`` is that of the index as it shows it, with its baseline's commit and scope."""

    workspace_id: str
    root: str
    follows: bool
    revision: int
    created_at: str
    refreshed_at: str
    info: IndexInfo
    replaced: tuple[ReplacedFile, ...]
    """By path."""


class WorkspaceHead(Struct, frozen=True, kw_only=True):
    """What a workspace is made with."""

    workspace_id: str
    root: str
    follows: bool
    revision: int = 0


@contextmanager
def new_workspace(lock: BuildLock, baseline: Path, head: WorkspaceHead) -> Iterator[Path]:
    """A workspace without edits, which may be refreshed at the path given, and which at the end takes the place of whatever is at
    ``lock.path``. Raises: StorageError."""
    temporary = temporary_file(lock.path)
    try:
        lock.path.parent.mkdir(parents=True, exist_ok=True)
        _copy(baseline, temporary)
        with closing(sqlite3.connect(temporary, isolation_level=None)) as connection:
            connection.execute("PRAGMA journal_mode=OFF")
            connection.execute("PRAGMA synchronous=OFF")
            connection.execute("BEGIN")
            for table in OverlayBase.metadata.sorted_tables:
                connection.execute(str(CreateTable(table).compile(dialect=_dialect())))
            connection.execute(
                f"CREATE TABLE {OVERLAY_VERSION_TABLE} (version_num VARCHAR(32) NOT NULL, "
                f"CONSTRAINT {OVERLAY_VERSION_TABLE}_pkc PRIMARY KEY (version_num))"
            )
            connection.execute(f"INSERT INTO {OVERLAY_VERSION_TABLE} (version_num) VALUES (?)", (OVERLAY_HEAD,))
            made = _now()
            connection.execute(
                "INSERT INTO workspace (id, workspace_id, root, follows, revision, created_at, refreshed_at) "
                "VALUES (1, ?, ?, ?, ?, ?, ?)",
                (head.workspace_id, head.root, head.follows, head.revision, made, made),
            )
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode=WAL")
        yield temporary
        _settle(temporary)
        _settle(lock.path)
        put_in_place(temporary, lock.path)
    except sqlite3.OperationalError as error:
        raise _not_written(lock.path, error) from error
    except OSError as error:
        raise unwritable(lock.path, error) from error
    finally:
        temporary.unlink(missing_ok=True)
        _remove_side_files(temporary)


def remove_workspace_file(lock: BuildLock) -> bool:
    """Whether there was one. Those who have it open keep what they see. Raises: StorageError."""
    try:
        existed = lock.path.exists()
        lock.path.unlink(missing_ok=True)
        vectors_beside(lock.path).unlink(missing_ok=True)
        _remove_side_files(lock.path)
    except OSError as error:
        raise unwritable(lock.path, error) from error
    return existed


def read_workspace(path: Path) -> WorkspaceState:
    """Raises: NotFoundError; StorageError for a file of another schema, CorruptIndexError."""
    with _explained(path, is_read=True), closing(_connect(path)) as connection:
        connection.execute("BEGIN")
        return _state(path, connection)


def workspace_revision(path: Path) -> tuple[int, int]:
    """What changes whenever the workspace shows something else: the file's own number, and its revision. Raises: as ``read_workspace``."""
    with _explained(path, is_read=True), closing(_connect(path)) as connection:
        (revision,) = connection.execute("SELECT revision FROM workspace").fetchone()
        return path.stat().st_ino, revision


def open_workspace(path: Path) -> tuple[IndexReader, WorkspaceState]:
    """The index as a workspace shows it at its newest revision, which stays what the reader sees until it is closed. Raises: as
    ``read_workspace``."""
    with _explained(path, is_read=True):
        while True:
            file = path.stat().st_ino
            connection = _connect(path, _Pinned)
            try:
                connection.execute("BEGIN")
                state = _state(path, connection)
                if (
                    path.stat().st_ino == file
                ):  # otherwise another file took its place in between, whose log this would read
                    return WorkspaceReader(path, state.info, connection), state
            except BaseException:
                connection.end()
                raise
            connection.end()


@contextmanager
def edited_workspace(path: Path) -> Iterator[WorkspaceEdit]:
    """One refresh; without ``WorkspaceEdit.publish`` nothing changes. The caller holds the lock. Raises: as ``read_workspace``;
    StorageError when the disk is full."""
    with _explained(path):
        connection = _connect(path)
        try:
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute("BEGIN IMMEDIATE")
            yield WorkspaceEdit(connection, _state(path, connection))
        finally:
            if connection.in_transaction:
                with suppress(sqlite3.Error):
                    connection.rollback()
            connection.close()


class WorkspaceEdit:
    """The transaction of one refresh. ``editor`` changes the rows, ``publish`` ends it."""

    def __init__(self, connection: sqlite3.Connection, state: WorkspaceState) -> None:
        self._connection: Final = connection
        self.state: Final = state
        self.editor: Final = IndexEditor(connection)

    def publish(self, info: IndexInfo, replaced: Sequence[ReplacedFile], changed: int, symbols_updated: int) -> int:
        """Makes the changes visible, and gives the revision that has them. ``replaced``: all files that differ from the baseline now;
        ``changed``: files that this refresh found changed."""
        revision = self.state.revision + 1
        self.editor.finish(info)
        known = {each.path: each for each in self.state.replaced}
        rows = []
        for each in replaced:
            before = known.get(each.path)
            since = before.revision if before is not None and before.blob_id == each.blob_id else revision
            rows.append((each.path, each.blob_id, each.size, since))
        now = _now()
        self._connection.execute("DELETE FROM replaced_files")
        self._connection.executemany(
            "INSERT INTO replaced_files (path, blob_id, size, revision) VALUES (?, ?, ?, ?)", rows
        )
        self._connection.execute("INSERT INTO revisions VALUES (?, ?, ?, ?)", (revision, now, changed, symbols_updated))
        self._connection.execute("UPDATE workspace SET revision = ?, refreshed_at = ?", (revision, now))
        self._connection.execute("COMMIT")
        return revision


def open_unsaved(
    path: Path, revision: int, change: Callable[[IndexEditor, IndexInfo], IndexInfo]
) -> tuple[IndexReader, WorkspaceState] | None:
    """A workspace with further changes that are never written: they are there for the reader, and gone when it is closed. Until then nobody
    else can refresh the workspace. Null when it is not at ``revision`` any more. Raises: as ``read_workspace``."""
    with _explained(path):
        connection = _connect(path, _Pinned)
        try:
            connection.execute("BEGIN IMMEDIATE")
            state = _state(path, connection)
            if state.revision != revision:
                connection.end()
                return None
            editor = IndexEditor(connection)
            info = editor.finish(change(editor, state.info))
            # Full-text tables read on between statements, and a connection that reads cannot be given functions: a savepoint ends that.
            connection.execute("SAVEPOINT changed")
            connection.execute("RELEASE changed")
            return WorkspaceReader(path, info, connection), state
        except BaseException:
            connection.end()
            raise


class _Pinned(sqlite3.Connection):
    """A connection whose transaction lasts until ``end``: SQLAlchemy rolls back whatever it takes back."""

    def rollback(self) -> None:
        pass

    def commit(self) -> None:
        pass

    def close(self) -> None:
        pass

    def end(self) -> None:
        super().rollback()
        super().close()


class WorkspaceReader(IndexReader):
    """A workspace at the revision that its connection sees."""

    def __init__(self, path: Path, info: IndexInfo, connection: _Pinned) -> None:
        self._pinned: Final = connection
        super().__init__(path, info, create_engine(_URL, creator=lambda: connection, poolclass=StaticPool))

    def close(self) -> None:
        super().close()
        self._pinned.end()


def _dialect() -> Any:
    return create_engine(_URL).dialect


def _connect(path: Path, factory: type[Any] = sqlite3.Connection) -> Any:
    """Raises: NotFoundError, and what SQLite raises."""
    if not path.exists():
        raise missing_workspace(path.stem)
    uri = f"{path.absolute().as_uri()}?mode=rw"
    try:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS, factory=factory
        )
    except sqlite3.OperationalError as error:
        raise missing_workspace(path.stem) from error
    try:
        connection.execute("PRAGMA cache_size=-16384")
        connection.execute("PRAGMA temp_store=MEMORY")
    except BaseException:
        connection.close()
        raise
    return connection


def missing_workspace(workspace_id: str, known: Sequence[str] = ()) -> NotFoundError:
    """The error for a workspace that does not exist. ``known``: those that do."""
    there = f" There {'is' if len(known) == 1 else 'are'} {', '.join(known)}." if known else ""
    return NotFoundError(
        f"There is no workspace {workspace_id!r}.{there} Create it with workspace.create, or leave workspace_id out to ask about the "
        "indexed commit.",
        workspace_id=workspace_id,
        known=list(known),
    )


def _state(path: Path, connection: sqlite3.Connection) -> WorkspaceState:
    versions = [_version(connection, table) for table in (BASELINE_VERSION_TABLE, OVERLAY_VERSION_TABLE)]
    if versions != [BASELINE_HEAD, OVERLAY_HEAD]:
        raise StorageError(
            f"The workspace {path.stem!r} was made by another release of CodeMap: call workspace.rebase, which makes it again.",
            path=str(path),
        )
    info = read_info(connection)
    row = connection.execute(
        "SELECT workspace_id, root, follows, revision, created_at, refreshed_at FROM workspace"
    ).fetchone()
    if info is None or row is None:
        raise CorruptIndexError(
            f"The workspace {path.stem!r} is damaged: delete it with workspace.delete.", path=str(path)
        )
    workspace_id, root, follows, revision, created_at, refreshed_at = row
    files = connection.execute("SELECT path, blob_id, size, revision FROM replaced_files ORDER BY path")
    return WorkspaceState(
        workspace_id=workspace_id,
        root=root,
        follows=bool(follows),
        revision=revision,
        created_at=created_at,
        refreshed_at=refreshed_at,
        info=info,
        replaced=tuple(ReplacedFile(*each) for each in files),
    )


def _version(connection: sqlite3.Connection, table: str) -> str:
    row = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
    found = connection.execute(f"SELECT version_num FROM {table}").fetchone() if row is not None else None
    return "" if found is None else str(found[0])


@contextmanager
def _explained(path: Path, *, is_read: bool = False) -> Iterator[None]:
    """``is_read``: nothing is written but the small files that SQLite keeps beside it."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise (_not_read if is_read else _not_written)(path, error) from error
    except (sqlite3.DatabaseError, msgspec.MsgspecError) as error:
        raise CorruptIndexError(
            f"The workspace {path.stem!r} is damaged ({error}): delete it with workspace.delete and create it again.",
            path=str(path),
        ) from error
    except FileNotFoundError as error:
        raise missing_workspace(path.stem) from error


def _not_written(path: Path, error: sqlite3.Error) -> StorageError:
    return StorageError(
        f"The workspace {path.stem!r} could not be written to {path.parent} ({error}); it is as it was before. Free some space there, "
        "correct its permissions, or set CODEMAP_HOME to another folder.",
        path=str(path.parent),
    )


def _not_read(path: Path, error: sqlite3.Error) -> StorageError:
    return StorageError(
        f"The workspace {path.stem!r} in {path.parent} could not be read ({error}): that too needs a small file beside it. Free some space "
        "there, correct its permissions, or set CODEMAP_HOME to another folder.",
        path=str(path.parent),
    )


def _copy(source: Path, target: Path) -> None:
    """A copy that shares its blocks with the source where the file system can do that."""
    if hasattr(os, "copy_file_range"):
        with source.open("rb") as read, target.open("wb") as written:
            left = os.fstat(read.fileno()).st_size
            with suppress(OSError):
                while left and (count := os.copy_file_range(read.fileno(), written.fileno(), left)):
                    left -= count
        if not left:
            return
    shutil.copyfile(source, target)


def _settle(path: Path) -> None:
    """Brings what the log of a workspace holds into its file, as far as nobody reads an older revision, and removes the log. Waits for no
    reader: a server keeps what it has read open for as long as it likes."""
    if path.exists():
        with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.Error):
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    _remove_side_files(path)


def _remove_side_files(path: Path) -> None:
    for each in side_files(path):
        each.unlink(missing_ok=True)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
