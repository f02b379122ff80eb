"""Which indexed files are on disk as they were indexed: for each file a stat, and its content only when the stat is neither one that was
seen before nor the one that git remembers of the indexed content. No git process runs.

A file counts as unchanged when its bytes are the committed ones, or would be with line ends as git checks them out.
"""

from __future__ import annotations

import hashlib
import os
import stat
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_core.repository.staged_files import FileStat, StagedFile, file_stat, read_staged_files
from codemap_core.storage.reading.file_contents import FileContent

_SETTLED: Final = 0.1
"""Seconds after which a change of a file shows in its stat for sure. A younger file is read each time."""


class _Seen(Struct, frozen=True):
    """A file as it was when it was last looked at: its stat, and the digests that its committed content may have."""

    stat: FileStat
    digests: tuple[str, ...]


class WorkingCopy:
    """The checked-out files of one repository. Keep it: what it has read it remembers. Safe to use from several threads."""

    def __init__(self, repository: Repository) -> None:
        self.repository: Final = repository
        self._root: Final = str(repository.root)
        self._is_bare: Final = repository.is_bare
        self._is_sparse: Final = (repository.git_dir / "info" / "sparse-checkout").exists()
        self._index: Final = repository.git_dir / "index"
        self._staged: dict[str, StagedFile] = {}
        self._staged_at: tuple[int, int] | None = None
        """Inode and time of git's index when it was read."""
        self._seen: dict[str, _Seen] = {}
        self._lock = threading.Lock()

    def differing(self, snapshot: Snapshot, file_paths: Iterable[str]) -> tuple[str, ...]:
        """Those of the files that are not on disk as they were indexed: edited, removed, or of another commit. None of a bare
        repository."""
        wanted = tuple(dict.fromkeys(file_paths))
        if self._is_bare or not wanted:
            return ()
        indexed = snapshot.reader.contents.of(wanted)
        with self._lock:
            return tuple(path for path in wanted if path in indexed and self._differs(path, indexed[path]))

    def prepare(self, snapshot: Snapshot) -> None:
        """Reads what git remembers, so that the first question need not."""
        with self._lock:
            self._read_index(len(snapshot.commit_sha))

    def _differs(self, path: str, indexed: FileContent) -> bool:
        full = f"{self._root}/{path}"
        try:
            status = os.lstat(full)
        except OSError:
            return not self._is_sparse  # a sparse checkout leaves files out
        if not stat.S_ISREG(status.st_mode):
            return True
        if not indexed.digest:  # a file that was not read
            return False
        found = file_stat(status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
        seen = self._seen.get(path)
        if seen is not None and seen.stat == found:
            return indexed.digest not in seen.digests
        if self._is_staged(path, indexed.blob_id, found):
            return False
        if status.st_size > 2 * indexed.size:  # line ends at most double the size
            return True
        try:
            content = Path(full).read_bytes()
        except OSError:
            return True
        digests = tuple({hashlib.sha256(text).hexdigest() for text in (content, content.replace(b"\r\n", b"\n"))})
        if time.time() - status.st_mtime > _SETTLED:
            self._seen[path] = _Seen(found, digests)
        return indexed.digest not in digests

    def _is_staged(self, path: str, blob_id: str, found: FileStat) -> bool:
        """Whether git knows that a file of this stat is the blob as it checks it out."""
        self._read_index(len(blob_id))
        staged = self._staged.get(path)
        return staged is not None and staged.blob_id == blob_id and staged.stat in (found, found._replace(inode=0))

    def _read_index(self, digits: int) -> None:
        """``digits``: of an object id of this repository."""
        try:
            status = self._index.stat()
        except OSError:
            return
        if self._staged_at != (status.st_ino, status.st_mtime_ns):
            self._staged = read_staged_files(self._index, digits // 2)
            self._staged_at = (status.st_ino, status.st_mtime_ns)
