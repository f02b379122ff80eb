"""The process that keeps workspaces up to date for one server: started at the first need, kept while there is work, ended when idle.

Starting Python, loading plug-ins and the analysers takes longer than a small refresh, so the process stays. What it knows of an indexed
commit also serves the index of the next one. It holds nothing that cannot be made again: killed at any moment, it costs the start of
another. Messages are JSON objects, one a line; into the child: requests, ``Hurry`` and ``Cancel``; out of it, for the request under way:
progress, then the result or the error. The child ends when its standard input closes, after ``IDLE_SECONDS`` without a request, and after
an answer when it holds more memory than the settings allow, garbage aside.
"""

from __future__ import annotations

import contextlib
import gc
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct, structs

from codemap_core.config import Settings, load_settings
from codemap_core.errors import CancelledError, CodeMapError, ErrorCode
from codemap_core.recursion import allow_deep_recursion
from codemap_server.calls import CallControl
from codemap_server.child_process import await_result, described, lines_of, stop_child

if TYPE_CHECKING:
    from codemap_core.pipeline.refresh import Refreshed, UnsavedChanges
    from codemap_core.queries.views.repository import BaselineReport
    from codemap_core.repository import Repository

IDLE_SECONDS: Final = 600.0
_TIDIED_AFTER: Final = 32
_GROWN: Final = 1.25
_TIDY_SECONDS: Final = 2.0
"""Garbage is collected after this number of requests, or when there are this many times the objects that there were; but only once
nothing was asked for this long, as looking at all that is kept takes longer than a request."""
_TIDIED_AT_LATEST: Final = 96
_GROWN_AT_MOST: Final = 2.0
"""Beyond these two it is collected in any case. A table that another one has taken the place of is garbage, and each edit of a project
leaves one."""
_NICE: Final = 10
_YOUNG: Final = 10
_NEVER: Final = 1 << 30
"""Of collections of what is young, before one of what is not so young, and of everything."""
_POLL: Final = 0.02
_CANCELLING_SECONDS: Final = 5.0
"""How long a refresh may take to notice that it was cancelled, before its process is ended."""
_BUSY_SECONDS: Final = 0.5
"""How long a build waits for its turn: a process of its own takes about so much longer."""
_FAILED: Final = "The refresh ended unexpectedly; the workspace is as it was before. The server's log has more."
_CANCELLED: Final = "The call was cancelled; workspaces and indexes are as they were before."
_NO_MEMORY: Final = (
    "There is not enough memory to refresh this workspace; it is as it was before. Close other programs and try again."
)


class Request(Struct, frozen=True, tag="refresh"):
    """``root``: of the working tree. ``commit``: where to move the workspace; empty for a refresh. ``file_paths``: null for all edits.
    ``is_second``: the process that was asked first has ended over it."""

    root: str
    workspace_id: str
    commit: str = ""
    file_paths: tuple[str, ...] | None = None
    is_second: bool = False


class UnsavedRequest(Struct, frozen=True, tag="unsaved"):
    """What ``texts``, by path, would change in a workspace. ``is_second``: as in ``Request``."""

    root: str
    workspace_id: str
    texts: Mapping[str, str]
    is_second: bool = False


class ReadyRequest(Struct, frozen=True, tag="ready"):
    """That the next refresh of a workspace need not wait for what it can be spared. Nobody waits for it: it is done with little priority.
    ``is_second``: as in ``Request``."""

    root: str
    workspace_id: str
    is_second: bool = False


class NextRequest(Struct, frozen=True, tag="next"):
    """The index of a full commit id, where the process knows that of an earlier one."""

    root: str
    commit: str


class Hurry(Struct, frozen=True, tag="hurry"):
    """What the request under way could leave out is left out."""


class Cancel(Struct, frozen=True, tag="cancel"):
    """Stops the request under way."""


Repeated = Request | UnsavedRequest | ReadyRequest
"""What is asked once more where the process ends over it."""
AnyRequest = Repeated | NextRequest


