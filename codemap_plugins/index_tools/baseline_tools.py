"""``index.list_baselines``, ``index.cleanup`` and ``index.remove_repo``: which commits are indexed, and removing what is not needed."""

from __future__ import annotations

from typing import Annotated, Any, Final

from msgspec import Meta

from codemap_core.hooks.capabilities import INDEXES
from codemap_core.hooks.tool import NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model.counting import counted, size_in_words
from codemap_core.toolkit.arguments import RepositoryArguments

_KEPT: Final = 5


class ListBaselinesArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index.list_baselines``."""


class CleanupArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``older_than_days``: -1 for any age."""

    keep_count: Annotated[int, Meta(ge=0, description="Newest commits to keep.")] = _KEPT
    older_than_days: Annotated[int, Meta(ge=-1, description="Only older ones; -1: of any age.")] = -1
    dry_run: Annotated[bool, Meta(description="Only say what would be removed.")] = True


class RemoveArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index.remove_repo``."""

    dry_run: Annotated[bool, Meta(description="Only say what would be removed.")] = True


def list_baselines(context: ToolContext, arguments: ListBaselinesArguments) -> ToolResult:
    found = context.ask(INDEXES).baselines(arguments.repo_path).listed()
    commits = counted(len(found.baselines), "indexed commit")
    return ToolResult(answer=f"{commits}, {size_in_words(found.total_size_bytes)}.", data=found)


def cleanup(context: ToolContext, arguments: CleanupArguments) -> ToolResult:
    age = None if arguments.older_than_days < 0 else arguments.older_than_days
    done = (
        context.ask(INDEXES)
        .baselines(arguments.repo_path)
        .cleanup(arguments.keep_count, age, dry_run=arguments.dry_run)
    )
    commits = counted(done.baselines_removed, "indexed commit") if done.baselines_removed else ""
    return ToolResult(
        answer=_said(commits, done.bytes_reclaimed, done.dry_run),
        data=done,
        next_actions=_for_real("index.cleanup", arguments) if done.dry_run and done.baselines_removed else (),
    )


def remove_repository(context: ToolContext, arguments: RemoveArguments) -> ToolResult:
    done = context.ask(INDEXES).baselines(arguments.repo_path).remove_repository(dry_run=arguments.dry_run)
    parts = (done.baselines_removed, "indexed commit"), (done.workspaces_removed, "workspace")
    removed = " and ".join(counted(count, noun) for count, noun in parts if count)
    return ToolResult(
        answer=_said(removed, done.bytes_freed, done.dry_run),
        data=done,
        next_actions=_for_real("index.remove_repo", arguments) if done.dry_run and done.bytes_freed else (),
    )


def _said(removed: str, size: int, dry_run: bool) -> str:
    if not removed:
        return "There is nothing to remove."
    if dry_run:
        return f"{removed} would be removed, {size_in_words(size)}. Nothing was: this is a dry run."
    return f"{removed} removed, {size_in_words(size)} freed."


def _for_real(tool: str, arguments: CleanupArguments | RemoveArguments) -> tuple[NextAction, ...]:
    given: dict[str, Any] = {"repo_path": arguments.repo_path} if arguments.repo_path else {}
    if isinstance(arguments, CleanupArguments):
        given |= {"keep_count": arguments.keep_count, "older_than_days": arguments.older_than_days}
    return (NextAction(tool=tool, rationale="removes them", parameters={**given, "dry_run": False}),)


BASELINES: Final = ToolFamily(
    name="baselines",
    title="Indexed commits",
    on_request=True,
    tools=(
        Tool(
            name="index.list_baselines",
            title="List indexed commits",
            description="The indexed commits of a repository, with their sizes; which is HEAD, and which a workspace builds on.",
            arguments=ListBaselinesArguments,
            run=list_baselines,
        ),
        Tool(
            name="index.cleanup",
            title="Remove old indexes",
            description="Removes indexes of commits that are neither HEAD nor among the newest nor under a workspace; first a dry run.",
            arguments=CleanupArguments,
            run=cleanup,
            read_only=False,
            destructive=True,
        ),
        Tool(
            name="index.remove_repo",
            title="Forget a repository",
            description="Removes every index of a repository and its workspaces; a dry run at first. Its files stay as they are.",
            arguments=RemoveArguments,
            run=remove_repository,
            read_only=False,
            destructive=True,
        ),
    ),
)
