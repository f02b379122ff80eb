"""The text of a view or page, as far as names in it are concerned: without its comments, and with the place of every character."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(r"@\*.*?(?:\*@|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_NEW_LINE: Final = re.compile(r"\n")
_VISIBLE: Final = re.compile(r"[^\n]")
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")
"""Characters of two UTF-16 units."""


class Position(NamedTuple):
    """1-based; columns in UTF-16 units."""

    line: int
    column: int


class Markup:
    """``text``: the page whose comments are spaces; every other character stays where it is."""

    def __init__(self, text: str) -> None:
        self.text: Final = _COMMENT.sub(lambda match: _VISIBLE.sub(" ", match[0]), text.lstrip("\ufeff"))
        self._starts: Final = [0, *(match.end() for match in _NEW_LINE.finditer(self.text))]
        self._wide: Final = [match.start() for match in _WIDE.finditer(self.text)]

    def at(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        wide = bisect_left(self._wide, offset) - bisect_left(self._wide, start)
        return Position(line, offset - start + wide + 1)
