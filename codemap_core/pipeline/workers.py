"""Worker processes: one function over many batches, results in order, a crash confined to the item that caused it.

Workers are forked where the platform can, so that what ``initialise`` names is inherited and never pickled per task; elsewhere each
worker calls ``initialise`` for itself. No collection of garbage in a worker visits what it has inherited: a visit writes to every object,
and would give it pages of its own (docs/adr/0011). Workers ignore Ctrl-C: the parent stops them, and with them the processes that plug-ins
have started there. With one job there is one worker where the platform forks, as that costs little and confines a crash; elsewhere
everything runs in this process.

Each worker has a pipe of its own, whose other end the parent alone waits at: a worker that vanishes, even while it starts or in the middle
of an answer, is noticed as the end of its pipe. The parent starts no thread, so that it may fork at any time.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

from codemap_core.forking import can_fork, end_group, lead_group
from codemap_core.pipeline import deadline
from codemap_core.pipeline.garbage import ALLOCATIONS_OF_WORKERS
from codemap_core.recursion import allow_deep_recursion, put_back_recursion_depth

Item = TypeVar("Item")
Result = TypeVar("Result")

WINDOW: Final = 16
"""Batches under way for each worker; bounds the memory that waiting input and output take."""
_SENT: Final = 3
"""Batches that a worker has received and not answered, so that it need not wait for the parent between them."""
_POLL: Final = 0.2
"""Seconds between two looks at whether the work was cancelled."""
_NO_MEMORY: Final = 77
"""Exit code of a worker that had no memory to start or to answer."""

CancelCheck = Callable[[], None]
"""Raises to stop the work."""


def default_jobs() -> int:
    """Processors this process may use, at most 8: beyond that the writing of the index is the limit."""
    if hasattr(os, "sched_getaffinity"):
        return max(1, min(8, len(os.sched_getaffinity(0))))
    return max(1, min(8, os.cpu_count() or 1))


def _work(
    connection: Connection,
    function: Callable[[Sequence[Any]], Sequence[Any]],
    initialise: Callable[..., None] | None,
    arguments: tuple[Any, ...],
) -> None:
    """A worker: answers each batch with its results or with what the function raised."""
    if can_fork():
        lead_group()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with suppress(OSError):  # what is printed here must not reach an answer
        os.dup2(2, 1)
    try:
        batches: SimpleQueue[Sequence[Any]] = SimpleQueue()
        try:
            threading.Thread(target=_end_with_parent, daemon=True).start()
            threading.Thread(target=_receive, args=(connection, batches), daemon=True).start()
        except RuntimeError as error:  # "can't start new thread"
            raise MemoryError from error
        gc.freeze()
        gc.set_threshold(ALLOCATIONS_OF_WORKERS)
        allow_deep_recursion()
        if initialise is not None:
            initialise(*arguments)
        while True:
            answer = _answer(function, batches.get())
            deadline.call_off()
            try:
                connection.send(answer)
            except OSError:
                os._exit(1)  # the parent has gone
    except MemoryError:
        os._exit(_NO_MEMORY)


def _answer(
    function: Callable[[Sequence[Any]], Sequence[Any]], batch: Sequence[Any]
) -> tuple[Sequence[Any], Exception | None]:
    try:
        return function(batch), None
    except Exception as error:
        return (), error


def _receive(connection: Connection, batches: SimpleQueue[Sequence[Any]]) -> None:
    """Takes what the parent sends while the worker works, so that neither waits for the other to read."""
    try:
        while True:
            batches.put(connection.recv())
    except MemoryError:
        os._exit(_NO_MEMORY)
    except (EOFError, OSError):
        os._exit(1)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for its next task forever: its siblings hold the queue open. The sentinel of the
    youngest worker is the parent's alone, so they end one after another."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Task(Generic[Item, Result]):
    """A batch, and its results when they have come."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items: Final = items
        self.results: Sequence[Result] | None = None


class _WorkerGoneError(Exception):
    """A worker ended before it answered."""


