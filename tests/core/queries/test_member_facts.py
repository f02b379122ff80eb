"""What cards and contexts say of a member from facts: its own, its side effects, what it throws."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from codemap_core.model import FactRow, ReferenceRow, RefKind, ResolutionState
from codemap_core.queries.cards.context import get_context
from codemap_core.queries.cards.symbol_card import get_card
from codemap_core.queries.facts.side_effects import side_effects
from codemap_core.queries.snapshot import Snapshot
from tests.core.queries.conftest import open_index, write_source_index

SOURCE = """using System.Net.Http;
using System.Net.Http.Json;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.Caching.Distributed;
using RabbitMQ.Client;
using StackExchange.Redis;
namespace Shop;
public class Order { public int Id { get; set; } }
public interface ISaver { Task<int> SaveChangesAsync(CancellationToken token); int SaveChangesSoon(); }
public interface IShopContext : ISaver { DbSet<Order> Orders { get; } }
public class ShopContext : DbContext, IShopContext
{
    public DbSet<Order> Orders { get; set; }
    public DbSet<Order> Drafts { get; set; }
    public int SaveChangesSoon() => 0;
}
public class Shelf { public int Id { get; set; } }
public class Store : DbContext { public DbSet<Shelf> Shelves { get; set; } }
public class OrderHandler { public void Handle(Order order) { } }
public class Orders(ShopContext db, HttpClient http)
{
    public void Place(Order order) { db.Orders.Add(order); db.SaveChanges(); }
    public int Count() => db.Orders.Count();
    public void Promote(Order order)
    {
        db.Drafts.Remove(order);
        db.Orders.Add(order);
    }
    public void Mixed(Order order)
    {
        var drafts = db.Drafts;
        var orders = db.Orders;
        orders.Add(order);
    }
    public void Replace(Order order)
    {
        var known = db.Orders.Find(order.Id);
        if (known is not null) db.Orders.Update(order);
    }
    public void Publish(int id)
    {
        var draft = db.Drafts.Find(id);
        db.Orders.Add(draft);
    }
    public async Task Notify() { await http.PostAsJsonAsync("x", 1); http.CancelPendingRequests(); }
    public void Send(Order order) { }
    public void Settings() { }
    public void PlaceBy(IShopContext shop) { shop.Orders.Add(new Order()); shop.SaveChangesAsync(default); }
    public int Soon(IShopContext shop) => shop.SaveChangesSoon();
    public void Quiet(Order order) => order.Id.ToString();
    public void Keep(Shelf shelf) { db.Set<Shelf>().Add(shelf); }
    public void Drop() { db.Remove(new Shelf()); }
    public void Stow(Shelf shelf) { db.Add(shelf); }
    public void Swap(Shelf shelf, Order order) { db.Add(shelf); db.Remove(order); }
    public void Find() { db.Find<Shelf>(1); }
    public async Task Tell(IChannel channel) { await channel.BasicPublishAsync("orders", "placed", new byte[0]); }
    public void Cache(IDatabase redis, IDistributedCache cache)
    {
        redis.StringSet("a", "b");
        redis.ListInsertBefore("a", "b", "c");
        redis.HashGetAll("c");
        cache.GetString("d");
        cache.Remove("e");
    }
}
"""
PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="Microsoft.EntityFrameworkCore" Version="9.0.0" />
    <PackageReference Include="Microsoft.Extensions.Caching.Abstractions" Version="9.0.0" />
    <PackageReference Include="RabbitMQ.Client" Version="7.0.0" />
    <PackageReference Include="StackExchange.Redis" Version="2.8.0" />
  </ItemGroup>
</Project>"""


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.split("\n"), start=1) if text in line)


def fact(kind: str, value: str, owner: str, text: str, **detail: object) -> FactRow:
    line = line_of(text)
    return FactRow(
        kind=kind,
        value=value,
        detail={"at": line, **detail},
        symbol_id=owner,
        file_path="Orders.cs",
        line_start=line,
        line_end=line,
        project="Shop.csproj",
    )


