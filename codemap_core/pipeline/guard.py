"""Calls into plug-ins: what they raise, print or never finish is caught here and becomes a sentence."""

from __future__ import annotations

import mmap
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Final

from msgspec import Struct

from codemap_core.hooks.foreign_code import StrayError, foreign_code
from codemap_core.hooks.registry import Owner
from codemap_core.pipeline import deadline

_MESSAGE_LENGTH: Final = 500
_RINGS: Final = 5
"""Alarms, a second apart, after which a call that catches each of them loses its process."""
_GRACE: Final = 10.0
"""Seconds that a call gets which does not even hear the alarm."""


WHOLE_RUN: Final = 300.0
"""Seconds for what is asked once of a whole repository: its projects, its symbol table."""
MEMORY: Final = 2 << 30
"""Bytes that one call in a worker process may take beyond what the process had."""


class ExtractionFailure(Struct, frozen=True, array_like=True):
    """Something of a plug-in failed for one file: a fault to be reported to its authors. ``file_path`` is empty where a whole run is
    concerned."""

    extractor: str
    plugin: str
    """With its version, as ``codemap plugins`` has it."""
    file_path: str
    message: str

    def __str__(self) -> str:
        """Without the file."""
        return f"{self.extractor} ({self.plugin}): {self.message}"

    @property
    def said(self) -> str:
        """With the file, without a full stop."""
        where = f" for {self.file_path}" if self.file_path else ""
        return f"{self.extractor} ({self.plugin}) failed{where}: {self.message}"


class TooLongError(BaseException):
    """A call did not end in time. No ``Exception``, so that plug-ins do not take it for one of their own."""


_OF_ITS_FILE: Final = 2
"""How many times the size of its file a module may take in memory: data that starts as zeros is not in the file."""
PLUGIN_FAULTS: Final = (Exception, SystemExit, TooLongError)
"""What a call into a plug-in may raise without ending the run."""


def failure_of(owner: Owner, name: str, file_path: str, error: BaseException) -> ExtractionFailure:
    """Raises: MemoryError where a built-in plug-in finds none: then the machine lacks it."""
    if isinstance(error, MemoryError) and owner.built_in:
        raise error
    if isinstance(error, ImportError) and owner.built_in and _has_no_room(error):
        raise MemoryError from error
    return failure(owner, name, file_path, _said(error))


def _has_no_room(error: ImportError) -> bool:
    """Whether a compiled module is there and could not be mapped, since no memory of its size is to be had."""
    try:
        size = Path(error.path or "").stat().st_size
    except OSError:
        return False
    try:
        mmap.mmap(-1, _OF_ITS_FILE * max(size, 1)).close()
    except OSError:
        return True
    return False


def failure(owner: Owner, name: str, file_path: str, message: str) -> ExtractionFailure:
    shown = " ".join(message.encode("utf-8", "backslashreplace").decode().split())
    if len(shown) > _MESSAGE_LENGTH:
        shown = f"{shown[: _MESSAGE_LENGTH - 1]}…"
    return ExtractionFailure(name, f"{owner.distribution or owner.name} {owner.version}".rstrip(), file_path, shown)


def _said(error: BaseException) -> str:
    kind = type(error).__name__
    try:
        text = str(error).strip()
    except Exception:
        return kind
    if isinstance(error, RowError | TooLongError | StrayError):
        return text
    if isinstance(error, UnicodeEncodeError):
        return "it gave text that cannot be stored: half of a surrogate pair"
    return f"{kind}: {text}" if text else kind


class RowError(Exception):
    """An extractor gave something that no index can hold; the message says what, as a sentence without a full stop."""


def plugin_call(owner: Owner, seconds: float | None = None) -> AbstractContextManager[None]:
    """One call into a plug-in, results taken, as ``foreign_code`` has it. One that is not built in gets TooLongError after ``seconds``
    (null: ``WHOLE_RUN``), as far as the platform can interrupt it, and in a worker process MemoryError where it takes too much."""
    if owner.built_in and multiprocessing.parent_process() is not None:
        return _UNGUARDED  # whatever a worker prints goes to standard error anyhow
    return _guarded(owner, WHOLE_RUN if seconds is None else seconds)


_UNGUARDED: Final = nullcontext()


@contextmanager
def _guarded(owner: Owner, seconds: float) -> Iterator[None]:
    with foreign_code(owner.built_in, TooLongError), _bounded_memory(not owner.built_in):
        if (
            owner.built_in
            or not hasattr(signal, "SIGALRM")
            or threading.current_thread() is not threading.main_thread()
        ):
            yield
            return
        in_worker = multiprocessing.parent_process() is not None
        rings = 0

        def ring(*_: object) -> None:
            nonlocal rings
            rings += 1
            if rings > _RINGS and in_worker:
                os._exit(1)
            raise TooLongError(f"it did not end within {seconds:g} {'second' if seconds == 1 else 'seconds'}")

        process = os.getpid()
        before = signal.signal(signal.SIGALRM, ring)
        signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
        if in_worker:
            deadline.leave_at_least(seconds + _GRACE)
        try:
            yield
        finally:
            if os.getpid() != process:
                os._exit(0)  # a copy that the plug-in forked, which has no thread that the next call could stop
            signal.setitimer(signal.ITIMER_REAL, 0)
            if in_worker:
                deadline.call_off_if_near()
            signal.signal(signal.SIGALRM, before)


@contextmanager
def _bounded_memory(is_wanted: bool) -> Iterator[None]:
    if not is_wanted or sys.platform != "linux" or multiprocessing.parent_process() is None:
        yield
        return
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_AS)
    bound = _address_space() + MEMORY
    if before != resource.RLIM_INFINITY and before <= bound:
        yield
        return
    resource.setrlimit(resource.RLIMIT_AS, (bound, most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, most))


def _address_space() -> int:
    """Of this process, in bytes. Read without a text file around it, which would take ten times as long."""
    sizes = os.open("/proc/self/statm", os.O_RDONLY)
    try:
        return int(os.read(sizes, 128).split()[0]) * mmap.PAGESIZE
    finally:
        os.close(sizes)
