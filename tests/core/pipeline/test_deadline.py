"""A worker that a call keeps from hearing an alarm ends; one whose calls come back is left alone, at the cost of few threads."""

from __future__ import annotations

import faulthandler
import itertools
import time
from collections.abc import Sequence

import pytest

from codemap_core.forking import can_fork
from codemap_core.hooks.registry import Owner
from codemap_core.pipeline import deadline, guard
from codemap_core.pipeline.workers import run_alone

FOREIGN = Owner("foreign", "foreign", "1.0", built_in=False)


@pytest.mark.skipif(not can_fork(), reason="the bounds of a test are handed to a worker by forking it")
def test_a_call_that_hears_nothing_loses_its_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_GRACE", 0.2)

    def deaf(_: Sequence[None]) -> Sequence[int]:
        with guard.plugin_call(FOREIGN, 0.1):
            return [sum(itertools.repeat(0))]  # a loop below Python, which no signal handler interrupts

    assert run_alone(deaf, None) is None


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """What the interpreter is asked for: the seconds of each thread that it starts, null where it stops one."""
    asked: list[float | None] = []
    monkeypatch.setattr(faulthandler, "dump_traceback_later", lambda seconds, **_: asked.append(seconds))
    monkeypatch.setattr(faulthandler, "cancel_dump_traceback_later", lambda: asked.append(None))
    monkeypatch.setattr(deadline, "_at", 0.0)
    monkeypatch.setattr(deadline, "_needed", 0.0)
    return asked


def test_calls_share_a_thread_while_each_has_its_time(
    threads: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(now: float) -> None:
        monkeypatch.setattr(time, "monotonic", lambda: now)

    for start in (100.0, 101.0, 129.0):
        at(start)
        deadline.leave_at_least(30)
        deadline.call_off_if_near()
    assert threads == [60]
    at(131.0)
    deadline.leave_at_least(30)
    assert threads == [60, 60], "less than 30 s were left"
    at(170.0)
    deadline.call_off_if_near()
    assert threads == [60, 60, None], "the call took so long that what is built in would have too little"
    deadline.call_off()
    assert threads == [60, 60, None]


def test_a_call_of_another_length_has_a_thread_of_its_own(
    threads: list[float | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 100.0)
    for seconds in (30, 300, 30):
        deadline.leave_at_least(seconds)
    assert threads == [60, 330, 60]
