"""What one call does with workspaces; implements ``WorkspaceActions``. Making, listing and deleting happen here, a refresh in another
process (``index_process``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Final

from codemap_core.config import Settings
from codemap_core.errors import CancelledError
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess, Request

if TYPE_CHECKING:
    from codemap_core.queries.views.workspaces import (
        CreatedWorkspace,
        DeletedWorkspace,
        RefreshedOverlay,
        ResetWorkspace,
        WorkspaceList,
        WorkspaceSummary,
    )
    from codemap_core.repository import Repository


class ServerWorkspaces:
    """``repository``: opened at its root. ``resolve``: the full id of what a client wrote; HEAD for nothing. ``taking_up``: measures what a
    refresh takes."""

    def __init__(
        self,
        settings: Settings,
        repository: Repository,
        resolve: Callable[[str], str],
        process: IndexProcess,
        control: CallControl,
        taking_up: Callable[[], AbstractContextManager[None]],
    ) -> None:
        from codemap_core.queries.indexes.workspaces import Workspaces

        self._repository: Final = repository
        self._workspaces: Final = Workspaces(settings, repository)
        self._resolve: Final = resolve
        self._process: Final = process
        self._control: Final = control
        self._taking_up: Final = taking_up

    def create(self, workspace_id: str, commit: str, solution: str) -> CreatedWorkspace:
        from codemap_core.queries.views.workspaces import CreatedWorkspace
        from codemap_server.build_process import solution_inside

        inside = solution_inside(self._repository, solution)
        state, is_new = self._workspaces.create(workspace_id, self._resolve(commit), inside, wait=self._wait)
        return CreatedWorkspace(
            workspace_id=state.workspace_id,
            baseline_commit_sha=state.info.commit_sha,
            current_revision=state.revision,
            already_existed=not is_new,
        )

    def reset(self, workspace_id: str) -> ResetWorkspace:
        from codemap_core.queries.views.workspaces import ResetWorkspace

        return ResetWorkspace(
            workspace_id=workspace_id, previous_revision=self._workspaces.reset(workspace_id, wait=self._wait)
        )

    def delete(self, workspace_id: str) -> DeletedWorkspace:
        from codemap_core.queries.views.workspaces import DeletedWorkspace

        deleted = self._workspaces.delete(workspace_id, wait=self._wait)
        return DeletedWorkspace(workspace_id=workspace_id, deleted=deleted)

    def list(self) -> WorkspaceList:
        from codemap_core.queries.views.workspaces import WorkspaceList, WorkspaceSummary

        head = self._resolve("")
        found = tuple(WorkspaceSummary.of(state, head) for state in self._workspaces.list())
        return WorkspaceList(workspaces=found, current_commit_sha=head)

    def get(self, workspace_id: str) -> WorkspaceSummary:
        from codemap_core.queries.views.workspaces import WorkspaceSummary

        return WorkspaceSummary.of(self._workspaces.get(workspace_id), self._resolve(""))

    def rebase(self, workspace_id: str, commit: str) -> WorkspaceSummary:
        request = Request(str(self._repository.root), workspace_id, self._resolve(commit))
        with self._taking_up():
            self._process.refresh(request, self._control)
        return self.get(workspace_id)

    def refresh(self, workspace_id: str, file_paths: Sequence[str]) -> RefreshedOverlay:
        from codemap_core.queries.views.workspaces import RefreshedOverlay, first_files

        self._workspaces.get(workspace_id)
        request = Request(str(self._repository.root), workspace_id, file_paths=tuple(file_paths) or None)
        with self._taking_up():
            done = self._process.refresh(request, self._control)
        return RefreshedOverlay(
            files_reindexed=done.files_reindexed,
            symbols_updated=done.symbols_updated,
            new_overlay_revision=done.revision,
            documents_replaced=done.documents_replaced,
            changed_files=first_files(done.changed_files),
            failures=first_files(done.failures),
        )

    def _wait(self, seconds: float) -> None:
        if self._control.cancelled.is_set():
            raise CancelledError("The call was cancelled; the workspace is as it was before.")
        self._control.progress("waiting for another process that changes this workspace", int(seconds), 0)
