"""``codemap list`` and ``codemap prune``: what the data directory holds, and removing what is not needed any more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_core.model.counting import counted, size_in_words
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import Json, at_least
from codemap_server.cli.terminal import say, table

if TYPE_CHECKING:
    from codemap_core.config import Settings
    from codemap_core.storage.data_directory import IndexFile, Leftover, Removal, WorkspaceFile

_AGE: Final = re.compile(r"(\d+)\s*([hdw])")
_HOURS: Final = {"h": 1, "d": 24, "w": 168}
CACHE_LIFETIME: Final = timedelta(days=30)
"""Analysed files that no run has used for so long are dropped unless --older-than says otherwise."""

OfRepository = Annotated[
    Path | None,
    typer.Option("--repo", metavar="PATH", help="Only indexes of this repository; default: all repositories."),
]


def register(app: typer.Typer) -> None:
    add_command(app, "list", list_indexes, "Maintenance")
    add_command(app, "prune", prune, "Maintenance")


def list_indexes(output: Json, repo: OfRepository = None) -> None:
    """List the indexes and workspaces in the data directory.

    Each index with its repository, commit, scope, size and age, and whether it is current; each workspace with its
    working tree, commit, edited files, size, and the time since its last refresh.
    """
    from codemap_core.storage.data_directory import cache_size

    settings, indexes, workspaces, left = _contents(repo)
    if output.json:
        import msgspec

        found = {
            "data_directory": str(settings.data_directory),
            "indexes": [
                {
                    **msgspec.to_builtins(each, enc_hook=str),
                    "is_whole": each.scope is not None and each.scope.is_whole,
                    "is_current": not each.problem,
                }
                for each in indexes
            ],
            "workspaces": [msgspec.to_builtins(each, enc_hook=str) for each in workspaces],
            "leftovers": [{"path": str(each.path), "size": each.size, "in_use": each.in_use} for each in left],
            "cache_size": cache_size(settings),
        }
        typer.echo(msgspec.json.encode(found, enc_hook=str).decode())
        return
    if indexes:
        columns: list[tuple[str, dict[str, Any]]] = [
            ("repository", {"overflow": "fold"}),
            ("commit", {}),
            ("scope", {}),
            ("size", {"justify": "right"}),
            ("age", {"justify": "right"}),
            ("current", {"overflow": "fold"}),
        ]
        rows = [
            (
                each.repository or each.repo_id,
                each.commit_sha[:12],
                "" if each.scope is None else each.scope.label or "all",
                size_in_words(each.size),
                _age(each.made_at),
                "yes" if not each.problem else f"no: {each.problem}",
            )
            for each in indexes
        ]
        table(columns, rows)
    if workspaces:
        if indexes:
            typer.echo()
        _show_workspaces(workspaces)
    total = size_in_words(sum(each.size for each in indexes) + sum(each.size for each in workspaces))
    there = [counted(len(indexes), "index", "indexes")]
    if workspaces:
        there.append(counted(len(workspaces), "workspace"))
    say(f"{' and '.join(there)}, {total}; cache {size_in_words(cache_size(settings))}; in {settings.data_directory}")
    dead = [each for each in left if not each.in_use]
    if dead:
        size = size_in_words(sum(each.size for each in dead))
        say(f"{counted(len(dead), 'leftover', 'leftovers')} of killed builds, {size}: codemap prune removes them.")
    running = len(left) - len(dead)
    if running:
        say(f"{counted(running, 'file is', 'files are')} in use by a running build.")


def _show_workspaces(workspaces: Sequence[WorkspaceFile]) -> None:
    rows = []
    for each in workspaces:
        state = counted(each.changed_files, "edited file")
        if each.is_orphan:
            state = f"{state}; its working tree is gone"
        rows.append(
            (
                each.workspace_id,
                each.root or each.repo_id,
                each.commit_sha[:12],
                each.problem or state,
                size_in_words(each.size),
                _age(each.refreshed_at),
            )
        )
    columns: list[tuple[str, dict[str, Any]]] = [
        ("workspace", {"overflow": "fold"}),
        ("working tree", {"overflow": "fold"}),
        ("commit", {}),
        ("state", {"overflow": "fold"}),
        ("size", {"justify": "right"}),
        ("age", {"justify": "right"}),
    ]
    table(columns, rows)


def prune(
    output: Json,
    older_than: Annotated[
        str,
        typer.Option("--older-than", metavar="AGE", help="Also indexes and workspaces older than this: 12h, 30d, 8w."),
    ] = "",
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep", metavar="N", callback=at_least(0), help="Also all but the newest N indexes of each repository."
        ),
    ] = None,
    repo: OfRepository = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove the files; without it, only list them.")] = False,
) -> None:
    """Remove what is not needed any more.

    That is what killed builds left, indexes that are not current, workspaces whose working tree is gone, and older ones
    when asked to. With both --older-than and --keep, an index goes when both say so, and never one that a workspace is
    based on. A workspace is as old as its last refresh. Nothing is removed without --yes, and never what a running
    build uses. What is removed can be made again with codemap index and workspace.create.

    \b
    Examples:
      codemap prune
      codemap prune --older-than 30d --keep 3 --yes
    """
    from codemap_core.storage.data_directory import forget_units, removable, removable_workspaces, remove

    age = _parsed_age(older_than)
    now = datetime.now(UTC)
    settings, indexes, workspaces, left = _contents(repo)
    before = None if age is None else now - age
    unneeded = removable_workspaces(workspaces, before)
    gone_with = {each.path for each in unneeded}
    kept = [each for each in workspaces if each.path not in gone_with]
    chosen = (*removable(indexes, left, made_before=before, keep=keep, workspaces=kept), *unneeded)
    gone = remove(chosen) if yes else ()
    freed = forget_units(settings, now - (CACHE_LIFETIME if age is None else age)) if yes and repo is None else 0
    if output.json:
        import msgspec

        answer = {"removed": yes, "files": gone if yes else chosen, "cache_freed": freed}
        typer.echo(msgspec.json.encode(answer, enc_hook=str).decode())
        return
    _show(gone if yes else chosen, indexes, workspaces)
    size = size_in_words(sum(each.size for each in (gone if yes else chosen)) + freed)
    if yes:
        say(f"Removed {counted(len(gone), 'file', 'files')}; {size} freed.")
        if len(gone) < len(chosen):
            say(f"{counted(len(chosen) - len(gone), 'file', 'files')} came into use in the meantime and stayed.")
    elif chosen:
        say(f"{counted(len(chosen), 'file', 'files')}, {size}, would be removed. Nothing was: add --yes.")
    else:
        say("There is nothing to remove.")


def _contents(
    repo: Path | None,
) -> tuple[Settings, Sequence[IndexFile], Sequence[WorkspaceFile], Sequence[Leftover]]:
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline import index_fingerprint
    from codemap_core.repository import Repository
    from codemap_core.storage.data_directory import index_files, leftovers, workspace_files

    settings = load_settings()
    indexes = index_files(settings, index_fingerprint(load_plugins(), settings))
    workspaces = workspace_files(settings)
    left = leftovers(settings)
    if repo is None:
        return settings, indexes, workspaces, left
    repo_id = Repository.open(repo).repo_id
    folders = (settings.baseline_file(repo_id, "0").parent, settings.overlay_file(repo_id, "0").parent)
    return (
        settings,
        [each for each in indexes if each.path.parent in folders],
        [each for each in workspaces if each.path.parent in folders],
        [each for each in left if each.path.parent in folders],
    )


def _show(removals: Sequence[Removal], indexes: Sequence[IndexFile], workspaces: Sequence[WorkspaceFile]) -> None:
    if not removals:
        return
    named = {each.path: each for each in indexes}
    of_workspaces = {each.path: f"workspace {each.workspace_id} of {each.root or each.repo_id}" for each in workspaces}
    rows = []
    for each in removals:
        index = named.get(each.path)
        what = of_workspaces.get(each.path, str(each.path))
        if index is not None:
            scope = "" if index.scope is None or index.scope.is_whole else f" ({index.scope.label})"
            what = f"{index.repository or index.repo_id} {index.commit_sha[:12]}{scope}"
        rows.append((what, size_in_words(each.size), f"{each.reason.value}{f': {each.detail}' if each.detail else ''}"))
    table((("what", {"overflow": "fold"}), ("size", {"justify": "right"}), ("why", {"overflow": "fold"})), rows)


def _parsed_age(text: str) -> timedelta | None:
    if not text.strip():
        return None
    matched = _AGE.fullmatch(text.strip().lower())
    if matched is None:
        raise InvalidArgumentError(
            f"--older-than {text!r} is not an age: write hours, days or weeks, as 12h, 30d or 8w."
        )
    return timedelta(hours=int(matched[1]) * _HOURS[matched[2]])


def _age(made: datetime) -> str:
    hours = max(0, int((datetime.now(UTC) - made).total_seconds() // 3600))
    if hours < 1:
        return "now"
    return f"{hours} h" if hours < 48 else f"{hours // 24} d"
