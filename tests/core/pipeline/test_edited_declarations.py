"""Each thing that binding reads of a declaration elsewhere, with an edit of it: a document that is not affected has equal rows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline import nearby
from codemap_core.pipeline.dependencies import affected
from codemap_core.pipeline.surface_difference import State
from codemap_core.testing.source_index import SourceIndex, index_sources
from tests.core.pipeline.edit_law import Bench, Trial, WorkspaceBench

Case = Mapping[str, Any]
_CASES: Final = tomllib.loads(
    (Path(__file__).parents[3] / "testdata" / "dependencies" / "csharp.toml").read_text(encoding="utf-8")
)["case"]
_PROJECT: Final = "P/P.csproj"
_PROJECT_TEXT: Final = """<Project Sdk="Microsoft.NET.Sdk">
<PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
{}
</Project>
"""
_KEPT: Final = {f"P/Kept{number}.cs": f"class Kept{number} {{ }}" for number in range(6)}
"""Enough that stays the same for an index to go on."""
_REFERENCE: Final = '<ItemGroup><ProjectReference Include="../P/P.csproj" /></ItemGroup>'
_TRIED_WHOLE: Final = _CASES[::12]
"""Of the cases, those that are taken up into an index on disk, too."""


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["all surfaces are read", "few surfaces are read"])
@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["name"])
def test_who_is_not_affected_has_equal_rows(
    host: PluginHost, monkeypatch: pytest.MonkeyPatch, case: Case, share: float
) -> None:
    monkeypatch.setattr(nearby, "SHARE", share)
    before, after = _files(case, "declares"), _files(case, "after")
    old, new = (index_sources(files, host) for files in (before, after))
    found = affected(_state(host, before, old), _state(host, after, new), {UnitKey(_PROJECT, "P/Declares.cs")})
    old_rows, new_rows = _rows(old), _rows(new)
    otherwise = {path for path in before if old_rows.get(path) != new_rows.get(path)} - {"P/Declares.cs"}
    assert _use(case) in otherwise, "the case shows nothing"
    assert otherwise <= {unit.file_path for unit in found.units}


@pytest.mark.parametrize("case", _TRIED_WHOLE, ids=lambda case: case["name"])
@pytest.mark.parametrize("bench", [Bench, WorkspaceBench], ids=["a commit", "a workspace"])
def test_an_index_that_goes_on_has_the_rows_of_one_from_scratch(
    host: PluginHost, tmp_path: Path, bench: type[Bench] | type[WorkspaceBench], case: Case
) -> None:
    trial: Trial = bench(tmp_path, _files(case, "declares"), host)
    taken_up = trial.take_up(_files(case, "after"))
    assert taken_up.found == []
    assert taken_up.bound is not None, "it was built again"


@pytest.mark.parametrize("bench", [Bench, WorkspaceBench], ids=["a commit", "a workspace"])
def test_a_part_of_another_kind_belongs_to_the_shape_that_it_says(
    host: PluginHost, tmp_path: Path, bench: type[Bench] | type[WorkspaceBench]
) -> None:
    """One part does not know that another one makes the type a class."""
    files = _KEPT | {
        _PROJECT: _PROJECT_TEXT.format(""),
        "P/First.cs": "namespace N { partial class X { } }",
        "P/Second.cs": "namespace N { partial class X { void M() { } } }",
        "P/Use.cs": "namespace N { class Use { void M() { } } }",
    }
    trial: Trial = bench(tmp_path, files, host)
    for first in ("partial struct X", "partial class X", "partial record X", "partial class Y"):
        taken_up = trial.take_up({**files, "P/First.cs": f"namespace N {{ {first} {{ }} }}"})
        assert taken_up.found == [], first
        assert taken_up.bound is not None, "it was built again"


def _use(case: Case) -> str:
    return "U/Use.cs" if case.get("apart") else "P/Use.cs"


def _files(case: Case, declares: str) -> dict[str, str]:
    """The program with the text of this key for its declarations. Files that nothing concerns are among them."""
    files = _KEPT | {
        _PROJECT: _PROJECT_TEXT.format(case.get("project", "")),
        "P/Declares.cs": case[declares],
        _use(case): case["use"],
    }
    if "also" in case:
        files["P/Also.cs"] = case["also"]
    if case.get("apart"):
        files["U/U.csproj"] = _PROJECT_TEXT.format(_REFERENCE)
    return files


def _state(host: PluginHost, files: Mapping[str, str], index: SourceIndex) -> State:
    language = next(each for each in host.languages if each.name == "csharp")
    surfaces = {
        UnitKey(project.project_path, path): msgspec.msgpack.encode(
            language.analyse(files[path].encode(), AnalysisSettings()).surface
        )
        for project in index.graph.projects
        for path in project.files
    }
    return State(surfaces, {project.project_path: project for project in index.graph.projects})


def _rows(index: SourceIndex) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for rows in (index.symbols, index.references, index.relations, index.facts):
        for row in rows:
            found.setdefault(row.file_path, []).append(row)
    return found


@pytest.mark.parametrize("bench", [Bench, WorkspaceBench], ids=["a commit", "a workspace"])
def test_pages_follow_their_imports(
    host: PluginHost, tmp_path: Path, bench: type[Bench] | type[WorkspaceBench]
) -> None:
    files = _KEPT | {
        _PROJECT: _PROJECT_TEXT.format("").replace("NET.Sdk", "NET.Sdk.Web"),
        "P/Bases.cs": """namespace N { public class Shelf { public int Left; } public class Item { } }
            public abstract class Kept : Microsoft.AspNetCore.Components.ComponentBase { protected int Old; }
            public abstract class Seen<TModel> : Microsoft.AspNetCore.Mvc.Razor.RazorPage<TModel> { public int Old; }""",
        "P/Pages/_Imports.razor": "@* nothing *@",
        "P/Pages/In/Show.razor": '@page "/show"\n<p>@Old @Given.Left @(new Item())</p>',
        "P/Pages/_ViewImports.cshtml": "@* nothing *@",
        "P/Pages/In/Show.cshtml": "<p>@Old @Given.Left @(new Item())</p>",
        "P/Use.cs": "class Use { Pages.In.Show a; N.In.Show b; }",
    }
    trial: Trial = bench(tmp_path, files, host)
    for component, view in (
        ("@inherits Kept", "@inherits Seen<TModel>"),
        ("@inject N.Shelf Given", "@inject N.Shelf Given"),
        ("@inject N.Item Given", "@inject N.Item Given"),
        ("@namespace N", "@namespace N"),
        ("@using N", "@using N"),
        ("@attribute [Microsoft.AspNetCore.Authorization.Authorize]", ""),
        ('@attribute [Microsoft.AspNetCore.Authorization.Authorize(Roles = "A")]', ""),
        ("@layout N.Item", ""),
        ("@attribute [Microsoft.AspNetCore.Authorization.Authorize(Roles = N.Names.Role)]", ""),
        ("", ""),
    ):
        edited = {"P/Pages/_Imports.razor": component, "P/Pages/_ViewImports.cshtml": view}
        assert trial.take_up({**files, **edited}).found == [], component
    demanding = "@attribute [Microsoft.AspNetCore.Authorization.Authorize(Roles = N.Names.Role)]"
    for role in ("A", "B"):
        edited = {
            "P/Pages/_Imports.razor": demanding,
            "P/Names.cs": f'namespace N; class Names {{ public const string Role = "{role}"; }}',
        }
        assert trial.take_up({**files, **edited}).found == [], role
