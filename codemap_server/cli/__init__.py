"""The ``codemap`` command. Messages for people go to stderr or into a table, ``--json`` and ``dump`` own stdout, and exit code 0
means that the command did what was asked."""

from __future__ import annotations

import gc
import sys
from typing import Final

_ALLOCATIONS: Final = 50_000
"""Objects made between two collections of garbage: nearly everything that is made while modules are loaded stays."""


def main() -> None:
    """Entry point of the console script, which is interrupted cleanly from its first import on."""
    try:
        gc.set_threshold(_ALLOCATIONS)
        from codemap_server.cli.application import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
