"""Builds an index in a process of its own, so that the server stays small and responsive and can stop the work.

Parent and child are both here. The child, ``python -P -m codemap_server.build_process``, reads one request from its
arguments and writes one JSON object a line: progress, then the result or the error. It stops when it is told to
(SIGTERM) and when its standard input closes, which is how it notices that the server has gone. ``-P`` keeps the
current directory, which may be the indexed repository, off the module path.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.errors import CancelledError, CodeMapError, ErrorCode
from codemap_core.hooks.manager import load_plugins
from codemap_server.calls import CallControl

if TYPE_CHECKING:
    from codemap_core.pipeline import BaselineResult
    from codemap_core.storage.examine import IndexInfo

GRACE: Final = 5.0
"""Seconds a child gets to stop by itself."""
_POLL: Final = 0.1
_NO_MEMORY: Final = (
    "There is not enough memory to index this commit; nothing was changed. Close other programs and try again, or run "
    "'codemap index --jobs 1' in a shell."
)


class BuildRequest(Struct, frozen=True):
    """``folder``: what to open the repository at. ``solution``: path relative to the git root, or empty."""

    folder: str
    commit: str = ""
    solution: str = ""


def index_stats(info: IndexInfo) -> dict[str, Any]:
    """Size and quality of an index, as the contract's ``IndexStats`` has them."""
    projects = [msgspec.to_builtins(each) for each in info.project_diagnostics if not each.compiled or each.errors]
    return {
        "project_count": info.project_count,
        "file_count": info.file_count,
        "symbol_count": info.symbol_count,
        "reference_count": info.reference_count,
        "semantic_level": info.semantic_level.value,
        "project_diagnostics": projects[:20] or None,
    }


def built(result: BaselineResult) -> dict[str, Any]:
    """What ``index.ensure_baseline`` answers (contract 6.2). ``project_diagnostics`` names projects with problems."""
    answer: dict[str, Any] = {"commit_sha": result.info.commit_sha, "already_existed": result.already_existed}
    if not result.already_existed:
        answer["stats"] = index_stats(result.info) | {
            "elapsed_seconds": round(result.elapsed_seconds, 3),
            "confidence": "high" if result.info.semantic_level == "full" else "medium",
            "analysed_files": result.analysed_files,
            "cached_files": result.cached_files,
            "replaced": result.replaced or None,
        }
    return answer | {"from_cache": False}


def build(request: BuildRequest, control: CallControl) -> Mapping[str, Any]:
    """Runs a child to the end. Raises: CancelledError, and what ``pipeline.ensure_baseline`` raises."""
    command = [sys.executable, "-P", "-m", "codemap_server.build_process", msgspec.json.encode(request).decode()]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    assert child.stdout is not None
    lines: queue.Queue[bytes | None] = queue.Queue()
    threading.Thread(target=_pump, args=(child.stdout, lines), daemon=True).start()
    try:
        while (line := _next_line(lines, control)) is not None:
            message = msgspec.json.decode(line)
            if "progress" in message:
                control.progress(*message["progress"])
            elif "result" in message:
                return _as_mapping(message["result"])
            else:
                raise _error_of(message["error"])
        raise CodeMapError(
            f"Indexing ended unexpectedly (exit code {child.wait()}). The server's log has more; "
            "`codemap index` in a shell shows the same."
        )
    finally:
        _stop(child)


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return msgspec.convert(value, dict[str, Any])


def _pump(stream: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    with contextlib.suppress(ValueError, OSError):
        for line in stream:
            lines.put(line)
    lines.put(None)


def _next_line(lines: queue.Queue[bytes | None], control: CallControl) -> bytes | None:
    while True:
        if control.cancelled.is_set():
            raise CancelledError("Indexing was cancelled; nothing was changed.")
        try:
            return lines.get(timeout=_POLL)
        except queue.Empty:
            continue


def _stop(child: subprocess.Popen[bytes]) -> None:
    if child.stdin is not None:
        child.stdin.close()
    if child.poll() is None:
        child.terminate()
    try:
        child.wait(GRACE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


def _error_of(described: Mapping[str, Any]) -> CodeMapError:
    """The error a child reported, as one of the same code."""
    classes = {each.code: each for each in _all_error_classes(CodeMapError)}
    kind = classes.get(ErrorCode(described["code"]), CodeMapError)
    return kind(described["message"], **described["details"])


def _all_error_classes(root: type[CodeMapError]) -> list[type[CodeMapError]]:
    """``root`` and what derives from it, the most basic class of each code last."""
    return [each for child in root.__subclasses__() for each in _all_error_classes(child)] + [root]


def main(argument: str) -> int:
    """The child."""
    wire = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    threading.Thread(target=_stop_when_alone, args=(stopped,), daemon=True).start()

    def send(message: Mapping[str, Any]) -> None:
        with contextlib.suppress(OSError):
            wire.write(msgspec.json.encode(message) + b"\n")

    try:
        send({"result": _build_here(msgspec.json.decode(argument, type=BuildRequest), send, stopped)})
    except CodeMapError as error:
        details = msgspec.to_builtins(error.details, str_keys=True)
        send({"error": {"code": error.code.value, "message": error.message, "details": details}})
        return 1
    except MemoryError:
        send({"error": {"code": ErrorCode.STORAGE_FAILED.value, "message": _NO_MEMORY, "details": {}}})
        return 1
    return 0


def _build_here(request: BuildRequest, send: Any, stopped: threading.Event) -> dict[str, Any]:
    from codemap_core.pipeline import ensure_baseline
    from codemap_core.workspace import Repository

    result = ensure_baseline(
        Repository.open(Path(request.folder)),
        load_plugins(),
        load_settings(),
        commit=request.commit,
        solution=request.solution,
        progress=lambda stage, done, total: send({"progress": [stage, done, total]}),
        cancelled=stopped.is_set,
    )
    return built(result)


def _stop_when_alone(stopped: threading.Event) -> None:
    with contextlib.suppress(OSError):
        while os.read(0, 1 << 12):
            pass
    stopped.set()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
