"""Several clients of one server over HTTP: workspaces of their own side by side, and what becomes of all of them when it ends."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import httpx2
import pytest

from tests.process_tree import descendants, running
from tests.server import shop
from tests.server.conftest import served_at
from tests.server.raw_client import TIMEOUT, RawClient
from tests.server.shop import ORDER, add_member, edit
from tests.server.test_http import HEADERS, everything
from tests.server.test_http_clients import open_stream

EVERYTHING = "port=0, toolsets=('all',)"


@pytest.fixture
def server(folder: Path, home: dict[str, str]) -> Iterator[RawClient]:
    with RawClient(home, f"transport=Transport.HTTP, {EVERYTHING}", str(folder)) as started:
        yield started


class HttpClient:
    """One client, which connects anew for each call."""

    def __init__(self, url: str) -> None:
        self._url = url

    def begin(self, tool: str, **arguments: Any) -> Callable[[], tuple[Any, bool]]:
        """Sends a call; what is returned waits for its result: the first text, decoded, and whether it is an error."""
        where = urlsplit(self._url)
        assert where.hostname is not None
        connection = HTTPConnection(where.hostname, where.port, timeout=TIMEOUT)
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        connection.request("POST", where.path, json.dumps(message), HEADERS)

        def result() -> tuple[Any, bool]:
            try:
                answer = connection.getresponse()
                text = answer.read().decode()
            finally:
                connection.close()
            assert answer.status == 200, text
            received = json.loads(text.partition("data: ")[2] or text)["result"]
            return json.loads(received["content"][0]["text"]), received.get("isError", False)

        return result

    def call(self, tool: str, **arguments: Any) -> tuple[Any, bool]:
        return self.begin(tool, **arguments)()

    def done(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer, is_error = self.call(tool, **arguments)
        assert not is_error, answer
        assert isinstance(answer, dict)
        return answer

    def found(self, name: str, **arguments: Any) -> list[str]:
        hits = self.done("symbols.search", query=name, **arguments)["data"]["hits"]
        return [each["file_path"] for each in hits if each["fully_qualified_name"].rpartition(".")[2] == name]


def in_turn(clients: Mapping[str, HttpClient], folder: Path) -> None:
    """Each client takes up an edit of its own, which the working tree has only for that time."""
    for name, client in clients.items():
        client.done("workspace.create", workspace_id=name)
        add_member(folder, name.title())
        client.done("index.refresh_overlay", workspace_id=name)
        shop.git(folder, "checkout", "--quiet", ".")


def test_workspaces_of_several_clients_are_kept_apart(server: RawClient, folder: Path) -> None:
    url = served_at(server)
    clients = {name: HttpClient(url) for name in ("one", "two")}
    clients["one"].done("index.ensure_baseline")
    in_turn(clients, folder)

    def ask(name: str) -> None:
        own, foreign = name.title(), "Two" if name == "one" else "One"
        for _ in range(10):
            assert clients[name].found(own, workspace_id=name) == [ORDER]
            assert clients[name].found(foreign, workspace_id=name) == []
            assert clients[name].found(own) == []
            references = clients[name].done("mcp__coderef__query", query=f"@M/{ORDER}#Order.{own}", workspace_id=name)
            assert references["total_count"] == 1

    with ThreadPoolExecutor(2) as pool:
        for each in [pool.submit(ask, name) for name in clients]:
            each.result()
    clients["one"].done("workspace.delete", workspace_id="one")
    assert clients["two"].found("Two", workspace_id="two") == [ORDER]
    refused, is_error = clients["two"].call("symbols.search", query="One", workspace_id="one")
    assert is_error
    assert refused["code"] == "NOT_FOUND"


def test_clients_that_refresh_at_once_all_see_their_edits(server: RawClient, folder: Path) -> None:
    url = served_at(server)
    first = HttpClient(url)
    first.done("index.ensure_baseline")
    names = ("one", "two", "three", "four")
    for name in names:
        first.done("workspace.create", workspace_id=name)
    add_member(folder, "Edited")

    def refresh(name: str) -> list[str]:
        client = HttpClient(url)
        client.done("index.refresh_overlay", workspace_id=name)
        return client.found("Edited", workspace_id=name)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(refresh, names)) == [[ORDER]] * 4
    edit(folder, ORDER, "Edited", "Again")
    assert refresh("two") == []
    assert first.found("Again", workspace_id="two") == [ORDER]
    assert first.found("Edited", workspace_id="one") == [ORDER]


# The end of the server


def have_arrived(url: str) -> None:
    """Returns when the server has answered what was sent after all other calls."""
    assert HttpClient(url).call("toy.echo", text="x")[1] is False


def test_calls_that_soon_end_are_answered_and_others_cancelled(server: RawClient) -> None:
    url = served_at(server)
    soon = [HttpClient(url).begin("toy.wait", number=1) for _ in range(3)]
    late = [HttpClient(url).begin("toy.wait", number=50) for _ in range(3)]
    have_arrived(url)
    server.signal(signal.SIGTERM)
    for each in soon:
        answer, is_error = each()
        assert (answer["answer"], is_error) == ("waited", False)
    for each in late:
        answer, is_error = each()
        assert is_error
        assert answer["code"] == "CANCELLED"
    assert server.wait() == 0
    with pytest.raises(ConnectionRefusedError):
        HttpClient(url).call("toy.echo", text="x")


def test_a_session_of_events_gets_its_last_answer(home: dict[str, str], folder: Path) -> None:
    with RawClient(home, f"transport=Transport.SSE, {EVERYTHING}", str(folder)) as server:
        stream, received = open_stream(served_at(server))
        found = re.search(rb"/messages/\?session_id=\w+", received)
        assert found is not None
        messages = urljoin(served_at(server), found[0].decode())
        client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        for message in (
            {"id": 1, "method": "initialize", "params": client},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/call", "params": {"name": "toy.wait", "arguments": {"number": 1}}},
        ):
            sent = httpx2.post(messages, json={"jsonrpc": "2.0", **message}, headers=HEADERS, timeout=TIMEOUT)
            assert sent.status_code == 202
        server.signal(signal.SIGTERM)
        with stream:
            answers = everything(stream)
        assert b"waited" in answers
        assert server.wait() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
def test_the_end_leaves_no_process_and_no_half_written_file(
    server: RawClient, folder: Path, home: dict[str, str]
) -> None:
    url = served_at(server)
    client = HttpClient(url)
    client.done("index.ensure_baseline")
    in_turn({"one": client}, folder)
    for number in range(300):
        (folder / f"src/Shop/Made{number}.cs").write_text(f"class Made{number} {{ }}\n", encoding="utf-8")
    shop.commit(folder, "Many")
    calls = [
        HttpClient(url).begin("index.refresh_overlay", workspace_id="one"),
        HttpClient(url).begin("index.ensure_baseline"),
        HttpClient(url).begin("toy.wait", number=50),
    ]
    have_arrived(url)
    children = descendants(server.process.pid)
    assert children
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    for each in calls:
        with contextlib.suppress(HTTPException, ConnectionError):  # what cannot be cancelled in time is not answered
            each()
    end = time.monotonic() + TIMEOUT
    while running(children):
        assert time.monotonic() < end
        time.sleep(0.05)
    left = [each.name for each in Path(home["CODEMAP_HOME"]).rglob("*") if each.is_file()]
    assert not [each for each in left if each.endswith((".building", "-journal"))]
    with RawClient(home, f"transport=Transport.HTTP, {EVERYTHING}", str(folder)) as again:
        after = HttpClient(served_at(again))
        after.done("index.ensure_baseline")
        assert after.found("Made7") == ["src/Shop/Made7.cs"]
        after.done("workspace.rebase", workspace_id="one")
        after.done("index.refresh_overlay", workspace_id="one")
        assert after.found("Made7", workspace_id="one") == ["src/Shop/Made7.cs"]
