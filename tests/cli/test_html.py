"""``codemap html``: one file that needs no network and cannot be made to run what a repository says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codemap_server.cli.project_layout import layout
from tests.cli.conftest import Shell
from tests.clone import Clone

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup>
  <ItemGroup>{}</ItemGroup>
</Project>"""
SHOP = {
    "src/Shop/Shop.csproj": PROJECT.format(""),
    "src/Shop/Order.cs": "namespace Shop;\n\npublic class Order\n{\n    public int Total;\n    public void Pay() { Total++; }\n}\n",
    "src/Shop.Web/Shop.Web.csproj": PROJECT.replace(".Sdk", ".Sdk.Web").format(
        '<ProjectReference Include="../Shop/Shop.csproj" />'
    ),
    "src/Shop.Host/Shop.Host.csproj": PROJECT.format('<ProjectReference Include="../Shop.Web/Shop.Web.csproj" />'),
    "src/Shop.Web/Page.cs": "namespace Shop.Web;\n\nclass Page\n{\n    int Show(Order order) { order.Pay(); return order.Total; }\n}\n",
    "src/Shop/<img src=x onerror=alert(1)> .cs": "class Odd { }\n",
}


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    decoded: dict[str, Any] = json.loads(found[1])
    return decoded


def dom_of(page: Path, folder: Path, fragment: str = "") -> str:
    """What a browser makes of a page."""
    profile = f"--user-data-dir={folder / 'browser'}"
    command = [str(CHROMIUM), *FLAGS, profile, "--virtual-time-budget=2000", "--dump-dom", f"{page.as_uri()}{fragment}"]
    return subprocess.run(command, capture_output=True, text=True, timeout=100, check=True).stdout


@pytest.fixture
def page(codemap: Shell, clone: Clone, tmp_path: Path) -> Path:
    clone.commit(SHOP)
    codemap("index", clone.root)
    file = tmp_path / "page.html"
    assert codemap("html", clone.root, "-o", file).stdout == f"{file}\n"
    assert codemap("html", "-o", "-", cwd=clone.root).stdout == file.read_text(encoding="utf-8")
    return file


def test_the_page_holds_the_index(codemap: Shell, page: Path, clone: Clone) -> None:
    data = data_of(page.read_text(encoding="utf-8"))
    assert {each["name"]: (each["role"], each["references"]) for each in data["projects"]} == {
        "Shop.Host": ("library", [1]),
        "Shop.Web": ("application", [2]),
        "Shop": ("library", []),
    }, "what is referenced may be a program, and what nothing references a library"
    assert len(data["edges"]) == 2
    assert len(data["symbols"]) == data["symbol_count"] == len(codemap.ids(clone.root))
    order = data["used"][0]
    assert (order["id"], order["uses"], order["lines"], order["members"]) == ("T:Shop.Order", 3, 5, 2)
    assert {each["id"] for each in data["largest"]} == {"T:Shop.Order", "T:Shop.Web.Page", "T:Odd"}


