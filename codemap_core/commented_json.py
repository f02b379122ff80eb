"""JSON as people write it: configurations that may have comments and trailing commas, which a reader of JSON refuses. Pure; no IO."""

from __future__ import annotations

import re
from typing import Final

_TOKENS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
"""A comment that is not closed goes to the end, or each would be sought to there."""
_TRAILING_COMMA: Final = re.compile(r'("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])')


def without_comments(text: str) -> str:
    """The text without comments and without commas behind which nothing follows."""
    plain = _TOKENS.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", plain)
