"""What plug-ins print: never on standard output, which carries answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout


@contextmanager
def printing_elsewhere() -> Iterator[None]:
    """What is printed goes to standard error."""
    with redirect_stdout(sys.stderr):
        yield
