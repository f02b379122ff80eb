"""Output for people: errors, tables, progress. Rich is imported when something is drawn, never to start a command."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from codemap_core.progress import ProgressCallback, Stage

if TYPE_CHECKING:
    from rich.console import Console

_TITLES: Final[Mapping[str, str]] = {
    Stage.DISCOVER: "Finding projects",
    Stage.ANALYSE: "Analysing files",
    Stage.DECLARE: "Declaring symbols",
    Stage.BIND: "Binding",
    Stage.PUBLISH: "Writing the index",
    Stage.PULL: "Taking from the cache",
    Stage.PUSH: "Sharing the index",
}


def console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=False)


def fail(message: str) -> None:
    """An error for the user, on stderr."""
    if sys.stderr.isatty():
        console(stderr=True).print("[bold red]error:[/]", message, markup=True, emoji=False)
    else:
        sys.stderr.write(f"error: {message}\n")


def say(message: str) -> None:
    """A line for the user, on stderr."""
    sys.stderr.write(message + "\n")


def print_json(value: Any) -> None:
    """A value on stdout: indented on a terminal, on one line elsewhere."""
    import msgspec

    encoded = msgspec.json.encode(value)
    if sys.stdout.isatty():
        encoded = msgspec.json.format(encoded, indent=2)
    sys.stdout.write(encoded.decode() + "\n")


def note(*parts: str) -> None:
    """Prints remarks beside the results on stderr; empty parts are left out."""
    said = " ".join(part for part in parts if part)
    if not said:
        return
    sys.stdout.flush()
    if sys.stderr.isatty():
        from rich.text import Text

        console(stderr=True).print(Text(said, style="dim"), soft_wrap=True)
    else:
        sys.stderr.write(said + "\n")


def table(columns: Sequence[tuple[str, dict[str, Any]]], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout: drawn on a terminal; elsewhere aligned text whose lines are never folded and end with their last
    character. Cells are text, never markup."""
    if not sys.stdout.isatty():
        _plain_table([[name for name, _ in columns], *rows])
        return
    from rich.table import Table
    from rich.text import Text

    drawn = Table(box=None, pad_edge=False, header_style="dim", show_header=any(name for name, _ in columns))
    for name, options in columns:
        drawn.add_column(name, **options)
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    console().print(drawn)


def _plain_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if line:
            sys.stdout.write(line + "\n")


@contextmanager
def progress_reporter(quiet: bool) -> Iterator[ProgressCallback]:
    """Shows how far a build is: a bar on a terminal, a line a stage elsewhere."""
    if quiet:
        yield lambda _stage, _done, _total: None
    elif sys.stderr.isatty():
        with _bar() as report:
            yield report
    else:
        yield _lines()


def _lines() -> ProgressCallback:
    seen: set[str] = set()
    last = time.monotonic()

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last
        now = time.monotonic()
        if stage not in seen:
            seen.add(stage)
            say(_TITLES.get(stage, stage) + "…")
        elif total and now - last > 10:
            say(f"  {done:,} of {total:,}")
        else:
            return
        last = now

    return report


@contextmanager
def _bar() -> Iterator[ProgressCallback]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        task = progress.add_task("Starting", total=None)
        current = ""

        def report(stage: str, done: int, total: int) -> None:
            nonlocal current
            if stage != current:
                current = stage
                progress.update(task, description=_TITLES.get(stage, stage))
            progress.update(task, completed=done, total=total or None)

        yield report
