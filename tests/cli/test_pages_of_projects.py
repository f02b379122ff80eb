"""Components, views, XAML and protocol buffers: which project compiles them, and what an index says of the files."""

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


def test_protocol_buffers_are_text_where_no_project_names_them(codemap: Shell, clone: Clone) -> None:
    named = PROJECT.replace("</Project>", "<ItemGroup><Protobuf Include='../api/*.proto' /></ItemGroup></Project>")
    clone.commit(
        {
            "app/App.csproj": named,
            "app/Use.cs": "class Use { Order? Last; }",
            "api/order.proto": "message Order { }",
            "other/Other.csproj": PROJECT,
            "other/order.proto": "message Elsewhere { }",
            "App.slnx": "<Solution><Project Path='other/Other.csproj' /></Solution>",
        }
    )
    codemap("index", clone.root)
    contracts = [row for row in codemap.dump("files", clone.root) if row["file_path"].endswith(".proto")]
    assert [(row["file_path"], row["project"], row["language"]) for row in contracts] == [
        ("api/order.proto", "App", "csharp"),
        ("other/order.proto", None, "protobuf"),
    ]
    listed = {row["project_path"]: row["files"] for row in codemap.dump("projects", clone.root)}
    assert listed["app/App.csproj"] == ["app/Use.cs"]
    ids = codemap.ids(clone.root)
    assert "T:Order" in ids
    assert "T:Elsewhere" not in ids
    assert "other/order.proto:1" in codemap("grep", "Elsewhere", cwd=clone.root).stdout

    clone.commit({"app/App.csproj": PROJECT})
    codemap("index", clone.root)
    assert "T:Order" not in codemap.ids(clone.root)
    clone.commit({"app/App.csproj": named})
    codemap("index", clone.root)
    assert codemap.ids(clone.root) == ids

    codemap("index", clone.root, "--solution", "App.slnx")
    files = [row["file_path"] for row in codemap.dump("files", clone.root, "--solution", "App.slnx")]
    assert {"api/order.proto", "other/order.proto"} <= {*files}, "no text is left out"