def test_the_page_asks_no_network_and_runs_nothing_of_the_repository(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<img" not in text
    assert text.count("<script") == text.count("</script") == 2
    assert re.findall(r"""(?:src|href)\s*=\s*["']|url\((?!#)|@import|fetch\(|XMLHttpRequest|innerHTML""", text) == []
    assert "default-src 'none'" in text


def test_its_counts_are_those_of_the_index(codemap: Shell, clone: Clone, tmp_path: Path) -> None:
    linked = '<Compile Include="../Shared/*.cs" />'
    clone.commit(
        {
            "One/One.csproj": PROJECT.format(linked),
            "Two/Two.csproj": PROJECT.format(linked),
            "Shared/Shared.cs": "class Shared { int field; }\n",
        }
    )
    codemap("index", clone.root)
    data = data_of(codemap("html", "-o", "-", cwd=clone.root).stdout)
    assert [each["symbols"] for each in data["projects"]] == [2, 2]
    assert data["symbol_count"] == 4 == len(codemap.ids(clone.root))
    assert [4, "symbol", "symbols"] in data["counts"]
    assert len(data["symbols"]) == 2, "a search finds each once"


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_filter_and_a_search_that_find_nothing_say_so(service_page: Path, tmp_path: Path) -> None:
    page = tmp_path / "filtered.html"
    typed = """<script>byId("endpoint-query").value = "nowhere";
byId("endpoint-query").dispatchEvent(new Event("input"));</script></body>"""
    page.write_text(service_page.read_text(encoding="utf-8").replace("</body>", typed), encoding="utf-8")
    shown = dom_of(page, tmp_path, "#Zyzzyva")
    assert "No endpoint matches." in shown
    assert "No symbol matches." in shown


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_draws_it(page: Path, tmp_path: Path) -> None:
    shown = dom_of(page, tmp_path, "#order")
    assert shown.count('class="box ') == 3
    assert shown.count('class="edge"') == 2
    assert "3 symbols." in shown
    found = shown[shown.index('id="results"') :]
    assert found.index("Shop.<wbr>Order</span>") < found.index("Shop.<wbr>Order.<wbr>Pay</span>")


def test_without_projects_there_is_still_a_page(codemap: Shell, clone: Clone, tmp_path: Path) -> None:
    clone.commit({"notes.txt": "nothing"})
    codemap("index", clone.root)
    codemap("html", clone.root, cwd=tmp_path)
    (file,) = tmp_path.glob("repository-*.html")
    assert data_of(file.read_text())["projects"] == []


GRAPHS: list[dict[str, list[str]]] = [
    {},
    {"a": []},
    {"a": ["b"], "b": ["a"], "c": ["c", "nowhere"]},
    {"a": ["b", "c", "d"], "b": ["d"], "c": ["d"], "d": []},
    {f"n{i}": [f"n{j}" for j in range(i) if (i * 7 + j * 3) % 4 == 0] for i in range(40)},
]


@pytest.mark.parametrize("references", GRAPHS, ids=len)
def test_layouts_read_from_left_to_right(references: dict[str, list[str]]) -> None:
    drawn = layout(references)
    assert layout(dict(reversed(references.items()))) == drawn
    places = {box.name: box for box in drawn.boxes}
    assert places.keys() == references.keys()
    for edge in drawn.edges:
        columns = [column for column, _ in edge.points]
        assert columns == list(range(places[edge.source].column, places[edge.target].column + 1))
    for one in drawn.boxes:
        for other in drawn.boxes:
            assert one is other or one.column != other.column or abs(one.row - other.row) > 0.999
        assert 0 <= one.row <= drawn.rows - 0.999
        assert one.column < drawn.columns


def test_only_what_others_imply_is_not_drawn() -> None:
    drawn = layout(GRAPHS[3])
    assert {(edge.source, edge.target) for edge in drawn.edges} == {("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")}


SERVICE = {
    "Shop.csproj": """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup><PackageReference Include="Microsoft.EntityFrameworkCore.Relational" Version="9.0.0" />
  <PackageReference Include="MediatR" Version="12.0.0" /></ItemGroup>
</Project>""",
    "Program.cs": """using Microsoft.EntityFrameworkCore;
using MediatR;

var app = WebApplication.Create();
app.MapPost("/orders", (Orders orders) => orders.Place(new Order()));
app.MapGet("/ping", () => 1);
app.Run();

public class Customer { public int Id { get; set; } public string? Name { get; set; } }
public class Order { public int Id { get; set; } public required Customer Buyer { get; init; } }
public class ShopContext : DbContext
{
    public DbSet<Order> Orders { get; set; }
    public DbSet<Customer> Customers { get; set; }
    protected override void OnModelCreating(ModelBuilder model) =>
        model.Entity<Order>().HasOne(order => order.Buyer).WithMany();
}
public class Orders(ShopContext db)
{
    public void Place(Order order) => db.Orders.Add(order);
}
public record OrderPlaced : IRequest;
public class OrderPlacedHandler : IRequestHandler<OrderPlaced>
{
    public Task Handle(OrderPlaced request, CancellationToken token) => Task.CompletedTask;
}
public class Sender(ISender sender)
{
    public Task Tell() => sender.Send(new OrderPlaced());
    public Task Again() => sender.Send(new Once<OrderPlaced>());
}
public record OrderGone;
public record Once<T> : IRequest;
public abstract class OnceHandler<T> : IRequestHandler<Once<T>>
{
    public Task Handle(Once<T> request, CancellationToken token) => Task.CompletedTask;
}
public class PlacedOnceHandler : OnceHandler<OrderPlaced>;
public class GoneOnceHandler : OnceHandler<OrderGone>;
""",
    "First.cs": """using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Migrations;

public class First : Migration
{
    protected override void Up(MigrationBuilder migration) =>
        migration.CreateTable(schema: "old", name: "Orders", columns: table => new { });
    public static void Name(ModelBuilder model, string ending) => model.Entity<OrderGone>().ToTable("Gone" + ending);
}
""",
}


@pytest.fixture
def service_page(codemap: Shell, clone: Clone, tmp_path: Path) -> Path:
    clone.commit(SERVICE)
    codemap("index", clone.root)
    file = tmp_path / "service.html"
    codemap("html", clone.root, "-o", file)
    return file


def test_the_page_holds_endpoints_with_what_they_reach(service_page: Path) -> None:
    data = data_of(service_page.read_text(encoding="utf-8"))
    orders, ping = data["endpoints"]
    assert [orders[:3], ping[:3]] == [["POST", "/orders", "lambda"], ["GET", "/ping", "lambda"]]
    assert orders[4] == "Program.cs:5"
    assert [(depth, name, said) for depth, name, said, _ in orders[5]][1:] == [(1, "Orders.Place", "table Orders")]
    assert ping[5] == []


def test_the_page_holds_the_data_model(service_page: Path) -> None:
    data = data_of(service_page.read_text(encoding="utf-8"))
    assert [(name, entity, columns, relations) for name, entity, _, _, columns, relations in data["tables"]] == [
        ("Customers", "Customer", [["Id", "int", -1], ["Name", "string?", -1]], []),
        ("Orders", "Order", [["Id", "int", -1], ["Buyer", "Customer", 0]], [["many-to-one", "Customer", 0]]),
    ]


def test_the_page_holds_messages(service_page: Path) -> None:
    data = data_of(service_page.read_text(encoding="utf-8"))
    said = [
        (name, framework, [*handlers, *senders], count)
        for name, framework, handlers, senders, count in data["messages"]
    ]
    assert [(name, framework, [each[0] for each in places], count) for name, framework, places, count in said] == [
        ("Once<OrderGone>", "MediatR", ["OnceHandler.Handle"], 0),
        ("Once<OrderPlaced>", "MediatR", ["OnceHandler.Handle", "Sender.Again"], 1),
        ("OrderPlaced", "MediatR", ["OrderPlacedHandler.Handle", "Sender.Tell"], 1),
    ]


def test_the_page_says_nothing_of_what_there_is_not(page: Path) -> None:
    data = data_of(page.read_text(encoding="utf-8"))
    assert [data[each] for each in ("endpoints", "tables", "messages", "jobs")] == [[]] * 4


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_a_browser_lists_endpoints_tables_and_messages(service_page: Path, tmp_path: Path) -> None:
    shown = dom_of(service_page, tmp_path, "#table-0")
    assert re.search(r'id="results"[^>]*></div>', shown), "a place of the page is not a search"
    assert "/orders" in shown and 'href="#table-0"' in shown and "OrderPlacedHandler.Handle" in shown
    assert 'id="jobs-section"' not in shown
