"""Builds that calls start. The index process makes the index of a commit where it knows an earlier one; a process of its own does so
elsewhere. Questions that want the same commit share one build, and each can be cancelled by itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from codemap_core.errors import CancelledError
from codemap_server.build_process import BuildRequest, build
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess, NextRequest

if TYPE_CHECKING:
    from codemap_core.queries.views.repository import BaselineReport
    from codemap_core.repository import Repository

_POLL: Final = 0.1


class SharedBuilds:
    """One build at a time for each commit of each repository. Whoever comes first builds, the others wait; when the builder's call is
    cancelled, the next one goes on, from what is in the cache by then."""

    def __init__(self, process: IndexProcess) -> None:
        self._process: Final = process
        self._lock = threading.Lock()
        self._turns: dict[tuple[str, str], threading.Lock] = {}

    def build(self, repository: Repository, commit: str, solution: str, control: CallControl) -> BaselineReport:
        """The index of a full commit id, of the folder that a repository was opened at and of a solution, or of all projects where that is
        empty. Raises: CancelledError, and what ``pipeline.ensure_baseline`` raises."""
        if not solution and not repository.subtree:
            request = NextRequest(str(repository.root), commit)
            if (report := self._process.continue_baseline(request, control)) is not None:
                return report
        return build(BuildRequest(str(repository.root / repository.subtree), commit, solution), control)

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
                self.build(repository.whole(), commit, "", control)
        finally:
            turn.release()
