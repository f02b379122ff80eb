"""Every command of the documentation's shell blocks is run, in a repository that has what they ask about, and finds something."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Final

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone
from tests.docs.test_documentation import command_lines

PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk{0}">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework><ImplicitUsings>enable</ImplicitUsings></PropertyGroup>
  <ItemGroup>{1}</ItemGroup>
</Project>"""
REFERENCE: Final = '<ProjectReference Include="../{0}/{0}.csproj" />'
PACKAGE: Final = '<PackageReference Include="{}" Version="{}" />'
SOLUTION: Final = """Microsoft Visual Studio Solution File, Format Version 12.00
Project("{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}") = "Shop", "Shop\\Shop.csproj", "{11111111-1111-1111-1111-111111111111}"
EndProject
"""
ORDER: Final = """using System.ComponentModel.DataAnnotations.Schema;

namespace Shop;

public abstract class BaseEntity
{
    public int Id { get; set; }
}

[Table("OrderItems", Schema = "ordering")]
public class OrderItem : BaseEntity { }

public class OrderNotFoundException : Exception { }

public class Order : BaseEntity
{
    public decimal Total { get; set; }

    public void Submit() => Total = 1;

    public void Pay(int amount) => Total -= amount;
"""
AT_LINE_42: Final = """    public static void SubmitAll(IEnumerable<Order> orders)
    {
        foreach (var order in orders)
        order.Submit();
    }
}
"""
SERVICE: Final = """using Microsoft.Extensions.Logging;

namespace Shop;

public interface IOrderService
{
    Task PlaceAsync(Order order);
    void Submit(Order order);
}

public class OrderService(ILogger<OrderService> logger, TimeProvider clock) : IOrderService
{
    public async Task PlaceAsync(Order order)
    {
        // TODO: reserve the stock
        if (order.Id == 0) throw new OrderNotFoundException();
        logger.LogError("Payment of {Order} failed at {Time}", order.Id, clock.GetUtcNow());
        order.Pay(2);
        Submit(order);
        await Task.Yield();
        order.NotThere();
    }

    public void Submit(Order order) => order.Submit();
}
"""
PROGRAM: Final = """using MediatR;
using Microsoft.EntityFrameworkCore;
using Polly;
using Shop;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddScoped<IOrderService, OrderService>();
var connection = builder.Configuration.GetConnectionString("Shop");
var timeout = builder.Configuration["Shop:Timeout"];
var app = builder.Build();
app.UseAuthentication();
app.MapPost("/orders", Endpoints.PlaceAsync);
app.MapGet("/orders/{id}", Endpoints.Get);
app.MapPost("/api/orders", Endpoints.PlaceAsync);
app.Run();

static class Endpoints
{
    public static Task PlaceAsync(IOrderService service, Order order) => service.PlaceAsync(order);

    public static int Get(int id, ILogger logger) => id;

    static void NeverCalled() { }

    public static object Retry() => Policy.Handle<Exception>().WaitAndRetryAsync(3, attempt => TimeSpan.FromSeconds(attempt));
}

interface IClock { }

record Ping : IRequest;

class PingHandler : IRequestHandler<Ping>
{
    public Task Handle(Ping request, CancellationToken stop) => Task.CompletedTask;
}
"""
TESTS: Final = """namespace Shop.Tests;

public class OrderTests
{
    [Xunit.Fact]
    public void It_is_submitted()
    {
        new Order().Submit();
        throw new ArgumentException("no");
    }
}
"""
FILES: Final = {
    "src/Shop.sln": SOLUTION,
    "src/Shop/Shop.csproj": PROJECT.format("", PACKAGE.format("Microsoft.Extensions.Logging.Abstractions", "9.0.0")),
    "src/Shop/Order.cs": ORDER + "\n" * (38 - ORDER.count("\n")) + AT_LINE_42,
    "src/Shop/OrderService.cs": SERVICE,
    "src/Shop.Api/Shop.Api.csproj": PROJECT.format(
        ".Web",
        REFERENCE.format("Shop") + PACKAGE.format("MediatR", "12.4.1") + PACKAGE.format("Polly", "8.5.0"),
    ),
    "src/Shop.Api/Program.cs": PROGRAM,
    "src/Shop.Api/appsettings.json": '{ "ConnectionStrings": { "Shop": "" }, "Unread": "" }\n',
    "tests/Shop.Tests/Shop.Tests.csproj": PROJECT.format(
        "",
        PACKAGE.format("xunit", "2.9.3") + '<ProjectReference Include="../../src/Shop/Shop.csproj" />',
    ),
    "tests/Shop.Tests/OrderTests.cs": TESTS,
    "docs/notes.md": "notes\n",
}
RUN_ELSEWHERE: Final = ("README.md", "docs/contributing.md")
"""Their lines with the bundled sample are run by ``test_documentation``."""
CHECKS: Final = "--check"
"""An option that ends with 1 where it finds what it looks for."""


