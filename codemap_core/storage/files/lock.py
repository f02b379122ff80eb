"""One builder per index file, one writer per shared file: a lock that the operating system frees when its holder dies.

The lock is on ``<index>.lock`` beside the index (flock, on Windows a byte-range lock). Only who holds it may create
or remove the temporary files of that index, so what a dead builder left can be told from a live builder's work
without looking at process ids.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from codemap_core.storage.files.durable_files import TEMPORARY_SUFFIX, unwritable

LOCK_SUFFIX: Final = ".lock"
_POLL_SECONDS: Final = 0.1

_held: Final[set[int]] = set()
"""Descriptors of the locks that this process holds."""

WaitCallback = Callable[[float], None]
"""Called about ten times a second with the seconds waited; may raise to stop waiting."""

if sys.platform == "win32":  # pragma: no cover - exercised on Windows only
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _forget_inherited_locks() -> None:
    """In a forked worker: the lock is its parent's, and must be free as soon as that is dead."""
    for descriptor in _held:
        os.close(descriptor)
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_inherited_locks)


class BuildLock:
    """The right to build the index at ``path``. Obtained by ``build_lock``."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path


@contextmanager
def build_lock(path: Path, on_wait: WaitCallback | None = None) -> Iterator[BuildLock]:
    """Waits for the right to build the index at ``path``; what earlier builders left half-made in that folder is
    removed. After waiting, look again whether the index exists. Raises: StorageError when the folder cannot be
    written."""
    with file_lock(path, on_wait):
        _remove_abandoned(path)
        yield BuildLock(path)


@contextmanager
def build_lock_if_free(path: Path) -> Iterator[BuildLock | None]:
    """As ``build_lock``, without waiting; null when somebody else has that right. Raises: StorageError."""
    with ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            is_ours = held.enter_context(lock_if_free(path))
        except OSError as error:
            raise unwritable(path, error) from error
        if is_ours:
            _remove_abandoned(path)
        yield BuildLock(path) if is_ours else None


@contextmanager
def file_lock(path: Path, on_wait: WaitCallback | None = None) -> Iterator[None]:
    """Waits for the right to change the file at ``path``, which need not exist. Raises: StorageError when its folder
    cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = _acquire(_lock_file(path), on_wait)
    except OSError as error:
        raise unwritable(path, error) from error
    try:
        yield
    finally:
        _release(_lock_file(path), descriptor)


@contextmanager
def lock_if_free(path: Path) -> Iterator[bool]:
    """Takes the right to change the file at ``path`` when nobody has it, without waiting; says whether it has it now. Raises: OSError
    when its folder cannot be written."""
    descriptor = _try_acquire(_lock_file(path))
    try:
        yield descriptor is not None
    finally:
        if descriptor is not None:
            _release(_lock_file(path), descriptor)


def is_locked(path: Path) -> bool:
    """Whether a living process has the right to change the file at ``path``. Changes nothing."""
    try:
        descriptor = os.open(_lock_file(path), os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return False
    try:
        return not _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _lock_file(path: Path) -> Path:
    return path.with_name(path.name + LOCK_SUFFIX)


def _acquire(lock_file: Path, on_wait: WaitCallback | None) -> int:
    started = time.monotonic()
    while True:
        descriptor = _try_acquire(lock_file)
        if descriptor is not None:
            return descriptor
        if on_wait is not None:
            on_wait(time.monotonic() - started)
        time.sleep(_POLL_SECONDS)


def _try_acquire(lock_file: Path) -> int | None:
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    if _try_lock(descriptor) and _is_current(descriptor, lock_file):
        _held.add(descriptor)
        return descriptor
    os.close(descriptor)
    return None


def _is_current(descriptor: int, lock_file: Path) -> bool:
    """False when the holder before us removed the file that we have locked."""
    try:
        return os.path.samestat(os.fstat(descriptor), lock_file.stat())
    except FileNotFoundError:
        return False


def _release(lock_file: Path, descriptor: int) -> None:
    if descriptor not in _held:  # released by a fork: the lock is the parent's
        return
    _held.discard(descriptor)
    if sys.platform == "win32":  # pragma: no cover - an open file cannot be removed there
        os.close(descriptor)
        with suppress(OSError):
            lock_file.unlink()
        return
    with suppress(OSError):
        lock_file.unlink()
    os.close(descriptor)


def _remove_abandoned(path: Path) -> None:
    """Removes half-made files whose builder no longer holds its lock."""
    for leftover in path.parent.glob(f"*.db.*{TEMPORARY_SUFFIX}*"):
        index_name = leftover.name.rpartition(".db.")[0] + ".db"
        if index_name == path.name:
            leftover.unlink(missing_ok=True)
            continue
        lock_file = _lock_file(path.with_name(index_name))
        descriptor = _try_acquire(lock_file)
        if descriptor is not None:
            with suppress(OSError):
                leftover.unlink(missing_ok=True)
            _release(lock_file, descriptor)
