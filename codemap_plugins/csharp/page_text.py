"""C# text put together from pieces of a page and from what its compiler adds, which knows where each piece stands in the page."""

from __future__ import annotations

from typing import Final, Generic, TypeVar

from codemap_plugins.csharp.source_text import GeneratedLines, LineIndex, Pieces

_NOWHERE: Final = -1
MarkT = TypeVar("MarkT")
"""What a token of the added text may stand for that C# has no words for."""


class Section(Generic[MarkT]):
    """A part of the generated text: pieces of the page in between added text, in order."""

    def __init__(self, page: bytes) -> None:
        self._page: Final = page
        self._pieces: Final[list[tuple[bytes, int, MarkT | None]]] = []

    def add(self, text: str, mark: MarkT | None = None) -> None:
        """What does not stand in the page. ``mark``: of its first token."""
        if text:
            self._pieces.append((text.encode(), _NOWHERE, mark))

    def copy(self, start: int, end: int) -> None:
        """What stands in the page there; byte offsets, half-open."""
        if end > start:
            self._pieces.append((self._page[start:end], start, None))

    def rename(self, start: int, text: str) -> None:
        """What stands in the page at that byte offset under another name."""
        self._pieces.append((text.encode(), start, None))

    def append(self, other: Section[MarkT]) -> None:
        self._pieces.extend(other._pieces)

    def cut(self, start: int, end: int) -> Section[MarkT]:
        """A part of what is copied as one piece; byte offsets in ``text``, half-open."""
        (_, origin, _), *others = self._pieces
        assert not others
        part: Section[MarkT] = Section(self._page)
        part.copy(origin + start, origin + end)
        return part

    @property
    def is_empty(self) -> bool:
        return not self._pieces

    def text(self) -> bytes:
        return b"".join(piece for piece, _, _ in self._pieces)

    def _pieces_in_page(self) -> Pieces:
        """Where what is copied stands in ``text`` and in the page."""
        at = 0
        found: list[tuple[int, int, int]] = []
        for piece, origin, _ in self._pieces:
            if origin != _NOWHERE:
                found.append((at, len(piece), origin))
            at += len(piece)
        starts, lengths, origins = zip(*found, strict=True) if found else ((), (), ())
        return Pieces(tuple(starts), tuple(lengths), tuple(origins))

    def lines(self) -> GeneratedLines:
        """Those of the page, for offsets in ``text``."""
        lines = LineIndex.of(self._page)
        return GeneratedLines(lines.starts, lines.length, lines.wide_ends, lines.shortfalls, self._pieces_in_page())

    def marks(self) -> dict[int, MarkT]:
        """By byte offset in ``text``."""
        at = 0
        found: dict[int, MarkT] = {}
        for piece, _, mark in self._pieces:
            if mark is not None:
                found[at] = mark
            at += len(piece)
        return found
