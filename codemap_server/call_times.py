"""What one call has spent its time on beside its tool, for ``meta.timing``. No second is in two of these times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class CallTimes:
    """In seconds."""

    def __init__(self) -> None:
        self.lookup = 0.0
        """Finding and opening what the call asks."""
        self.built: float | None = None
        """Building an index, or waiting for one that is built for this question; null when there was one."""
        self.refreshed = 0.0
        """Waiting for edits to be taken up."""

    @contextmanager
    def looking_up(self) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.lookup += time.perf_counter() - start

    @contextmanager
    def building(self) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.built = time.perf_counter() - start

    @contextmanager
    def taking_up(self, in_lookup: bool = False) -> Iterator[None]:
        """``in_lookup``: inside ``looking_up``, which does not count this time."""
        start = time.perf_counter()
        try:
            yield
        finally:
            taken = time.perf_counter() - start
            self.refreshed += taken
            self.lookup -= taken if in_lookup else 0.0

    def was_taken_up(self, seconds: float) -> None:
        """Time inside ``looking_up`` that went into taking up edits."""
        self.refreshed += seconds
        self.lookup -= seconds
