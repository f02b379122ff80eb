"""The command line's root: its commands, and what happens to errors, Ctrl-C and closed pipes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Final

import typer

from codemap_core.errors import CodeMapError
from codemap_core.recursion import allow_deep_recursion
from codemap_core.version import __version__
from codemap_server.cli.command_registry import FAILED, add_command, exit_code_of
from codemap_server.cli.help_text import HELP_OPTIONS, Command, CommandGroup, help_of
from codemap_server.cli.terminal import fail
from codemap_server.cli.terminal_output import guard_output

OUT_OF_MEMORY: Final = (
    "There is not enough memory. What was there before is unchanged. Try again with --jobs 1, with other programs closed, "
    "or with a higher limit (ulimit -v)."
)
_UNWRITABLE: Final = frozenset({errno.ENOSPC, errno.EIO, errno.EFBIG})

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "index_command": ("index",),
    "dump_command": ("dump",),
    "html_command": ("html",),
    "search_commands": ("search", "show"),
    "navigation_commands": ("refs", "callers", "callees"),
    "hierarchy_command": ("hierarchy",),
    "trace_command": ("trace",),
    "architecture_commands": ("summarize", "export"),
    "declaration_commands": ("outline", "context", "unreferenced"),
    "diff_command": ("diff",),
    "surface_commands": (
        *("endpoints", "config", "tables", "services", "middleware", "exceptions", "logs", "retries", "facts"),
    ),
    "grep_command": ("grep",),
    "explain_command": ("explain",),
    "status_command": ("status",),
    "setup_command": ("setup",),
    "serve_command": ("serve",),
    "tool_commands": ("tools", "call"),
    "inspection_commands": ("plugins", "doctor"),
    "data_commands": ("list", "prune"),
    "cache_command": ("cache",),
    "database_commands": ("db",),
}
"""The modules of commands and what each registers, in the order of the help."""


def command_line(wanted: str = "") -> typer.Typer:
    """The program's commands. ``wanted``: the command that is going to run, if it is one; its module alone is loaded then."""
    app = typer.Typer(
        name="codemap",
        cls=CommandGroup,
        help="""Compiler-like answers about a C# repository: no .NET SDK, no restore, no build.

        Index a repository once per commit, then ask; or let an agent ask over MCP.

        \b
          codemap index
          codemap search OrderService
          codemap callers OrderService.Submit
          codemap setup claude
        """,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": list(HELP_OPTIONS)},
        epilog="Exit codes: 0 found or done; 1 nothing found; 2 an error. "
        "Data is kept in CODEMAP_HOME (default ~/.codemap); CODEMAP_REFERENCES names folders of further assemblies.",
    )
    app.callback()(_root)
    modules = [module for module, commands in COMMANDS.items() if wanted in commands]
    for module in modules or COMMANDS:
        import_module(f"codemap_server.cli.{module}").register(app)
    add_command(app, "version", version, "Maintenance")
    app.command("help", rich_help_panel="Maintenance", cls=Command)(help_command)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        version()
        raise typer.Exit


def _root(
    wants_version: Annotated[
        bool, typer.Option("--version", "-V", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def version() -> None:
    """Print the version."""
    typer.echo(f"codemap {__version__}")


def help_command(
    ctx: typer.Context,
    command: Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]...", help="A command.")] = None,
) -> None:
    """Show the help of a command.

    \b
    Examples:
      codemap help refs
      codemap help db check
    """
    typer.echo(help_of(ctx, command or []))


def main() -> None:
    """Entry point of the console script. Exit codes: 0 found or done, 1 nothing found, 2 an error, 130 interrupted.
    A reader that closes the pipe has what it wanted: that is 0."""
    allow_deep_recursion()
    guard_output()
    try:
        try:
            command_line(*sys.argv[1:2])(prog_name="codemap")
        finally:
            sys.stdout.flush()
    except SystemExit as end:
        if _is_broken_pipe(end):
            _drop_output()
            sys.exit(0)
        raise
    except CodeMapError as error:
        fail(error.message)
        sys.exit(exit_code_of(error))
    except MemoryError:
        fail(OUT_OF_MEMORY)
        sys.exit(FAILED)
    except OSError as error:
        if error.errno not in _UNWRITABLE and not _is_broken_pipe(error):
            raise
        _drop_output()
        if _is_broken_pipe(error):
            sys.exit(0)
        fail(f"The output could not be written: {error.strerror}.")
        sys.exit(FAILED)


def _is_broken_pipe(error: BaseException | None) -> bool:
    """Whether it is one, or came of one: typer and rich make an exit of it, with the code of nothing found."""
    while error is not None and not isinstance(error, BrokenPipeError):
        error = error.__context__
    return error is not None


def _drop_output() -> None:
    """What is still buffered goes nowhere, so that the interpreter's last flush does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
