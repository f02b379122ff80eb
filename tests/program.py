"""Which program the tests run: what is installed, or these sources where Python finds them first. That is so in an editable installation,
and with ``python -m pytest``, which puts the current folder before all that is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import codemap_core

ROOT: Final = Path(__file__).parents[1]
RUNS_SOURCES: Final = Path(codemap_core.__file__).parents[1] == ROOT
