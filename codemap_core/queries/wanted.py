"""What a tool can answer about. Light, so that tools may name it before anything is asked."""

from __future__ import annotations

from enum import Enum, auto


class Wanted(Enum):
    """What a tool can answer about. Of several symbols of a name it is asked about those."""

    ANY = auto()
    """Types, members and sets of overloads."""
    TYPE = auto()
    MEMBER = auto()
    """Members and sets of overloads."""
    ONE = auto()
    """A single symbol: of several overloads one has to be named."""
