"""What graphs, references and hierarchies say of calls that are decided at run time, of what is unresolved, of tests, and page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import RefKind, ResolutionState
from codemap_core.queries.graph.call_graph import callees, callers
from codemap_core.queries.graph.references import (
    ReferenceQuestion,
    count_uses,
    find_references,
    group_references,
    parse_grouping,
)
from codemap_core.queries.graph.type_hierarchy import get_hierarchy, get_member_hierarchy
from codemap_core.queries.names.symbol_targets import find_target
from codemap_core.queries.path_filter import path_filter
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.graph import CallGraphResponse
from codemap_core.queries.views.references import Grouping
from tests.core.queries.conftest import open_index, write_source_index

PROJECT = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
TESTS = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../src/Shop.csproj" /></ItemGroup>
</Project>
"""
STORES = """namespace Shop;

public interface IStore { int Load(int id); }
public interface IWideStore : IStore { }
public class SqlStore : IWideStore
{
    public virtual int Load(int id) => Read(id);
    private static int Read(int id) => id;
}
public class CachedStore : SqlStore
{
    public override int Load(int id) => base.
        Load(id) + 1;
}
public abstract class Job
{
    protected abstract void Run();
    public void Start() => Run();
}
public class Buffer : System.IO.MemoryStream { }
"""
USES = """namespace Shop;

public class Desk
{
    private readonly IStore _store;
    private readonly Missing _missing;
    public Desk(IStore store, Missing missing) { _store = store; _missing = missing; }
    public int One() => _store.Load(1);
    public int Two() => _store.Load(2) + _missing.Guess() + _missing.Guess() + _missing.Other().Deep();
    public int OnlyUnknown() => _missing.Guess();
    public int Nothing() => 3;
    /// <summary>See <see cref="IStore"/>.</summary>
    public int Described() => 4;
    public int A0() => One(); public int A1() => One(); public int A2() => One();
    public int B0() => A0(); public int B1() => A0(); public int B2() => A1(); public int B3() => A2();
    public int C0() => B0(); public int C1() => B3();
}
"""
WEB = """namespace Shop.Web;

public class Knot
{
    public int Root() => Left() + Right() + Self();
    public int Left() => Right() + Deep() + Root();
    public int Right() => Left() + Deep() + Deeper();
    public int Self() => Self() + Deep();
    public int Deep() => Deeper() + Left() + Deeper();
    public int Deeper() => Root() + Self() + Deep() + new Made().Count;
}

public class Made
{
    private readonly int _count;
    public Made() { _count = new Knot().Left(); }
    public int Count => _count;
}
"""
CHECKS = """namespace Shop.Checks;

public class AChecks
{
    public int Checks(IStore store) => store.Load(1) + store.Load(2);
}
"""
FILES = {
    "src/Shop.csproj": PROJECT,
    "src/Stores.cs": STORES,
    "src/Web.cs": WEB,
    "src/Uses.cs": USES,
    "Shop.Tests/Shop.Tests.csproj": TESTS,
    "Shop.Tests/Checks.cs": CHECKS,
}
LOAD = "M:Shop.IStore.Load(System.Int32)"
SQL_LOAD = "M:Shop.SqlStore.Load(System.Int32)"
CACHED_LOAD = "M:Shop.CachedStore.Load(System.Int32)"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    path: Path = write_source_index(tmp_path_factory.mktemp("shop") / "shop.db", FILES)
    with open_index(path) as snapshot:
        yield snapshot


def reached(found: CallGraphResponse) -> list[str]:
    return [node.symbol_id for node in found.rows]


def test_callees_go_through_interface_and_virtual_members(shop: Snapshot) -> None:
    desk = find_target(shop, "Desk.One")
    plain = callees(shop, desk)
    assert reached(plain) == [LOAD]
    assert (plain.rows[0].implementation_count, plain.rows[0].sole_implementation) == (2, None)
    followed = callees(shop, desk, depth=2, follow_interface=True)
    assert reached(followed) == [LOAD, SQL_LOAD, CACHED_LOAD, "M:Shop.SqlStore.Read(System.Int32)"] or set(
        reached(followed)
    ) == {LOAD, SQL_LOAD, CACHED_LOAD, "M:Shop.SqlStore.Read(System.Int32)"}
    by_id = {node.symbol_id: node for node in followed.rows}
    assert {by_id[each].depth for each in (LOAD, SQL_LOAD, CACHED_LOAD)} == {1}
    assert by_id[SQL_LOAD].call_sites[0].via == by_id[CACHED_LOAD].call_sites[0].via == LOAD


