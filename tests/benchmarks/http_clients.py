"""Many clients of one server over HTTP at once: errors, latency by tool, and the memory that the server takes.

    python -m tests.benchmarks.http_clients FOLDER [--clients 50] [--seconds 60] [--document docs/performance.md]

FOLDER stands in a repository whose HEAD is indexed under ``CODEMAP_HOME``. Each client asks one question after the other, of symbols that
the index has, over a connection of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2

from tests.benchmarks.report import replace_figures, table
from tests.process_tree import memory_of
from tests.server.conftest import served_at
from tests.server.raw_client import RawClient

HEADERS: Final = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
NAMES: Final = 200


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--document", type=Path, help="a page whose figures are replaced")
    given = parser.parse_args()
    with RawClient(os.environ, "transport=Transport.HTTP, port=0", str(given.folder), listens=False) as server:
        url = served_at(server)
        names = anyio.run(some_names, url)
        memory = Memory(server.process.pid)
        started = time.perf_counter()
        found = anyio.run(ask_all, url, names, given.clients, given.seconds)
        seconds = time.perf_counter() - started
        text = report(found, seconds, memory.most(), given.clients)
    print(text)  # noqa: T201
    if given.document is not None:
        replace_figures(given.document, text, "many clients")


class Memory:
    """Watches what a process takes, in bytes, until it is asked for the most."""

    def __init__(self, pid: int) -> None:
        self._pid: Final = pid
        self._most = 0
        self._done = threading.Event()
        self._thread: Final = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._done.wait(0.2):
            self._most = max(self._most, memory_of(self._pid))

    def most(self) -> int:
        self._done.set()
        self._thread.join()
        return self._most


async def call(http: httpx2.AsyncClient, url: str, tool: str, arguments: dict[str, Any]) -> Any:
    """The answer. Raises: AssertionError for an error of any kind."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    answer = await http.post(url, json=body, headers=HEADERS)
    assert answer.status_code == 200, answer.text
    text = answer.text.partition("data: ")[2] if "event-stream" in answer.headers["content-type"] else answer.text
    result = json.loads(text)["result"]
    assert not result.get("isError"), result
    return json.loads(result["content"][0]["text"])


async def some_names(url: str) -> list[str]:
    """Ids of methods of the index, with which each client begins elsewhere."""
    async with httpx2.AsyncClient(timeout=60) as http:
        found: list[str] = []
        for word in ("get", "add", "create", "find", "set"):
            answer = await call(http, url, "symbols.search", {"query": word, "kinds": ["method"], "limit": NAMES // 5})
            found += [hit["symbol_id"] for hit in answer["data"]["hits"]]
    if not found:
        raise SystemExit("The index has no methods with names as common as 'get': take a larger repository.")
    return found


async def ask_all(url: str, names: list[str], clients: int, seconds: float) -> dict[str, list[float]]:
    """Seconds by tool; errors as ``error``."""
    found: dict[str, list[float]] = defaultdict(list)
    end = time.perf_counter() + seconds

    async def one(number: int) -> None:
        chance = random.Random(number)
        async with httpx2.AsyncClient(timeout=60) as http:
            while time.perf_counter() < end:
                symbol = chance.choice(names)
                questions: list[tuple[str, dict[str, Any]]] = [
                    ("symbols.search", {"query": symbol.rpartition(".")[2].partition("(")[0] or "get", "limit": 20}),
                    ("symbols.get_card", {"symbol": symbol}),
                    ("refs.find", {"symbol": symbol, "limit": 20}),
                    ("graph.callers", {"symbol": symbol, "depth": 2}),
                ]
                tool, arguments = chance.choice(questions)
                started = time.perf_counter()
                try:
                    await call(http, url, tool, arguments)
                    found[tool].append(time.perf_counter() - started)
                except (AssertionError, httpx2.HTTPError) as error:
                    print(f"error: {error}"[:300], file=sys.stderr)  # noqa: T201
                    found["error"].append(time.perf_counter() - started)

    async with anyio.create_task_group() as group:
        for number in range(clients):
            group.start_soon(one, number)
    return found


def report(found: dict[str, list[float]], seconds: float, memory: int, clients: int) -> str:
    errors = len(found.pop("error", ()))
    total = sum(map(len, found.values()))
    rows = []
    for tool, times in sorted(found.items()):
        times.sort()
        p50, p95 = (f"{times[int(share * (len(times) - 1))] * 1000:,.0f}" for share in (0.5, 0.95))
        rows.append((f"`{tool}`", f"{len(times):,}", p50, p95))
    return (
        f"{clients} clients for {seconds:.0f} s: {total:,} calls, {total / seconds:.0f} a second; errors: {errors}. The server took "
        f"{memory / 1e6:.0f} MB. The machine has {os.cpu_count()} processors; its load over that minute was {os.getloadavg()[0]:.1f}, the "
        f"clients included.\n\n{table(('tool', 'calls', 'p50 ms', 'p95 ms'), rows)}"
    )


if __name__ == "__main__":
    main()
