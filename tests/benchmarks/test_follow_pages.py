"""The same pages of the sample as ``paging`` follows of any repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server import shop

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_every_page_holds_its_rows(tmp_path: Path) -> None:
    folder = tmp_path / "brewline"
    shutil.copytree(ROOT / "testdata" / "SampleSolution", folder, ignore=shutil.ignore_patterns("bin", "obj"))
    shop.git(folder, "init", "--quiet", "--initial-branch=main")
    shop.commit(folder, "First")
    environment = {**os.environ, "CODEMAP_HOME": str(tmp_path / "data")}
    codemap = Path(sys.executable).with_name("codemap")
    subprocess.run([codemap, "index", str(folder)], check=True, env=environment, capture_output=True)
    command = [sys.executable, "-m", "tests.benchmarks.paging", str(folder), "--questions", "2"]
    run = subprocess.run(command, check=False, env=environment, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "\n0 questions differ.\n" in run.stdout
