"""Fingerprints of TypeScript's analysis and binding: digests of the code that makes units and rows, found without loading the parser."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.distributions import installed_version

_ROOT: Final = Path(__file__).parent
_ROWS: Final = frozenset(
    {
        *("aliases.py", "binding.py", "evaluation.py", "front_end.py", "held_types.py", "left_out.py"),
        *("events.py", "library_calls.py", "values.py"),
        *("modules.py", "naming.py", "packages.py", "plugin.py", "symbol_rows.py", "table.py", "types.py"),
    }
)
"""Code that makes rows of units; all other code makes units."""


@cache
def unit_fingerprint() -> str:
    """Of what makes units: equal bytes and settings give an equal unit while it stays the same."""
    return _digest(False, installed_version("tree-sitter-typescript"), installed_version("tree-sitter"))


@cache
def row_fingerprint() -> str:
    """Of what makes rows of units."""
    return _digest(True)


def _digest(of_rows: bool, *more: str) -> str:
    digest = hashlib.sha256("\0".join(more).encode())
    for path in sorted(_ROOT.glob("*.py")):
        if (path.name in _ROWS) is of_rows:
            digest.update(path.name.encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
