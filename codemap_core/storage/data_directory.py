"""The contents of the data directory, and what can be removed: indexes, workspaces, and what killed builds left unfinished.

Reading changes nothing. Removing takes each file's own lock first, so that none goes which a running build or refresh makes or replaces;
one that a server has open stays readable to it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.config import IndexScope, Settings
from codemap_core.errors import NotFoundError, StorageError
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.beside import VECTORS_SUFFIX, kept_beside, size_on_disk
from codemap_core.storage.files.durable_files import TEMPORARY_SUFFIX, unwritable
from codemap_core.storage.files.examine import IndexState, examine_baseline
from codemap_core.storage.files.lock import LOCK_SUFFIX, is_locked, lock_if_free
from codemap_core.storage.sharing.unit_cache import UnitCache

_REPOSITORY_FILE: Final = "repository.json"


def make_data_directory(settings: Settings) -> None:
    """Creates the data directory for this user alone, as it holds the text of what is indexed; one that exists keeps its permissions. What
    is in the way is said by whoever writes into it."""
    with suppress(OSError):
        settings.data_directory.mkdir(mode=0o700, parents=True, exist_ok=True)


class IndexFile(Struct, frozen=True, kw_only=True):
    """One index in the data directory."""

    path: Path
    repo_id: str
    repository: str
    """Where the repository was when it was last indexed; empty when that is not known."""
    commit_sha: str
    scope: IndexScope | None
    """Null when the file does not say it."""
    size: int
    """Bytes, with what is kept beside it."""
    made_at: datetime
    state: IndexState
    problem: str
    """Why it is not ready; empty when it is."""
    in_use: bool
    """A build that replaces it is running."""


class WorkspaceFile(Struct, frozen=True, kw_only=True):
    """One workspace in the data directory. What cannot be read is empty or 0."""

    path: Path
    repo_id: str
    workspace_id: str
    root: str
    """The working tree that it shows edits of."""
    is_orphan: bool
    """That working tree is not there any more."""
    follows: bool
    """It was made by itself for its working tree."""
    commit_sha: str
    revision: int
    changed_files: int
    """Files that it shows otherwise than its commit."""
    size: int
    """Bytes."""
    refreshed_at: datetime
    problem: str
    """Why it cannot be read; empty if it can."""
    is_damaged: bool
    """It can never be read again; otherwise another release may, or the next refresh makes it again."""
    in_use: bool
    """It is being refreshed."""


class Leftover(Struct, frozen=True):
    """A file that a killed build left, or that a running one is making."""

    path: Path
    size: int
    in_use: bool


class Reason(StrEnum):
    """Why something can go."""

    LEFTOVER = "left by a killed build"
    UNUSABLE = "not usable"
    OLD = "older than asked for"
    SUPERSEDED = "newer ones are kept"
    UNWANTED = "asked to go"
    ORPHAN = "its working tree is gone"


class Removal(Struct, frozen=True):
    """A file that can go."""

    path: Path
    size: int
    reason: Reason
    detail: str = ""


class _RepositoryRecord(Struct, frozen=True):
    root: str


def index_files(settings: Settings, fingerprint: str | None = None) -> tuple[IndexFile, ...]:
    """Every index, by repository, the newest first. ``fingerprint``: what this program would build with."""
    found = []
    for path in settings.baselines_directory.glob("*/*.db"):
        with suppress(FileNotFoundError):
            status = path.stat()
            examined = examine_baseline(path, fingerprint)
            info = examined.info
            found.append(
                IndexFile(
                    path=path,
                    repo_id=path.parent.name,
                    repository=_repository_root(path.parent),
                    commit_sha=path.stem.partition("-")[0],
                    scope=None if info is None else IndexScope(info.subtree, info.solution),
                    size=size_on_disk(path),
                    made_at=datetime.fromtimestamp(status.st_mtime, UTC),
                    state=examined.state,
                    problem=examined.problem,
                    in_use=is_locked(path),
                )
            )
    return tuple(sorted(found, key=lambda each: (each.repository, each.repo_id, -each.made_at.timestamp(), each.path)))


def workspace_files(settings: Settings) -> tuple[WorkspaceFile, ...]:
    """Every workspace, by working tree and id."""
    from codemap_core.storage.workspace_file import read_workspace

    found = []
    for path in settings.overlays_directory.glob("*/*.db"):
        with suppress(FileNotFoundError):
            status = path.stat()
            changed = datetime.fromtimestamp(status.st_mtime, UTC)
            state, problem, is_damaged = None, "", False
            try:
                state = read_workspace(path)
            except NotFoundError:
                continue
            except StorageError as error:
                problem, is_damaged = error.message, isinstance(error, CorruptIndexError)
            found.append(
                WorkspaceFile(
                    path=path,
                    repo_id=path.parent.name,
                    workspace_id=path.stem if state is None else state.workspace_id,
                    root="" if state is None else state.root,
                    is_orphan=state is not None and not Path(state.root).is_dir(),
                    follows=state is not None and state.follows,
                    commit_sha="" if state is None else state.info.commit_sha,
                    revision=0 if state is None else state.revision,
                    changed_files=0 if state is None else len(state.replaced),
                    size=size_on_disk(path),
                    refreshed_at=changed if state is None else datetime.fromisoformat(state.refreshed_at),
                    problem=problem,
                    is_damaged=is_damaged,
                    in_use=is_locked(path),
                )
            )
    return tuple(sorted(found, key=lambda each: (each.root, each.workspace_id, each.path)))


def removable_workspaces(
    workspaces: Sequence[WorkspaceFile], refreshed_before: datetime | None = None
) -> tuple[Removal, ...]:
    """The workspaces that can be removed: of a working tree that is gone, damaged ones, and those last refreshed before a time."""
    found = []
    for each in workspaces:
        if each.in_use:
            continue
        if each.is_orphan:
            found.append(Removal(each.path, each.size, Reason.ORPHAN, each.root))
        elif each.is_damaged:
            found.append(Removal(each.path, each.size, Reason.UNUSABLE, each.problem))
        elif refreshed_before is not None and each.refreshed_at < refreshed_before:
            found.append(Removal(each.path, each.size, Reason.OLD))
    return tuple(found)


def leftovers(settings: Settings) -> tuple[Leftover, ...]:
    """Half-made files, locks, and marks of files that are gone, by path."""
    found = []
    for path in sorted(_leftover_files(settings)):
        with suppress(FileNotFoundError):
            found.append(Leftover(path, path.stat().st_size, is_locked(_locked_file(path))))
    return tuple(found)


def removable(
    indexes: Sequence[IndexFile],
    left: Sequence[Leftover],
    *,
    made_before: datetime | None = None,
    keep: int | None = None,
    workspaces: Sequence[WorkspaceFile] = (),
) -> tuple[Removal, ...]:
    """The files that can be removed, leftovers first: those of no running build; indexes that are not usable or not current (one of
    another schema may be upgraded, or belong to a newer release); and indexes made before a time and beyond the ``keep`` newest of their
    repository, where these are given, unless one of ``workspaces`` is based on them."""
    bases = {(each.repo_id, each.commit_sha) for each in workspaces}
    found = [Removal(each.path, each.size, Reason.LEFTOVER) for each in left if not each.in_use]
    kept: dict[str, int] = {}
    for each in sorted(indexes, key=lambda index: -index.made_at.timestamp()):
        if each.in_use:
            continue
        if each.state not in (IndexState.READY, IndexState.OTHER_SCHEMA):
            found.append(Removal(each.path, each.size, Reason.UNUSABLE, each.problem))
            continue
        rank = kept[each.repo_id] = kept.get(each.repo_id, 0) + 1
        if (each.repo_id, each.commit_sha) in bases:
            continue
        is_old = made_before is not None and each.made_at < made_before
        is_beyond = keep is not None and rank > keep
        if is_old and (keep is None or is_beyond):
            found.append(Removal(each.path, each.size, Reason.OLD))
        elif is_beyond and made_before is None:
            found.append(Removal(each.path, each.size, Reason.SUPERSEDED))
    return tuple(found)


def remove(removals: Sequence[Removal]) -> tuple[Removal, ...]:
    """Removes files and returns those that were removed. A file that a build started to use in the meantime stays. Raises: StorageError."""
    gone = []
    for each in removals:
        index = _locked_file(each.path)
        try:
            with lock_if_free(index) as is_mine:
                if not is_mine:
                    continue
                if each.path.suffix != LOCK_SUFFIX:  # the lock's file goes when it is given back
                    each.path.unlink(missing_ok=True)
                if each.path == index:
                    for beside in kept_beside(index):
                        beside.unlink(missing_ok=True)
            gone.append(each)
        except OSError as error:
            raise unwritable(each.path, error) from error
        _remove_empty(each.path.parent)
    return tuple(gone)


def forget_units(settings: Settings, used_before: datetime) -> int:
    """Drops analysed files that no run has used since a time from the cache; the bytes that this freed. Any number of files may be in
    use by a running build: it analyses again what it misses."""
    cache = UnitCache.open(settings.cache_directory) if settings.cache_directory.is_dir() else None
    if cache is None:
        return 0
    before = _size_of(settings.cache_directory)
    cache.forget(int(used_before.timestamp()))
    cache.close()
    return max(0, before - _size_of(settings.cache_directory))


def cache_size(settings: Settings) -> int:
    """Bytes of everything that is cached."""
    return _size_of(settings.cache_directory)


def probe(settings: Settings) -> Path:
    """Tries to write to the data directory, or where it would be made; the folder that was written to. Raises: StorageError."""
    folder = settings.data_directory
    existing = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(b"codemap")
    except OSError as error:
        raise unwritable(folder / "probe", error) from error
    return existing


def remember_repository(index: Path, root: Path) -> None:
    """Notes beside an index where its repository is, for ``index_files``. Does nothing where that cannot be written."""
    note = index.parent / _REPOSITORY_FILE
    record = msgspec.json.encode(_RepositoryRecord(str(root)))
    with suppress(OSError):
        if not note.is_file() or note.read_bytes() != record:
            note.write_bytes(record)


def _repository_root(folder: Path) -> str:
    try:
        return msgspec.json.decode((folder / _REPOSITORY_FILE).read_bytes(), type=_RepositoryRecord).root
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return ""


def _leftover_files(settings: Settings) -> Iterator[Path]:
    for folder in (settings.baselines_directory, settings.overlays_directory):
        yield from folder.glob(f"*/*.db.*{TEMPORARY_SUFFIX}*")
        yield from folder.glob(f"*/*.db{LOCK_SUFFIX}")
        for beside in (".damaged", VECTORS_SUFFIX):
            yield from (mark for mark in folder.glob(f"*/*.db{beside}") if not _locked_file(mark).exists())
    yield from settings.data_directory.glob(f"*{TEMPORARY_SUFFIX}")
    yield from settings.data_directory.glob(f"*{LOCK_SUFFIX}")


def _locked_file(path: Path) -> Path:
    """The file whose lock says whether ``path`` is in use: the index that a leftover belongs to, or the file itself."""
    head, found, _ = path.name.rpartition(".db.")
    if found:
        return path.with_name(f"{head}.db")
    return path.with_name(path.name.removesuffix(LOCK_SUFFIX))


def _remove_empty(folder: Path) -> None:
    """Removes a repository's folder that holds no index any more."""
    with suppress(OSError):
        if not any(each.name != _REPOSITORY_FILE for each in folder.iterdir()):
            (folder / _REPOSITORY_FILE).unlink(missing_ok=True)
            folder.rmdir()


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0
