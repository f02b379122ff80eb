"""What a server does between the list of tools and the first question: it opens the index, and changes no answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.server import shop
from tests.server.raw_client import TIMEOUT, RawClient


def open_indexes(server: RawClient) -> set[str]:
    """The commits whose index files the process has open."""
    found = set()
    for each in Path(f"/proc/{server.server_id}/fd").iterdir():
        try:
            target = str(each.readlink())
        except FileNotFoundError:  # closed meanwhile
            continue
        if target.endswith(".db"):
            found.add(Path(target).stem)
    return found


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="open files are listed under /proc on Linux only")
def test_the_index_is_open_before_the_first_question(start: Callable[..., RawClient], indexed: Path) -> None:
    server = start(cwd=indexed)
    server.initialize()
    assert open_indexes(server) == set()
    server.ask("tools/list")
    head = shop.git(indexed, "rev-parse", "HEAD")
    deadline = time.monotonic() + TIMEOUT
    while open_indexes(server) != {head}:  # it may be looked at, and closed, before it is opened to stay
        assert time.monotonic() < deadline, server.log
        time.sleep(0.05)


def test_asking_at_once_and_asking_later_give_the_same(start: Callable[..., RawClient], indexed: Path) -> None:
    cold, warm = start(cwd=indexed), start(cwd=indexed)
    cold.initialize()
    warm.initialize()
    for _ in range(3):
        warm.ask("tools/list")
    time.sleep(1)
    answers = [server.call_json("symbols.search", {"query": "Order"})[0]["data"] for server in (cold, warm)]
    assert answers[0] == answers[1]


def test_without_a_repository_or_an_index_the_question_says_so(start: Callable[..., RawClient], tmp_path: Path) -> None:
    nowhere = start(cwd=tmp_path)
    fresh = start(cwd=shop.create(tmp_path / "fresh"))
    for server, message in ((nowhere, "repo_path"), (fresh, "index.ensure_baseline")):
        server.initialize()
        server.ask("tools/list")
        time.sleep(0.5)
        answer, is_error = server.call_json("symbols.search", {"query": "Order"})
        assert is_error
        assert message in str(answer)
        assert "Traceback" not in server.log
