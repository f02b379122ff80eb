"""``repo.status`` and ``index.ensure_baseline``: is there an index, and make one."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codemap_core.hooks.tool import Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import RepositoryArguments


class StatusArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``repo.status``."""


class EnsureBaselineArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index.ensure_baseline``."""

    solution_path: Annotated[
        str, Meta(description="Solution (.sln, .slnx, .slnf) to restrict the index to; all projects when left out.")
    ] = ""
    commit_sha: Annotated[str, Meta(description="Commit, branch or tag to index; HEAD when left out.")] = ""


def status(context: ToolContext, arguments: StatusArguments) -> ToolResult:
    state = dict(context.repository_status(arguments.repo_path))
    if not state["baseline_index_exists"]:
        state["hint"] = "HEAD has no index yet: call index.ensure_baseline."
    elif not state["index"]["is_current"]:
        state["hint"] = "The index is of another release or other plug-ins: index.ensure_baseline builds it anew."
    return ToolResult(answer="", data=state, enveloped=False)


def ensure_baseline(context: ToolContext, arguments: EnsureBaselineArguments) -> ToolResult:
    made = context.ensure_baseline(arguments.repo_path, arguments.commit_sha, arguments.solution_path)
    return ToolResult(answer="", data=made, enveloped=False)


REPO = ToolFamily(
    name="repo",
    title="Repository",
    tools=(
        Tool(
            name="repo.status",
            title="Repository status",
            description=(
                "Repository, branch, HEAD commit and index status: whether HEAD is indexed, whether there are "
                "uncommitted changes, how big the index is. Call it first when unsure."
            ),
            arguments=StatusArguments,
            run=status,
        ),
    ),
)

INDEX = ToolFamily(
    name="index",
    title="Index",
    tools=(
        Tool(
            name="index.ensure_baseline",
            title="Index a commit",
            description=(
                "Build, update or refresh the index of a C# repository so that the other tools can answer. Returns at "
                "once when the commit is already indexed; a first index takes seconds to minutes and reports progress. "
                "Needs no build and no .NET SDK; runs nothing of the repository."
            ),
            arguments=EnsureBaselineArguments,
            run=ensure_baseline,
            read_only=False,
        ),
    ),
)
