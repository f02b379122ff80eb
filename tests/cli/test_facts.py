"""Commands that list facts: filters, formats, totals, exit codes, and why there are none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

WEB = """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
</Project>"""
TESTS = """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup><PackageReference Include="xunit" Version="2.9.3" /></ItemGroup>
</Project>"""
FILES = {
    "src/Shop/Shop.csproj": WEB,
    "src/Shop/Orders.cs": """namespace Shop;

public static class Orders
{
    public static void Map(WebApplication app, ILogger logger)
    {
        app.UseRouting();
        app.MapGet("/orders", () => 1);
        app.MapPost("/orders/{id}", Pay).RequireAuthorization();
        logger.LogInformation("Mapped");
        logger.LogWarning("two\\nlines");
        app.UseMiddleware<Tenancy>();
    }

    class Tenancy { }

    static int Pay(int id) => id;
}
""",
    "src/Shop/appsettings.json": '{ "Old": 1, "Stale": 2 }\n',
    "src/Shop/Settings.cs": """namespace Shop;

public static class Settings
{
    public static string? Host(IConfiguration settings) => settings["Host"];
}
""",
    "tests/Shop.Tests/Shop.Tests.csproj": TESTS,
    "tests/Shop.Tests/Server.cs": """namespace Shop.Tests;

public static class Server
{
    public static void Start(WebApplication app) => app.MapGet("/ping", () => 1);
}
""",
}
ORDERS = "src/Shop/Orders.cs"


class Shop:
    def __init__(self, folder: Path) -> None:
        (folder / "user").mkdir()
        self.clone = Clone(folder / "shop")
        self.clone.commit(FILES)
        self.shell = Shell(folder / "data", folder / "user")
        self.shell("index", "-q", cwd=self.clone.root, CODEMAP_BLOCK_PLUGINS="retry_policy")

    def rows(self, *arguments: str, fails: int = 0) -> tuple[list[str], str]:
        """Lines of the output, and the notes."""
        done = self.shell(*arguments, cwd=self.clone.root, fails=fails)
        return done.stdout.splitlines(), done.stderr.strip()


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("facts"))


def test_endpoints(shop: Shop) -> None:
    assert shop.rows("endpoints") == (
        [
            f"{ORDERS}:8  GET  /orders  Orders.Map  lambda",
            f"{ORDERS}:9  POST  /orders/{{id}}  Orders.Pay  authenticated",
            "tests/Shop.Tests/Server.cs:5  GET  /ping  Server.Start  lambda, test",
        ],
        "3 endpoints in 2 files, 1 in tests.",
    )


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (("/ORDERS",), [8, 9]),
        (("*{id}",), [9]),
        (("--method", "get"), [8, 5]),
        (("--tests",), [5]),
        (("--no-tests",), [8, 9]),
        (("--project", "Shop.Tests"), [5]),
        (("--file", "src"), [8, 9]),
        (("--file", "!src/"), [5]),
        (("--limit", "1", "--offset", "1"), [9]),
        (("--all",), [8, 9, 5]),
        (("--open",), [8, 5]),
    ],
)
def test_filters(shop: Shop, options: tuple[str, ...], lines: list[int]) -> None:
    rows, _ = shop.rows("endpoints", *options)
    assert [int(row.partition(" ")[0].rpartition(":")[2]) for row in rows] == lines


def test_how_many_are_open_is_said(shop: Shop) -> None:
    (answer,), _ = shop.rows("call", "surfaces.list_endpoints", "limit=1", "--json")
    said = json.loads(answer)
    assert said["answer"].startswith("3 endpoints in 2 files, 1 in tests, 2 open to everybody as far as is seen.")
    assert said["data"]["open_count"] == 2


def test_a_route_by_convention_is_as_open_as_its_actions(codemap: Shell, tmp_path: Path) -> None:
    clone = Clone(tmp_path / "repository")
    sources = {
        "Web.csproj": '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net48</TargetFramework></PropertyGroup></Project>',
        "Web.cs": """using System.Web.Mvc;
