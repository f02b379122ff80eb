"""What is said of an endpoint or a group besides its call, as texts that a value may carry through the program."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum


class Mark(StrEnum):
    """The first character of what a call adds to a group says what it is."""

    PREFIX = "/"
    GUARD = "!"
    VERSION = "@"
    OWN = "~"
    """A call of a method of the repository's own that puts conventions on it."""


def marked(mark: Mark, texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{mark}{text}" for text in texts)


def texts_of(mark: Mark, added: Iterable[str]) -> list[str]:
    """What is marked so, without its mark."""
    return [each[1:] for each in added if each[:1] == mark]
