"""Worker processes: order of results, replacement of workers, and workers that vanish or have no memory."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from codemap_core.forking import can_fork
from codemap_core.hooks.registry import Owner
from codemap_core.pipeline.guard import failure_of
from codemap_core.pipeline.workers import Aside, Workers

needs_fork = pytest.mark.skipif(not can_fork(), reason="with one job, and functions that cannot be pickled")


def squares_with_process(batch: Sequence[int]) -> list[tuple[int, int]]:
    return [(number * number, os.getpid()) for number in batch]


class Circle:
    """Refers to itself, so that only a collection of garbage frees it."""

    alive = 0

    def __init__(self) -> None:
        self.itself = self
        Circle.alive += 1

    def __del__(self) -> None:
        Circle.alive -= 1


def circles_alive(batch: Sequence[int]) -> list[int]:
    for _ in range(5_000):
        Circle()
    return [Circle.alive for _ in batch]


def lost(number: int) -> tuple[int, int]:
    return -number, 0


def test_results_come_in_order_from_several_workers() -> None:
    workers = Workers(squares_with_process, lost, 2)
    batches = [[number, number + 1] for number in range(0, 20, 2)]
    found = [result for results in workers.run(iter(batches)) for result in results]
    assert [square for square, _ in found] == [number * number for number in range(20)]
    assert os.getpid() not in {process for _, process in found} or not can_fork()


@needs_fork
def test_what_a_worker_leaves_in_circles_is_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codemap_core.pipeline.workers.ALLOCATIONS_OF_WORKERS", 100_000)
    workers = Workers(circles_alive, lambda number: -1, 1)
    alive = [count for results in workers.run([number] for number in range(50)) for count in results]
    assert max(alive) < 50 * 5_000


@needs_fork
def test_workers_started_ahead_make_ready_and_are_those_that_run() -> None:
    ready: list[int] = []

    def with_what_is_ready(batch: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
        return [(os.getpid(), tuple(ready)) for _ in batch]

    def failed(_number: int) -> tuple[int, tuple[int, ...]]:
        return 0, ()

    workers = Workers(with_what_is_ready, failed, 2, initialise=ready.append, arguments=(7,))
    workers.start()
    children = {child.pid for child in multiprocessing.active_children()}
    found = [result for results in workers.run([number] for number in range(8)) for result in results]
    assert {process for process, _ in found} <= children
    assert {made_ready for _, made_ready in found} == {(7,)}


@needs_fork
def test_workers_started_ahead_that_are_not_wanted_end() -> None:
    workers = Workers(squares_with_process, lost, 2)
    before = set(multiprocessing.active_children())
    workers.start()
    assert len(set(multiprocessing.active_children()) - before) == 2
    workers.stop()
    assert set(multiprocessing.active_children()) == before


@needs_fork
@pytest.mark.parametrize("run", [True, False])
def test_batches_that_are_sent_ahead_are_done_once_or_in_vain(tmp_path: Path, run: bool) -> None:
    done = tmp_path / "done"

    def noted(batch: Sequence[int]) -> list[int]:
        with done.open("a") as file:
            file.write("".join(f"{number}\n" for number in batch))
        return [number * number for number in batch]

    workers = Workers[int, int](noted, lambda number: -1, 1)
    batches = [[number, number + 1] for number in range(0, 20, 2)]
    workers.start()
    workers.send_ahead(batches[:1])
    if not run:
        workers.stop()
        batches = [[number, number + 1] for number in range(0, 20, 2)]
    found = [result for results in workers.run(batches) for result in results]
    assert found == [number * number for number in range(20)]
    if run:
        assert done.read_text().split() == [str(number) for number in range(20)]


def test_large_batches_and_results_pass_in_both_directions_at_once() -> None:
    def doubled(batch: Sequence[bytes]) -> list[bytes]:
        return [each + each for each in batch]

    workers = Workers(doubled, lambda item: b"", 2)
    batches = [[bytes([number]) * (1 << 20)] for number in range(20)]
    assert [result for (result,) in workers.run(iter(batches))] == [each + each for (each,) in batches]


class Once:
    """Does something in the first worker process that comes to ``number``; all others square."""

    def __init__(self, mark: Path, number: int, harm: Callable[[], object]) -> None:
        self._mark = mark
        self._number = number
        self._harm = harm

    def __call__(self, batch: Sequence[int]) -> list[int]:
        if self._number in batch:
            try:
                self._mark.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                self._harm()
        return [number * number for number in batch]


def out_of_memory() -> None:
    raise MemoryError


def vanish() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def vanish_in_the_middle_of_an_answer() -> None:
    """Sends the length of an answer and a part of it, as a worker does that is killed while it writes."""
    for descriptor in list(Path("/proc/self/fd").iterdir()):
        try:
            if str(descriptor.readlink()).startswith("socket:"):
                os.write(int(descriptor.name), (1 << 20).to_bytes(4, "big") + b"half an answer")
        except OSError:
            pass
    vanish()


@needs_fork
@pytest.mark.parametrize(
    ("harm", "jobs"),
    [
        *((harm, jobs) for harm in (out_of_memory, vanish) for jobs in (1, 2)),
        (vanish_in_the_middle_of_an_answer, 1),  # a second worker would have copies of the first one's pipe
    ],
)
def test_what_a_worker_lost_is_done_again(tmp_path: Path, harm: Callable[[], object], jobs: int) -> None:
    workers = Workers(Once(tmp_path / "mark", 13, harm), lambda number: -number, jobs)
    batches = [[number, number + 1] for number in range(0, 40, 2)]
    found = [result for results in workers.run(iter(batches)) for result in results]
    assert found == [number * number for number in range(40)]


@needs_fork
def test_workers_that_are_killed_while_they_start_are_replaced(tmp_path: Path) -> None:
    starts = tmp_path / "starts"

    def start() -> None:
        with starts.open("a") as file:
            file.write("x")
        if len(starts.read_text()) in (1, 2):
            vanish()

    workers = Workers[int, int](lambda batch: [number + 1 for number in batch], lambda number: -1, 2, initialise=start)
    assert [result for results in workers.run([[n] for n in range(10)]) for result in results] == list(range(1, 11))


@needs_fork
def test_an_item_that_finds_no_memory_alone_is_the_machines_lack() -> None:
    def work(batch: Sequence[int]) -> list[int]:
        if 5 in batch:
            raise MemoryError
        return list(batch)

    workers = Workers(work, lambda number: -1, 2)
    with pytest.raises(MemoryError):
        list(workers.run([[n] for n in range(10)]))


@needs_fork
@pytest.mark.skipif(sys.platform == "win32", reason="address space")
def test_short_memory_is_an_error_or_no_trouble() -> None:
    """Whatever a worker lacks memory for, its thread or its answer: never a wait without end, never a lost item."""
    import resource

    def used() -> int:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()

    def work(batch: Sequence[int]) -> list[bytes]:
        resource.setrlimit(resource.RLIMIT_AS, (used() + (batch[0] << 20), resource.RLIM_INFINITY))
        return [bytes(number << 20) for number in batch]

    def sizes(batches: Sequence[Sequence[int]]) -> list[int]:
        return [len(each) >> 20 for (each,) in Workers(work, lambda number: b"", 2).run(batches)]

    for size in range(1, 41, 7):
        with suppress(MemoryError):  # what this process has freed, and its workers inherit, may be enough
            assert sizes([[size], [1], [2], [size]]) == [size, 1, 2, size]
    more_than_freed = (used() >> 20) + 1024
    with pytest.raises(MemoryError):
        sizes([[more_than_freed]])


def test_work_aside_is_done_when_it_is_waited_for(tmp_path: Path) -> None:
    done = tmp_path / "done"

    def work() -> int:
        done.write_text(str(os.getpid()))
        return os.getpid()

    worker = Aside(work).finish()
    assert int(done.read_text()) == worker
    assert (worker != os.getpid()) is can_fork()


@needs_fork
def test_work_aside_that_ends_its_process_is_done_again_here(tmp_path: Path) -> None:
    done, here = tmp_path / "done", os.getpid()

    def work() -> None:
        if os.getpid() != here:
            vanish()
        done.touch()

    Aside(work).finish()
    assert done.exists()


def test_what_is_wrong_with_work_aside_is_heard_where_it_is_waited_for(tmp_path: Path) -> None:
    aside = Aside(lambda: (tmp_path / "nowhere" / "file").touch())
    with pytest.raises(FileNotFoundError):
        aside.finish()


@needs_fork
def test_a_module_that_finds_no_room_is_no_fault_of_its_plugin(tmp_path: Path) -> None:
    import resource

    module = tmp_path / "grammar.so"
    module.touch()
    os.truncate(module, 64 << 20)

    def said(batch: Sequence[tuple[bool, int]]) -> list[str]:
        built_in, room = batch[0]
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (room << 20), resource.RLIM_INFINITY))
        error = ImportError("cannot be mapped", path=str(module))
        return [failure_of(Owner("csharp", "codemap", "1", built_in=built_in), "csharp", "A.cs", error).message]

    for of in ((True, 4096), (False, 32)):
        assert list(Workers(said, lambda number: b"", 1).run([[of]])) == [["ImportError: cannot be mapped"]]
    with pytest.raises(MemoryError):
        list(Workers(said, lambda number: b"", 2).run([[(True, 32)], [(True, 32)]]))
