"""The difference of two revisions of any repository: whether it is complete, what it says, and what it costs.

python -m tests.benchmarks.difference REPO OLD NEW          indexes both if need be; prints one JSON object, ends with 1 if rows are missing

``holds``: by kind of rows, whether the older dump with the exact difference applied is the newer dump, and the other way round.
``text``: files that ``git diff`` calls changed and the indexes cover, and those among them that the difference does not know: there must be
none.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.difference.comparison import Asked, Comparison
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.dump_difference import applied, row_differences
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.row_difference import document_differences
from codemap_plugins.difference_tools.compatibility import Compatibility


class Measured(Struct, frozen=True):
    """Seconds, counts, and whether the law holds."""

    holds: dict[str, bool]
    rows: dict[str, int]
    text: dict[str, int]
    rows_seconds: float
    comparison_seconds: float
    stats: Any


def measure(folder: Path, old: str, new: str) -> Measured:
    repository, host, settings = Repository.open(folder), load_plugins(), load_settings()
    commits = [repository.resolve_commit(each) for each in (old, new)]
    paths = [ensure_baseline(repository, host, settings, commit=commit).path for commit in commits]
    with Snapshot.open(paths[0]) as before, Snapshot.open(paths[1]) as after:
        start = time.perf_counter()
        changed = {each.file_path for each in document_differences(before.reader, after.reader)}
        rows_seconds = time.perf_counter() - start
        start = time.perf_counter()
        stats = Comparison(before, after, Asked(), Compatibility).stats
        comparison_seconds = time.perf_counter() - start
        named = subprocess.run(
            ["git", "-C", str(folder), "diff", "--name-only", "--no-renames", "-z", *commits],
            check=True,
            stdout=subprocess.PIPE,
        )
        covered = {each.file_path for side in (before, after) for each in side.reader.documents()}
        in_text = covered.intersection(named.stdout.decode("utf-8", "surrogateescape").split("\0"))
        return Measured(
            holds={kind: _holds(before.reader, after.reader, kind) for kind in DUMPS},
            rows={kind: sum(1 for _ in row_differences(before.reader, after.reader, kind)) for kind in DUMPS},
            text={"changed": len(in_text), "not_told": len(in_text - changed)},
            rows_seconds=round(rows_seconds, 2),
            comparison_seconds=round(comparison_seconds, 2),
            stats=stats,
        )


def _holds(old: IndexReader, new: IndexReader, kind: str) -> bool:
    return all(
        sorted(applied(DUMPS[kind](left), row_differences(left, right, kind)))
        == sorted(map(msgspec.json.encode, DUMPS[kind](right)))
        for left, right in ((old, new), (new, old))
    )


if __name__ == "__main__":
    measured = measure(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(measured)).decode() + "\n")
    sys.exit(0 if all(measured.holds.values()) and not measured.text["not_told"] else 1)
