"""``codemap index``: builds the index of a commit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from codemap_core.errors import CancelledError
from codemap_core.model.counting import counted
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import Json, Part, Place, Revision, at_least
from codemap_server.cli.terminal import fail, progress_reporter, say, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from codemap_core.pipeline import BaselineResult
    from codemap_core.pipeline.guard import ExtractionFailure


def register(app: typer.Typer) -> None:
    add_command(app, "index", index, "Index")


_PROBLEMS_SHOWN: Final = 12
_RETRY: Final = "codemap index --retry"


def index(
    place: Place,
    revision: Revision,
    output: Json,
    part: Part,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs", "-j", metavar="N", callback=at_least(0), help="Worker processes; default: one per processor."
        ),
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")] = False,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="Rebuild the index even if it is up to date.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Retry the files for which a plug-in failed.")] = False,
) -> None:
    """Index a commit of a C# repository.

    Files are read from git: the checkout is neither needed nor touched, and nothing is built or executed. A PATH inside
    the repository, or a solution as PATH, indexes that alone, and answers say so. An index that exists is kept, and
    files that were analysed before, in any commit or branch, are not parsed again.

    \b
    Examples:
      codemap index
      codemap index ~/src/shop --commit v2.1
      codemap index --solution src/Shop.sln
    """
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline import ensure_baseline
    from codemap_server.cli.part import open_part

    repository, solution = open_part("index", place.folder or Path(), part.solution)
    host = load_plugins()
    for problem in host.problems:
        say(f"warning: {problem.message}")
    try:
        with progress_reporter(quiet=output.json or quiet) as progress:
            result = ensure_baseline(
                repository,
                host,
                load_settings(),
                commit=revision.commit,
                solution=solution,
                jobs=jobs or None,
                rebuild=rebuild,
                retry=retry,
                progress=progress,
            )
    except KeyboardInterrupt:
        raise CancelledError(
            "Interrupted; what was there before is unchanged, and what was analysed is kept."
        ) from None
    if output.json:
        import msgspec

        from codemap_server.build_process import built

        answer = msgspec.to_builtins(built(result)) | {
            "index": str(result.path),
            "statuses": result.statuses,
            "failures": [msgspec.structs.asdict(each) for each in result.failures],
        }
        typer.echo(msgspec.json.encode(answer).decode())
        return
    if result.cache_problem:
        say(f"warning: {result.cache_problem}")
    if quiet:
        if not result.already_existed:
            _warn(result)
        return
    if result.already_existed:
        info = result.info
        done = "Taken from the shared cache" if result.from_cache else "Already indexed"
        typer.echo(
            f"{done}: commit {info.commit_sha[:12]}, {counted(info.symbol_count, 'symbol')} in "
            f"{counted(info.file_count, 'file')}."
        )
        _recall_failures(result)
        return
    _show(result)


def _show(result: BaselineResult) -> None:
    info = result.info
    if result.replaced:
        say(f"Rebuilt: {result.replaced}.")
    shown = sorted(info.project_diagnostics, key=lambda d: -d.symbol_count)
    rows = [
        (d.project_name, f"{d.symbol_count:,}", "; ".join(d.errors) if d.errors else "ok")
        for d in shown[:15]
        if d.symbol_count or d.errors
    ]
    if rows:
        table((("project", {}), ("symbols", {"justify": "right"}), ("state", {"overflow": "fold"})), rows)
    if len(shown) > 15:
        typer.echo(f"… and {counted(len(shown) - 15, 'more project')}")
    sources = sum(result.statuses.values())
    parsed = f"{result.analysed_files:,} parsed, {result.cached_files:,} from the cache"
    bound = "" if result.bound_files is None else f", {result.bound_files:,} bound again"
    typer.echo(
        f"\nIndexed commit {info.commit_sha[:12]}: {counted(info.symbol_count, 'symbol')} and "
        f"{counted(info.reference_count, 'reference')} in {counted(info.project_count, 'project')}, "
        f"{counted(sources, 'analysed file')} and {counted(info.file_count - sources, 'other', 'others')}, in "
        f"{result.elapsed_seconds:.1f} s ({parsed}{bound})."
    )
    _warn(result)
    if info.symbol_count:
        typer.echo("Next: codemap search NAME, codemap show NAME, codemap setup CLIENT")


def _name_failures(failures: Sequence[ExtractionFailure]) -> None:
    """Each extractor that failed for files, with the first of them; what failed for the whole run is a problem of the repository."""
    by_extractor: dict[tuple[str, str], list[ExtractionFailure]] = {}
    for failure in (each for each in failures if each.file_path):
        by_extractor.setdefault((failure.extractor, failure.plugin), []).append(failure)
    for (extractor, plugin), found in by_extractor.items():
        first = found[0]
        others = f" and {len(found) - 1:,} more" if len(found) > 1 else ""
        say(f"warning: {extractor} ({plugin}) failed for {first.file_path}{others}: {first.message}.")
    if failures:
        say(
            "What failed is left out of the index; everything else is in it. Report it to the authors of the plug-in; "
            f"once it is repaired, {_RETRY} tries again."
        )


def _recall_failures(result: BaselineResult) -> None:
    """Reports the failures of the build that made an existing index."""
    from codemap_core.storage.files.examine import has_failed_files

    for problem in result.info.project_problems:
        if not problem.project_path:
            say(f"warning: {problem.message}.")
    if not has_failed_files(result.path):
        return
    from codemap_core.queries.indexes.repository import quality_of
    from codemap_core.queries.snapshot import Snapshot

    with Snapshot.open(result.path) as snapshot:
        quality = quality_of(snapshot)
    for failure in quality.failures[:_PROBLEMS_SHOWN]:
        say(f"warning: {failure.file_path}: {failure.message}.")
    if quality.failure_count:
        say(
            f"Something failed for {counted(quality.failure_count, 'file')} when this was indexed; {_RETRY} tries again."
        )


def _warn(result: BaselineResult) -> None:
    from codemap_core.storage.files.examine import count_skipped_files

    counts = result.statuses
    problems = [problem.message for problem in result.info.project_problems if not problem.project_path]
    for message in problems[:_PROBLEMS_SHOWN]:
        say(f"warning: {message}.")
    if len(problems) > _PROBLEMS_SHOWN:
        say(f"… and {counted(len(problems) - _PROBLEMS_SHOWN, 'more such problem')}.")
    if troubled := result.info.problem_projects:
        say(
            f"Something in {counted(len(troubled), 'project')} could not be read as it is meant; names in such projects may stay "
            "unresolved. codemap status names some."
        )
    if not sum(counts.values()):
        say("There is no C# in this commit: only its text can be searched.")
    if counts.get("fallback"):
        say(
            f"Syntax errors in {counted(counts['fallback'], 'file')}; declarations around them are of low confidence. "
            "codemap status names some."
        )
    if failed := counts.get("failed"):
        fail(
            f"{counted(failed, 'file')} could not be analysed; this is a fault of CodeMap or a plug-in, please report it. "
            "codemap status names some."
        )
    _name_failures(result.failures)
    if skipped := count_skipped_files(result.path):  # of any language: ``statuses`` is about what was analysed
        say(f"Skipped as too large or binary: {counted(skipped, 'file')}. codemap status names some.")
    if result.skipped_symlinks:
        say(f"Not followed: {counted(result.skipped_symlinks, 'symbolic link')}.")
