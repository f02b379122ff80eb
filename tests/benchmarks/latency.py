"""How long each tool takes to answer over real stdio, on an index of any size. Linux only.

    python -m tests.benchmarks.latency REPO [--calls 200] [--seed 1] [--document docs/performance.md]

REPO has been indexed by the CodeMap beside this Python, in the data directory that the environment names. Symbols are drawn at random from
what the index declares, half of them from the tenth that is referred to most, since agents ask about what is used. Two things are measured,
both from the request written to the answer read:

- *first*: the very first question of a server that has just started, asked right after the list of tools; one server for each row.
- the calls after it: ``--calls`` of each tool, by one server, without the first few. Their percentiles, their maximum, the processor time
  that the server took for each, and the median length of the answers.

Servers are started as ``codemap setup`` configures clients, which is with ``--live``; the last columns are of one without it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import anyio
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from msgspec import Struct

from tests.benchmarks.agent_economy import CODEMAP, served_arguments
from tests.benchmarks.process_tree import descendants, processor_milliseconds
from tests.benchmarks.report import replace_figures, table

_BUDGET: Final = 12_000
WARM_UP: Final = 5
_PROCESSOR: Final = ("processor p50 ms", "processor p95 ms")
_LIVE: Final = "--live"
_NOT_LIVE: Final = ("p95 ms without live", "processor p95 ms without live")
_TYPE_KINDS: Final = frozenset({"class", "struct", "interface", "enum", "record", "delegate"})
_MEMBER_KINDS: Final = frozenset({"method", "property", "constructor"})
Arguments = dict[str, Any]
Questions = Mapping[str, tuple[str, Callable[[int], Arguments]]]
"""By row of the table: the tool and its arguments."""


class Measured(Struct, frozen=True):
    """Of the calls of one row, in milliseconds. ``error``: why there are no more of them."""

    milliseconds: list[float]
    processor: list[float]
    characters: list[int]
    failed: int
    error: str = ""


class Drawn(Struct, frozen=True):
    """What questions are about."""

    types: tuple[str, ...]
    members: tuple[str, ...]
    names: tuple[str, ...]
    files: tuple[str, ...]
    entries: tuple[str, ...]
    """Routes of endpoints, and members."""


def rows(what: str, repository: Path) -> Iterator[dict[str, Any]]:
    """The rows of ``codemap dump``, one at a time."""
    with subprocess.Popen([CODEMAP, "dump", what, str(repository)], stdout=subprocess.PIPE) as dump:
        assert dump.stdout is not None
        yield from map(json.loads, dump.stdout)


def draw(repository: Path, count: int, chance: random.Random) -> Drawn:
    used = Counter(row["to_symbol"] for row in rows("refs", repository) if row["to_symbol"] and not row["external"])
    declared = list(rows("symbols", repository))

    def some(kinds: frozenset[str]) -> tuple[str, ...]:
        ids = list(dict.fromkeys(row["symbol_id"] for row in declared if row["kind"] in kinds))
        ids.sort(key=lambda symbol_id: -used[symbol_id])
        popular = ids[: max(1, len(ids) // 10)]
        return tuple(chance.choice(popular if n % 2 else ids) for n in range(count))

    names = [row["fully_qualified_name"].rpartition(".")[2].partition("(")[0] for row in declared]
    files = [row["file_path"] for row in declared]
    members = some(_MEMBER_KINDS)
    routes = [
        row["value"]
        for row in rows("facts", repository)
        if row["kind"] == "route" and row["detail"].get("handler", "").startswith(("M:", "lambda"))
    ]
    return Drawn(
        types=some(_TYPE_KINDS),
        members=members,
        names=tuple(chance.choice(names) for _ in range(count)),
        files=tuple(chance.choice(files) for _ in range(count)),
        entries=tuple(chance.choice(routes) if routes and n % 2 else members[n] for n in range(count)),
    )


def questions(drawn: Drawn) -> Questions:
    """What is asked, by row; never twice with the same budget, as a server remembers its last results."""

    def once(arguments: Callable[[int], Arguments]) -> Callable[[int], Arguments]:
        return lambda n: {**arguments(n), "max_chars": _BUDGET + n}

    return {row: (tool, once(arguments)) for row, (tool, arguments) in _asked(drawn).items()}


def _asked(drawn: Drawn) -> Questions:

    def member(n: int) -> Arguments:
        return {"symbol": drawn.members[n]}

    return {
        "card": ("symbols.get_card", member),
        "search": ("symbols.search", lambda n: {"query": drawn.names[n]}),
        "search, misspelt": ("symbols.search", lambda n: {"query": misspelt(drawn.names[n])}),
        "outline": ("symbols.outline", lambda n: {"symbol": drawn.types[n]}),
        "context": ("symbols.get_context", member),
        "source of a symbol": ("symbols.get_definition_span", member),
        "references": ("refs.find", lambda n: {"symbol": (drawn.members if n % 2 else drawn.types)[n]}),
        "references by file": ("refs.find", lambda n: {"symbol": drawn.types[n], "kind": "all", "group_by": "file"}),
        "callers, depth 2": ("graph.callers", lambda n: {**member(n), "depth": 2, "follow_interface": True}),
        "callees, depth 3": ("graph.callees", lambda n: {**member(n), "depth": 3}),
        "trace, depth 3": ("graph.trace_feature", lambda n: {"entry_point": drawn.entries[n]}),
        "hierarchy": ("types.hierarchy", lambda n: {"symbol": drawn.types[n], "transitive": True}),
        "unreferenced, one file": ("symbols.unreferenced", lambda n: {"file_path": drawn.files[n]}),
        "endpoints": ("surfaces.list_endpoints", lambda n: {"path_filter": f"*{drawn.names[n][:4]}*"}),
        "tables": ("surfaces.list_db_tables", lambda n: {"table_filter": drawn.names[n][:3]}),
        "exceptions of a file": ("surfaces.list_facts", lambda n: {"kind": "exception", "file_path": drawn.files[n]}),
        "text": ("code.search_text", lambda n: {"pattern": drawn.names[n]}),
        "endpoints that are not there": ("surfaces.list_endpoints", lambda n: {"path_filter": f"/not/there/{n}"}),
        "lines": ("code.get_span", lambda n: {"file_path": drawn.files[n]}),
    }


def misspelt(name: str) -> str:
    """The name without the letter in its middle."""
    return name[: len(name) // 2] + name[len(name) // 2 + 1 :]


def parameters(repository: Path, *, live: bool = True) -> StdioServerParameters:
    arguments = [each for each in served_arguments() if live or each != _LIVE]
    return StdioServerParameters(command=CODEMAP, args=arguments, env=dict(os.environ), cwd=str(repository))


async def first_call(repository: Path, tool: str, arguments: Arguments) -> float:
    """Milliseconds that the first question of a new server takes."""
    async with Client(stdio_client(parameters(repository))) as client:
        await client.list_tools()
        started = time.perf_counter()
        await client.call_tool(tool, arguments)
        return (time.perf_counter() - started) * 1000


async def measure(repository: Path, drawn: Drawn, count: int) -> list[tuple[object, ...]]:
    asked = questions(drawn)
    first = {row: await first_call(repository, tool, arguments(0)) for row, (tool, arguments) in asked.items()}
    live = await calls(parameters(repository), asked, count)
    other = await calls(parameters(repository, live=False), asked, count)
    return [_figures(row, first[row], live[row], other[row]) for row in asked]


async def calls(served: StdioServerParameters, asked: Questions, count: int) -> dict[str, Measured]:
    """Those of one server, by row."""
    found = {}
    async with Client(stdio_client(served)) as client:
        _, server = descendants(os.getpid())
        await client.list_tools()
        for row, (tool, arguments) in asked.items():
            milliseconds: list[float] = []
            processor: list[float] = []
            characters: list[int] = []
            failed = 0
            error = ""
            for n in range(count):
                used, started = processor_milliseconds(server), time.perf_counter()
                try:
                    result = await client.call_tool(tool, arguments(n))
                except MCPError as raised:
                    error = str(raised)
                    break
                if n >= WARM_UP:
                    milliseconds.append((time.perf_counter() - started) * 1000)
                    processor.append(processor_milliseconds(server) - used)
                    characters.append(sum(len(getattr(part, "text", "")) for part in result.content))
                    failed += bool(result.is_error)
            found[row] = Measured(milliseconds, processor, characters, failed, error)
    return found


def _figures(row: str, first: float, live: Measured, other: Measured) -> tuple[object, ...]:
    if live.error or other.error:
        return row, live.error or other.error
    median, late = percentiles(live.milliseconds)
    busy, busiest = percentiles(live.processor)
    return (
        row,
        f"{first:.0f}",
        f"{median:.0f}",
        f"{late:.0f}",
        f"{max(live.milliseconds):.0f}",
        f"{busy:.1f}",
        f"{busiest:.1f}",
        f"{statistics.median(live.characters):,.0f}",
        live.failed + other.failed,
        f"{percentiles(other.milliseconds)[1]:.0f}",
        f"{percentiles(other.processor)[1]:.1f}",
    )


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """The 50th and the 95th."""
    return statistics.median(values), statistics.quantiles(values, n=20)[-1]


def options(description: str | None, calls: int) -> argparse.ArgumentParser:
    """Of a program that asks a server about what is drawn from a repository."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--calls", type=int, default=calls, help="calls of each tool")
    parser.add_argument("--seed", type=int, default=1, help="of what is drawn")
    parser.add_argument("--document", type=Path, help="document whose figures are replaced")
    return parser


def publish(figures: str, document: Path | None, name: str) -> None:
    if document is not None:
        replace_figures(document, figures, name)
    sys.stdout.write(figures + "\n")


def main(argv: Sequence[str]) -> int:
    arguments = options(__doc__, 200).parse_args(argv)
    drawn = draw(arguments.repository, arguments.calls, random.Random(arguments.seed))
    before = os.getloadavg()[0]
    measured = anyio.run(measure, arguments.repository, drawn, arguments.calls)
    header = (
        "question",
        "first ms",
        "p50 ms",
        "p95 ms",
        "max ms",
        *_PROCESSOR,
        "median characters",
        "errors",
        *_NOT_LIVE,
    )
    after = os.getloadavg()[0]
    load = f"On {os.cpu_count()} processors that {before:.1f} processes wanted before and {after:.1f} after, in the mean of a minute."
    figures = f"{table(header, measured)}\n\n{load}"
    publish(figures, arguments.document, "latency")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
