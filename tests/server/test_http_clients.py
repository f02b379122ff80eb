"""HTTP and server-sent events: who may use the server, several clients at once, and clients that hoard, dawdle or vanish."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.sse import sse_client
from mcp.types import TextContent

from codemap_core.errors import InvalidArgumentError
from codemap_server.access_token import AccessToken
from codemap_server.serve import ServeOptions, Transport, serve
from tests.process_tree import memory_of
from tests.server.conftest import served_at
from tests.server.raw_client import TIMEOUT, RawClient

Start = Callable[..., RawClient]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
TOKEN = "only-for-this-test-0123456789"


def status(url: str, **headers: str) -> int:
    return httpx2.post(url, json=PING, headers={**HEADERS, **headers}, timeout=TIMEOUT).status_code


def socket_to(url: str) -> socket.socket:
    where = urlsplit(url)
    assert where.hostname is not None
    assert where.port is not None
    return socket.create_connection((where.hostname, where.port), timeout=TIMEOUT)


def open_stream(url: str) -> tuple[socket.socket, bytes]:
    """A connection that has asked for a stream of events, and the beginning of the answer."""
    connection = socket_to(url)
    connection.sendall(b"GET /sse HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
    received = b""
    while b"endpoint" not in received and b" 503 " not in received:
        data = connection.recv(4096)
        if not data:
            break
        received += data
    return connection, received


# Who may ask


@pytest.mark.parametrize("where", ["file", "environment"])
@pytest.mark.parametrize("transport", ["HTTP", "SSE"])
def test_a_token_is_asked_for_where_one_is_set(
    environment: dict[str, str], tmp_path: Path, where: str, transport: str
) -> None:
    options = f"transport=Transport.{transport}, port=0"
    own = dict(environment)
    if where == "file":
        (tmp_path / "token").write_text(f"{TOKEN}\nmore\n", encoding="utf-8")
        options += f", token_file=Path({str(tmp_path / 'token')!r})"
    else:
        own["CODEMAP_TOKEN"] = TOKEN
    with RawClient(own, options, str(tmp_path)) as server:
        url = served_at(server)
        wrong = ("", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", "Bearer", "Bearer \xe9")
        for each in wrong:
            sent = {name.encode(): value.encode() for name, value in HEADERS.items()}
            sent[b"authorization"] = each.encode("latin-1")
            answer = httpx2.post(url, json=PING, headers=sent, timeout=TIMEOUT)
            assert answer.status_code == 401, each
            assert answer.headers["www-authenticate"].startswith("Bearer")
        assert status(url) == 401
        accepted = {"authorization": f"bearer {TOKEN}"}
        assert status(url, **accepted) == (200 if transport == "HTTP" else 405)
        assert httpx2.get(url.rpartition("/")[0] + "/healthz").text == "ok\n"
    assert TOKEN not in server.log


def test_a_body_is_not_waited_for_where_the_token_is_wrong(environment: dict[str, str], tmp_path: Path) -> None:
    with RawClient(
        {**environment, "CODEMAP_TOKEN": TOKEN}, "transport=Transport.HTTP, port=0", str(tmp_path)
    ) as server:
        for authorization in ("", "Authorization: Bearer wrong-wrong-wrong-wrong\r\n"):
            with socket_to(served_at(server)) as connection:
                head = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{authorization}Content-Length: 1000\r\n\r\n"
                connection.sendall(head.encode())
                assert connection.recv(4096).startswith(b"HTTP/1.1 401 ")


def test_health_is_told_to_everybody_and_says_nothing_else(http_server: tuple[str, RawClient]) -> None:
    url, _ = http_server
    health = url.replace("/mcp", "/healthz")
    answer = httpx2.get(health, headers={"host": "10.0.0.7"})
    assert (answer.status_code, answer.text, answer.headers["cache-control"]) == (200, "ok\n", "no-store")
    assert httpx2.head(health).status_code == 200
    assert httpx2.post(health).status_code == 405


@pytest.mark.parametrize("transport", [Transport.HTTP, Transport.SSE])
def test_beyond_this_machine_a_token_is_required(transport: Transport, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CODEMAP_TOKEN", raising=False)
    with pytest.raises(InvalidArgumentError, match="--token-file"):
        serve(ServeOptions(transport=transport, host="0.0.0.0", allowed_hosts=("codemap.example",)))


@pytest.mark.parametrize("token", ["", "short", "fifteen-charact", "with a space in it", "ümlauts-are-not-in-it"])
def test_a_token_that_could_be_guessed_or_not_be_sent_is_refused(token: str) -> None:
    with pytest.raises(InvalidArgumentError, match="at least 16 characters"):
        AccessToken(token)


def test_a_token_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="cannot be read"):
        serve(ServeOptions(transport=Transport.HTTP, token_file=tmp_path / "none"))


@pytest.mark.parametrize("transport", ["HTTP", "SSE"])
def test_logs_hold_nothing_of_what_is_asked_or_answered(
    environment: dict[str, str], indexed: Path, tmp_path: Path, transport: str
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "config.json").write_text('{"log_level": "debug"}', encoding="utf-8")
    own = {**environment, "CODEMAP_HOME": str(home), "CODEMAP_TOKEN": TOKEN}

    async def run(url: str) -> None:
        headers = {"authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            if transport == "SSE":
                async with Client(sse_client(url, headers=headers), mode="legacy") as client:
                    await client.call_tool("symbols.search", {"query": "Zanzibar"})
            else:
                call = {
                    **PING,
                    "method": "tools/call",
                    "params": {"name": "symbols.search", "arguments": {"query": "Zanzibar"}},
                }
                assert (await http.post(url, json=call, headers=HEADERS)).status_code == 200

    with RawClient(own, f"transport=Transport.{transport}, port=0", str(indexed)) as server:
        anyio.run(run, served_at(server))
        server.signal(signal.SIGTERM)
        assert server.wait() == 0
        server.join_log()
        assert "serving MCP" in server.log
        assert "Zanzibar" not in server.log
        assert TOKEN not in server.log


# Server-sent events


def test_events_serve_several_clients_and_end_with_the_server(start: Start, indexed: Path) -> None:
    server = start("transport=Transport.SSE, port=0", cwd=indexed)
    url = served_at(server)

    async def one(name: str, answers: dict[str, Any]) -> None:
        async with Client(sse_client(url), mode="legacy") as client:
            assert (await client.list_tools()).tools
            result = await client.call_tool("symbols.search", {"query": name, "limit": 1})
            (content,) = result.content
            assert isinstance(content, TextContent)
            answers[name] = json.loads(content.text)["data"]["hits"][0]["fully_qualified_name"]

    async def run() -> None:
        answers: dict[str, Any] = {}
        async with anyio.create_task_group() as group:
            for name in ("Order", "OrderState", "IOrderService", "Long"):
                group.start_soon(one, name, answers)
        assert {name.rpartition(".")[2] for name in answers.values()} == {
            "Order",
            "OrderState",
            "IOrderService",
            "Long",
        }

    anyio.run(run)
    connection, received = open_stream(url)
    assert b"/messages/?session_id=" in received
    with connection:
        server.signal(signal.SIGTERM)
        assert server.wait() == 0


def test_events_check_who_asks(start: Start) -> None:
    url = served_at(start("transport=Transport.SSE, port=0"))
    assert httpx2.get(url, headers={"host": "evil.example"}).status_code == 421
    assert httpx2.get(url, headers={"origin": "http://evil.example"}).status_code == 403
    messages = url.replace("/sse", "/messages/?session_id=") + "0" * 32
    assert httpx2.post(messages, json=PING).status_code == 404
    assert httpx2.post(messages, content=b"x" * (5 << 20)).status_code == 413


def test_sessions_are_bounded_and_leave_room_for_their_messages(start: Start, indexed: Path) -> None:
    server = start("transport=Transport.SSE, port=0", cwd=indexed)
    url = served_at(server)
    streams: list[socket.socket] = []
    refused = 0
    try:
        for _ in range(100):
            connection, received = open_stream(url)
            streams.append(connection)
            refused += b" 503 " in received
        assert refused == 36
        assert httpx2.get(url.replace("/sse", "/healthz")).status_code == 200
    finally:
        for each in streams:
            each.close()

    async def again() -> None:
        async with Client(sse_client(url), mode="legacy") as client:
            assert (await client.list_tools()).tools

    end = time.monotonic() + TIMEOUT
    while b" 503 " in (found := open_stream(url))[1]:  # the server needs a moment to see that they went
        found[0].close()
        assert time.monotonic() < end
        time.sleep(0.1)
    found[0].close()
    anyio.run(again)


def test_a_silent_session_ends(start: Start) -> None:
    sooner = "setattr(__import__('codemap_server.sse').sse, 'IDLE_SECONDS', 0.3)"
    url = served_at(start(f"transport=Transport.SSE, port={sooner} or 0"))
    connection, received = open_stream(url)
    assert b"session_id" in received
    with connection:
        connection.settimeout(TIMEOUT)
        while connection.recv(4096):
            pass


# Clients that hoard, dawdle or vanish


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at memory through /proc")
def test_a_body_of_100_megabytes_is_refused_and_not_kept(http_server: tuple[str, RawClient]) -> None:
    url, server = http_server
    assert status(url) == 200
    before = memory_of(server.process.pid)
    with socket_to(url) as connection:
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        sent = 0
        try:
            while sent < 100 << 20:
                connection.sendall(chunk)
                sent += len(chunk)
        except OSError:
            pass
        assert sent < 100 << 20
    assert memory_of(server.process.pid) - before < 50 << 20
    with socket_to(url) as connection:
        connection.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 104857600\r\n\r\n")
        assert b" 413 " in connection.recv(4096)
    assert status(url) == 200


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at memory through /proc")
def test_any_number_of_clients_leaves_nothing_behind(http_server: tuple[str, RawClient]) -> None:
    url, server = http_server
    hello = {
        **PING,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }
    with httpx2.Client(headers=HEADERS, timeout=TIMEOUT) as http:
        for _ in range(100):
            assert http.post(url, json=hello).status_code == 200
        before = memory_of(server.process.pid)
        for _ in range(600):
            answer = http.post(url, json=hello)
            assert "mcp-session-id" not in answer.headers
        assert memory_of(server.process.pid) - before < 8 << 20


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at memory through /proc")
def test_ten_thousand_sessions_are_refused_or_forgotten(start: Start, indexed: Path) -> None:
    """Of both transports: 32 clients each ask for one after the other, and nobody ends any."""
    hello = {
        **PING,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
    }
    http = start("transport=Transport.HTTP, port=0", cwd=indexed)
    events = start("transport=Transport.SSE, port=0", cwd=indexed)
    url, stream_url = served_at(http), served_at(events)

    where = urlsplit(url)

    def greet(_: int) -> int:
        with closing(HTTPConnection(where.hostname or "", where.port, timeout=TIMEOUT)) as connection:
            connection.request("POST", where.path, json.dumps(hello), HEADERS)
            return connection.getresponse().status

    streams: list[socket.socket] = []

    def listen(_: int) -> bytes:
        try:
            connection, received = open_stream(stream_url)
        except ConnectionError:
            return b"it had to make room"
        if b"session_id" in received:
            streams.append(connection)
        else:
            connection.close()
        return received

    with ThreadPoolExecutor(32) as pool:
        assert set(pool.map(greet, range(500))) == {200}
        before = memory_of(http.process.pid)
        assert set(pool.map(greet, range(10_000))) == {200}
        assert memory_of(http.process.pid) - before < 16 << 20
        for _ in pool.map(listen, range(500)):
            pass
        before = memory_of(events.process.pid)
        refused = sum(b"session_id" not in each for each in pool.map(listen, range(10_000)))
        assert memory_of(events.process.pid) - before < 16 << 20
        assert len(streams) <= 64
        assert refused == 10_000
    assert httpx2.get(stream_url.replace("/sse", "/healthz"), timeout=TIMEOUT).text == "ok\n"
    for each in streams:
        each.close()
    for server in (http, events):
        server.signal(signal.SIGTERM)
        assert server.wait() == 0


def test_clients_that_vanish_or_do_not_read_leave_others_unharmed(http_server: tuple[str, RawClient]) -> None:
    url, server = http_server
    call = {
        **PING,
        "method": "tools/call",
        "params": {"name": "code.get_span", "arguments": {"file_path": "src/Shop/Long.cs", "max_lines": 600}},
    }
    body = json.dumps(call).encode()
    head = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    head += b"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n" % len(body)
    slow = []
    for n in range(40):
        connection = socket_to(url)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
        connection.sendall(head + body)
        if n % 2:
            connection.close()
        else:
            slow.append(connection)
    answers: list[int] = []
    others = [threading.Thread(target=lambda: answers.append(status(url))) for _ in range(20)]
    for each in others:
        each.start()
    for each in others:
        each.join()
    assert answers == [200] * 20
    for connection in slow:
        connection.close()
    server.signal(signal.SIGTERM)
    assert server.wait() == 0


# The container


def test_the_container_starts_a_server_that_is_healthy_and_wants_a_token(
    environment: dict[str, str], indexed: Path, tmp_path: Path
) -> None:
    """What the image runs, with the repository where it lies here and a port that is free."""
    recipe = (Path(__file__).parents[2] / "docs" / "Dockerfile").read_text(encoding="utf-8")
    words = [json.loads(re.findall(rf"^{name} (\[.*\])$", recipe, re.MULTILINE)[0]) for name in ("ENTRYPOINT", "CMD")]
    assert words[0][:3] == ["codemap", "serve", "/repository"]
    arguments = ["serve", str(indexed), *words[0][3:], *words[1], "--port", "0"]
    program = f"import sys; from codemap_server.cli import main; sys.argv[1:] = {arguments!r}; main()"
    log = tmp_path / "log"
    with log.open("wb") as errors:
        server = subprocess.Popen(
            [sys.executable, "-c", program],
            env={**environment, "CODEMAP_TOKEN": TOKEN},
            stdin=subprocess.DEVNULL,
            stderr=errors,
        )
    try:
        end = time.monotonic() + TIMEOUT
        while (found := re.search(r"serving MCP at http://0\.0\.0\.0:(\d+)", log.read_text(encoding="utf-8"))) is None:
            assert server.poll() is None and time.monotonic() < end, log.read_text(encoding="utf-8")
            time.sleep(0.05)
        url = f"http://127.0.0.1:{found[1]}"
        assert httpx2.get(f"{url}/healthz").text == "ok\n"
        assert status(f"{url}/mcp", host="localhost:8722") == 401
        assert status(f"{url}/mcp", host="localhost:8722", authorization=f"Bearer {TOKEN}") == 200
    finally:
        server.terminate()
        assert server.wait(TIMEOUT) == 0
