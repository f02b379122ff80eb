"""The checked-out files of a repository: which of them differ from an index (``WorkingCopy``), and which from HEAD. About the latter git is
not asked again where the system tells that nothing has changed since (``folder_events``).

Invariant: what was found is given again only while HEAD and git's index are as they were, nothing was told of a folder that the commit has,
and all that differed lies in these; and no longer than ``TRUSTED_SECONDS``, for the sake of what is not told: changed rules of what git
ignores outside the tree, the first file in a folder that was empty.
"""

from __future__ import annotations

import threading
import time
from typing import Final

from codemap_core.queries.indexes.working_copy import WorkingCopy
from codemap_core.repository import Repository
from codemap_server.folder_events import FolderEvents
from codemap_server.tree_looks import TRUSTED_SECONDS

_Mark = tuple[bytes, int, int, int]


class CheckedOutFiles:
    """Keep it: what it has found it remembers. Safe to use from several threads."""

    def __init__(self, repository: Repository) -> None:
        self.working_copy: Final = WorkingCopy(repository)
        self._repository: Final = repository
        self._lock: Final = threading.Lock()
        self._events: FolderEvents | None = None
        self._head: bytes = b""
        """Whose folders are listened to."""
        self._folders: frozenset[str] = frozenset()
        """Relative to the root."""
        self._found: tuple[str, ...] = ()
        self._mark: _Mark | None = None
        """What git's files were when that was found; null where it holds for that moment alone."""
        self._asked_at = 0.0

    def uncommitted(self) -> tuple[str, ...]:
        """As ``Repository.changed_files``."""
        with self._lock:
            mark = self._marked()
            told = self._events.since_last() if self._events is not None else None
            is_fresh = time.monotonic() - self._asked_at < TRUSTED_SECONDS
            if told is not None and not told and is_fresh and mark is not None and mark == self._mark:
                return self._found
            if mark is not None and (told is None or mark[0] != self._head):
                self._listen(mark[0])
            self._asked_at = time.monotonic()
            self._found = self._repository.changed_files()
            is_told = all(path.rpartition("/")[0] in self._folders for path in self._found)
            self._mark = mark if is_told else None
            return self._found

    def close(self) -> None:
        with self._lock:
            self._mark = None
            self._end_listening()

    def _marked(self) -> _Mark | None:
        head = self._repository.head_state()
        try:
            index = (self._repository.git_dir / "index").stat()
        except OSError:
            return None
        return None if head is None else (head, index.st_ino, index.st_mtime_ns, index.st_size)

    def _listen(self, head: bytes) -> None:
        self._end_listening()
        root = str(self._repository.root)
        self._head, self._folders = head, frozenset(self._repository.folders())
        places = (f"{root}/{folder}" if folder else root for folder in self._folders)
        self._events = FolderEvents.of(root, places)

    def _end_listening(self) -> None:
        if self._events is not None:
            self._events.close()
            self._events = None
