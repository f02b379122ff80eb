"""The text of a view or page, as far as names in it are concerned: without its comments, and with the place of every character."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple

_COMMENT: Final = re.compile(r"@\*.*?(?:\*@|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_NEW_LINE: Final = re.compile(r"\n")
_VISIBLE: Final = re.compile(r"[^\n]")


class Position(NamedTuple):
    """1-based; columns in UTF-16 units."""

    line: int
    column: int


class Markup:
    """``text``: the page whose comments are spaces; every other character stays where it is."""

    def __init__(self, text: str) -> None:
        self.text: Final = _COMMENT.sub(lambda match: _VISIBLE.sub(" ", match[0]), text.lstrip("\ufeff"))
        self._starts: Final = [0, *(match.end() for match in _NEW_LINE.finditer(self.text))]

    def at(self, offset: int) -> Position:
        line = bisect_right(self._starts, offset)
        before = self.text[self._starts[line - 1] : offset]
        return Position(line, len(before.encode("utf-16-le", "surrogatepass")) // 2 + 1)
