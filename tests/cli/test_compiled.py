"""The installed program, whose binder is compiled where the wheel was built beside a C compiler, against the sources."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
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


def test_an_installation_is_compiled_where_it_can_be(codemap: Shell, tmp_path: Path) -> None:
    """An editable one is not. What mypyc cannot compile would otherwise go unseen, as the build falls back to the sources."""
    says = installed(codemap, tmp_path / "home", tmp_path, "doctor")
    (line,) = (line for line in says.splitlines() if line.startswith("compiled modules"))
    assert ("yes" in line) == (_can_compile() and not _is_editable()), says


def _can_compile() -> bool:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    headers = Path(sysconfig.get_paths()["include"], "Python.h")
    return shutil.which(compiler) is not None and headers.is_file() and os.environ.get("CODEMAP_PURE", "") != "1"


def _is_editable() -> bool:
    url = distribution("codemap").read_text("direct_url.json")
    return url is not None and json.loads(url).get("dir_info", {}).get("editable", False)
