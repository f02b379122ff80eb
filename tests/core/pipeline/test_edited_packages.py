"""A project that takes a package: whatever is edited there, a document that is not affected has equal rows, and an index that goes on says
of libraries what one from scratch says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import pytest

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import ReferenceRow
from codemap_core.pipeline.dependencies import affected
from codemap_core.pipeline.surface_difference import State
from codemap_core.testing.source_index import SourceIndex, index_sources
from tests.core.pipeline.edit_law import Bench, ResidentBench, Trial, WorkspaceBench

_PROJECT: Final = '<Project Sdk="Microsoft.NET.Sdk">{}</Project>'
_MAKES: Final = _PROJECT.format("<PropertyGroup><PackageId>Shop.Contracts</PackageId></PropertyGroup>")
_FILES: Final = {
    "made/Made.csproj": _MAKES,
    "made/Request.cs": "namespace Shop; public class Request { public int Number; }",
    "app/App.csproj": _PROJECT.format('<ItemGroup><PackageReference Include="Shop.Contracts" /></ItemGroup>'),
    "app/Use.cs": "class Use { int Number(Shop.Request request) => request.Number; }",
    "above/Above.csproj": _PROJECT.format('<ItemGroup><ProjectReference Include="../app/App.csproj" /></ItemGroup>'),
    "above/Above.cs": "class Above { int Number(Shop.Request request) => request.Number; }",
}


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param({"made/Request.cs": "namespace Shop; public class Request { public int Count; }"}, id="a member"),
        pytest.param({"made/Request.cs": "namespace Shop; class Request { public int Number; }"}, id="what is seen"),
        pytest.param({"made/Made.csproj": _MAKES.replace("Shop.", "Store.")}, id="the id of the package"),
        pytest.param({"made/Again.csproj": _MAKES}, id="another that makes it"),
    ],
)
def test_edits_of_a_package_s_project(host: PluginHost, edit: Mapping[str, str]) -> None:
    before, after = index_sources(_FILES, host), index_sources({**_FILES, **edit}, host)
    changed = {UnitKey("made/Made.csproj", path) for path in edit if path.endswith(".cs")}
    found = affected(_state(host, before, _FILES), _state(host, after, {**_FILES, **edit}), changed)
    users = {"app/Use.cs", "above/Above.cs"}
    assert all(_rows(before, path) != _rows(after, path) for path in users), "the edit shows nothing"
    assert users <= {unit.file_path for unit in found.units}


@pytest.mark.parametrize("bench", [Bench, ResidentBench, WorkspaceBench])
def test_libraries_of_which_a_conclusion_alone_speaks(
    host: PluginHost, tmp_path: Path, bench: type[Bench] | type[WorkspaceBench]
) -> None:
    """The sets that a context inherits from Identity: no reference leads to them."""
    package = '<ItemGroup><PackageReference Include="{}" Version="1.0.0" /></ItemGroup>'
    files = {f"App/Kept{number}.cs": f"class Kept{number} {{ }}" for number in range(8)} | {
        "App/App.csproj": _PROJECT.format(package.format("Microsoft.AspNetCore.Identity.EntityFrameworkCore")),
        "App/Shop.cs": """using Microsoft.AspNetCore.Identity.EntityFrameworkCore;
            class User { } class Shop : IdentityDbContext<User> { }""",
        "Other/Other.csproj": _PROJECT.format(package.format("Other")),
        "Other/Other.cs": "class Other { }",
    }
    trial: Trial = bench(tmp_path, files, host)
    for edited in (_PROJECT.format(""), files["Other/Other.csproj"]):
        assert trial.take_up({**files, "Other/Other.csproj": edited}).found == []


def _state(host: PluginHost, index: SourceIndex, files: Mapping[str, str]) -> State:
    language = next(each for each in host.languages if each.name == "csharp")
    surfaces = {}
    for project in index.graph.projects:
        for path in project.files:
            shown = language.analyse(files[path].encode(), AnalysisSettings()).surface
            surfaces[UnitKey(project.project_path, path)] = msgspec.msgpack.encode(shown)
    return State(surfaces, {project.project_path: project for project in index.graph.projects})


def _rows(index: SourceIndex, path: str) -> list[ReferenceRow]:
    return [each for each in index.references if each.file_path == path]
