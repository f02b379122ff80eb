"""The literal that every match of a regular expression contains, if there is one. It lets a search skip most files and
lines.

Careful rather than clever: where the syntax is not plain (alternatives, groups with options, flags) there is no
literal and everything is searched.
"""

from __future__ import annotations

import re
from typing import Final

_SHORTEST: Final = 3
_PUNCTUATION: Final = frozenset("\\.^$*+?{}[]()|/-\"'#%&,:;<=>@`~! _")
_LONG_ESCAPES: Final = frozenset("xuUN0123456789")
"""Escapes that take further characters with them."""
_TOKEN: Final = re.compile(r"\w+", re.ASCII)


def required_literal(pattern: str) -> str:
    """The longest literal that every match of ``pattern`` contains, or an empty string."""
    if "|" in pattern or "(?" in pattern:
        return ""
    runs = [""]
    depth = 0
    i = 0
    while i < len(pattern):
        char = pattern[i]
        literal = ""
        if char == "\\":
            i += 1
            escaped = pattern[i : i + 1]
            if escaped in _LONG_ESCAPES:
                return ""
            literal = escaped if escaped in _PUNCTUATION else ""
        elif char == "[":
            i = _class_end(pattern, i)
        elif char in "()":
            depth += 1 if char == "(" else -1
        elif char in "*?{":
            # what stands before may be missing; a group or class has left no literal behind
            runs[-1] = runs[-1][:-1]
            if char == "{":
                i = max(i, pattern.find("}", i))
        elif char not in ".^$+":
            literal = char
        i += 1
        if literal and depth == 0:
            runs[-1] += literal
        elif runs[-1]:
            runs.append("")
    longest = max(runs, key=len)
    return longest if len(longest) >= _SHORTEST else ""


def token_expression(literal: str) -> str:
    """An FTS5 expression that every file containing ``literal`` matches: its tokens that end inside the literal on
    both sides. Empty when there are none."""
    tokens = [
        match.group()
        for match in _TOKEN.finditer(literal)
        if match.start() > 0 and match.end() < len(literal) and literal.isascii()
    ]
    return " AND ".join(f'"{token}"' for token in dict.fromkeys(tokens))


def _class_end(pattern: str, start: int) -> int:
    """The index of the ``]`` that ends the character class at ``start``."""
    i = start + 1
    if pattern[i : i + 1] == "^":
        i += 1
    if pattern[i : i + 1] == "]":
        i += 1
    while i < len(pattern) and pattern[i] != "]":
        i += 2 if pattern[i] == "\\" else 1
    return i
