"""How deep calls may go in a process that reads source."""

from __future__ import annotations

import sys
from typing import Final

_DEPTH: Final = 20_000
"""Source is read to a bounded depth of nesting, but each level takes a score of calls."""


def allow_deep_recursion() -> None:
    """Belongs at the entry point of a process: the limit holds for all of it."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEPTH))


def put_back_recursion_depth(depth: int) -> None:
    """To what it was before somebody else's code changed it."""
    if sys.getrecursionlimit() != depth:
        sys.setrecursionlimit(depth)
