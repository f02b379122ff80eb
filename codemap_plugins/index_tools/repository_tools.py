"""``repo.status`` and ``index.ensure_baseline``: is there an index, and make one."""

from __future__ import annotations

from codemap_core.hooks.capabilities import BUILDS, REPOSITORIES
from codemap_core.hooks.tool import Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import RepositoryArguments


class StatusArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``repo.status``."""


class EnsureBaselineArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index.ensure_baseline``."""

    solution_path: str = ""
    commit_sha: str = ""


def status(context: ToolContext, arguments: StatusArguments) -> ToolResult:
    state = context.ask(REPOSITORIES).status(arguments.repo_path)
    commit = state.current_commit_sha[:12]
    if not state.baseline_index_exists:
        parts = ", ".join(each.subtree or each.solution or "" for each in state.indexes)
        covers = f"is indexed in part only ({parts})" if parts else "has no index yet"
        answer = f"HEAD {commit} {covers}: call index.ensure_baseline with repo_path {state.root!r}."
    elif state.index is not None and not state.index.is_current:
        because = state.index.not_current_because
        answer = f"The index of HEAD {commit} is not current, {because}: index.ensure_baseline rebuilds it."
    else:
        answer = f"HEAD {commit} is indexed."
    return ToolResult(answer=answer, data=state)


def ensure_baseline(context: ToolContext, arguments: EnsureBaselineArguments) -> ToolResult:
    made = context.ask(BUILDS).ensure_baseline(arguments.repo_path, arguments.commit_sha, arguments.solution_path)
    done = "was indexed already" if made.already_existed else "is indexed now"
    if made.from_cache:
        done = "was taken from the shared cache"
    subject = f"{made.part} of commit" if made.part else "Commit"
    return ToolResult(answer=f"{subject} {made.commit_sha[:12]} {done}.", data=made)


REPO = ToolFamily(
    name="repo",
    title="Repository",
    tools=(
        Tool(
            name="repo.status",
            title="Repository status",
            description="Whether HEAD is indexed, how well; branch and uncommitted changes.",
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
            description="Build the index of a commit, which the other tools need.",
            arguments=EnsureBaselineArguments,
            run=ensure_baseline,
            read_only=False,
        ),
    ),
)
