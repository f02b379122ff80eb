"""How large and how deep JSON text is, told before it is parsed: values take many times the memory of their text, and
parsers differ in the depth they bear. One limit for messages of every transport and for JSON within arguments.
"""

from __future__ import annotations

import re
from typing import Final

MAX_NESTING: Final = 64
"""Levels of arrays and objects in one message; no argument needs more than three."""
MAX_VALUES: Final = 100_000
"""Arrays, objects and their elements in one message."""
_TOO_MANY: Final = f"Too many values: {MAX_VALUES} arrays, objects and elements are the maximum."
_STRING: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_BRACKET: Final = re.compile(rb"[\[\]{}]")


def shape_problem(text: bytes) -> str:
    """What is too much about JSON text, as a sentence; empty when it may be parsed. Text that is not JSON is the
    parser's business."""
    if _opened(text) <= MAX_NESTING and _values(text) <= MAX_VALUES:
        return ""  # even if every bracket and comma of its strings counted
    if text.count(b'"') - text.count(b'\\"') > 4 * MAX_VALUES:  # a name and a text for each value
        return _TOO_MANY
    bare = _STRING.sub(b"", text)
    if _values(bare) > MAX_VALUES:
        return _TOO_MANY
    level = 0
    for bracket in _BRACKET.finditer(bare):
        level += 1 if bracket[0] in b"[{" else -1
        if level > MAX_NESTING:
            return f"Nested too deeply: {MAX_NESTING} levels are the maximum."
    return ""


def _opened(text: bytes) -> int:
    return text.count(b"[") + text.count(b"{")


def _values(text: bytes) -> int:
    return _opened(text) + text.count(b",")
