"""``codemap db``: the schemas of the index files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import typer

from codemap_core.model.counting import counted
from codemap_server.cli.command_registry import NOTHING_FOUND, add_command
from codemap_server.cli.help_text import CommandGroup
from codemap_server.cli.options import Json
from codemap_server.cli.terminal import fail, print_json, table

_COLUMNS: Final[Sequence[tuple[str, dict[str, Any]]]] = (
    ("database", {"overflow": "fold"}),
    ("schema", {}),
    ("revision", {}),
    ("status", {}),
)
_PANEL: Final = "Commands"


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        cls=CommandGroup,
        help="Check and upgrade the index files in CODEMAP_HOME.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    add_command(group, "current", current, _PANEL)
    add_command(group, "upgrade", upgrade, _PANEL)
    add_command(group, "check", check, _PANEL)
    app.add_typer(group, name="db", rich_help_panel="Maintenance")


def current(output: Json) -> None:
    """List every index file with its schema revision."""
    from codemap_core.config import load_settings
    from codemap_core.storage import migrate

    settings = load_settings()
    found = migrate.current(settings)
    if output.json:
        print_json(
            [
                {
                    "path": str(each.path),
                    "schema": each.schema.value,
                    "revision": each.revision,
                    "status": each.standing.value,
                    "problem": each.problem or None,
                }
                for each in found
            ]
        )
        return
    if not found:
        typer.echo(f"No index files in {settings.data_directory}.")
        return
    table(
        _COLUMNS,
        [
            (str(s.path), s.schema.value, s.revision or "?", s.standing.value + (f": {s.problem}" if s.problem else ""))
            for s in found
        ],
    )


def upgrade(output: Json) -> None:
    """Bring every index file to the newest schema, each through a copy."""
    from codemap_core.config import load_settings
    from codemap_core.storage import migrate

    outcomes = migrate.upgrade(load_settings())
    upgraded = sum(outcome.upgraded for outcome in outcomes)
    failed = sum(bool(outcome.error) for outcome in outcomes)
    if output.json:
        errors = [outcome.error for outcome in outcomes if outcome.error]
        print_json({"files": len(outcomes), "upgraded": upgraded, "failed": failed, "errors": errors})
    else:
        for outcome in outcomes:
            if outcome.error:
                fail(outcome.error)
        files = counted(len(outcomes), "index file")
        current_count = len(outcomes) - upgraded - failed
        typer.echo(f"{files}: {upgraded} upgraded, {current_count} up to date, {failed} not usable.")
    if failed:
        raise typer.Exit(NOTHING_FOUND)


def check(output: Json) -> None:
    """Check that the tables and the migrations agree; for developers of CodeMap."""
    from codemap_core.storage import migrate

    schemas = migrate.check()
    if output.json:
        print_json(
            [
                {
                    "schema": each.schema.value,
                    "heads": list(each.heads),
                    "differences": list(each.differences),
                    "ok": each.is_good,
                }
                for each in schemas
            ]
        )
    else:
        for each in schemas:
            state = "ok" if each.is_good else "differs: " + "; ".join(each.differences or each.heads)
            typer.echo(f"{each.schema.value}: head {', '.join(each.heads)}: {state}")
    if not all(each.is_good for each in schemas):
        raise typer.Exit(NOTHING_FOUND)
