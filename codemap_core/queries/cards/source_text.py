"""Spans of a file with line numbers, and a symbol's definition. Text comes from the index: the commit's, not the
working tree's."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import SymbolRow
from codemap_core.model.counting import counted
from codemap_core.queries.snapshot import Snapshot, normalise_path
from codemap_core.queries.views.symbols import SpanResponse

LINE_CHARACTERS: Final = 4_000
"""The maximum length of one line; a longer one is cut there."""


class Range(Struct, frozen=True):
    """Lines of a file that were asked for: ``lines`` is the whole file, ``first`` and ``last`` are 1-based and inclusive."""

    file_path: str
    lines: list[str]
    first: int
    last: int

    @property
    def count(self) -> int:
        return self.last - self.first + 1

    def span(self, offset: int, limit: int) -> SpanResponse:
        """At most ``limit`` lines, after ``offset`` of those asked for. Raises: InvalidArgumentError for an offset past the end."""
        if offset and offset >= self.count:
            raise InvalidArgumentError(
                f"The answer has {counted(self.count, 'line')}; offset {offset} is past the last."
            )
        first = self.first + offset
        last = min(self.last, first + limit - 1)
        return SpanResponse(
            file_path=self.file_path,
            start_line=first,
            end_line=last,
            total_file_lines=len(self.lines),
            content="\n".join(f"{number:5} | {_clipped(self.lines[number - 1])}" for number in range(first, last + 1)),
            truncated=last < self.last,
        )


def get_range(snapshot: Snapshot, file_path: str, start_line: int, end_line: int = 0, context_lines: int = 0) -> Range:
    """Lines ``start_line`` to ``end_line`` and ``context_lines`` around them; ``end_line`` 0 is the end of the file, and a range that goes
    past the end stops there. Raises: InvalidArgumentError for a range that is none or begins after the end; NotFoundError."""
    if start_line < 1 or (end_line and end_line < start_line):
        raise InvalidArgumentError(
            f"Lines {start_line} to {end_line} are not a range: lines count from 1 and end_line is not before start_line.",
            start_line=start_line,
            end_line=end_line,
        )
    path = normalise_path(file_path)
    lines = split_lines(snapshot.file_text(path))
    if start_line > max(1, len(lines)):
        raise InvalidArgumentError(
            f"'{path}' has {counted(len(lines), 'line')}; line {start_line} is past its end.", file_path=path
        )
    return _around(path, lines, start_line, end_line or len(lines), context_lines)


def definition_range(snapshot: Snapshot, symbol: SymbolRow, context_lines: int = 0) -> Range:
    """The declaration of a symbol, with context around it."""
    lines = split_lines(snapshot.file_text(symbol.file_path))
    return _around(symbol.file_path, lines, symbol.span_start, symbol.span_end, context_lines)


def _around(path: str, lines: list[str], first: int, last: int, context_lines: int) -> Range:
    return Range(path, lines, max(1, first - context_lines), min(len(lines), last + context_lines))


def _clipped(line: str) -> str:
    if len(line) <= LINE_CHARACTERS:
        return line
    return f"{line[:LINE_CHARACTERS]}… ({counted(len(line) - LINE_CHARACTERS, 'more character')})"


def split_lines(text: str) -> list[str]:
    """Lines without their ends (``\\n``, ``\\r\\n``, ``\\r``; C# counts U+2028 and the like too, editors do not). An
    empty text has none."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
