"""Fingerprints of C# analysis and binding: digests of the code that makes units and rows, and of the data it reads.

They change with every edit of that code, so nothing made by other code is ever taken for current. Found in milliseconds, without loading
the parser.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.distributions import installed_version
from codemap_core.source_digest import source_digest

_ROOT: Final = Path(__file__).parent
_ROWS: Final = ("symbols", "binding", "metadata")
"""Folders of the code that makes rows of units; all other code of the plug-in but ``_NEITHER`` makes units."""
_NEITHER: Final = ("complexity.py",)
"""Code that reads units and makes nothing of an index."""


@cache
def unit_fingerprint() -> str:
    """Of what makes units: equal bytes and settings give an equal unit while it stays the same."""
    files = [path for path in _ROOT.rglob("*.py") if path.relative_to(_ROOT).parts[0] not in (*_ROWS, *_NEITHER)]
    return source_digest(_ROOT, files, installed_version("tree-sitter-c-sharp"), installed_version("tree-sitter"))


@cache
def row_fingerprint() -> str:
    """Of what makes rows of units, the shipped library types included."""
    files = [path for folder in _ROWS for path in (_ROOT / folder).rglob("*.py")]
    catalog = _ROOT / "metadata" / "baked" / "libraries.catalog"
    return source_digest(_ROOT, files, str(catalog.stat().st_size) if catalog.exists() else "")
