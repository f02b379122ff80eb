"""The text of a view or page, as far as names in it are concerned: without its comments, with the place of every character, and its tags
with their attributes.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from codemap_core.model import HOLE

_COMMENT: Final = re.compile(r"@\*.*?(?:\*@|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_LONGEST: Final = 4000
"""Characters of a value between quotes."""
_TAG: Final = re.compile(
    rf"<([A-Za-z][\w-]*)\s((?:[^<>\"']++|\"[^\"]{{0,{_LONGEST}}}\"|'[^']{{0,{_LONGEST}}}'){{0,{_LONGEST}}}+)>"
)
_ATTRIBUTE: Final = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_EXPRESSION: Final = re.compile(r"@(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w.]+(?:\([^()]*\))?)")
_NEW_LINE: Final = re.compile(r"\n")
_VISIBLE: Final = re.compile(r"[^\n]")
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")
"""Characters of two UTF-16 units."""


class Position(NamedTuple):
    """1-based; columns in UTF-16 units."""

    line: int
    column: int


class Attribute(NamedTuple):
    """``offset``: of the value, which has no quotes around it."""

    value: str
    offset: int


class Tag(NamedTuple):
    """Its name and those of its attributes are in lower case."""

    name: str
    attributes: Mapping[str, Attribute]


def known_part(value: str) -> str:
    """The value of an attribute, with a hole for each expression in it."""
    return _EXPRESSION.sub(f"{HOLE}}}", value)


class Markup:
    """``text``: the page whose comments are spaces; every other character stays where it is."""

    def __init__(self, text: str) -> None:
        self._written: Final = text
        self._marks: Final = len(text) - len(text.lstrip("\ufeff"))
        self.text: Final = _COMMENT.sub(lambda match: _VISIBLE.sub(" ", match[0]), text[self._marks :])
        self._starts: Final = [0, *(match.end() for match in _NEW_LINE.finditer(self.text))]
        self._wide: Final = [match.start() for match in _WIDE.finditer(self.text)]

    def tags(self, mark: str) -> Iterator[Tag]:
        """The tags in which a text stands, in order."""
        for tag in _TAG.finditer(self.text):
            if mark in tag[2]:
                attributes = {
                    each[1].lower(): Attribute(
                        each[each.lastindex or 0], tag.start(2) + each.start(each.lastindex or 0)
                    )
                    for each in _ATTRIBUTE.finditer(tag[2])
                }
                yield Tag(tag[1].lower(), attributes)

    def byte_offset(self, offset: int) -> int:
        """Of a place in the file."""
        return len(self._written[: offset + self._marks].encode())

    def at(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        wide = bisect_left(self._wide, offset) - bisect_left(self._wide, start)
        return Position(line, offset - start + wide + 1)
