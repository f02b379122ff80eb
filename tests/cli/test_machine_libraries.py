"""Libraries that NuGet left on the machine: found without being named, seen by every question, left alone when told so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone
from tests.plugins.csharp.metadata.assembly_builder import (
    INT32,
    METHOD_PUBLIC,
    PUBLIC,
    STATIC,
    VOID,
    AssemblyBuilder,
    method_signature,
)

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup><PackageReference Include="Acme.Tools" Version="2.0.0" /></ItemGroup>
</Project>
"""


@pytest.fixture
def package(codemap: Shell) -> Path:
    """``Acme.Tools`` 2.0.0 as NuGet unpacks it in the user's folder."""
    builder = AssemblyBuilder("Acme.Tools", (2, 0, 0, 0))
    builder.type_def(PUBLIC, "Acme.Tool", builder.type_ref("System.Object"))
    builder.method(METHOD_PUBLIC | STATIC, "Run", method_signature(VOID, INT32, is_static=True), (("times", 0),))
    folder = Path(codemap.environment["HOME"], ".nuget", "packages", "acme.tools", "2.0.0", "lib", "net8.0")
    folder.mkdir(parents=True)
    (folder / "Acme.Tools.dll").write_bytes(builder.build())
    return folder


def calls(codemap: Shell, clone: Clone, **environment: Any) -> list[tuple[Any, Any]]:
    codemap("index", clone.root, **environment)
    rows = codemap.dump("refs", clone.root, **environment)
    return [(row["to_symbol"], row["resolution_state"]) for row in rows if row["kind"] == "call"]


def test_a_package_of_the_machine_is_bound_against(codemap: Shell, clone: Clone, package: Path) -> None:
    clone.commit({"App.csproj": PROJECT, "C.cs": "using Acme; class C { void M() => Tool.Run(1); }"})
    assert calls(codemap, clone) == [("M:Acme.Tool.Run(System.Int32)", "resolved")]
    assert "M:Acme.Tool.Run" in codemap("explain", "C.cs:1:40", "--repo", clone.root).stdout
    assert calls(codemap, clone, CODEMAP_MACHINE_LIBRARIES="0") == [(None, "unresolved")]


def test_a_package_that_is_no_assembly_does_no_harm(codemap: Shell, clone: Clone, package: Path) -> None:
    (package / "Acme.Tools.dll").write_bytes(b"MZ no assembly")
    clone.commit({"App.csproj": PROJECT, "C.cs": "using Acme; class C { void M() => Tool.Run(1); }"})
    assert calls(codemap, clone) == [(None, "unresolved")]


def test_packages_that_are_restored_later_are_noticed(codemap: Shell, clone: Clone, package: Path) -> None:
    unpacked = package.parents[2]
    elsewhere = unpacked.rename(unpacked.parents[2] / "elsewhere")
    clone.commit({"App.csproj": PROJECT, "C.cs": "using Acme; class C { void M() => Tool.Run(1); }"})
    assert calls(codemap, clone) == [(None, "unresolved")]
    assert "Already indexed" in codemap("index", clone.root).stdout
    elsewhere.rename(unpacked)
    assert "libraries of this machine changed" in codemap("status", clone.root).stdout
    assert calls(codemap, clone) == [("M:Acme.Tool.Run(System.Int32)", "resolved")]
    assert "libraries of this machine changed" not in codemap("status", clone.root).stdout
