"""The installed program, whose binder is compiled where the wheel was built beside a C compiler, against the sources."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Shell

SAMPLE = Path(__file__).parents[2] / "testdata" / "SampleSolution"


def installed(codemap: Shell, home: Path, folder: Path, *arguments: str) -> str:
    """What the console script prints, run where no sources are found."""
    program = Path(sys.executable).with_name("codemap")
    environment = {name: value for name, value in codemap.environment.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [program, *arguments],
        cwd=folder,
        env={**environment, "CODEMAP_HOME": str(home)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("rows", ["symbols", "refs", "relations"])
def test_the_installed_program_gives_the_rows_of_the_sources(codemap: Shell, tmp_path: Path, rows: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    codemap("index", SAMPLE)
    expected = codemap("dump", rows, SAMPLE).stdout
    installed(codemap, tmp_path / "home", tmp_path / "elsewhere", "index", str(SAMPLE))
    found = installed(codemap, tmp_path / "home", tmp_path / "elsewhere", "dump", rows, str(SAMPLE))
    assert found == expected
    assert expected


def test_doctor_says_whether_modules_are_compiled(codemap: Shell, tmp_path: Path) -> None:
    assert "compiled modules" in codemap("doctor").stdout
    assert "compiled modules" in installed(codemap, tmp_path / "home", tmp_path, "doctor")
