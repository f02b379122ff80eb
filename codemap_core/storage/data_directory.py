"""The contents of the data directory, and what can be removed: indexes, and what killed builds left unfinished.

Reading changes nothing. Removing takes each index's own lock first, so that no file goes which a running build makes or replaces; an
index that a server has open stays readable to it.
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
from codemap_core.storage.examine import IndexState, damage_mark, examine_baseline
from codemap_core.storage.lock import LOCK_SUFFIX, TEMPORARY_SUFFIX, is_locked, lock_if_free, unwritable
from codemap_core.storage.unit_cache import UnitCache

VECTORS_SUFFIX: Final = ".vectors"
_REPOSITORY_FILE: Final = "repository.json"


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
    """Bytes."""
    made_at: datetime
    state: IndexState
    problem: str
    """Why it is not ready; empty when it is."""
    in_use: bool
    """A build that replaces it is running."""


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
                    size=status.st_size,
                    made_at=datetime.fromtimestamp(status.st_mtime, UTC),
                    state=examined.state,
                    problem=examined.problem,
                    in_use=is_locked(path),
                )
            )
    return tuple(sorted(found, key=lambda each: (each.repository, each.repo_id, -each.made_at.timestamp(), each.path)))


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
) -> tuple[Removal, ...]:
    """The files that can be removed, leftovers first: those of no running build; indexes that are not usable or not current (one of
    another schema may be upgraded, or belong to a newer release); and indexes made before a time and beyond the ``keep`` newest of their
    repository, where these are given."""
    found = [Removal(each.path, each.size, Reason.LEFTOVER) for each in left if not each.in_use]
    kept: dict[str, int] = {}
    for each in sorted(indexes, key=lambda index: -index.made_at.timestamp()):
        if each.in_use:
            continue
        if each.state not in (IndexState.READY, IndexState.OTHER_SCHEMA):
            found.append(Removal(each.path, each.size, Reason.UNUSABLE, each.problem))
            continue
        rank = kept[each.repo_id] = kept.get(each.repo_id, 0) + 1
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
                    damage_mark(index).unlink(missing_ok=True)
                    vectors_beside(index).unlink(missing_ok=True)
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


def vectors_beside(index: Path) -> Path:
    """Where vectors that are made from an index are kept: they go when it goes."""
    return index.with_name(f"{index.name}{VECTORS_SUFFIX}")


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