public class HomeController : Controller
{
    public ActionResult Index() => View();
    [Authorize] public ActionResult Mine() => View();
}
static class Routes
{
    public static void Map(RouteCollection routes) => routes.MapRoute("all", "{controller}/{action}");
}
""",
    }
    clone.commit(sources)
    codemap("index", clone.root)
    listed = codemap("endpoints", "--open", "--repo", clone.root).stdout.splitlines()
    assert [each.partition("  ")[0] for each in listed] == ["Web.cs:4"]


def test_what_is_left_out_is_said(shop: Shop) -> None:
    assert shop.rows("endpoints", "--limit", "2")[1] == (
        "3 endpoints in 2 files, 1 in tests. Shown: 1–2; --all shows all."
    )


def test_facts_in_other_formats(shop: Shop) -> None:
    (row, *_), _ = shop.rows("endpoints", "/orders/", "--format", "tsv")
    assert row.split("\t") == [
        ORDERS,
        "9",
        "",
        "POST",
        "M:Shop.Orders.Pay(System.Int32)",
        "/orders/{id}",
        "Orders.Pay",
    ]
    (row, *_), _ = shop.rows("endpoints", "/orders/", "--format", "vimgrep")
    assert row.endswith(":9:1:POST  /orders/{id}  Orders.Pay")
    kinds, _ = shop.rows("facts", "--format", "tsv")
    assert [row for row in kinds if row.startswith("route")] == ["route\t3\t1\tRoutes\troute"]
    printed = json.loads("\n".join(shop.rows("endpoints", "--all", "--json")[0]))
    assert [each["route_path"] for each in printed["data"]["endpoints"]] == ["/orders", "/orders/{id}", "/ping"]
    assert printed["total"] == 3


def test_a_result_stands_in_one_line(shop: Shop) -> None:
    assert shop.rows("logs", "--quiet") == (
        [f"{ORDERS}:10  Information  Mapped  Orders.Map", f"{ORDERS}:11  Warning  two\\nlines  Orders.Map"],
        "",
    )


def test_middleware(shop: Shop) -> None:
    assert shop.rows("middleware", "Use")[0] == [
        f"{ORDERS}:7  position 1  UseRouting  Orders.Map",
        f"{ORDERS}:12  Tenancy, position 2  UseMiddleware  Orders.Map",
    ]


def test_keys_that_nothing_uses_or_defines(shop: Shop) -> None:
    assert shop.rows("config", "--unused", "--limit", "1") == (
        ["src/Shop/appsettings.json:1  settings file  Old  not used"],
        "2 places in 1 file. Shown: 1–1; --all shows all.",
    )
    undefined = "src/Shop/Settings.cs:5  IConfiguration indexer  Host  Settings.Host  in no settings file"
    assert shop.rows("config", "--undefined", "--quiet")[0] == [undefined]
    assert len(shop.rows("config", "--undefined", "--unused", "--quiet")[0]) == 3


def test_an_answer_counts_keys_that_nothing_uses_or_defines(shop: Shop) -> None:
    asked = ("call", "surfaces.list_config_keys", "--format", "text")
    rows, _ = shop.rows(*asked, "limit=1")
    assert rows[0] == "3 places that use or define 3 configuration keys in 2 files, 2 unused, 1 undefined."
    assert rows[-2:] == [f"next: surfaces.list_config_keys {mark}=true" for mark in ("unused", "undefined")]
    rows, _ = shop.rows(*asked, "unused=true")
    assert rows[0] == "2 places that use or define 2 configuration keys."


def test_kinds_of_facts(shop: Shop) -> None:
    rows, _ = shop.rows("facts")
    assert rows[0].split() == ["kind", "facts", "in", "tests", "title", "plug-ins"]
    assert next(row.split() for row in rows if row.startswith("log "))[1:3] == ["2", "0"]
    assert shop.rows("facts", "log", "Mapped") == (
        [f"{ORDERS}:10  Information  Mapped  Orders.Map"],
        "1 fact of kind log in 1 file.",
    )


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (("endpoints", "/x"), "No endpoints. Nothing passes the filters; without the filter '/x', 3 would."),
        (("endpoints", "--method", "PUT"), "No endpoints. Nothing passes the filters; without the verb PUT, 3 would."),
        (
            ("endpoints", "--open", "--method", "POST"),
            "No endpoints. Nothing passes the filters; without the verb POST, 2 would.",
        ),
        (("services",), "No registrations. The plug-in di_registration found none in 6 files."),
        (
            ("retries",),
            "The index was made without the plug-in retry_policy: run codemap index to build it again.",
        ),
    ],
)
def test_nothing_found(shop: Shop, command: tuple[str, ...], why: str) -> None:
    assert shop.rows(*command, fails=1) == ([], why)


def test_a_text_that_begins_no_name_means_those_that_hold_it(shop: Shop) -> None:
    rows, said = shop.rows("endpoints", "id")
    assert len(rows) == 1
    assert "{id}" in rows[0]
    assert said == "1 endpoint in 1 file."
    for text, said in (("id", "None begins with 'id'. 1 endpoint."), ("*id*", "1 endpoint.")):
        asked = ("call", "surfaces.list_endpoints", f"path_filter={text}", "--json")
        assert json.loads(shop.shell(*asked, cwd=shop.clone.root).stdout)["answer"] == said


def test_a_blocked_plug_in_is_named(shop: Shop) -> None:
    done = shop.shell("retries", cwd=shop.clone.root, fails=1, CODEMAP_BLOCK_PLUGINS="retry_policy")
    assert done.stderr.strip() == (
        "No plug-in finds facts of kind retry_policy. CODEMAP_BLOCK_PLUGINS blocks the plug-in retry_policy."
    )


def test_what_does_not_exist_is_an_error(shop: Shop) -> None:
    assert "There are no facts of kind 'logg'. Did you mean 'log'?" in shop.rows("facts", "logg", fails=2)[1]
    assert "There is no project 'Shp'. Similar: Shop." in shop.rows("logs", "--project", "Shp", fails=2)[1]


def test_views_that_actions_show(codemap: Shell, clone: Clone) -> None:
    controller = (
        "using Microsoft.AspNetCore.Mvc;\n"
        "public class OrdersController : Controller {\n    public IActionResult Show() => View();\n}\n"
    )
    clone.commit(
        {
            "Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
            "OrdersController.cs": controller,
            "Views/Orders/Show.cshtml": '<partial name="_Row" />\n',
            "Views/Orders/_Row.cshtml": "<p></p>\n",
        }
    )
    codemap("index", "-q", clone.root)
    shown = codemap("facts", "view", cwd=clone.root).stdout.splitlines()
    assert [line.split() for line in shown] == [
        ["OrdersController.cs:3", "Views/Orders/Show.cshtml", "OrdersController.Show"],
        ["Views/Orders/Show.cshtml:1", "partial", "Views/Orders/_Row.cshtml"],
    ]
    assert codemap("facts", "view", "*_Row*", cwd=clone.root).stdout.splitlines() == shown[1:]
    assert "view: Views/Orders/Show.cshtml" in codemap("show", "OrdersController.Show", cwd=clone.root).stdout
    assert "view Views/Orders/Show.cshtml" in codemap("trace", "OrdersController.Show", cwd=clone.root).stdout


def test_throws_are_counted_apart_from_what_is_documented(codemap: Shell, clone: Clone) -> None:
    source = """using System;
