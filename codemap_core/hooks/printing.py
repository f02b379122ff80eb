"""What plug-ins print: never on standard output, which carries answers."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def printing_elsewhere() -> Iterator[None]:
    """What is printed goes to standard error, from code below Python too. Not for several threads at once."""
    with redirect_stdout(sys.stderr):
        kept = None if multiprocessing.parent_process() is not None else _turn_aside()
        try:
            yield
        finally:
            if kept is not None:
                os.dup2(kept, 1)
                os.close(kept)


def _turn_aside() -> int | None:
    """Makes descriptor 1 standard error; answers with a duplicate of what it was. Worker processes have done so for good."""
    try:
        kept = os.dup(1)
    except OSError:
        return None
    try:
        os.dup2(2, 1)
    except OSError:
        os.close(kept)
        return None
    return kept
