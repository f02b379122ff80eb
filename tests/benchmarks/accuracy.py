"""What the index says against what the C# compiler says, for repositories whose answers are at hand.

    python -m tests.benchmarks.accuracy --shared DIR --repos DIR [--assemblies DIR] [--document docs/accuracy.md]

``--shared`` holds ``score/score.py`` and ``oracle/golden/NAME``; ``--repos`` a work tree NAME for each; ``--assemblies`` a folder of
reference assemblies for each NAME and ``net10``: with it everything is measured a second time, with the assemblies at hand.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from codemap_core.version import __version__
from tests.benchmarks.report import replace_figures, table

Scores = Mapping[str, Mapping[str, Any]]
"""Repository, or TOTAL → what → figures."""

_PROJECT_FIELDS: Final = (
    ("files", "files"),
    ("references", "project_references"),
    ("packages", "packages"),
    ("usings", "usings"),
    ("defines", "defines"),
    ("framework", "target_framework"),
)
_REFERENCE_KINDS: Final = (
    "call",
    "read",
    "write",
    "instantiate",
    "override",
    "implementation",
    "CORE+SLOTS",
    "type",
    "attribute",
    "method_group",
    "nameof",
    "ctor_initializer",
    "operator",
    "indexer",
    "cref",
    "EXTRA",
    "ALL",
)


def measure(shared: Path, repositories: Path, assemblies: Path | None) -> Scores:
    golden = sorted(path for path in (shared / "oracle" / "golden").iterdir() if path.is_dir())
    command = [sys.executable, str(shared / "score" / "score.py"), "all", "--json", *map(str, golden)]
    for each in golden:
        command += ["--repo", str(repositories / each.name)]
    if assemblies is not None:
        command += ["--refs", str(assemblies)]
    command += ["--codemap", str(Path(sys.executable).with_name("codemap"))]
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=_environment(home))
    result: Scores = json.loads(done.stdout)
    return result


def _environment(home: str) -> dict[str, str]:
    import os

    kept = {name: value for name, value in os.environ.items() if name != "CODEMAP_REFERENCES"}
    return kept | {"CODEMAP_HOME": home, "PYTHONDONTWRITEBYTECODE": "1"}


def figures(scores: Scores) -> str:
    """The tables of one measurement."""
    parts = [
        "Symbols and base types:",
        table(
            (
                "repository",
                "symbols",
                "recall",
                "precision",
                "kind",
                "visibility",
                "span",
                "relations",
                "recall",
                "precision",
            ),
            [_symbols(name, scores[name]) for name in scores],
        ),
        "Projects (recall / precision):",
        table(
            ("repository", "projects", *(title for title, _ in _PROJECT_FIELDS)),
            [
                (_title(name), of["projects"]["gold"], *(_pair(of.get(key)) for _, key in _PROJECT_FIELDS))
                for name, of in scores.items()
            ],
        ),
    ]
    total = scores["TOTAL"]
    if total["ALL"]["recall"] > 0:
        parts += [
            "References to first-party symbols, all repositories together:",
            table(
                ("kind", "references", "recall", "precision", "same kind", "same owner", "same constructor"),
                [
                    (kind, f"{total[kind]['gold']:,}", *(share(total[kind][of]) for of in ("recall", "precision", "kind", "from", "ctor")))
                    for kind in _REFERENCE_KINDS
                    if kind in total
                ],
            ),
            "The same by repository:",
            table(
                ("repository", "references", "recall", "precision", "external", "recall"),
                [
                    (_title(name), f"{of['ALL']['gold']:,}", share(of["ALL"]["recall"]), share(of["ALL"]["precision"]),
                     f"{of['ALL']['ext_gold']:,}", share(of["ALL"]["ext_recall"]))
                    for name, of in scores.items()
                ],
            ),
        ]  # fmt: skip
    return "\n\n".join(parts)


def _symbols(name: str, of: Mapping[str, Any]) -> Sequence[object]:
    symbols, relations = of["symbols"], of["relations"]
    return (
        _title(name),
        f"{symbols['gold']:,}",
        *(share(value) for value in (symbols["recall"], symbols["precision"], symbols["kind"], of["visibility"], of["spans"])),
        f"{relations['gold']:,}",
        share(relations["recall"]),
        share(relations["precision"]),
    )  # fmt: skip


def _title(name: str) -> str:
    return "**all**" if name == "TOTAL" else name


def _pair(of: Mapping[str, float] | None) -> str:
    if not of or not of["gold"]:
        return "–"
    return f"{share(of['recall'])} / {share(of['precision'])}"


def share(value: float) -> str:
    """Four decimals, never rounded up to 1."""
    if math.isnan(value):
        return "–"
    return f"{min(value, 0.9999) if value < 1 else value:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--assemblies", type=Path)
    parser.add_argument("--document", type=Path, help="write the tables into this file, between its marks")
    arguments = parser.parse_args()
    commits = [
        (path.name, (path / "COMMIT").read_text().strip()[:12])
        for path in sorted((arguments.shared / "oracle" / "golden").iterdir())
        if path.is_dir()
    ]
    parts = [
        f"CodeMap {__version__}. Repositories: " + ", ".join(f"{name} at `{commit}`" for name, commit in commits) + ".",
        "### With the shipped catalog of libraries only",
        figures(measure(arguments.shared, arguments.repos, None)),
    ]
    if arguments.assemblies is not None:
        parts += [
            "### With reference assemblies at hand",
            figures(measure(arguments.shared, arguments.repos, arguments.assemblies)),
        ]
    text = "\n\n".join(parts)
    if arguments.document is not None:
        replace_figures(arguments.document, text)
    else:
        sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
