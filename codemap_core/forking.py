"""Whether this process may be copied, and what some code would do to it, found out in a copy.

A copy of a process with several threads has one of them: a lock that another held is never released there. So a copy that does not end
says nothing about the code unless this process has one thread.
"""

from __future__ import annotations

import multiprocessing
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

_DONE: Final = b"."
_POLL: Final = 0.05
_LENGTH: Final = 8
"""Bytes that say how long an answer is."""


def can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and os.name == "posix" and os.uname().sysname == "Linux"


def lead_group() -> None:
    """Makes this process the leader of a group, so that whatever foreign code starts from here on can be ended with it."""
    with suppress(OSError):
        os.setpgid(0, 0)


def end_group(leader: int) -> None:
    """Ends what is left of the group of a process that has ended. A process that left the group goes on."""
    with suppress(OSError):
        os.killpg(leader, signal.SIGKILL)


def endings_of(works: Sequence[Callable[[], object]], seconds: float) -> dict[int, str]:
    """Those of the works, by number, after which nothing else of a process would be done: sentences that say how, without a subject. Each
    is done in a copy of this process, which those before it have been done in too. ``seconds``: how long one may take. What works raise,
    print and change is not seen here. Nothing is found where no process can be forked."""
    found: dict[int, str] = {}
    at = 0
    while at < len(works) and can_fork():
        try:
            ended_at, ending = _copied(works[at:], seconds)
        except OSError:  # no process can be had
            break
        at += ended_at + 1
        if ending:
            found[at - 1] = ending
    return found


def _copied(works: Sequence[Callable[[], object]], seconds: float) -> tuple[int, str]:
    """The number of the work that a copy ended with, and how; the number of works and nothing where it did them all."""
    reading, writing = os.pipe()
    number = os.fork()
    if number == 0:
        _do(works, reading, writing, seconds)
    os.close(writing)
    try:
        return _watched(number, reading, len(works), seconds)
    finally:
        os.close(reading)
        with suppress(ChildProcessError):
            os.waitpid(number, 0)
        end_group(number)


def _watched(number: int, reading: int, count: int, seconds: float) -> tuple[int, str]:
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    done = 0
    until = time.monotonic() + seconds
    while True:
        if poll.poll(1000 * _POLL):
            said = os.read(reading, 1 << 10)
            done += len(said)
            until = time.monotonic() + seconds
            if done >= count:
                return count, ""
            if said:
                continue
        ended, status = os.waitpid(number, os.WNOHANG)
        if ended:
            done += len(os.read(reading, 1 << 10)) if poll.poll(0) else 0
            return (count, "") if done >= count else (done, how_it_ended(status))
        if time.monotonic() > until:
            os.kill(number, signal.SIGKILL)
            if threading.active_count() > 1:
                return done, ""
            return done, f"did not end within {seconds:g} {'second' if seconds == 1 else 'seconds'}"


def _do(works: Sequence[Callable[[], object]], reading: int, writing: int, seconds: float) -> NoReturn:
    """In the copy."""
    try:
        lead_group()
        os.close(reading)
        nothing = os.open(Path(os.devnull), os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(nothing, mode, closefd=False) for mode in ("r", "w", "w"))
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        process = os.getpid()
        for work in works:
            signal.alarm(int(seconds) + 2)  # whoever waits may have gone
            with suppress(BaseException):
                work()
            if os.getpid() != process:  # a copy of the copy
                break
            os.write(writing, _DONE)
    finally:
        os._exit(0)


def answered_by_copy(work: Callable[[], bytes]) -> tuple[bytes, str]:
    """What ``work`` answers in a copy of this process, whatever it prints on standard error; or nothing, and how the copy ended. Raises:
    OSError where there is none."""
    reading, writing = os.pipe()
    number = os.fork()
    if number == 0:
        try:
            os.close(reading)
            os.dup2(2, 1)
            answer = work()
            answer = len(answer).to_bytes(_LENGTH) + answer
            while answer:
                answer = answer[os.write(writing, answer) :]
        finally:
            os._exit(0)
    os.close(writing)
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    said = bytearray()
    ended, status = 0, 0
    try:
        while len(said) < _LENGTH or len(said) < _LENGTH + int.from_bytes(said[:_LENGTH]):
            if poll.poll(0 if ended else 1000 * _POLL):
                data = os.read(reading, 1 << 16)
                said += data
                if data:
                    continue
            if ended:
                return b"", how_it_ended(status)
            ended, status = os.waitpid(number, os.WNOHANG)
        return bytes(said[_LENGTH:]), ""
    finally:
        os.close(reading)
        if not ended:
            os.waitpid(number, 0)


def how_it_ended(status: int) -> str:
    """What ``os.waitpid`` says, as a sentence without a subject."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"ended its process with exit code {code}"
    try:
        return f"ended its process by {signal.Signals(-code).name}"
    except ValueError:
        return f"ended its process by signal {-code}"