def test_a_base_call_runs_the_base_member_alone(shop: Snapshot) -> None:
    """ECMA-334 §12.8.15, with ``base`` at the end of a line."""
    found = callees(shop, find_target(shop, CACHED_LOAD), follow_interface=True)
    assert reached(found) == [SQL_LOAD]
    assert found.rows[0].implementation_count == 0


def test_a_member_without_a_body_names_its_implementations(shop: Snapshot) -> None:
    interface = callees(shop, find_target(shop, LOAD))
    assert (interface.lacks_body, interface.implementation_count) == (True, 2)
    assert reached(interface) == [SQL_LOAD, CACHED_LOAD]
    abstract = callees(shop, find_target(shop, "Job.Run"))
    assert (abstract.lacks_body, abstract.implementation_count, abstract.rows) == (True, 0, ())
    nothing = callees(shop, find_target(shop, "Desk.Nothing"))
    assert (nothing.lacks_body, nothing.unresolved_count, nothing.rows) == (False, 0, ())


def test_calls_that_were_not_resolved_are_counted_and_listed(shop: Snapshot) -> None:
    two = callees(shop, find_target(shop, "Desk.Two"))
    assert reached(two) == [LOAD]
    assert two.unresolved_count == 4
    assert [(each.name, each.count) for each in two.unresolved_calls] == [("Guess", 2), ("Other", 1), ("Deep", 1)]
    assert all(each.reason for each in two.unresolved_calls)
    listed = callees(shop, find_target(shop, "Desk.Two"), unresolved=True)
    unknown = [node for node in listed.rows if node.unresolved_reason]
    assert len(unknown) == 3
    assert all(node.symbol_id.startswith("!:") for node in unknown)
    assert listed.total_nodes_found == 4


def test_production_callers_come_before_those_in_tests(shop: Snapshot) -> None:
    assert [node.display_name.rpartition(".")[2] for node in callers(shop, find_target(shop, LOAD)).rows] == [
        "One",
        "Two",
        "Checks",
    ]


def test_every_level_and_branch_is_seen_early_and_pages_lose_nothing(shop: Snapshot) -> None:
    target = find_target(shop, "Desk.One")
    whole = callers(shop, target, depth=3, limit_per_level=500)
    assert whole.nodes_by_level == (3, 4, 2)
    assert whole.total_nodes_found == 9
    assert not whole.truncated
    assert {node.depth for node in whole.rows[:3]} == {1, 2, 3}
    names = [node.display_name.rpartition(".")[2] for node in whole.rows]
    assert names.index("B2") < names.index("B1"), "the second branch comes before more of the first"
    paged: list[str] = []
    while len(paged) < 9:
        page = callers(shop, target, depth=3, limit_per_level=1, offset=len(paged))
        assert page.total_nodes_found == 9
        assert all([node.depth for node in page.rows].count(level) <= 1 for level in (1, 2, 3))
        assert page.rows
        paged += reached(page)
    assert paged == reached(whole)


def test_a_cut_graph_still_names_what_leads_to_each_node(shop: Snapshot) -> None:
    page = callers(shop, find_target(shop, "Desk.One"), depth=3, limit_per_level=1, offset=6)
    text = "\n".join(page.lines())
    assert all(node.call_sites for node in page.rows)
    assert "[to " in text


def told(page: CallGraphResponse) -> list[tuple[str, str, int]]:
    """The edges that a page tells: caller, callee, and the number of places."""
    return [
        (site.from_symbol or node.symbol_id, site.to_symbol or node.symbol_id, site.count)
        for node in page.nodes
        for site in node.call_sites
    ]


