"""How often a run looks for garbage. What the pipeline makes is nearly all kept until the run ends, or goes by itself with the last
reference to it, so that the interpreter's usual rhythm looks through everything again and again and finds nothing."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

ALLOCATIONS: Final = 200_000
"""Objects made between two collections of garbage: many enough that hardly any collection visits all that lives, few enough that cycles,
as exceptions leave them, do not add up."""
ALLOCATIONS_OF_WORKERS: Final = 2_000_000
"""The same in a worker: decoding bodies makes hundreds of thousands of objects, all of which go with their last reference."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Within it garbage is looked for after ``ALLOCATIONS`` objects; whoever asks for more seldom still is left alone."""
    before = gc.get_threshold()
    if 0 < before[0] < ALLOCATIONS:
        gc.set_threshold(ALLOCATIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
