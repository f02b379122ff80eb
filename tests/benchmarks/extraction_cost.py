"""What extractors add to a first index, in processor time: nobody interested, all of ours, and one that wants every event. Linux only.

    python -m tests.benchmarks.extraction_cost REPO… [--runs 5] [--analysed] [--document docs/performance.md]

What is measured is the CodeMap installed beside this Python. The ways take turns, so that a busy machine slows all of them alike. A first
index is one of contents that nobody has analysed: the table says how much of its processor time all extractors of ours take together. With
``--analysed`` the contents are analysed before, so that what is compared is all that binding and extraction can change, in more ways.
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
FIRST: Final = ["", WAYS["none"], WAYS["ours"], f"{SHARE}, median of pairs", "lowest and highest"]


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
"""By way, of the figures of contents that were analysed before."""
LIMIT_OF_SHARE: Final = Limit(f"{SHARE}, median of pairs", 0.15, "{:.1%}")


class Row(Struct, frozen=True):
    """One repository: its cells, and its figures that have a limit."""

    cells: tuple[str, ...]
    limited: tuple[tuple[Limit, float], ...]


CODEMAP: Final = str(Path(sys.executable).with_name("codemap"))


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


def measure(repository: Path, runs: int) -> dict[str, float]:
    """Seconds of processor time of all processes, the median of the runs, by way."""
    seconds: dict[str, list[float]] = {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as home:
        environment = os.environ | {"CODEMAP_HOME": home}
        for number in range(runs + 1):
            for way in WAYS:
                command = [sys.executable, "-m", "tests.benchmarks.extraction_cost", str(repository), "--way", way]
                used = run_measured(command, environment)
                if number:  # the first analyses
                    seconds[way].append(used.processor)
    return {way: statistics.median(each) for way, each in seconds.items()}


def row(repository: Path, runs: int) -> Row:
    seconds = measure(repository, runs)
    least = seconds["none"]
    ratios = {way: seconds[way] / least for way in list(WAYS)[1:]}
    cells = (repository.name, f"{least:.1f} s", *(_TIMES.format(each) for each in ratios.values()))
    return Row(cells, tuple((limit, ratios[way]) for way, limit in LIMITS.items()))


def first_index(repository: Path, environment: Mapping[str, str]) -> float:
    """Seconds of processor time of all processes."""
    with tempfile.TemporaryDirectory() as home:
        command = [CODEMAP, "index", str(repository), "--quiet"]
        return run_measured(command, {**os.environ, **environment, "CODEMAP_HOME": home}).processor


def first_row(repository: Path, runs: int) -> Row:
    """Each run is a pair, whose order changes from run to run."""
    blocked = ",".join(sorted({each.owner.name for each in load_plugins().extractors}))
    ways: dict[str, dict[str, str]] = {"none": {"CODEMAP_BLOCK_PLUGINS": blocked}, "ours": {}}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(runs):
        for way in sorted(ways, reverse=bool(number % 2)):
            seconds[way].append(first_index(repository, ways[way]))
    shares = sorted(1 - none / ours for none, ours in zip(seconds["none"], seconds["ours"], strict=True))
    least, all_of_ours = (statistics.median(seconds[way]) for way in ways)
    share = statistics.median(shares)
    cells = (
        *(repository.name, f"{least:.1f} s", f"{all_of_ours:.1f} s", f"{share:.1%}"),
        f"{shares[0]:.1%} to {shares[-1]:.1%}",
    )
    return Row(cells, ((LIMIT_OF_SHARE, share),))


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
    figures = f"{table(header, [each.cells for each in rows])}\n\n{kept_within(rows)}"
    sys.stdout.write(figures + "\n")
    if arguments.document is not None:
        replace_figures(arguments.document, figures, name)


if __name__ == "__main__":
    main()