public class Orders
{
    /// <exception cref="TimeoutException">The bank does not answer.</exception>
    /// <exception cref="OverflowException">It is too much.</exception>
    public void Pay() => throw new InvalidOperationException();
}
"""
    clone.commit({"Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk" />', "Orders.cs": source})
    codemap("index", "-q", clone.root)
    listed = codemap("exceptions", cwd=clone.root)
    assert len(listed.stdout.splitlines()) == 3
    assert listed.stderr.strip() == "1 throw and 2 documented exceptions in 1 file."
    assert "Exceptions: 1 throw of 1 type" in codemap("summarize", cwd=clone.root).stdout
    asked = ("call", "surfaces.list_facts", "kind=exception", "--json")
    answer = json.loads(codemap(*asked, cwd=clone.root).stdout)["answer"]
    assert answer == "3 facts of kind exception, 2 documented only."


TEST_PROJECTS = {
    "App": ("Microsoft.NET.Sdk", "Serilog"),
    "Sdk": ("Microsoft.NET.Sdk", "Microsoft.NET.Test.Sdk"),
    "XUnit": ("Microsoft.NET.Sdk", "xunit"),
    "XUnitCore": ("Microsoft.NET.Sdk", "xunit.core"),
    "XUnit3": ("Microsoft.NET.Sdk", "xunit.v3"),
    "NUnit": ("Microsoft.NET.Sdk", "NUnit"),
    "MSTest": ("Microsoft.NET.Sdk", "MSTest.TestFramework"),
    "TUnit": ("Microsoft.NET.Sdk", "TUnit"),
    "MSTestSdk": ("MSTest.Sdk/3.6.0", "Serilog"),
}
"""By name: SDK and package."""


def test_facts_of_test_projects_are_facts_that_say_so(codemap: Shell, clone: Clone) -> None:
    files = {}
    for name, (sdk, package) in TEST_PROJECTS.items():
        files[f"{name}/{name}.csproj"] = (
            f'<Project Sdk="{sdk}"><PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>'
            f'<ItemGroup><PackageReference Include="{package}" Version="1.0.0" /></ItemGroup></Project>'
        )
        files[f"{name}/Shelf.cs"] = 'class Shelf { string? At => System.Environment.GetEnvironmentVariable("AT"); }'
    clone.commit(files)
    codemap("index", clone.root)
    said = {row["project"]: row["test"] for row in codemap.dump("facts", clone.root)}
    assert said == {name: name != "App" for name in TEST_PROJECTS}