SEND = "M:Shop.Orders.Send(Shop.Order)"
SETTINGS = "M:Shop.Orders.Settings"
FACTS = [
    fact("db_table", "Orders|DbSet<Order>", "P:Shop.ShopContext.Orders", "class ShopContext", source="dbset"),
    fact("db_table", "Drafts|DbSet<Order>", "P:Shop.ShopContext.Drafts", "class ShopContext", source="dbset"),
    fact("route", "POST /orders", SEND, "void Send"),
    fact("db_table", "audit.Entry|Raw SQL", SEND, "void Send", source="sql", use="into"),
    fact("db_table", "audit.Source|Raw SQL", SEND, "void Send", source="sql", use="from"),
    fact("config", "Mail:Host|GetValue", SETTINGS, "void Settings", source="configuration"),
    fact("config", "Mail:Port|IConfiguration indexer", SETTINGS, "void Settings", source="configuration", write=True),
    fact("config", "HOME|GetEnvironmentVariable", SETTINGS, "void Settings", source="env"),
    fact("exception", "ArgumentException|throw new", SEND, "void Send", type="System.ArgumentException"),
    fact("exception", "IOException|throw new", SEND, "void Send", type="System.IO.IOException", caught=True),
    fact("log", "Sent|Information", SEND, "void Send"),
]
LINK = ReferenceRow(
    kind=RefKind.LINK,
    role="sends",
    from_symbol=SEND,
    to_symbol="M:Shop.OrderHandler.Handle(Shop.Order)",
    to_name="Handle",
    file_path="Orders.cs",
    line=line_of("void Send"),
    line_end=line_of("void Send"),
    column=9,
    resolution_state=ResolutionState.RESOLVED,
    project="Shop.csproj",
)


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = tmp_path_factory.mktemp("facts") / "index.db"
    files = {"Shop.csproj": PROJECT, "Orders.cs": SOURCE}
    with open_index(write_source_index(path, files, facts=FACTS, links=[LINK])) as opened:
        yield opened


@pytest.mark.parametrize(
    ("member", "expected"),
    [
        ("Place(Shop.Order)", ["writes table Orders", "saves changes to the database"]),
        ("Count", ["reads table Orders"]),
        ("Promote(Shop.Order)", ["writes table Drafts", "writes table Orders"]),
        ("Mixed(Shop.Order)", ["uses table Drafts", "uses table Orders"]),
        ("Replace(Shop.Order)", ["writes table Orders", "reads table Orders"]),
        ("Publish(System.Int32)", ["writes table Orders", "reads table Drafts"]),
        ("Notify", ["calls out over HTTP by HttpClientJsonExtensions.PostAsJsonAsync"]),
        (
            "Send(Shop.Order)",
            ["writes table audit.Entry", "reads table audit.Source", "sends a message to OrderHandler.Handle"],
        ),
        (
            "Settings",
            [
                "sets configuration Mail:Port",
                "reads configuration Mail:Host",
                "reads the environment variable HOME",
            ],
        ),
        ("PlaceBy(Shop.IShopContext)", ["writes table Orders", "saves changes to the database"]),
        ("Soon(Shop.IShopContext)", []),
        ("Quiet(Shop.Order)", []),
        ("Keep(Shop.Shelf)", ["writes table Shelves"]),
        ("Drop", ["writes table Shelves"]),
        ("Stow(Shop.Shelf)", ["writes table Shelves"]),
        ("Swap(Shop.Shelf,Shop.Order)", []),
        ("Find", ["reads table Shelves"]),
        ("Tell(RabbitMQ.Client.IChannel)", ["sends a message by IChannelExtensions.BasicPublishAsync"]),
        (
            "Cache(StackExchange.Redis.IDatabase,Microsoft.Extensions.Caching.Distributed.IDistributedCache)",
            [
                "writes a data store by IDatabase.StringSet",
                "writes a data store by IDatabase.ListInsertBefore",
                "writes a data store by IDistributedCache.Remove",
                "reads a data store by IDatabase.HashGetAll",
                "reads a data store by DistributedCacheExtensions.GetString",
            ],
        ),
    ],
)
def test_side_effects(snapshot: Snapshot, member: str, expected: list[str]) -> None:
    symbol_id = f"M:Shop.Orders.{member}"
    found = side_effects(snapshot, {symbol_id: ("Orders.cs",)})
    assert [str(each) for each in found.get(symbol_id, ())] == expected


