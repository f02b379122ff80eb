"""Places in the text of a file: byte offsets to lines and columns.

All offsets are byte offsets in the text as UTF-8, without a byte order mark. Line ends are those of Roslyn's ``SourceText`` and ECMA-334
§6.3.2: CR LF, CR, LF, U+0085, U+2028, U+2029.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from contextlib import suppress
from itertools import accumulate
from operator import sub
from typing import Final

from msgspec import Struct


def cut(source: bytes, start: int, end: int) -> bytes:
    """The source between two places, nothing where the second comes first, as around what a syntax error left out. There a slice that
    mypyc has compiled raises."""
    return source[start : max(start, end)]


class Pieces(Struct, frozen=True, array_like=True):
    """Pieces of one text in another one, in the order of the latter: where each begins there, its length, and where it begins in the
    former, in bytes."""

    starts: tuple[int, ...]
    lengths: tuple[int, ...]
    origins: tuple[int, ...]

    def origin(self, offset: int) -> int:
        """Where what stands at ``offset`` comes from; -1 for what comes from nowhere."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0 or offset >= self.starts[at] + self.lengths[at]:
            return -1
        return self.origins[at] + offset - self.starts[at]

    def origin_before(self, offset: int) -> int:
        """As ``origin``; of what comes from nowhere, the end of the piece before it, 0 without one."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0:
            return 0
        return self.origins[at] + min(offset - self.starts[at], max(0, self.lengths[at] - 1))


_LONGEST: Final = 255
"""What one byte of ``PackedLines.lengths`` can say."""


class PackedLines(Struct, frozen=True, array_like=True):
    """A ``LineIndex`` as it is stored, and kept where thousands are: a byte for most lines. ``lengths``: of each line with its end; 255
    stands for 255 bytes, and the next number counts for the same line."""

    lengths: bytes
    wide_ends: tuple[int, ...] = ()
    shortfalls: tuple[int, ...] = ()
    pieces: Pieces | None = None
    """Of a ``GeneratedLines``."""

    def index(self) -> LineIndex:
        index = self._of_text()
        if self.pieces is None:
            return index
        return GeneratedLines(index.starts, index.length, index.wide_ends, index.shortfalls, self.pieces)

    def _of_text(self) -> LineIndex:
        ends = accumulate(self.lengths, initial=0)
        if _LONGEST in self.lengths:
            following = zip((0, *self.lengths), ends, strict=True)
            starts = tuple([end for length, end in following if length != _LONGEST])
        else:
            starts = tuple(ends)
        return LineIndex(starts[:-1], starts[-1], self.wide_ends, self.shortfalls)


class LineIndex(Struct, frozen=True):
    """Byte offsets to positions. ``starts``: where each line begins. ``wide_ends`` and ``shortfalls``: after each run
    of non-ASCII characters, how many bytes more than UTF-16 units the source has had so far."""

    starts: tuple[int, ...]
    length: int
    wide_ends: tuple[int, ...] = ()
    shortfalls: tuple[int, ...] = ()

    @classmethod
    def of(cls, source: bytes) -> LineIndex:
        """The index of UTF-8 ``source``."""
        if source.isascii():
            ends = accumulate(map(len, source.splitlines(keepends=True)), initial=0)
            return cls(_starts(tuple(ends), source), len(source))
        if _WIDE_LINE_END.search(source) is None:
            ends = accumulate(map(len, source.splitlines(keepends=True)), initial=0)
            starts = _starts(tuple(ends), source)
            runs = _WIDE_RUN
        else:
            starts = (0, *(match.end() for match in _LINE_END.finditer(source)))
            runs = _WIDE_RUN_IN_LINE
        wide_ends: list[int] = []
        shortfalls: list[int] = []
        shortfall = 0
        for run in runs.finditer(source):
            characters = run[0]
            text = characters.decode("utf-8", "replace")
            shortfall += len(characters) - len(text) - sum(character > "\uffff" for character in text)
            wide_ends.append(run.end())
            shortfalls.append(shortfall)
        return cls(starts, len(source), tuple(wide_ends), tuple(shortfalls))

    def packed(self) -> PackedLines:
        return PackedLines(_lengths(self.starts, self.length), self.wide_ends, self.shortfalls)

    @property
    def line_count(self) -> int:
        """A last line without a line end counts; an empty source has 0."""
        return len(self.starts) - (self.starts[-1] == self.length)

    def line(self, offset: int) -> int:
        """The 1-based line of a byte offset; a line end belongs to the line it ends."""
        return bisect_right(self.starts, offset)

    def last_line(self, start: int, end: int) -> int:
        """That on which a half-open piece ends."""
        return self.line(max(start, end - 1))

    def position(self, offset: int) -> tuple[int, int]:
        """The 1-based line and the 1-based column in UTF-16 units of a byte offset. An offset within a run of
        non-ASCII characters counts as the run's first; no token starts there."""
        line = bisect_right(self.starts, offset)
        start = self.starts[line - 1]
        column = offset - start + 1
        if self.wide_ends:
            column -= self._shortfall(offset) - self._shortfall(start)
        return line, column

    def _shortfall(self, offset: int) -> int:
        at = bisect_right(self.wide_ends, offset)
        return self.shortfalls[at - 1] if at else 0


class GeneratedLines(LineIndex, frozen=True):
    """Of a text that was made from pieces of another one: offsets into the former to positions in the latter, whose lines these are."""

    pieces: Pieces = Pieces((), (), ())

    def packed(self) -> PackedLines:
        return PackedLines(_lengths(self.starts, self.length), self.wide_ends, self.shortfalls, self.pieces)

    def line(self, offset: int) -> int:
        """Of what stands nowhere in the other text: the line of what is before it."""
        return bisect_right(self.starts, self.pieces.origin_before(offset))

    def last_line(self, start: int, end: int) -> int:
        """Not before the first: what is not closed may end in a piece that stands further up in the other text."""
        return max(self.line(start), LineIndex.last_line(self, start, end))

    def position(self, offset: int) -> tuple[int, int]:
        """(0, 0) for what stands nowhere in the other text."""
        origin = self.pieces.origin(offset)
        return NOWHERE if origin < 0 else LineIndex.position(self, origin)


def _lengths(starts: tuple[int, ...], length: int) -> bytes:
    ends = (*starts[1:], length)
    with suppress(ValueError):  # a line is longer than a byte can say
        lengths = bytes(map(sub, ends, starts))
        if _LONGEST not in lengths:
            return lengths
    spelt = bytearray()
    for start, end in zip(starts, ends, strict=True):
        further, rest = divmod(end - start, _LONGEST)
        spelt += bytes([_LONGEST]) * further
        spelt.append(rest)
    return bytes(spelt)


def _starts(ends: tuple[int, ...], source: bytes) -> tuple[int, ...]:
    """Line starts from line ends: the end of a last line without a line end starts no line."""
    if len(ends) > 1 and source[-1:] not in (b"\n", b"\r"):
        return ends[:-1]
    return ends


NOWHERE: Final = (0, 0)
"""The position of what a page's compiler adds."""
_WIDE_LINE_END: Final = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]")
_LINE_END: Final = re.compile(rb"\r\n?|\n|\xc2\x85|\xe2\x80[\xa8\xa9]")
_WIDE_RUN: Final = re.compile(rb"[\x80-\xff]+")
_WIDE_RUN_IN_LINE: Final = re.compile(rb"\xc2\x85|\xe2\x80[\xa8\xa9]|(?:(?!\xc2\x85|\xe2\x80[\xa8\xa9])[\x80-\xff])+")
