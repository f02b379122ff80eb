"""A repository that was made to be run or to drive a terminal: indexing it and asking about it does neither."""

from __future__ import annotations

import os
import pty
import select
from pathlib import Path
from subprocess import Popen
from typing import Final

import pytest

from tests.cli.conftest import PROGRAM, Shell
from tests.clone import Clone

MODULES: Final = (
    "msgspec",
    "sqlalchemy",
    "sitecustomize",
    "usercustomize",
    "typer",
    "numpy",
    "git",
    "json",
    "conftest",
)
"""What Python would import from the current folder, if it looked there."""
DRIVING: Final = ("\x1b]0;title\x07", "\x1b[2J", "\x1b[1A", "\x9b2J", "\r", "\b", "\u202e", "\u2066")
PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk" InitialTargets="Run">
<PropertyGroup><TargetFramework>net8.0</TargetFramework><PreBuildEvent>{run}</PreBuildEvent></PropertyGroup>
<Target Name="Run"><Exec Command="{run}" /></Target></Project>"""


@pytest.fixture
def marker(clone: Clone, tmp_path: Path) -> Path:
    """A file that exists once anything of the repository has run."""
    marker = tmp_path / "marker"
    run = f"open({str(marker)!r}, 'a').write(__name__)\n"
    files = {f"{name}.py": run for name in MODULES}
    files |= {
        f"{package}/__init__.py": run
        for package in ("codemap_core", "codemap_plugins", "codemap_server", "tree_sitter")
    }
    files |= {
        "evil.dist-info/METADATA": "Metadata-Version: 2.1\nName: evil\nVersion: 1\n",
        "evil.dist-info/entry_points.txt": "[codemap]\nevil = msgspec\n",
        "config.json": '{"plugins": ["msgspec"]}',
        "Evil.csproj": PROJECT.format(run=f"touch {marker}"),
        "Directory.Build.targets": PROJECT.format(run=f"touch {marker}"),
        "Code.cs": "class Code { void Run() { Run(); } }\n",
    }
    clone.commit(files)
    return marker


def test_nothing_of_a_repository_runs(codemap: Shell, clone: Clone, marker: Path) -> None:
    """From its own folder, with processes of their own for indexing, patterns and vectors."""

    def run(*arguments: str) -> None:
        process = Popen(
            [str(Path(PROGRAM[0]).with_name("codemap")), *arguments], cwd=clone.root, env=codemap.environment
        )
        assert process.wait(120) == 0

    run("index", "--jobs", "2")
    run("grep", "R.n")
    run("explain", "Code.cs:1")
    run("call", "find_similar", "node_id=M:Code.Run")
    assert not marker.exists(), marker.read_text()


def test_text_of_a_repository_does_not_drive_a_terminal(codemap: Shell, clone: Clone) -> None:
    text = "".join(f"word{each}word " for each in DRIVING)
    clone.commit(
        {"A.cs": f'class A {{ string text = "{text}"; }} // \x1b[31mred\n', "P.csproj": PROJECT.format(run="")}
    )
    codemap("index", "-q", cwd=clone.root)
    for arguments in (
        ("grep", "word"),
        ("show", "A"),
        ("outline", "A.cs"),
        ("call", "code.search_text", "pattern=word"),
    ):
        shown = _on_terminal(codemap, clone, *arguments)
        assert "word" in shown or arguments[0] == "outline"
        for each in DRIVING:
            assert f"word{each}" not in shown, (arguments, each)
    assert "\x1b]0;" in codemap("grep", "word", cwd=clone.root).stdout


def _on_terminal(codemap: Shell, clone: Clone, *arguments: str) -> str:
    ours, theirs = pty.openpty()
    environment = {**codemap.environment, "TERM": "xterm-256color", "COLUMNS": "400"}
    process = Popen([*PROGRAM, *arguments], cwd=clone.root, env=environment, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 60)[0]:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        shown += part
    os.close(ours)
    assert process.wait(60) == 0
    return shown.decode().replace("\r\n", "\n")
