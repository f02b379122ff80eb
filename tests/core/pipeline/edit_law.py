"""The law that an index which was continued equals one made from scratch, tried with random edits.

Run over a real repository (minutes to hours):

    python -m tests.core.pipeline.edit_law FOLDER --edits 700 --together 7 --seed 1
    python -m tests.core.pipeline.edit_law FOLDER --edits 100 --workspace
    python -m tests.core.pipeline.edit_law FOLDER --edits 350 --resident
    python -m tests.core.pipeline.edit_law FOLDER --edits 350 --watched

It copies the files of FOLDER and edits them, a few edits at a time. It commits them and indexes each commit from the one before; with
``--resident`` one process does so that knows the index of the one before, with ``--watched`` one that has also taken them up into a
workspace before they were committed; with ``--workspace`` it leaves them in the working tree and one process takes them up into a
workspace. It indexes the same state from scratch, compares everything that ``codemap dump`` prints and what is known of libraries, and
reports how many documents were bound again. When something differs, it looks for the fewest files whose change makes it differ, prints
their differences and ends with 1.
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
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Final, Protocol
from unittest.mock import patch

from msgspec import Struct

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.pipeline import BaselineResult, ensure_baseline, next_baseline
from codemap_core.pipeline.continued_baseline import continue_baseline
from codemap_core.pipeline.refresh import Refresher
from codemap_core.pipeline.resident import Resident
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import Repository
from tests.clone import Clone
from tests.core.pipeline.contract_edits import CONTRACTS
from tests.core.pipeline.desk import Desk
from tests.core.pipeline.differences import differences_of
from tests.core.pipeline.editor import Editor
from tests.core.pipeline.edits import edits
from tests.core.pipeline.markup_edits import MARKUP
from tests.core.pipeline.page_edits import PAGES

_UNSAVED_EACH: Final = 3
"""Before one refresh in so many a question is asked about a file that is not saved."""


class Step(Struct, frozen=True):
    """A state that was taken up. ``bound``: documents that were bound again, null where everything was built again; ``found``: the first
    lines in which what is made from scratch differs."""

    bound: int | None
    seconds: float
    found: list[str]


class Trial(Protocol):
    def take_up(self, files: Mapping[str, str]) -> Step:
        """Goes on to a state of the files."""
        ...

    def is_wrong_alone(self, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
        """What differs when the files change from one state to the other, from a fresh start."""
        ...


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
        settings = Settings(data_directory=self._root / home)
        with patch.object(next_baseline, "MOST", 2.0):  # however much must be bound again
            return ensure_baseline(
                Repository.open(self._clone.root), self._host, settings, jobs=self._jobs, rebuild=rebuild
            )

    def differences(self) -> tuple[BaselineResult, list[str]]:
        """The index that continues an earlier one, and the first lines in which that from scratch differs."""
        continued = self.index("next")
        cold = self.index("cold", rebuild=True)
        return continued, list(differences_of(continued.path, cold.path))

    def take_up(self, files: Mapping[str, str]) -> Step:
        self.commit(files)
        index, found = self.differences()
        return Step(index.bound_files, index.elapsed_seconds, found)

    def is_wrong_alone(self, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
        self._runs += 1
        root = self._root / f"again{self._runs}"
        try:
            again = type(self)(root, before, self._host, self._jobs)
            again.commit(after)
            return again.differences()[1]
        finally:
            shutil.rmtree(root, ignore_errors=True)


class ResidentBench(Bench):
    """A repository that is edited, and a process that makes the index of each commit from what it knows of the one before."""

    def __init__(self, root: Path, files: Mapping[str, str], host: PluginHost, jobs: int = 1) -> None:
        self._resident: Final = Resident()
        self.continued = 0
        """Indexes that it has made."""
        super().__init__(root, files, host, jobs)

    def index(self, home: str, rebuild: bool = False) -> BaselineResult:
        if rebuild:
            return super().index(home, rebuild)
        settings = Settings(data_directory=self._root / home)
        repository = Repository.open(self._clone.root)
        head = repository.head_commit()
        with patch.object(next_baseline, "MOST", 2.0), patch.object(next_baseline, "MOST_BESIDE", 1 << 30):
            made = continue_baseline(repository, self._host, settings, self._resident, head)
        if made is not None:
            self.continued += 1
            return made
        made = super().index(home)
        name = f"at-{head}"
        Workspaces(settings, repository).create(name, head, wait=lambda _: None)
        Refresher(repository, self._host, settings, jobs=self._jobs, resident=self._resident).make_ready(
            name, lambda: False
        )
        return made


class WatchedBench(ResidentBench):
    """The same where a workspace takes up what will be committed before, in two steps."""

    _WORKSPACE: Final = "watched"

    def commit(self, files: Mapping[str, str]) -> None:
        changed = sorted(path for path, text in files.items() if self._committed.get(path) != text)
        middle = len(changed) // 2
        for portion in (changed[:middle], changed[middle:]) if self._committed else ():
            self._clone.write({path: files[path] for path in portion})
            if portion[-1:] == changed[-1:]:
                gone = [path for path in self._committed if path not in files]
                self._clone.remove(*gone)
                self._committed = {path: text for path, text in self._committed.items() if path not in gone}
            self._refresher().refresh(self._WORKSPACE)
        super().commit(files)

    def index(self, home: str, rebuild: bool = False) -> BaselineResult:
        is_first = not rebuild and not self._root.joinpath(home).exists()
        made = super().index(home, rebuild)
        if is_first:
            repository = Repository.open(self._clone.root)
            Workspaces(self._settings, repository).create(self._WORKSPACE, made.info.commit_sha, wait=lambda _: None)
        elif not rebuild:
            self._refresher().rebase(self._WORKSPACE, made.info.commit_sha)
        return made

    @property
    def _settings(self) -> Settings:
        return Settings(data_directory=self._root / "next")

    def _refresher(self) -> Refresher:
        repository = Repository.open(self._clone.root)
        return Refresher(repository, self._host, self._settings, jobs=self._jobs, resident=self._resident)


class WorkspaceBench:
    """A working tree that is edited, and a workspace that one process brings up to date."""

    def __init__(self, root: Path, files: Mapping[str, str], host: PluginHost) -> None:
        self._root: Final = root
        self._host: Final = host
        self._desk: Final = Desk(root / "desk", host, files)
        self._desk.create("one")
        self._desk.refresher().make_ready("one", lambda: False)
        self._steps = 0

    def take_up(self, files: Mapping[str, str]) -> Step:
        self._steps += 1
        self._desk.write(files)
        if self._steps % _UNSAVED_EACH == 0:  # it moves the table away, and back
            path = next(path for path in sorted(files) if path.endswith(".cs"))
            self._desk.refresher().unsaved("one", {path: files[path] + "\nclass Unsaved { }\n"})
        started = time.monotonic()
        done = self._desk.refresher().refresh("one")
        seconds = time.monotonic() - started
        return Step(done.documents_replaced, seconds, self._desk.wrong("one", files))

    def is_wrong_alone(self, before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
        with tempfile.TemporaryDirectory(dir=self._root) as folder:
            return WorkspaceBench(Path(folder), before, self._host).take_up(after).found


def fewest(bench: Trial, before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
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
    suffixes = (
        ".cs",
        ".csproj",
        ".props",
        ".targets",
        ".sln",
        ".slnx",
        ".json",
        ".config",
        ".ts",
        ".tsx",
        *PAGES,
        *MARKUP,
        *CONTRACTS,
    )
    files: dict[str, str] = {}
    for path in listed.split("\0"):
        if path.lower().endswith(suffixes) and not (folder / path).is_symlink():
            files[path] = (folder / path).read_bytes().decode("utf-8", "replace")
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--edits", type=int, default=700)
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--workspace", action="store_true", help="take edits up into a workspace instead of committing them"
    )
    ways.add_argument("--resident", action="store_true", help="index commits by one process that knows the one before")
    ways.add_argument("--watched", action="store_true", help="the same, and take edits up into a workspace before")
    parser.add_argument("--together", type=int, help="edits in one commit, or refresh; 7, or 1, unless given")
    parser.add_argument("--projects", type=int, default=10, help="one edit in so many is of a project file; 0: none")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep-going", action="store_true", help="go on after a difference, without looking for its cause"
    )
    options = parser.parse_args()
    say = sys.stderr.write
    files = read(options.folder)
    together = options.together or (1 if options.workspace else 7)
    with tempfile.TemporaryDirectory(prefix="edit-law-") as folder:
        commits = WatchedBench if options.watched else ResidentBench if options.resident else Bench
        make = WorkspaceBench if options.workspace else commits
        bench: Trial = make(Path(folder), files, load_plugins())
        editor = Editor(dict(files), random.Random(options.seed))
        planned = edits(editor, options.edits, options.projects)
        wrong = made = bound = continued = 0
        while True:
            before = dict(editor.files)
            done = list(islice(planned, together))
            if not done:
                break
            made += len(done)
            started = time.monotonic()
            step = bench.take_up(editor.files)
            if step.bound is not None:
                continued += 1
                bound += step.bound
            say(f"{made} edits: bound {step.bound}, {step.seconds:.2f} s of {time.monotonic() - started:.1f} s\n")
            if step.found:
                wrong += 1
                say("\n".join((*done, *step.found)) + "\n")
                if not options.keep_going:
                    least = fewest(bench, before, editor.files)
                    for path in sorted(before.keys() | least.keys()):
                        old, new = before.get(path, ""), least.get(path, "")
                        if old != new:
                            lines = difflib.unified_diff(old.splitlines(), new.splitlines(), path, path, lineterm="")
                            say("\n".join(lines) + "\n")
                    return 1
        say(f"{made} edits, {wrong} wrong; {continued} states continued an earlier one and bound {bound} documents\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
