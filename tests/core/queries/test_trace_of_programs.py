"""Traces of what applications add around and between their handlers: behaviours and decorators, messages that carry others, events that
another program handles, modules that register for themselves, pages, and contexts that are called for an entity."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.queries.facts.thrown_exceptions import thrown_through_calls
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.summary.page import summarize
from codemap_core.queries.trace.entry_points import find_entry
from codemap_core.queries.trace.feature_trace import trace_feature
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

WEB = """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup>
    <PackageReference Include="FluentValidation" Version="11.0.0" />
    <PackageReference Include="MediatR" Version="12.0.0" />
    <PackageReference Include="Scrutor" Version="5.0.0" />
    <PackageReference Include="Microsoft.EntityFrameworkCore.SqlServer" Version="9.0.0" />
    {references}
  </ItemGroup>
</Project>
"""
LIBRARY = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""


def web(*referenced: str) -> str:
    return WEB.format(references="".join(f'<ProjectReference Include="{each}" />' for each in referenced))


SETUP = """using MediatR;

namespace Shop;

public static class Setup
{
    public static void Add(IServiceCollection services)
    {
        services.AddDbContext<ShopContext>();
        services.AddHostedService<Sweeper<Crate>>();
        services.AddHostedService<Sweeper<Seen>>();
        services.AddMediatR(setup =>
        {
            setup.RegisterServicesFromAssemblyContaining<ShopContext>();
            setup.AddOpenBehavior(typeof(Saving<,>));
        });
        services.Decorate(typeof(IRequestHandler<,>), typeof(Watched<,>));
        services.Decorate(typeof(IRequestHandler<,>), typeof(Timed<,>));
    }
}
"""
PIPELINE = """using MediatR;
using Microsoft.EntityFrameworkCore;

namespace Shop;

public class Saving<TRequest, TResponse>(ShopContext context) : IPipelineBehavior<TRequest, TResponse> where TRequest : notnull
{
    public async Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next, CancellationToken cancellation)
    {
        try
        {
            var response = await next();
            await context.SaveChangesAsync();
            return response;
        }
        catch (Exception)
        {
            throw;
        }
    }
}
public class Watched<TRequest, TResponse>(IRequestHandler<TRequest, TResponse> inner) : IRequestHandler<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
{
    public Task<TResponse> Handle(TRequest request, CancellationToken cancellation)
    {
        if (cancellation.IsCancellationRequested) throw new TimeoutException();
        return inner.Handle(request, cancellation);
    }
}
public class Timed<TRequest, TResponse>(IRequestHandler<TRequest, TResponse> inner) : IRequestHandler<TRequest, TResponse>
    where TRequest : IRequest<TResponse>
{
    public Task<TResponse> Handle(TRequest request, CancellationToken cancellation)
    {
        if (request is null) throw new NotSupportedException();
        return inner.Handle(request, cancellation);
    }
}
public class Sweeper<T> : BackgroundService
{
    protected override Task ExecuteAsync(CancellationToken stopping) => Task.CompletedTask;
}
public class Crate { public int Id { get; set; } }
public class Seen { public int Id { get; set; } }
public class ShopContext : DbContext
{
    public DbSet<Crate> Crates { get; set; }
    protected override void OnModelCreating(ModelBuilder model) => model.Entity<Seen>().ToTable("seen", "log");
    public void Map(ModelBuilder model, string name) => model.Entity<Seen>().ToTable(name);
}
"""
COMMANDS = """using MediatR;
using Microsoft.AspNetCore.Mvc;

namespace Shop;

public record Once<T, R>(T Inner, int Id) : IRequest<R> where T : IRequest<R>;
public abstract class OnceHandler<T, R>(ISender sender, ShopContext context) : IRequestHandler<Once<T, R>, R> where T : IRequest<R>
{
    protected abstract R Repeated();
    public async Task<R> Handle(Once<T, R> request, CancellationToken cancellation)
    {
        if (await context.FindAsync<Seen>(request.Id) != null) return Repeated();
        context.Add(new Seen());
        return await sender.Send(request.Inner, cancellation);
    }
}
public record Pack(int Id) : IRequest<bool>;
public record Ship(int Id) : IRequest<bool>;
public class PackHandler(ShopContext context) : IRequestHandler<Pack, bool>
{
    public async Task<bool> Handle(Pack request, CancellationToken cancellation) => context.Crates.Any();
}
public class ShipHandler : IRequestHandler<Ship, bool>
{
    public Task<bool> Handle(Ship request, CancellationToken cancellation) => Task.FromResult(true);
}
public class PackOnce(ISender sender, ShopContext context) : OnceHandler<Pack, bool>(sender, context)
{
    protected override bool Repeated() => true;
}
public class ShipOnce(ISender sender, ShopContext context) : OnceHandler<Ship, bool>(sender, context)
{
    protected override bool Repeated() => false;
}
[ApiController]
[Route("crates")]
public class CratesController(ISender sender) : ControllerBase
{
    [HttpPost("{id:int}/pack")]
    public async Task<bool> Pack(int id)
    {
        var pack = new Pack(id);
        return await sender.Send(new Once<Pack, bool>(pack, id));
    }
}
"""
PAGE = """using Microsoft.AspNetCore.Mvc.RazorPages;

