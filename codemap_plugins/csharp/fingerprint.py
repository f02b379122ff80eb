"""The fingerprint of C# analysis: versions of what units and rows depend on, found without loading the parser."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

ANALYSER_VERSION: Final = 3
"""Raise it when the same bytes would give another unit."""
DECLARE_VERSION: Final = 2
"""Raise it when the same units would give other rows."""


def language_fingerprint() -> str:
    return f"{ANALYSER_VERSION}.{DECLARE_VERSION}/tree-sitter-c-sharp {version('tree-sitter-c-sharp')}"