def test_a_member_s_card(snapshot: Snapshot) -> None:
    (symbol,) = snapshot.reader.symbols_with_id(SEND)
    card = get_card(snapshot, symbol, with_source=False)
    assert card.thrown_exceptions == ("System.ArgumentException",)
    assert card.side_effects[0] == "writes table audit.Entry"
    assert list(card.lines())[2:] == [
        "db_table: audit.Entry  Raw SQL",
        "db_table: audit.Source  Raw SQL",
        "log: Sent  Information",
        "route: POST /orders",
        "effects: writes table audit.Entry; reads table audit.Source; sends a message to OrderHandler.Handle",
        "throws: ArgumentException",
    ]


def test_source_is_not_repeated_in_words(snapshot: Snapshot) -> None:
    (symbol,) = snapshot.reader.symbols_with_id(SEND)
    lines = list(get_card(snapshot, symbol, with_source=True).lines())
    assert "route: POST /orders" in lines
    assert not [line for line in lines if line.startswith(("log:", "exception:", "throws:"))]


def test_a_type_s_card_counts_the_facts_of_its_members(snapshot: Snapshot) -> None:
    (symbol,) = snapshot.reader.symbols_with_id("T:Shop.Orders")
    card = get_card(snapshot, symbol, with_source=False)
    assert card.member_facts == {"config": 3, "db_table": 2, "exception": 2, "log": 1, "route": 1}
    assert "facts of members: config 3, db table 2, exception 2, log 1, route 1" in list(card.lines())


def test_contexts_say_what_the_source_does_not(snapshot: Snapshot) -> None:
    (symbol,) = snapshot.reader.symbols_with_id(SEND)
    context = get_context(snapshot, [symbol], limit=9)
    assert context.pieces[0].facts[-1] == "sends a message to OrderHandler.Handle"
    assert "  // db_table: audit.Entry  Raw SQL; db_table: audit.Source  Raw SQL; route: POST /orders; " in "\n".join(
        context.lines()
    )


THROWING: Final = """namespace Shop;
public class MissingException : System.Exception { }
public interface IStore { int Find(int id); }
public class Store : IStore
{
    public int Find(int id) => id > 0 ? id : throw new MissingException();
    public int Guarded(int id) { System.ArgumentOutOfRangeException.ThrowIfNegative(id); return Find(id); }
    public int Careful(int id) { try { return Find(id); } catch (MissingException) { return 0; } }
    public int OverCareful(int id) => Careful(id);
    public int Far(int id) => Guarded(id);
    public int Farther(int id) => Far(id);
    public System.Func<int> Later() => () => throw new System.NotSupportedException();
    public int Filtered(int id) { try { return Find(id); } catch (MissingException e) when (e.HResult == 1) { return 0; } }
    public int Again(int id) { try { return Find(id); } catch (MissingException) { throw; } }
    public int Other(int id) { try { return Guarded(id); } catch (System.ArgumentException) { return 0; } }
    public int Beside(int id) { int found = Find(id); try { return Careful(id); } catch { return found; } }
    public int Twice(int id) { try { Find(id); } catch { } return Find(id); }
    public int Within(int id)
    {
        try { try { return Find(id); } catch (System.IO.IOException) { return 0; } }
        catch (System.Exception) { return 1; }
    }
    /// <exception cref="System.TimeoutException">The disk is slow.</exception>
    public void Slow() { }
    public void Slower() { Slow(); Slower(); }
}
public class Desk(IStore store) { public int Ask(int id) => store.Find(id); }
"""


