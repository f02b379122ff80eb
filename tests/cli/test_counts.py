"""What commands print agrees with what it counts: nothing, one and two of each."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import counted_repository
from tests.cli.conftest import Shell
from tests.clone import Clone
from tests.counted_repository import disagreements


@pytest.mark.parametrize(
    ("projects", "said"),
    [(0, "in 0 projects"), (1, "in 1 project, 1 analysed file"), (2, "in 2 projects, 2 analysed files")],
)
def test_index_counts_projects_and_files(codemap: Shell, tmp_path: Path, projects: int, said: str) -> None:
    clone = Clone(tmp_path / "repository")
    files: dict[str, str | bytes] = {"README.md": "text"}
    for number in range(projects):
        files[f"P{number}/P{number}.csproj"] = '<Project Sdk="Microsoft.NET.Sdk"></Project>'
        files[f"P{number}/A.cs"] = "class A { }"
    clone.commit(files)
    for _ in range(2):
        done = codemap("index", clone.root)
        assert disagreements(done.stdout + done.stderr) == []
        if "Already" not in done.stdout:
            assert said in done.stdout
    done = codemap("list")
    assert disagreements(done.stdout + done.stderr) == []


def test_questions_count_what_they_find(codemap: Shell, tmp_path: Path) -> None:
    clone = counted_repository.create(tmp_path / "repository")
    codemap("index", clone.root)
    for count, word in enumerate(("None", "One", "Two")):
        for command in (
            ("callers", f"Called.{word}"),
            ("callees", f"Calls.{word}"),
            ("refs", f"Called.{word}"),
            ("hierarchy", f"I{word}"),
            ("search", ("Nowhere", "IOne", "IOne OR ITwo")[count]),
            ("grep", ("nowhere", "once", "twice")[count]),
        ):
            done = codemap(*command, cwd=clone.root, fails=None)
            assert disagreements(done.stdout + done.stderr) == [], command
