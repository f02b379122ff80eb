"""The index that a call asks, and its name in what is said about it."""

from __future__ import annotations

from codemap_core.hooks.tool import ToolContext
from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.arguments import IndexArguments


def snapshot_of(context: ToolContext, arguments: IndexArguments) -> Snapshot:
    """Raises: as ``ToolContext.snapshot``."""
    return context.snapshot(arguments.repo_path, arguments.commit_sha, arguments.workspace_id)


def state_of(snapshot: Snapshot) -> str:
    """As a sentence has it: ``commit 0123456789ab``, ``workspace 'one'``, ``the working tree``."""
    if snapshot.workspace is not None:
        return "the working tree" if snapshot.workspace.follows else f"workspace {snapshot.workspace.workspace_id!r}"
    return f"commit {snapshot.commit_sha[:12]}"
