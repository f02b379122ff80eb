"""Answers that keep their budgets: limits brought under the caps, lists cut between items, never inside one; every cut is
recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

import msgspec
from msgspec import Struct, field

from codemap_core.hooks.tool import LimitApplied

ItemT = TypeVar("ItemT")

EVIDENCE_SHOWN: Final = 3
"""Pointers that an answer over many places gives."""


def fitting(items: Sequence[ItemT], max_chars: int, limits_applied: dict[str, LimitApplied]) -> Sequence[ItemT]:
    """As many of ``items`` as fit into ``max_chars`` characters of JSON, at least one. A cut is recorded as
    ``max_chars``, with the size that all would have had as what was asked for."""
    sizes = [len(msgspec.json.encode(item)) + 1 for item in items]
    total = sum(sizes)
    if total <= max_chars:
        return items
    used = 0
    for count, size in enumerate(sizes):
        used += size
        if used > max_chars:
            limits_applied["max_chars"] = LimitApplied(total, max_chars)
            return items[: max(1, count)]
    return items


class Budget(Struct):
    """Limits of one call: what was asked for, brought under the caps, and what that cut."""

    limits_applied: dict[str, LimitApplied] = field(default_factory=dict)

    def clamped(self, name: str, requested: int, default: int, cap: int) -> int:
        """``requested`` brought under ``cap``; 0 means not given. Recorded when it had to be cut."""
        if requested > cap:
            self.limits_applied[name] = LimitApplied(requested, cap)
            return cap
        return requested or min(default, cap)
