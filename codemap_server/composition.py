"""The composition root: the only place that wires settings, plug-ins, repositories and indexes together.

Everything heavy (git, the database) is imported when the first call needs it. Repositories and open indexes are kept
and shared by all calls of the process; both are safe to use from several threads.
"""

from __future__ import annotations

import logging
import threading
import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codemap_core.config import Settings, home_folder
from codemap_core.errors import (
    InvalidArgumentError,
    NotFoundError,
    StorageError,
)
from codemap_core.hooks.manager import PluginHost
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess
from codemap_server.open_indexes import OpenIndexes
from codemap_server.shared_builds import SharedBuilds

if TYPE_CHECKING:
    from codemap_core.pipeline.complexity import ComplexityOfFiles
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_core.storage.files.examine import Examination
    from codemap_server.checked_out import CheckedOutFiles
    from codemap_server.working_tree import WorkingTree

SAVINGS_INTERVAL: Final = 30.0
"""Seconds between two updates of the running total of saved tokens."""

_log = logging.getLogger(__name__)


class Composition:
    """``start``: the folder the process stands for; the repository around it, if any, is the one that calls without
    ``repo_path`` mean."""

    def __init__(self, settings: Settings, host: PluginHost, start: Path) -> None:
        self.settings = settings
        self.auto_index = settings.auto_index
        """Build the index that a question lacks before it is answered."""
        self.index_process = IndexProcess()
        self.builds = SharedBuilds(self.index_process)
        self.live = False
        """Questions that name no commit see the working tree as it is."""
        self._working_trees: dict[Path, WorkingTree] = {}
        self.host = host
        self._start = start
        self._lock = threading.RLock()
        self._repositories: dict[str, Repository] = {}
        self.indexes = OpenIndexes(settings, host)
        self._checked_out: dict[Path, CheckedOutFiles] = {}
        self._heads: dict[Path, tuple[bytes, str]] = {}
        """By git directory: what HEAD was like when it was last resolved, and to which commit."""
        self._unsaved_tokens = 0
        self._saved_at = time.monotonic()

    def close(self) -> None:
        self._write_savings()
        for tree in self._working_trees.values():
            tree.close()
        for files in self._checked_out.values():
            files.close()
        self.index_process.close()
        self.indexes.close()

    def record_savings(self, tokens: int) -> None:
        """Adds to the running total, which is written now and then and at the end."""
        with self._lock:
            self._unsaved_tokens += tokens
            due = time.monotonic() - self._saved_at > SAVINGS_INTERVAL
        if due:
            self._write_savings()

    def _write_savings(self) -> None:
        from codemap_core.storage.savings import add_savings

        with self._lock:
            tokens, self._unsaved_tokens = self._unsaved_tokens, 0
            self._saved_at = time.monotonic()
        if tokens:
            try:
                add_savings(self.settings.savings_file, tokens)
            except StorageError as error:
                _log.warning("the running total of saved tokens was not written: %s", error.message)

    @cached_property
    def complexity(self) -> ComplexityOfFiles:
        from codemap_core.pipeline.complexity import ComplexityOfFiles

        return ComplexityOfFiles(self.host, self.settings)

    def repository(self, repo_path: str) -> Repository:
        """The repository around ``repo_path``. Empty: the one this process stands in, else the only one that was used.

        Raises: InvalidArgumentError, NotFoundError."""
        from codemap_core.repository import Repository

        if not repo_path:
            return self._default_repository()
        with self._lock:
            known = self._repositories.get(repo_path)
        if known is None or not known.root.exists():
            known = Repository.open(repo_path)
            with self._lock:
                self._repositories[repo_path] = known
        return known

    def _default_repository(self) -> Repository:
        start = str(self._start)
        if self._start != home_folder():
            try:
                return self.repository(start)
            except (InvalidArgumentError, NotFoundError):
                pass
        with self._lock:
            used = {repository.root: repository for repository in self._repositories.values()}
        if len(used) == 1:
            return next(iter(used.values()))
        known = f" Known: {', '.join(str(root) for root in sorted(used))}." if used else ""
        raise InvalidArgumentError(
            f"Say which repository: {start} is not in one, so pass repo_path, the path of a folder in one.{known}"
        )

    def resolve_commit(self, repository: Repository, commit: str) -> str:
        """The full id of what a client wrote; HEAD when it wrote nothing. Raises: as ``Repository.resolve_commit``."""
        state = repository.head_state() if commit.strip() in ("", "HEAD") else None
        if state is None:
            return repository.resolve_commit(commit)
        key = repository.git_dir
        with self._lock:
            known = self._heads.get(key)
        if known is None or known[0] != state:
            known = (state, repository.head_commit())
            with self._lock:
                self._heads[key] = known
        return known[1]

    def snapshot(self, repository: Repository, commit: str) -> Snapshot:
        """As ``OpenIndexes.of_commit``."""
        return self.indexes.of_commit(repository, commit)

    def working_tree(self, repository: Repository) -> WorkingTree:
        """What follows the edits of a repository's working tree."""
        from codemap_server.working_tree import WorkingTree

        with self._lock:
            known = self._working_trees.get(repository.root)
            if known is None:
                known = WorkingTree(self.settings, repository.whole(), self.indexes, self.index_process)
                self._working_trees[repository.root] = known
        return known

    def prepare(self) -> Path:
        """Loads what the first question about the repository that this process stands in needs; the file of its index.

        Raises: CodeMapError when there is none."""
        repository = self.repository("")
        if self.live and not repository.is_bare:
            snapshot: Snapshot = self.working_tree(repository).snapshot(CallControl()).snapshot
        else:
            snapshot = self.snapshot(repository, self.resolve_commit(repository, ""))
        self.checked_out(repository).working_copy.prepare(snapshot)
        snapshot.reader.prepare()
        return snapshot.reader.path

    def is_current(self, repository: Repository, commit: str, solution: str) -> bool:
        """Whether the index of a full commit id, of the folder and solution asked for, exists as this program would build it."""
        from codemap_core.pipeline import baseline_path

        return self.examine(baseline_path(repository, self.settings, commit, solution)).is_ready

    def examine(self, path: Path) -> Examination:
        """Whether this release, with these plug-ins, can use an index file."""
        from codemap_core.pipeline import index_fingerprint
        from codemap_core.storage.files.examine import examine_baseline

        return examine_baseline(path, index_fingerprint(self.host, self.settings))

    def checked_out(self, repository: Repository) -> CheckedOutFiles:
        """The checked-out files of a repository, with what this process knows of them."""
        from codemap_server.checked_out import CheckedOutFiles

        with self._lock:
            known = self._checked_out.get(repository.root)
            if known is None:
                known = self._checked_out[repository.root] = CheckedOutFiles(repository)
            return known

    def repository_of(self, snapshot: Snapshot) -> Repository | None:
        """The repository that a snapshot was taken of, as far as this process has opened it."""
        with self._lock:
            return next((each for each in self._repositories.values() if each.repo_id == snapshot.repo_id), None)