class _Worker(Generic[Item, Result]):
    """One process, and what it was sent and has not answered, oldest first. Raises: OSError where none can be had."""

    def __init__(self, arguments: tuple[Any, ...]) -> None:
        context: Any = multiprocessing.get_context("fork" if can_fork() else "spawn")
        self.connection: Connection
        self.connection, theirs = context.Pipe()
        self.sent: Final[deque[_Task[Item, Result]]] = deque()
        self._process: Final = context.Process(target=_work, args=(theirs, *arguments), daemon=True)
        try:
            self._process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            theirs.close()

    def send(self, task: _Task[Item, Result]) -> None:
        """A worker that has gone is noticed when it is to answer."""
        self.sent.append(task)
        with suppress(OSError):
            self.connection.send(task.items)

    @property
    def is_alive(self) -> bool:
        return bool(self._process.is_alive())

    def answer(self) -> Sequence[Result]:
        """The results of the oldest task. Raises: _WorkerGoneError, and what the function raised."""
        answered: tuple[Sequence[Result], BaseException | None]
        try:
            if not self.connection.poll(0) and not self.is_alive:
                raise EOFError  # a process that it has forked may hold its end of the pipe open
            answered = self.connection.recv()
        except (EOFError, OSError) as gone:
            self._process.join(5)
            if self._process.exitcode == _NO_MEMORY:
                raise MemoryError from gone
            raise _WorkerGoneError from gone
        results, error = answered
        if error is not None:
            raise error
        return results

    def end(self) -> None:
        """Tells the process to end; ``join`` waits for it."""
        self._process.terminate()
        self.connection.close()

    def join(self) -> None:
        """Ends what it has started, too."""
        number = self._process.pid
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()
        if can_fork() and number is not None:
            end_group(number)


def run_alone(
    function: Callable[[Sequence[Item]], Sequence[Result]],
    item: Item,
    *,
    initialise: Callable[..., None] | None = None,
    arguments: tuple[Any, ...] = (),
    check: CancelCheck = lambda: None,
) -> Result | None:
    """The result of one item in a process of its own; null where the process ended before it answered. Raises: what ``check`` and the
    function raise, and MemoryError."""
    worker: _Worker[Item, Result] = _Worker((function, initialise, arguments))
    try:
        worker.send(_Task([item]))
        while not wait([worker.connection], _POLL) and worker.is_alive:
            check()
        return worker.answer()[0]
    except _WorkerGoneError:
        return None
    finally:
        _end_all([worker])


