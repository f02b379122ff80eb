"""Newline-delimited JSON-RPC frames: what one line from a client is.

The SDK's own reader drops everything it cannot read without an answer, so that a client waits until its timeout. Here a
line that is not JSON is answered with -32700, JSON that is not a message with -32600, under the id it shows if it shows
one. Lone surrogates in a request are replaced rather than refused.
"""

from __future__ import annotations

import json
from typing import Any, Final

import mcp_types as types
import msgspec
from mcp.shared.message import SessionMessage
from msgspec import Struct
from pydantic import ValidationError

from codemap_server.json_shape import shape_problem
from codemap_server.sanitised import sanitised_text

MAX_MESSAGE: Final = 4 << 20
"""Bytes of one message, as for HTTP bodies."""
_BYTE_ORDER_MARK: Final = "\ufeff"

Frame = SessionMessage | types.JSONRPCError | None
"""A message for the server, an answer to give at once, or nothing."""


class LineSplitter:
    """Cuts a stream of bytes into lines. A line beyond ``MAX_MESSAGE`` is dropped while it is read and reported once,
    as null, in its place."""

    def __init__(self) -> None:
        self._pending = bytearray()
        self._dropping = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that ``data`` completes, without their newlines."""
        lines: list[bytes | None] = []
        *complete, rest = data.split(b"\n")
        for part in complete:
            self._add(part)
            lines.append(None if self._dropping else bytes(self._pending))
            self._pending.clear()
            self._dropping = False
        self._add(rest)
        return lines

    def finish(self) -> list[bytes | None]:
        """The last line, where it lacks a newline."""
        if self._dropping:
            return [None]
        return [bytes(self._pending)] if self._pending else []

    def _add(self, part: bytes) -> None:
        if self._dropping or len(self._pending) + len(part) > MAX_MESSAGE:
            self._dropping = True
            self._pending.clear()
        else:
            self._pending += part


def read_frame(line: bytes | None) -> Frame:
    """The message in one line; null stands for a line that was too long."""
    if line is None:
        return _error(types.INVALID_REQUEST, f"Message too large: more than {MAX_MESSAGE} bytes.")
    problem = shape_problem(line)
    if problem:
        return _error(types.INVALID_REQUEST, problem, _id_of(line))
    text = line.decode("utf-8", "replace").strip().removeprefix(_BYTE_ORDER_MARK)
    if not text:
        return None
    try:
        message = types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        return _read_leniently(text)
    if isinstance(message, types.JSONRPCNotification) and '"id"' in text and "id" in json.loads(text):
        return _error(types.INVALID_REQUEST, "Invalid request: an id is a string or an integer.")
    return SessionMessage(message)


def _read_leniently(text: str) -> Frame:
    """A line the SDK's parser refuses: a request with lone surrogates, or an error to answer."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _error(types.PARSE_ERROR, f"Parse error: {error}")
    if not isinstance(value, dict):
        what = "batches are not part of the protocol" if isinstance(value, list) else "a message is an object"
        return _error(types.INVALID_REQUEST, f"Invalid request: {what}.")
    identity = value.get("id")
    request_id = identity if isinstance(identity, str | int) and not isinstance(identity, bool) else None
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_python(_without_surrogates(value), by_name=False))
    except ValidationError:
        return _error(types.INVALID_REQUEST, "Invalid request: not a JSON-RPC 2.0 message.", request_id)


class _Identity(Struct):
    id: str | int | None = None


def _id_of(line: bytes) -> str | int | None:
    """The id of a message whose other members are not looked at; null where it cannot be told."""
    try:
        return msgspec.json.decode(line, type=_Identity).id
    except (ValueError, RecursionError):
        return None


def write_frame(message: SessionMessage | types.JSONRPCError) -> bytes:
    """One line for the client; strings that cannot be encoded are sanitised."""
    body = message.message if isinstance(message, SessionMessage) else message
    try:
        return body.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except (ValueError, UnicodeError):
        content = _without_surrogates(body.model_dump(by_alias=True, exclude_unset=True, mode="python"))
        return json.dumps(content, separators=(",", ":"), default=str).encode() + b"\n"


def _error(code: int, message: str, request_id: str | int | None = None) -> types.JSONRPCError:
    return types.JSONRPCError(
        jsonrpc="2.0", id=request_id, error=types.ErrorData(code=code, message=sanitised_text(message))
    )


def _without_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(each) for each in value]
    return value
