"""The HTTP transport against clients that are not who they should be, send too much, or never finish."""

from __future__ import annotations

import json
import resource
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_server.serve import ServeOptions, Transport, serve
from tests.process_tree import memory_of
from tests.server.conftest import served_at
from tests.server.raw_client import TIMEOUT, RawClient

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


TOKEN = "a-token-of-some-length"


@pytest.fixture
def token_file(tmp_path: Path) -> Path:
    path = tmp_path / "token"
    path.write_text(f"{TOKEN}\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def url(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server for all tests that leave it as it was."""
    with RawClient(environment, "transport=Transport.HTTP, port=0", str(tmp_path_factory.mktemp("nowhere"))) as server:
        yield served_at(server)


def status(url: str, **headers: str) -> int:
    return httpx2.post(url, json=PING, headers={**HEADERS, **headers}, timeout=TIMEOUT).status_code


def connect(url: str) -> socket.socket:
    where = urlsplit(url)
    assert where.hostname is not None
    assert where.port is not None
    return socket.create_connection((where.hostname, where.port), timeout=TIMEOUT)


def everything(connection: socket.socket) -> bytes:
    """What the other side sends until it closes."""
    received = b""
    try:
        while data := connection.recv(1 << 16):
            received += data
    except ConnectionResetError:
        pass
    return received


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", 200),
        ("localhost:80", 200),
        ("LOCALHOST:1", 200),
        ("127.0.0.1:8722", 200),
        ("[::1]:8722", 200),
        ("localhost:80.evil.com", 421),
        ("localhost:", 421),
        ("localhost:*", 421),
        ("localhost.evil.com", 421),
        ("localhost@evil.com", 421),
        ("evil.com", 421),
        ("evil.com:8722", 421),
    ],
)
def test_a_host_is_a_local_name(url: str, host: str, expected: int) -> None:
    assert status(url, host=host) == expected


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ("http://localhost:3000", 200),
        ("https://127.0.0.1", 200),
        ("http://localhost:1.evil.com", 403),
        ("http://localhost:1/evil", 403),
        ("http://evil.com", 403),
        ("file://localhost", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_an_origin_is_local(url: str, origin: str, expected: int) -> None:
    assert status(url, origin=origin) == expected


def test_where_others_connect_allowed_names_alone_pass(start: Callable[..., RawClient], token_file: Path) -> None:
    names = "allowed_hosts=('cm.example:81', 'any.example:*')"
    server = start(f"transport=Transport.HTTP, host='0.0.0.0', port=0, {names}, token_file=Path({str(token_file)!r})")
    address = served_at(server).replace("0.0.0.0", "127.0.0.1")
    expected = {
        "cm.example:81": 200,
        "cm.example": 421,
        "cm.example:8": 421,
        "any.example": 200,
        "any.example:9": 200,
        "localhost": 421,
        "127.0.0.1:81": 421,
    }
    allowed = {"authorization": f"Bearer {TOKEN}"}
    assert {host: status(address, host=host, **allowed) for host in expected} == expected


@pytest.mark.parametrize("name", ["", " ", "*", "*:80", "a b", "http://codemap.example", "codemap.example:http"])
def test_what_is_not_a_host_cannot_be_allowed(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is not the name of a host"):
        serve(ServeOptions(transport=Transport.HTTP, host="0.0.0.0", allowed_hosts=(name,)))


@pytest.mark.parametrize(
    ("body", "code", "identity"),
    [
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (
            b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"x":' + b"[" * 90 + b"]" * 90 + b"}}}",
            -32600,
            2,
        ),
        (b'[{"jsonrpc":"2.0","id":2,"method":"ping"}]', -32600, None),
        (b"not JSON", -32700, None),
        (b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"x":"\\ud800"}}}', None, 2),
        (b'{"jsonrpc":"2.0","id":2,"method":"ping","params":{"_meta":{"x":"\xff"}}}', None, 2),
        (b'\xef\xbb\xbf{"jsonrpc":"2.0","id":2,"method":"ping"}', None, 2),
    ],
)
def test_messages_are_understood_as_over_stdio(
    url: str, client: RawClient, body: bytes, code: int | None, identity: Any
) -> None:
    def seen(answer: dict[str, Any]) -> tuple[int | None, Any]:
        return answer.get("error", {}).get("code"), answer["id"]

    client.send(body + b"\n")
    assert seen(client.receive()) == (code, identity)
    answer = httpx2.post(url, content=body, headers=HEADERS, timeout=TIMEOUT)
    text = answer.text.partition("data: ")[2] if "event-stream" in answer.headers["content-type"] else answer.text
    assert seen(json.loads(text)) == (code, identity)


def test_a_body_that_is_too_large_is_refused(url: str) -> None:
    answer = httpx2.post(url, content=b" " * (5 << 20), headers=HEADERS, timeout=TIMEOUT)
    assert answer.status_code == 413


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks at memory through /proc")
def test_bodies_for_another_host_are_not_kept(http_server: tuple[str, RawClient]) -> None:
    address, server = http_server
    assert status(address) == 200
    before = memory_of(server.process.pid)
    head = b"POST /mcp HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3900000\r\n\r\n"

    def attack() -> None:
        with connect(address) as connection:
            try:
                connection.sendall(head + b" " * 3_800_000)
                everything(connection)
            except OSError:
                pass  # refused meanwhile

    attackers = [threading.Thread(target=attack) for _ in range(60)]
    for each in attackers:
        each.start()
    most = before
    while any(each.is_alive() for each in attackers):
        most = max(most, memory_of(server.process.pid))
        time.sleep(0.01)
    assert most - before < 50 << 20
    assert status(address) == 200


def test_requests_that_never_arrive_are_ended(url: str) -> None:
    """A head and a body, side by side as both take their time."""
    with connect(url) as head, connect(url) as body:
        head.sendall(b"POST /mcp HTTP/1.1\r\nHost: local")
        body.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{")
        assert b" 408 " in everything(body)
        assert everything(head) == b""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of descriptors")
def test_half_sent_requests_leave_room_for_whole_ones(start: Callable[..., RawClient]) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, limits[1]))
    try:
        server = start("transport=Transport.HTTP, port=0")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    address = served_at(server)
    connections: list[socket.socket] = []
    try:
        for n in range(300):
            connections.append(connect(address))
            try:
                body = b"Host: localhost\r\nContent-Length: 9\r\n\r\n{" if n % 2 else b"Host: l"
                connections[-1].sendall(b"POST /mcp HTTP/1.1\r\n" + body)
            except OSError:
                pass  # it had to make room
        assert [status(address) for _ in range(5)] == [200] * 5
    finally:
        for each in connections:
            each.close()
    assert len(server.log) < 20_000
