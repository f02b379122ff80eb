"""The workspaces of one repository: making, listing, resetting and deleting them. What takes the pipeline is ``pipeline.refresh``.

A workspace shows the index of a commit with edits of one working tree. Agents that use one each do not see each other's edits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from codemap_core.config import IndexScope, Settings
from codemap_core.errors import IndexNotAvailableError, InvalidArgumentError, NotFoundError, StorageError
from codemap_core.queries.indexes.which_index import choose_index
from codemap_core.repository import Repository
from codemap_core.storage.files.lock import BuildLock, build_lock
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.workspace_file import (
    WorkspaceHead,
    WorkspaceState,
    missing_workspace,
    new_workspace,
    read_workspace,
    remove_workspace_file,
    workspace_revision,
)

FOLLOWING: Final = "working-tree"
"""Begins the id of the workspace that follows a working tree by itself."""


class Workspaces:
    """Those of a repository, for the working tree that it was opened at."""

    def __init__(self, settings: Settings, repository: Repository) -> None:
        self._settings: Final = settings
        self._repository: Final = repository

    @property
    def following_id(self) -> str:
        """The id of the one that follows this working tree."""
        digest = hashlib.sha256(str(self._repository.root).encode("utf-8", "surrogateescape")).hexdigest()
        return f"{FOLLOWING}-{digest[:8]}"

    def path(self, workspace_id: str) -> Path:
        """Raises: InvalidArgumentError for an id that cannot be one."""
        return self._settings.overlay_file(self._repository.repo_id, workspace_id)

    def ids(self) -> tuple[str, ...]:
        return tuple(state.workspace_id for state in self.list())

    def list(self) -> tuple[WorkspaceState, ...]:
        """By id; those that cannot be read are left out."""
        found = []
        for path in sorted(self.path("x").parent.glob("*.db")):
            try:
                found.append(read_workspace(path))
            except (NotFoundError, StorageError):
                continue
        return tuple(sorted(found, key=lambda each: each.workspace_id))

    def get(self, workspace_id: str) -> WorkspaceState:
        """Raises: NotFoundError naming those that exist; StorageError."""
        return read_workspace(self.existing(workspace_id))

    def revision(self, workspace_id: str) -> tuple[int, int]:
        """As ``workspace_file.workspace_revision``. Raises: as ``get``."""
        return workspace_revision(self.existing(workspace_id))

    def existing(self, workspace_id: str) -> Path:
        """The file of a workspace. Raises: as ``get``."""
        path = self.path(workspace_id)
        if not path.exists():
            raise missing_workspace(workspace_id, self.ids())
        return path

    def create(
        self,
        workspace_id: str,
        commit: str,
        solution: str = "",
        *,
        follows: bool = False,
        wait: Callable[[float], None],
    ) -> tuple[WorkspaceState, bool]:
        """The workspace, made from the index of a full commit id unless there is one of this id; and whether it was made. ``solution``:
        path relative to the git root, or empty.

        Raises: InvalidArgumentError (a bare repository; an id of another working tree's, or of another commit's; what is not a solution),
        IndexNotAvailableError, StorageError."""
        if self._repository.is_bare:
            raise InvalidArgumentError(
                f"{self._repository.root} is bare: it has no working tree whose edits could be seen."
            )
        with self.locked(workspace_id, wait) as lock:
            if lock.path.exists():
                known = self.own(read_workspace(lock.path))
                if known.info.commit_sha != commit:
                    raise InvalidArgumentError(
                        f"The workspace {workspace_id!r} exists, for commit {known.info.commit_sha[:12]}: call workspace.rebase to bring "
                        "it to another commit, or choose another workspace_id.",
                        workspace_id=workspace_id,
                    )
                return known, False
            head = WorkspaceHead(workspace_id=workspace_id, root=str(self._repository.root), follows=follows)
            with new_workspace(lock, self._named(commit, solution), head):
                pass
            return read_workspace(lock.path), True

    def reset(self, workspace_id: str, *, wait: Callable[[float], None]) -> int:
        """Discards all edits; the revision that it had. Raises: NotFoundError, IndexNotAvailableError, StorageError."""
        with self.locked(workspace_id, wait) as lock:
            state = self.own(self.get(workspace_id))
            head = WorkspaceHead(workspace_id=workspace_id, root=state.root, follows=state.follows)
            with new_workspace(lock, self.baseline(state.info.commit_sha, state.info.solution), head):
                pass
            return state.revision

    def delete(self, workspace_id: str, *, wait: Callable[[float], None]) -> bool:
        """Whether there was one. Raises: StorageError."""
        if not self.path(workspace_id).exists():
            return False
        with self.locked(workspace_id, wait) as lock:
            return remove_workspace_file(lock)

    def own(self, state: WorkspaceState) -> WorkspaceState:
        """The workspace, if it is of this working tree. Raises: InvalidArgumentError."""
        if state.root != str(self._repository.root):
            raise InvalidArgumentError(
                f"The workspace {state.workspace_id!r} shows edits of {state.root}, not of {self._repository.root}. "
                "Choose another workspace_id for this working tree.",
                workspace_id=state.workspace_id,
            )
        return state

    def baseline(self, commit: str, solution: str = "") -> Path:
        """The index to copy. Raises: IndexNotAvailableError naming the call that builds it."""
        if solution:
            scope = IndexScope(self._repository.subtree, solution)
            path = self._settings.baseline_file(self._repository.repo_id, commit, scope)
            if path.is_file():
                return path
        chosen = choose_index(self._settings, self._repository, commit)
        if chosen is None:
            raise self._not_indexed(commit)
        return chosen.path

    def _named(self, commit: str, solution: str) -> Path:
        """The index of a solution, or of the whole commit if that has the solution.

        Raises: InvalidArgumentError, IndexNotAvailableError."""
        path = self.baseline(commit, solution)
        if not solution:
            return path
        with IndexReader.open(path) as index:
            if index.info.solution == solution:
                return path
            if index.info.solution or index.info.subtree:
                raise self._not_indexed(commit, solution)
            known = [each.path for each in index.solutions()]
        if solution not in known:
            hint = f"Solutions there: {', '.join(known[:10])}." if known else "Leave solution_path out: it has none."
            raise InvalidArgumentError(
                f"{solution} is not a solution of commit {commit[:12]}. {hint}", solution=solution, solutions=known[:10]
            )
        return path

    def _not_indexed(self, commit: str, solution: str = "") -> IndexNotAvailableError:
        root = str(self._repository.root)
        wanted = {"repo_path": root, "commit_sha": commit} | ({"solution_path": solution} if solution else {})
        named = [f"{name} {value!r}" for name, value in wanted.items()]
        return IndexNotAvailableError(
            f"There is no index of {f'{solution} in ' if solution else ''}commit {commit[:12]} of {root}. Call index.ensure_baseline with "
            f"{', '.join(named[:-1])} and {named[-1]}, then repeat this call.",
            **wanted,
        )

    @contextmanager
    def locked(self, workspace_id: str, wait: Callable[[float], None]) -> Iterator[BuildLock]:
        """The right to change a workspace. ``wait`` is called while another process has it, and may raise."""
        with build_lock(self.path(workspace_id), wait) as lock:
            yield lock
