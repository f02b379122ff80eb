"""How far answers hold where packages are missing: a repository bound with all its packages, and with some taken away at random.

    python -m tests.benchmarks.missing_packages --repos DIR --assemblies DIR [--share 3] [--seeds 1] [NAME…]

``--repos`` holds a work tree NAME for each folder of package assemblies ``--assemblies``/NAME; ``--assemblies``/net10 those of .NET.
Everything is bound against .NET and those assemblies alone, so that what is taken away is in no catalog either. Of what the poorer
binding says at a place where the full one has an answer too, the share that is the same answer is its precision, by confidence.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final
from unittest.mock import patch

from codemap_core.hooks.manager import load_plugins
from codemap_core.model import Confidence, ResolutionState
from codemap_core.testing.source_index import index_sources
from codemap_plugins.csharp.metadata import reference_folders
from codemap_plugins.csharp.metadata.catalog import Catalog, encode_catalog
from codemap_plugins.csharp.metadata.reference_folders import read_assemblies
from tests.benchmarks.report import table

_READ: Final = (".cs", ".csproj", ".props", ".targets", ".sln", ".slnx", ".slnf", ".config", ".json", ".projitems")
Place = tuple[str, int, int]
"""File, line, column."""
Said = Mapping[Place, Mapping[str, Confidence]]
"""Targets at a place: ids of library symbols, the places where others are declared."""


def bound(files: Mapping[str, bytes], assemblies: Path) -> Said:
    """What is bound against the assemblies of a folder besides .NET's."""
    folders = [str(assemblies)] if any(assemblies.iterdir()) else []
    found: dict[Place, dict[str, Confidence]] = defaultdict(dict)
    index = index_sources(files, load_plugins(), folders)
    # The id of a symbol spells types of its parameters; where they were not found it is another id of the same symbol.
    declared = {row.symbol_id: f"{row.file_path}:{row.name_line}:{row.name_column}" for row in index.symbols}
    for row in index.references:
        targets = found[row.file_path, row.line, row.column]
        if row.resolution_state is ResolutionState.RESOLVED and row.to_symbol is not None:
            targets[declared.get(row.to_symbol, row.to_symbol)] = row.confidence
    return found


def compare(full: Said, poorer: Said) -> Mapping[tuple[Confidence, str], int]:
    """By confidence of the poorer binding: ``right``, ``wrong``, and ``open`` where the full one has no answer."""
    counts: Counter[tuple[Confidence, str]] = Counter()
    for place, targets in poorer.items():
        wanted = full.get(place, {})
        for target, confidence in targets.items():
            counts[confidence, "right" if target in wanted else "wrong" if wanted else "open"] += 1
    return counts


def differing(full: Said, poorer: Said) -> list[str]:
    """The places where what is said with high confidence is another answer."""
    return [
        f"{path}:{line}:{column} {target} for {' or '.join(full[path, line, column])}"
        for (path, line, column), targets in sorted(poorer.items())
        for target, confidence in targets.items()
        if confidence is Confidence.HIGH and full.get((path, line, column)) and target not in full[path, line, column]
    ]


def taken_away(folder: Path, share: int, seed: int) -> list[str]:
    """Every ``share``-th assembly of a folder, at random; the same for the same seed."""
    names = sorted(path.name for path in folder.glob("*.dll"))
    return sorted(random.Random(seed).sample(names, len(names) // share))


def files_of(repository: Path) -> Mapping[str, bytes]:
    listed = subprocess.run(["git", "-C", str(repository), "ls-files", "-z"], check=True, capture_output=True)
    paths = [path for path in listed.stdout.decode().split("\0") if path.lower().endswith(_READ)]
    return {path: (repository / path).read_bytes() for path in paths if (repository / path).is_file()}


def framework_alone(assemblies: Path) -> Catalog:
    surfaces = read_assemblies(sorted((assemblies / "net10").glob("*.dll")))
    return Catalog(encode_catalog(surfaces, frozenset(surface.name for surface in surfaces)))


def row_of(name: str, full: Said, counts: Mapping[tuple[Confidence, str], int]) -> Sequence[object]:
    resolved = sum(map(len, full.values()))
    cells: list[object] = [name, f"{resolved:,}"]
    for confidence in (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW):
        right, wrong = counts.get((confidence, "right"), 0), counts.get((confidence, "wrong"), 0)
        judged = right + wrong
        cells += [f"{judged:,}", f"{right / judged:.4f}" if judged else "–"]
    return cells


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--assemblies", type=Path, required=True)
    parser.add_argument("--share", type=int, default=3, help="take away one assembly in so many")
    parser.add_argument("--seeds", type=int, default=1, help="how many times, each with other assemblies")
    parser.add_argument("--differing", type=int, default=0, help="list so many wrong answers of each run")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args(arguments)
    catalog = framework_alone(options.assemblies)
    patch.object(reference_folders, "shipped_catalog", lambda: catalog).start()
    names = options.names or sorted(
        path.name for path in options.repos.iterdir() if (options.assemblies / path.name).is_dir()
    )
    rows: list[Sequence[object]] = []
    total: Counter[tuple[Confidence, str]] = Counter()
    everything: dict[Place, Mapping[str, Confidence]] = {}
    for name in names:
        files, folder = files_of(options.repos / name), options.assemblies / name
        full = bound(files, folder)
        everything.update({(f"{name}/{path}", line, column): said for (path, line, column), said in full.items()})
        for seed in range(options.seeds):
            away = set(taken_away(folder, options.share, seed))
            with tempfile.TemporaryDirectory() as scratch:
                for path in folder.glob("*.dll"):
                    if path.name not in away:
                        (Path(scratch) / path.name).symlink_to(path.resolve())
                poorer = bound(files, Path(scratch))
            counts = compare(full, poorer)
            total.update(counts)
            rows.append(row_of(f"{name}, seed {seed}", full, counts))
            for text in differing(full, poorer)[: options.differing]:
                sys.stderr.write(f"{name}: {text}\n")
    rows.append(row_of("**all**", everything, total))
    header = ("repository", "answers", "high", "precision", "medium", "precision", "low", "precision")
    sys.stdout.write(table(header, rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
