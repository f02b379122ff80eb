"""Workspaces: each shows a commit with the edits of one agent. The work is the server's (``ToolContext.workspaces``)."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.capabilities import WORKSPACES
from codemap_core.hooks.tool import NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model.counting import counted
from codemap_core.toolkit.arguments import AS_TEXT, RepositoryArguments


class WorkspaceArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which workspace."""

    workspace_id: str = ""


class CreateArguments(WorkspaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``commit_sha``: HEAD where it is left out."""

    solution_path: str = ""
    commit_sha: str = ""


class RebaseArguments(WorkspaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``commit_sha``: HEAD where it is left out."""

    commit_sha: str = ""


class ListArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``workspace.list``."""


class RefreshArguments(WorkspaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``file_paths``: relative to the repository's root; none: whatever git sees changed."""

    file_paths: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()


def create(context: ToolContext, arguments: CreateArguments) -> ToolResult:
    workspaces = context.ask(WORKSPACES).of(arguments.repo_path)
    made = workspaces.create(_named(arguments), arguments.commit_sha, arguments.solution_path)
    done = "exists already" if made.already_existed else "was created"
    return ToolResult(
        answer=f"Workspace {made.workspace_id!r} {done}, for commit {made.baseline_commit_sha[:12]}.",
        data=made,
        workspace=workspaces.get(made.workspace_id),
        next_actions=(
            NextAction(
                tool="index.refresh_overlay",
                rationale="takes up the edits of the working tree",
                parameters={"workspace_id": made.workspace_id},
            ),
        ),
    )


def reset(context: ToolContext, arguments: WorkspaceArguments) -> ToolResult:
    workspaces = context.ask(WORKSPACES).of(arguments.repo_path)
    done = workspaces.reset(_named(arguments))
    answer = f"Workspace {done.workspace_id!r} has no edits any more."
    return ToolResult(answer=answer, data=done, workspace=workspaces.get(done.workspace_id))


def delete(context: ToolContext, arguments: WorkspaceArguments) -> ToolResult:
    done = context.ask(WORKSPACES).of(arguments.repo_path).delete(_named(arguments))
    said = "was deleted" if done.deleted else "did not exist"
    return ToolResult(answer=f"Workspace {done.workspace_id!r} {said}.", data=done)


def list_workspaces(context: ToolContext, arguments: ListArguments) -> ToolResult:
    found = context.ask(WORKSPACES).of(arguments.repo_path).list()
    count = counted(len(found.workspaces), "workspace")
    return ToolResult(answer=f"{count}; HEAD is {found.current_commit_sha[:12]}.", data=found)


def rebase(context: ToolContext, arguments: RebaseArguments) -> ToolResult:
    workspace_id = _named(arguments)
    done = context.ask(WORKSPACES).of(arguments.repo_path).rebase(workspace_id, arguments.commit_sha)
    edited = counted(done.modified_file_count, "edited file")
    answer = f"Workspace {workspace_id!r} is on commit {done.base_commit_sha[:12]} now, with {edited}."
    return ToolResult(answer=answer, data=done, workspace=done)


def refresh(context: ToolContext, arguments: RefreshArguments) -> ToolResult:
    workspace_id = _named(arguments)
    workspaces = context.ask(WORKSPACES).of(arguments.repo_path)
    done = workspaces.refresh(workspace_id, arguments.file_paths)
    if not done.files_reindexed:
        answer = f"Nothing has changed since revision {done.new_overlay_revision} of workspace {workspace_id!r}."
    else:
        files, symbols = counted(done.files_reindexed, "changed file"), counted(done.symbols_updated, "symbol")
        answer = f"Workspace {workspace_id!r} is at revision {done.new_overlay_revision}: {files}, {symbols} updated."
    return ToolResult(answer=answer, data=done, workspace=workspaces.get(workspace_id))


def _named(arguments: WorkspaceArguments) -> str:
    workspace_id = arguments.workspace_id.strip()
    if not workspace_id:
        raise InvalidArgumentError("Name the workspace: workspace_id, a short name that your session alone uses.")
    return workspace_id


WORKSPACE_TOOLS = ToolFamily(
    name="workspaces",
    title="Workspaces",
    on_request=True,
    tools=(
        Tool(
            name="workspace.create",
            title="Create a workspace",
            description="An overlay for your edits that no other agent sees. Pass its workspace_id to the other tools.",
            arguments=CreateArguments,
            run=create,
            read_only=False,
        ),
        Tool(
            name="index.refresh_overlay",
            title="Take up edits",
            description="Bring a workspace up to date with edited, new, deleted and renamed files, after you edit and before you ask.",
            arguments=RefreshArguments,
            run=refresh,
            read_only=False,
        ),
        Tool(
            name="workspace.list",
            title="List workspaces",
            description="The workspaces of a repository, and whether HEAD has moved since.",
            arguments=ListArguments,
            run=list_workspaces,
        ),
        Tool(
            name="workspace.rebase",
            title="Move a workspace",
            description="Move a workspace to HEAD or another indexed commit, keeping its edits.",
            arguments=RebaseArguments,
            run=rebase,
            read_only=False,
        ),
        Tool(
            name="workspace.reset",
            title="Reset a workspace",
            description="Forget the edits that a workspace has taken up. Files are not touched.",
            arguments=WorkspaceArguments,
            run=reset,
            read_only=False,
        ),
        Tool(
            name="workspace.delete",
            title="Delete a workspace",
            description="Delete a workspace. Files are not touched.",
            arguments=WorkspaceArguments,
            run=delete,
            read_only=False,
        ),
    ),
)
