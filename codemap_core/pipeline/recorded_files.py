"""Files of which it is known whose contents somebody asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from codemap_core.model import Blob
from codemap_core.repository import RepositoryFiles


class RecordedFiles:
    """``RepositoryFiles`` that note in ``read_paths`` whose contents were asked for."""

    def __init__(self, files: RepositoryFiles) -> None:
        self._files: Final = files
        self.blobs = files.blobs
        self.skipped = files.skipped
        self.label = files.label
        self.read_paths: Final[set[str]] = set()

    @property
    def paths(self) -> Any:
        return self._files.paths

    @property
    def all_paths(self) -> Any:
        return self._files.all_paths

    def exists(self, path: str) -> bool:
        return self._files.exists(path)

    def blob(self, path: str) -> Blob | None:
        self.read_paths.add(path)
        return self._files.blob(path)

    def read(self, path: str) -> bytes:
        self.read_paths.add(path)
        return self._files.read(path)

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        wanted = tuple(paths)
        self.read_paths.update(wanted)
        return self._files.read_many(wanted)