class Aside(Generic[Result]):
    """Work that is done in a process of its own while this one goes on, where one can be forked. What it does is what it answers or leaves
    on the disk, and may be done twice."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work: Final = work
        self._worker: _Worker[None, tuple[Result] | None] | None = None
        if can_fork():
            with suppress(OSError):
                self._worker = _Worker((lambda _batch: [_done(work)], None, ()))
                self._worker.send(_Task([None]))

    def finish(self) -> Result:
        """Waits for the answer, and does here what was not done there. Whoever asks ends it too. Raises: what the work raises."""
        done: tuple[Result] | None = None
        try:
            if self._worker is not None:
                done = self._worker.answer()[0]
        except (_WorkerGoneError, MemoryError):
            pass
        if self._worker is not None:
            self._worker.end()  # it goes while this process goes on, and ``end`` waits for it
        return self._work() if done is None else done[0]

    def end(self) -> None:
        """Whether it is done or not."""
        worker, self._worker = self._worker, None
        if worker is not None:
            _end_all([worker])


def _done(work: Callable[[], Result]) -> tuple[Result] | None:
    try:
        return (work(),)
    except Exception:  # whoever waits does it again, and hears what is wrong
        return None


class Workers(Generic[Item, Result]):
    """``function`` takes a batch and answers with one result for each item. It must not raise for a single bad item; when a worker dies,
    its batch is tried again item by item, and ``failed`` makes the result of an item that kills its worker. A worker without memory counts
    as dead, but an item that alone finds no memory in a new process raises MemoryError: the machine lacks it, the item is not at fault."""

    def __init__(
        self,
        function: Callable[[Sequence[Item]], Sequence[Result]],
        failed: Callable[[Item], Result],
        jobs: int,
        *,
        initialise: Callable[..., None] | None = None,
        arguments: tuple[Any, ...] = (),
        check: CancelCheck = lambda: None,
        here: bool = False,
    ) -> None:
        """``here``: without workers, where what runs may end this process too."""
        self._here: Final = here
        self._function: Final = function
        self._failed: Final = failed
        self._jobs = jobs
        self._initialise: Final = initialise
        self._arguments: Final = arguments
        self._check: Final = check
        self._workers: list[_Worker[Item, Result]] = []
        self._ahead: deque[_Task[Item, Result]] = deque()
        """Sent ahead of ``run``."""

    def start(self, jobs: int | None = None) -> None:
        """Starts the processes ahead of ``run``, where they can be forked, so that they make ready while the batches are sought. Whoever
        starts them runs or stops them. ``jobs``: how many there are from now on, null for as many as before."""
        self._jobs = jobs or self._jobs
        if not self._here and can_fork():
            self._begin()

    def send_ahead(self, batches: Iterable[Sequence[Item]]) -> None:
        """Sends the first batches of ``run``, the same objects, ahead of it to the processes that were started, as far as these take them
        at once."""
        for batch in batches if self._workers else ():
            task: _Task[Item, Result] = _Task(batch)
            unsent = deque([task])
            self._hand_out(unsent)
            if unsent:
                return
            self._ahead.append(task)

    def run(
        self, batches: Iterable[Sequence[Item]], meanwhile: Callable[[], None] = lambda: None
    ) -> Iterator[Sequence[Result]]:
        """The results of each batch, in the order of the batches. ``meanwhile`` is called once, when other processes are at work and before
        they are waited for; not where there are none. Raises: what ``check``, the function and ``meanwhile`` raise, and MemoryError."""
        if not self._here and (self._jobs > 1 or can_fork()):
            try:
                self._begin()
                if len(self._workers) == self._jobs:
                    yield from self._run_parallel(batches, meanwhile)
                    return
            finally:
                self.stop()
        if self._initialise is not None:
            self._initialise(*self._arguments)
        for batch in batches:
            self._check()
            yield self._done_here(batch)

    def _run_parallel(
        self, batches: Iterable[Sequence[Item]], meanwhile: Callable[[], None]
    ) -> Iterator[Sequence[Result]]:
        source = iter(batches)
        waiting: deque[_Task[Item, Result]] = deque()
        unsent: deque[_Task[Item, Result]] = deque()
        exhausted = has_begun = False
        while True:
            while not exhausted and len(waiting) < self._jobs * WINDOW:
                batch = next(source, None)
                if batch is None:
                    exhausted = True
                    break
                if self._ahead and self._ahead[0].items is batch:
                    waiting.append(self._ahead.popleft())
                    continue
                task: _Task[Item, Result] = _Task(batch)
                waiting.append(task)
                unsent.append(task)
                self._hand_out(unsent)
            if not waiting:
                return
            if not has_begun:
                has_begun = True
                meanwhile()
            self._check()
            while (results := waiting[0].results) is None:
                self._hand_out(unsent)
                self._collect(unsent, _POLL)
                self._check()
            waiting.popleft()
            self._collect(unsent, 0)
            self._hand_out(unsent)
            yield results

    def _done_here(self, items: Sequence[Item]) -> Sequence[Result]:
        """As deep as a worker may go."""
        depth = sys.getrecursionlimit()
        allow_deep_recursion()
        try:
            return self._function(items)
        finally:
            put_back_recursion_depth(depth)

    def _hand_out(self, unsent: deque[_Task[Item, Result]]) -> None:
        """Sends tasks to those that have fewest, as far as they take more."""
        while unsent:
            worker = min(self._workers, key=lambda each: len(each.sent))
            if len(worker.sent) >= _SENT:
                return
            worker.send(unsent.popleft())

    def _collect(self, unsent: deque[_Task[Item, Result]], timeout: float) -> None:
        """Takes what workers have answered. One that is gone is replaced, its first task done item by item, its others sent again."""
        busy = [worker for worker in self._workers if worker.sent]
        answering = wait([worker.connection for worker in busy], timeout)
        for worker in busy:
            if worker.connection not in answering and (answering or not timeout or worker.is_alive):
                continue
            task = worker.sent[0]
            try:
                task.results = worker.answer()
                worker.sent.popleft()
            except (_WorkerGoneError, MemoryError):
                unsent.extendleft(reversed(list(worker.sent)[1:]))
                self._replace(worker)
                task.results = self._one_by_one(task.items)

    def _one_by_one(self, items: Sequence[Item]) -> Sequence[Result]:
        """The batch that a worker died with, or before: each item alone, so that only the one at fault is lost."""
        results: list[Result] = []
        worker = self._new_worker()
        try:
            for item in items:
                worker.send(_Task([item]))
                while not wait([worker.connection], _POLL) and worker.is_alive:
                    self._check()
                try:
                    results.extend(worker.answer())
                except _WorkerGoneError:
                    results.append(self._failed(item))
                    _end_all([worker])
                    worker = self._new_worker()
        finally:
            _end_all([worker])
        return results

    def _replace(self, worker: _Worker[Item, Result]) -> None:
        self._workers.remove(worker)
        _end_all([worker])
        self._start(1)

    def _begin(self) -> None:
        with suppress(OSError):  # no process can be had: this one must do
            self._start(self._jobs - len(self._workers))

    def _start(self, count: int) -> None:
        for _ in range(count):
            self._workers.append(self._new_worker())

    def _new_worker(self) -> _Worker[Item, Result]:
        return _Worker((self._function, self._initialise, self._arguments))

    def stop(self) -> None:
        """Ends the processes, if there are any."""
        workers, self._workers = self._workers, []
        self._ahead.clear()
        _end_all(workers)


def _end_all(workers: Sequence[_Worker[Any, Any]]) -> None:
    for worker in workers:
        worker.end()
    for worker in workers:
        worker.join()
