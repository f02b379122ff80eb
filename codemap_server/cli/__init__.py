"""The ``codemap`` command. Everything human goes to stderr or a table; ``--json`` and ``dump`` own stdout; exit code 0
means that what was asked for was done.

``index_command`` building · ``dump_command`` canonical rows · ``tool_commands`` tools from the shell, as JSON or tables
· ``database_commands`` schemas · ``serve_command`` · ``inspection_commands`` plug-ins and health · ``terminal`` output
and errors.
"""

from codemap_server.cli.application import main

__all__ = ["main"]
