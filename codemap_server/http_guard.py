"""The guard before the MCP endpoint: who may ask, how large a request may be and how long it may take to arrive.

``Host``, ``Origin`` and the token, where there is one, are checked before anything of the body is read. ``/healthz`` tells everybody that
the server runs, and no more. A body is read whole, within ``MAX_MESSAGE``
bytes and ``BODY_SECONDS``, all bodies together within ``MAX_HELD``; then it is read as a line of the stdio transport
would be, so that both answer the same messages in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import anyio
from mcp.shared.message import SessionMessage
from msgspec import Struct
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from codemap_core.errors import InvalidArgumentError
from codemap_server.access_token import AccessToken
from codemap_server.frames import MAX_MESSAGE, read_frame, write_frame

BODY_SECONDS: Final = 10.0
MAX_HELD: Final = 8 * MAX_MESSAGE
"""Bytes of all bodies that are arriving or being answered."""
_NAME: Final = r"(?P<name>\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)"
_AUTHORITY: Final = re.compile(rf"{_NAME}(?::(?P<port>[0-9]{{1,5}}))?", re.IGNORECASE)
_PATTERN: Final = re.compile(rf"{_NAME}(?::(?P<port>[0-9]{{1,5}}|\*))?", re.IGNORECASE)
_ORIGIN: Final = re.compile(r"https?://(?P<authority>.*)", re.IGNORECASE | re.DOTALL)


class HostName(Struct, frozen=True):
    """A name under which the server may be addressed. ``port``: empty for none, ``*`` for any or none."""

    name: str
    port: str

    @classmethod
    def parse(cls, text: str) -> HostName:
        """Raises: InvalidArgumentError for what is not a name, alone or with a port or ``*``."""
        found = _PATTERN.fullmatch(text)
        if found is None:
            raise InvalidArgumentError(
                f"{text!r} is not the name of a host. Write --allowed-host NAME:PORT, for example codemap.example:8722, "
                "or NAME:* for any port."
            )
        return cls(found["name"].lower(), found["port"] or "")

    def admits(self, authority: str) -> bool:
        """Whether a ``Host`` header, or what follows the scheme of an ``Origin``, means this name."""
        found = _AUTHORITY.fullmatch(authority)
        if found is None or found["name"].lower() != self.name:
            return False
        return self.port in ("*", found["port"] or "")


HEALTH: Final = "/healthz"
LOCAL_NAMES: Final = (HostName("127.0.0.1", "*"), HostName("localhost", "*"), HostName("[::1]", "*"))


class _RefusedError(Exception):
    """A request that is answered here and not passed on."""

    def __init__(self, status: int, text: str, media_type: str = "text/plain", **headers: str) -> None:
        super().__init__(text)
        # What is left of the body is not read, so the connection cannot go on.
        self.response = Response(text, status, {"connection": "close", **headers}, media_type)


class HttpGuard:
    """An ASGI application around ``app`` that lets through what is addressed to ``names`` and has the token."""

    def __init__(self, app: ASGIApp, names: Iterable[HostName], token: AccessToken | None = None) -> None:
        self._app: Final = app
        self._names: Final = tuple(names)
        self._token: Final = token
        self._held = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == HEALTH:
            await _health(scope["method"])(scope, receive, send)
            return
        body = bytearray()
        try:
            headers = Headers(scope=scope)
            self._check_names(headers)
            self._check_token(headers)
            if not await self._read(headers, receive, body):
                return
            message = _understood(bytes(body)) if scope["method"] == "POST" else bytes(body)
            await self._app(scope, _replay(message, receive), send)
        except _RefusedError as refused:
            await refused.response(scope, receive, send)
        finally:
            self._held -= len(body)

    def _check_names(self, headers: Headers) -> None:
        if not self._is_known(headers.get("host", "")):
            raise _RefusedError(421, "This server is not known under the name in the Host header (--allowed-host).")
        origin = headers.get("origin")
        if origin is not None:
            found = _ORIGIN.fullmatch(origin)
            if found is None or not self._is_known(found["authority"]):
                raise _RefusedError(403, "Pages from this origin may not use this server.")

    def _check_token(self, headers: Headers) -> None:
        if self._token is not None and not self._token.admits(headers.get("authorization", "").encode("latin-1")):
            raise _RefusedError(
                401,
                "This server wants a token: Authorization: Bearer …",
                **{"www-authenticate": 'Bearer realm="codemap"'},
            )

    def _is_known(self, authority: str) -> bool:
        return any(name.admits(authority) for name in self._names)

    async def _read(self, headers: Headers, receive: Receive, body: bytearray) -> bool:
        """Fills ``body``; false when the client left before it was complete."""
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MAX_MESSAGE:
            raise _RefusedError(413, f"The body has more than {MAX_MESSAGE} bytes.")
        with anyio.move_on_after(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return False
                part = message.get("body", b"")
                body += part
                self._held += len(part)
                if len(body) > MAX_MESSAGE:
                    raise _RefusedError(413, f"The body has more than {MAX_MESSAGE} bytes.")
                if self._held > MAX_HELD:
                    raise _RefusedError(503, "Other requests use all the memory available for requests: try again.")
                if not message.get("more_body", False):
                    return True
        raise _RefusedError(408, f"The body took longer than {BODY_SECONDS:g} seconds.")


def _health(method: str) -> Response:
    if method not in ("GET", "HEAD"):
        return Response(status_code=405, headers={"allow": "GET, HEAD"})
    return Response("ok\n", media_type="text/plain", headers={"cache-control": "no-store"})


def _understood(body: bytes) -> bytes:
    """The body as the stdio transport would understand it. Raises: _RefusedError with its answer."""
    frame = read_frame(body)
    if frame is None:
        return body
    if isinstance(frame, SessionMessage):
        return write_frame(frame)
    raise _RefusedError(400, write_frame(frame).decode(), "application/json")


def _replay(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
