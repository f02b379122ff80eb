"""Worker processes: one function over many batches, results in order, a crash confined to the item that caused it.

Workers are forked where the platform can, so that what ``initialise`` names is inherited and never pickled per task; elsewhere each
worker calls ``initialise`` for itself. Workers may be replaced after a number of batches, so that what their caches hold stays bounded
however large the work is. Workers ignore Ctrl-C: the parent stops them. With one job there is one worker where the platform forks, as
that costs little and confines a crash; elsewhere everything runs in this process.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

WINDOW: Final = 4
"""Batches under way for each worker; bounds the memory that waiting input and output take."""

CancelCheck = Callable[[], None]
"""Raises to stop the work."""


def default_jobs() -> int:
    """Processors this process may use, at most 8: beyond that the writing of the index is the limit."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, min(8, len(os.sched_getaffinity(0))))
    return max(1, min(8, os.cpu_count() or 1))


def can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and os.name == "posix" and os.uname().sysname == "Linux"


def _start_worker(initialise: Callable[..., None] | None, arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    gc.disable()
    if initialise is not None:
        initialise(*arguments)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for its next task for ever: its siblings hold the queue open. The sentinel of the
    youngest worker is the parent's alone, so they end one after another."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class Workers(Generic[Item, Result]):
    """``function`` takes a batch and answers with one result for each item. It must not raise for a single bad item; when a worker dies,
    its batches are tried again item by item, and ``failed`` makes the result of an item that kills its worker."""

    def __init__(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result]],
        failed: Callable[[Item], Result],
        jobs: int,
        *,
        initialise: Callable[..., None] | None = None,
        arguments: tuple[Any, ...] = (),
        check: CancelCheck = lambda: None,
        lifetime: int | None = None,
    ) -> None:
        """``lifetime``: batches after which all workers are replaced by new ones; null for never."""
        self._function: Final = function
        self._failed: Final = failed
        self._jobs: Final = jobs
        self._initialise: Final = initialise
        self._arguments: Final = arguments
        self._check: Final = check
        self._lifetime: Final = lifetime

    def run(self, batches: Iterable[Sequence[Item]]) -> Iterator[Sequence[Result]]:
        """The results of each batch, in the order of the batches."""
        executor: ProcessPoolExecutor | None = None
        if self._jobs > 1 or can_fork():
            # No semaphores can be had where there is no shared memory or no disk left: one process must do then.
            with suppress(OSError):
                executor = self._executor(self._jobs)
        if executor is not None:
            yield from self._run_parallel(batches, executor)
            return
        if self._initialise is not None:
            self._initialise(*self._arguments)
        for batch in batches:
            self._check()
            yield self._function(batch)

    def _run_parallel(
        self, batches: Iterable[Sequence[Item]], executor: ProcessPoolExecutor
    ) -> Iterator[Sequence[Result]]:
        waiting: deque[tuple[Sequence[Item], Future[Sequence[Result]]]] = deque()
        try:
            source = iter(batches)
            exhausted = False
            sent = 0
            while True:
                while not exhausted and sent != self._lifetime and len(waiting) < self._jobs * WINDOW:
                    batch = next(source, None)
                    if batch is None:
                        exhausted = True
                        break
                    sent += 1
                    try:
                        waiting.append((batch, executor.submit(self._function, batch)))
                    except BrokenProcessPool:
                        waiting.append((batch, _broken()))
                if not waiting:
                    if exhausted:
                        return
                    self._stop(executor)
                    executor = self._executor(self._jobs)
                    sent = 0
                    continue
                self._check()
                batch, future = waiting.popleft()
                try:
                    results = self._result(future)
                except BrokenProcessPool:
                    self._stop(executor)
                    results = self._one_by_one(batch)
                    executor = self._executor(self._jobs)
                    waiting = deque((b, executor.submit(self._function, b)) for b, _ in waiting)
                yield results
        finally:
            self._stop(executor)

    def _result(self, future: Future[Sequence[Result]]) -> Sequence[Result]:
        while True:
            try:
                return future.result(timeout=0.2)
            except TimeoutError:
                if future.done():
                    raise
                self._check()

    def _one_by_one(self, batch: Sequence[Item]) -> Sequence[Result]:
        """The batch that a worker died with, or before: each item alone, so that only the one at fault is lost."""
        results: list[Result] = []
        executor = self._executor(1)
        try:
            for item in batch:
                try:
                    results.extend(self._result(executor.submit(self._function, [item])))
                except BrokenProcessPool:
                    results.append(self._failed(item))
                    self._stop(executor)
                    executor = self._executor(1)
        finally:
            self._stop(executor)
        return results

    def _executor(self, jobs: int) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("fork" if can_fork() else "spawn")
        return ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_start_worker, initargs=(self._initialise, self._arguments)
        )

    @staticmethod
    def _stop(executor: ProcessPoolExecutor) -> None:
        processes = list((getattr(executor, "_processes", None) or {}).values())
        for process in processes:
            process.terminate()
        # Its thread sees the workers end and closes its pipes; whoever does not wait for it meets them half closed at exit.
        executor.shutdown(wait=True, cancel_futures=True)
        for process in processes:
            process.join(5)


def _broken() -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(BrokenProcessPool("a worker died before this batch was sent"))
    return future
