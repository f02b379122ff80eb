"""A third party's distribution with one of everything, built and installed beside CodeMap's wheel in a fresh environment."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.clone import Clone
from tests.plugins.conftest import ROOT, Installation

PLUGIN: Final = ROOT / "testdata" / "plugins" / "codemap-shop-extras"
SHOP: Final = {
    "Web/Web.csproj": """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
</Project>
""",
    "Web/Program.cs": """var builder = WebApplication.CreateBuilder(args);
builder.Services.AddScoped<IClock, UtcClock>();
var app = builder.Build();
app.MapGet("/", () => "shop");
var api = app.MapGroup("/api/v1");
api.MapOrders();
app.Run();
""",
    "Web/Orders.cs": """public static class Orders
{
    public static void MapOrders(this IEndpointRouteBuilder routes)
    {
        var orders = routes.MapGroup("orders");
        orders.MapGet("{id}", (int id) => id);
        orders.MapPost("", () => 0);
    }
}
""",
    "Web/Clock.cs": "public interface IClock { }\npublic class UtcClock : IClock { }\n",
    "Web/Told.cs": "using Shop.Bus;\nclass Told { void Tell(IShopBus bus) => bus.Raise(1); }\n",
    "Web/appsettings.json": '{\n  "Mail": {\n    "Host": "localhost",\n    "Port": 25\n  }\n}\n',
    "api/buf.yaml": "version: v2\n",
    "api/shop.proto": 'syntax = "proto3";\npackage shop.v1;\n\nmessage Order { int32 id = 1; }\nservice Orders { }\n',
    "db/schema.sql": "CREATE TABLE shop.Orders (Id int);\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    clone = Clone(tmp_path_factory.mktemp("shop") / "repository")
    clone.commit(SHOP)
    return clone.root


@pytest.fixture(scope="module")
def extended(
    installation: Installation, shop: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Installation]:
    """With the plug-in installed, and the shop indexed; before, it is indexed without it."""
    installation.codemap("index", shop)
    assert not installation.dump("facts", shop)
    copy = tmp_path_factory.mktemp("plugin") / PLUGIN.name
    shutil.copytree(PLUGIN, copy, ignore=shutil.ignore_patterns("__pycache__"))
    installation.install(copy)
    yield installation


def test_installing_it_makes_the_index_another(extended: Installation, shop: Path) -> None:
    status = json.loads(extended.codemap("call", "repo.status", f"repo_path={shop}", "--json"))
    assert "plug-in shop_extras was added" in json.dumps(status)


def test_every_extension_point_gives_rows(extended: Installation, shop: Path) -> None:
    extended.codemap("index", shop)
    facts = [
        (each["kind"], each["value"], each["file_path"], each["line_start"]) for each in extended.dump("facts", shop)
    ]
    assert facts == [
        ("config", "Mail:Host|settings file", "Web/appsettings.json", 3),
        ("config", "Mail:Port|settings file", "Web/appsettings.json", 4),
        ("endpoint", "GET /", "Web/Program.cs", 4),
        ("endpoint", "GET /api/v1/orders/{id}", "Web/Orders.cs", 6),
        ("endpoint", "POST /api/v1/orders", "Web/Orders.cs", 7),
    ]
    endpoint = extended.dump("facts", shop)[3]
    assert endpoint["detail"] == {"at": 6, "verb": "GET", "template": "/api/v1/orders/{id}"}
    assert endpoint["symbol_id"] == "M:Orders.MapOrders(Microsoft.AspNetCore.Routing.IEndpointRouteBuilder)"
    assert (endpoint["project"], endpoint["test"]) == ("Web", False)
    links = [each for each in extended.dump("refs", shop) if each["kind"] == "registers"]
    assert [(each["from_symbol"], each["to_symbol"], each["line"]) for each in links] == [
        ("M:Program.{Main}$(System.String[])", "T:UtcClock", 2)
    ]
    assert "registers" in extended.codemap("refs", "UtcClock", "--kind", "link", "--repo", shop)
    symbols = {each["symbol_id"]: (each["kind"], each["project"]) for each in extended.dump("symbols", shop)}
    assert symbols["T:shop.v1.Order"] == ("message", "api")
    assert symbols["T:shop.v1.Orders"] == ("service", "api")
    assert symbols["T:sql.shop.Orders"] == ("table", None)
    assert "table shop.Orders" in extended.codemap("show", "T:sql.shop.Orders", "--repo", shop)
    assert [each["name"] for each in extended.dump("projects", shop)] == ["Web", "api"]


def test_it_is_listed_and_its_tool_answers_from_its_facts(extended: Installation, shop: Path) -> None:
    extended.codemap("index", shop)
    plugins = {each["name"]: each for each in json.loads(extended.codemap("plugins", "--json"))}
    assert plugins["shop_extras"]["version"] == "1.0.0"
    assert set(plugins["shop_extras"]["provides"]) == {
        *("languages", "project_loaders", "symbol_extractors", "reference_extractors", "fact_extractors"),
        *("fact_kinds", "meanings", "tool_families"),
    }
    assert "config 2, endpoints 3" in extended.codemap("status", "--repo", shop)
    answer = extended.codemap("call", "endpoints.list", f"repo_path={shop}", "beginning=GET /api")
    assert "GET /api/v1/orders/{id}" in answer
    assert "POST" not in answer
    assert "sends a message by IShopBus.Raise" in extended.codemap("trace", "Told.Tell", "--repo", shop)


def test_its_own_tests_pass(extended: Installation, tmp_path: Path) -> None:
    shutil.copy(PLUGIN / "test_shop_extras.py", tmp_path)
    said = extended.run(extended.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=tmp_path)
    assert "6 passed" in said


def test_a_new_plugin_installs_and_its_test_passes(extended: Installation, tmp_path: Path) -> None:
    """As ``codemap plugins new`` writes it."""
    program = extended.python.with_name("codemap")
    extended.run(program, "plugins", "new", "feature-gates", cwd=tmp_path)
    extended.install(tmp_path / "codemap-feature-gates")
    plugins = {each["name"]: each for each in json.loads(extended.codemap("plugins", "--json"))}
    assert plugins["feature_gates"]["provides"] == {
        "fact_extractors": ["feature_gates_obsolete"],
        "fact_kinds": ["feature_gates_obsolete"],
    }
    shutil.copytree(tmp_path / "codemap-feature-gates" / "tests", tmp_path / "tests")
    said = extended.run(extended.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=tmp_path)
    assert "1 passed" in said
