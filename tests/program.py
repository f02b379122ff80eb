"""Which program the tests run: what is installed, or these sources where Python finds them first. That is so in an editable installation,
and with ``python -m pytest``, which puts the current folder before all that is installed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import codemap_core

ROOT: Final = Path(__file__).parents[1]
INSTALLED: Final = Path(codemap_core.__file__).parents[1]
RUNS_SOURCES: Final = INSTALLED == ROOT


def differences(sources: Path, installed: Path) -> Iterator[str]:
    """Modules of the program that are not installed as they are among the sources: relative paths."""
    for package in ("codemap_core", "codemap_plugins", "codemap_server"):
        for path in sorted((sources / package).rglob("*.py")):
            relative = path.relative_to(sources)
            other = installed / relative
            if not other.is_file() or other.read_bytes() != path.read_bytes():
                yield relative.as_posix()
