"""The server as a process on bytes: what no SDK would send, and how it ends."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from concurrent.futures import CancelledError, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.abc import TaskGroup

from codemap_server.stdio import run_in_group
from tests.server.raw_client import TIMEOUT, RawClient, server_command

Start = Callable[..., RawClient]
PING = b'{"jsonrpc":"2.0","id":"ping","method":"ping"}\n'


@pytest.fixture
def mortal(start: Start) -> RawClient:
    """A server of the test's own, to be ended."""
    server = start()
    server.initialize()
    return server


def is_alive(client: RawClient) -> bool:
    return "result" in client.ask("ping")


@pytest.mark.parametrize(("closed", "refused"), [(False, CancelledError), (True, RuntimeError)])
def test_work_for_a_group_that_has_ended_leaves_nothing_that_was_never_awaited(
    closed: bool, refused: type[Exception]
) -> None:
    loop = asyncio.new_event_loop()

    async def ended() -> TaskGroup:
        async with anyio.create_task_group() as group:
            group.cancel_scope.cancel()
        return group

    group = loop.run_until_complete(ended())
    with warnings.catch_warnings(record=True) as said, ThreadPoolExecutor(1) as thread:
        warnings.simplefilter("always")
        if closed:
            loop.close()
        work = thread.submit(run_in_group, loop, group, partial(asyncio.sleep, 0))
        if not closed:
            while not work.done():
                loop.run_until_complete(asyncio.sleep(0))  # a turn that may be the last one
            loop.close()
        with pytest.raises(refused):
            work.result()
        gc.collect()
    assert [str(each.message) for each in said] == []


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"this is not JSON", -32700, None),
        (b'{"jsonrpc":"2.0","id":5,"method":"pi', -32700, None),
        (b'{"jsonrpc":"2.0","id":5,"method":"ping"} trailing', -32700, None),
        (b"[]", -32600, None),
        (b'[{"jsonrpc":"2.0","id":5,"method":"ping"}]', -32600, None),
        (b"123", -32600, None),
        (b'"text"', -32600, None),
        (b"null", -32600, None),
        (b'{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5),
        (b'{"id":"five","method":"ping"}', -32600, "five"),
        (b'{"jsonrpc":"2.0","id":null,"method":5}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":6,"method":"ping","params":' + b"[" * 300 + b"]" * 300 + b"}", -32600, 6),
        (b'{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":' + b"[" * 63 + b"]" * 63 + b"}}", -32600, 6),
        (b'{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":[' + b"[]," * 100_000 + b"[]]}}", -32600, 6),
        (b'{"jsonrpc":"2.0","id":6,"method":"ping","params":{"x":[' + b'"",' * 1_000_000 + b'""]}}', -32600, 6),
        (b'{"jsonrpc":"2.0","id":6,"params":' + b"[" * 100_000, None, None),
        (b"\x00\x01\x02", -32700, None),
    ],
)
def test_a_line_that_is_no_message_is_answered(
    client: RawClient, line: bytes, code: int | None, request_id: Any
) -> None:
    client.send(line + b"\n")
    answer = client.receive()
    assert answer["id"] == request_id
    assert code is None or answer["error"]["code"] == code
    assert is_alive(client)


@pytest.mark.parametrize(
    "line",
    [
        PING.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + PING,
        b"\n\n  \n" + PING,
        b'{"jsonrpc":"2.0","id":"ping","method":"ping","params":{"_meta":{"x":"\xff\xfe"}}}\n',
        b'{"jsonrpc":"2.0","id":"ping","method":"ping","params":{"_meta":{"x":"\\ud800"}}}\n',
        b'{"jsonrpc":"2.0","id":"no","id":"ping","method":"ping"}\n',
        b'{"jsonrpc":"2.0","id":"ping","method":"ping","params":{"x":' + b"[" * 62 + b"]" * 62 + b"}}\n",
        b'{"jsonrpc":"2.0","id":"ping","method":"ping","params":{"x":"' + b'\\"[{' * 100_000 + b'"}}\n',
        '{"jsonrpc":"2.0","id":"ping","method":"ping","params":{"_meta":{"x":"\u2028"}}}\n'.encode(),
    ],
)
def test_odd_but_readable_lines_are_understood(client: RawClient, line: bytes) -> None:
    client.send(line)
    answer = client.receive()
    assert (answer["id"], "result" in answer) == ("ping", True)


