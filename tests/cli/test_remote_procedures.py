"""Contracts of gRPC and what stands on both sides of them, as commands show it."""

from __future__ import annotations

from typing import Final

import pytest

from tests.cli.conftest import Shell
from tests.clone import Clone

_PROJECT: Final = """<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>
<ItemGroup><Protobuf Include="{}" /></ItemGroup></Project>"""
_CONTRACT: Final = """syntax = "proto3";
package shop;
option csharp_namespace = "{}";

// Keeps what a customer wants.
service Basket {{
  // Finds the lines of one.
  rpc Get (Asked) returns (Given);
}}
message Asked {{ string id = 1; }}
message Given {{ repeated string lines = 1; }}
"""
_CLIENT: Final = """using System.Threading.Tasks;
namespace {0};
public class {0}Client({1}.Basket.BasketClient client)
{{
    public async Task<int> Count(string id) => (await client.GetAsync(new {1}.Asked {{ Id = id }})).Lines.Count;
}}
"""


@pytest.fixture
def shop(clone: Clone) -> Clone:
    clone.commit(
        {
            "Api/Api.csproj": _PROJECT.format("basket.proto"),
            "Api/basket.proto": _CONTRACT.format("Contracts"),
            "Api/Program.cs": "var app = WebApplication.CreateBuilder(args).Build();\napp.MapGrpcService<Api.Baskets>();\napp.Run();\n",
            "Api/Baskets.cs": """using System.Threading.Tasks;
using Contracts;
using Grpc.Core;
namespace Api;
public class Baskets : Basket.BasketBase
{
    public override Task<Given> Get(Asked request, ServerCallContext context) => Task.FromResult(Found(request.Id));
    private Given Found(string id) => new() { Lines = { id } };
}
""",
            "Site/Site.csproj": _PROJECT.format("../Api/basket.proto"),
            "Site/Client.cs": _CLIENT.format("Site", "Contracts"),
            "Phone/Phone.csproj": _PROJECT.format("basket.proto"),
            "Phone/basket.proto": _CONTRACT.format("Copied"),
            "Phone/Client.cs": _CLIENT.format("Phone", "Copied"),
        }
    )
    return clone


def test_calls_lead_to_what_answers_them(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    callers = codemap("callers", "Api.Baskets.Get", "--follow-interface", cwd=shop.root)
    assert "Site.SiteClient.Count  Site/Client.cs:5" in callers.stdout
    assert "codemap refs -k link" in callers.stderr
    followed = codemap("callers", "Api.Baskets.Get", "-i", "--follow-links", "--depth", "2", cwd=shop.root)
    assert "Phone.PhoneClient.Count  Phone/Client.cs:5" in followed.stdout
    assert "Phone/basket.proto:8:1  rpc Get (Asked) returns (Given);  [by a link, medium confidence]" in followed.stdout
    told = codemap(
        "call", "graph.callers", "name=Api.Baskets.Get", "follow_links=true", "--format", "text", cwd=shop.root
    )
    assert "[by a link]  [medium]" in told.stdout
    links = codemap("refs", "Api.Baskets.Get", "-k", "link", cwd=shop.root).stdout
    assert "Phone/basket.proto:8" in links
    for client in ("Site.SiteClient.Count", "Phone.PhoneClient.Count"):
        traced = codemap("trace", client, cwd=shop.root).stdout
        assert "Baskets.Found  Api/Baskets.cs:8" in traced, client


def test_a_contract_is_shown_as_it_is_written(codemap: Shell, shop: Clone) -> None:
    codemap("index", "-q", cwd=shop.root)
    outline = codemap("outline", "Api/basket.proto", cwd=shop.root).stdout
    assert "basket.proto:8  method  virtual Task<Given> Get(Asked request, ServerCallContext context)" in outline
    assert "basket.proto:11  property  RepeatedField<string> Lines { get; }" in outline
    shown = codemap("show", "Contracts.Basket.BasketBase.Get", cwd=shop.root).stdout
    assert "Finds the lines of one." in shown
    assert "8 |   rpc Get (Asked) returns (Given);" in shown
    used = codemap("refs", "Contracts.Given.Lines", cwd=shop.root).stdout
    assert "Api/Baskets.cs:8" in used
    assert "Site/Client.cs:5" in used
    assert "Phone" not in used


def test_what_a_contract_declares_is_not_dead(codemap: Shell, shop: Clone) -> None:
    shop.commit({"Api/basket.proto": _CONTRACT.format("Contracts") + "message Unused { int32 id = 1; }\n"})
    codemap("index", "-q", cwd=shop.root)
    for path in ("Api/basket.proto", "Api/Baskets.cs"):
        assert not codemap("unreferenced", path, cwd=shop.root, fails=1).stdout, path
    doubtful = codemap("unreferenced", "Api/basket.proto", "--doubtful", cwd=shop.root).stdout
    assert "class  Unused  probably used without being named, part of a contract" in doubtful


def test_a_broken_contract_says_so(codemap: Shell, shop: Clone) -> None:
    shop.commit({"Api/basket.proto": _CONTRACT.format("Contracts").replace("returns (Given);", "returns Given;")})
    codemap("index", "-q", cwd=shop.root)
    said = codemap("status", "--json", cwd=shop.root).stdout
    assert "basket.proto" in said
    assert "T:Contracts.Given" in codemap.ids(shop.root)
