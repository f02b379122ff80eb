"""Indexing measured beside the parse floor, on repositories of any size. Linux only.

    python -m tests.benchmarks.cold_index REPO… [--jobs 2] [--document docs/performance.md]

What is measured is the CodeMap installed beside this Python. For each repository, in a data directory of its own: the floor, a cold index,
the floor again (the ratio is to the mean of both, as a machine's speed drifts), a run that finds the index, an index of a commit that
changes every hundredth C# file, and the start of the server.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from codemap_core.version import __version__
from tests.benchmarks import edited_commit, server_start
from tests.benchmarks.index_once import IndexRun
from tests.benchmarks.parse_floor import Floor
from tests.benchmarks.process_tree import Usage, run_measured
from tests.benchmarks.report import replace_figures, table

EDITED_EVERY = 100
_PARSE_FLOOR = Path(__file__).with_name("parse_floor.py")
_INDEX_ONCE = Path(__file__).with_name("index_once.py")
"""Run by path: what is measured is the installed program, not the sources beside this file."""


class Figures(Struct, frozen=True):
    name: str
    floor: Floor
    symbols: IndexRun
    """Without references."""
    symbols_usage: Usage
    cold: IndexRun
    cold_usage: Usage
    found_seconds: float
    next: IndexRun
    next_usage: Usage
    edited_files: int
    initialize_seconds: float
    server_memory: int
    load: float
    """Processes that wanted to run, on average, in the minute before the cold index: 0 on an idle machine."""


def measure(source: Path, jobs: int) -> Figures:
    with tempfile.TemporaryDirectory() as scratch:
        repository = Path(scratch, "repository.git")
        edited_commit.borrow(source, repository)
        environment = {k: v for k, v in os.environ.items() if k != "CODEMAP_REFERENCES"}
        environment |= _home(scratch, "home")
        first = _floor(repository, environment)
        load = os.getloadavg()[0]
        symbols, symbols_usage = _index(repository, jobs, "symbols", environment | _home(scratch, "symbols"))
        cold, cold_usage = _index(repository, jobs, "references", environment)
        second = _floor(repository, environment)
        _, found_usage = _index(repository, jobs, "references", environment)
        commit, edited_files = edited_commit.commit_edits(repository, EDITED_EVERY)
        after, after_usage = _index(repository, jobs, "references", environment, commit)
        initialize_seconds, server_memory = server_start.measure(repository, environment)
    return Figures(
        name=source.resolve().name.removesuffix(".git"),
        floor=msgspec.structs.replace(first, seconds=(first.seconds + second.seconds) / 2),
        symbols=symbols,
        symbols_usage=symbols_usage,
        cold=cold,
        cold_usage=cold_usage,
        found_seconds=found_usage.wall,
        next=after,
        next_usage=after_usage,
        edited_files=edited_files,
        initialize_seconds=initialize_seconds,
        server_memory=server_memory,
        load=load,
    )


def _home(scratch: str, name: str) -> dict[str, str]:
    return {"CODEMAP_HOME": str(Path(scratch, name))}


def _floor(repository: Path, environment: Mapping[str, str]) -> Floor:
    usage = run_measured([sys.executable, str(_PARSE_FLOOR), str(repository)], environment)
    return msgspec.json.decode(usage.output, type=Floor)


def _index(
    repository: Path, jobs: int, what: str, environment: Mapping[str, str], *commit: str
) -> tuple[IndexRun, Usage]:
    command = [sys.executable, str(_INDEX_ONCE), str(repository), str(jobs), what, *commit]
    usage = run_measured(command, environment)
    return msgspec.json.decode(usage.output, type=IndexRun), usage


def report(all_figures: list[Figures], jobs: int) -> str:
    stages = list(dict.fromkeys(stage for each in all_figures for stage in each.cold.stages))
    rows: dict[str, Callable[[Figures], str]] = {
        "files of C# and TypeScript": lambda f: f"{f.floor.files:,}",
        "lines": lambda f: f"{f.floor.lines:,}",
        "MB": lambda f: f"{f.floor.bytes / 1e6:.1f}",
        "symbols": lambda f: f"{f.cold.symbols:,}",
        "references": lambda f: f"{f.cold.references:,}",
        "parse floor, one process": lambda f: f"{f.floor.seconds:.1f} s",
        **_cold("cold index without references", lambda f: f.symbols_usage),
        **_cold("cold index", lambda f: f.cold_usage),
        **{f"… {stage}": _stage(stage) for stage in stages},
        "files that needed a repair": lambda f: f"{f.cold.statuses.get('repaired', 0):,}",
        "files with a syntax fallback": lambda f: f"{f.cold.statuses.get('fallback', 0):,}",
        "files that failed": lambda f: f"{f.cold.statuses.get('failed', 0):,}",
        "index on disk": lambda f: f"{f.cold.index_bytes / 1e6:.1f} MB",
        "already indexed": lambda f: f"{f.found_seconds:.2f} s",
        f"next commit, 1 file in {EDITED_EVERY} changed": lambda f: f"{f.next_usage.wall:.1f} s",
        "… ratio to the floor ": lambda f: f"{f.next_usage.wall / f.floor.seconds:.2f}",
        "… contents parsed": lambda f: f"{f.next.analysed:,} of {f.edited_files:,} changed",
        "server: start to `initialize`": lambda f: f"{f.initialize_seconds:.2f} s",
        "server: memory then": lambda f: f"{f.server_memory / 1e6:.0f} MB",
        "load before": lambda f: f"{f.load:.1f}",
    }
    compiled = (
        "the binder compiled" if all(each.cold.compiled for each in all_figures) else "the binder from its sources"
    )
    head = (
        f"CodeMap {__version__}, {compiled}, Python {platform.python_version()}, {os.cpu_count()} processors "
        f"({platform.machine()}), {jobs} workers. Times are wall times of whole processes unless they say otherwise."
    )
    return f"{head}\n\n" + table(
        ("", *(each.name for each in all_figures)),
        [(title, *(show(each) for each in all_figures)) for title, show in rows.items()],
    )


def _cold(title: str, usage: Callable[[Figures], Usage]) -> dict[str, Callable[[Figures], str]]:
    return {
        f"**{title}**, wall": lambda f: f"{usage(f).wall:.1f} s",
        f"{title}, ratio to the floor": lambda f: f"**{usage(f).wall / f.floor.seconds:.2f}**",
        f"{title}, user and system time": lambda f: f"{usage(f).processor:.1f} s",
        f"{title}, that time over two floors": lambda f: f"{usage(f).processor / 2 / f.floor.seconds:.2f}",
        f"{title}, peak memory of all processes": lambda f: f"{usage(f).peak_memory / 1e6:,.0f} MB",
    }


def _stage(name: str) -> Callable[[Figures], str]:
    return lambda figures: f"{figures.cold.stages.get(name, 0):.1f} s"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path, metavar="REPO")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--document", type=Path, help="write the table into this file, between its marks")
    arguments = parser.parse_args()
    text = report([measure(path, arguments.jobs) for path in arguments.repositories], arguments.jobs)
    if arguments.document is not None:
        replace_figures(arguments.document, text)
    else:
        sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
