"""Work that takes long, in a process of its own: it can be stopped, and the server stays small and responsive.

Both ends are here. A child, ``python -P -m MODULE``, reads one line, the request, which other users of the machine could see among its
arguments, and writes one JSON object a line: progress, then the result or the error. It stops when it is told to (SIGTERM) and when its
standard input closes, which is how it notices that the server has gone. ``-P`` keeps the current directory, which may be the indexed
repository, off the module path.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct

from codemap_core.errors import CancelledError, CodeMapError, ErrorCode
from codemap_core.recursion import allow_deep_recursion
from codemap_server.calls import CallControl

GRACE: Final = 5.0
"""Seconds a child gets to stop by itself."""
_POLL: Final = 0.1

Send = Callable[[Mapping[str, Any]], None]


class ChildTask(Struct, frozen=True, kw_only=True):
    """The work of a child, and the message if it fails."""

    module: str
    cancelled: str
    failed: str
    seconds: float = 0.0
    """After which it is stopped; 0: never."""
    too_long: str = ""


def run_child(task: ChildTask, request: Struct, control: CallControl) -> Any:
    """Runs a child to the end; its result. Raises: CancelledError, and the error that the child reported."""
    command = [sys.executable, "-P", "-m", task.module]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    assert child.stdin is not None
    with contextlib.suppress(OSError):  # a child that has ended already gives no result, which says it
        child.stdin.write(msgspec.json.encode(request) + b"\n")
        child.stdin.flush()
    lines = lines_of(child)
    until = time.monotonic() + task.seconds if task.seconds else None
    try:
        result = await_result(lambda: _next_line(lines, task, control, until), control)
        if result is None:
            raise CodeMapError(f"{task.failed} (exit code {child.wait()})")
        return result
    finally:
        stop_child(child)


def read_request() -> bytes:
    """What the child is asked to do, as JSON."""
    return sys.stdin.buffer.readline()


def serve_child(work: Callable[[Send, threading.Event], Any], no_memory: str) -> int:
    """The child's end: does ``work``, which sends progress and looks whether it is to stop. ``no_memory`` is what it says when memory does
    not suffice. The exit code."""
    allow_deep_recursion()
    wire = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    threading.Thread(target=_stop_when_alone, args=(stopped,), daemon=True).start()

    def send(message: Mapping[str, Any]) -> None:
        with contextlib.suppress(OSError):
            wire.write(msgspec.json.encode(message) + b"\n")

    try:
        send({"result": work(send, stopped)})
    except CodeMapError as error:
        send({"error": described(error)})
        return 1
    except MemoryError:
        send({"error": {"code": ErrorCode.STORAGE_FAILED.value, "message": no_memory, "details": {}}})
        return 1
    return 0


def lines_of(child: subprocess.Popen[bytes]) -> queue.Queue[bytes | None]:
    """What a child writes, a line an item, as it comes; null at the end."""
    lines: queue.Queue[bytes | None] = queue.Queue()
    stream = child.stdout
    assert stream is not None

    def pump() -> None:
        with contextlib.suppress(ValueError, OSError), stream:
            for line in stream:
                lines.put(line)
        lines.put(None)

    threading.Thread(target=pump, daemon=True).start()
    return lines


def await_result(next_line: Callable[[], bytes | None], control: CallControl) -> Any | None:
    """Passes progress on until the result comes; null where the child ends without one. Raises: the error that the child reported."""
    while (line := next_line()) is not None:
        message = msgspec.json.decode(line)
        if "progress" in message:
            control.progress(*message["progress"])
        elif "result" in message:
            return message["result"]
        else:
            raise error_of(message["error"])
    return None


def _next_line(
    lines: queue.Queue[bytes | None], task: ChildTask, control: CallControl, until: float | None
) -> bytes | None:
    while True:
        if control.cancelled.is_set():
            raise CancelledError(task.cancelled)
        if until is not None and time.monotonic() > until:
            raise CancelledError(task.too_long)
        try:
            return lines.get(timeout=_POLL)
        except queue.Empty:
            continue


def stop_child(child: subprocess.Popen[bytes]) -> None:
    """Lets a child end by itself, and ends it when it does not."""
    if child.stdin is not None:
        with contextlib.suppress(OSError):  # what a child that is gone was not told yet
            child.stdin.close()
    if child.poll() is None:
        child.terminate()
    try:
        child.wait(GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def described(error: CodeMapError) -> dict[str, Any]:
    """An error as a child reports it."""
    details = msgspec.to_builtins(error.details, str_keys=True)
    return {"code": error.code.value, "message": error.message, "details": details}


def error_of(reported: Mapping[str, Any]) -> CodeMapError:
    """The error a child reported, as one of the same code."""
    classes = {each.code: each for each in _all_error_classes(CodeMapError)}
    kind = classes.get(ErrorCode(reported["code"]), CodeMapError)
    return kind(reported["message"], **reported["details"])


def _all_error_classes(root: type[CodeMapError]) -> list[type[CodeMapError]]:
    """``root`` and what derives from it, the most basic class of each code last."""
    return [each for child in root.__subclasses__() for each in _all_error_classes(child)] + [root]


def _stop_when_alone(stopped: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 1 << 12):
            pass
    stopped.set()
