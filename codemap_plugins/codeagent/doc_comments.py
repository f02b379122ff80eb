"""Whether a documentation comment stands before a declaration, whatever it says.

ECMA-334 annex D.1: a comment of lines that begin with ``///``, or one that begins with ``/**``, before the declaration and its attributes.
Of TypeScript (JSDoc) the second form alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.codeagent.nodes import Language

_OPENING: Final = "/*"
_CLOSING: Final = "*/"


def is_commented(lines: Sequence[str], start: int, language: str) -> bool:
    """Whether a declaration whose first line is ``start``, which counts from 1, is documented. Blank lines, other comments and, in C#,
    directives may lie between."""
    is_csharp = language == Language.CSHARP
    at = start - 2
    while at >= 0:
        line = lines[at].strip()
        if line.startswith("///") and not line.startswith("////") and is_csharp:
            return True
        if line.endswith(_CLOSING):
            at = _opening_of(lines, at)
            opening = lines[at].strip() if at >= 0 else ""
            if not opening.startswith(_OPENING):
                return False  # code stands before the comment
            if opening.startswith("/**") and not opening.startswith(("/***", "/**/")):
                return True
        elif line and not line.startswith(("//", "#") if is_csharp else "//"):
            return False
        at -= 1
    return False


def _opening_of(lines: Sequence[str], end: int) -> int:
    """The line, counted from 0, on which the comment begins that ends on ``end``; -1 where there is none."""
    at = end
    while at >= 0 and _OPENING not in lines[at]:
        at -= 1
    return at
