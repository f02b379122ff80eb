"""The references of a document that is replaced, written as a difference: an edit moves what follows it and changes little else.

A row that says what one of before said stays. One that stands elsewhere and says the same is moved, which touches no index, as no index has
a place; taking it out and adding it again would write to six. What is left of before goes, and what is left of now is new.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct

from codemap_core.storage.schema.stored_fields import REFS
from codemap_core.storage.writing.fresh_baseline import encoded_columns, zero_for_null
from codemap_core.storage.writing.row_encoder import Row

PLACE: Final = ("line", "column", "line_span")
"""Columns beside one another that no index has."""
_REFERRING: Final = ("from_symbol", "to_symbol", "constructor")


class ReferenceDifference(Struct, frozen=True):
    added: list[Row]
    """Still to be inserted."""
    gone: int
    """How many rows were deleted."""
    let_go: AbstractSet[int]
    """Numbers of the symbols to which those referred."""


class ReplacedReferences:
    """Moves and deletes rows of ``refs``; adding is the caller's."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        columns = encoded_columns(REFS)
        nullable = zero_for_null(REFS)
        asked = ", ".join(f'ifnull("{name}", 0)' if name in nullable else f'"{name}"' for name in columns)
        self._connection: Final = connection
        self._of_file: Final = f"SELECT {asked}, id FROM refs WHERE file_id = ? ORDER BY id DESC"
        placed = ", ".join(f'"{name}" = ?' for name in PLACE)
        self._move: Final = f"UPDATE refs SET {placed} WHERE id = ?"
        self._start: Final = columns.index(PLACE[0])
        self._end: Final = self._start + len(PLACE)
        self._referring: Final = tuple(map(columns.index, _REFERRING))  # before the place

    def replace(self, file: int, rows: Iterable[Row]) -> ReferenceDifference:
        """``rows``: all that the document of that number has now, as ``RowEncoder.references`` gives them."""
        before: dict[Row, list[int]] = {}
        for row in self._connection.execute(self._of_file, (file,)):
            before.setdefault(row[:-1], []).append(row[-1])
        others: list[Row] = []
        for row in rows:
            numbers = before.get(row)
            if numbers:
                numbers.pop()
            else:
                others.append(row)
        start, end = self._start, self._end
        elsewhere: dict[Row, list[int]] = {}
        for row, numbers in before.items():
            if numbers:
                elsewhere.setdefault(row[:start] + row[end:], []).extend(numbers)
        added: list[Row] = []
        moved: list[Row] = []
        for row in others:
            numbers = elsewhere.get(row[:start] + row[end:])
            if numbers:
                moved.append((*row[start:end], numbers.pop()))
            else:
                added.append(row)
        gone = [(number,) for numbers in elsewhere.values() for number in numbers]
        let_go = {row[column] for row, numbers in elsewhere.items() if numbers for column in self._referring}
        self._connection.executemany(self._move, moved)
        self._connection.executemany("DELETE FROM refs WHERE id = ?", gone)
        return ReferenceDifference(added, len(gone), {each for each in let_go if isinstance(each, int) and each})
