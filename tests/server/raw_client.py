"""A client that speaks bytes: everything an SDK would not send, and exit codes."""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.process_tree import descendants

TIMEOUT = 60.0
"""Seconds; generous, as machines that run tests are busy."""
SERVE = "import sys; from codemap_server.serve import *; sys.exit(serve(ServeOptions({})))"


def server_command(options: str = "") -> list[str]:
    return [sys.executable, "-c", SERVE.format(options)]


class RawClient:
    """A server process and its two streams."""

    def __init__(
        self, environment: Mapping[str, str], options: str = "", cwd: str | None = None, listens: bool = True
    ) -> None:
        self.process = subprocess.Popen(
            server_command(options),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=dict(environment),
            cwd=cwd,
        )
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._errors: list[bytes] = []
        self._ids = 0
        self._error_reader = threading.Thread(target=self._read_errors, daemon=True)
        self._error_reader.start()
        if listens:
            threading.Thread(target=self._read_answers, daemon=True).start()

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            try:
                stream.close()
            except OSError:
                pass

    def _read_answers(self) -> None:
        assert self.process.stdout is not None
        try:
            for line in self.process.stdout:
                self._lines.put(line)
        except ValueError:
            pass  # closed by the test

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        try:
            self._errors.extend(self.process.stderr)
        except ValueError:
            pass

    @property
    def log(self) -> str:
        return b"".join(self._errors).decode("utf-8", "replace")

    @property
    def server_id(self) -> int:
        """Of the process that serves: where a plug-in that is not built in has tools, as the toys do, it is a copy of the one that was
        started."""
        own = self.process.pid
        return next((each for each in sorted(descendants(own)) if _command(each) == _command(own)), own)

    def has_logged(self, text: str) -> bool:
        """Whether the log of a process that goes on has a text, which may come after the answer that it belongs to."""
        until = time.monotonic() + TIMEOUT
        while text not in self.log and self._error_reader.is_alive() and time.monotonic() < until:
            time.sleep(0.01)
        return text in self.log

    def join_log(self) -> None:
        """Waits for the rest of the log of a process that has ended."""
        self._error_reader.join(TIMEOUT)

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        """The next line. Fails when it is no JSON object."""
        try:
            line = self._lines.get(timeout=TIMEOUT)
        except queue.Empty:
            raise AssertionError(f"no answer; rc {self.process.poll()}; log:\n{self.log}") from None
        message = json.loads(line)
        assert isinstance(message, dict)
        return message

    def request(self, method: str, params: Mapping[str, Any] | None = None, **members: Any) -> int:
        """Sends a request and gives its id."""
        self._ids += 1
        message = {"jsonrpc": "2.0", "id": self._ids, "method": method, "params": dict(params or {}), **members}
        self.send(json.dumps(message).encode() + b"\n")
        return self._ids

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A request's answer, notifications and other answers skipped."""
        wanted = self.request(method, params)
        while True:
            message = self.receive()
            if message.get("id") == wanted:
                return message

    def initialize(self) -> dict[str, Any]:
        answer = self.ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}},
        )
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return answer

    def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A tool's result; fails on a protocol error."""
        answer = self.ask("tools/call", {"name": name, "arguments": dict(arguments or {})})
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def call_json(self, name: str, arguments: Mapping[str, Any] | None = None) -> tuple[Any, bool]:
        """The one text of a tool's result, decoded, and whether it is an error."""
        result = self.call(name, arguments)
        (content,) = result["content"]
        return json.loads(content["text"]), result.get("isError", False)

    def close_input(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def close_output(self) -> None:
        """Only for a client that does not listen: a read under way would keep the pipe open."""
        assert self.process.stdout is not None
        self.process.stdout.close()

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        return self.process.wait(timeout=TIMEOUT)


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def texts(result: Mapping[str, Any]) -> Sequence[str]:
    return [block["text"] for block in result["content"]]