namespace Shop.Pages;

public class CratesModel(ShopContext context) : PageModel
{
    public void OnGet() => Load();
    public void OnPostClear() { context.Crates.RemoveRange(context.Crates); context.SaveChanges(); }
    private void Load() { _ = context.Set<Crate>().ToList(); }
}
"""
FILES = {
    "Shop.csproj": web(),
    "Setup.cs": SETUP,
    "Pipeline.cs": PIPELINE,
    "Commands.cs": COMMANDS,
    "Pages/Crates.cshtml": "@page\n@model Shop.Pages.CratesModel\n<h1>Crates</h1>\n",
    "Pages/Crates.cshtml.cs": PAGE,
}


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with open_index(write_source_index(tmp_path_factory.mktemp("programs") / "shop.db", FILES)) as found:
        yield found


def drawn(snapshot: Snapshot, entry_point: str) -> str:
    return "\n".join(trace_feature(snapshot, find_entry(snapshot, entry_point, SymbolFilter()), 4, 100).lines())


def test_what_runs_around_a_handler_stands_before_it_once_and_a_carried_message_below_what_sends_it_on(
    snapshot: Snapshot,
) -> None:
    assert drawn(snapshot, "POST /crates/5/pack") == textwrap.dedent("""\
        CratesController.Pack  (Commands.cs:40)
          43  Saving.Handle  (Pipeline.cs:8)  [around Once]  saves changes to the database
          43  Timed.Handle  (Pipeline.cs:34)  [around Once]  throws NotSupportedException
          43  Watched.Handle  (Pipeline.cs:25)  [around Once]  throws TimeoutException
          43  OnceHandler.Handle  (:10)  [handles Once]  table log.seen
            14  PackHandler.Handle  (:21)  [handles Pack]  [low]  table Crates
            also: 12 PackOnce.Repeated
          also: 42 new Pack, 43 new Once""")


@pytest.mark.parametrize("asked", ["POST /crates", "post /Crates/"])
def test_a_page_is_traced_from_the_handlers_of_the_verb(snapshot: Snapshot, asked: str) -> None:
    assert drawn(snapshot, asked) == (
        "CratesModel.OnPostClear  (Pages/Crates.cshtml.cs:8)  table Crates  saves changes to the database"
    )


def test_a_context_that_is_called_for_an_entity_reaches_its_table(snapshot: Snapshot) -> None:
    for asked in ("GET /crates", "HEAD /crates"):
        assert drawn(snapshot, asked) == textwrap.dedent("""\
            CratesModel.OnGet  (Pages/Crates.cshtml.cs:7)
              7  CratesModel.Load  (:9)  table Crates""")


def test_a_page_says_which_verbs_it_answers(snapshot: Snapshot) -> None:
    with pytest.raises(InvalidArgumentError, match="no handler for DELETE: it answers GET, POST"):
        drawn(snapshot, "DELETE /crates")


def test_throwing_on_whatever_was_caught_is_no_exception_of_its_own(snapshot: Snapshot) -> None:
    """ECMA-334 §13.10.6: ``throw;`` throws what the clause caught, which is said of what the clause guards."""
    saving = next(each for each in snapshot.reader.members_of("T:Shop.Saving`2") if "Handle" in each.symbol_id)
    assert thrown_through_calls(snapshot, saving.symbol_id) == {}


def test_the_summary_has_mapped_tables_by_context_and_services_by_name(snapshot: Snapshot) -> None:
    sections = {each.key: each.rows for each in summarize(snapshot, "Shop").sections}
    assert sections["data"] == ("ShopContext (Shop): Crates, log.seen",)
    assert sections["entry_points"][-1] == "1 background service or job: Sweeper"


EVENTS = """namespace Bus;

