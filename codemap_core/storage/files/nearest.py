"""Which index another one can be made from. Light: the database library is not loaded."""

from __future__ import annotations

import sqlite3
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Final

from codemap_core.storage.files.examine import examine_baseline, open_read_only

_CONSIDERED: Final = 4
"""Indexes that are compared, those made last."""


def nearest_baseline(path: Path, fingerprint: str, files: AbstractSet[tuple[str, str]]) -> Path | None:
    """The index of another commit, in the folder of ``path``, of a whole repository and of the same fingerprint, that shares most files.
    ``files``: (path, blob id)."""
    best: tuple[int, Path] | None = None
    for each in _others(path)[:_CONSIDERED]:
        if not examine_baseline(each, fingerprint).is_ready:
            continue
        try:
            with open_read_only(each) as connection:
                shared = sum(row in files for row in connection.execute("SELECT path, blob_id FROM files"))
        except sqlite3.Error:
            continue
        if shared and (best is None or shared > best[0]):
            best = (shared, each)
    return best[1] if best is not None else None


def known_sizes(path: Path) -> dict[str, int]:
    """Bytes of the files of another commit, by their blob ids: of the index made last in the folder of ``path``, if there is one."""
    for each in _others(path)[:1]:
        try:
            with open_read_only(each) as connection:
                return dict(connection.execute("SELECT blob_id, size FROM files"))
        except sqlite3.Error:
            break
    return {}


def _others(path: Path) -> list[Path]:
    """Indexes of whole repositories in the folder of ``path``, those made last first."""
    others = [each for each in path.parent.glob("*.db") if each != path and "-" not in each.stem]
    return sorted(others, key=_made, reverse=True)


def _made(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
