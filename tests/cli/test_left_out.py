"""Code that the symbols of a project leave out, as commands show it."""

from __future__ import annotations

from typing import Final

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

_PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFrameworks>net10.0;net48</TargetFrameworks></PropertyGroup>
</Project>"""
_SHOP: Final = """namespace Shop;
public static class Program
{
    public static void Main()
    {
        var app = Microsoft.AspNetCore.Builder.WebApplication.Create();
        app.MapGet("/orders", Orders.List);
    }
}
public static class Orders
{
    public static int List()
    {
#if NETFRAMEWORK
        return Registry.Count() + Shared.Count();
#else
        return Shared.Count();
#endif
    }
}
internal static class Registry { internal static int Count() => 1; internal static int Unused() => 2; }
internal static class Shared { internal static int Count() => 3; }
"""


@pytest.fixture
def shop(clone: Clone) -> Clone:
    clone.commit({"Shop.csproj": _PROJECT, "Shop.cs": _SHOP})
    return clone


def test_it_has_references_and_callers_on_a_condition(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    said = codemap("refs", "Registry.Count", cwd=shop.root).stdout
    assert "[if NETFRAMEWORK]" in said
    called = codemap("callers", "Registry.Count", cwd=shop.root).stdout
    assert "Shop.Orders.List" in called
    assert "[if NETFRAMEWORK]" in called


def test_what_is_called_without_a_condition_too_is_shown_there(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    called = codemap("callees", "Orders.List", cwd=shop.root).stdout
    assert "Shop.Shared.Count  Shop.cs:17:23  return Shared.Count();  [2 times]" in called
    assert "Shop.Registry.Count  Shop.cs:15:25  return Registry.Count() + Shared.Count();  [if NETFRAMEWORK]" in called


def test_a_call_through_an_interface_says_its_condition_too(codemap: Shell, clone: Clone) -> None:
    source = """namespace Shop;
interface IClock { int Now(); }
class Clock : IClock { public int Now() => 1; }
class Timer
{
#if NETFRAMEWORK
    int Read(IClock clock) => clock.Now();
#endif
}
"""
    clone.commit({"Shop.csproj": _PROJECT, "Shop.cs": source})
    codemap("index", "-q", cwd=clone.root)
    called = codemap("callers", "Clock.Now", "--follow-interface", cwd=clone.root).stdout
    assert "[via IClock.Now, if NETFRAMEWORK]" in called


def test_a_trace_follows_what_is_compiled(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    traced = codemap("trace", "GET /orders", cwd=shop.root).stdout
    assert "Shared.Count" in traced
    assert "Registry.Count" not in traced


def test_it_is_explained(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    said = codemap("explain", "Shop.cs:15", cwd=shop.root).stdout
    assert "Count  call  M:Shop.Registry.Count" in said


def test_what_it_uses_is_not_dead(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    said = codemap("unreferenced", cwd=shop.root).stdout
    assert "Registry.Unused" in said
    assert "Registry.Count" not in said
