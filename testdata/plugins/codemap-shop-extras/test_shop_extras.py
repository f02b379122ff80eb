from codemap_core.testing import call_tool, index_sources, load_plugin
from codemap_shop_extras import plugin

HOST = load_plugin(plugin)
WEB = {
    "Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net10.0</TargetFramework>'
    "<ImplicitUsings>enable</ImplicitUsings></PropertyGroup></Project>"
}


def test_groups_are_followed_into_methods():
    found = index_sources(
        WEB
        | {
            "Program.cs": 'var app = WebApplication.Create(); var v1 = app.MapGroup("/api").MapGroup("v1"); v1.MapOrders();',
            "Orders.cs": 'static class Orders { public static void MapOrders(this RouteGroupBuilder g) => g.MapGet("/x", () => 1); }',
        },
        HOST,
    )
    assert [(each.value, each.file_path) for each in found.facts] == [("GET /api/v1/x", "Orders.cs")]


def test_keys_of_settings_files_are_composed():
    found = index_sources({"src/appsettings.json": '{\n  "Mail": { "Host": "x" }\n}\n'}, HOST)
    assert [(each.value, each.line_start) for each in found.facts] == [("Mail:Host|settings file", 2)]


def test_a_registration_refers_to_the_implementation():
    source = "interface I {} class C : I {} class S { void M(IServiceCollection s) => s.AddScoped<I, C>(); }"
    found = index_sources(WEB | {"S.cs": source}, HOST)
    links = [each for each in found.references if each.kind == "link"]
    assert [(each.role, each.to_symbol) for each in links] == [("registers", "T:C")]


def test_messages_and_tables_are_symbols():
    found = index_sources(
        {"a.proto": "package shop;\nmessage Order {}\n", "b.sql": "create table Stock (id int)"}, HOST
    )
    assert [each.symbol_id for each in found.symbols] == ["T:shop.Order", "T:sql.dbo.Stock"]


def test_a_module_is_a_project():
    found = index_sources({"api/buf.yaml": "", "api/a.proto": "message Order {}"}, HOST)
    assert [(each.name, each.files) for each in found.graph.projects] == [("api", ("api/a.proto",))]


def test_the_tool_lists_endpoints():
    result = call_tool(HOST, "endpoints.list", WEB | {"Program.cs": 'WebApplication.Create().MapGet("/x", () => 1);'})
    assert (result.answer, list(result.data.lines())) == ("1 endpoint", ["GET /x  Program.cs:1"])
