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
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
import anyio.to_thread
import mcp_types as types
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from codemap_server.frames import LineSplitter, read_frame, write_frame
from codemap_server.mcp_app import McpApp

GRACE: Final = 5.0
"""Seconds that running tools get to notice that they are cancelled."""
DRAIN: Final = 1.0
"""Seconds that answers already given get to be read by a client that is closing."""
_CHUNK: Final = 1 << 16

Outgoing = SessionMessage | types.JSONRPCError


def serve_stdio(app: McpApp) -> int:
    """Serves until the client goes or a signal comes; the exit code. Does not return while a tool hangs: after
    ``GRACE`` the process ends, which is safe because an index is complete or invisible."""
    anyio.run(_serve, app)
    app.cancel_all()
    deadline = time.monotonic() + GRACE
    while app.running and time.monotonic() < deadline:
        time.sleep(0.02)
    if app.running:
        sys.stderr.flush()
        os._exit(0)
    return 0


async def _serve(app: McpApp) -> None:
    wire_in, wire_out = _claim_descriptors()
    async with anyio.create_task_group() as group:
        group.start_soon(_stop_on_signal, group.cancel_scope)
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


async def _stop_on_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()
            return


@asynccontextmanager
async def _streams(
    wire_in: int, wire_out: int, scope: anyio.CancelScope
) -> AsyncIterator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
]:
    """What the SDK reads from and writes to. ``scope`` is cancelled when the client stops listening."""
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[Outgoing](16)

    async def write_all() -> None:
        async with from_server:
            async for message in from_server:
                try:
                    await anyio.to_thread.run_sync(_write, wire_out, write_frame(message), abandon_on_cancel=True)
                except OSError:
                    scope.cancel()
                    return

    async def deliver(line: bytes | None) -> None:
        frame = read_frame(line)
        if isinstance(frame, SessionMessage):
            await to_server.send(frame)
        elif frame is not None:
            await outgoing.send(frame)

    loop = asyncio.get_running_loop()

    def read_all() -> None:
        # A thread of its own: a read of standard input cannot be cancelled, and a daemon never delays the exit.
        with suppress(RuntimeError, anyio.BrokenResourceError, anyio.ClosedResourceError, asyncio.CancelledError):
            splitter = LineSplitter()
            while data := _read(wire_in):
                for line in splitter.feed(data):
                    asyncio.run_coroutine_threadsafe(deliver(line), loop).result()
            for line in splitter.finish():
                asyncio.run_coroutine_threadsafe(deliver(line), loop).result()
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(to_server.close)

    async with anyio.create_task_group() as group:
        group.start_soon(_stop_when_unheard, wire_out, scope)
        async with anyio.create_task_group() as writing:
            writing.start_soon(write_all)
            threading.Thread(target=read_all, name="stdin reader", daemon=True).start()
            yield incoming, outgoing.clone()
            outgoing.close()
            writing.cancel_scope.deadline = anyio.current_time() + DRAIN
        group.cancel_scope.cancel()


async def _stop_when_unheard(wire_out: int, scope: anyio.CancelScope) -> None:
    """Notices a client that closed our output but keeps our input open, which no write would tell while idle."""
    if not hasattr(select, "poll"):
        return
    poll = select.poll()
    poll.register(wire_out, 0)
    while not any(event & (select.POLLERR | select.POLLNVAL) for _, event in poll.poll(0)):
        await anyio.sleep(1)
    scope.cancel()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
