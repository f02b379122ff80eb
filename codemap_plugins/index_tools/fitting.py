"""Answers that fit their budget: lists are cut between items, never inside one, and the cut is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from codemap_core.hooks.tool import LimitApplied

ItemT = TypeVar("ItemT")


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
