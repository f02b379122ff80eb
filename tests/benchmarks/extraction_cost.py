"""What extractors add to a first index, in processor time: nobody interested, all of ours, and one that wants every event. Linux only.

    python -m tests.benchmarks.extraction_cost REPO… [--runs 5] [--analysed] [--document docs/performance.md]

What is measured is the CodeMap installed beside this Python. The ways take turns, so that a busy machine slows all of them alike. A first
index is one of contents that nobody has analysed: the table says how much of its processor time all extractors of ours take together, and
what one costs that wants nothing which is there, or every event. With ``--analysed`` the contents are analysed before, so that what is
compared is all that binding and extraction can change: a harder measure, which no must is of.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import FactExtractor, Seen
from codemap_core.hooks.interests import ANY, Interests
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.hooks.registry import Registry
from codemap_core.model import FactRow
from codemap_core.pipeline import ensure_baseline
from codemap_core.repository import Repository
from tests.benchmarks.process_tree import run_measured
from tests.benchmarks.report import replace_figures, table

EVERYTHING: Final = Interests(
    invocations=ANY,
    creations=ANY,
    element_accesses=ANY,
    assignments=ANY,
    throws=True,
    catches=True,
    documented_exceptions=True,
    attributes=ANY,
    declarations=ANY,
    members=True,
)
NOTHING_THERE: Final = Interests(invocations=("NobodyCallsItsMethodLikeThis",), attributes=("NobodyCarriesThis",))
WAYS: Final = {
    "none": "no extractor",
    "uninterested": "one that wants what is not there",
    "ours": "all of ours",
    "everything": "one that wants every event",
}
"""The first is what the others are compared to."""
SHARE: Final = "share of the whole"


class Limit(Struct, frozen=True):
    """``most``: what a figure may be. ``shown``: how it is written."""

    what: str
    most: float
    shown: str


_TIMES: Final = "{:.2f} ×"
LIMITS: Final = {
    "uninterested": Limit(WAYS["uninterested"], 1.05, _TIMES),
    "everything": Limit(WAYS["everything"], 1.25, _TIMES),
}
"""By way."""
LIMIT_OF_SHARE: Final = Limit(f"{SHARE}, median of pairs", 0.15, "{:.1%}")
FIRST: Final = [
    "",
    WAYS["none"],
    WAYS["ours"],
    f"{SHARE}, median of pairs",
    "lowest and highest",
    *(WAYS[way] for way in LIMITS),
]


class Row(Struct, frozen=True):
    """One repository: its cells, and its figures that have a limit."""

    cells: tuple[str, ...]
    limited: tuple[tuple[Limit, float], ...]


class _Wanting:
    """Wants something and makes nothing of it."""

    name = "wanting"
    language = ""
    kinds = ("wanting",)

    def __init__(self, interests: Interests) -> None:
        self.interests: Final = interests

    def extract(self, seen: Seen) -> Iterable[FactRow]:
        return ()

    @hookimpl
    def codemap_register_fact_extractors(self, registry: Registry[FactExtractor]) -> None:
        registry.add(self)


def host_of(way: str) -> PluginHost:
    host = load_plugins()
    if way == "ours":
        return host
    blocked = {each.owner.name for each in host.extractors}
    wanted = {"uninterested": NOTHING_THERE, "everything": EVERYTHING}.get(way)
    return load_plugins(blocked, {"wanting": _Wanting(wanted)} if wanted is not None else None)


def index(repository: Path, way: str) -> None:
    ensure_baseline(Repository.open(repository), host_of(way), load_settings(), jobs=2, rebuild=True)


def measure(repository: Path, runs: int, *, analysed: bool) -> dict[str, list[float]]:
    """Seconds of processor time of all processes, by way, a figure for each run. In the runs that follow each other the ways take turns, in
    an order that changes from run to run."""
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as home:
        if analysed:
            index_in(home, repository, "none")
        for number in range(runs):
            for way in sorted(WAYS, reverse=bool(number % 2)):
                with tempfile.TemporaryDirectory() as new:
                    seconds[way].append(index_in(home if analysed else new, repository, way))
    return seconds


def index_in(home: str, repository: Path, way: str) -> float:
    command = [sys.executable, "-m", "tests.benchmarks.extraction_cost", str(repository), "--way", way]
    return run_measured(command, os.environ | {"CODEMAP_HOME": home}).processor


def row(repository: Path, runs: int) -> Row:
    seconds = measure(repository, runs, analysed=True)
    return Row(
        (repository.name, _seconds(seconds, "none"), *(_TIMES.format(times(seconds, way)) for way in list(WAYS)[1:])),
        (),
    )


def first_row(repository: Path, runs: int) -> Row:
    seconds = measure(repository, runs, analysed=False)
    shares = sorted(1 - none / ours for none, ours in zip(seconds["none"], seconds["ours"], strict=True))
    share = statistics.median(shares)
    ratios = {way: times(seconds, way) for way in LIMITS}
    cells = (
        *(repository.name, _seconds(seconds, "none"), _seconds(seconds, "ours")),
        *(f"{share:.1%}", f"{shares[0]:.1%} to {shares[-1]:.1%}", *(_TIMES.format(each) for each in ratios.values())),
    )
    return Row(cells, ((LIMIT_OF_SHARE, share), *((limit, ratios[way]) for way, limit in LIMITS.items())))


def times(seconds: Mapping[str, Sequence[float]], way: str) -> float:
    """How many times as much as without any extractor, the median of the runs."""
    return statistics.median(each / none for each, none in zip(seconds[way], seconds["none"], strict=True))


def _seconds(seconds: Mapping[str, Sequence[float]], way: str) -> str:
    return f"{statistics.median(seconds[way]):.1f} s"


def kept_within(rows: Sequence[Row]) -> str:
    """Whether the figures keep within their limits, a line for each limit."""
    lines = []
    for limit, _ in rows[0].limited:
        found = sorted(value for row in rows for each, value in row.limited if each is limit)
        kept = sum(value <= limit.most for value in found)
        shown = limit.shown.format
        lines.append(
            f"- {limit.what}: {shown(found[0])} to {shown(found[-1])}; the must of {shown(limit.most)} is met by {kept} of {len(found)}."
        )
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--way", choices=WAYS, help="index once in this way and end")
    parser.add_argument("--document", type=Path)
    parser.add_argument("--analysed", action="store_true", help="the contents are analysed before")
    arguments = parser.parse_args()
    if arguments.way:
        index(arguments.repositories[0], arguments.way)
        return
    made, header, name = (
        (row, ["", *WAYS.values()], "extraction")
        if arguments.analysed
        else (first_row, FIRST, "extraction in a first index")
    )
    rows = [made(each.resolve(), arguments.runs) for each in arguments.repositories]
    figures = "\n\n".join(filter(None, (table(header, [each.cells for each in rows]), kept_within(rows))))
    sys.stdout.write(figures + "\n")
    if arguments.document is not None:
        replace_figures(arguments.document, figures, name)


if __name__ == "__main__":
    main()