def lines() -> list[tuple[str, str]]:
    found = []
    for document, line in command_lines():
        of_the_sample = document in RUN_ELSEWHERE and "testdata/" in line
        if not of_the_sample and not line.startswith("codemap serve"):  # a server goes on: tests/server has it
            found.append((document, line))
    return found


class Documented:
    def __init__(self, folder: Path) -> None:
        self._user = folder
        self._shop = Clone(folder / "src" / "shop")
        self._shell = Shell(folder / "data", folder)
        for tag, change in (
            ("v1.0", "public class Gone { public void Old() { } }\n"),
            ("v2.0", "public class Kept { }\n"),
            ("v2.1", "public class Kept { public int Number; }\n"),
        ):
            self._shop.commit({**FILES, "src/Shop/Changing.cs": f"namespace Shop;\n\n{change}"})
            self._shop.git("tag", tag)
            self._shell("index", "-q", cwd=self._shop.root)
        self._shop.git("branch", "-M", "main")
        self._shop.git("checkout", "-q", "-b", "feature")
        self._shop.commit({"src/Shop/Changing.cs": "namespace Shop;\n\npublic class Kept { public long Number; }\n"})
        self._shell("index", "-q", cwd=self._shop.root)
        self._shell("call", "workspace.create", "workspace_id=agent-1", cwd=self._shop.root)
        self._shop.write({"src/Shop/Changing.cs": "namespace Shop;\n\npublic class Kept { }\n"})
        self._shell("call", "index.refresh_overlay", "workspace_id=agent-1", cwd=self._shop.root)
        self._shop.git("checkout", "-q", "--", ".")
        self._shared = str(folder / "shared")
        self._shell("index", "-q", "--solution", "src/Shop.sln", cwd=self._shop.root)
        for part in ((), ("--solution", "src/Shop.sln")):  # so that no command needs another one before it
            self._shell("cache", "push", *part, cwd=self._shop.root, CODEMAP_CACHE_DIR=self._shared)

    def run(self, document: str, line: str) -> tuple[int, str]:
        """The exit code, and all that was written."""
        home = str(self._user)
        words = [
            word.replace("~", home, 1) if word.startswith("~/") else word for word in shlex.split(line, comments=True)
        ]
        place = self._user / document if words[1:3] == ["plugins", "new"] else self._shop.root
        place.mkdir(parents=True, exist_ok=True)
        done = self._shell(*words[1:], cwd=place, fails=None, BROWSER="true", CODEMAP_CACHE_DIR=self._shared)
        return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Documented:
    if not hasattr(os, "fork"):
        pytest.skip("a process for each command takes too long")
    return Documented(tmp_path_factory.mktemp("documented"))


@pytest.mark.parametrize(("document", "line"), lines())
def test_documented_commands_find_what_they_ask_for(documented: Documented, document: str, line: str) -> None:
    code, said = documented.run(document, line)
    assert code == (1 if CHECKS in line else 0), f"{document}: {line}\n{said}"
    assert said.strip()
