"""Which indexed files are on disk as they were indexed: for each file a stat, and its content only when the stat is not one that was seen
before. No git process runs.

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
from weakref import WeakKeyDictionary

from msgspec import Struct

from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_core.storage.reader import IndexReader

_SETTLED: Final = 0.1
"""Seconds after which a change of a file shows in its stat for sure. A younger file is read each time."""


class _Seen(Struct, frozen=True):
    """A file as it was when it was last read: its stat, and the digests that its committed content may have."""

    signature: tuple[int, int, int, int]
    digests: tuple[str, ...]


class WorkingCopy:
    """The checked-out files of one repository. Keep it: what it has read it remembers. Safe to use from several threads."""

    def __init__(self, repository: Repository) -> None:
        self._root: Final = str(repository.root)
        self._is_bare: Final = repository.is_bare
        self._is_sparse: Final = (repository.git_dir / "info" / "sparse-checkout").exists()
        self._seen: dict[str, _Seen] = {}
        self._indexed: WeakKeyDictionary[IndexReader, dict[str, tuple[str, int]]] = WeakKeyDictionary()
        self._lock = threading.Lock()

    def differing(self, snapshot: Snapshot, file_paths: Iterable[str]) -> tuple[str, ...]:
        """Those of the files that are not on disk as they were indexed: edited, removed, or of another commit. None of a bare
        repository."""
        wanted = tuple(dict.fromkeys(file_paths))
        if self._is_bare or not wanted:
            return ()
        with self._lock:
            indexed = self._indexed.setdefault(snapshot.reader, {})
            missing = [path for path in wanted if path not in indexed]
            if missing:
                indexed |= snapshot.reader.file_digests(missing)
            return tuple(path for path in wanted if path in indexed and self._differs(path, *indexed[path]))

    def _differs(self, path: str, digest: str, size: int) -> bool:
        full = f"{self._root}/{path}"
        try:
            status = os.lstat(full)
        except OSError:
            return not self._is_sparse  # a sparse checkout leaves files out
        if not stat.S_ISREG(status.st_mode):
            return True
        signature = (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
        seen = self._seen.get(path)
        if seen is not None and seen.signature == signature:
            return digest not in seen.digests
        if not digest or status.st_size > 2 * size:  # line ends at most double the size; a skipped file has no digest
            return bool(digest)
        try:
            content = Path(full).read_bytes()
        except OSError:
            return True
        digests = tuple({hashlib.sha256(text).hexdigest() for text in (content, content.replace(b"\r\n", b"\n"))})
        if time.time() - status.st_mtime > _SETTLED:
            self._seen[path] = _Seen(signature, digests)
        return digest not in digests
