"""Documentation comments (JSDoc): the first paragraph, as plain text."""

from __future__ import annotations

import re
from typing import Final

_LINK: Final = re.compile(r"\{@(?:link|linkcode|linkplain)\s+([^}|]+?)(?:\|[^}]*)?\}")


def first_paragraph(comment: str) -> str:
    """What stands before the first empty line or tag; empty for other comments."""
    if not comment.startswith("/**") or comment == "/**/":
        return ""
    found: list[str] = []
    for line in comment[3:].removesuffix("*/").splitlines():
        text = line.strip().removeprefix("*").strip()
        if text.startswith("@") or (found and not text):
            break
        if text:
            found.append(text)
    return _LINK.sub(r"\1", " ".join(found))