@pytest.mark.parametrize("ask", [callers, callees])
@pytest.mark.parametrize("limit", [1, 2, 100])
def test_pages_of_a_graph_have_every_edge_once(
    shop: Snapshot, ask: Callable[..., CallGraphResponse], limit: int
) -> None:
    knot, made = "M:Shop.Web.Knot.{}", "M:Shop.Web.Made.#ctor"
    calls = {"Root": "LRS", "Left": "RDr", "Right": "LDE", "Self": "SD", "Deep": "EL", "Deeper": "rSD"}
    names = {"L": "Left", "R": "Right", "S": "Self", "D": "Deep", "E": "Deeper", "r": "Root"}
    edges = {(knot.format(one), knot.format(names[other])) for one, others in calls.items() for other in others}
    edges |= {(knot.format("Deeper"), made), (made, knot.format("Left"))}
    found: list[tuple[str, str, int]] = []
    position, total = 0, 1
    while position < total:
        page = ask(shop, find_target(shop, "Knot.Root"), depth=9, limit_per_level=limit, offset=position)
        found += told(page)
        earlier = position
        position, total = position + page.row_count, page.total_nodes_found
        assert position > earlier
    assert {(caller, callee) for caller, callee, _ in found if callee.startswith("M:")} == edges
    assert len(found) == len({(caller, callee) for caller, callee, _ in found})
    assert (knot.format("Deep"), knot.format("Deeper"), 2) in found


def test_hierarchies_over_all_levels_with_places(shop: Snapshot) -> None:
    store = find_target(shop, "IStore")
    direct = get_hierarchy(shop, store)
    assert [each.symbol_id for each in direct.derived_types] == ["T:Shop.IWideStore"]
    assert (direct.derived_count, direct.indirect_derived_count, direct.total_count) == (1, 2, 1)
    whole = get_hierarchy(shop, store, depth=0)
    assert [(each.symbol_id, each.depth, each.file_path, each.line) for each in whole.derived_types] == [
        ("T:Shop.IWideStore", 1, "src/Stores.cs", 4),
        ("T:Shop.SqlStore", 2, "src/Stores.cs", 5),
        ("T:Shop.CachedStore", 3, "src/Stores.cs", 10),
    ]
    assert [each.symbol_id for page in (0, 1, 2) for each in get_hierarchy(shop, store, 0, 1, page).derived_types] == [
        each.symbol_id for each in whole.derived_types
    ]


def test_who_derives_from_a_library_type_through_another_one(shop: Snapshot) -> None:
    stream = get_hierarchy(shop, find_target(shop, "T:System.IO.Stream"))
    assert [(each.symbol_id, each.through) for each in stream.derived_types] == [
        ("T:Shop.Buffer", "T:System.IO.MemoryStream")
    ]
    buffer = get_hierarchy(shop, find_target(shop, "Buffer"))
    assert "T:System.IO.Stream" in [each.symbol_id for each in buffer.inherited]


def test_implementations_and_overrides_of_one_member(shop: Snapshot) -> None:
    down = get_member_hierarchy(shop, find_target(shop, LOAD))
    assert [(each.symbol_id, each.line) for each in down.fillers] == [(CACHED_LOAD, 12), (SQL_LOAD, 7)]
    up = get_member_hierarchy(shop, find_target(shop, CACHED_LOAD))
    assert [each.symbol_id for each in up.slots] == [SQL_LOAD, LOAD]


def test_references_say_where_they_are_and_which_are_tests(shop: Snapshot) -> None:
    load = find_target(shop, LOAD)
    resolved = ReferenceQuestion(kinds=(RefKind.CALL,), states=(ResolutionState.RESOLVED,))
    found = find_references(shop, load, resolved)
    assert (found.total_count, found.file_count, found.test_count) == (4, 2, 2)
    assert [each.test for each in found.references] == [False, False, True, True]
    assert [
        (each.line_start, each.column)
        for offset in range(4)
        for each in find_references(shop, load, resolved, 1, offset).references
    ] == [(each.line_start, each.column) for each in found.references]
    counted = find_references(shop, load, resolved, limit=0)
    assert (counted.references, counted.total_count, counted.truncated) == ((), 4, False)


