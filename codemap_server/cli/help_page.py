"""The commands of docs/command-line.md, made from the program's own help. A test compares; ``python -m codemap_server.cli.help_page
docs/command-line.md`` rewrites them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import typer
from typer.core import TyperArgument

from codemap_server.cli.application import command_line
from codemap_server.cli.help_text import meaning_of, spellings_of, summary, value_of

BEGIN: Final = "<!-- commands: made by codemap_server.cli.help_page -->"
END: Final = "<!-- end of commands -->"


def with_commands(page: str) -> str:
    """``page`` with its part between the two marks generated again."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{commands()}\n\n{END}{after}"


def commands() -> str:
    """Markdown: the commands by what they are for, then a section for each."""
    root = typer.main.get_command(command_line())
    return "\n\n".join([*_overview(root), *(_section(name, command) for name, command in _walk(root, "codemap"))])


def _overview(root: Any) -> Iterator[str]:
    panels: dict[str, list[str]] = {}
    for name, command in root.commands.items():
        panels.setdefault(str(command.rich_help_panel), []).append(f"| `{name}` | {summary(command)} |")
    for panel, rows in panels.items():
        yield "\n".join([f"| {panel} | |", "| --- | --- |", *rows])


def _walk(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _walk(command, f"{before} {name}")
        else:
            yield f"{before} {name}", command


def _section(name: str, command: Any) -> str:
    parts = [f"### {name}"]
    for paragraph in (command.help or "").split("\n\n"):
        if "\b" in paragraph:
            lines = [line.strip() for line in paragraph.replace("\b", "").splitlines()]
            parts.append("\n".join(["```sh", *(line for line in lines if line.startswith("codemap")), "```"]))
        else:
            parts.append(" ".join(paragraph.split()))
    shown = [each for each in command.params if not getattr(each, "hidden", False) and each.name != "help"]
    arguments = [each for each in shown if isinstance(each, TyperArgument)]
    options = [each for each in shown if not isinstance(each, TyperArgument)]
    rows = [f"| `{_cell(value_of(each))}` | {_cell(each.help or '')} |" for each in arguments]
    rows += [f"| `{_cell(spellings_of(each))}` | {_cell(meaning_of(each))} |" for each in options]
    if rows:
        parts.append("\n".join(["| | |", "| --- | --- |", *rows]))
    return "\n\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_commands(path.read_text(encoding="utf-8")), encoding="utf-8")
