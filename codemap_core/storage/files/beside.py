"""Files that stand beside an index or a workspace, and go with it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codemap_core.storage.files.examine import damage_mark

VECTORS_SUFFIX: Final = ".vectors"


def vectors_beside(index: Path) -> Path:
    """Where vectors that are made from an index are kept: they go when it goes."""
    return index.with_name(f"{index.name}{VECTORS_SUFFIX}")


def side_files(path: Path) -> tuple[Path, ...]:
    """What SQLite keeps beside a workspace."""
    return tuple(path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm"))


def size_on_disk(index: Path) -> int:
    """Bytes of an index or a workspace and of what goes with it."""
    return sum(map(_size_of_file, (index, *kept_beside(index))))


def kept_beside(index: Path) -> tuple[Path, ...]:
    """What goes when an index or a workspace goes, there or not."""
    return (damage_mark(index), vectors_beside(index), *side_files(index))


def _size_of_file(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
