"""How long a running server takes to see an edit, over real stdio, on a repository of any size. Linux only.

    python -m tests.benchmarks.refresh REPO WORK [--edits 20] [--commits 5] [--switch 2000] [--seed 1]

REPO is copied to WORK, a folder that does not exist yet, and indexed there in the data directory that the environment names. A server with
``--live`` is asked to find a symbol after each edit; what is measured is the time from the question written to the answer read,
beside that of the same question where nothing has changed (of a switch, until an answer shows it):

- *body*: a statement is added to a method's body; *signature*: a member is added to a class; *switch*: ``--switch`` files change at once.
- *next commit*: a class is added to one file in a hundred, a question is answered about it, it is committed, and then the index of the
  commit is asked for: ``--commits`` times of the server (``index.ensure_baseline``), then as often of ``codemap index``, beside the parse
  floor.
- *memory*: the proportional set size of the index process at the end.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import anyio
import msgspec
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.benchmarks.agent_economy import CODEMAP
from tests.benchmarks.latency import parameters
from tests.benchmarks.parse_floor import Floor
from tests.benchmarks.process_tree import descendants
from tests.benchmarks.report import table

_COMMITTED_EVERY: Final = 100
_PARSE_FLOOR: Final = Path(__file__).with_name("parse_floor.py")
_BODY: Final = re.compile(r"\n[ \t]+(?:public|private|internal|protected)[^\n;={]*\)\s*\{\n")
_CLASS: Final = re.compile(r"\n[ \t]*(?:public|internal)[^\n;(]*\bclass (\w+)[^;{(]*\{\n")


def git(folder: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=benchmark", "-c", "user.email=benchmark@localhost")
    done = subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def edit_body(path: Path, text: str, number: int) -> str:
    """A statement more in the first method that has a body."""
    return _BODY.sub(lambda found: f"{found[0]}_ = {number};\n", text, count=1)


def edit_signature(path: Path, text: str, number: int) -> str:
    """A member more in the first class."""
    return _CLASS.sub(lambda found: f"{found[0]}public int Edited{number}(int value) => value;\n", text, count=1)


async def timed(client: Client, tool: str, **arguments: object) -> float:
    """Milliseconds."""
    started = time.perf_counter()
    answer = await client.call_tool(tool, dict(arguments))
    taken = (time.perf_counter() - started) * 1000
    if answer.is_error:
        raise SystemExit(str(answer.content))
    return taken


async def seen(client: Client, name: str) -> float:
    """Milliseconds until an answer shows a class; a server that has waited long enough answers with what was there before."""
    started = time.perf_counter()
    while True:
        answer = await client.call_tool("symbols.search", {"query": name, "kinds": "class", "limit": 1})
        if answer.is_error:
            raise SystemExit(str(answer.content))
        if f"class {name}" in "".join(getattr(each, "text", "") for each in answer.content):
            return (time.perf_counter() - started) * 1000


async def edited(
    client: Client, files: list[Path], change: Callable[[Path, str, int], str], count: int, symbol: str
) -> list[float]:
    """One edit after the other, each of another file; a question after each."""
    times: list[float] = []
    for path in files:
        text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
        new = change(path, text, len(times))
        if new == text:
            continue
        path.write_text(new, encoding="utf-8", errors="surrogateescape")
        times.append(await timed(client, "symbols.search", query=symbol))
        if len(times) == count:
            break
    return times


async def committed(
    client: Client, folder: Path, paths: list[Path], number: int, symbol: str, by_server: bool
) -> float:
    """Milliseconds until a commit that changes some files is indexed."""
    for path in paths:
        text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
        added = f"\ninternal static class Committed{number} {{ internal static int Answer() => {number}; }}\n"
        path.write_text(text + added, encoding="utf-8", errors="surrogateescape")
    await timed(client, "symbols.search", query=symbol)
    git(folder, "commit", "--quiet", "--all", "--message", "Edit some files")
    if by_server:
        return await timed(client, "index.ensure_baseline")
    started = time.perf_counter()
    subprocess.run([CODEMAP, "index", "--quiet", str(folder)], check=True)
    return (time.perf_counter() - started) * 1000


def parse_floor(folder: Path) -> float:
    """Seconds."""
    command = [sys.executable, str(_PARSE_FLOOR), str(folder)]
    return msgspec.json.decode(subprocess.run(command, check=True, capture_output=True).stdout, type=Floor).seconds


def memory_of(process: int) -> int:
    rollup = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:")) // 1024


def index_processes() -> list[int]:
    import os

    return [
        each
        for each in descendants(os.getpid())
        if b"codemap_server.index_process" in Path(f"/proc/{each}/cmdline").read_bytes()
    ]


async def measure(folder: Path, files: list[Path], count: int, commits: int, switch: int) -> None:
    served: StdioServerParameters = parameters(folder)
    served.args.append("--live")
    symbol = next(found[1] for path in files if (found := _CLASS.search(path.read_text("utf-8", errors="ignore"))))
    async with Client(stdio_client(served), read_timeout_seconds=1800) as client:
        await client.list_tools()
        first = await timed(client, "symbols.search", query=symbol)
        quiet = [await timed(client, "symbols.search", query=symbol) for _ in range(count)]
        rows: list[tuple[object, ...]] = [("nothing", *of(quiet))]
        started = await edited(client, files[:50], edit_body, 1, symbol)
        rows.append(("first edit", *of(started)))
        rows.append(("body", *of(await edited(client, files[50:], edit_body, count, symbol))))
        rows.append(("signature", *of(await edited(client, files[500:], edit_signature, count, symbol))))
        git(folder, "checkout", "--quiet", ".")
        rows.append(("all taken back", *of([await timed(client, "symbols.search", query=symbol)])))
        floors = [parse_floor(folder)]
        made: dict[bool, list[float]] = {True: [], False: []}
        for number in range(2 * commits):
            some, by_server = files[number::_COMMITTED_EVERY], number < commits
            made[by_server].append(await committed(client, folder, some, number, symbol, by_server))
        floors.append(parse_floor(folder))
        rows += (("next commit", *of(made[True])), ("next commit, codemap index", *of(made[False])))
        for number, path in enumerate(files[:switch]):
            text = path.read_text(encoding="utf-8-sig", errors="surrogateescape")
            path.write_text(f"{text}\nclass Switched{number} {{ }}\n", encoding="utf-8", errors="surrogateescape")
        rows.append((f"switch of {switch} files", *of([await seen(client, f"Switched{switch - 1}")])))
        memory = ", ".join(f"{memory_of(each)} MB" for each in index_processes())
    sys.stdout.write(f"first question {first:.0f} ms; memory of the index process: {memory or 'it has ended'}\n")
    sys.stdout.write(table(("after", "p50 ms", "p95 ms", "max ms", "n"), rows) + "\n")
    floor = statistics.mean(floors)
    ratios = [statistics.median(made[by_server]) / 1000 / floor for by_server in (True, False) if made[by_server]]
    said = ", by codemap index ".join(f"{ratio:.2f}" for ratio in ratios)
    sys.stdout.write(f"parse floor {floor:.1f} s; a next commit took {said or 'no'} floors\n")


def of(times: list[float]) -> tuple[object, ...]:
    if not times:
        return ("–", "–", "–", 0)
    ordered = sorted(times)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return (f"{statistics.median(ordered):.0f}", f"{p95:.0f}", f"{ordered[-1]:.0f}", len(ordered))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--edits", type=int, default=20)
    parser.add_argument("--commits", type=int, default=5)
    parser.add_argument("--switch", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.work.exists():
        raise SystemExit(f"{options.work} exists.")
    subprocess.run(["git", "clone", "--quiet", "--shared", str(options.repository), str(options.work)], check=True)
    try:
        subprocess.run([CODEMAP, "index", str(options.work)], check=True)
        files = [options.work / path for path in git(options.work, "ls-files", "-z", "*.cs").split("\0") if path]
        random.Random(options.seed).shuffle(files)
        anyio.run(measure, options.work, files, options.edits, options.commits, options.switch)
    finally:
        shutil.rmtree(options.work)


if __name__ == "__main__":
    main()
