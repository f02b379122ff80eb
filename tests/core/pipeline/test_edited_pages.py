"""Pages that come, go and change beside C#, where imports say in which namespace a page's class is: its own file does not tell."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from codemap_core.hooks.manager import PluginHost
from tests.core.pipeline.edit_law import Bench, Trial, WorkspaceBench

_KEPT: Final = {
    "P/P.csproj": """<Project Sdk="Microsoft.NET.Sdk.Web">
        <PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>""",
    "P/UI/_Imports.razor": "@namespace App.Shown\n",
    "P/Views/_ViewImports.cshtml": "@namespace App.Seen\n",
} | {f"P/Kept{number}.cs": f"class Kept{number} {{ }}" for number in range(8)}
"""Enough that stays the same for an index to go on."""
_PANEL: Final = {
    "P/UI/Panel.razor": "<p>a</p>\n@code { int X; int Y; class In { int U; } }",
    "P/UI/Panel.razor.cs": """namespace App.Shown {
    /// <summary>One</summary>
    partial class Panel { void M() { } partial class In { int V; } partial void N(); } }""",
}
_GONE: Final = ""
_CASES: Final[Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]]] = {
    "a view goes": (
        {"P/Views/A.cshtml": "<p>a</p>", "P/C.cs": "namespace App.Seen { class C { void M() { } } }"},
        {"P/Views/A.cshtml": _GONE},
    ),
    "a component goes": (
        {"P/UI/A.razor": "<p>a</p>", "P/C.cs": "namespace App.Shown { class C { void M() { } } }"},
        {"P/UI/A.razor": _GONE},
    ),
    "a class beside a component goes": (
        {"P/UI/A.razor": "<p>a</p>\n@code { int X; }", "P/C.cs": "namespace App.Shown { class C { } }"},
        {"P/C.cs": _GONE},
    ),
    "a component that is used goes": (
        {"P/UI/A.razor": "<p>a</p>\n@code { int X; }", "P/C.cs": "using App.Shown; class C { A a; }"},
        {"P/UI/A.razor": _GONE},
    ),
    "a class beside a component in two files goes": (
        {**_PANEL, "P/C.cs": "namespace App.Shown { class C { void M() { } } }"},
        {"P/C.cs": _GONE},
    ),
    "the part in the page has another member": (
        _PANEL,
        {"P/UI/Panel.razor": "<p>a</p>\n@code { void X() { } class In { void U() { } } }"},
    ),
    "the part in C# has another member": (
        _PANEL,
        {"P/UI/Panel.razor.cs": "namespace App.Shown { partial class Panel { int Z; } }"},
    ),
    "the part in C# is documented otherwise and moves": (
        _PANEL,
        {"P/UI/Panel.razor.cs": "\n\n" + _PANEL["P/UI/Panel.razor.cs"].replace("One", "Two")},
    ),
    "the part in C# goes": (_PANEL, {"P/UI/Panel.razor.cs": _GONE}),
    "the part in the page moves": (_PANEL, {"P/UI/Panel.razor": "<b>b</b>\n\n" + _PANEL["P/UI/Panel.razor"]}),
}


@pytest.mark.parametrize("name", _CASES)
@pytest.mark.parametrize("bench", [Bench, WorkspaceBench], ids=["a commit", "a workspace"])
def test_what_continues_an_index_has_the_rows_of_one_from_scratch(
    host: PluginHost, tmp_path: Path, bench: type[Bench] | type[WorkspaceBench], name: str
) -> None:
    own, edited = _CASES[name]
    files = {**_KEPT, **own}
    trial: Trial = bench(tmp_path, files, host)
    after = {path: text for path, text in {**files, **edited}.items() if text != _GONE}
    for state in (after, files):
        taken_up = trial.take_up(state)
        assert taken_up.found == []
        assert taken_up.bound is not None, "it was built again"