FOUND: Final = {"Shop.MissingException": "M:Shop.Store.Find(System.Int32)"}


@pytest.fixture(scope="module")
def throwing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path = tmp_path_factory.mktemp("throwing") / "index.db"
    with open_index(write_source_index(path, {"Shop.csproj": PROJECT, "Store.cs": THROWING})) as opened:
        yield opened


@pytest.mark.parametrize(
    ("member", "own", "through_calls"),
    [
        ("Store.Find(System.Int32)", ["Shop.MissingException"], {}),
        (
            "Store.Guarded(System.Int32)",
            ["System.ArgumentOutOfRangeException"],
            {"Shop.MissingException": "M:Shop.Store.Find(System.Int32)"},
        ),
        ("Store.Careful(System.Int32)", [], {}),
        ("Store.OverCareful(System.Int32)", [], {}),
        (
            "Store.Far(System.Int32)",
            [],
            {
                "System.ArgumentOutOfRangeException": "M:Shop.Store.Guarded(System.Int32)",
                "Shop.MissingException": "M:Shop.Store.Find(System.Int32)",
            },
        ),
        ("Store.Later", [], {}),
        ("Store.Filtered(System.Int32)", [], FOUND),
        ("Store.Again(System.Int32)", ["Shop.MissingException"], {}),
        ("Store.Other(System.Int32)", [], FOUND),
        ("Store.Beside(System.Int32)", [], FOUND),
        ("Store.Twice(System.Int32)", [], FOUND),
        ("Store.Within(System.Int32)", [], {}),
        ("Store.Slow", ["System.TimeoutException"], {}),
        ("Store.Slower", [], {"System.TimeoutException": "M:Shop.Store.Slow"}),
        ("Desk.Ask(System.Int32)", [], {"Shop.MissingException": "M:Shop.Store.Find(System.Int32)"}),
    ],
)
def test_exceptions_that_leave_a_member(
    throwing: Snapshot, member: str, own: list[str], through_calls: dict[str, str]
) -> None:
    (symbol,) = throwing.reader.symbols_with_id(f"M:Shop.{member}")
    card = get_card(throwing, symbol, with_source=False)
    assert card.thrown_exceptions == (*own, *through_calls)
    assert card.thrown_by_callees == through_calls


def test_exceptions_of_callees_as_text(throwing: Snapshot) -> None:
    (symbol,) = throwing.reader.symbols_with_id("M:Shop.Store.Guarded(System.Int32)")
    lines = list(get_card(throwing, symbol, with_source=False).lines())
    assert "throws: ArgumentOutOfRangeException" in lines
    assert "throws through calls: MissingException (Store.Find)" in lines


def test_what_another_project_declares_by_the_same_id_is_not_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("twice") / "index.db"
    source = """using System.Net.Http;
var answer = await new HttpClient().GetAsync("x");
throw new System.InvalidOperationException();
"""
    files = {
        "A/A.csproj": PROJECT,
        "A/Program.cs": source,
        "B/B.csproj": PROJECT,
        "B/Program.cs": "System.Console.Beep();\n",
    }
    with open_index(write_source_index(path, files)) as opened:
        by_file = {each.file_path: each for each in opened.reader.symbols_with_id("M:Program.{Main}$(System.String[])")}
        said = {file: get_card(opened, symbol, with_source=False) for file, symbol in by_file.items()}
    assert [card.side_effects for card in said.values()] == [("calls out over HTTP by HttpClient.GetAsync",), ()]
    assert [len(card.facts) for card in said.values()] == [1, 0]
    assert [card.thrown_exceptions for card in said.values()] == [("System.InvalidOperationException",), ()]
