"""Fingerprints of TypeScript's analysis and binding: digests of the code that makes units and rows, found without loading the parser."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.distributions import installed_version
from codemap_core.source_digest import source_digest

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
    versions = installed_version("tree-sitter-typescript"), installed_version("tree-sitter")
    return source_digest(_ROOT, _files(of_rows=False), *versions)


@cache
def row_fingerprint() -> str:
    """Of what makes rows of units."""
    return source_digest(_ROOT, _files(of_rows=True))


def _files(*, of_rows: bool) -> list[Path]:
    return [path for path in _ROOT.glob("*.py") if (path.name in _ROWS) is of_rows]
