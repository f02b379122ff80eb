"""Values that are handed on by code that is written to be expensive: every way is followed once, and what leads back to itself ends."""

from __future__ import annotations

from typing import Final

import pytest

from codemap_core.hooks.manager import load_plugins
from codemap_core.testing import index_sources

PROJECT: Final = (
    '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net10.0</TargetFramework>'
    "<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>"
)
DOUBLING: Final = "\n".join(f"var g{n + 1} = Both(g{n}, g{n});" for n in range(40))
LEVELS: Final = "\n".join(
    f'static void M{n}(RouteGroupBuilder g) {{ M{n + 1}(g.MapGroup("a")); M{n + 1}(g.MapGroup("b")); }}'
    for n in range(30)
)
CHAIN: Final = ".Same()" * 300


def routes(body: str) -> list[str]:
    found = index_sources({"Web.csproj": PROJECT, "Maps.cs": f"static class Maps {{ {body} }}"}, load_plugins())
    return [each.value for each in found.facts if each.kind == "route"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            f'static void M(WebApplication app) {{ var g0 = app.MapGroup("x"); {DOUBLING} g40.MapGet("y", () => 1); }}'
            "static RouteGroupBuilder Both(RouteGroupBuilder a, RouteGroupBuilder b) => a;",
            id="arguments that double",
        ),
        pytest.param(
            f"static void M(WebApplication app) => M0(app.MapGroup(\"x\")); {LEVELS}"
            'static void M30(RouteGroupBuilder g) => g.MapGet("y", () => 1);',
            id="callers that double",
        ),
        pytest.param(
            'static RouteGroupBuilder F(RouteGroupBuilder g) { if (g == null) return F(g.MapGroup("a")); return F(g.MapGroup("b")); }'
            'static void M(WebApplication app) => F(app.MapGroup("x")).MapGet("y", () => 1);',
            id="a method that gives what it gives",
        ),
        pytest.param(
            "static void M(WebApplication app) { Walk(app.MapGroup(\"x\")); void Walk(RouteGroupBuilder g) {"
            'Walk(g.MapGroup("a")); Walk(g.MapGroup("b")); g.MapGet("y", () => 1); } }',
            id="a local function that calls itself twice",
        ),
        pytest.param(
            f'static void M(WebApplication app) => app.MapGroup("x"){CHAIN}.MapGet("y", () => 1);'
            "static RouteGroupBuilder Same(this RouteGroupBuilder g) => g;",
            id="a long chain",
        ),
    ],
)  # fmt: skip
def test_expensive_code_ends(body: str) -> None:
    """Indexing comes to an end, and the endpoint is listed."""
    assert routes(body)


def test_a_way_back_adds_nothing() -> None:
    assert routes(
        'static void Start(WebApplication app) => A(app.MapGroup("/s"));'
        'static void A(RouteGroupBuilder g) { g.MapGet("/a", () => 1); B(g); }'
        'static void B(RouteGroupBuilder g) { g.MapGet("/b", () => 1); A(g.MapGroup("deeper")); }'
    ) == ["GET /s/a", "GET /s/b"]
