"""Names that documents give: tools, arguments, options, settings and the fields of answers exist, and those that exist are documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from codemap_core.errors import CodeMapError, ErrorCode
from codemap_core.hooks.manager import load_plugins
from codemap_server.cli.application import command_line
from tests.docs.test_documentation import DOCUMENTS, ROOT, named

_SPAN: Final = re.compile(r"`([^`\n]+)`")
_FENCE: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_OPTION: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_ASSIGNED: Final = re.compile(r"(?:^|[ (])([a-z][a-z_]+)=")
_TOOL: Final = re.compile(r"(?:repo|index|symbols|code|refs|graph|types|surfaces|codemap|workspace)\.[a-z_]+")
OTHER_PROGRAMS: Final = frozenset({"--protocol-era", "--cli", "--method", "--tool-name", "--tool-args-json", "--help"})
"""Options of the MCP Inspector, and of the programs that measure."""
LEFT_TO_TESTS: Final = frozenset({"CODEMAP_ORACLE", "CODEMAP_ORACLE_REFS", "CODEMAP_RELEASES"})
"""Variables that only tests and measurements read."""


def commands(command: Any, path: str = "") -> Iterator[tuple[str, set[str]]]:
    """The options of each command, by its path; ``typer`` brings a ``click`` of its own."""
    yield (
        path,
        {
            name
            for each in command.params
            if each.param_type_name == "option"
            for name in each.opts + each.secondary_opts
        },
    )
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, f"{path} {name}".strip())


COMMANDS: Final = dict(commands(typer.main.get_command(command_line())))
OPTIONS: Final = set[str]().union(*COMMANDS.values())
TOOLS: Final = {tool.name: tool for family in load_plugins().tool_families for tool in family.tools}
ARGUMENTS: Final = {name for tool in TOOLS.values() for name in tool.arguments.__struct_fields__}


FIELDS: Final = frozenset({"index.quality", "index.is_current"})
"""Of the answer of ``repo.status``."""


def spans(text: str) -> list[str]:
    return _SPAN.findall(_FENCE.sub("", text))


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_options_exist(document: Path) -> None:
    written = {
        option
        for span in spans(document.read_text(encoding="utf-8"))
        if span.startswith(("--", "codemap "))
        for option in _OPTION.findall(span)
    }
    assert written - OPTIONS - OTHER_PROGRAMS - {"--install-completion"} == set()


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_an_option_is_one_of_the_command_beside_it(document: Path) -> None:
    wrong = []
    for span in spans(document.read_text(encoding="utf-8")):
        words = span.split()
        if words[:1] != ["codemap"]:
            continue
        path = ""
        for word in words[1:]:
            if f"{path} {word}".strip() not in COMMANDS:
                break
            path = f"{path} {word}".strip()
        wrong += [span for option in _OPTION.findall(span) if option not in COMMANDS[path] | {"--install-completion"}]
    assert wrong == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_tools_exist(document: Path) -> None:
    written = {
        match[0]
        for span in spans(document.read_text(encoding="utf-8"))
        for match in _TOOL.finditer(span)
        if match.end() == len(span) or span[match.end()] in " ("
        if match.start() == 0 or span[match.start() - 1] == " "
    }
    assert written - TOOLS.keys() - FIELDS == set()


@pytest.mark.parametrize("document", ["tools.md", "workspaces.md", "difference.md", "storage.md"])
def test_arguments_exist(document: str) -> None:
    """Those that are written with a value."""
    text = (ROOT / "docs" / document).read_text(encoding="utf-8")
    written = {name for span in spans(text) for name in _ASSIGNED.findall(span)}
    assert written - ARGUMENTS - {"key"} == set()  # key=value stands for any


def test_every_option_of_the_server_is_in_its_table() -> None:
    text = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    table = text.partition("### Options of `codemap serve`")[2].partition("\n## ")[0]
    assert {option for option in COMMANDS["serve"] if f"`{option}" not in table} <= {"--repo", "--help", "-h"}


def test_every_setting_of_the_environment_is_documented() -> None:
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for package in ("codemap_core", "codemap_plugins", "codemap_server", ".build")
        for path in (ROOT / package).rglob("*.py")
    )
    read = set(re.findall(r'"(CODEMAP_[A-Z_]+)"', code))
    written = "\n".join(each.read_text(encoding="utf-8") for each in DOCUMENTS)
    assert {name for name in read if name not in written} == set()
    named_there = set(re.findall(r"CODEMAP_[A-Z_]+", written))
    assert named_there - read - LEFT_TO_TESTS == set()


def test_every_error_code_is_documented() -> None:
    text = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `([A-Z_]+)` \| (?:yes|no) \|", text, re.MULTILINE))
    raised = {each.code for each in _with_subclasses(CodeMapError)} | {ErrorCode.INTERNAL_ERROR}
    assert documented == {code.value for code in raised}


def _with_subclasses(error: type[CodeMapError]) -> set[type[CodeMapError]]:
    return {error}.union(*map(_with_subclasses, error.__subclasses__()))
