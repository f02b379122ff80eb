"""Traces of requests in the shapes that real applications have, with nothing but what the built-in plug-ins find: a controller over a
repository, an endpoint with a lambda over a generic repository, a command with its handler, table and event, and a page."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import pytest

from codemap_core.errors import NotFoundError
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.summary.page import summarize
from codemap_core.queries.trace.entry_points import find_entry
from codemap_core.queries.trace.feature_trace import trace_feature
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

WEB = """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="MediatR" Version="12.0.0" />
    <PackageReference Include="Microsoft.EntityFrameworkCore.SqlServer" Version="9.0.0" />
  </ItemGroup>
</Project>
"""
PROGRAM = """using Microsoft.EntityFrameworkCore;
using Shop;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddDbContext<ShopContext>();
builder.Services.AddScoped<IShelves, Shelves>();
builder.Services.AddScoped(typeof(IStore<>), typeof(Store<>));
var app = builder.Build();
app.UseRouting();
var api = app.MapGroup("/api/crates").RequireAuthorization("Keeper");
api.MapPost("/", async (Crate crate, IStore<Crate> store) =>
{
    await Crates.Keep(crate, store);
});
api.MapDelete("/{id:int}", (int id) => id);
app.MapDefaultControllerRoute();
app.Run();
"""
MODEL = """using Microsoft.EntityFrameworkCore;

namespace Shop;

public class Shelf { public int Id { get; set; } public void Fill() { if (Id == 0) throw new EmptyShelfException(); } }
public class EmptyShelfException : System.Exception { }
public class Crate { public int Id { get; set; } }
public class ShopContext : DbContext, IShopContext
{
    public DbSet<Shelf> Shelves { get; set; }
    public DbSet<Crate> Crates { get; set; }
    protected override void OnModelCreating(ModelBuilder model) => model.Entity<Crate>().ToTable("crate", "stock");
}
public interface IShelves { Shelf Find(int id); void Save(); }
public class Shelves(ShopContext context) : IShelves
{
    public Shelf Find(int id) => context.Shelves.Find(id);
    public void Save() => context.SaveChanges();
}
public interface IStore<T> where T : class { System.Threading.Tasks.Task Add(T item); }
public class Store<T>(ShopContext context) : IStore<T> where T : class
{
    public async System.Threading.Tasks.Task Add(T item) { context.Set<T>().Add(item); await context.SaveChangesAsync(); }
}
public static class Crates
{
    public static async System.Threading.Tasks.Task Keep(Crate crate, IStore<Crate> store) => await store.Add(crate);
}
"""
CONTROLLER = """using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Mvc;
using Microsoft.Extensions.Logging;
using MediatR;

namespace Shop;

[ApiController]
[Authorize]
[Route("api/[controller]")]
public class ShelvesController : ControllerBase
{
    private readonly IShelves _shelves;
    private readonly IMediator _mediator;
    private readonly ILogger<ShelvesController> _logger;
    public ShelvesController(IShelves shelves, IMediator mediator, ILogger<ShelvesController> logger)
    {
        _shelves = shelves;
        _mediator = mediator;
        _logger = logger;
    }

    [HttpGet("{id:int}")]
    public Shelf Get(int id)
    {
        _logger.LogInformation("Looking up {Id}", id);
        return _shelves.Find(id);
    }

    [HttpPost("{id:int}/fill")]
    public async Task<IActionResult> Fill(int id)
    {
        await _mediator.Send(new FillShelf(id));
        return Ok();
    }
}
"""
COMMANDS = """using MediatR;

namespace Shop;

public record FillShelf(int Id) : IRequest<bool>;
public record ShelfFilled(int Id) : INotification;
public class FillShelfHandler(IShelves shelves, IMediator mediator) : IRequestHandler<FillShelf, bool>
{
    public async Task<bool> Handle(FillShelf request, CancellationToken cancellationToken)
    {
        var shelf = shelves.Find(request.Id);
        shelf.Fill();
        shelves.Save();
        await mediator.Publish(new ShelfFilled(request.Id));
        return true;
    }
}
public class Announcer(IConfiguration settings) : INotificationHandler<ShelfFilled>
{
    public Task Handle(ShelfFilled notification, CancellationToken cancellationToken)
    {
        _ = settings["Announcements:Address"];
        return Task.CompletedTask;
    }
}
"""
HOME = """using Microsoft.AspNetCore.Mvc;

namespace Shop;

public class HomeController(IShelves shelves) : Controller
{
    public IActionResult Index() => View(shelves.Find(1));
}
"""
CLEARING = """using Microsoft.EntityFrameworkCore;

namespace Shop;

