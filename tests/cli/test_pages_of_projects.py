"""Components, views and XAML: which project compiles them, and what an index says of the files."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

PROJECT = "<Project Sdk='Microsoft.NET.Sdk.Web'><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>"


@pytest.fixture
def shop(clone: Clone) -> Clone:
    clone.commit(
        {
            "app/App.csproj": PROJECT,
            "app/package.json": "{}",
            "app/main.ts": "export class Main { }",
            "app/Order.cs": "namespace App; public class Order { }",
            "app/Pages/List.razor": "@code { Order? Last; }",
            "app/inner/Inner.csproj": PROJECT,
            "app/inner/Deep/Show.cshtml": "@model App.Order",
            "app/inner/Window.xaml": "<Window />",
            "loose/Free.razor": "@code { int Count; }",
            "Top.razor": "<p>@Count</p>\n@code { int Count; }",
            "App.slnx": "<Solution><Project Path='app/App.csproj' /></Solution>",
        }
    )
    return clone


def test_a_page_belongs_to_the_nearest_project(codemap: Shell, shop: Clone) -> None:
    codemap("index", shop.root)
    rows = codemap.dump("files", shop.root)
    assert {row["file_path"]: (row["project"], row["language"]) for row in rows if row["file_path"].endswith("l")} == {
        "app/inner/Deep/Show.cshtml": ("Inner", "csharp"),
        "app/inner/Window.xaml": ("Inner", "csharp"),
    }
    pages = {row["file_path"]: row["project"] for row in rows if row["file_path"].endswith(".razor")}
    assert pages == {"Top.razor": None, "app/Pages/List.razor": "App", "loose/Free.razor": None}
    listed = {row["project_path"]: row["files"] for row in codemap.dump("projects", shop.root)}
    assert listed["app/App.csproj"] == ["app/Order.cs"], "a project lists what it names"
    assert listed["app/inner/Inner.csproj"] == []
    ids = codemap.ids(shop.root)
    assert "T:App.Pages.List" in ids
    assert {"T:loose.Free", "T:Top", "F:Top.Count"} <= set(ids)


def test_a_solution_leaves_out_the_pages_of_other_projects(codemap: Shell, shop: Clone) -> None:
    codemap("index", shop.root, "--solution", "App.slnx")
    rows = codemap.dump("files", shop.root, "--solution", "App.slnx")
    assert [row["file_path"] for row in rows if row["file_path"].endswith((".razor", ".cshtml"))] == [
        "app/Pages/List.razor"
    ]


def test_a_page_of_an_indexed_folder_sees_its_project(codemap: Shell, shop: Clone) -> None:
    codemap("index", shop.root / "app" / "Pages")
    found = [row["to_symbol"] for row in codemap.dump("refs", shop.root / "app" / "Pages") if row["kind"] == "type"]
    assert found == ["T:App.Order"]
