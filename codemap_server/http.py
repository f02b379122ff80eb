"""The transports over HTTP, for hosts that connect rather than start a process: streamable HTTP at ``/mcp``, or server-sent events.

``Host`` and ``Origin`` are always checked, against DNS rebinding: on a loopback address only local names pass, elsewhere those the user
allowed, and there a token is required too. Streamable HTTP keeps nothing of a client between two requests, so that no number of clients
fills the server. Connections are limited in number, in the time their requests take to arrive, and in the time for which their answers may
wait to be read; where there are too many, those that have waited longest without a whole request make room.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import signal
import sys
from collections.abc import Iterable
from typing import Any, Final, cast

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from sse_starlette.sse import AppStatus
from uvicorn.protocols.http.h11_impl import H11Protocol

from codemap_core.errors import InvalidArgumentError
from codemap_server import sse
from codemap_server.access_token import VARIABLE, AccessToken
from codemap_server.frames import MAX_MESSAGE
from codemap_server.http_guard import LOCAL_NAMES, HostName, HttpGuard
from codemap_server.mcp_app import McpApp
from codemap_server.signals import ending_signals
from codemap_server.sse import SseSessions

ENDPOINT: Final = "/mcp"
SHUTDOWN_SECONDS: Final = 5
DRAIN_SECONDS: Final = 2.0
"""Of these, the time in which calls under way may come to their end; then they are cancelled."""
ARRIVING_SECONDS: Final = 0.2
"""For messages that were accepted to become calls under way: a session of events accepts them before it hands them on."""
SENDING_SECONDS: Final = 0.2
"""For answers to be sent before the streams that carry them are ended."""
HEAD_SECONDS: Final = 10.0
"""For the head of a request, from the connection or the answer before it."""
UNREAD_SECONDS: Final = 30.0
"""For which a client may leave what it asked for unread."""
MAX_CONNECTIONS: Final = 128
"""A quarter of the descriptors this process may have, where that is less."""

_log = logging.getLogger(__name__)


def serve_http(
    app: McpApp,
    host: str,
    port: int,
    allowed_hosts: Iterable[str],
    token: AccessToken | None,
    *,
    with_sse: bool = False,
) -> int:
    """Serves until a signal ends it; the exit code. Raises: as ``check_address``."""
    names = tuple(HostName.parse(each) for each in allowed_hosts)
    limit = _connection_limit()
    sessions = SseSessions(app, limit // 2) if with_sse else None
    application = (
        sessions.application()
        if sessions is not None
        else app.server.streamable_http_app(
            streamable_http_path=ENDPOINT,
            host=host,
            stateless_http=True,
            max_request_body_size=MAX_MESSAGE,
            transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard does it
        )
    )
    server = _Server(
        app,
        sessions,
        uvicorn.Config(
            HttpGuard(application, (*LOCAL_NAMES, *names) if is_local(host) else names, token),
            host=host,
            port=port,
            http=_Connection,
            ws="none",
            log_config=None,
            limit_concurrency=limit,
            backlog=limit,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ),
    )
    # Else streams end with the signal, and the answers of calls under way with them.
    AppStatus.enable_automatic_graceful_drain = False
    # uvicorn shuts down on SIGINT and SIGTERM and then raises them again for whoever had them before: nobody.
    for each in ending_signals():
        signal.signal(each, server.end)
    server.run()
    app.wait_or_leave()
    return 0


def check_address(host: str, port: int, allowed_hosts: Iterable[str], token: AccessToken | None) -> None:
    """Raises: InvalidArgumentError for what is not a host's name, and where other machines can connect but no name is allowed or no token
    is asked for."""
    names = [HostName.parse(each) for each in allowed_hosts]
    if not names and not is_local(host):
        raise InvalidArgumentError(
            f"Listening on {host or 'every address'} lets other machines in. Say under which names they may address "
            f"the server with --allowed-host, for example --allowed-host codemap.example:{port}, or listen on 127.0.0.1."
        )
    if token is None and not is_local(host):
        raise InvalidArgumentError(
            f"Listening on {host or 'every address'} lets other machines in, so clients must have a token. Put one into a file and "
            f"name it with --token-file, or into the environment variable {VARIABLE}; or listen on 127.0.0.1."
        )


def is_local(host: str) -> bool:
    """Whether only this machine can connect to an address to listen on."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _connection_limit() -> int:
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    import resource

    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if descriptors == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, descriptors // 4)


class _Server(uvicorn.Server):
    def __init__(self, app: McpApp, sessions: SseSessions | None, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._app = app
        self._sessions = sessions

    def end(self, *_: object) -> None:
        """A handler of signals that asks the server to end."""
        self.should_exit = True

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        for each in (listening for server in self.servers for listening in server.sockets):
            address, port = each.getsockname()[:2]
            name = f"[{address}]" if ":" in address else address
            path = ENDPOINT if self._sessions is None else sse.ENDPOINT
            _log.info("serving MCP at http://%s:%d%s; Ctrl-C ends it", name, port, path)

    async def shutdown(self, sockets: list[Any] | None = None) -> None:
        draining = asyncio.ensure_future(self._drain())
        await super().shutdown(sockets)
        await draining

    async def _drain(self) -> None:
        """Lets calls come to their end, cancels what is left of them, and ends all streams."""
        end = asyncio.get_running_loop().time() + SHUTDOWN_SECONDS
        await asyncio.sleep(ARRIVING_SECONDS)
        await self._until_idle(end - SHUTDOWN_SECONDS + DRAIN_SECONDS)
        self._app.cancel_all()
        await self._until_idle(end - 2 * SENDING_SECONDS)
        await asyncio.sleep(SENDING_SECONDS)
        AppStatus.should_exit = True
        if self._sessions is not None:
            self._sessions.end_all()

    async def _until_idle(self, deadline: float) -> None:
        loop = asyncio.get_running_loop()
        while self._app.running and loop.time() < deadline:
            await asyncio.sleep(0.02)


class _Connection(H11Protocol):
    """One connection, closed when a request's head is overdue, when its answer is left unread, or when it waits and another one needs its
    place."""

    _since = 0.0
    """When it began to wait for a request, in the loop's time."""
    _deadline: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    """Runs while the client takes nothing of what was sent."""

    @property
    def _has_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    @property
    def _has_whole_request(self) -> bool:
        return self._has_request and not self.cycle.more_body

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(cast(asyncio.Transport, transport))
        self._wait_for_head()
        if self.limit_concurrency is None:
            return
        staying = [
            each for each in self.connections if isinstance(each, _Connection) and not each.transport.is_closing()
        ]
        waiting = [each for each in staying if each is not self and not each._has_whole_request]
        if len(staying) >= self.limit_concurrency and waiting:
            min(waiting, key=lambda each: each._since).transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._deadline, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing():
            self._wait_for_head()

    def _wait_for_head(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(HEAD_SECONDS, self._close_if_overdue)

    def _close_if_overdue(self) -> None:
        if not self._has_request:
            self.transport.abort()