class IndexProcess:
    """The parent's end. Requests are carried out one after the other; safe to use from several threads."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._lines: queue.Queue[bytes | None] = queue.Queue()

    def refresh(self, request: Request, control: CallControl) -> Refreshed:
        """Raises: CancelledError, and what ``pipeline.refresh`` raises."""
        from codemap_core.pipeline.refresh import Refreshed

        return msgspec.convert(self._answer(request, control), Refreshed)

    def unsaved(self, request: UnsavedRequest, control: CallControl) -> UnsavedChanges:
        """Raises: as ``refresh``."""
        from codemap_core.pipeline.refresh import UnsavedChanges

        return msgspec.convert(self._answer(request, control), UnsavedChanges)

    def make_ready(self, request: ReadyRequest, control: CallControl, hurried: threading.Event) -> None:
        """``hurried``: set as soon as somebody waits for its end. Raises: as ``refresh``."""
        self._answer(request, control, hurried)

    def continue_baseline(self, request: NextRequest, control: CallControl) -> BaselineReport | None:
        """Null where the process does not run or is busy, and where it leaves the work to a process that does nothing else. Raises: as
        ``pipeline.ensure_baseline``."""
        if not self._turn.acquire(timeout=_BUSY_SECONDS):
            return None
        try:
            if self._child is None or self._child.poll() is not None:
                return None
            answer = self._asked(request, control, None)
        finally:
            self._turn.release()
        if answer is None or answer["report"] is None:
            return None
        from codemap_core.queries.views.repository import BaselineReport

        return msgspec.convert(answer["report"], BaselineReport)

    def _answer(self, request: Repeated, control: CallControl, hurried: threading.Event | None = None) -> Any:
        while not self._turn.acquire(timeout=_POLL):
            if control.cancelled.is_set():
                raise CancelledError(_CANCELLED)
        try:
            answer = self._asked(request, control, hurried)
            if answer is None and not control.cancelled.is_set():  # it ended, as it may at any time: once more
                answer = self._asked(structs.replace(request, is_second=True), control, hurried)
            if answer is None:
                raise CancelledError(_CANCELLED) if control.cancelled.is_set() else CodeMapError(_FAILED)
            return answer
        finally:
            self._turn.release()

    def close(self) -> None:
        if self._child is not None:
            stop_child(self._child)
            self._child = None

    def _asked(self, request: AnyRequest, control: CallControl, hurried: threading.Event | None) -> Any | None:
        """The result; null where the child ended without one. Raises: CancelledError, the child's error."""
        child, lines = self._running()
        try:
            _tell(child, request)
        except OSError:
            self.close()
            return None
        result = await_result(lambda: self._next(child, lines, control, hurried), control)
        if result is None:
            self.close()
        return result

    def _running(self) -> tuple[subprocess.Popen[bytes], queue.Queue[bytes | None]]:
        if self._child is None or self._child.poll() is not None:
            self.close()
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", "codemap_server.index_process"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
            self._lines = lines_of(self._child)
        return self._child, self._lines

    def _next(
        self,
        child: subprocess.Popen[bytes],
        lines: queue.Queue[bytes | None],
        control: CallControl,
        hurried: threading.Event | None,
    ) -> bytes | None:
        waited = 0.0
        while True:
            if hurried is not None and hurried.is_set():
                hurried = None
                with contextlib.suppress(OSError, ValueError):
                    _tell(child, Hurry())
            if control.cancelled.is_set():
                if not waited:
                    with contextlib.suppress(OSError, ValueError):  # a server that ends has closed it
                        _tell(child, Cancel())
                waited += _POLL
                if waited > _CANCELLING_SECONDS:
                    self.close()
                    raise CancelledError(_CANCELLED)
            try:
                return lines.get(timeout=_POLL)
            except queue.Empty:
                continue


def _tell(child: subprocess.Popen[bytes], message: AnyRequest | Hurry | Cancel) -> None:
    assert child.stdin is not None
    child.stdin.write(msgspec.json.encode(message) + b"\n")
    child.stdin.flush()


