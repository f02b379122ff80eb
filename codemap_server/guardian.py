"""A process between a client on standard input and output and the server, where tools come from plug-ins that are not built in: a tool that
ends the server's process costs the answer to its call.

The server is a copy of this process, forked before it has threads. Whole lines go to and fro, as they are; a request is remembered until
it is answered. When the server ends although requests wait, another copy takes its place: it is told how the client introduced itself,
calls of tools that are not built in are answered with an error that names them, calls that change something with one that says so, and what
else waits is asked again, once. When the server ends and nothing waits, so does this process.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.errors import CodeMapError
from codemap_core.forking import how_it_ended
from codemap_server.frames import MAX_MESSAGE
from codemap_server.signals import ending_signals
from codemap_server.toolset import Toolset, is_foreign, what_ended

_CHUNK: Final = 1 << 16
_PORTION: Final = 4096
"""Bytes that a pipe which is ready takes without waiting."""
_MOST: Final = 1 << 20
"""Bytes for the client beyond which the server waits."""
_TICK: Final = 200
"""Milliseconds between two looks at whether the server is there."""
_LAST: Final = 1000
"""Milliseconds that a client gets to read what is left."""

Refusal = Callable[[CodeMapError], str]
"""An error, as the text of an answer."""


class _Params(Struct):
    name: str = ""
    requestId: str | int | None = None  # noqa: N815 - as the protocol writes it


class _Line(Struct):
    """What of a line is looked at."""

    id: str | int | None = None
    method: str = ""
    params: msgspec.Raw = msgspec.Raw()


class _Waiting(Struct):
    """A request without an answer. ``tool``: what it calls, empty for another request."""

    line: bytes
    method: str
    tool: str = ""
    is_second: bool = False


class _Wire:
    """A server: its process and the pipes to it. In the new process ``process`` is 0, and the pipes are its standard streams."""

    def __init__(self) -> None:
        theirs_in, self.to_server = os.pipe()
        self.from_server, theirs_out = os.pipe()
        self.process: Final = os.fork()
        if self.process == 0:
            os.dup2(theirs_in, 0)
            os.dup2(theirs_out, 1)
            for each in (theirs_in, theirs_out, self.to_server, self.from_server):
                os.close(each)
            return
        os.close(theirs_in)
        os.close(theirs_out)
        self.hears = True

    def hang_up(self) -> None:
        if self.hears:
            os.close(self.to_server)
            self.hears = False

    def close(self) -> None:
        self.hang_up()
        os.close(self.from_server)


def guarded(serve: Callable[[], int], toolset: Toolset, refusal: Refusal) -> int:
    """Serves by ``serve`` in copies of this process, until it ends by itself; its exit code."""
    code = _Guardian(toolset, refusal).run()
    return serve() if code is None else code


class _Guardian:
    def __init__(self, toolset: Toolset, refusal: Refusal) -> None:
        self._toolset: Final = toolset
        self._refusal: Final = refusal
        self._waiting: Final[dict[str | int, _Waiting]] = {}
        self._introduction: Final[list[bytes]] = []
        """What the client said first: ``initialize``, and that it is initialised."""
        self._unheard: set[str | int] = set()
        """Ids of requests that the client did not repeat: their answers are not for it."""
        self._from_client = bytearray()
        self._from_server = bytearray()
        self._to_server = bytearray()
        self._to_client = bytearray()
        self._client_speaks = True
        self._client_hears = True
        self._is_raw = False
        """In the middle of a line that is longer than any message."""

    def run(self) -> int | None:
        """The exit code of the server; null in a process that is to be the server."""
        handlers = {number: signal.getsignal(number) for number in ending_signals()}
        while True:
            wire = _Wire()
            if wire.process == 0:
                return None
            self._process = wire.process
            for number in handlers:
                signal.signal(number, lambda received, _frame: self._tell(received))
            status = self._relay(wire)
            wire.close()
            code = os.waitstatus_to_exitcode(status)
            if code == 0 or not self._waiting or not self._client_hears:
                self._flush()
                return code if code >= 0 else 128 - code
            for number, handler in handlers.items():
                signal.signal(number, handler)
            self._answer_for(status)

    def _tell(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process, number)

    def _relay(self, wire: _Wire) -> int:
        """Until the server has ended; how it did."""
        while True:
            if not self._client_speaks and not self._to_server:
                wire.hang_up()
            poll = select.poll()
            if self._client_speaks and len(self._to_server) < _MOST:
                poll.register(0, select.POLLIN)
            if self._client_hears:
                poll.register(1, select.POLLOUT if self._to_client else 0)
            if wire.hears and self._to_server:
                poll.register(wire.to_server, select.POLLOUT)
            if len(self._to_client) < _MOST:
                poll.register(wire.from_server, select.POLLIN)
            ready = dict(poll.poll(_TICK))
            if wire.from_server in ready and self._take(wire.from_server):
                continue  # the server's last words come before its end
            if 0 in ready:
                self._hear_client()
            if 1 in ready:
                self._speak_to_client(ready[1])
            if wire.hears and wire.to_server in ready:
                self._speak_to_server(wire)
            ended, status = os.waitpid(wire.process, os.WNOHANG)
            if ended:
                while select.select([wire.from_server], [], [], 0)[0] and self._take(wire.from_server):
                    pass
                return status

    def _hear_client(self) -> None:
        data = _read(0)
        if not data:
            self._client_speaks = False
            self._to_server += self._from_client  # a last line may lack its end
            self._from_client.clear()
            return
        if self._is_raw:
            head, newline, data = data.partition(b"\n")
            self._to_server += head + newline
            self._is_raw = not newline
        self._from_client += data
        *lines, rest = self._from_client.split(b"\n")
        for line in lines:
            self._ask(bytes(line) + b"\n")
        self._from_client = bytearray(rest)
        if len(rest) > MAX_MESSAGE:
            self._to_server += self._from_client
            self._from_client = bytearray()
            self._is_raw = True

    def _ask(self, line: bytes) -> None:
        """Hands a line of the client on."""
        self._to_server += line
        message = _decoded(line)
        if message is None:
            return
        if message.method == "notifications/initialized":
            self._introduction.append(line)
        elif message.method == "notifications/cancelled":
            self._waiting.pop(_params(message).requestId or "", None)
        elif message.method and message.id is not None:
            if message.method == "initialize":
                self._introduction[:] = [line]
            tool = _params(message).name if message.method == "tools/call" else ""
            self._waiting[message.id] = _Waiting(line, message.method, tool)

    def _take(self, descriptor: int) -> bool:
        """Takes what the server says; false at its end."""
        data = _read(descriptor)
        if not data:
            return False
        self._from_server += data
        *lines, rest = self._from_server.split(b"\n")
        for line in lines:
            message = _decoded(line)
            if message is not None and not message.method and message.id is not None:
                if message.id in self._unheard:
                    self._unheard.discard(message.id)
                    continue
                self._waiting.pop(message.id, None)
            self._to_client += line + b"\n"
        self._from_server = bytearray(rest)
        return True

    def _speak_to_client(self, event: int) -> None:
        if event & (select.POLLERR | select.POLLNVAL) or not self._wrote(1, self._to_client):
            self._client_hears = self._client_speaks = False
            self._to_client.clear()

    def _speak_to_server(self, wire: _Wire) -> None:
        if not self._wrote(wire.to_server, self._to_server):
            self._to_server.clear()
            wire.hang_up()

    @staticmethod
    def _wrote(descriptor: int, data: bytearray) -> bool:
        try:
            if data:
                del data[: os.write(descriptor, data[:_PORTION])]
        except OSError:
            return False
        return True

    def _flush(self) -> None:
        """What the server said last."""
        poll = select.poll()
        poll.register(1, select.POLLOUT)
        while self._client_hears and self._to_client and poll.poll(_LAST):
            self._speak_to_client(0)

    def _answer_for(self, status: int) -> None:
        """Answers for a server that has ended, and tells the next one what it has to know."""
        self._from_server.clear()
        self._to_server.clear()
        foreign = {number: each for number, each in self._waiting.items() if is_foreign(self._toolset, each.tool)}
        given_up = foreign or {number: each for number, each in self._waiting.items() if each.is_second}
        names = sorted({each.tool for each in given_up.values() if each.tool})
        said = self._said(names, status)
        sys.stderr.write(f"{said}\n")
        sys.stderr.flush()
        for number in given_up:
            self._refuse(number, said)
        for number, tool in [(number, each.tool) for number, each in self._waiting.items()]:
            if tool and self._toolset.changes_something(tool):
                self._refuse(number, self._unsure(tool))
        for line in self._introduction:
            self._to_server += line
            message = _decoded(line)
            if message is not None and message.id is not None and message.id not in self._waiting:
                self._unheard.add(message.id)
        for each in self._waiting.values():
            each.is_second = True
            if each.method != "initialize":
                self._to_server += each.line

    def _refuse(self, number: str | int, said: str) -> None:
        """Answers a call with an error."""
        content = [{"type": "text", "text": self._refusal(CodeMapError(said))}]
        answer = {"jsonrpc": "2.0", "id": number, "result": {"content": content, "isError": True}}
        self._to_client += msgspec.json.encode(answer) + b"\n"
        del self._waiting[number]

    def _unsure(self, tool: str) -> str:
        return (
            f"The server ended while {self._toolset.spelt(tool)} was under way, and has been started again. Whether the call was carried "
            "out is not known: look before you call it again."
        )

    def _said(self, names: list[str], status: int) -> str:
        ending = how_it_ended(status)
        if not names:
            return f"The server {ending}; it has been started again."
        return (
            f"{what_ended(self._toolset, names, ending)}: the server has been started again, and other calls go on. This is a bug in the "
            "plug-in; do not call it so again."
        )


def _decoded(line: bytes | bytearray) -> _Line | None:
    """Null for what is not a message."""
    try:
        return msgspec.json.decode(line, type=_Line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def _params(message: _Line) -> _Params:
    try:
        return msgspec.json.decode(bytes(message.params) or b"{}", type=_Params)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _Params()


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
