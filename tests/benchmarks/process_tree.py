"""A command with what it and all its descendants used: wall time, processor time, peak of memory. Linux only.

Memory is the sum of proportional set sizes (``Pss`` of ``/proc/PID/smaps_rollup``), in which pages shared by forked processes count once,
sampled every ``INTERVAL`` seconds: reading it walks page tables, so that sampling more often would itself be measured.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Final

from msgspec import Struct

INTERVAL: Final = 0.5
_POLL: Final = 0.02
_PROC: Final = Path("/proc")


class Usage(Struct, frozen=True):
    """Seconds and bytes. ``output``: what the command wrote to stdout."""

    wall: float
    processor: float
    peak_memory: int
    output: bytes


def run_measured(command: Sequence[str], environment: Mapping[str, str]) -> Usage:
    """Raises: CalledProcessError when the command fails."""
    before = getrusage(RUSAGE_CHILDREN)
    started = time.monotonic()
    peak = 0
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, env=dict(environment), stdout=out, stdin=subprocess.DEVNULL)
        sampled = 0.0
        while process.poll() is None:
            if time.monotonic() - sampled >= INTERVAL:
                peak = max(peak, sum(map(memory_of, descendants(process.pid))))
                sampled = time.monotonic()
            time.sleep(_POLL)
        wall = time.monotonic() - started
        if process.returncode:
            raise subprocess.CalledProcessError(process.returncode, command)
        out.seek(0)
        output = out.read()
    after = getrusage(RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Usage(wall, processor, peak, output)


def memory_of(pid: int) -> int:
    """Proportional set size in bytes; 0 for a process that is gone."""
    try:
        for line in (_PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0


def processor_milliseconds(pid: int) -> float:
    """What the threads that a process has now have used."""
    total = 0
    for task in (_PROC / str(pid) / "task").glob("*/schedstat"):
        try:
            total += int(task.read_text().split()[0])
        except OSError:  # the thread has ended
            continue
    return total / 1e6


def descendants(root: int) -> list[int]:
    """Process ids, ``root`` first."""
    children: dict[int, list[int]] = {}
    for folder in _PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(folder.name))
    found: list[int] = []
    pending = [root]
    while pending:
        pid = pending.pop()
        found.append(pid)
        pending.extend(children.get(pid, ()))
    return found
