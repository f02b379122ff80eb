"""``codemap summarize`` and ``export``: an architecture on one page, and as a text of a chosen size."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from msgspec import Struct

from codemap_core.model.counting import counted
from codemap_server.cli.asking import asker
from codemap_server.cli.command_registry import add_command
from codemap_server.cli.options import AskedRevision, Json, Place, at_least, parts
from codemap_server.cli.search_commands import whole_answer
from codemap_server.cli.terminal import note, print_json


class _Sections(Struct, frozen=True):
    section: Annotated[
        list[str] | None,
        typer.Option("--section", "-s", metavar="NAME", help="Only this section: entry_points, data, …; repeatable."),
    ] = None

    @property
    def keys(self) -> list[str]:
        return parts(self.section)


def register(app: typer.Typer) -> None:
    add_command(app, "summarize", summarize, "Ask")
    add_command(app, "export", export, "Ask")


def summarize(
    place: Place,
    revision: AskedRevision,
    output: Json,
    sections: _Sections,
) -> None:
    """Summarize the architecture on one page.

    The page has projects and layers, entry points, data, messages, services, middleware, settings, and what was not
    seen. A section that --section names is shown in full.

    \b
    Examples:
      codemap summarize
      codemap summarize --section entry_points
    """
    with asker(place.folder, revision) as asks:
        found = asks.ask("codemap.summarize", section=sections.keys)
        if output.json:
            print_json(whole_answer([found]))
            return
        sys.stdout.writelines(f"{line}\n" for line in (found.answer, *found.data.lines()))
        for said in found.notes:
            note(said)


def export(
    place: Place,
    revision: AskedRevision,
    sections: _Sections,
    format: Annotated[str, typer.Option("--format", metavar="FORMAT", help="markdown or json.")] = "markdown",
    json: Annotated[bool, typer.Option("--json", help="Same as --format json.")] = False,
    detail: Annotated[
        str, typer.Option("--detail", metavar="DETAIL", help="summary, standard (with the public types) or full.")
    ] = "standard",
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", metavar="N", callback=at_least(1), help="Approximate length of the text.")
    ] = 4000,
) -> None:
    """Write the architecture and the public types as one text.

    The text is for a model that has no tools. A token counts as four characters.

    \b
    Examples:
      codemap export
      codemap export --detail full --max-tokens 50000
    """
    from codemap_core.queries.summary.export import export as export_of
    from codemap_core.queries.summary.export import parse_detail, parse_format
    from codemap_core.queries.summary.page import name_of, parse_sections

    format_, wanted = parse_format("json" if json else format), parse_detail(detail)
    keys = parse_sections(sections.keys)
    with asker(place.folder, revision) as asks:
        snapshot = asks.snapshot()
        found = export_of(snapshot, name_of(snapshot), format_, wanted, max_tokens, keys)
    sys.stdout.write(found.content if found.content.endswith("\n") else f"{found.content}\n")
    left = "; more fits into a larger --max-tokens" if found.truncated else ""
    note(f"About {counted(found.estimated_tokens, 'token')}{left}.")
