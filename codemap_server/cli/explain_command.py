"""``codemap explain FILE:LINE[:COLUMN]``: what names are bound to, by which rule, and which candidates lost and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.asking import path_within
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.completion import projects
from codemap_server.cli.options import Json, Place, Revision
from codemap_server.cli.rows import print_styled
from codemap_server.cli.terminal import console, note, print_json

if TYPE_CHECKING:
    from codemap_core.model import Explanation, PlaceExplanation

_PLACE: Final = re.compile(r"(?P<path>.+?):(?P<line>\d+)(?::(?P<column>\d+))?$")


def register(app: typer.Typer) -> None:
    add_command(app, "explain", explain, "Ask")


def explain(
    where: Annotated[
        str,
        typer.Argument(metavar="FILE:LINE[:COLUMN]", help="A line, or a name in it; lines and columns count from 1."),
    ],
    place: Place,
    revision: Revision,
    output: Json,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Only this name on the line.")] = "",
    project: Annotated[
        str,
        typer.Option("--project", "-p", metavar="NAME", autocompletion=projects, help="As compiled in this project."),
    ] = "",
) -> None:
    """Say what a name is bound to, and why.

    By which rule of the language, and why other candidates lost.

    \b
    Examples:
      codemap explain src/Shop/Order.cs:42:17
      codemap explain src/Shop/Order.cs:42
      codemap explain src/Shop/Order.cs:42 --name Submit
    """
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline.explain import explain_place
    from codemap_core.repository import Repository

    matched = _PLACE.match(where)
    if matched is None:
        raise InvalidArgumentError(
            f"Invalid location {where!r}: expected FILE:LINE or FILE:LINE:COLUMN, for example src/Order.cs:42:17."
        )
    repository = Repository.open(place.folder or Path())
    found = explain_place(
        repository,
        load_plugins(),
        load_settings(),
        path_within(repository, matched["path"]),
        int(matched["line"]),
        int(matched["column"] or 0),
        name=name,
        commit=revision.commit,
        project=project,
    )
    if output.json:
        print_json(found)
    else:
        for each in found:
            _show(each)
    if not any(each.explanations for each in found):
        if not output.json:
            note(
                "Nothing is bound there: a keyword, a namespace, a declaration's own name, or code that is not compiled."
            )
        raise typer.Exit(NOTHING_FOUND)


def _show(place: PlaceExplanation) -> None:
    out = console()
    column = f":{place.column}" if place.column else ""
    project = f"  {place.project}" if place.project else ""
    print_styled(out, [(f"{place.file_path}:{place.line}{column}", "bold"), (project, "dim")])
    print_styled(out, [(f"  {place.excerpt}", "")])
    for explanation in place.explanations:
        _show_explanation(explanation, with_name=not place.column)


def _show_explanation(explanation: Explanation, *, with_name: bool) -> None:
    out = console()
    doubt = "" if explanation.confidence == "high" else f", {explanation.confidence} confidence"
    head = [
        (f"{explanation.column}:{explanation.name}  " if with_name else "", "green"),
        (explanation.kind, "cyan"),
        ("  ", ""),
        (explanation.target or explanation.type or explanation.reason, "bold"),
        ("  external" if explanation.external else "", "dim"),
        (doubt, "yellow"),
    ]
    print_styled(out, head)
    if explanation.constructor:
        print_styled(out, [(f"  constructor {explanation.constructor}", "")])
    print_styled(out, [(f"  {explanation.rule}", "")])
    for candidate in explanation.candidates:
        mark, style = ("+", "green") if candidate.chosen else ("-", "dim")
        reason = f": {candidate.reason}" if candidate.reason else ": chosen"
        print_styled(out, [(f"  {mark} ", ""), (candidate.symbol_id, style), (reason, "")])
