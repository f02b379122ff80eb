"""What the pipeline reads a state of a repository from: the files of a commit, or those with edits on top."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from codemap_core.model import Blob
from codemap_core.repository.commit_files import SkippedFiles


class RepositoryFiles(Protocol):
    """A ``FileSet`` that knows the blob of each file without reading it. Equal blob ids mean equal bytes."""

    blobs: tuple[Blob, ...]
    """Of ``paths``, in their order."""
    skipped: SkippedFiles
    label: str
    """What a message calls this state: ``commit 1a2b3c4d5e6f``, ``commit 1a2b3c4d5e6f with edits``."""

    @property
    def paths(self) -> Sequence[str]: ...

    @property
    def all_paths(self) -> Sequence[str]: ...

    def exists(self, path: str) -> bool: ...

    def blob(self, path: str) -> Blob | None:
        """A file of the whole repository; null when it has none of that path."""
        ...

    def read(self, path: str) -> bytes:
        """Raises: KeyError when there is none."""
        ...

    def read_many(self, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """(path, bytes) in the order asked for; what cannot be read is left out."""
        ...
