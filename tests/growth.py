"""How the time of some work grows with its size, as a ratio in one run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def growth(work: Callable[[int], object], size: int, times: int, enough: float) -> float:
    """How many times as long the work takes at so many times its size. ``size``: where it begins to be doubled until the work takes
    ``enough`` seconds of processor time; of three runs the fastest counts. Both sizes take turns, as a machine that is slow for a while is
    so for both. No garbage is looked for, which takes the longer the more other tests have left."""

    def seconds(of_size: int) -> float:
        gc.collect()
        gc.disable()
        try:
            started = time.process_time()
            work(of_size)
            return time.process_time() - started
        finally:
            gc.enable()

    while min(seconds(size) for _ in range(3)) < enough:
        size *= 2
    turns = [(seconds(size), seconds(times * size)) for _ in range(3)]
    return min(many for _, many in turns) / min(once for once, _ in turns)
