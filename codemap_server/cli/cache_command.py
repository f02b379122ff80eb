"""``codemap cache``: indexes that machines share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from codemap_core.config import SHARED_CACHE_READ_ONLY_VARIABLE, SHARED_CACHE_VARIABLE
from codemap_core.errors import IndexNotAvailableError, InvalidArgumentError, StorageError
from codemap_core.model.counting import counted, size_in_words
from codemap_core.progress import unchecked
from codemap_server.cli.command_registry import FAILED, NOTHING_FOUND, add_command
from codemap_server.cli.help_text import CommandGroup
from codemap_server.cli.options import Json, Part, Place, Revision
from codemap_server.cli.terminal import fail, print_json, progress_reporter, say, table

if TYPE_CHECKING:
    from codemap_core.config import IndexScope, Settings
    from codemap_core.repository import Repository

_PANEL: Final = "Commands"


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        cls=CommandGroup,
        help=f"""Share indexes between machines.

    {SHARED_CACHE_VARIABLE} names a folder, or a URL such as s3://bucket/codemap after pip install 'codemap[cache]'. While it is set,
    codemap index takes the index of a commit from there if there is one, continues that of an earlier commit
    otherwise, and shares what it built. {SHARED_CACHE_READ_ONLY_VARIABLE}=1 only takes.

    \b
    Examples:
      export {SHARED_CACHE_VARIABLE}=/mnt/team/codemap
      codemap cache push ~/src/shop
      codemap cache pull ~/src/shop --commit v2.1
      codemap cache list ~/src/shop
    """,
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    add_command(group, "push", push, _PANEL)
    add_command(group, "pull", pull, _PANEL)
    add_command(group, "list", list_shared, _PANEL)
    app.add_typer(group, name="cache", rich_help_panel="Maintenance")


def push(place: Place, revision: Revision, part: Part, output: Json) -> None:
    """Share the index of a commit, of a folder or of a solution.

    The index must exist and be current. What is shared already is not sent again. The analysed files that it was made
    from go along, so that the next commit costs other machines as little as this one.

    \b
    Examples:
      codemap cache push
      codemap cache push ~/src/shop --commit v2.1
      codemap cache push --solution src/Shop.sln
    """
    from codemap_core.config import IndexScope
    from codemap_core.pipeline import baseline_path
    from codemap_core.pipeline.shared_baselines import SharedBaselines
    from codemap_core.storage.files.examine import examine_baseline

    repository, solution, settings, fingerprint = _opened("push", place, part)
    if settings.shared_cache_read_only:
        raise InvalidArgumentError(f"{SHARED_CACHE_READ_ONLY_VARIABLE} is set: leave it out to share an index.")
    commit = repository.resolve_commit(revision.commit)
    scope = IndexScope(repository.subtree, solution)
    path = baseline_path(repository, settings, commit, solution)
    found = examine_baseline(path, fingerprint)
    if not found.is_ready or found.info is None:
        raise IndexNotAvailableError(
            f"Commit {commit[:12]}{_of_part(scope)} has no index that could be shared ({found.problem or found.state.value}): "
            f"run {_index_command(scope)} first."
        )
    with progress_reporter(quiet=output.json) as progress:
        shared = SharedBaselines(repository, settings, fingerprint, progress, unchecked)
        done = shared.push(path, found.info)
    if shared.problem:
        raise StorageError(shared.problem)
    if output.json:
        print_json({"commit_sha": commit, "pushed": done, "location": shared.location})
    else:
        typer.echo(f"{'Shared' if done else 'Already shared'}: commit {commit[:12]} in {shared.location}.")


def pull(place: Place, revision: Revision, part: Part, output: Json) -> None:
    """Take the index of a commit, of a folder or of a solution from the shared cache.

    It is taken if this program would build the same here: made by the same release with the same plug-ins, and bound
    against the same libraries. Exit code 1: there is none. An index that is here already stays.

    \b
    Examples:
      codemap cache pull
      codemap cache pull ~/src/shop --commit v2.1
      codemap cache pull --solution src/Shop.sln
    """
    from codemap_core.config import IndexScope
    from codemap_core.pipeline import baseline_path
    from codemap_core.pipeline.shared_baselines import SharedBaselines
    from codemap_core.storage.data_directory import make_data_directory
    from codemap_core.storage.files.examine import examine_baseline
    from codemap_core.storage.files.lock import build_lock

    repository, solution, settings, fingerprint = _opened("pull", place, part)
    commit = repository.resolve_commit(revision.commit)
    scope = IndexScope(repository.subtree, solution)
    path = baseline_path(repository, settings, commit, solution)
    existed = examine_baseline(path, fingerprint).is_ready
    taken = None
    problem = location = ""
    if not existed:
        make_data_directory(settings)
        with progress_reporter(quiet=output.json) as progress, build_lock(path) as lock:
            shared = SharedBaselines(repository, settings, fingerprint, progress, unchecked)
            taken = shared.pull(lock, commit, scope)
            problem, location = shared.problem, shared.location
    if output.json:
        print_json(
            {
                "commit_sha": commit,
                "already_existed": existed,
                "from_cache": taken is not None,
                "problem": problem or None,
            }
        )
    elif existed:
        typer.echo(f"Already indexed: commit {commit[:12]}.")
    elif taken is not None and taken.info is not None:
        info = taken.info
        said = f"{counted(info.symbol_count, 'symbol')} in {counted(info.file_count, 'file')}"
        typer.echo(f"Taken from the shared cache: commit {commit[:12]}, {said}.")
    if problem and not output.json:
        fail(problem)
    if not existed and taken is None:
        if not problem and not output.json:
            say(
                f"{location} has no index of commit {commit[:12]}{_of_part(scope)} that this program would build here: codemap cache list."
            )
        raise typer.Exit(FAILED if problem else NOTHING_FOUND)


def list_shared(place: Place, output: Json) -> None:
    """List what is shared of a repository.

    Each index with its commit, scope and size, when it was made, and whether it can be used here.

    \b
    Examples:
      codemap cache list
      codemap cache list ~/src/shop --json
    """
    from codemap_core.pipeline.shared_baselines import shared_cache
    from codemap_core.storage.files.library_places import changed_place
    from codemap_core.storage.files.provenance import why_stale

    repository, _solution, settings, fingerprint = _opened("list", place, Part())
    cache = shared_cache(settings)
    assert cache is not None
    entries = sorted(cache.entries(repository.repo_id), key=lambda each: each.created_at, reverse=True)
    reasons = []
    for each in entries:
        why = why_stale(each.fingerprint, fingerprint) if each.fingerprint != fingerprint else ""
        changed = changed_place(each.library_places)
        reasons.append(why or (f"other libraries are here ({changed})" if changed else ""))
    if output.json:
        rows = [
            {
                "commit_sha": each.commit_sha,
                "subtree": each.subtree,
                "solution": each.solution,
                "created_at": each.created_at,
                "codemap_version": each.codemap_version,
                "symbol_count": each.symbol_count,
                "size": each.stored,
                "has_units": each.units is not None,
                "usable": not why,
                "problem": why or None,
            }
            for each, why in zip(entries, reasons, strict=True)
        ]
        print_json({"location": cache.location, "repo_id": repository.repo_id, "indexes": rows})
        return
    if entries:
        columns: list[tuple[str, dict[str, Any]]] = [
            ("commit", {}),
            ("scope", {"overflow": "fold"}),
            ("size", {"justify": "right"}),
            ("made", {}),
            ("usable here", {"overflow": "fold"}),
        ]
        rows_of_table = []
        for each, why in zip(entries, reasons, strict=True):
            usable = f"no: {why}" if why else "yes"
            scope = each.scope.label or "all"
            rows_of_table.append((each.commit_sha[:12], scope, size_in_words(each.stored), each.created_at, usable))
        table(columns, rows_of_table)
    total = size_in_words(sum(each.stored for each in entries))
    say(f"{counted(len(entries), 'shared index', 'shared indexes')} of this repository, {total}; in {cache.location}")


def _opened(command: str, place: Place, part: Part) -> tuple[Repository, str, Settings, str]:
    """The repository, the solution, the settings and the fingerprint of this program. Raises: InvalidArgumentError where no cache is named,
    and as ``open_part``."""
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline import index_fingerprint
    from codemap_server.cli.part import open_part

    settings = load_settings()
    if not settings.shared_cache:
        raise InvalidArgumentError(
            f"No shared cache is named: set {SHARED_CACHE_VARIABLE} to a folder or a URL, or shared_cache_dir in {settings.config_file}."
        )
    repository, solution = open_part(f"cache {command}", place.folder or Path(), part.solution)
    return repository, solution, settings, index_fingerprint(load_plugins(), settings)


def _of_part(scope: IndexScope) -> str:
    return "" if scope.is_whole else f" for {scope.label}"


def _index_command(scope: IndexScope) -> str:
    """The command that makes an index of this scope, as typed at the root of the repository."""
    folder = f" {scope.subtree}" if scope.subtree else ""
    solution = f" --solution {scope.solution}" if scope.solution else ""
    return f"codemap index{folder}{solution}"
