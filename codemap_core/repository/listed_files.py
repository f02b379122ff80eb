"""Files of one state of a repository by path: what every such state answers without reading a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from codemap_core.model import Blob


class ListedFiles:
    """``paths`` and ``blobs`` hold the folder ``subtree``, all of the repository where that is empty; ``all_paths``, ``exists`` and
    ``blob`` reach the whole repository, which evaluating a project needs (its properties may be set in folders above)."""

    def __init__(self, files: Mapping[str, Blob], subtree: str) -> None:
        self.files: Final = files
        """By path: of the whole repository, in path order."""
        inside = f"{subtree}/" if subtree else ""
        self.blobs: tuple[Blob, ...] = tuple(blob for path, blob in files.items() if path.startswith(inside))
        self._paths: Final = tuple(blob.path for blob in self.blobs)
        self._all_paths: Final = tuple(files) if inside else self._paths

    @property
    def paths(self) -> Sequence[str]:
        return self._paths

    @property
    def all_paths(self) -> Sequence[str]:
        return self._all_paths

    def exists(self, path: str) -> bool:
        return path in self.files

    def blob(self, path: str) -> Blob | None:
        """A file of the whole repository; null when it has none of that path."""
        return self.files.get(path)
