"""The ``codemap`` command. Messages for people go to stderr or into a table, ``--json`` and ``dump`` own stdout, and exit code 0
means that the command did what was asked."""

from __future__ import annotations

import gc
import sys
from typing import Final

ALLOCATIONS: Final = 4_000_000
"""Objects made between two collections of garbage: nearly everything that a command makes stays until it ends. More than
``codemap_core.pipeline.garbage.ALLOCATIONS``, or the end of an index would look through all that it leaves; and more than the index of a
repository of many projects makes: after a million, that of dotnet/extensions took 0.3 s to look through them."""


def main() -> None:
    """Entry point of the console script, which is interrupted cleanly from its first import on. The process ends with it."""
    try:
        try:
            gc.set_threshold(ALLOCATIONS)
            from codemap_server.cli.application import main as run

            run()
        except KeyboardInterrupt:
            sys.exit(130)
    except SystemExit as end:
        from codemap_server.cli.process_end import end_in_time

        end_in_time(end.code)
        gc.freeze()  # the interpreter looks for garbage as it ends, in all that a command has loaded and made
        raise
