"""The ``codemap`` command. Messages for people go to stderr or into a table, ``--json`` and ``dump`` own stdout, and exit code 0
means that the command did what was asked."""

from codemap_server.cli.application import main

__all__ = ["main"]
