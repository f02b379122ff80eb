"""The text of a TypeScript file, and whether it is one: other formats share its suffixes, and bundles share its language."""

from __future__ import annotations

import codecs
import re
from typing import Final

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SNIFFED: Final = 8192
_XML: Final = re.compile(r"\s*<(?:\?xml|!DOCTYPE TS)")
_MINIFIED_SIZE: Final = 5_000
_MINIFIED_WIDTH: Final = 1_000
"""Characters of an average line that nobody writes by hand."""


def decoded(content: bytes) -> str:
    """A byte-order mark decides, and is left out; else it is UTF-8, or Windows-1252 where it is not. Never fails."""
    for bom, encoding in _BOMS:
        if content.startswith(bom):
            return content[len(bom) :].decode(encoding, "replace")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def why_not_source(content: bytes, text: str) -> str:
    """Why a file of such a suffix is not read as TypeScript; empty for one that is."""
    if b"\0" in content[:_SNIFFED] and not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "is binary"
    if _XML.match(text):
        return "is XML"
    lines = text.count("\n") + 1
    if len(text) > _MINIFIED_SIZE and len(text) / lines > _MINIFIED_WIDTH:
        return "is minified"
    return ""