public interface IEventHandler<T> { void Handle(T placed); }
public interface IBus { void Publish(Event placed); }
public abstract record Event;
"""


def test_an_event_leads_to_what_handles_its_namesake_in_another_program(tmp_path: Path) -> None:
    """Neither program sees the other; the type that they share is the base of their events."""
    files = {
        "bus/Bus.csproj": LIBRARY,
        "bus/Bus.cs": EVENTS,
        "shop/Shop.csproj": web("../bus/Bus.csproj"),
        "shop/Desk.cs": "namespace Shop;\n\n"
        "public record Placed(int Id) : Bus.Event;\n"
        "public record Dropped(int Id) : Bus.Event;\n"
        "public class Desk(Bus.IBus bus)\n{\n"
        "    public void Take(int id) => bus.Publish(new Placed(id));\n"
        "    public void Drop(int id) => bus.Publish(new Dropped(id));\n}\n"
        "public class DroppedHandler : Bus.IEventHandler<Dropped> { public void Handle(Dropped dropped) { } }\n",
        "mail/Mail.csproj": web("../bus/Bus.csproj"),
        "mail/Mails.cs": "namespace Mail;\n\n"
        "public record Placed(int Id) : Bus.Event;\n"
        "public record Dropped(int Id) : Bus.Event;\n"
        "public class PlacedHandler : Bus.IEventHandler<Placed> { public void Handle(Placed placed) { } }\n"
        "public class MailHandler : Bus.IEventHandler<Dropped> { public void Handle(Dropped dropped) { } }\n",
    }
    with open_index(write_source_index(tmp_path / "bus.db", files)) as snapshot:
        assert drawn(snapshot, "Desk.Take") == textwrap.dedent("""\
            Desk.Take  (shop/Desk.cs:7)
              7  PlacedHandler.Handle  (mail/Mails.cs:5)  [handles Placed]  [low]
              also: 7 IBus.Publish, 7 new Placed""")
        own = drawn(snapshot, "Desk.Drop")
    assert "DroppedHandler.Handle" in own and "MailHandler" not in own


def test_a_request_leads_to_what_answers_it_in_another_program(tmp_path: Path) -> None:
    """What maps an endpoint that a lambda handles is not followed: it maps others too."""
    files = {
        "stock/Stock.csproj": web(),
        "stock/StockController.cs": "using Microsoft.AspNetCore.Mvc;\nnamespace Stock;\n\n"
        '[Route("stock")] public class StockController(Shelf shelf) : ControllerBase\n{\n'
        '    [HttpGet("{id:int}")] public int Find(int id) => shelf.Count(id);\n}\n'
        "public class Shelf { public int Count(int id) => id; }\n",
        "stock/Program.cs": "var app = WebApplication.Create();\n"
        'app.MapPost("/stock", () => new Stock.Shelf().Count(1));\n',
        "shop/Shop.csproj": web(),
        "shop/Desk.cs": "namespace Shop;\n\n"
        "public class Desk(HttpClient client)\n{\n"
        '    public Task Look(int id) => client.GetAsync($"/stock/{id}");\n'
        '    public Task Put() => client.PostAsync("/stock", null);\n}\n',
    }
    with open_index(write_source_index(tmp_path / "stock.db", files)) as snapshot:
        assert drawn(snapshot, "Desk.Look") == textwrap.dedent("""\
            Desk.Look  (shop/Desk.cs:5)  calls out over HTTP by HttpClient.GetAsync
              5  StockController.Find  (stock/StockController.cs:6)  [over HTTP]  [medium]  route GET /stock/{id:int}
                also: 6 Shelf.Count""")
        assert drawn(snapshot, "Desk.Put") == textwrap.dedent("""\
            Desk.Put  (shop/Desk.cs:6)  calls out over HTTP by HttpClient.PostAsync
              6  Program  (stock/Program.cs:1)  [over HTTP]  [medium]  route POST /stock""")


def test_a_module_runs_what_it_registers_itself(tmp_path: Path) -> None:
    """Each module registers its own store for an interface of the program; the host references both."""

    def module(name: str) -> dict[str, str]:
        return {
            f"{name}/{name}.csproj": web("../core/Core.csproj"),
            f"{name}/Code.cs": f"""namespace {name};

