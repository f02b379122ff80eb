"""Calls into code that is not CodeMap's own: what it prints, raises and changes of the process stays with it.

Nothing reaches standard output, which carries answers. Of code that is not built in, whatever it raises comes as an ``Exception`` or
``SystemExit``, and what later calls depend on is put back: the recursion limit, signal handlers, the names of Python itself, garbage
collection and the standard streams; in a process other than a worker the working directory, the environment and the locale too, which no
worker reads. What it changes in other modules is not.
"""

from __future__ import annotations

import builtins
import gc
import locale
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout, suppress
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

from codemap_core.recursion import put_back_recursion_depth

_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, *([signal.SIGCHLD] if hasattr(signal, "SIGCHLD") else ()))


class StrayError(Exception):
    """Foreign code raised what neither ends a program nor is an error: ``KeyboardInterrupt`` without a Ctrl-C, ``GeneratorExit``, a
    ``BaseException`` of its own. The message names it."""


@contextmanager
def foreign_code(trusted: bool, *ends: type[BaseException]) -> Iterator[None]:
    """``trusted``: the code is built in; then only what it prints is turned aside. ``ends``: what may be raised beside exceptions. Not for
    several threads at once. Raises: what the code raises, StrayError for anything else."""
    with _printing_elsewhere():
        if trusted:
            yield
            return
        process = _Process()
        expected: tuple[type[BaseException], ...] = (Exception, SystemExit, *ends)
        try:
            yield
        except expected:
            raise
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and process.was_interrupted:
                raise
            said = f"{type(error).__name__}: {error}".removesuffix(": ")
            raise StrayError(said) from error
        finally:
            process.put_back()


class _Process:
    """What of this process code can change for the code after it, as it is now."""

    def __init__(self) -> None:
        self.was_interrupted = False
        self._number: Final = os.getpid()
        self._recursion: Final = sys.getrecursionlimit()
        is_worker = multiprocessing.parent_process() is not None
        self._surroundings: Final = None if is_worker else _Surroundings()
        self._builtins: Final = vars(builtins).copy()
        self._collecting: Final = (gc.isenabled(), gc.get_threshold())
        self._streams: Final = (sys.stdin, sys.stdout, sys.stderr)
        self._tracing: Final = (sys.gettrace(), sys.getprofile())
        self._handlers: Mapping[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            self._handlers = _handlers_of_worker(self._number) if is_worker else _handlers()
            if callable(self._handlers[signal.SIGINT]):
                signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.was_interrupted = True
        self._handlers[signal.SIGINT](number, frame)

    def put_back(self) -> None:
        """A copy of this process that foreign code has forked ends here: nobody waits for a second answer."""
        if vars(builtins) != self._builtins:
            vars(builtins).update(self._builtins)  # first: other threads go on meanwhile
            for name in vars(builtins).keys() - self._builtins.keys():
                del vars(builtins)[name]
        if os.getpid() != self._number:
            os._exit(0)
        put_back_recursion_depth(self._recursion)
        if self._surroundings is not None:
            self._surroundings.put_back()
        is_collecting, threshold = self._collecting
        if gc.isenabled() != is_collecting:
            (gc.enable if is_collecting else gc.disable)()
        if gc.get_threshold() != threshold:
            gc.set_threshold(*threshold)
        sys.stdin, sys.stdout, sys.stderr = self._streams
        if (sys.gettrace(), sys.getprofile()) != self._tracing:
            sys.settrace(self._tracing[0])
            sys.setprofile(self._tracing[1])
        for number, handler in self._handlers.items():
            if handler is not None and signal.getsignal(number) != handler:
                signal.signal(number, handler)


def _handlers() -> Mapping[int, Any]:
    return {number: signal.getsignal(number) for number in _SIGNALS}


@lru_cache(maxsize=1)
def _handlers_of_worker(process: int) -> Mapping[int, Any]:
    """Looked at once, as that takes longer than many a call: only foreign code changes them, and they are put back behind it."""
    return _handlers()


class _Surroundings:
    """What a process has of the system around it."""

    def __init__(self) -> None:
        self._folder: Final = _working_directory()
        self._environment: Final = os.environ.copy()
        self._locale: Final = locale.setlocale(locale.LC_ALL)

    def put_back(self) -> None:
        if os.environ != self._environment:
            os.environ.clear()
            os.environ.update(self._environment)
        if self._folder and _working_directory() != self._folder:
            with suppress(OSError):
                os.chdir(self._folder)
        if locale.setlocale(locale.LC_ALL) != self._locale:
            with suppress(locale.Error):
                locale.setlocale(locale.LC_ALL, self._locale)


def _working_directory() -> str:
    """Empty where it has been removed."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


@contextmanager
def _printing_elsewhere() -> Iterator[None]:
    """What is printed goes to standard error, from code below Python too."""
    with redirect_stdout(sys.stderr):
        kept = None if multiprocessing.parent_process() is not None else _turn_aside()
        try:
            yield
        finally:
            if kept is not None:
                os.dup2(kept, 1)
                os.close(kept)


def _turn_aside() -> int | None:
    """Makes descriptor 1 standard error; answers with a duplicate of what it was. Worker processes have done so for good."""
    try:
        kept = os.dup(1)
    except OSError:
        return None
    try:
        os.dup2(2, 1)
    except OSError:
        os.close(kept)
        return None
    return kept
