"""One distribution for each way to misbehave, made from ``testdata/plugins/misbehaving``, installed and indexed with: each is named with
its version, its file and what is wrong, the program ends with 0, and all other rows are, byte for byte, those without it."""

from __future__ import annotations

import os
import sys
import textwrap
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct, convert

from codemap_core.forking import can_fork
from codemap_core.hooks.manager import BLOCK_VARIABLE
from tests.clone import Clone
from tests.plugins.conftest import ROOT, Installation

pytestmark = pytest.mark.skipif(not can_fork(), reason="what ends its process ends CodeMap's where none can be forked")
FOLDER: Final = ROOT / "testdata" / "plugins" / "misbehaving"
PROJECT: Final = """[project]
name = "codemap-misbehaving-{name}"
version = "1.0.0"
dependencies = ["codemap"]

[project.entry-points.codemap]
{word} = "codemap_{word}.plugin"

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["codemap_{word}"]
"""
SOURCES: Final = {
    "README.md": "# Read\n",
    "src/A.cs": "class A\n{\n    void M() { N(); }\n    void N() { }\n}\n",
    "src/B.cs": "class B : A { }\n",
}
DUMPING: Final = """
import sys
from codemap_server.cli.application import main
for kind in ("symbols", "refs", "relations", "facts", "files", "projects"):
    sys.argv = ["codemap", "dump", kind, sys.argv[-1]]
    try:
        main()
    except SystemExit as end:
        assert not end.code, end
"""


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """As ``rows.toml`` says."""

    point: str
    body: str
    says: str
    file: str


ROWS: Final = convert(tomllib.loads((FOLDER / "rows.toml").read_text(encoding="utf-8")), dict[str, Row])


def lay_out(folder: Path, name: str, row: Row) -> Path:
    """The project of a distribution."""
    project, word = folder / name, name.replace("-", "_")
    package = project / f"codemap_{word}"
    package.mkdir(parents=True)
    (project / "pyproject.toml").write_text(PROJECT.format(name=name, word=word), encoding="utf-8")
    (package / "__init__.py").touch()
    template = "".join((FOLDER / f"{each}.txt").read_text(encoding="utf-8") for each in ("common", row.point))
    lines = []
    for line in template.replace("NAME", name).replace("WORD", word).splitlines():
        body = textwrap.indent(row.body.strip(), line.removesuffix("BODY")) if line.endswith("BODY") else line
        lines.append(body)
    (package / "plugin.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return project


@pytest.fixture(scope="module")
def misbehaving(installation: Installation, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The program, with all of them on the path that it finds distributions on."""
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("misbehaving")
    for name, row in ROWS.items():
        project = lay_out(folder / "projects", name, row)
        list(WheelBuilder(str(project)).build(directory=str(folder / "wheels"), versions=["standard"]))
    wheels = sorted((folder / "wheels").glob("*.whl"))
    assert len(wheels) == len(ROWS)
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", folder / "site")
    installation.run(*pip, *wheels)
    return installation.with_environment(
        {"PYTHONPATH": str(folder / "site"), "CODEMAP_HOME": str(folder / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    )


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    languages = [f"a.{name}" for name, row in ROWS.items() if row.point in ("declare", "analyse", "question")]
    clone = Clone(tmp_path_factory.mktemp("misbehaved") / "repository")
    clone.commit(SOURCES | dict.fromkeys(languages, "x\n"))
    return clone.root


def without(program: Installation, names: Iterable[str]) -> Installation:
    words = [name.replace("-", "_") for name in names]
    blocked = ",".join((program.environment[BLOCK_VARIABLE], *words))
    return program.with_environment(program.environment | {BLOCK_VARIABLE: blocked})


def rows_of(program: Installation, repository: Path) -> list[str]:
    """What ``codemap dump`` prints of each kind; but of the files that the distributions' own languages would read, which are text where
    these are not installed."""
    said = program.run(program.python, "-c", DUMPING, repository)
    return [line for line in said.splitlines(keepends=True) if '"file_path":"a.' not in line]


@pytest.fixture(scope="module")
def sound(misbehaving: Installation, repository: Path) -> list[str]:
    """Without any of them."""
    program = without(misbehaving, ROWS)
    program.codemap("index", repository)
    rows = rows_of(program, repository)
    assert len(rows) == 10
    return rows


def check_named(said: str, rows: Mapping[str, Row]) -> None:
    said = " ".join(said.split())
    for name, row in rows.items():
        word = name.replace("-", "_")
        distribution = f"codemap-misbehaving-{name} 1.0.0"
        if row.point in ("import", "hook"):
            assert f"plug-in {word} (of {distribution}) {row.says}" in said, name
            continue
        (found,) = {part for part in said.split("warning: ") if f"{word} ({distribution})" in part}
        assert row.says in found, name
        assert row.file in found, name


def test_each_is_named_and_costs_nobody_else(misbehaving: Installation, repository: Path, sound: list[str]) -> None:
    """All at once, and again when they are tried again."""
    program = misbehaving.python.with_name("codemap")
    for option in ((), ("--retry",)):
        done = misbehaving.complete(program, "index", repository, *option)
        check_named(done.stderr, ROWS)
        assert not {"printed", "written", "put"} & set(done.stdout.split()), "what plug-ins print is not in the output"
        assert rows_of(misbehaving, repository) == sound
    recalled = misbehaving.complete(program, "index", repository).stderr
    assert "tries again" in recalled
    listed = misbehaving.codemap("plugins")
    assert all(f"codemap-misbehaving-{name}" in " ".join(listed.split()) for name in ROWS)


@pytest.mark.long
@pytest.mark.parametrize("name", ROWS)
def test_alone(misbehaving: Installation, repository: Path, sound: list[str], name: str) -> None:
    program = without(misbehaving, ROWS.keys() - {name})
    done = program.complete(program.python.with_name("codemap"), "index", repository)
    check_named(done.stderr, {name: ROWS[name]})
    assert rows_of(program, repository) == sound


def test_every_way_has_a_template() -> None:
    templates = {each.stem for each in FOLDER.glob("*.txt")} - {"common"}
    assert templates == {row.point for row in ROWS.values()}
    assert os.sep not in "".join(ROWS)