public class {name}Store : Core.IStore {{ public void Save() => throw new {name}Exception(); }}
public class {name}Exception : System.Exception {{ }}
public interface I{name} {{ void Run(); }}
public class Runner(Core.Worker worker) : I{name} {{ public void Run() => worker.Work(); }}
public static class {name}Setup
{{
    public static void Add(IServiceCollection services)
    {{
        services.AddScoped<Core.IStore, {name}Store>();
        services.AddScoped<I{name}, Runner>();
    }}
}}
""",
        }

    files = {
        "core/Core.csproj": LIBRARY,
        "core/Core.cs": "namespace Core;\n\npublic interface IStore { void Save(); }\n"
        "public class Worker(IStore store) { public void Work() => store.Save(); }\n",
        **module("Sales"),
        **module("Stock"),
        "host/Host.csproj": web("../Sales/Sales.csproj", "../Stock/Stock.csproj"),
        "host/Host.cs": "public class Page(Sales.ISales sales) { public void Show() => sales.Run(); }\n",
    }
    with open_index(write_source_index(tmp_path / "modules.db", files)) as snapshot:
        assert drawn(snapshot, "Page.Show") == textwrap.dedent("""\
            Page.Show  (host/Host.cs:1)
              1  Runner.Run  (Sales/Code.cs:6)  [via ISales, registered]
                6  Worker.Work  (core/Core.cs:4)
                  4  SalesStore.Save  (Code.cs:3)  [via IStore, registered]  throws SalesException""")


def test_a_behaviour_runs_the_validators_of_the_request_that_it_takes(tmp_path: Path) -> None:
    """Those that are registered for the request, behind the behaviour that takes them; not those that no behaviour takes."""
    code = """using FluentValidation;
using MediatR;

namespace Shop;

public record Pack(int Id) : IRequest<bool>;
public record Ship(int Id) : IRequest<bool>;
public class PackHandler : IRequestHandler<Pack, bool>
{
    public Task<bool> Handle(Pack request, CancellationToken cancellation) => Task.FromResult(true);
}
public class ShipHandler : IRequestHandler<Ship, bool>
{
    public Task<bool> Handle(Ship request, CancellationToken cancellation) => Task.FromResult(true);
}
public class PackValidator : AbstractValidator<Pack>
{
    public PackValidator() => RuleFor(each => each.Id).Must(IsKnown);
    private static bool IsKnown(int id) => id > 0;
}
public class ShipValidator : AbstractValidator<Ship>
{
    public ShipValidator() => RuleFor(each => each.Id).NotEmpty();
}
public class Noted<TRequest, TResponse> : IPipelineBehavior<TRequest, TResponse> where TRequest : notnull
{
    public Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next, CancellationToken cancellation) => next();
}
public class Valid<TRequest, TResponse>(IEnumerable<IValidator<TRequest>> validators) : IPipelineBehavior<TRequest, TResponse>
    where TRequest : notnull
{
    public Task<TResponse> Handle(TRequest request, RequestHandlerDelegate<TResponse> next, CancellationToken cancellation) => next();
}
public static class Setup
{
    public static void Add(IServiceCollection services)
    {
        services.AddScoped<IValidator<Pack>, PackValidator>();
        services.AddScoped<IValidator<Ship>, ShipValidator>();
        services.AddTransient(typeof(IPipelineBehavior<,>), typeof(Valid<,>));
        services.AddTransient(typeof(IPipelineBehavior<,>), typeof(Noted<,>));
    }
}
public class Desk(ISender sender)
{
    public Task<bool> Take(int id) => sender.Send(new Pack(id));
}
"""
    with open_index(write_source_index(tmp_path / "checked.db", {"Shop.csproj": web(), "Code.cs": code})) as snapshot:
        assert drawn(snapshot, "Desk.Take") == textwrap.dedent("""\
            Desk.Take  (Code.cs:46)
              46  new PackValidator  (:18)  [around Pack]
                also: 18 PackValidator.IsKnown
              46  PackHandler.Handle  (:10)  [handles Pack]
              also: 46 Valid.Handle, 46 Noted.Handle, 46 new Pack""")
    unchecked = code.replace("IEnumerable<IValidator<TRequest>> validators", "ISender sender")
    with open_index(write_source_index(tmp_path / "free.db", {"Shop.csproj": web(), "Code.cs": unchecked})) as snapshot:
        assert "PackValidator" not in drawn(snapshot, "Desk.Take")
