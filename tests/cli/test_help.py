"""Help, versions and what is asked in a way nobody understands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from codemap_core.version import __version__
from codemap_server.cli.application import COMMANDS, command_line
from codemap_server.cli.help_text import Command, CommandGroup
from tests.cli.conftest import Shell


def commands() -> Iterator[tuple[str, ...]]:
    def walk(command: Any, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if isinstance(command, Command | CommandGroup):
            yield names
        for name, each in getattr(command, "commands", {}).items():
            yield from walk(each, (*names, name))

    return walk(typer.main.get_command(command_line()), ())


@pytest.mark.parametrize("names", list(commands()), ids=" ".join)
def test_help_fits_a_terminal_and_says_what_things_are(names: tuple[str, ...]) -> None:
    def run(*arguments: str) -> str:
        return CliRunner(env={"COLUMNS": "80"}).invoke(command_line(), list(arguments), prog_name="codemap").stdout

    text = run(*names, "--help")
    assert run("help", *names) == text
    assert [line for line in text.splitlines() if len(line) > 80] == []
    assert [word for word in ("<bool>", "range", "<str>", "[bold]", "·") if word in text] == []
    usage = text.partition("\n\n")[0]
    assert [doubled for doubled in ("{", "[[", "]]", "...]...") if doubled in usage] == []
    for line in re.findall(r"^    codemap .*", text, re.MULTILINE):
        assert f"codemap {' '.join(names)}".strip() in line or not names


@pytest.mark.parametrize("command", ["show", "refs", "callers", "callees", "hierarchy", "context"])
def test_what_narrows_the_symbol_that_is_named_does_not_read_as_a_filter_of_the_answer(command: str) -> None:
    text = CliRunner().invoke(command_line(), ["help", command], prog_name="codemap").stdout
    for option in (
        "kind" if command in ("show", "callers", "hierarchy", "context") else "symbol-kind",
        "file",
        "project",
    ):
        assert re.search(rf"--{option} [A-Z]+ +The symbol is ", text), option


def test_one_module_registers_the_commands_that_the_table_says() -> None:
    def registered(wanted: str) -> set[str]:
        root: Any = typer.main.get_command(command_line(wanted))
        return set(root.commands) - {"version", "help"}

    for names in COMMANDS.values():
        assert [registered(name) for name in names] == [set(names)] * len(names)
    assert registered("") == {name for names in COMMANDS.values() for name in names}


@pytest.mark.parametrize("arguments", [["--version"], ["-V"], ["version"]])
def test_the_version(codemap: Shell, arguments: list[str]) -> None:
    assert codemap(*arguments).stdout == f"codemap {__version__}\n"


def test_usage_errors_suggest_what_was_meant(codemap: Shell) -> None:
    assert "'search'" in codemap("serach", "X", fails=2).stderr
    assert "'setup'" in codemap("help", "setpu", fails=2).stderr
    assert (
        "'--json'" in codemap("doctor", "--jsno", fails=2).stderr
        or "--json" in codemap("doctor", "--jsno", fails=2).stderr
    )
