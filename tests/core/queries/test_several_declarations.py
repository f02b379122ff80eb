"""Which declaration an answer names where one id has several: that of the project or file at hand, and a compiled one before others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.errors import AmbiguousError
from codemap_core.queries.cards.context import get_context
from codemap_core.queries.cards.outline import OutlineFilter, outline_of_type
from codemap_core.queries.cards.symbol_card import get_card, members_of
from codemap_core.queries.graph.call_graph import callees, callers
from codemap_core.queries.graph.references import ReferenceQuestion, group_references
from codemap_core.queries.graph.type_hierarchy import get_hierarchy
from codemap_core.queries.names.symbol_targets import find_target
from codemap_core.queries.search.symbol_search import search_symbols
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.trace.entry_points import find_entry
from codemap_core.queries.trace.feature_trace import trace_feature
from codemap_core.queries.views.references import Grouping
from codemap_core.queries.views.trace import FeatureTraceResponse
from codemap_core.storage.reading.symbol_search import SymbolFilter
from tests.core.queries.conftest import open_index, write_source_index

WEB = """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup><Compile Remove="Made/**" /></ItemGroup>
</Project>
"""
MAIN = "M:Program.{Main}$(System.String[])"
HOST = """var app = Microsoft.AspNetCore.Builder.WebApplication.CreateBuilder(args).Build();
app.MapGet("/NAME", () => new Desk().Open());
app.Run();
"""
DESK = "public class Desk<T> : Desk { }\n\npublic class Desk { public int Open() => Close(); int Close() => 0; }"
PROGRAMS = {
    "api/Api.csproj": WEB,
    "api/Program.cs": HOST.replace("NAME", "api"),
    "api/Desk.cs": DESK,
    "api/Made/Desk.g.cs": DESK.replace("int Open() =>", "int Paint() => 1; public int Open() =>"),
    "web/Web.csproj": WEB,
    "web/Program.cs": f"// The second one.\n{HOST.replace('NAME', 'web')}",
    "web/Desk.cs": DESK.replace("=> Close();", "=> Lock(); int Lock() => Close();"),
}
"""Two programs that declare the same ids, the first with a leftover of one of its files that it does not compile (MSBuild: what ``Remove``
takes away is no item)."""
CALLED = {"api": {("M:Desk.Close", "api/Desk.cs")}, "web": {("M:Desk.Lock", "web/Desk.cs")}}
"""By the directory of a program, what ``Open`` calls there."""
CALLING = {"api": {"M:Desk.Open"}, "web": {"M:Desk.Lock", "M:Desk.Open"}}
"""What calls ``Close`` there, over all steps."""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with open_index(write_source_index(tmp_path_factory.mktemp("programs") / "programs.db", PROGRAMS)) as snapshot:
        yield snapshot


def in_project(name: str) -> SymbolFilter:
    return SymbolFilter(project=name)


def traced(snapshot: Snapshot, asked: str, project: str = "") -> FeatureTraceResponse:
    return trace_feature(snapshot, find_entry(snapshot, asked, in_project(project)), depth=3, limit=20)


@pytest.mark.parametrize(("project", "line"), [("api", 2), ("web", 3)])
def test_a_trace_names_the_program_whose_endpoint_it_is(programs: Snapshot, project: str, line: int) -> None:
    (root,) = traced(programs, f"GET /{project}").nodes
    assert (root.file_path, root.line) == (f"{project}/Program.cs", line)
    (opened,) = root.children
    assert (opened.symbol_id, opened.file_path) == ("M:Desk.Open", f"{project}/Desk.cs")
    assert {(each.symbol_id, each.file_path) for each in opened.children} == CALLED[project]


@pytest.mark.parametrize("project", ["api", "web"])
def test_a_trace_of_one_of_several_programs_has_the_facts_of_that_alone(programs: Snapshot, project: str) -> None:
    (root,) = traced(programs, MAIN, project.title()).nodes
    assert root.file_path == f"{project}/Program.cs"
    assert [each.value for each in root.annotations if each.kind == "route"] == [f"GET /{project}"]


@pytest.mark.parametrize("project", ["api", "web"])
def test_calls_are_those_of_the_project_that_is_named(programs: Snapshot, project: str) -> None:
    named = in_project(project.title())
    main = callees(programs, find_target(programs, MAIN, named), depth=2)
    declared = {(node.symbol_id, node.file_path) for node in main.nodes if not node.external}
    own = {(MAIN, f"{project}/Program.cs"), ("T:Desk", f"{project}/Desk.cs"), ("M:Desk.Open", f"{project}/Desk.cs")}
    assert declared == own | CALLED[project]
    calling = callers(programs, find_target(programs, "M:Desk.Close", named), depth=3)
    assert {node.file_path for node in calling.nodes} == {f"{project}/Desk.cs", f"{project}/Program.cs"}
    assert {node.symbol_id for node in calling.nodes} == {"M:Desk.Close", *CALLING[project], MAIN}


@pytest.mark.parametrize("project", ["api", "web"])
def test_types_and_users_are_those_of_the_project_that_is_named(programs: Snapshot, project: str) -> None:
    desk = find_target(programs, "T:Desk", in_project(project.title()))
    (derived,) = get_hierarchy(programs, desk).derived_types
    assert (derived.symbol_id, derived.file_path) == ("T:Desk`1", f"{project}/Desk.cs")
    opened = find_target(programs, "M:Desk.Open", in_project(project.title()))
    (user,) = group_references(programs, opened, ReferenceQuestion(), Grouping.MEMBER).groups
    assert user.file_path == f"{project}/Program.cs"
    (found,) = search_symbols(programs, "Desk<T>", project=project.title()).hits
    assert found.file_path == f"{project}/Desk.cs"
    assert opened.symbol is not None
    pieces = get_context(programs, [opened.symbol], limit=5).pieces
    assert {piece.file_path for piece in pieces if not piece.name.endswith("Lock")} == {f"{project}/Desk.cs"}


@pytest.mark.parametrize(("project", "members"), [("api", ["Open", "Close"]), ("web", ["Open", "Lock", "Close"])])
def test_an_outline_has_the_members_of_one_declaration(programs: Snapshot, project: str, members: list[str]) -> None:
    desk = find_target(programs, "T:Desk", in_project(project.title())).symbol
    assert desk is not None
    found = outline_of_type(programs, desk, OutlineFilter(), limit=10)
    assert (found.file_path, {row.file_path for row in found.rows}) == (f"{project}/Desk.cs", {""})
    assert [row.symbol_id for row in found.rows] == [f"M:Desk.{each}" for each in members]
    assert [each.symbol_id for each in members_of(programs, desk)] == [row.symbol_id for row in found.rows]
    box = find_target(programs, "T:Desk`1", in_project(project.title())).symbol
    assert box is not None
    inherited = outline_of_type(programs, box, OutlineFilter(), inherited=True, limit=10)
    assert [row.symbol_id for row in inherited.rows] == [f"M:Desk.{each}" for each in members if each == "Open"]


def test_a_type_that_no_project_compiles_has_its_parts_and_not_its_versions(tmp_path: Path) -> None:
    """``partial`` joins the declarations of one program (ECMA-334 §15.2.7), in which a member is declared once (§15.3.1)."""
    sources = {
        "old/Zoo.cs": "partial class Zoo { void Feed() { } }",
        "old/Zoo.More.cs": "partial class Zoo { void Clean() { } }",
        "older/Zoo.cs": "partial class Zoo { void Feed() { } void Open() { } }",
    }
    with open_index(write_source_index(tmp_path / "zoo.db", sources)) as zoo:
        type_ = find_target(zoo, "Zoo").symbol
        assert type_ is not None
        found = outline_of_type(zoo, type_, OutlineFilter(), limit=10)
        assert found.file_path == "old/Zoo.More.cs"
        assert [(row.symbol_id, row.file_path) for row in found.rows] == [
            ("M:Zoo.Clean", ""),
            ("M:Zoo.Feed", "old/Zoo.cs"),
        ]


def test_a_card_says_that_no_project_compiles_what_it_is_about(tmp_path: Path) -> None:
    sources = {
        "app/App.csproj": WEB,
        "app/Zoo.cs": "class Zoo { }",
        "app/Made/Zoo.cs": "class Zoo { } class Ark { }",
    }
    with open_index(write_source_index(tmp_path / "zoo.db", sources)) as zoo:
        for name, is_left_out in (("Zoo", False), ("Ark", True)):
            symbol = find_target(zoo, name).symbol
            assert symbol is not None
            card = get_card(zoo, symbol, with_source=False)
            assert any("no project compiles it" in line for line in card.lines()) == is_left_out
    with open_index(write_source_index(tmp_path / "loose.db", {"Zoo.cs": "class Zoo { }"})) as loose:
        symbol = find_target(loose, "Zoo").symbol
        assert symbol is not None
        assert not get_card(loose, symbol, with_source=False).is_left_out


def test_a_name_that_other_symbols_have_too_is_a_choice_of_all_their_declarations(tmp_path: Path) -> None:
    files = {**PROGRAMS, "web/More.cs": "namespace More { public class Desk { public int Open() => 0; } }"}
    with (
        open_index(write_source_index(tmp_path / "more.db", files)) as snapshot,
        pytest.raises(AmbiguousError) as raised,
    ):
        find_target(snapshot, "Open")
    assert "means 3 symbols" in raised.value.message
    assert [(each.symbol_id, each.file_path) for each in raised.value.details["candidates"]] == [
        ("M:Desk.Open", "api/Desk.cs"),
        ("M:Desk.Open", "web/Desk.cs"),
        ("M:More.Desk.Open", "web/More.cs"),
    ]
