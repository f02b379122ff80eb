"""Whether a file is one of TypeScript: other formats share its suffixes, and bundles share its language."""

from __future__ import annotations

import re
from typing import Final

_XML: Final = re.compile(r"\s*<(?:\?xml|!DOCTYPE TS)")
_MINIFIED_SIZE: Final = 5_000
_MINIFIED_WIDTH: Final = 1_000
"""Characters of an average line that nobody writes by hand."""


def why_not_source(text: str) -> str:
    """Why a file of such a suffix is not read as TypeScript; empty for one that is."""
    if _XML.match(text):
        return "is XML"
    lines = text.count("\n") + 1
    if len(text) > _MINIFIED_SIZE and len(text) / lines > _MINIFIED_WIDTH:
        return "is minified"
    return ""