def test_a_message_in_pieces_and_two_in_one_piece(client: RawClient) -> None:
    for byte in PING:
        client.send(bytes([byte]))
    assert client.receive()["id"] == "ping"
    client.send(PING + PING)
    assert [client.receive()["id"], client.receive()["id"]] == ["ping", "ping"]


def test_a_message_beyond_the_limit_is_refused_and_the_next_one_answered(client: RawClient) -> None:
    client.send(b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"_meta":{"x":"' + b"y" * (5 << 20) + b'"}}}\n')
    assert "too large" in client.receive()["error"]["message"]
    assert is_alive(client)


def test_large_arguments_are_refused_by_the_tool(client: RawClient) -> None:
    error, is_error = client.call_json("toy.echo", {"text": "y" * (2 << 20)})
    assert (is_error, error["code"]) == (True, "INVALID_ARGUMENT")


def test_surrogates_and_control_characters_never_reach_the_wire(client: RawClient) -> None:
    answer, is_error = client.call_json("toy.surrogate")
    assert not is_error
    assert answer["answer"] == "bad \ufffd\ufffd[31m"
    assert answer["data"] == {"pa\ufffdth": "caf\ufffd\ufffd"}
    client.send(
        b'{"jsonrpc":"2.0","id":1000,"method":"tools/call","params":{"name":"toy.echo","arguments":{"text":"a\\ud800b"}}}\n'
    )
    assert json.loads(client.receive()["result"]["content"][0]["text"])["data"]["text"] == "a\ufffdb"


@pytest.mark.parametrize("name", ["boom", "leave", "interrupt", "recurse", "wrong"])
def test_whatever_a_tool_raises_is_an_answer(client: RawClient, name: str) -> None:
    error, is_error = client.call_json(f"toy.{name}")
    assert (is_error, error["code"], error["retryable"]) == (True, "INTERNAL_ERROR", False)
    assert "a bug in the plug-in toy" in error["message"]
    assert is_alive(client)


def test_what_a_tool_asks_for_is_offered_or_an_error_says_that_it_is_not(shop_client: RawClient, indexed: Path) -> None:
    answer, is_error = shop_client.call_json("toy.ask")
    assert (is_error, answer["answer"]) == (False, str(indexed))
    error, is_error = shop_client.call_json("toy.ask", {"text": "dreams"})
    assert (is_error, error["code"]) == (True, "NOT_FOUND")
    assert error["message"].startswith("This server does not offer dreams, which the tool needs.")


def test_an_answer_beyond_every_budget_is_an_error_that_says_so(client: RawClient) -> None:
    error, is_error = client.call_json("toy.huge", {"number": 100_000})
    assert (is_error, error["code"]) == (True, "BUDGET_EXCEEDED")


def test_standard_output_is_the_protocol_alone(mortal: RawClient) -> None:
    answer, _ = mortal.call_json("toy.chatter")
    assert answer["answer"] == "''"
    assert is_alive(mortal)
    mortal.close_input()
    assert mortal.wait() == 0
    mortal.join_log()
    assert "to descriptor 1" in mortal.log
    assert "echo from a child" not in mortal.log.replace("from a child", "", 1)


def test_calls_run_side_by_side(client: RawClient) -> None:
    slow = client.request("tools/call", {"name": "toy.wait", "arguments": {"number": 2}})
    waits = [client.request("tools/call", {"name": "toy.count", "arguments": {"number": n}}) for n in range(20)]
    answered = [client.receive()["id"] for _ in [*waits, slow]]
    assert set(answered) == {*waits, slow}
    assert answered[0] != slow


def test_a_cancelled_call_stops_and_is_not_answered(mortal: RawClient) -> None:
    slow = mortal.request("tools/call", {"name": "toy.wait", "arguments": {"number": 60}})
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": slow}}
    mortal.send(json.dumps(note).encode() + b"\n")
    assert is_alive(mortal)
    mortal.close_input()
    assert mortal.wait() == 0