class _Child:
    """The child's end."""

    def __init__(self, settings: Settings) -> None:
        from codemap_core.hooks.manager import load_plugins
        from codemap_core.pipeline.resident import Resident

        self._settings: Final = settings
        self._host: Final = load_plugins()
        self._wire: Final = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        self._requests: Final[queue.Queue[AnyRequest | None]] = queue.Queue()
        self._stopped: Final = threading.Event()
        self._hurried: Final = threading.Event()
        self._resident: Final = Resident()
        self._repositories: Final[dict[str, Repository]] = {}

    def serve(self) -> int:
        """Until there is nothing to do any more; the exit code."""
        threading.Thread(target=self._read, daemon=True).start()
        garbage = Garbage(self._settings.index_process_megabytes << 20)
        while True:
            try:
                request = self._requests.get(timeout=_TIDY_SECONDS if garbage.is_due else IDLE_SECONDS)
            except queue.Empty:
                if not garbage.is_due:
                    return 0
                garbage.collect()
                continue
            if request is None:
                return 0
            self._send(self._answer(request))
            if not garbage.leaves_room():
                return 0
            gc.freeze()  # or the next request would look at what this one has left

    def _read(self) -> None:
        decode = msgspec.json.Decoder(AnyRequest | Hurry | Cancel).decode
        begun = b""
        # Not by ``sys.stdin``: a worker forked meanwhile would wait for its lock forever.
        with contextlib.suppress(OSError):
            while data := os.read(0, 1 << 16):
                *lines, begun = (begun + data).split(b"\n")
                for message in map(decode, lines):
                    if isinstance(message, Cancel):
                        self._stopped.set()
                    elif isinstance(message, Hurry):
                        self._hurried.set()
                    else:
                        self._stopped.clear()
                        self._hurried.clear()
                        self._requests.put(message)
        self._stopped.set()
        self._requests.put(None)

    def _answer(self, request: AnyRequest) -> Mapping[str, Any]:
        if not isinstance(request, ReadyRequest):
            return self._done(request)
        answers: list[Mapping[str, Any]] = []
        aside = threading.Thread(target=lambda: answers.append(_with_little_priority(lambda: self._done(request))))
        aside.start()
        aside.join()
        return answers[0] if answers else {"result": False}

    def _done(self, request: AnyRequest) -> Mapping[str, Any]:
        try:
            if isinstance(request, NextRequest):
                return {"result": {"report": self._continued(request)}}
            return {"result": self._refreshed(request)}
        except CodeMapError as error:
            return {"error": described(error)}
        except MemoryError:
            if isinstance(request, NextRequest):  # a process that holds nothing else may have enough
                return {"result": {"report": None}}
            return {"error": {"code": ErrorCode.STORAGE_FAILED.value, "message": _NO_MEMORY, "details": {}}}

    def _continued(self, request: NextRequest) -> BaselineReport | None:
        from codemap_core.pipeline.continued_baseline import continue_baseline
        from codemap_server.build_process import built

        result = continue_baseline(
            self._repository(request.root),
            self._host,
            self._settings,
            self._resident,
            request.commit,
            progress=self._progress,
            cancelled=self._stopped.is_set,
        )
        return None if result is None else built(result)

    def _refreshed(self, request: Repeated) -> Refreshed | UnsavedChanges | bool:
        from codemap_core.pipeline.refresh import Refresher

        refresher = Refresher(
            self._repository(request.root),
            self._host,
            self._settings,
            progress=self._progress,
            cancelled=self._stopped.is_set,
            # What may end its process is done by workers, one after the other, which costs them alone.
            resident=None if request.is_second else self._resident,
        )
        if isinstance(request, ReadyRequest):
            refresher.make_ready(request.workspace_id, self._hurried.is_set)
            return True
        if isinstance(request, UnsavedRequest):
            return refresher.unsaved(request.workspace_id, request.texts)
        if request.commit:
            done = refresher.rebase(request.workspace_id, request.commit)
        else:
            done = refresher.refresh(request.workspace_id, request.file_paths)
        for failure in done.failures:
            sys.stderr.write(f"warning: {failure}\n")
        sys.stderr.flush()
        return done

    def _progress(self, stage: str, done: int, total: int) -> None:
        self._send({"progress": [stage, done, total]})

    def _repository(self, root: str) -> Repository:
        from codemap_core.repository import Repository

        known = self._repositories.get(root)
        if known is None or not known.git_dir.exists():
            known = self._repositories[root] = Repository.open(Path(root))
        return known

    def _send(self, message: Mapping[str, Any]) -> None:
        with contextlib.suppress(OSError):
            self._wire.write(msgspec.json.encode(message) + b"\n")


class Garbage:
    """When it is looked for in a process whose objects nearly all stay. Objects are counted, not bytes of the process: where garbage has
    left holes, new objects fill them, and the process holds as much as before."""

    def __init__(self, most: int) -> None:
        """``most``: bytes that the process may hold."""
        self._most: Final = most
        self._answered = 0
        self._kept: int | None = None
        """Objects that there were after the last collection; before one, after the first request, which makes most of what is kept."""
        self._grown = 1.0

    @property
    def is_due(self) -> bool:
        """Whether it is to be collected as soon as there is time."""
        return self._answered >= _TIDIED_AFTER or self._grown > _GROWN

    def leaves_room(self) -> bool:
        """Asked after each request: whether the process may go on. Garbage is collected where that may not wait."""
        self._answered += 1
        held = sys.getallocatedblocks()
        self._kept = held if self._kept is None else self._kept
        self._grown = held / max(1, self._kept)
        if self._answered >= _TIDIED_AT_LATEST or self._grown > _GROWN_AT_MOST or resident_bytes() > self._most:
            self.collect()
        return resident_bytes() <= self._most

    def collect(self) -> None:
        tidy()
        self._answered, self._kept, self._grown = 0, sys.getallocatedblocks(), 1.0


def tidy() -> None:
    """Frees what nothing holds any more. The C library of Linux keeps such memory, which differs in size from what is asked for next; it is
    given back to the system."""
    gc.unfreeze()
    gc.collect()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):  # it is another C library than glibc
            ctypes.CDLL(None).malloc_trim(0)


def _with_little_priority(work: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """Where threads have priorities of their own, as on Linux: a process cannot raise its own again."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
    return work()


def resident_bytes() -> int:
    """The memory of this process: what it holds now where the system tells, else the most that it ever held."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        pass
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def main() -> int:
    """The child."""
    from codemap_core.pipeline.garbage import ALLOCATIONS

    allow_deep_recursion()
    # A collection of everything that is kept takes longer than most requests: ``_Child.serve`` has one made while nobody waits.
    gc.set_threshold(ALLOCATIONS, _YOUNG, _NEVER)
    return _Child(load_settings()).serve()


if __name__ == "__main__":
    sys.exit(main())
