"""``codemap setup CLIENT``: connects an agent by writing, or printing, its configuration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from codemap_core.errors import CodeMapError, InvalidArgumentError
from codemap_server.cli.client_configuration import (
    CLIENTS,
    Client,
    ClientName,
    State,
    alone,
    apply,
    command_for,
    configuration_file,
    described,
    entry_of,
    merged,
    read,
)
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.terminal import say


def register(app: typer.Typer) -> None:
    add_command(app, "setup", setup, "Agents")


def setup(
    client: Annotated[ClientName, typer.Argument(metavar="CLIENT", help="claude, cursor, vscode or codex.")],
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="The project; default: the repository around the current folder.")
    ] = Path(),
    print_only: Annotated[bool, typer.Option("--print", help="Print the configuration; write nothing.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace a different existing entry.")] = False,
    command: Annotated[
        str,
        typer.Option("--command", metavar="PROGRAM", help="How the client starts CodeMap; default: this installation."),
    ] = "",
) -> None:
    """Connect an agent: add CodeMap to its configuration.

    The rest of the configuration stays as it is, and a copy of the file is kept beside it.

    \b
    Examples:
      codemap setup claude
      codemap setup vscode ~/src/shop
      codemap setup codex --print
    """
    chosen = CLIENTS[client]
    entry = entry_of(chosen, command or command_for(chosen))
    if print_only:
        typer.echo(alone(chosen, entry), nl=False)
        return
    file = configuration_file(chosen, _project_folder(chosen, path))
    found = merged(chosen, read(file), entry)
    if found.state is State.SAME:
        typer.echo(f"{file} already connects {chosen.title} to CodeMap.")
        return
    if found.state is State.OTHER and not force:
        raise InvalidArgumentError(
            f"{file} already has another server named codemap: {described(found.existing)}. "
            "Replace it with --force, which keeps a copy of the file; --print shows what would be written."
        )
    backup = apply(file, found.text)
    typer.echo(f"{chosen.title} starts CodeMap from now on: {file}")
    if backup is not None:
        say(f"The configuration as it was: {backup}")
    say(f"Start {chosen.title} again, or let it read its configuration again.")


def _project_folder(client: Client, path: Path) -> Path:
    """The root of the repository around ``path``, where clients look; the folder itself where there is none."""
    if client.file is None:
        return path
    if not path.is_dir():
        raise InvalidArgumentError(f"{path} is not a directory.")
    from codemap_core.repository import Repository

    try:
        repository = Repository.open(path)
    except CodeMapError:
        return path.resolve()
    return path.resolve() if repository.is_bare else repository.root
