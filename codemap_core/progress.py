"""How long work and its caller talk: it says how far it is, and asks whether to go on. For callers that do neither there are functions that
do nothing."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Stage(StrEnum):
    """What the making of an index is at."""

    DISCOVER = "discover"
    ANALYSE = "analyse"
    DECLARE = "declare"
    BIND = "bind"
    PUBLISH = "publish"
    PULL = "pull"
    PUSH = "push"


ProgressCallback = Callable[[str, int, int], None]
"""Called with a ``Stage``, or with what is waited for in words, and the units done and in all."""


def unreported(_stage: str, _done: int, _total: int) -> None:
    """A ``ProgressCallback``."""


def never_cancelled() -> bool:
    return False


def unchecked() -> None:
    """A check that never stops the work."""
