"""Flags that are read from what was encoded.

A combination of flags is not a member, so that whoever decodes one asks ``_missing_`` each time, which puts its name together again.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Any, Final

_made: Final[dict[tuple[type[IntFlag], object], Any]] = {}


class DecodedFlag(IntFlag):
    """Of which each combination is made once."""

    @classmethod
    def _missing_(cls, value: object) -> Any:
        key = cls, value
        found = _made.get(key)
        if found is None:
            found = _made[key] = super()._missing_(value)
        return found
