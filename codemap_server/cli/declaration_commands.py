"""``codemap outline``, ``context`` and ``unreferenced``: what is declared, what one reads to understand it, what nothing uses."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from codemap_core.model.counting import counted, kinds_counted
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_server.cli.asking import asker
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.editor import open_in_editor
from codemap_server.cli.messages import shown_of
from codemap_server.cli.options import (
    AskedRevision,
    Filter,
    Format,
    Meant,
    Output,
    PageOutput,
    Paging,
    Place,
    Symbol,
    parts,
)
from codemap_server.cli.rows import Row
from codemap_server.cli.search_commands import finish, whole_answer
from codemap_server.cli.terminal import note, print_json

if TYPE_CHECKING:
    from codemap_core.queries.views.outline import OutlineRow

_EVERYTHING = Paging(all=True)
_SUFFIXES = (".cs", ".razor", ".cshtml", ".xaml", ".axaml", ".vb", ".fs")
"""Of files whose name without a folder is not taken for a symbol."""


def register(app: typer.Typer) -> None:
    add_command(app, "outline", outline, "Ask")
    add_command(app, "context", context, "Ask")
    add_command(app, "unreferenced", unreferenced, "Ask")


def outline(
    symbol: Annotated[
        str,
        typer.Argument(metavar="TYPE|FILE", help="A type, or a file of the repository."),
    ],
    place: Place,
    where: Filter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
    visibility: Annotated[
        list[str] | None,
        typer.Option("--visibility", metavar="WORD", help="Only public, internal, protected, private; repeatable."),
    ] = None,
    static: Annotated[
        bool | None, typer.Option("--static/--instance", help="Only static members, or only instance members.")
    ] = None,
    attribute: Annotated[
        str, typer.Option("--attribute", metavar="NAME", help="Only members with this attribute.")
    ] = "",
    obsolete: Annotated[bool, typer.Option("--obsolete", help="Only obsolete members.")] = False,
    inherited: Annotated[bool, typer.Option("--inherited", help="Include members of base types.")] = False,
) -> None:
    """List the members of a type, or what a file declares.

    \b
    Examples:
      codemap outline OrderService
      codemap outline OrderService --kind method --visibility public
      codemap outline src/Shop/Order.cs
    """
    format_ = output.chosen()
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        path = asks.within(symbol)
        is_file = not symbol.startswith(ID_PREFIXES) and ("/" in path or path.endswith(_SUFFIXES))
        meant = (
            {"file_path": path}
            if is_file
            else asks.meaning(symbol, Meant(file=where.file, project=where.project, namespace=where.namespace))
        )
        found = asks.pages(
            "symbols.outline",
            paging,
            lambda data: data.rows,
            **meant,
            kinds=where.kinds,
            visibility=parts(visibility),
            static=static,
            attribute=attribute,
            obsolete=obsolete or None,
            inherited=inherited,
        )
        data = found[0].data
        rows = [_outline_row(row, data.file_path) for result in found for row in result.data.rows]
        finish(asks, output, format_, rows, found, "rows")
        if not output.quiet and format_ is not Format.JSON:
            kinds = kinds_counted(data.counts)
            note(
                f"{data.name}: {kinds or 'nothing declared'}.",
                f"{data.left_out:,} left out by the filters." if data.left_out else "",
                f"The members of {', '.join(data.unknown_bases)} are not known." if data.unknown_bases else "",
                shown_of(len(rows), paging.offset, data.total_count),
            )
        if not rows:
            raise typer.Exit(NOTHING_FOUND)


def _outline_row(row: OutlineRow, file_path: str) -> Row:
    notes = [f"from {row.declared_in}" if row.declared_in else "", "obsolete" if "Obsolete" in row.attributes else ""]
    return Row(
        file_path=row.file_path or file_path,
        line=row.line,
        kind=row.kind.value,
        text=row.signature,
        note=", ".join(each for each in notes if each),
        symbol_id=row.symbol_id,
    )


def context(
    symbol: Symbol,
    place: Place,
    where: Meant,
    revision: AskedRevision,
    output: PageOutput,
) -> None:
    """Show a symbol's source with that of what it calls.

    \b
    Examples:
      codemap context OrderService.PlaceAsync
      codemap context Order
    """
    format_ = output.chosen()
    with asker(place.folder, revision, quiet=output.quiet) as asks:
        found = asks.pages(
            "symbols.get_context", _EVERYTHING, lambda data: data.pieces, limit="", **asks.meaning(symbol, where)
        )
        if format_ is Format.JSON:
            print_json(whole_answer(found, "pieces"))
        else:
            for result in found:
                for line in result.data.lines():
                    sys.stdout.write(line + "\n")
            if not output.quiet:
                for said in found[0].notes:
                    note(said)
        pieces = found[0].data.pieces
        if output.open and pieces:
            open_in_editor(asks.repository.root, pieces[0].file_path, pieces[0].start_line)


def unreferenced(
    place: Place,
    where: Filter,
    paging: Paging,
    revision: AskedRevision,
    output: Output,
    doubtful: Annotated[
        bool, typer.Option("--doubtful", help="Include declarations that are probably used without being named.")
    ] = False,
) -> None:
    """List declarations that nothing refers to.

    Surest first, each with what speaks against removing it. PATH may also be a file.

    \b
    Examples:
      codemap unreferenced
      codemap unreferenced src/Shop/Order.cs
      codemap unreferenced --kind method --project Shop.Api
    """
    from codemap_core.queries.views.unreferenced import SURENESS_WORDS

    format_ = output.chosen()
    folder, file = place.folder, where.file
    if folder is not None and folder.is_file():
        folder, file = folder.parent, file or str(folder)
    with asker(folder, revision, quiet=output.quiet) as asks:
        found = asks.pages(
            "symbols.unreferenced",
            paging,
            lambda data: data.rows,
            kinds=where.kinds,
            namespace=where.namespace,
            file_path=asks.within(file),
            project_name=where.project,
            doubtful=doubtful,
        )
        data = found[0].data
        rows = [
            Row(
                file_path=each.file_path,
                line=each.line,
                kind=each.kind.value,
                name=each.name,
                note=", ".join((SURENESS_WORDS[each.sureness], *(doubt.value for doubt in each.doubts))),
                symbol_id=each.symbol_id,
            )
            for result in found
            for each in result.data.rows
        ]
        finish(asks, output, format_, rows, found, "rows")
        if not output.quiet and format_ is not Format.JSON:
            counts = ", ".join(
                f"{count:,} {SURENESS_WORDS[sureness]}" for sureness, count in data.counts.items() if count
            )
            note(
                f"{counted(data.examined_count, 'declaration')} examined: {counts or 'nothing is unreferenced'}."
                if data.examined_count
                else f"No declaration passes the filters. {asks.hidden_by(where)}".rstrip(),
                shown_of(len(rows), paging.offset, data.total_count),
            )
        if not rows:
            raise typer.Exit(NOTHING_FOUND)
