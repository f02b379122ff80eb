"""How long the MCP server takes from its start to its answer to ``initialize``, and what memory it then holds."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, cast

from tests.benchmarks.process_tree import memory_of

_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}},
}  # fmt: skip


def measure(repository: Path, environment: Mapping[str, str], runs: int = 5) -> tuple[float, int]:
    """(median of seconds, bytes of memory after the answer)."""
    seconds: list[float] = []
    memory = 0
    codemap = Path(sys.executable).with_name("codemap")
    for _ in range(runs):
        started = time.perf_counter()
        server = subprocess.Popen(
            [str(codemap), "serve", str(repository)],
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        requests, answers = cast(IO[bytes], server.stdin), cast(IO[bytes], server.stdout)
        requests.write(json.dumps(_INITIALIZE).encode() + b"\n")
        requests.flush()
        answer = json.loads(answers.readline())
        if "result" not in answer:
            raise RuntimeError(f"initialize was refused: {answer}")
        seconds.append(time.perf_counter() - started)
        memory = memory_of(server.pid)
        requests.close()
        server.wait(10)
        answers.close()
    return statistics.median(seconds), memory