public interface IShopContext
{
    DbSet<Crate> Crates { get; }
    Task<int> SaveChangesAsync(CancellationToken cancellationToken);
}
public class Clearing(IShopContext context)
{
    public async Task Clear(CancellationToken cancellationToken)
    {
        context.Crates.RemoveRange(context.Crates);
        await context.SaveChangesAsync(cancellationToken);
    }
}
public interface IWork { IStore<T> StoreOf<T>() where T : class; TTo Map<TTo>(object from); }
public class Filling(IWork work)
{
    public Task Fill(Shelf shelf)
    {
        work.Map<Crate>(shelf);
        return work.StoreOf<Shelf>().Add(shelf);
    }
}
"""
FILES = {
    "Shop.csproj": WEB,
    "Clearing.cs": CLEARING,
    "Program.cs": PROGRAM,
    "Model.cs": MODEL,
    "ShelvesController.cs": CONTROLLER,
    "Commands.cs": COMMANDS,
    "HomeController.cs": HOME,
}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with open_index(write_source_index(tmp_path_factory.mktemp("shapes") / "shop.db", FILES)) as found:
        yield found


def drawn(snapshot: Snapshot, entry_point: str) -> str:
    return "\n".join(trace_feature(snapshot, find_entry(snapshot, entry_point, SymbolFilter()), 4, 100).lines())


def test_a_controller_over_a_repository(snapshot: Snapshot) -> None:
    assert drawn(snapshot, "GET /api/shelves/5") == textwrap.dedent("""\
        ShelvesController.Get  (ShelvesController.cs:24)  authorize authenticated  log "Looking up {Id}"
          27  Shelves.Find  (Model.cs:17)  [via IShelves, registered]  table Shelves""")


def test_a_command_with_its_handler_and_the_event_that_it_publishes(snapshot: Snapshot) -> None:
    assert drawn(snapshot, "POST /api/shelves/5/fill") == textwrap.dedent("""\
        ShelvesController.Fill  (ShelvesController.cs:31)  authorize authenticated
          33  FillShelfHandler.Handle  (Commands.cs:9)  [handles FillShelf]
            11  Shelves.Find  (Model.cs:17)  [via IShelves, registered]  table Shelves
            12  Shelf.Fill  (Model.cs:5)  throws EmptyShelfException
            13  Shelves.Save  (Model.cs:18)  [via IShelves, registered]  saves changes to the database
            14  Announcer.Handle  (:20)  [handles ShelfFilled]  config Announcements:Address
            also: 14 new ShelfFilled
          also: 33 new FillShelf""")


def test_an_interface_in_source_that_the_context_implements(snapshot: Snapshot) -> None:
    assert drawn(snapshot, "Clearing.Clear") == textwrap.dedent("""\
        Clearing.Clear  (Clearing.cs:12)  table stock.crate  saves changes to the database
          also: 15 IShopContext.SaveChangesAsync""")


def test_a_generic_repository_that_a_call_gives(snapshot: Snapshot) -> None:
    assert drawn(snapshot, "Filling.Fill") == textwrap.dedent("""\
        Filling.Fill  (Clearing.cs:21)  table Shelves [medium]
          24  Store.Add  (Model.cs:23)  [via IStore, registered]  saves changes to the database
          also: 23 IWork.Map, 24 IWork.StoreOf""")


def test_a_lambda_over_a_generic_repository(snapshot: Snapshot) -> None:
    assert drawn(snapshot, "POST /api/crates") == textwrap.dedent("""\
        Program  (Program.cs:11)  authorize policy:Keeper
          13  Crates.Keep  (Model.cs:27)  table stock.crate [medium]
            27  Store.Add  (:23)  [via IStore, registered]  saves changes to the database""")
    assert drawn(snapshot, "DELETE /api/crates/5") == "Program  (Program.cs:15)  authorize policy:Keeper"


@pytest.mark.parametrize("asked", ["GET /", "GET /home", "GET /Home/Index/5"])
def test_an_action_that_a_convention_leads_to(snapshot: Snapshot, asked: str) -> None:
    assert drawn(snapshot, asked) == textwrap.dedent("""\
        HomeController.Index  (HomeController.cs:7)
          7  Shelves.Find  (Model.cs:17)  [via IShelves, registered]  table Shelves""")


@pytest.mark.parametrize(
    ("asked", "candidates"),
    [
        ("GET /api/shelves/oak", ("GET /api/shelves/{id:int}",)),  # no value of its parameter
        ("GET /Shelves/Get", ()),  # an action with a route of its own is not reached by a convention
    ],
)
def test_what_no_endpoint_answers(snapshot: Snapshot, asked: str, candidates: tuple[str, ...]) -> None:
    with pytest.raises(NotFoundError) as raised:
        drawn(snapshot, asked)
    assert set(candidates) <= set(raised.value.details["candidates"])


def test_the_summary_of_the_same(snapshot: Snapshot) -> None:
    page = "\n".join(summarize(snapshot, "Shop", ["data", "messages", "middleware"]).lines())
    assert page == textwrap.dedent("""\
        Data: 2 tables in 1 context
          Shelves  DbSet<Shelf> in ShopContext.Shelves
          stock.crate  DbSet<Crate> in ShopContext.Crates, ToTable Crate in ShopContext.OnModelCreating
        Messages: 2 types with 2 handlers (MediatR 2)
          FillShelf → FillShelfHandler  MediatR  Commands.cs:9
          ShelfFilled → Announcer  MediatR  Commands.cs:20
        Middleware: 1 pipeline in order of registration
          Shop  Program: UseRouting → MapGroup → MapDefaultControllerRoute""")
