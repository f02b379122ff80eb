"""``codemap list`` and ``codemap prune``: what the data directory holds, and removing what is not needed any more."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_core.model.counting import counted
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import Json
from codemap_server.cli.terminal import say, table

if TYPE_CHECKING:
    from codemap_core.config import Settings
    from codemap_core.storage.data_directory import IndexFile, Leftover, Removal

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
    """List the indexes in the data directory.

    Each with its repository, commit, scope, size and age, and whether it is current.
    """
    from codemap_core.storage.data_directory import cache_size

    settings, indexes, left = _contents(repo)
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
                bytes_in_words(each.size),
                _age(each.made_at),
                "yes" if not each.problem else f"no: {each.problem}",
            )
            for each in indexes
        ]
        table(columns, rows)
    total = bytes_in_words(sum(each.size for each in indexes))
    say(
        f"{counted(len(indexes), 'index', 'indexes')}, {total}; cache {bytes_in_words(cache_size(settings))}; in {settings.data_directory}"
    )
    dead = [each for each in left if not each.in_use]
    if dead:
        size = bytes_in_words(sum(each.size for each in dead))
        say(f"{counted(len(dead), 'leftover', 'leftovers')} of killed builds, {size}: codemap prune removes them.")
    running = len(left) - len(dead)
    if running:
        say(f"{counted(running, 'file is', 'files are')} in use by a running build.")


def prune(
    output: Json,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="Also indexes older than this: 12h, 30d, 8w.")
    ] = "",
    keep: Annotated[
        int | None,
        typer.Option("--keep", metavar="N", min=0, help="Also all but the newest N indexes of each repository."),
    ] = None,
    repo: OfRepository = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Remove the files; without it, only list them.")] = False,
) -> None:
    """Remove what is not needed any more.

    That is what killed builds left, indexes that are not current, and older ones when asked to; with both --older-than
    and --keep, an index goes when both say so. Nothing is removed without --yes, and never what a running build uses.
    What is removed can be built again with codemap index.

    \b
    Examples:
      codemap prune
      codemap prune --older-than 30d --keep 3 --yes
    """
    from codemap_core.storage.data_directory import forget_units, removable, remove

    age = _parsed_age(older_than)
    now = datetime.now(UTC)
    settings, indexes, left = _contents(repo)
    chosen = removable(indexes, left, made_before=None if age is None else now - age, keep=keep)
    gone = remove(chosen) if yes else ()
    freed = forget_units(settings, now - (CACHE_LIFETIME if age is None else age)) if yes and repo is None else 0
    if output.json:
        import msgspec

        answer = {"removed": yes, "files": gone if yes else chosen, "cache_freed": freed}
        typer.echo(msgspec.json.encode(answer, enc_hook=str).decode())
        return
    _show(gone if yes else chosen, indexes)
    size = bytes_in_words(sum(each.size for each in (gone if yes else chosen)) + freed)
    if yes:
        say(f"Removed {counted(len(gone), 'file', 'files')}; {size} freed.")
        if len(gone) < len(chosen):
            say(f"{counted(len(chosen) - len(gone), 'file', 'files')} came into use in the meantime and stayed.")
    elif chosen:
        say(f"{counted(len(chosen), 'file', 'files')}, {size}, would be removed. Nothing was: add --yes.")
    else:
        say("There is nothing to remove.")


def _contents(repo: Path | None) -> tuple[Settings, Sequence[IndexFile], Sequence[Leftover]]:
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline import index_fingerprint
    from codemap_core.repository import Repository
    from codemap_core.storage.data_directory import index_files, leftovers

    settings = load_settings()
    indexes = index_files(settings, index_fingerprint(load_plugins(), settings))
    left = leftovers(settings)
    if repo is None:
        return settings, indexes, left
    folder = settings.baseline_file(Repository.open(repo).repo_id, "0").parent
    return (
        settings,
        [each for each in indexes if each.path.parent == folder],
        [each for each in left if each.path.parent == folder],
    )


def _show(removals: Sequence[Removal], indexes: Sequence[IndexFile]) -> None:
    if not removals:
        return
    named = {each.path: each for each in indexes}
    rows = []
    for each in removals:
        index = named.get(each.path)
        what = str(each.path)
        if index is not None:
            scope = "" if index.scope is None or index.scope.is_whole else f" ({index.scope.label})"
            what = f"{index.repository or index.repo_id} {index.commit_sha[:12]}{scope}"
        rows.append(
            (what, bytes_in_words(each.size), f"{each.reason.value}{f': {each.detail}' if each.detail else ''}")
        )
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


def bytes_in_words(size: int) -> str:
    """``1.2 MB``."""
    if size < 1_000:
        return f"{size} B"
    value = size / 1_000
    for unit in ("KB", "MB"):
        if value < 999.5:
            return f"{value:.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"
        value /= 1_000
    return f"{value:.1f} GB"
