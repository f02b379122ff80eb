"""Where vectors are kept: in a database of sqlite-vec where that extension is installed and loads, else in a mapped file. Both answer
alike; a file of the other kind counts as none, and is made again."""

from __future__ import annotations

from pathlib import Path

from codemap_plugins.codeagent.mapped_vectors import MappedVectors
from codemap_plugins.codeagent.sqlite_vectors import SqliteVectors, is_available
from codemap_plugins.codeagent.vectors import VectorContent, VectorHead, VectorStore


def open_vectors(path: Path) -> VectorStore | None:
    """Null when there are none that this installation can read."""
    return SqliteVectors.open(path) if is_available() else MappedVectors.open(path)


def write_vectors(path: Path, head: VectorHead, content: VectorContent) -> None:
    """Raises: OSError."""
    kind = SqliteVectors if is_available() else MappedVectors
    kind.write(path, head, content)