@pytest.mark.parametrize(
    ("end", "in_flight"),
    [
        ("eof", None),
        ("SIGINT", None),
        ("eof", "toy.wait"),
        ("SIGTERM", "toy.wait"),
        ("SIGHUP", None),
        ("SIGHUP", "toy.wait"),
        ("SIGINT SIGTERM SIGTERM", "toy.wait"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_every_end_is_clean(mortal: RawClient, end: str, in_flight: str | None) -> None:
    if in_flight:
        mortal.request("tools/call", {"name": in_flight, "arguments": {"number": 100}})
        mortal.ask("ping")
    if end == "eof":
        mortal.close_input()
    else:
        for name in end.split():
            mortal.signal(signal.Signals[name])
            time.sleep(0.02)
    assert mortal.wait() == 0
    mortal.join_log()
    assert "Traceback" not in mortal.log
    assert "never awaited" not in mortal.log


@pytest.mark.skipif(sys.platform == "win32", reason="notices a closed pipe when it writes")
def test_a_client_that_stops_listening_ends_the_server(start: Start) -> None:
    server = start(listens=False)
    server.request("ping")
    server.close_output()
    assert server.wait() == 0
    server.join_log()
    assert "Traceback" not in server.log


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_who_starts_it_on_a_terminal_is_told_what_it_is(environment: dict[str, str], tmp_path: Path) -> None:
    import pty

    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        server_command(), stdin=theirs, stdout=theirs, stderr=subprocess.PIPE, env=environment, cwd=tmp_path
    )
    with process:
        assert process.stderr is not None
        assert "MCP server" in process.stderr.readline().decode()
        os.close(theirs)
        os.write(ours, b"\x04")  # Ctrl-D
        assert process.wait(TIMEOUT) == 0
        os.close(ours)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("end", ["eof", "SIGINT", "SIGTERM", "SIGHUP"])
def test_a_client_that_does_not_read_does_not_keep_the_process(start: Start, end: str) -> None:
    server = start(listens=False)
    server.request("ping")
    assert server.process.stdout is not None
    server.process.stdout.readline()
    for n in range(20):
        server.request("tools/call", {"name": "toy.huge", "arguments": {"number": 30_000 + n}})
    if end == "eof":
        server.close_input()
    else:
        time.sleep(1)  # until the pipe is full; a signal that comes before must do as well
        server.signal(signal.Signals[end])
    assert server.wait() == 0


def test_cancelled_calls_hold_their_places_until_they_have_ended(mortal: RawClient) -> None:
    for _ in range(60):
        call = mortal.request("tools/call", {"name": "toy.crowd", "arguments": {"number": 200}})
        note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": call}}
        mortal.send(json.dumps(note).encode() + b"\n")
    answer, is_error = mortal.call_json("toy.crowd")
    assert (is_error, answer["data"] <= 16) == (False, True), answer


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_tool_that_hangs_does_not_keep_the_process(mortal: RawClient) -> None:
    mortal.request("tools/call", {"name": "toy.hang", "arguments": {"number": 1000}})
    mortal.ask("ping")
    mortal.signal(signal.SIGTERM)
    assert mortal.wait() == 0


def test_a_client_that_leaves_at_once_is_no_error(start: Start) -> None:
    server = start()
    server.close_input()
    assert server.wait() == 0


def test_an_answer_given_before_the_client_leaves_is_delivered(start: Start) -> None:
    server = start()
    server.initialize()
    wanted = server.request("tools/list")
    server.close_input()
    answers = [server.receive()]
    assert answers[-1]["id"] == wanted
    assert server.wait() == 0


def test_a_client_that_reads_late_gets_everything(client: RawClient) -> None:
    for n in range(50):
        client.request("tools/call", {"name": "toy.huge", "arguments": {"number": 30_000 + n}})
    answers = [json.loads(client.receive()["result"]["content"][0]["text"]) for _ in range(50)]
    assert {len(answer["data"]) for answer in answers} == set(range(30_000, 30_050))
