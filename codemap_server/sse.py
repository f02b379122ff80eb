"""The older transport of server-sent events, for clients that know no other: a stream at ``/sse``, messages to ``/messages/``.

Each stream is a session. Sessions are limited in number, so that there are always connections left for their messages, and end when their
client goes, when they have been silent for too long, or with the server.
"""

from __future__ import annotations

import contextvars
import time
from types import TracebackType
from typing import Final, Self

import anyio
from mcp.server.sse import SseServerTransport
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared._stream_protocols import ReadStream
from mcp.shared.message import SessionMessage
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Receive, Scope, Send

from codemap_server.frames import MAX_MESSAGE
from codemap_server.mcp_app import McpApp

ENDPOINT: Final = "/sse"
MESSAGES: Final = "/messages/"
IDLE_SECONDS: Final = 1800.0
"""For which a session may be silent."""


class SseSessions:
    """Serves ``app``, ``limit`` sessions at once."""

    def __init__(self, app: McpApp, limit: int) -> None:
        self._app: Final = app
        self._limit: Final = limit
        self._sessions: Final[set[anyio.CancelScope]] = set()
        # The guard before it checks names and reads bodies.
        unprotected = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._transport: Final = SseServerTransport(MESSAGES, unprotected, MAX_MESSAGE)

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route(ENDPOINT, _Endpoint(self), methods=["GET"]),
                Mount(MESSAGES, app=self._transport.handle_post_message),
            ]
        )

    def end_all(self) -> None:
        """Ends every session."""
        for each in tuple(self._sessions):
            each.cancel()

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self._sessions) >= self._limit:
            refusal = Response(f"{self._limit} sessions are open, the maximum: try again later.", 503)
            await refusal(scope, receive, send)
            return
        with anyio.CancelScope() as session:
            self._sessions.add(session)
            try:
                await self._serve(scope, receive, send, session)
            finally:
                self._sessions.discard(session)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, session: anyio.CancelScope) -> None:
        server = self._app.server
        async with self._transport.connect_sse(scope, receive, send) as (messages, answers):
            watched = _Watched(messages)
            async with anyio.create_task_group() as group:
                group.start_soon(self._end_when_silent, watched, session)
                await server.run(watched, answers, server.create_initialization_options())
                group.cancel_scope.cancel()

    async def _end_when_silent(self, watched: _Watched, session: anyio.CancelScope) -> None:
        while (left := watched.heard + IDLE_SECONDS - time.monotonic()) > 0:
            await anyio.sleep(left)
        session.cancel()


class _Endpoint:
    """An ASGI application: Starlette takes a class for one, and a function for a handler that returns an answer."""

    def __init__(self, sessions: SseSessions) -> None:
        self._sessions: Final = sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._sessions.serve(scope, receive, send)


class _Watched:
    """A stream of messages that remembers when the last one arrived, in monotonic seconds."""

    def __init__(self, messages: ReadStream[SessionMessage | Exception]) -> None:
        self._messages: Final = messages
        self.heard = time.monotonic()

    @property
    def last_context(self) -> contextvars.Context | None:
        return getattr(self._messages, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        message = await self._messages.receive()
        self.heard = time.monotonic()
        return message

    async def aclose(self) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()
