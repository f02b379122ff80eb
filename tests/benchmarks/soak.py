"""Whether a server that is edited and asked for an hour stays as it is: memory, open files, files on the disk, right answers. Linux only.

    python -m tests.benchmarks.soak REPO WORK [--minutes 60] [--edits 12] [--seed 1]

REPO is copied to WORK, a folder that does not exist yet, with a data directory of its own. One server with ``--live`` is asked over real
stdio, in rounds that all end in the state they began with: ``--edits`` random edits of the working tree, each with questions without
a workspace, in an agent's workspace and with unsaved files; a commit, its index; the tree as it was, committed too; older indexes and the
workspace removed. After each round it is noted what the server and all its processes hold (proportional set sizes) and have open, and what
is in the data directory, without the cache of analysed files, which has a bound of its own.

At the end the rows of the last commit are compared with those of an index built from scratch. It ends with 1 if these differ, if an answer
was an error that no edit explains, or if the median of the last quarter of at least eight rounds is more than a tenth, and 8 MB or
8 files, above that of the second quarter.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from msgspec import Struct

from tests.benchmarks.agent_economy import CODEMAP
from tests.benchmarks.latency import Drawn, draw
from tests.benchmarks.process_tree import descendants, memory_of
from tests.clone import GIT_ENVIRONMENT
from tests.core.pipeline.edit_law import read
from tests.core.pipeline.editor import Editor
from tests.core.pipeline.edits import edits

_WORKSPACE: Final = "soak"
_KEPT: Final = 2
"""Indexes that a round leaves."""
_UNSAVED: Final = 39_000
"""Characters; a little less than a question may send."""
_DUMPS: Final = ("symbols", "refs", "relations", "facts", "files", "projects")


class Held(Struct, frozen=True):
    """What there is after a round. ``memory`` and ``stored`` in bytes; ``described``: open descriptors of the server's processes;
    ``largest``: the most that one of its processes holds, which is the index process once there is one."""

    server_memory: int
    memory: int
    processes: int
    largest: int
    described: int
    files: int
    stored: int


class Soak:
    def __init__(self, folder: Path, home: Path, seed: int) -> None:
        self._folder: Final = folder
        self._home: Final = home
        self._chance: Final = random.Random(seed)
        self._original: Final = read(folder)
        self._drawn: Final[Drawn] = draw(folder, 200, self._chance)
        self.said: Final[Counter[str]] = Counter()
        """How often each tool answered, and each code of an error."""
        self.internal: Final[list[str]] = []

    async def run(self, minutes: float, edits_of_round: int) -> list[Held]:
        served = StdioServerParameters(
            command=CODEMAP,
            args=["serve", str(self._folder), "--live", "--toolsets", "all"],
            env=dict(os.environ),
            cwd=str(self._folder),
        )
        found: list[Held] = []
        until = time.monotonic() + minutes * 60
        async with Client(stdio_client(served), read_timeout_seconds=1800) as client:
            await client.list_tools()
            while time.monotonic() < until:
                started = time.monotonic()
                await self._round(client, edits_of_round)
                found.append(self._held())
                sys.stderr.write(f"round {len(found)}, {time.monotonic() - started:.0f} s: {_words(found[-1])}\n")
        return found

    async def _round(self, client: Client, count: int) -> None:
        await self._ask(client, "workspace.create", workspace_id=_WORKSPACE)
        editor = Editor(dict(self._original), self._chance)
        before = dict(editor.files)
        for number, _ in enumerate(edits(editor, count, 10)):
            self._write(before, editor.files)
            before = dict(editor.files)
            await self._question(client, {})
            if number % 3 == 0:
                await self._ask(client, "index.refresh_overlay", workspace_id=_WORKSPACE)
                await self._question(client, {"workspace_id": _WORKSPACE})
            if number % 5 == 0:
                path = self._short(editor)
                unsaved = {"file_path": path, "content": editor.files[path] + "\nclass Unsaved { }\n"}
                ephemeral = {"consistency": "ephemeral", "virtual_files": [unsaved]}
                await self._question(client, {"workspace_id": _WORKSPACE, **ephemeral})
        self._commit()
        await self._ask(client, "index.ensure_baseline")
        await self._ask(client, "workspace.rebase", workspace_id=_WORKSPACE)
        await self._question(client, {"consistency": "committed"})
        self._write(before, self._original)
        self._commit()
        await self._ask(client, "index.ensure_baseline")
        await self._question(client, {})
        await self._ask(client, "workspace.delete", workspace_id=_WORKSPACE)
        await self._ask(client, "index.cleanup", keep_count=_KEPT, dry_run=False)

    @staticmethod
    def _short(editor: Editor) -> str:
        """A file that may be sent unsaved."""
        while len(editor.files[path := editor.source()]) > _UNSAVED:
            pass
        return path

    async def _question(self, client: Client, state: dict[str, Any]) -> None:
        drawn, choice = self._drawn, self._chance.choice
        tool, arguments = choice(
            (
                ("symbols.search", {"query": choice(drawn.names)}),
                ("symbols.get_card", {"symbol": choice(drawn.types)}),
                ("symbols.get_context", {"symbol": choice(drawn.members)}),
                ("refs.find", {"symbol": choice(drawn.members), "kind": "all"}),
                ("graph.callers", {"symbol": choice(drawn.members), "depth": 2}),
                ("graph.trace_feature", {"entry_point": choice(drawn.entries)}),
                ("types.hierarchy", {"symbol": choice(drawn.types)}),
                ("code.search_text", {"pattern": choice(drawn.names)}),
                ("surfaces.list_facts", {}),
                ("codemap.summarize", {}),
            )
        )
        await self._ask(client, tool, **arguments, **state)

    async def _ask(self, client: Client, tool: str, **arguments: Any) -> None:
        answer = await client.call_tool(tool, arguments)
        if not answer.is_error:
            self.said[tool] += 1
            return
        text = "".join(getattr(each, "text", "") for each in answer.content)
        code = _code_of(text)
        self.said[f"{tool}: {code}"] += 1
        if code not in ("NOT_FOUND", "AMBIGUOUS"):  # what an edit removed or repeated
            self.internal.append(f"{tool}: {text[:300]}")

    def _write(self, before: dict[str, str], after: dict[str, str]) -> None:
        for path in before.keys() - after.keys():
            (self._folder / path).unlink(missing_ok=True)
        for path, text in after.items():
            if before.get(path) != text:
                target = self._folder / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text.encode())

    def _commit(self) -> None:
        git(self._folder, "add", "-A")
        git(self._folder, "commit", "--quiet", "--allow-empty", "-m", "change")

    def _held(self) -> Held:
        server, *others = [each for each in descendants(os.getpid()) if each != os.getpid()]
        described = 0
        for process in (server, *others):
            try:
                described += len(list(Path(f"/proc/{process}/fd").iterdir()))
            except OSError:
                continue
        kept = [path for path in self._home.rglob("*") if path.is_file() and "cache" not in path.parts]
        memory = memory_of(server)
        beside = [memory_of(each) for each in others]
        return Held(
            server_memory=memory,
            memory=memory + sum(beside),
            processes=len(beside),
            largest=max(beside, default=0),
            described=described,
            files=len(kept),
            stored=sum(path.stat().st_size for path in kept),
        )


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env={**os.environ, **GIT_ENVIRONMENT})


def _code_of(text: str) -> str:
    try:
        return str(json.loads(text)["error"]["code"])
    except (ValueError, KeyError, TypeError):
        return next((word for word in ("NOT_FOUND", "AMBIGUOUS") if word in text), "an error")


def _words(held: Held) -> str:
    return (
        f"server {held.server_memory / 1e6:.0f} MB, with its {held.processes} processes {held.memory / 1e6:.0f} MB, of which one has "
        f"{held.largest / 1e6:.0f}, {held.described} descriptors, "
        f"{held.files} files of {held.stored / 1e6:.1f} MB"
    )


def growth(found: list[Held]) -> Iterator[str]:
    """What is above the second quarter in the last one, in words."""
    quarter = len(found) // 4
    if quarter < 2:
        return
    early, late = found[quarter : 2 * quarter], found[-quarter:]
    for name, allowed in (
        ("server_memory", 8e6),
        ("memory", 8e6),
        ("described", 8),
        ("files", 8),
        ("stored", 8e6),
    ):
        first, last = (statistics.median(getattr(each, name) for each in part) for part in (early, late))
        if last > first * 1.1 and last - first > allowed:
            yield f"{name} grew from {first:,.0f} to {last:,.0f}"


def _wrong_rows(folder: Path) -> list[str]:
    """Kinds of rows that an index built from scratch has otherwise than the one that is there."""

    def rows() -> list[bytes]:
        return [
            subprocess.run([CODEMAP, "dump", kind, str(folder)], check=True, capture_output=True).stdout
            for kind in _DUMPS
        ]

    there = rows()
    subprocess.run([CODEMAP, "index", str(folder), "--rebuild", "--quiet"], check=True)
    return [kind for kind, one, other in zip(_DUMPS, there, rows(), strict=True) if one != other]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--edits", type=int, default=12, help="edits in one round")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.work.exists():
        raise SystemExit(f"{options.work} exists.")
    folder, home = options.work / "repository", options.work / "home"
    subprocess.run(["git", "clone", "--quiet", str(options.repository), str(folder)], check=True)
    os.environ["CODEMAP_HOME"] = str(home)
    try:
        subprocess.run([CODEMAP, "index", str(folder)], check=True)
        soak = Soak(folder, home, options.seed)
        found = anyio.run(soak.run, options.minutes, options.edits)
        wrong = _wrong_rows(folder)
    finally:
        shutil.rmtree(options.work, ignore_errors=True)
    for what, count in sorted(soak.said.items()):
        sys.stdout.write(f"{count:6,} {what}\n")
    sys.stdout.write(f"after round 1: {_words(found[0])}\nafter round {len(found)}: {_words(found[-1])}\n")
    faults = (
        [*soak.internal, *(f"other {kind} than from scratch" for kind in wrong), *growth(found)]
        if found
        else ["no round"]
    )
    sys.stdout.write("".join(f"FAULT: {each}\n" for each in faults) or "nothing grew, nothing was wrong\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
