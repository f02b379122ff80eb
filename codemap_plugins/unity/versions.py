"""Versions of the Unity editor and of its packages, and the expressions by which an assembly definition asks for them.

Unity Manual, "Version Defines expressions": ``1.2`` means that version or a later one, ``[1.2]`` that one alone, and ``[1.2,2.0)`` a range
of which a square bracket includes its end and a round one does not.
"""

from __future__ import annotations

import re
from typing import Final

_NUMBERS: Final = re.compile(r"(\d+)(?:\.(\d+))?(?:\.(\d+))?")
_RANGE: Final = re.compile(r"([\[(])\s*([^,\])\s]*)\s*(?:,\s*([^\])\s]*)\s*)?([\])])")

Version = tuple[int, int, int, tuple[tuple[bool, int, str], ...]]
"""Numbers of a version, and the parts of its label; a version that is released has one empty part, which follows every label."""

_RELEASED: Final = ((True, 0, "~"),)


def parse_version(written: str) -> Version | None:
    """``1.2.3-preview.4`` of packages, ``2022.3.39f1`` of the editor; null for what does not begin with a number."""
    found = _NUMBERS.match(written.strip())
    if found is None:
        return None
    rest = written.strip()[found.end() :].partition("+")[0].lstrip("-")
    is_editor = re.fullmatch(r"[abfp]\d+.*", rest) is not None
    label = _RELEASED if not rest or (is_editor and rest[0] in "fp") else tuple(_part(each) for each in rest.split("."))
    return int(found[1]), int(found[2] or 0), int(found[3] or 0), label


def _part(written: str) -> tuple[bool, int, str]:
    """Order of one part of a label: numbers before words, as Semantic Versioning 2.0.0 §11 says."""
    return (False, int(written), "") if written.isascii() and written.isdigit() else (True, 0, written)


def holds(expression: str, version: str) -> bool:
    """Whether a version is one that the expression asks for. An empty expression asks for any; one that cannot be read, for none."""
    have = parse_version(version)
    written = expression.strip()
    if not written:
        return True
    if have is None:
        return False
    if written[0] not in "[(":
        least = parse_version(written)
        return least is not None and have >= least
    found = _RANGE.fullmatch(written)
    if found is None:
        return False
    opening, low_written, high_written, closing = found.groups()
    low = parse_version(low_written)
    if high_written is None:
        return opening == "[" and closing == "]" and have == low
    high = parse_version(high_written)
    above = not low_written or (low is not None and (have >= low if opening == "[" else have > low))
    below = not high_written or (high is not None and (have <= high if closing == "]" else have < high))
    return above and below
