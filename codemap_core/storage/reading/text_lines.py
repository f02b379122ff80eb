"""Single lines out of stored texts: a text is decompressed and cut only as far as the last line that is wanted."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from typing import Final

_PORTION: Final = 1 << 17
"""Bytes that are decompressed at once."""


def pick_lines(stored: bytes, numbers: Collection[int]) -> dict[int, str]:
    """By 1-based number, those of the lines that the text has, without their ends (``\\\\n``, ``\\\\r\\\\n``, ``\\\\r``)."""
    last = max(numbers, default=0)
    unpacking = zlib.decompressobj()
    portions = [unpacking.decompress(stored, _PORTION)]
    found = portions[0].count(b"\n")
    while found < last and not unpacking.eof:
        portions.append(unpacking.decompress(unpacking.unconsumed_tail, _PORTION))
        found += portions[-1].count(b"\n")
    content = b"".join(portions)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = content.split(b"\n", last)
    if not lines[-1]:
        lines.pop()
    return {
        number: lines[number - 1].decode("utf-8", "surrogatepass") for number in numbers if 1 <= number <= len(lines)
    }
