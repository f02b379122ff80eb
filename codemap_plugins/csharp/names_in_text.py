"""The names that a text in UTF-8 mentions, without reading it as C#: those in comments and literals too."""

from __future__ import annotations

import re
from typing import Final

NAME: Final = re.compile(r"[^\W\d]\w*")
_SEPARATORS: Final = bytes(code if code > 127 or chr(code).isalnum() or chr(code) == "_" else 32 for code in range(256))
"""The characters of ASCII that no word has become spaces: to translate and split a text takes two fifths of the time of the pattern."""
_AFTER_DIGITS: Final = ":"
"""What follows the digits in ASCII: names are greater, and numbers are less."""
_ESCAPE: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\U(0{3}[0-9a-fA-F]{5})")


def names_in(source: bytes) -> set[str]:
    """Every identifier and keyword of a text in UTF-8, those spelt with escapes too (ECMA-334 §6.4.3)."""
    words = b" ".join(set(source.translate(_SEPARATORS).split())).decode("utf-8", "replace")
    if words.isascii():
        found = {word for word in words.split() if word > _AFTER_DIGITS}
    else:
        found = set(NAME.findall(words))
    if b"\\" in source and (b"\\u" in source or b"\\U" in source):  # a single byte is sought much faster than two
        text = source.decode("utf-8", "replace")
        found.update(NAME.findall(_ESCAPE.sub(lambda escape: chr(int(escape[1] or escape[2], 16)), text)))
    return found
