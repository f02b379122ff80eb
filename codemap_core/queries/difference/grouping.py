"""Rows by what pairs them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Row = TypeVar("Row")


def grouped(rows: Iterable[Row], key: Callable[[Row], Hashable]) -> dict[Hashable, list[Row]]:
    """By key, without those whose key is null."""
    groups: dict[Hashable, list[Row]] = defaultdict(list)
    for row in rows:
        each = key(row)
        if each is not None:
            groups[each].append(row)
    return groups
