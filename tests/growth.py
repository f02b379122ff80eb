"""How the time of some work grows with its size, as a ratio in one run."""

from __future__ import annotations

import time
from collections.abc import Callable


def growth(work: Callable[[int], object], size: int, times: int, enough: float) -> float:
    """How many times as long the work takes at so many times its size. ``size``: where it begins to be doubled until the work takes
    ``enough`` seconds of processor time; of three runs the fastest counts."""

    def seconds(of_size: int) -> float:
        best = 60.0
        for _ in range(3):
            started = time.process_time()
            work(of_size)
            best = min(best, time.process_time() - started)
        return best

    while (once := seconds(size)) < enough:
        size *= 2
    return seconds(times * size) / once
