"""The last means of fitting an answer: where one row is longer than the budget, or the answer has no rows, the lists in it hold fewer
items, and where that is not enough, its texts fewer characters. ``limits_applied`` says so.

A text without white space is a name, an id or a path, which would be another one if it were cut: those stay whole. So there is a shortest
answer, and where that is longer than the budget it says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import fields, replace

from codemap_core.hooks.tool import LimitApplied, Listing, ToolResult
from codemap_server.delivery import Delivery
from codemap_server.notes import Note, NoteKind

ITEMS: Final = "items_per_list"
CHARACTERS: Final = "characters_per_text"
_LISTS: Final = (10, 5, 3, 2, 1)
"""Items that a list may hold, one after the other until the answer fits."""
_TEXTS: Final = (1_000, 500, 200)
"""Characters of a text, likewise, when lists are as short as they get."""
_UNLIMITED: Final = 10**9


def shortened(delivery: Delivery, max_chars: int, characters: Callable[[Delivery], int]) -> Delivery:
    """``delivery`` as it fits into ``max_chars``, or as near to it as it gets, with the same rows. ``characters``: its length as text."""
    if characters(delivery) <= max_chars:
        return delivery
    rows = _rows(delivery)
    best, fewest = delivery, _UNLIMITED
    for items, length in (*((items, _UNLIMITED) for items in _LISTS), *((0, length) for length in _TEXTS)):
        within = _Within(items or fewest, length).delivery(delivery)
        if _rows(within) != rows:
            continue
        best, fewest = within, items or fewest
        if characters(best) <= max_chars:
            return best
    said = f"This is the shortest answer; it is longer than max_chars={max_chars}."
    return replace(best, result=replace(best.result, notes=(*best.result.notes, said)))


def _rows(delivery: Delivery) -> int:
    data = delivery.result.data
    return data.row_count if isinstance(data, Listing) else 0


class _Within:
    """Cuts one answer to lists of ``items`` and texts of ``length``, and knows the longest ones that it cut."""

    def __init__(self, items: int, length: int) -> None:
        self._items: Final = items
        self._length: Final = length
        self._most_items = 0
        self._longest = 0

    def delivery(self, delivery: Delivery) -> Delivery:
        result = delivery.result
        calls = (
            result.next_actions if self._length == _UNLIMITED else ()
        )  # their arguments are right or wrong, not shorter
        cut = replace(
            result,
            data=self._value(result.data),
            evidence=self._value(result.evidence),
            next_actions=calls[: self._items],
        )
        diagnostics = self._value(delivery.project_diagnostics)
        notes = tuple(self._note(note) for note in delivery.notes)
        return replace(delivery, result=self._with_limits(cut), notes=notes, project_diagnostics=diagnostics)

    def _note(self, note: Note) -> Note:
        """What an answer shows and differs on disk is named all the same."""
        return note if note.kind is NoteKind.EDITED else replace(note, files=self._value(note.files))

    def _with_limits(self, result: ToolResult) -> ToolResult:
        limits = dict(result.limits_applied)
        if self._most_items:
            limits[ITEMS] = LimitApplied(self._most_items, self._items)
        if self._longest:
            limits[CHARACTERS] = LimitApplied(self._longest, self._length)
        return replace(result, limits_applied=limits)

    def _value(self, value: Any) -> Any:
        if isinstance(value, Struct):
            return replace(value, **{each.name: self._member(getattr(value, each.name)) for each in fields(value)})
        if isinstance(value, list | tuple):
            return tuple(self._value(each) for each in value[: self._kept(len(value))])
        if isinstance(value, dict):
            return {name: self._value(each) for name, each in value.items()}
        if type(value) is str and len(value) > self._length and any(map(str.isspace, value)):
            self._longest = max(self._longest, len(value))
            return f"{value[: self._length - 1]}…"
        return value

    def _member(self, value: Any) -> Any:
        """The value of a field: there a dictionary is a list of pairs, elsewhere a record."""
        if isinstance(value, dict):
            kept = self._kept(len(value))
            return {name: self._value(each) for name, each in tuple(value.items())[:kept]}
        return self._value(value)

    def _kept(self, count: int) -> int:
        if count > self._items:
            self._most_items = max(self._most_items, count)
        return min(count, self._items)
