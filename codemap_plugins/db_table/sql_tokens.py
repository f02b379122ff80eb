"""SQL of any dialect as tokens: words, quoted names, marks. Linear in the length of the text, and nothing of it is an error.

All quotations are read at once (``[x]``, ``"x"``, `` `x` ``), because a text does not say which database it is for.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from msgspec import Struct


class TokenKind(Enum):
    WORD = "word"
    NAME = "name"
    """A name in quotation marks."""
    VALUE = "value"
    """A parameter, a variable, a temporary table, a number, a text."""
    MARK = "mark"


class Token(Struct, frozen=True):
    """``text``: of a name without its quotation marks, a doubled one within it once. ``keyword``: of a word in upper case, else empty."""

    kind: TokenKind
    text: str
    start: int
    keyword: str = ""


HOLE_WORD: Final = "codemap_hole_"
"""How words begin that stand for holes of a text."""
_LONGEST_BRACKETED: Final = 256
_TOKEN: Final = re.compile(
    rf"""(?P<skipped>\s+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<text>'[^']*(?:''[^']*)*(?:'|\Z))
    |(?P<name>\[[^\[\]]{{1,{_LONGEST_BRACKETED}}}\]|"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`)
    |(?P<value>(?:\#{{1,2}}|@{{1,2}}|:|\?)\w[\w$#@]*|\?|\$\d+|0[xX][0-9a-fA-F]+|\d[\d.]*(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d][\w$#@]*)
    |(?P<mark>.)""",
    re.VERBOSE | re.DOTALL,
)


def tokens_of(text: str) -> list[Token]:
    """All but white space and comments."""
    found = []
    for match in _TOKEN.finditer(text):
        written, start = match[0], match.start()
        match match.lastgroup:
            case "word":
                found.append(Token(TokenKind.WORD, written, start, written.upper()))
            case "name":
                found.append(Token(TokenKind.NAME, written[1:-1].replace(written[-1] * 2, written[-1]), start))
            case "value" | "text":
                found.append(Token(TokenKind.VALUE, written, start))
            case "mark":
                found.append(Token(TokenKind.MARK, written, start))
    return found


def first_keyword(text: str) -> str:
    """The word that a text begins with, in upper case; comments, parentheses and semicolons before it do not count. Empty without one."""
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "word":
            return match[0].upper()
        if match.lastgroup != "skipped" and match[0] not in "(;":
            break
    return ""


def keywords(words: str) -> frozenset[str]:
    """Words in upper case between spaces, as ``Token.keyword`` has them."""
    return frozenset(words.split())
