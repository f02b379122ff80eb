"""A regular expression runs in a process of its own, which ends with its time, its call and its server."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from codemap_core.queries.search.pattern_process import run_pattern
from codemap_core.storage.reading import text_scan
from tests.process_tree import descendants, running
from tests.server.raw_client import TIMEOUT, RawClient

pytestmark = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at processes through /proc")
ENDLESS = r"^(\w+\s?|.)*\x00$"


def wait_for(what: Callable[[], object]) -> None:
    end = time.monotonic() + TIMEOUT
    while not what():
        assert time.monotonic() < end
        time.sleep(0.01)


def searching(client: RawClient) -> tuple[int, set[int]]:
    """The id of a call that searches for an endless expression, and the processes that it has started."""
    call = client.request("tools/call", {"name": "code.search_text", "arguments": {"pattern": ENDLESS}})
    wait_for(lambda: descendants(client.server_id))
    return call, descendants(client.server_id)


@pytest.fixture
def standing(start: Callable[..., RawClient], indexed: Path) -> RawClient:
    """A server of the test's own in the indexed shop."""
    server = start(cwd=indexed)
    server.initialize()
    return server


@pytest.mark.parametrize("end", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_it_ends_with_the_server(standing: RawClient, end: str) -> None:
    _, started = searching(standing)
    standing.signal(signal.Signals[end])
    standing.wait()
    wait_for(lambda: not running(started))


def test_it_ends_when_the_client_leaves(standing: RawClient) -> None:
    _, started = searching(standing)
    standing.close_input()
    assert standing.wait() == 0
    wait_for(lambda: not running(started))


def test_it_ends_with_its_call(standing: RawClient) -> None:
    call, started = searching(standing)
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}}
    standing.send(json.dumps(note).encode() + b"\n")
    wait_for(lambda: not running(started))
    assert "result" in standing.ask("ping")


def test_a_cancelled_search_does_not_wait_for_its_time(tmp_path: Path) -> None:
    class StoppedError(Exception):
        pass

    def stop() -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        run_pattern("{}", 1e9, stop)


def test_it_ends_by_itself_when_nobody_stops_it(indexed: Path, environment: dict[str, str]) -> None:
    index = min(Path(environment["CODEMAP_HOME"]).glob("baselines/*/*.db"))
    request = {
        "path": str(index),
        "sealed": True,
        "unsaved": {},
        "pattern": ENDLESS,
        "ignore_case": False,
        "literal": "",
        "tokens": "",
        "prefix": "",
        "include": [],
        "exclude": [],
        "offset": 0,
        "limit": 1,
        "context": 0,
        "excerpt": 100,
        "seconds": -text_scan.SPARE_SECONDS + 0.3,
    }
    child = subprocess.Popen(
        [sys.executable, text_scan.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with child:
        assert child.stdin is not None
        child.stdin.write(json.dumps(request).encode() + b"\n")
        child.stdin.flush()
        assert child.wait(TIMEOUT) == -signal.SIGALRM
