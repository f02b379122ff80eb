"""The streamable HTTP transport, for hosts that connect rather than start a process. One endpoint, ``/mcp``.

``Host`` and ``Origin`` are always checked, against DNS rebinding: on a loopback address only local names pass,
elsewhere those the user allowed. There is no authentication: put a proxy that has one in front of anything public.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings

from codemap_server.frames import MAX_MESSAGE
from codemap_server.mcp_app import McpApp

_LOCAL_NAMES = ("127.0.0.1:*", "localhost:*", "[::1]:*")
SHUTDOWN_SECONDS = 5


def serve_http(app: McpApp, host: str, port: int, allowed_hosts: Iterable[str]) -> int:
    """Serves until SIGINT or SIGTERM; the exit code."""
    hosts = [*_LOCAL_NAMES, *allowed_hosts]
    origins = [f"{scheme}://{name}" for name in hosts for scheme in ("http", "https")]
    application = app.server.streamable_http_app(
        host=host,
        stateless_http=True,
        max_request_body_size=MAX_MESSAGE,
        transport_security=TransportSecuritySettings(
            enable_dns_rebinding_protection=True, allowed_hosts=hosts, allowed_origins=origins
        ),
    )
    # uvicorn shuts down on these two and then raises them again for whoever had them before: nobody.
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: None)
    uvicorn.Server(
        uvicorn.Config(
            application,
            host=host,
            port=port,
            log_config=None,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
    ).run()
    app.cancel_all()
    return 0
