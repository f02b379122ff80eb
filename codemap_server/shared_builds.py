"""Builds that questions start: those that want the same commit share one, and each can be cancelled by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from codemap_core.errors import CancelledError
from codemap_server.build_process import BuildRequest, build
from codemap_server.calls import CallControl

if TYPE_CHECKING:
    from codemap_core.repository import Repository

_POLL: Final = 0.1


class SharedBuilds:
    """One build at a time for each commit of each repository. Whoever comes first builds, the others wait; when the builder's call is
    cancelled, the next one goes on, from what is in the cache by then."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[tuple[str, str], threading.Lock] = {}

    def ensure(self, repository: Repository, commit: str, is_there: Callable[[], bool], control: CallControl) -> None:
        """Builds the index of the whole of a full commit id, unless ``is_there`` says that another call has done so in the meantime.
        Raises: CancelledError, and what a build raises."""
        with self._lock:
            turn = self._turns.setdefault((repository.repo_id, commit), threading.Lock())
        started = time.monotonic()
        while not turn.acquire(timeout=_POLL):
            if control.cancelled.is_set():
                raise CancelledError("The call was cancelled while the commit was being indexed.")
            control.progress("waiting for another call that indexes this commit", int(time.monotonic() - started), 0)
        try:
            if not is_there():
                build(BuildRequest(str(repository.root), commit), control)
        finally:
            turn.release()
