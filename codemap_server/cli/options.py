"""Options that several commands share, spelt and explained once."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import Struct

from codemap_core.errors import InvalidArgumentError
from codemap_server.cli.completion import commits, projects, symbol_kinds, symbols

DEFAULT_LIMIT = 50


class Format(StrEnum):
    """How results are written."""

    TEXT = "text"
    """For people: by file on a terminal, one line for each result elsewhere."""
    PLAIN = "plain"
    TSV = "tsv"
    VIMGREP = "vimgrep"
    JSON = "json"
    MERMAID = "mermaid"
    DOT = "dot"

    @property
    def has_columns(self) -> bool:
        """Each row says a column, whatever it shows."""
        return self in (Format.TSV, Format.VIMGREP)


ROW_FORMATS = (Format.TEXT, Format.PLAIN, Format.TSV, Format.VIMGREP, Format.JSON)
PAGE_FORMATS = (Format.TEXT, Format.JSON)
GRAPH_FORMATS = tuple(Format)


def at_least(least: int, most: int | None = None) -> Any:
    """A callback that refuses numbers below ``least`` and above ``most``; help need not state a range. What is not given is passed on."""

    def check(value: int | None) -> int | None:
        if value is None:
            return None
        if value < least:
            raise typer.BadParameter(f"{value} is less than {least}.")
        if most is not None and value > most:
            raise typer.BadParameter(f"{value} is more than {most}.")
        return value

    return check


def parts(values: Iterable[str] | None) -> list[str]:
    """The values of an option that was given several times or with commas."""
    return [part.strip() for value in values or () for part in value.split(",") if part.strip()]


RepositoryOption = Annotated[
    Path | None, typer.Option("--repo", metavar="PATH", help="A git repository, or a folder in one.")
]


class Place(Struct, frozen=True):
    """Which repository: a path in it, written as an argument or an option."""

    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="A git repository, or a folder in one; default: the current folder."),
    ] = None
    repo: Annotated[Path | None, typer.Option("--repo", metavar="PATH", help="Same as the argument PATH.")] = None

    @property
    def folder(self) -> Path | None:
        """Null: none was named. Raises: InvalidArgumentError when two different ones were."""
        if self.path is not None and self.repo is not None and self.path != self.repo:
            raise InvalidArgumentError(f"Two repositories are named, {self.path} and {self.repo}. Leave one out.")
        return self.path if self.path is not None else self.repo


class Revision(Struct, frozen=True):
    """Which commit."""

    commit: Annotated[
        str,
        typer.Option("--commit", metavar="REV", autocompletion=commits, help="Commit, branch or tag; default: HEAD."),
    ] = ""


class Part(Struct, frozen=True):
    """Which projects of it."""

    solution: Annotated[
        str,
        typer.Option(
            "--solution", metavar="FILE", help="Only the projects of this .sln, .slnx or .slnf; default: all."
        ),
    ] = ""


class AskedRevision(Revision, frozen=True):
    """Which commit, and what to do when it is not indexed."""

    auto_index: Annotated[
        bool, typer.Option("--auto-index", help="Index the commit first if it is not indexed yet.")
    ] = False


class Json(Struct, frozen=True):
    json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False


class Filter(Struct, frozen=True):
    """Which symbols."""

    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind", "-k", metavar="KIND", autocompletion=symbol_kinds, help="Only symbols of this kind; repeatable."
        ),
    ] = None
    file: Annotated[
        str, typer.Option("--file", "-f", metavar="PREFIX", help="Only in files whose path starts with PREFIX.")
    ] = ""
    project: Annotated[
        str, typer.Option("--project", "-p", metavar="NAME", autocompletion=projects, help="Only in this project.")
    ] = ""
    namespace: Annotated[
        str, typer.Option("--namespace", "-n", metavar="NAME", help="Only in this namespace and those below it.")
    ] = ""

    @property
    def kinds(self) -> list[str]:
        return parts(self.kind)

    @property
    def is_empty(self) -> bool:
        return not (self.kinds or self.file or self.project or self.namespace)


_DeclaredIn = Annotated[
    str,
    typer.Option(
        "--file", "-f", metavar="PREFIX", help="The symbol is declared in a file whose path starts with PREFIX."
    ),
]
_DeclaredBy = Annotated[
    str,
    typer.Option(
        "--project", "-p", metavar="NAME", autocompletion=projects, help="The symbol is declared in this project."
    ),
]
_DeclaredBelow = Annotated[
    str, typer.Option("--namespace", "-n", metavar="NAME", help="The symbol is in this namespace or below it.")
]


class Meant(Struct, frozen=True):
    """Which of the symbols of one name a command is about. What it answers is not filtered."""

    kind: Annotated[
        list[str] | None,
        typer.Option(
            "--kind",
            "-k",
            metavar="KIND",
            autocompletion=symbol_kinds,
            help="The symbol is of this kind; repeatable.",
        ),
    ] = None
    file: _DeclaredIn = ""
    project: _DeclaredBy = ""
    namespace: _DeclaredBelow = ""

    @property
    def kinds(self) -> list[str]:
        return parts(self.kind)


class MeantBesideKind(Struct, frozen=True):
    """As ``Meant``, of commands whose ``--kind`` is a kind of reference."""

    symbol_kind: Annotated[
        list[str] | None,
        typer.Option(
            "--symbol-kind",
            metavar="KIND",
            autocompletion=symbol_kinds,
            help="The symbol is of this kind; repeatable.",
        ),
    ] = None
    file: _DeclaredIn = ""
    project: _DeclaredBy = ""
    namespace: _DeclaredBelow = ""

    @property
    def kinds(self) -> list[str]:
        return parts(self.symbol_kind)


class Paging(Struct, frozen=True):
    """How many results. There is no limit of characters."""

    limit: Annotated[
        int,
        typer.Option("--limit", "-l", metavar="N", callback=at_least(1), help="Maximum number of results."),
    ] = DEFAULT_LIMIT
    offset: Annotated[
        int, typer.Option("--offset", metavar="N", callback=at_least(0), help="Skip the first N results.")
    ] = 0
    all: Annotated[bool, typer.Option("--all", "-a", help="Show all results.")] = False

    @property
    def wanted(self) -> int | None:
        """Null: all."""
        return None if self.all else self.limit


class Output(Struct, frozen=True):
    """How results are written, and what happens to them."""

    format: Annotated[
        Format,
        typer.Option("--format", metavar="FORMAT", help="text, plain (one line each), tsv, vimgrep or json."),
    ] = Format.TEXT
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False
    open: Annotated[bool, typer.Option("--open", "-e", help="Open the first result in $VISUAL or $EDITOR.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results only, without notes.")] = False

    def chosen(self) -> Format:
        """Raises: InvalidArgumentError for a format that the command does not have."""
        return _chosen(self.format, self.json, ROW_FORMATS)


class PageOutput(Struct, frozen=True):
    """As ``Output``, of commands whose result is one page about a symbol."""

    format: Annotated[Format, typer.Option("--format", metavar="FORMAT", help="text or json.")] = Format.TEXT
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False
    open: Annotated[bool, typer.Option("--open", "-e", help="Open the declaration in $VISUAL or $EDITOR.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results only, without notes.")] = False

    def chosen(self) -> Format:
        return _chosen(self.format, self.json, PAGE_FORMATS)


class GraphOutput(Struct, frozen=True):
    """As ``Output``, of commands whose results are a graph."""

    format: Annotated[
        Format,
        typer.Option(
            "--format", metavar="FORMAT", help="text, plain (one line each), tsv, vimgrep, json, mermaid or dot."
        ),
    ] = Format.TEXT
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False
    open: Annotated[bool, typer.Option("--open", "-e", help="Open the first result in $VISUAL or $EDITOR.")] = False
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results only, without notes.")] = False

    def chosen(self) -> Format:
        return _chosen(self.format, self.json, GRAPH_FORMATS)


def _chosen(written: Format, json: bool, possible: Iterable[Format]) -> Format:
    if json:
        return Format.JSON
    if written not in possible:
        raise InvalidArgumentError(
            f"--format {written.value} does not suit this command. Formats: {', '.join(each.value for each in possible)}."
        )
    return written


Symbol = Annotated[
    str,
    typer.Argument(
        metavar="SYMBOL",
        autocompletion=symbols,
        help="A name (OrderService.Submit, Order.Pay(int), IRepository<T>), an id, or FILE:LINE.",
    ),
]
Depth = Annotated[
    int, typer.Option("--depth", "-d", metavar="N", callback=at_least(1), help="Number of levels, at most 6.")
]
