"""Fingerprint of the evaluation of projects: a digest of its code, and of what it knows of SDKs.

It changes with every edit of them, so that projects which other code evaluated are never taken for current.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parent


@cache
def loader_fingerprint() -> str:
    """16 hex digits."""
    digest = hashlib.sha256()
    for path in sorted((*_ROOT.glob("*.py"), *(_ROOT / "sdk").iterdir())):
        if path.is_file():
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
