"""The command line's root: its commands, and what happens to errors, Ctrl-C and closed pipes."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from codemap_core.errors import CancelledError, CodeMapError
from codemap_core.version import __version__
from codemap_server.cli import (
    database_commands,
    dump_command,
    explain_command,
    index_command,
    inspection_commands,
    navigation_commands,
    serve_command,
    tool_commands,
)
from codemap_server.cli.terminal import fail

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

app = typer.Typer(
    name="codemap",
    help="Compiler-like answers about a C# repository: no .NET SDK, no restore, no build.\n\n"
    "Index a repository once per commit, then ask: [bold]codemap index[/], [bold]codemap search[/], [bold]codemap show[/]; "
    "or let an agent ask over MCP: [bold]codemap serve[/].",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Data is kept in CODEMAP_HOME (default ~/.codemap). CODEMAP_REFERENCES names folders of further assemblies.",
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"codemap {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


index_command.register(app)
tool_commands.register(app)
navigation_commands.register(app)
explain_command.register(app)
serve_command.register(app)
dump_command.register(app)
inspection_commands.register(app)
database_commands.register(app)


def main() -> None:
    """Entry point of the console script. Wrong usage exits with 2, an error with 1, an interruption with 130."""
    try:
        app()
    except CancelledError as error:
        fail(error.message)
        sys.exit(INTERRUPTED)
    except CodeMapError as error:
        fail(error.message)
        sys.exit(1)
