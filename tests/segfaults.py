"""Processes that are meant to end by a signal, and are not to fill the output of the tests with the dumps that pytest asks for."""

from __future__ import annotations

import faulthandler
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_STANDARD_ERROR: Final = 2


@contextmanager
def without_dumps() -> Iterator[None]:
    """Holds for processes that are forked meanwhile."""
    was_enabled = faulthandler.is_enabled()
    faulthandler.disable()
    try:
        yield
    finally:
        if was_enabled:
            faulthandler.enable(_STANDARD_ERROR)
