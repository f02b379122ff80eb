"""The stdio transport: one client on standard input and output.

While serving, the wire is a private duplicate of the two descriptors; descriptor 0 reads nothing and descriptor 1 is
standard error, so that nothing a library prints reaches the client. Ends with 0 when the client closes either side, and
on SIGINT and SIGTERM, whatever tools still run: those are asked to stop and given ``GRACE`` seconds.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from codemap_server.frames import LineSplitter, read_frame, write_frame
from codemap_server.mcp_app import McpApp
from codemap_server.signals import ending_signals

DRAIN: Final = 1.0
"""Seconds that a client which has closed its side waits for answers, and gets to read them."""
_CHUNK: Final = 1 << 16

_ENDED: Final = (
    OSError,
    RuntimeError,
    anyio.EndOfStream,
    anyio.BrokenResourceError,
    anyio.ClosedResourceError,
    CancelledError,
)
"""The errors that the threads of the wire see when the client or the event loop has gone."""

Outgoing = SessionMessage | types.JSONRPCError
_Result = TypeVar("_Result")


def serve_stdio(app: McpApp) -> int:
    """Serves until the client goes or a signal comes; the exit code."""
    anyio.run(_serve, app)
    for number in ending_signals():
        signal.signal(number, signal.SIG_IGN)  # the interpreter's own end would restore what kills
    app.wait_or_leave()
    return 0


async def _serve(app: McpApp) -> None:
    wire_in, wire_out = _claim_descriptors()
    async with anyio.create_task_group() as group:
        _stop_on_signals(group.cancel_scope)
        async with _streams(wire_in, wire_out, group.cancel_scope) as (incoming, outgoing):
            await app.server.run(incoming, outgoing, app.server.create_initialization_options())
        group.cancel_scope.cancel()


def _claim_descriptors() -> tuple[int, int]:
    wire_in, wire_out = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire_in, wire_out


def _stop_on_signals(scope: anyio.CancelScope) -> None:
    """Stops at the first signal and stays deaf to further ones: hosts send SIGTERM 100 ms after SIGINT."""
    loop = asyncio.get_running_loop()

    def stop(*_: object) -> None:
        with suppress(RuntimeError):  # the loop is closed: stopping already
            loop.call_soon_threadsafe(scope.cancel)

    for number in ending_signals():
        signal.signal(number, stop)


@asynccontextmanager
async def _streams(
    wire_in: int, wire_out: int, scope: anyio.CancelScope
) -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
]:
    """The streams that the SDK reads from and writes to. ``scope`` is cancelled when the client stops listening."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[Outgoing](16)

    unanswered: set[types.RequestId | None] = set()
    loop = asyncio.get_running_loop()

    def write_all() -> None:
        # A daemon thread: a write to a client that does not read cannot be cancelled and must not delay the exit.
        with suppress(*_ENDED):
            try:
                while True:
                    message = run_in_group(loop, group, from_server.receive)
                    _write(wire_out, write_frame(message))
                    unanswered.discard(_answered_id(message))
            finally:
                loop.call_soon_threadsafe(scope.cancel)

    async def deliver(line: bytes | None) -> None:
        frame = read_frame(line)
        if isinstance(frame, SessionMessage):
            if isinstance(frame.message, types.JSONRPCRequest):
                unanswered.add(frame.message.id)
            await to_server.send(frame)
        elif frame is not None:
            await outgoing.send(frame)

    async def close_when_answered() -> None:
        # The SDK drops what is under way when its input ends; a client that writes and closes still wants its answers.
        with anyio.move_on_after(DRAIN):
            while unanswered:
                await anyio.sleep(0.01)
        to_server.close()
        await anyio.sleep(2 * DRAIN)
        scope.cancel()  # the client does not read what is still to be sent

    def read_all() -> None:
        # A daemon thread as well: a read of standard input cannot be cancelled either.
        with suppress(*_ENDED):
            splitter = LineSplitter()
            while data := _read(wire_in):
                for line in splitter.feed(data):
                    run_in_group(loop, group, partial(deliver, line))
            for line in splitter.finish():
                run_in_group(loop, group, partial(deliver, line))
            run_in_group(loop, group, close_when_answered)

    async with anyio.create_task_group() as group:
        group.start_soon(_stop_when_unheard, wire_out, scope)
        threading.Thread(target=write_all, name="stdout writer", daemon=True).start()
        threading.Thread(target=read_all, name="stdin reader", daemon=True).start()
        yield incoming, outgoing.clone()
        outgoing.close()
        await anyio.sleep(DRAIN)  # the writer cancels it when everything is sent
        scope.cancel()


def run_in_group(
    loop: asyncio.AbstractEventLoop, group: TaskGroup, work: Callable[[], Coroutine[Any, Any, _Result]]
) -> _Result:
    """What ``work`` gives, which runs as a task of ``group`` in the loop of another thread. It is called there, and only while the
    group takes tasks: one that is made in the last turn of a loop would never be awaited. Raises: what ``work`` does; RuntimeError
    where the loop is closed; CancelledError where the group has ended or is cancelled."""
    outcome: Future[_Result] = Future()

    async def settle() -> None:
        try:
            outcome.set_result(await work())
        except Exception as error:  # whatever it is, it is raised in the thread that waits
            outcome.set_exception(error)
        finally:
            outcome.cancel()  # does nothing once there is an outcome

    def start() -> None:
        try:
            group.start_soon(settle)
        except RuntimeError:  # the group has ended
            outcome.cancel()

    loop.call_soon_threadsafe(start)
    return outcome.result()


async def _stop_when_unheard(wire_out: int, scope: anyio.CancelScope) -> None:
    """Notices a client that closed our output but keeps our input open, which no write would tell while idle."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(wire_out, 0)
    while not any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0)):
        await anyio.sleep(1)
    scope.cancel()


def _answered_id(message: Outgoing) -> types.RequestId | None:
    body = message.message if isinstance(message, SessionMessage) else message
    return body.id if isinstance(body, types.JSONRPCResponse | types.JSONRPCError) else None


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
