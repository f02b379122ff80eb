"""How help looks: plain text of 80 columns, commands under headings, nothing beside an option but its value and its meaning."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

HELP_OPTIONS = ("-h", "--help")


class Command(TyperCommand):
    """A command whose help says of each argument and option its name, its value and its meaning, and nothing else."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        arguments = (each for each in self.get_params(ctx) if isinstance(each, TyperArgument))
        return ["[OPTIONS]", *map(_usage_of, arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_parameters(self, ctx, formatter)


class CommandGroup(TyperGroup):
    """A group whose commands stand under the headings that they were registered with, in order of registration."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        _write_parameters(self, ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        panels: dict[str, list[tuple[str, str]]] = {}
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                heading = getattr(command, "rich_help_panel", None)
                heading = heading if isinstance(heading, str) else "Commands"
                panels.setdefault(heading, []).append((name, summary(command)))
        width = max((len(name) for rows in panels.values() for name, _ in rows), default=0)
        for heading, rows in panels.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), said) for name, said in rows])


def _write_parameters(command: Any, ctx: Any, formatter: Any) -> None:
    shown = [each for each in command.get_params(ctx) if not getattr(each, "hidden", False)]
    arguments = [each for each in shown if isinstance(each, TyperArgument)]
    options = [each for each in shown if not isinstance(each, TyperArgument)]
    for heading, records in (
        ("Arguments", [(value_of(each), each.help or "") for each in arguments]),
        ("Options", [(spellings_of(each), meaning_of(each)) for each in options]),
    ):
        if records:
            with formatter.section(heading):
                formatter.write_dl(records)


def _usage_of(argument: TyperArgument) -> str:
    """Brackets say that an argument may be left out; nothing else is added to its name."""
    written = value_of(argument)
    return written if argument.required or written.startswith("[") else f"[{written}]"


def spellings_of(option: Any) -> str:
    names = sorted([*option.opts, *option.secondary_opts], key=lambda name: name.startswith("--"))
    spelt = ", ".join(names)
    return spelt if option.is_flag else f"{spelt} {value_of(option)}"


def value_of(parameter: Any) -> str:
    """``NAME`` as the usage line has it; the words that may be chosen where there are few."""
    written = parameter.metavar or str(parameter.name).upper()
    return str(written)


def meaning_of(option: Any) -> str:
    default = getattr(option.default, "value", option.default)
    said = option.help or ""
    if option.is_flag or not option.show_default or default in (None, "", 0) or callable(default):
        return said
    return f"{said}  [default: {default}]"


def summary(command: Any) -> str:
    """The first sentence of a command's help, without its full stop."""
    first = (command.help or "").strip().partition("\n\n")[0]
    return " ".join(first.split()).rstrip(".")


def help_of(ctx: typer.Context, names: list[str]) -> str:
    """The help of the command that ``names`` lead to. Raises: usage errors, for names of nothing."""
    root = ctx.find_root()
    command: Any = root.command
    found: Any = root
    for name in names:
        if not isinstance(command, TyperGroup):
            found.fail(f"No such command {name!r}.")
        command = command.resolve_command(found, [name])[1]
        found = type(root)(command, info_name=name, parent=found)
    text: str = command.get_help(found)
    return text
