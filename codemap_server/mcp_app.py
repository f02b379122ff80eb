"""The MCP server: protocol requests to tool calls. Both protocol eras, any transport.

``initialize``, ``server/discover`` and ``tools/list`` answer from the plug-ins alone; nothing here touches an index.
Tools are synchronous and run in worker threads, of which there are ``MAX_PARALLEL_CALLS`` at most. A cancelled request
sets its call's flag and is answered no more; its place is free again when the thread has ended, at the tool's next
``check_cancelled``.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import sys
import time
from collections.abc import Callable
from threading import Event
from typing import Any, Final

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from codemap_core.version import __version__
from codemap_server.calls import Answer, CallControl, ToolCaller
from codemap_server.instructions import instructions
from codemap_server.rendering import own_value
from codemap_server.toolset import UnknownToolError

SERVER_NAME: Final = "codemap"
MAX_PARALLEL_CALLS: Final = 16
LISTING_LIFETIME: Final = 3_600_000
"""Milliseconds for which a client may keep the list of tools; it cannot change while the server runs."""
GRACE: Final = 5.0
"""Seconds that running tools get to notice that the server ends."""
PROGRESS_INTERVAL: Final = 0.1
"""Seconds between two progress notifications of one call; a stage's last one is always sent."""

_log = logging.getLogger(__name__)


class McpApp:
    """``server`` serves ``caller``'s tools. ``running`` counts calls that have arrived and whose thread has not ended. ``on_listed`` is
    told that a client asks for the list of tools, and so is about to call them; it must return at once."""

    def __init__(self, caller: ToolCaller, on_listed: Callable[[], None] = lambda: None) -> None:
        self._caller = caller
        self._on_listed = on_listed
        self._places: anyio.Semaphore | None = None
        self._running: set[Event] = set()
        toolset = caller.toolset
        self._listing = types.ListToolsResult(
            tools=[types.Tool.model_validate(toolset.description(tool)) for tool in toolset.listed]
        )
        self.server: Server[Any] = Server(
            SERVER_NAME,
            version=__version__,
            title="CodeMap",
            instructions=instructions(toolset),
            cache_hints={"tools/list": CacheHint(ttl_ms=LISTING_LIFETIME, scope="public")},
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    @property
    def running(self) -> int:
        return len(self._running)

    def cancel_all(self) -> None:
        """Asks every running call to stop."""
        for cancelled in tuple(self._running):
            cancelled.set()

    def wait_or_leave(self) -> None:
        """Stops what runs and returns when it has ended. A tool that takes more than ``GRACE`` ends with the process,
        which is safe because an index is complete or invisible."""
        self.cancel_all()
        deadline = time.monotonic() + GRACE
        while self.running and time.monotonic() < deadline:
            time.sleep(0.02)
        if self.running:
            sys.stderr.flush()
            os._exit(0)

    async def _list_tools(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        if params is not None and params.cursor:
            raise MCPError(types.INVALID_PARAMS, "Unknown cursor: all tools are on the first page.")
        self._on_listed()
        return self._listing

    async def _call_tool(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        cancelled = Event()
        control = CallControl(progress=_progress_of(context, cancelled), cancelled=cancelled)
        if self._places is None:
            self._places = anyio.Semaphore(MAX_PARALLEL_CALLS)
        self._running.add(cancelled)
        try:
            await self._places.acquire()
        except BaseException:
            self._running.discard(cancelled)
            raise
        call = functools.partial(self._call, params.name, params.arguments or {}, control)
        # A task of its own goes on when this one is cancelled, and gives the place back when the thread has ended.
        working = asyncio.ensure_future(_in_thread(call, self._places))
        try:
            answer = await asyncio.shield(working)
        except UnknownToolError as error:
            contract = self._caller.toolset.only_contract
            data = own_value(contract.error(params.name, error)) if contract is not None else None
            raise MCPError(types.INVALID_PARAMS, error.message, data) from error
        finally:
            cancelled.set()
        texts = (answer.text, "\n".join(answer.notes)) if answer.notes else (answer.text,)
        return types.CallToolResult(content=[types.TextContent(text=text) for text in texts], is_error=answer.is_error)

    def _call(self, name: str, arguments: dict[str, Any], control: CallControl) -> Answer:
        try:
            return self._caller.call(name, arguments, control)
        finally:
            self._running.discard(control.cancelled)


async def _in_thread(call: Callable[[], Answer], places: anyio.Semaphore) -> Answer:
    """Runs ``call`` to its end, and then gives back the place that its caller has taken."""
    try:
        return await anyio.to_thread.run_sync(call)
    finally:
        places.release()


def _progress_of(context: ServerRequestContext[Any], cancelled: Event) -> Any:
    """A progress callback for the worker thread. Sends nothing when the client gave no token or has gone."""
    if not (context.meta and context.meta.get("progress_token") is not None):
        return lambda stage, done, total: None
    started = time.monotonic()
    last_sent = 0.0
    shown = -1.0

    def report(stage: str, done: int, total: int) -> None:
        nonlocal last_sent, shown
        now = time.monotonic() - started
        if cancelled.is_set() or (now - last_sent < PROGRESS_INTERVAL and done < total):
            return
        last_sent = now
        # progress must grow from one notification to the next, over all stages
        shown = max(shown + 0.001, round(now, 3))
        message = f"{stage}: {done} of {total}" if total else stage
        try:
            anyio.from_thread.run(context.session.report_progress, shown, None, message)
        except Exception:
            _log.debug("progress was not delivered", exc_info=True)

    return report
