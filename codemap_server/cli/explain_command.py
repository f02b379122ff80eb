"""``codemap explain FILE:LINE:COLUMN``: what a name is bound to, by which rule, and which candidates lost and why."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.terminal import console, say
from codemap_server.cli.tool_commands import JSON, REPOSITORY

if TYPE_CHECKING:
    from codemap_core.hooks.contracts import Explanation, PlaceExplanation
    from codemap_core.workspace import Repository

_PLACE = re.compile(r"(?P<path>.+?):(?P<line>\d+):(?P<column>\d+)$")


def register(app: typer.Typer) -> None:
    app.command("explain", rich_help_panel="Ask")(explain)


def explain(
    place: Annotated[
        str, typer.Argument(metavar="FILE:LINE:COLUMN", help="Anywhere within a name; lines and columns count from 1.")
    ],
    project: Annotated[str, typer.Option("--project", "-p", help="Only as this project compiles it.")] = "",
    commit: Annotated[str, typer.Option("--commit", metavar="REV", help="Commit, branch or tag; default: HEAD.")] = "",
    repo: REPOSITORY = None,
    json: JSON = False,
) -> None:
    """Say what a name is bound to, by which rule of the language, and why other candidates lost.

    Example: [bold]codemap explain src/Shop/Order.cs:42:17[/]"""
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline.explain import explain_place
    from codemap_core.workspace import Repository

    matched = _PLACE.match(place)
    if matched is None:
        raise InvalidArgumentError(f"{place!r} is no place: write FILE:LINE:COLUMN, for example src/Order.cs:42:17.")
    repository = Repository.open(repo or Path())
    found = explain_place(
        repository,
        load_plugins(),
        load_settings(),
        _within(repository, matched["path"]),
        int(matched["line"]),
        int(matched["column"]),
        commit=commit,
        project=project,
    )
    if json:
        import msgspec

        typer.echo(msgspec.json.encode(found).decode())
        return
    for each in found:
        _show(each)


def _within(repository: Repository, written: str) -> str:
    """A path as the index spells it: relative to the git root, or to the current folder where that file exists."""
    path = Path(written)
    if not repository.is_bare and path.exists():
        resolved = path.resolve()
        if resolved.is_relative_to(repository.root):
            return resolved.relative_to(repository.root).as_posix()
    return written.replace("\\", "/").removeprefix("./")


def _show(place: PlaceExplanation) -> None:
    from rich.text import Text

    out = console()
    where = f"{place.file_path}:{place.line}:{place.column}"
    out.print(Text.assemble((where, "bold"), (f"  {place.project}" if place.project else "", "dim")), soft_wrap=True)
    out.print(Text(f"  {place.excerpt}"), soft_wrap=True)
    for explanation in place.explanations:
        _show_explanation(explanation)
    if not place.explanations:
        say("Nothing is bound there: a keyword, a namespace, a declaration's own name, or code that is not compiled.")


def _show_explanation(explanation: Explanation) -> None:
    from rich.text import Text

    out = console()
    doubt = "" if explanation.confidence == "high" else f", {explanation.confidence} confidence"
    head = Text.assemble(
        (explanation.kind, "cyan"),
        "  ",
        (explanation.target or explanation.type or explanation.reason, "bold"),
        ("  external" if explanation.external else "", "dim"),
        (doubt, "yellow"),
    )
    out.print(head, soft_wrap=True)
    if explanation.constructor:
        out.print(Text(f"  constructor {explanation.constructor}"), soft_wrap=True)
    out.print(Text(f"  {explanation.rule}"), soft_wrap=True)
    for candidate in explanation.candidates:
        mark, style = ("+", "green") if candidate.chosen else ("-", "dim")
        reason = f": {candidate.reason}" if candidate.reason else ": chosen"
        out.print(Text.assemble(f"  {mark} ", (candidate.symbol_id, style), reason), soft_wrap=True)
