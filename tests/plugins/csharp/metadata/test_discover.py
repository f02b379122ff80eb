from __future__ import annotations

import json
from pathlib import Path

import pytest

from codemap_core.model import PackageReference, Project
from codemap_plugins.csharp.metadata.discover import (
    machine_libraries,
    nearest_framework,
    package_roots,
    package_version,
    reference_pack_folders,
    restored_folders,
)


def folders(projects: list[Project], work_tree: str, environment: dict[str, str], home: Path | None) -> list[Path]:
    return [Path(each) for each in machine_libraries(projects, work_tree, environment, home).folders]


@pytest.mark.parametrize(
    ("target", "available", "expected"),
    [
        ("net8.0", ["net6.0", "net9.0", "netstandard2.0"], "net6.0"),
        ("net8.0", ["net462", "netstandard2.0", "netstandard2.1"], "netstandard2.1"),
        ("net8.0", ["net462"], None),
        ("net8.0", ["net8.0-windows7.0", "net6.0"], "net6.0"),
        ("net8.0-windows", ["net8.0-windows7.0", "net8.0"], "net8.0-windows7.0"),
        ("net10.0", ["net9.0", "net10.0"], "net10.0"),
        ("netcoreapp2.1", ["netstandard2.1", "netstandard2.0"], "netstandard2.0"),
        ("net472", ["net45", "net462", "netstandard2.0", "net8.0"], "net462"),
        ("netstandard2.0", ["netstandard1.6", "netstandard2.1"], "netstandard1.6"),
        ("unknown", ["net8.0"], None),
    ],
)
def test_nearest_framework(target: str, available: list[str], expected: str | None) -> None:
    assert nearest_framework(target, available) == expected


def test_reference_packs(tmp_path: Path) -> None:
    for version in ("8.0.9", "8.0.11", "8.0.11-rc.1"):
        (tmp_path / "packs" / "Microsoft.NETCore.App.Ref" / version / "ref" / "net8.0").mkdir(parents=True)
    (found,) = reference_pack_folders(tmp_path, "net8.0-windows")
    assert found.parts[-3:] == ("8.0.11", "ref", "net8.0")
    assert reference_pack_folders(tmp_path, "net9.0") == []


def test_packages(tmp_path: Path) -> None:
    root = tmp_path / ".nuget" / "packages"
    for path in ("lib.one/1.0.0/lib/net8.0", "lib.one/2.0.0/lib/net8.0", "lib.one/2.0.0/ref/netstandard2.0"):
        (root / path).mkdir(parents=True)
    roots = package_roots({}, tmp_path)
    assert roots == [root]
    assert package_version(roots, "Lib.One", "1.0.0") == root / "lib.one/1.0.0"
    assert package_version(roots, "Lib.One", None) == root / "lib.one/2.0.0"
    assert package_version(roots, "Lib.Two", None) is None


def test_restored(tmp_path: Path) -> None:
    root = tmp_path / "packages"
    (root / "lib.one/1.0.0/lib/net8.0").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    assets = tmp_path / "project.assets.json"
    compile_items: dict[str, object] = {
        "lib/net8.0/Lib.One.dll": {},
        "lib/net8.0/_._": {},
        "../../../../outside/Evil.dll": {},
    }
    content = {
        "targets": {"net8.0": {"Lib.One/1.0.0": {"type": "package", "compile": compile_items}}},
        "libraries": {"Lib.One/1.0.0": {"path": "lib.one/1.0.0"}},
        "packageFolders": {str(root): {}},
    }
    assets.write_text(json.dumps(content))
    assert restored_folders(assets, []) == []
    assert restored_folders(assets, [root]) == [root / "lib.one/1.0.0/lib/net8.0"]


