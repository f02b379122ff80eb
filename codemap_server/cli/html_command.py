"""``codemap html``: an index as a page for a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from codemap_core.errors import StorageError
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.indexes import asked_index
from codemap_server.cli.options import Place, Revision
from codemap_server.cli.terminal import say


def register(app: typer.Typer) -> None:
    add_command(app, "html", html, "Index")


def html(
    place: Place,
    revision: Revision,
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it; -: standard output; default: NAME-COMMIT.html."
        ),
    ] = "",
    open_it: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Write a page about an index: projects, endpoints, tables, messages, types, search.

    One file for a browser, which needs no network: projects and their references as a graph, endpoints with what each
    reaches, the data model, messages with who sends and handles them, the most used and the largest types, and a
    search over all symbols.

    \b
    Examples:
      codemap html
      codemap html ~/src/shop --open
      codemap html -o docs/codemap.html
    """
    from codemap_core.queries.summary.overview import overview_of
    from codemap_server.cli.html_page import page

    with asked_index(place.folder, revision.commit) as (repository, snapshot):
        text = page(overview_of(snapshot, repository.root.name))
        name = f"{repository.root.name}-{snapshot.commit_sha[:12]}.html"
    if output == "-":
        sys.stdout.write(text)
        return
    file = Path(output or name)
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{file} cannot be written ({error.strerror}). Name another file with --output.") from error
    typer.echo(str(file))
    if open_it:
        import webbrowser

        if not webbrowser.open(file.resolve().as_uri()):
            say("There is no browser to open it with.")
