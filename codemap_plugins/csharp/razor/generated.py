"""C# text put together from pieces of a page and from what its compiler adds, which knows where each piece stands in the page."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

from codemap_plugins.csharp.source_text import Pieces

_NOWHERE: Final = -1
_NO_TAG: Final = -1


class Mark(IntEnum):
    """What a token of the added text stands for that C# has no words for."""

    COMPONENT = 0
    """``typeof`` of the component that a tag names."""
    PARAMETER = 1
    """``=`` between a parameter of a component and the text that its tag gives it, C# unless the parameter is a string."""
    EXPRESSION = 2
    """The same where the text says that it is C#."""
    CONTEXT = 3
    """``default`` of what the content of an element is given."""
    TYPE_ARGUMENT = 4
    """``typeof`` of what a tag gives to a type parameter of its component."""


class ComponentTag:
    """A tag as binding sees it. ``number``: unique in its page. ``type_arguments``: what it says of type parameters, each as
    [name, type]; known when all of the page is read."""

    def __init__(self, name: str, number: int, around: ComponentTag | None) -> None:
        """``around``: the component in whose content it stands."""
        self.name: Final = name
        self.number: Final = number
        self.around: Final = around.number if around is not None else _NO_TAG
        self.type_arguments: Final[list[list[str]]] = []


class Marked(NamedTuple):
    """``name``: of ``CONTEXT``, what is given; of ``TYPE_ARGUMENT``, the type parameter."""

    mark: Mark
    tag: ComponentTag
    name: str = ""


class Section:
    """A part of the generated text: pieces of the page in between added text, in order."""

    def __init__(self, page: bytes) -> None:
        self._page: Final = page
        self._pieces: Final[list[tuple[bytes, int, Marked | None]]] = []

    def add(self, text: str, mark: Marked | None = None) -> None:
        """What does not stand in the page. ``mark``: of its first token."""
        if text:
            self._pieces.append((text.encode(), _NOWHERE, mark))

    def copy(self, start: int, end: int) -> None:
        """What stands in the page there; byte offsets, half-open."""
        if end > start:
            self._pieces.append((self._page[start:end], start, None))

    def append(self, other: Section) -> None:
        self._pieces.extend(other._pieces)

    def cut(self, start: int, end: int) -> Section:
        """A part of what is copied as one piece; byte offsets in ``text``, half-open."""
        (_, origin, _), *others = self._pieces
        assert not others
        part = Section(self._page)
        part.copy(origin + start, origin + end)
        return part

    @property
    def is_empty(self) -> bool:
        return not self._pieces

    def text(self) -> bytes:
        return b"".join(piece for piece, _, _ in self._pieces)

    def pieces(self) -> Pieces:
        """Where what is copied stands in ``text`` and in the page."""
        at = 0
        found: list[tuple[int, int, int]] = []
        for piece, origin, _ in self._pieces:
            if origin != _NOWHERE:
                found.append((at, len(piece), origin))
            at += len(piece)
        starts, lengths, origins = zip(*found, strict=True) if found else ((), (), ())
        return Pieces(tuple(starts), tuple(lengths), tuple(origins))

    def marks(self) -> dict[int, Marked]:
        """By byte offset in ``text``."""
        at = 0
        found: dict[int, Marked] = {}
        for piece, _, mark in self._pieces:
            if mark is not None:
                found[at] = mark
            at += len(piece)
        return found
