"""What documentation says and code decides: commands, links, paths, environment variables."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest
import typer

from codemap_server.cli.application import command_line
from codemap_server.cli.help_page import with_commands

ROOT: Final = Path(__file__).parents[2]
DOCUMENTS: Final = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
_LINK: Final = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_FENCE: Final = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
_PATH: Final = re.compile(
    r"`((?:codemap_core|codemap_plugins|codemap_server|migrations|tests|testdata|docs)/[\w./-]+)`"
)
IN_THE_WHEEL_ONLY: Final = frozenset({"codemap_core/_migrations"})
_MODULE: Final = re.compile(r"python -m (tests[\w.]+)")


def named(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


def slug(heading: str) -> str:
    """The anchor that renderers give a heading."""
    text = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return text.replace(" ", "-")


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_links_lead_somewhere(document: Path) -> None:
    text = _FENCE.sub("", document.read_text(encoding="utf-8"))
    broken: list[str] = []
    for target in _LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        found = (document.parent / path).resolve() if path else document
        if not found.exists():
            broken.append(target)
        elif anchor and found.suffix == ".md":
            headings = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), re.MULTILINE)
            if anchor not in {slug(heading) for heading in headings}:
                broken.append(target)
    assert broken == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_paths_exist(document: Path) -> None:
    mentioned = set(_PATH.findall(document.read_text(encoding="utf-8"))) - IN_THE_WHEEL_ONLY
    assert [path for path in sorted(mentioned) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=named)
def test_modules_that_are_run_exist(document: Path) -> None:
    for module in _MODULE.findall(document.read_text(encoding="utf-8")):
        assert (ROOT / module.replace(".", "/")).with_suffix(".py").exists(), module


def command_lines() -> Iterator[tuple[str, str]]:
    """(document, command line) of every ``codemap`` call in a fenced block of shell."""
    for document in DOCUMENTS:
        for block in re.findall(
            r"^```(?:sh|bash)?\n(.*?)^```", document.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        ):
            for line in block.replace("\\\n", " ").splitlines():
                for part in line.split("&&"):
                    if re.match(r"\s*(?:\S*/)?codemap\s", part):
                        yield named(document), part.strip()


def test_there_are_command_lines() -> None:
    assert sum(document == "README.md" for document, _ in command_lines()) > 6


@pytest.mark.parametrize(("document", "line"), list(command_lines()))
def test_commands_are_understood(document: str, line: str) -> None:
    """Parsed as the command line would be, to the last option; nothing is run."""
    words = shlex.split(line, comments=True)[1:]
    context = typer.main.get_command(command_line()).make_context("codemap", words, resilient_parsing=False)
    while True:
        group = context.command
        rest = [*context._protected_args, *context.args]
        if not rest or not hasattr(group, "resolve_command"):
            break
        name, command, rest = group.resolve_command(context, rest)
        assert command is not None, f"{document}: {line}"
        context = command.make_context(name, rest, parent=context)


def test_every_command_is_named_somewhere() -> None:
    written = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    group = typer.main.get_command(command_line())
    assert [name for name in group.commands if f"codemap {name}" not in written and f"`{name}`" not in written] == []  # type: ignore[attr-defined]


def test_the_command_line_s_page_is_its_help() -> None:
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert with_commands(page) == page, "python -m codemap_server.cli.help_page docs/command-line.md"


def test_the_ci_command_is_the_readme_s() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    script = ROOT / ".ci" / "run"
    (command,) = [line for line in script.read_text(encoding="utf-8").splitlines() if "pytest" in line]
    assert command in readme.splitlines()
    assert os.access(script, os.X_OK)


def test_decisions_are_short() -> None:
    lengths = {
        named(path): path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "docs" / "adr").glob("*.md")
    }
    assert lengths
    assert [name for name, lines in lengths.items() if lines > 40] == []


def test_the_sample_answers_as_the_readme_shows(tmp_path: Path) -> None:
    """The README's first command, from after the installation."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    environment = os.environ | {"CODEMAP_HOME": str(tmp_path), "COLUMNS": "400", "NO_COLOR": "1"}
    codemap = str(Path(sys.executable).with_name("codemap"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first = next(line for line in readme.splitlines() if line.startswith("python3 -m venv"))
    output = ""
    for part in first.split("&&"):
        words = shlex.split(part)
        if words[0].endswith("codemap"):
            done = subprocess.run(
                [codemap, *words[1:]], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
            )
            output = done.stdout
    shown = re.search(r"^The last command prints.*?^```\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    assert shown is not None
    unspaced = "".join(output.split())
    assert [line for line in shown[1].splitlines() if "".join(line.split()) not in unspaced] == []
