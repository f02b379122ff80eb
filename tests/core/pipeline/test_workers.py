"""Worker processes: order of results, replacement of workers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise

from codemap_core.pipeline.workers import Workers


def squares_with_process(batch: Sequence[int]) -> list[tuple[int, int]]:
    return [(number * number, os.getpid()) for number in batch]


def lost(number: int) -> tuple[int, int]:
    return -number, 0


def test_results_come_in_order_from_workers_that_are_replaced() -> None:
    workers = Workers(squares_with_process, lost, 2, lifetime=3)
    batches = [[number, number + 1] for number in range(0, 20, 2)]
    found = [result for results in workers.run(iter(batches)) for result in results]
    assert [square for square, _ in found] == [number * number for number in range(20)]
    generations = [{process for _, process in found[start : start + 6]} for start in range(0, 20, 6)]
    assert all(not a & b for a, b in pairwise(generations))