@pytest.mark.parametrize(
    "content", ["", "[]", '{"targets": 3}', '{"targets": {"a": {"b": {"compile": {"c.dll": 1}}}}}']
)
def test_other_lock_files(tmp_path: Path, content: str) -> None:
    path = tmp_path / "project.assets.json"
    path.write_text(content)
    assert restored_folders(path, [tmp_path]) == []
    assert restored_folders(tmp_path / "missing.json", [tmp_path]) == []


def test_packages_and_what_their_manifests_name(tmp_path: Path) -> None:
    root = tmp_path / ".nuget" / "packages"
    for path in ("lib.one/1.0.0/lib/net8.0", "lib.two/3.1.0/lib/netstandard2.0", "lib.three/1.0.0/lib/net8.0"):
        (root / path).mkdir(parents=True)
        (root / path / "A.dll").touch()
    (root / "lib.one/1.0.0/lib.one.nuspec").write_text(
        '<package><metadata><dependencies><group targetFramework="net8.0">'
        '<dependency id="Lib.Two" version="[3.1.0, )" exclude="Build" /><dependency id="Lib.One" version="1.0.0" />'
        '<dependency id="../../evil" version="1" /></group></dependencies></metadata></package>'
    )
    packages = (PackageReference("Lib.One", "1.0.0"), PackageReference("../..", None))
    project = Project(
        project_path="src/A/A.csproj", name="A", assembly_name="A", target_framework="net9.0", packages=packages
    )
    found = [root / "lib.one/1.0.0/lib/net8.0", root / "lib.two/3.1.0/lib/netstandard2.0"]
    assert folders([project], "", {}, tmp_path) == found
    assert folders([project], "", {"NUGET_PACKAGES": str(tmp_path / "none")}, tmp_path) == []
    assert folders([project], "", {"NUGET_PACKAGES": str(root)}, None) == found
    assert package_roots({}, None) == []


def test_what_a_restore_chose_stands_for_the_packages(tmp_path: Path) -> None:
    root = tmp_path / ".nuget" / "packages"
    for path in ("lib.one/1.0.0/lib/net8.0", "lib.one/2.0.0/lib/net8.0"):
        (root / path).mkdir(parents=True)
        (root / path / "A.dll").touch()
    obj = tmp_path / "checkout" / "src" / "A" / "obj"
    obj.mkdir(parents=True)
    content = {
        "targets": {"net8.0": {"Lib.One/1.0.0": {"type": "package", "compile": {"lib/net8.0/Lib.One.dll": {}}}}},
        "libraries": {"Lib.One/1.0.0": {"path": "lib.one/1.0.0"}},
        "packageFolders": {str(root): {}},
    }
    (obj / "project.assets.json").write_text(json.dumps(content))
    project = Project(
        project_path="src/A/A.csproj",
        name="A",
        assembly_name="A",
        target_framework="net8.0",
        packages=(PackageReference("Lib.One", "2.0.0"),),
    )
    chosen = folders([project], str(tmp_path / "checkout"), {}, tmp_path)
    assert chosen == [root / "lib.one/1.0.0/lib/net8.0"]
    assert folders([project], "", {}, tmp_path) == [root / "lib.one/2.0.0/lib/net8.0"]


def test_what_may_change_the_answer_is_named_whether_it_exists_or_not(tmp_path: Path) -> None:
    project = Project(
        project_path="src/A/A.csproj",
        name="A",
        assembly_name="A",
        target_framework="net9.0",
        packages=(PackageReference("Lib.One", "1.0.0"), PackageReference("../..", None)),
    )
    found = machine_libraries([project], str(tmp_path / "checkout"), {"DOTNET_ROOT": str(tmp_path / "sdk")}, tmp_path)
    assert not found.folders
    assert {
        str(tmp_path / "checkout" / "src" / "A" / "obj" / "project.assets.json"),
        str(tmp_path / ".nuget" / "packages" / "lib.one"),
        str(tmp_path / "sdk" / "packs" / "Microsoft.NETCore.App.Ref"),
    } <= set(found.consulted)
    assert not any(".." in Path(each).parts for each in found.consulted)
