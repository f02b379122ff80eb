"""The architectural facts of an index against those that the C# compiler finds, for repositories whose answers are at hand.

    python -m tests.benchmarks.facts --shared DIR --repos DIR [--assemblies DIR] [--document docs/accuracy.md]
                                     [--worst N] [--kind KIND] [--home DIR] [NAME…]

``--shared`` holds ``score/score.py``, whose comparison and measures these are, and ``oracle/golden/NAME``; ``--repos`` a work tree NAME
for each, at the commit of its golden answers. ``--assemblies``: a folder of reference assemblies for each NAME and
``net10``; with it everything is measured a second time, with the assemblies at hand. ``--home`` keeps the indexes, and what was
analysed, for the next run. NAMEs restrict the repositories; ``--worst`` lists that many mismatches of each sort instead of the tables.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from msgspec import Struct

from codemap_core.version import __version__
from tests.benchmarks.accuracy import share
from tests.benchmarks.report import replace_figures, table

FIGURES: Final = "facts"
"""The name of the generated part of the document."""
CODEMAP: Final = str(Path(sys.executable).with_name("codemap"))

Scores = Mapping[str, Mapping[str, Any]]
"""Kind, or ALL → figures of the scoreboard."""


class Measured(Struct, frozen=True):
    """One repository, or all of them together. ``mismatches``: by kind and sort, a line for each."""

    name: str
    scores: Scores
    mismatches: dict[tuple[str, str], list[str]]


def scoreboard(shared: Path) -> ModuleType:
    """``score/score.py``, which is a script beside the golden answers."""
    path = shared / "score" / "score.py"
    spec = importlib.util.spec_from_file_location("score", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(
    board: ModuleType, golden: Sequence[Path], repositories: Path, assemblies: Path | None, home: Path
) -> list[Measured]:
    """Each repository in turn, and at last all of them together."""
    total = board.Tally()
    measured = []
    for each in golden:
        tally = board.Tally()
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as dump:
            _dump_facts(repositories / each.name, _environment(each.name, assemblies, home), dump)
            board.score_facts(each, dump.name, tally)
        total.merge(tally)
        measured.append(_measured(board, each.name, tally))
    together = _measured(board, "TOTAL", total)
    for repository in measured:
        for key, lines in repository.mismatches.items():
            together.mismatches.setdefault(key, []).extend(lines)
    return [*measured, together]


def _measured(board: ModuleType, name: str, tally: Any) -> Measured:
    _, scores = board.facts_table(tally, name)
    return Measured(name, scores, {key: list(samples) for key, samples in sorted(tally.samples.items())})


def _dump_facts(repository: Path, environment: Mapping[str, str], dump: Any) -> None:
    subprocess.run([CODEMAP, "index", str(repository)], check=True, stdout=sys.stderr, env=environment)
    subprocess.run([CODEMAP, "dump", "facts", str(repository)], check=True, stdout=dump, env=environment)


def _commit(golden: Path) -> str:
    return (golden / "COMMIT").read_text().strip()


def _environment(name: str, assemblies: Path | None, home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "CODEMAP_REFERENCES"}
    if assemblies is not None:
        kept["CODEMAP_REFERENCES"] = os.pathsep.join(str(assemblies / each) for each in ("net10", name))
    return kept | {"CODEMAP_HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1"}


def figures(measured: Sequence[Measured]) -> str:
    """The tables of one measurement."""
    *repositories, total = measured
    kinds = [kind for kind in total.scores if kind != "ALL"]
    return "\n\n".join(
        (
            "All repositories together:",
            table(
                (
                    "kind",
                    "facts",
                    "place",
                    "recall",
                    "precision",
                    "value",
                    "owner",
                    "span",
                    "details",
                    "test",
                    "beyond",
                ),
                [_of_kind(kind, total.scores[kind]) for kind in total.scores],
            ),
            "The same by repository (facts: recall / precision):",
            table(
                ("repository", *kinds, "all"),
                [(each.name, *(_pair(each.scores.get(kind)) for kind in (*kinds, "ALL"))) for each in repositories],
            ),
            "What is left, by rule:",
            table(("kind and what differs", "rows"), _left(total)),
        )
    )


def _of_kind(kind: str, of: Mapping[str, Any]) -> Sequence[object]:
    shares = (of[key] for key in ("place", "recall", "precision", "value", "owner", "span", "detail"))
    return (
        "**all**" if kind == "ALL" else kind,
        f"{of['truth']:,}",
        *map(share, shares),
        share(of["details"].get("test", float("nan"))),
        f"{of['beyond']:,}",
    )


def _pair(of: Mapping[str, Any] | None) -> str:
    if of is None or (not of["truth"] and not of["claimed"]):
        return "–"
    return f"{of['truth']:,}: {share(of['recall'])} / {share(of['precision'])}"


def _left(total: Measured) -> Iterator[Sequence[object]]:
    for (kind, what), lines in sorted(
        total.mismatches.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1])
    ):
        yield f"{kind}: {what}", f"{len(lines):,}"


def worst(measured: Sequence[Measured], count: int, kind: str) -> str:
    """Mismatches of each repository, ``count`` of each sort, spread over all of the sort."""
    lines = []
    for each in measured[:-1]:
        lines.append(f"== {each.name}")
        for (of, what), samples in each.mismatches.items():
            if not kind or of == kind:
                lines.append(f"-- {of} {what}: {len(samples)}")
                lines += [f"    {sample}" for sample in samples[:: max(1, len(samples) // count)][:count]]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="repositories; all that have golden facts when none is named"
    )
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--assemblies", type=Path)
    parser.add_argument("--document", type=Path, help="write the tables into this file, between its marks")
    parser.add_argument("--home", type=Path, help="where indexes are kept; a temporary folder otherwise")
    parser.add_argument("--worst", type=int, default=0, metavar="N")
    parser.add_argument("--kind", default="", help="with --worst: of this kind alone")
    arguments = parser.parse_args()
    golden = [
        path
        for path in sorted((arguments.shared / "oracle" / "golden").iterdir())
        if any(path.glob("facts.jsonl*")) and (not arguments.names or path.name in arguments.names)
    ]
    counted: Counter[str] = Counter(path.name for path in golden)
    if unknown := [name for name in arguments.names if name not in counted]:
        parser.error(f"no golden facts of {', '.join(unknown)}")
    board = scoreboard(arguments.shared)
    commits = ", ".join(f"{path.name} at `{_commit(path)[:12]}`" for path in golden)
    parts = [f"CodeMap {__version__}. Repositories: {commits}."]
    settings = [("With the shipped catalog of libraries only", None)]
    if arguments.assemblies is not None:
        settings.append(("With reference assemblies at hand", arguments.assemblies))
    with tempfile.TemporaryDirectory() as scratch:
        home = arguments.home or Path(scratch)
        for title, assemblies in settings:
            measured = measure(board, golden, arguments.repos, assemblies, home)
            shown = worst(measured, arguments.worst, arguments.kind) if arguments.worst else figures(measured)
            parts += [f"#### {title}", shown]
    text = "\n\n".join(parts)
    if arguments.document is not None:
        replace_figures(arguments.document, text, FIGURES)
    else:
        sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
