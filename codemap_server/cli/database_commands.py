"""``codemap db``: the schemas of the index files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import typer

from codemap_server.cli.terminal import fail, table

_COLUMNS: Final[Sequence[tuple[str, dict[str, Any]]]] = (
    ("database", {"overflow": "fold"}),
    ("schema", {}),
    ("revision", {}),
    ("standing", {}),
)


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Look after the index files in CODEMAP_HOME.", no_args_is_help=True)
    group.command("current")(current)
    group.command("upgrade")(upgrade)
    group.command("check")(check)
    app.add_typer(group, name="db", rich_help_panel="Maintenance")


def current() -> None:
    """List every index file with its schema revision."""
    from codemap_core.config import load_settings
    from codemap_core.storage import migrate

    settings = load_settings()
    found = migrate.current(settings)
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


def upgrade() -> None:
    """Bring every index file to the newest schema, each through a copy."""
    from codemap_core.config import load_settings
    from codemap_core.storage import migrate

    outcomes = migrate.upgrade(load_settings())
    for outcome in outcomes:
        if outcome.error:
            fail(outcome.error)
    upgraded = sum(outcome.upgraded for outcome in outcomes)
    failed = sum(bool(outcome.error) for outcome in outcomes)
    typer.echo(
        f"{len(outcomes)} index files: {upgraded} upgraded, {len(outcomes) - upgraded - failed} current, {failed} not usable."
    )
    if failed:
        raise typer.Exit(1)


def check() -> None:
    """Check that tables and migrations say the same; for developers of CodeMap."""
    from codemap_core.storage import migrate

    good = True
    for found in migrate.check():
        good = good and found.is_good
        state = "ok" if found.is_good else "differs: " + "; ".join(found.differences or found.heads)
        typer.echo(f"{found.schema.value}: head {', '.join(found.heads)}: {state}")
    if not good:
        raise typer.Exit(1)
