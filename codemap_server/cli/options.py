"""Options that several commands share, spelt and explained once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from codemap_core.errors import InvalidArgumentError

JSON_HELP = "Print the result as JSON."


class Place(Struct, frozen=True):
    """Which repository: a path in it, written as an argument or an option."""

    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A git repository, or a folder in one; default: the current folder."),
    ] = None
    repo: Annotated[Path | None, typer.Option("--repo", metavar="PATH", help="The same as the argument PATH.")] = None

    @property
    def folder(self) -> Path | None:
        """Null: none was named. Raises: InvalidArgumentError when two different ones were."""
        if self.path is not None and self.repo is not None and self.path != self.repo:
            raise InvalidArgumentError(f"Two repositories are named, {self.path} and {self.repo}. Leave one out.")
        return self.path if self.path is not None else self.repo


class Revision(Struct, frozen=True):
    """Which commit."""

    commit: Annotated[str, typer.Option("--commit", metavar="REV", help="Commit, branch or tag; default: HEAD.")] = ""


class Json(Struct, frozen=True):
    json: Annotated[bool, typer.Option("--json", help=JSON_HELP)] = False
