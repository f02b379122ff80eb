"""The indexes that a server has open, of commits and of workspaces: opened once, kept while they are used, and shared by all calls."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codemap_core.config import Settings
from codemap_core.errors import IndexNotAvailableError

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository

MAX_OPEN_INDEXES: Final = 8


class OpenIndexes:
    """Safe to use from several threads."""

    def __init__(self, settings: Settings) -> None:
        self._settings: Final = settings
        self._lock: Final = threading.Lock()
        self._snapshots: OrderedDict[tuple[Path, int, int], Snapshot] = OrderedDict()

    def close(self) -> None:
        with self._lock:
            for snapshot in self._snapshots.values():
                snapshot.close()
            self._snapshots.clear()

    def of_commit(self, repository: Repository, commit: str) -> Snapshot:
        """The index of a full commit id, opened once and kept.

        Raises: IndexNotAvailableError, StorageError."""
        from codemap_core.queries.which_index import choose_index

        chosen = choose_index(self._settings, repository, commit)
        if chosen is None:
            raise _no_index(self._settings, repository, commit)
        path = chosen.path
        from codemap_core.queries.snapshot import Snapshot

        status = path.stat()
        key = (path, status.st_ino, status.st_mtime_ns)
        with self._lock:
            snapshot = self._snapshots.get(key) or Snapshot.open(path)
            self._keep(key, snapshot)
        return snapshot

    def of_workspace(self, repository: Repository, workspace_id: str) -> Snapshot:
        """A workspace at its newest revision, opened once and kept until there is a newer one.

        Raises: InvalidArgumentError for another working tree's; NotFoundError, StorageError."""
        from codemap_core.queries.snapshot import Snapshot
        from codemap_core.queries.workspaces import Workspaces

        workspaces = Workspaces(self._settings, repository)
        path = workspaces.path(workspace_id)
        file, revision = workspaces.revision(workspace_id)
        with self._lock:
            snapshot = self._snapshots.get((path, file, revision))
            if snapshot is None:
                snapshot = Snapshot.open_workspace(path)
                for key in [each for each in self._snapshots if each[0] == path]:
                    del self._snapshots[key]  # whoever still asks it holds it
                self._keep((path, file, snapshot.overlay_revision), snapshot)
        if snapshot.workspace is not None:
            workspaces.own(snapshot.workspace)
        return snapshot

    def _keep(self, key: tuple[Path, int, int], snapshot: Snapshot) -> None:
        self._snapshots[key] = snapshot
        self._snapshots.move_to_end(key)
        while len(self._snapshots) > MAX_OPEN_INDEXES:
            self._snapshots.popitem(last=False)


def _no_index(settings: Settings, repository: Repository, commit: str) -> IndexNotAvailableError:
    """The error if nothing answers for a commit. The call that it names indexes the whole of it, whichever folder was asked
    about, so that repeating the question works."""
    from codemap_core.queries.which_index import indexed_commits, nearest_indexed, stored_indexes

    root = str(repository.root)
    parts = [each.scope.label for each in stored_indexes(settings, repository, commit)]
    nearest = nearest_indexed(settings, repository, commit)
    where = f"{repository.subtree} in " if parts else ""
    said = [f"There is no index of {where}commit {commit[:12]} of {root}."]
    if parts:
        said.append(f"Indexed of it: {', '.join(parts)} only.")
    said.append(f"Call index.ensure_baseline with repo_path {root!r} and commit_sha {commit!r}, then repeat this call.")
    if nearest is not None:
        sha, distance = nearest
        before = f"{distance:,} {'commit' if distance == 1 else 'commits'} before it"
        said.append(f"Or pass commit_sha {sha[:12]!r}, which is indexed and {before}.")
    return IndexNotAvailableError(
        " ".join(said),
        repo_id=repository.repo_id,
        repo_path=root,
        commit_sha=commit,
        subtree=repository.subtree or None,
        indexed_parts=parts,
        nearest_indexed=None if nearest is None else {"commit_sha": nearest[0], "commits_before": nearest[1]},
        indexed_commits=list(indexed_commits(settings, repository)[:5]),
    )
