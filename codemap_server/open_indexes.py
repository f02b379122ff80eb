"""The indexes that a server has open, of commits and of workspaces: opened once, kept while they are used, and shared by all calls.

One that is not kept any more is closed as soon as no call holds it: it may hold a file that was removed, and the log of a workspace.
"""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codemap_core.config import Settings
from codemap_core.errors import IndexNotAvailableError
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess, UnsavedRequest

if TYPE_CHECKING:
    from codemap_core.hooks.manager import PluginHost
    from codemap_core.pipeline.changes import Changes
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_core.storage.files.examine import IndexInfo
    from codemap_core.storage.writing.index_editor import IndexEditor

MAX_OPEN_INDEXES: Final = 8


class OpenIndexes:
    """Safe to use from several threads."""

    def __init__(self, settings: Settings, host: PluginHost) -> None:
        self._settings: Final = settings
        self._host: Final = host
        self._lock: Final = threading.Lock()
        self._snapshots: OrderedDict[tuple[Path, int, int], Snapshot] = OrderedDict()

    def close(self) -> None:
        with self._lock:
            self._snapshots.clear()

    def of_commit(self, repository: Repository, commit: str) -> Snapshot:
        """The index of a full commit id, opened once and kept.

        Raises: IndexNotAvailableError, StorageError."""
        from codemap_core.queries.indexes.which_index import choose_index

        chosen = choose_index(self._settings, repository, commit)
        if chosen is None:
            raise _no_index(self._settings, repository, commit)
        path = chosen.path
        from codemap_core.queries.snapshot import Snapshot

        status = path.stat()
        key = (path, status.st_ino, status.st_mtime_ns)
        with self._lock:
            snapshot = self._snapshots.get(key) or _closing(Snapshot.open(path, meanings=self._host.meanings))
            self._keep(key, snapshot)
        return snapshot

    def of_workspace(self, repository: Repository, workspace_id: str) -> Snapshot:
        """A workspace at its newest revision, opened once and kept until there is a newer one.

        Raises: InvalidArgumentError for another working tree's; NotFoundError, StorageError."""
        from codemap_core.queries.indexes.workspaces import Workspaces
        from codemap_core.queries.snapshot import Snapshot

        workspaces = Workspaces(self._settings, repository)
        path = workspaces.path(workspace_id)
        file, revision = workspaces.revision(workspace_id)
        with self._lock:
            snapshot = self._snapshots.get((path, file, revision))
            if snapshot is None:
                snapshot = _closing(Snapshot.open_workspace(path, self._host.meanings))
                for key in [each for each in self._snapshots if each[0] == path]:
                    del self._snapshots[key]
                self._keep((path, file, snapshot.overlay_revision), snapshot)
        if snapshot.workspace is not None:
            workspaces.own(snapshot.workspace)
        return snapshot

    def with_unsaved(
        self,
        repository: Repository,
        workspace_id: str,
        texts: Mapping[str, str],
        process: IndexProcess,
        control: CallControl,
    ) -> Snapshot:
        """A workspace in which files hold ``texts``, for one question: close it. Raises: as ``of_workspace``; CancelledError."""
        from codemap_core.pipeline.applied import apply
        from codemap_core.queries.indexes.workspaces import Workspaces
        from codemap_core.queries.snapshot import Snapshot, normalise_path
        from codemap_core.storage.workspace_file import open_unsaved

        path = Workspaces(self._settings, repository).existing(workspace_id)
        asked = {normalise_path(each): text for each, text in texts.items()}
        while True:
            found = process.unsaved(UnsavedRequest(str(repository.root), workspace_id, asked), control)
            opened = open_unsaved(path, found.revision, partial(_changed, apply, found.changes))
            if opened is not None:
                return Snapshot(*opened, asked, self._host.meanings)

    def _keep(self, key: tuple[Path, int, int], snapshot: Snapshot) -> None:
        self._snapshots[key] = snapshot
        self._snapshots.move_to_end(key)
        while len(self._snapshots) > MAX_OPEN_INDEXES:
            self._snapshots.popitem(last=False)


def _closing(snapshot: Snapshot) -> Snapshot:
    """The same, closed when nobody holds it any more."""
    weakref.finalize(snapshot, snapshot.reader.close).atexit = False
    return snapshot


def _changed(
    apply: Callable[[IndexEditor, Changes, IndexInfo], IndexInfo],
    changes: Changes,
    editor: IndexEditor,
    info: IndexInfo,
) -> IndexInfo:
    return apply(editor, changes, info)


def _no_index(settings: Settings, repository: Repository, commit: str) -> IndexNotAvailableError:
    """The error if nothing answers for a commit. The call that it names indexes the whole of it, whichever folder was asked
    about, so that repeating the question works."""
    from codemap_core.queries.indexes.which_index import indexed_commits, nearest_indexed, stored_indexes

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
