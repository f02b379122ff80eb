"""One test for each rule by which the engine makes assemblies of scripts; the rules are data, see ``loader_cases``."""

from __future__ import annotations

from pathlib import Path

import pytest

from codemap_plugins.unity.loader import UnityProjectLoader
from tests.plugins.loader_cases import Case, MemoryFiles, check, read_cases

_CASES = Path(__file__).parent / "cases"


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in read_cases(_CASES)])
def test_case(case: Case) -> None:
    check(UnityProjectLoader(), case)


def test_a_repository_without_unity_has_none_of_its_projects() -> None:
    files = MemoryFiles({"App.csproj": b"<Project/>", "Assets/a.cs": b"", "Packages/manifest.json": b"{}"})
    assert UnityProjectLoader().load(files, None).projects == ()


def test_a_solution_names_none_of_them() -> None:
    files = MemoryFiles({"App.sln": b"", "ProjectSettings/ProjectVersion.txt": b"", "Assets/a.cs": b""})
    assert UnityProjectLoader().load(files, "App.sln").projects == ()
    assert [project.name for project in UnityProjectLoader().load(files, None).projects] == ["Assembly-CSharp"]
