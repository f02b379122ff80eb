"""Fingerprint of the evaluation of projects: a digest of its code, and of what it knows of SDKs.

It changes with every edit of them, so that projects which other code evaluated are never taken for current.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.source_digest import source_digest

_ROOT: Final = Path(__file__).parent


@cache
def loader_fingerprint() -> str:
    """16 hex digits."""
    return source_digest(_ROOT, (path for path in (*_ROOT.glob("*.py"), *(_ROOT / "sdk").iterdir()) if path.is_file()))
