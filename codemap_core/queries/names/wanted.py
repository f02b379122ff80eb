"""The symbols that a tool can answer about. This module is light, so that tools may name it before anything is asked."""

from __future__ import annotations

from enum import Enum, auto


class Wanted(Enum):
    """The symbols that a tool can answer about. If a name means several symbols, only those count."""

    ANY = auto()
    """Types, members and sets of overloads."""
    TYPE = auto()
    ATTRIBUTE = auto()
    """Types, those with the suffix ``Attribute`` before others: what a name in brackets means."""
    MEMBER = auto()
    """Members and sets of overloads."""
    ONE = auto()
    """A single symbol: of several overloads one has to be named."""