@pytest.mark.parametrize(
    ("path", "count", "elsewhere"),
    [("src", 2, 2), ("!Shop.Tests/", 2, 2), ("*.cs", 4, 0), ("shop.tests/che", 2, 2), ("nowhere/**", 0, 4)],
)
def test_references_in_some_paths(shop: Snapshot, path: str, count: int, elsewhere: int) -> None:
    question = ReferenceQuestion(kinds=(RefKind.CALL,), states=(ResolutionState.RESOLVED,), path=path)
    found = find_references(shop, find_target(shop, LOAD), question)
    assert (found.total_count, found.elsewhere_count, len(found.references)) == (count, elsewhere, count)


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        (Grouping.FILE, [("src/Uses.cs", 2), ("Shop.Tests/Checks.cs", 2)]),
        (Grouping.PROJECT, [("Shop", 2), ("Shop.Tests", 2)]),
        (Grouping.KIND, [("call", 4)]),
        (
            Grouping.MEMBER,
            [
                ("M:Shop.Desk.One", 1),
                ("M:Shop.Desk.Two", 1),
                ("M:Shop.Checks.AChecks.Checks(Shop.IStore)", 2),
            ],
        ),
    ],
)
def test_references_in_groups(shop: Snapshot, by: Grouping, groups: list[tuple[str, int]]) -> None:
    question = ReferenceQuestion(kinds=(RefKind.CALL,), states=(ResolutionState.RESOLVED,))
    found = group_references(shop, find_target(shop, LOAD), question, by)
    assert [(each.key, each.count) for each in found.groups] == groups
    assert found.total_count == 4


@pytest.mark.parametrize("by", Grouping)
def test_what_only_has_the_name_is_in_no_group(tmp_path: Path, by: Grouping) -> None:
    source = (
        "class Box { int Value; int Twice() => Value; } class Guess { void M(Absent a) { a.Value(); a.Value++; } }\n"
    )
    with open_index(write_source_index(tmp_path / "box.db", {"Box.cs": source})) as boxes:
        found = group_references(boxes, find_target(boxes, "Box.Value"), ReferenceQuestion(), by)
    assert [each.count for each in found.groups] == [1]
    assert found.unresolved_count == 2


def test_a_type_that_could_not_be_resolved_by_its_name_may_derive(tmp_path: Path) -> None:
    """Said where others derive, too, of the base lists alone, and by arity."""
    sources = {
        "a/A.csproj": PROJECT,
        "a/Request.cs": "namespace Kit { public interface IRequest { } public class Own : IRequest { } }\n",
        "b/B.csproj": PROJECT,
        "b/Ping.cs": "using Kit;\nclass Ping : IRequest { IRequest other; }\nclass Pong : Kit.IRequest { }\n",
        "b/Other.cs": "using Kit;\nclass Other : IRequest<int>, IRequests { }\n",
    }
    with open_index(write_source_index(tmp_path / "kit.db", sources)) as kit:
        found = get_hierarchy(kit, find_target(kit, "Kit.IRequest"))
    assert (found.derived_count, found.unresolved_count) == (1, 2)
    assert [(each.symbol_id, each.file_path, each.line) for each in found.unresolved_types] == [
        ("T:Ping", "b/Ping.cs", 2),
        ("T:Pong", "b/Ping.cs", 3),
    ]


def test_several_symbols_in_one_table(shop: Snapshot) -> None:
    asked = ["SqlStore", "Nobody", "Desk.One"]
    question = ReferenceQuestion(states=(ResolutionState.RESOLVED,))
    found = count_uses(shop, asked, lambda each: find_target(shop, each), question)
    assert [(each.asked, each.count) for each in found.symbols] == [("SqlStore", 1), ("Nobody", 0), ("Desk.One", 3)]
    assert found.symbols[1].problem.startswith("NOT_FOUND")


def test_a_documentation_comment_stands_in_what_it_is_about(shop: Snapshot) -> None:
    question = ReferenceQuestion(kinds=(RefKind.CREF,))
    (cref,) = find_references(shop, find_target(shop, "IStore"), question).references
    assert cref.from_symbol == "M:Shop.Desk.Described"


def test_paths_and_groups_as_written() -> None:
    assert path_filter("")("anything")
    assert path_filter("./src/Web, lib")("src/WebApp/A.cs")
    assert not path_filter("src/Web,!*.g.cs")("src/Web/A.g.cs")
    assert path_filter("src/**/Migrations/")("src/A/B/Migrations/C.cs")
    assert parse_grouping(" File ") is Grouping.FILE
    assert parse_grouping("") is None
    with pytest.raises(InvalidArgumentError, match="Groups: file, project, member, kind"):
        parse_grouping("colour")
