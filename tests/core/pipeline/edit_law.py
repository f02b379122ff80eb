"""The law that a commit indexed after another one equals its cold index, tried with random edits.

Run over a real repository (minutes to hours):

    python -m tests.core.pipeline.edit_law FOLDER --edits 700 --together 7 --seed 1

It copies the files of FOLDER, commits edits a few at a time, indexes each commit from the one before and from scratch, compares everything
that ``codemap dump`` prints and what is known of libraries, and reports how many documents were bound again. When something differs, it
looks for the fewest files whose change makes it differ, prints their differences and ends with 1.
"""

from __future__ import annotations

import argparse
import difflib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.pipeline import BaselineResult, ensure_baseline, next_baseline
from codemap_core.repository import Repository
from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.reader import IndexReader
from tests.clone import Clone
from tests.core.pipeline.edits import Editor, edits

_LIBRARIES: Final = """
SELECT s.symbol_id, l.kind, l.name, l.signature, l.assembly, l.version FROM library_symbols l JOIN symbol_ids s ON s.id = l.id ORDER BY 1
"""


class Bench:
    """A repository that is edited, and indexes of its commits made both ways."""

    def __init__(self, root: Path, files: Mapping[str, str], host: PluginHost, jobs: int = 1) -> None:
        self._root: Final = root
        self._host: Final = host
        self._jobs: Final = jobs
        self._clone: Final = Clone(root / "repository")
        self._committed: dict[str, str] = {}
        self._runs = 0
        self.commit(files)
        self.index("next")

    def commit(self, files: Mapping[str, str]) -> None:
        self._clone.remove(*(path for path in self._committed if path not in files))
        self._clone.commit({path: text for path, text in files.items() if self._committed.get(path) != text})
        self._committed = dict(files)

    def index(self, home: str, rebuild: bool = False) -> BaselineResult:
        next_baseline.MOST = 2.0  # however much must be bound again
        settings = Settings(data_directory=self._root / home)
        return ensure_baseline(
            Repository.open(self._clone.root), self._host, settings, jobs=self._jobs, rebuild=rebuild
        )

    def differences(self) -> tuple[BaselineResult, list[str]]:
        """The index that continues an earlier one, and the first lines in which that from scratch differs."""
        continued = self.index("next")
        cold = self.index("cold", rebuild=True)
        return continued, list(_differences(continued.path, cold.path))

    def is_wrong_alone(self, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
        """What differs when the files change from one state to the other, from a fresh start."""
        self._runs += 1
        root = self._root / f"again{self._runs}"
        try:
            again = Bench(root, before, self._host, self._jobs)
            again.commit(after)
            return again.differences()[1]
        finally:
            shutil.rmtree(root, ignore_errors=True)


def _differences(one: Path, other: Path) -> Iterator[str]:
    with IndexReader.open(one) as first, IndexReader.open(other) as second:
        yield from differences_between(first, second)


def differences_between(first: IndexReader, second: IndexReader) -> Iterator[str]:
    """The first lines in which what an index that was continued holds differs from one made from scratch."""
    for kind, rows in DUMPS.items():
        have = [msgspec.json.encode(row).decode() for row in rows(first)]
        want = [msgspec.json.encode(row).decode() for row in rows(second)]
        if have != want:
            lines = difflib.unified_diff(want, have, "from scratch", "continued", n=0, lineterm="")
            yield from (f"{kind}: {line}" for line, _ in zip(lines, range(8), strict=False))
    for what in ("project_diagnostics", "semantic_level", "project_problems"):
        if getattr(first.info, what) != getattr(second.info, what):
            yield f"{what}: {getattr(first.info, what)} instead of {getattr(second.info, what)}"
    with first.below() as first_rows, second.below() as second_rows:
        have_known = set(first_rows.execute(_LIBRARIES))
        want_known = set(second_rows.execute(_LIBRARIES))
        yield from (f"library symbols: + {row}" for row in sorted(have_known - want_known, key=str)[:5])
        yield from (f"library symbols: - {row}" for row in sorted(want_known - have_known, key=str)[:5])


def fewest(bench: Bench, before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """A state between both in which as few files as possible differ from ``before``, and indexing goes wrong still."""
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    wanted = list(changed)

    def state(paths: list[str]) -> dict[str, str]:
        mixed = {path: text for path, text in before.items() if path not in paths}
        return mixed | {path: after[path] for path in paths if path in after}

    for path in changed:
        fewer = [each for each in wanted if each != path]
        if fewer and bench.is_wrong_alone(before, state(fewer)):
            wanted = fewer
    return state(wanted)


def read(folder: Path) -> dict[str, str]:
    """The texts of a repository's committed files that an index may depend on."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, check=True, capture_output=True).stdout.decode()
    suffixes = (".cs", ".csproj", ".props", ".targets", ".sln", ".slnx", ".json", ".config")
    files: dict[str, str] = {}
    for path in listed.split("\0"):
        if path.lower().endswith(suffixes) and not (folder / path).is_symlink():
            files[path] = (folder / path).read_bytes().decode("utf-8", "replace")
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edits", type=int, default=700)
    parser.add_argument("--together", type=int, default=7, help="edits in one commit")
    parser.add_argument("--projects", type=int, default=10, help="one edit in so many is of a project file; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep-going", action="store_true", help="go on after a difference, without looking for its cause"
    )
    options = parser.parse_args()
    say = sys.stderr.write
    files = read(options.folder)
    with tempfile.TemporaryDirectory(prefix="edit-law-") as folder:
        bench = Bench(Path(folder), files, load_plugins())
        editor = Editor(dict(files), random.Random(options.seed))
        planned = edits(editor, options.edits, options.projects)
        wrong = made = bound = continued = 0
        sources = 0
        while True:
            before = dict(editor.files)
            done = list(islice(planned, options.together))
            if not done:
                break
            made += len(done)
            started = time.monotonic()
            bench.commit(editor.files)
            index, found = bench.differences()
            sources += sum(index.statuses.values())
            if index.bound_files is not None:
                continued += 1
                bound += index.bound_files
            say(
                f"{made} edits: bound {index.bound_files} of {sum(index.statuses.values())}, "
                f"{index.elapsed_seconds:.2f} s of {time.monotonic() - started:.1f} s\n"
            )
            if found:
                wrong += 1
                say("\n".join(done) + "\n" + "\n".join(found) + "\n")
                if not options.keep_going:
                    least = fewest(bench, before, editor.files)
                    for path in sorted(before.keys() | least.keys()):
                        old, new = before.get(path, ""), least.get(path, "")
                        if old != new:
                            lines = difflib.unified_diff(old.splitlines(), new.splitlines(), path, path, lineterm="")
                            say("\n".join(lines) + "\n")
                    return 1
        say(f"{made} edits, {wrong} wrong; {continued} indexes continued an earlier one and bound {bound} documents\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
