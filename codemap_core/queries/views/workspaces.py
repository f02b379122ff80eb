"""The shapes of what is said of workspaces (contract 6.11 to 6.13, 6.17 and 6.18)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from codemap_core.model import SemanticLevel
from codemap_core.model.counting import counted

if TYPE_CHECKING:  # it takes long to import, and most who need a view need no workspace
    from codemap_core.storage.workspace_file import WorkspaceState

_FILES_NAMED = 20


class CreatedWorkspace(Struct, frozen=True, omit_defaults=True, kw_only=True):
    workspace_id: str
    baseline_commit_sha: str
    current_revision: int
    already_existed: bool = False

    def lines(self) -> Iterator[str]:
        """The answer's sentence has it all."""
        yield from ()


class ResetWorkspace(Struct, frozen=True, kw_only=True):
    workspace_id: str
    previous_revision: int
    new_revision: int = 0

    def lines(self) -> Iterator[str]:
        """The answer's sentence has it all."""
        yield from ()


class DeletedWorkspace(Struct, frozen=True, kw_only=True):
    workspace_id: str
    deleted: bool

    def lines(self) -> Iterator[str]:
        """The answer's sentence has it all."""
        yield from ()


class RefreshedOverlay(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """``files_reindexed``: files that had changed; ``documents_replaced``: these and those whose rows changed with them."""

    files_reindexed: int
    symbols_updated: int
    new_overlay_revision: int
    documents_replaced: int = 0
    changed_files: tuple[str, ...] = ()
    """The first of them, by path."""
    failures: tuple[str, ...] = ()
    """What plug-ins failed for, and how; the first of these."""

    def lines(self) -> Iterator[str]:
        yield from self.changed_files
        further = self.files_reindexed - len(self.changed_files)
        if further > 0 and self.changed_files:
            yield f"and {further:,} more"
        yield from self.failures


class WorkspaceSummary(Struct, frozen=True, omit_defaults=True, kw_only=True):
    workspace_id: str
    base_commit_sha: str
    overlay_revision: int
    modified_file_count: int
    is_stale: bool = False
    """HEAD is another commit."""
    semantic_level: SemanticLevel
    fact_count: int
    created_at: str
    """ISO 8601, UTC, as ``refreshed_at``."""
    refreshed_at: str
    root: str
    follows_working_tree: bool = False

    @classmethod
    def of(cls, state: WorkspaceState, head: str) -> WorkspaceSummary:
        return cls(
            workspace_id=state.workspace_id,
            base_commit_sha=state.info.commit_sha,
            overlay_revision=state.revision,
            modified_file_count=len(state.replaced),
            is_stale=state.info.commit_sha != head,
            semantic_level=state.info.semantic_level,
            fact_count=state.info.fact_count,
            created_at=state.created_at,
            refreshed_at=state.refreshed_at,
            root=state.root,
            follows_working_tree=state.follows,
        )

    def lines(self) -> Iterator[str]:
        """The answer's sentence has it all."""
        yield from ()

    def __str__(self) -> str:
        stale = ", stale: HEAD has moved" if self.is_stale else ""
        files = counted(self.modified_file_count, "edited file")
        return f"{self.workspace_id}  revision {self.overlay_revision} on {self.base_commit_sha[:12]}, {files}{stale}"


class WorkspaceList(Struct, frozen=True, omit_defaults=True, kw_only=True):
    workspaces: tuple[WorkspaceSummary, ...]
    current_commit_sha: str

    def lines(self) -> Iterator[str]:
        yield from map(str, self.workspaces)


def first_files(paths: tuple[str, ...]) -> tuple[str, ...]:
    """As many paths as an answer names."""
    return paths[:_FILES_NAMED]
