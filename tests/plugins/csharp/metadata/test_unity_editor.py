"""Assemblies of the Unity engine, found where its editor is installed and where it has compiled packages."""

from __future__ import annotations

import json
from pathlib import Path

from codemap_core.hooks.contracts import FoundLibraries
from codemap_core.model import PackageReference, Project
from codemap_plugins.csharp.metadata.discover import machine_libraries

_VERSION = "2022.3.39f1"
_EDITOR = f"Unity/Hub/Editor/{_VERSION}/Editor/Data/Managed"


def _project(path: str, version: str | None = _VERSION) -> Project:
    return Project(
        project_path=path, name="Core", assembly_name="Core", packages=(PackageReference("UnityEngine", version),)
    )


def _write(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")


def _found(tmp_path: Path, projects: list[Project], **environment: str) -> FoundLibraries:
    return machine_libraries(projects, str(tmp_path / "shop"), environment, tmp_path)


def test_the_engine_and_what_the_editor_has_compiled(tmp_path: Path) -> None:
    _write(tmp_path / _EDITOR / "UnityEngine/UnityEngine.CoreModule.dll")
    _write(tmp_path / _EDITOR / "UnityEngine/UnityEditor.CoreModule.dll")
    _write(tmp_path / "shop/game/Library/ScriptAssemblies/Unity.TextMeshPro.dll")
    found = _found(tmp_path, [_project("game/Assets/Core/Core.asmdef"), _project("game/Assembly-CSharp.csproj")])
    compiled = tmp_path / "shop/game/Library/ScriptAssemblies"
    assert found.folders == (str(tmp_path / _EDITOR / "UnityEngine"), str(compiled))
    assert {str(compiled), str(tmp_path / "Unity/Hub/Editor" / _VERSION)} <= set(found.consulted)
    assert found.problems == ()


def test_an_editor_before_2020_keeps_its_own_assemblies_beside_those_of_the_engine(tmp_path: Path) -> None:
    _write(tmp_path / _EDITOR / "UnityEngine/UnityEngine.CoreModule.dll")
    _write(tmp_path / _EDITOR / "UnityEditor.dll")
    found = _found(tmp_path, [_project("Assets/Core.asmdef")])
    assert found.folders == (str(tmp_path / _EDITOR / "UnityEngine"), str(tmp_path / _EDITOR))


def test_a_folder_of_editors_that_the_user_has_chosen(tmp_path: Path) -> None:
    chosen = tmp_path / "editors"
    _write(chosen / _VERSION / "Unity.app/Contents/Managed/UnityEngine/UnityEditor.dll")
    settings = tmp_path / ".config/UnityHub/secondaryInstallPath.json"
    _write(settings)
    settings.write_text(json.dumps(str(chosen)))
    found = _found(tmp_path, [_project("Assets/Core.asmdef")])
    assert found.folders == (str(chosen / _VERSION / "Unity.app/Contents/Managed/UnityEngine"),)


def test_what_is_missing_is_said_once_with_what_to_do(tmp_path: Path) -> None:
    projects = [_project("Assets/One/One.asmdef"), _project("Assets/Two/Two.asmdef")]
    (problem,) = _found(tmp_path, projects).problems
    assert "Unity 2022.3.39f1 is not installed here" in problem.message
    assert "CODEMAP_REFERENCES" in problem.message
    assert _found(tmp_path, projects, CODEMAP_REFERENCES="/libraries").problems == ()
    _write(tmp_path / _EDITOR / "UnityEngine/UnityEditor.dll")
    (problem,) = _found(tmp_path, projects).problems
    assert "until the project has been opened in the editor once" in problem.message


def test_a_package_is_bound_against_the_newest_editor_there_is(tmp_path: Path) -> None:
    for version in ("2019.4.40f1", "2022.3.9f1", "2022.3.10f1"):
        _write(tmp_path / f"Unity/Hub/Editor/{version}/Editor/Data/Managed/UnityEngine/UnityEditor.dll")
    found = _found(tmp_path, [_project("shared/Runtime/Shared.asmdef", "2019.4")])
    assert found.folders == (str(tmp_path / "Unity/Hub/Editor/2022.3.10f1/Editor/Data/Managed/UnityEngine"),)


def test_a_version_that_is_a_path_is_not_looked_for(tmp_path: Path) -> None:
    found = _found(tmp_path, [_project("Assets/Core.asmdef", "../../../etc")])
    assert found.folders == ()
    assert not any("etc" in place for place in found.consulted)


def test_projects_without_the_engine_ask_for_nothing(tmp_path: Path) -> None:
    project = Project(project_path="App.csproj", name="App", assembly_name="App")
    assert not any("Unity" in place for place in _found(tmp_path, [project]).consulted)
