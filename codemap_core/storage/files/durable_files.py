"""Files of the data directory as they are written: beside their place under a name of their own, then put there in one step that
survives a loss of power; and the errors for what cannot be written.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from codemap_core.errors import StorageError

TEMPORARY_SUFFIX: Final = ".building"


def unwritable(path: Path, error: OSError) -> StorageError:
    """The error to raise when the folder of ``path`` cannot be written."""
    return StorageError(
        f"The folder {path.parent} cannot be written ({error.strerror or error}): correct its permissions, "
        "free some space, or set CODEMAP_HOME to another folder.",
        path=str(path.parent),
    )


def not_written(path: Path, error: BaseException) -> StorageError:
    """The error to raise when SQLite could not write the index at ``path``."""
    return StorageError(
        f"The index could not be written to {path.parent} ({error}): free some space there, "
        "correct its permissions, or set CODEMAP_HOME to another folder.",
        path=str(path.parent),
    )


def temporary_file(path: Path) -> Path:
    """A name for a half-made file beside ``path`` that no other process uses."""
    return path.with_name(f"{path.name}.{os.getpid()}-{time.monotonic_ns()}{TEMPORARY_SUFFIX}")


@contextmanager
def written(target: Path) -> Iterator[Callable[[bytes], None]]:
    """Writes a file in parts. Raises: StorageError."""
    try:
        with target.open("wb") as sink:

            def write(part: bytes) -> None:
                try:
                    sink.write(part)
                except OSError as error:
                    raise unwritable(target, error) from error

            yield write
    except OSError as error:
        raise unwritable(target, error) from error


def put_in_place(temporary: Path, path: Path) -> None:
    """Makes a finished file visible at ``path`` in one step that survives a loss of power. Raises: OSError."""
    make_durable(temporary)
    temporary.replace(path)
    make_durable(path.parent)


def make_durable(path: Path) -> None:
    """Flushes a file, or the entries of a folder where the system allows it, to the disk. Raises: OSError. A disk tells of what it lost
    once, and not to whoever flushes the file after that."""
    try:
        descriptor = os.open(path, os.O_RDONLY if path.is_dir() or os.name != "nt" else os.O_RDWR)
    except PermissionError:  # a folder, on Windows
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
