"""An architecture on one page, its sections in full, and its export within a budget."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import FactRow, Project
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.summary.export import ExportDetail, ExportFormat, ExportResponse, export, parse_detail
from codemap_core.queries.summary.page import name_of, parse_sections, summarize
from codemap_core.queries.summary.project_layers import layered
from codemap_core.queries.summary.sections import SECTIONS
from codemap_core.queries.views.summary import SummaryResponse
from tests.core.queries.conftest import open_index, write_source_index

LIBRARY = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
</Project>
"""
WEB = """<Project Sdk="Microsoft.NET.Sdk.Web">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup><ProjectReference Include="../Domain/Domain.csproj" /></ItemGroup>
</Project>
"""
TESTS = """<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup><TargetFramework>net9.0</TargetFramework></PropertyGroup>
  <ItemGroup>
    <ProjectReference Include="../Web/Web.csproj" />
    <PackageReference Include="xunit" Version="2.9.0" />
  </ItemGroup>
</Project>
"""
DOMAIN = """namespace Domain;

public interface IStore { Parcel Load(int id); }
public class Parcel { public int Id { get; set; } private int _weight; internal int Weight() => _weight; }
public class Shelf { public object Parcels { get; set; } = ""; }
internal class Hidden { }
"""
DESK = """namespace Web;

public class Desk(Domain.IStore store)
{
    public Domain.Parcel Take(int id) => store.Load(id);
    public void Start() { }
}
"""
CHECKS = """namespace Checks;

public class DeskTests { public void Takes(Web.Desk desk) => desk.Take(1); }
"""
FILES = {
    "Domain/Domain.csproj": LIBRARY,
    "Domain/Store.cs": DOMAIN,
    "Web/Web.csproj": WEB,
    "Web/Desk.cs": DESK,
    "Checks/Checks.csproj": TESTS,
    "Slow/Checks.csproj": TESTS,
    "Checks/DeskTests.cs": CHECKS,
}
TAKE = "M:Web.Desk.Take(System.Int32)"
START = "M:Web.Desk.Start"


def fact(kind: str, value: str, owner: str, line: int, project: str = "Web/Web.csproj", **detail: object) -> FactRow:
    return FactRow(
        kind=kind,
        value=value,
        detail=detail,
        symbol_id=owner,
        file_path={"Web/Web.csproj": "Web/Desk.cs", "Domain/Domain.csproj": "Domain/Store.cs"}.get(
            project, "Checks/DeskTests.cs"
        ),
        line_start=line,
        line_end=line,
        project=project,
    )


FACTS = [
    fact("route", "GET /api/v1/parcels/{id}", TAKE, 5, handler=TAKE),
    fact("route", "POST /api/v1/Parcels", TAKE, 5, handler=TAKE),
    fact("route", "GET /health", START, 6, handler="lambda"),
    fact("route", "GET /of-a-test", "M:Checks.DeskTests.Takes(Web.Desk)", 3, "Checks/Checks.csproj", handler="lambda"),
    fact("db_table", "desk.Parcels|DbSet<Parcel>", "P:Domain.Shelf.Parcels", 5, "Domain/Domain.csproj", source="dbset"),
    fact(
        "db_table",
        "People|DbSet<Clerk>",
        "P:Library.PeopleContext.People",
        4,
        "Domain/Domain.csproj",
        source="dbset",
        context="T:Domain.Shelf",
    ),
    fact("db_table", "audit|Raw SQL", TAKE, 5, source="sql"),
    fact("db_table", "old|Raw SQL", "M:Domain.First.Up", 9, "Domain/Domain.csproj", source="sql"),
    fact("db_table", "log.audit|CreateTable", "M:Domain.First.Up", 9, "Domain/Domain.csproj", source="migration"),
    fact(
        "db_table",
        "desks|CreateTable",
        "M:Domain.First.Up",
        9,
        "Domain/Domain.csproj",
        source="migration",
        past=True,
    ),
    fact("db_table", "former|Snapshot", "T:Domain.Shelf", 8, "Domain/Domain.csproj", source="snapshot"),
    fact("entity_relation", "Shelf → Parcel|one-to-many", "T:Domain.Shelf", 5, "Domain/Domain.csproj", source="fluent"),
    fact(
        "entity_relation", "Shelf → Parcel|one-to-many", "T:Domain.Shelf", 8, "Domain/Domain.csproj", source="snapshot"
    ),
    fact(
        "entity_relation",
        "parcels → shelves|foreign key",
        "T:Domain.Shelf",
        9,
        "Domain/Domain.csproj",
        source="migration",
    ),
    fact("entity_relation", "audit → people|foreign key", TAKE, 5, source="migration"),
    fact("handler", "Taken → TakenHandler|MediatR", TAKE, 5),
    fact("handler", "Taken → Printer|MediatR", START, 6),
    fact("handler", "Told → TakenHandler|MediatR", TAKE, 5, request_id="T:Web.Told"),
    fact("handler", "Told → Printer|MediatR", START, 6, request_id="T:Domain.Told"),
    fact("di_registration", "IStore → SqlStore|Scoped", START, 6, form="type"),
    fact("di_registration", "Sweeper → Sweeper|Singleton|HostedService", START, 6, form="type"),
    fact("middleware", "UseRouting|pos:1", START, 6, name="UseRouting", position=1, depth=0),
    fact("middleware", "UseMiddleware|pos:2", START, 6, name="UseMiddleware", position=2, depth=0, type="Tenancy"),
    fact("middleware", "Map|pos:3|terminal", START, 6, name="Map", position=3, depth=0),
    fact("middleware", "UseCors|pos:4", START, 6, name="UseCors", position=4, depth=1),
    fact("middleware", "Run|pos:5|terminal", START, 6, name="Run", position=5, depth=0),
    fact("config", "Mail:Host|GetValue", START, 6),
    fact("config", "mail:Port|GetValue", START, 6),
    fact("exception", "ParcelException|throw new", TAKE, 5),
    fact("log", "taken {Id}|Warning", TAKE, 5, framework="Serilog", level="Warning"),
    fact("retry_policy", "RetryAsync(3)|Polly", START, 6),
    fact("authorize", "policy:Clerk|Desk", TAKE, 5),
    fact("ticket", "A-1", TAKE, 5),
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with open_index(write_source_index(tmp_path_factory.mktemp("summary") / "shop.db", FILES, FACTS)) as found:
        yield found


def page(view: SummaryResponse) -> str:
    return "\n".join(view.lines())


def test_the_page_says_what_there_is_and_what_was_not_seen(snapshot: Snapshot) -> None:
    assert page(summarize(snapshot, "Shop")) == textwrap.dedent("""\
        Projects: 4 projects in 2 layers of references, upper ones first
          1  Web (web)
          0  Domain
          tests  Checks 2
        Entry points: 4
          3 routes: GET 2, POST
            Web 3: /api/v1/parcels 2, /health
          1 background service or job: Sweeper
        Data: 4 tables in 1 context
          Shelf (Domain): People, desk.Parcels
          in SQL: audit
          in migrations: old
          relations: Shelf → Parcel, audit → people
        Messages: 3 types with 4 handlers (MediatR 4)
          for example Taken → TakenHandler, Told → Printer
          with several handlers: Taken 2
        Registered services: 2 (Scoped, Singleton)
          by project: Web 2
        Middleware: 1 pipeline in order of registration
          Web  Desk.Start: UseRouting → Tenancy → Map (UseCors) → Run
        Configuration: 2 keys, by first section
          Mail 2
        Retries and limits: 1
          RetryAsync(3) (Polly)
        Exceptions: 1 throw of 1 type
          ParcelException
        Logging: 1 call
          Serilog; Warning
        Authorization: 1 requirement
          policy:Clerk
        Further facts: 1 kind
          ticket 1: A-1
        Not seen
          no facts of these kinds, because the code has none or none that is recognised: job
          files without facts: .csproj 4
          what is wired by reflection, by scanning assemblies or outside the repository""")


def test_a_section_in_full_has_a_row_for_each_item(snapshot: Snapshot) -> None:
    assert page(summarize(snapshot, "Shop", ["entry_points", "data"])) == textwrap.dedent("""\
        Entry points: 4
          POST /api/v1/Parcels  Desk.Take  Web  Web/Desk.cs:5
          GET /api/v1/parcels/{id}  Desk.Take  Web  Web/Desk.cs:5
          GET /health  Desk.Start  Web  Web/Desk.cs:6
          background: Sweeper
        Data: 4 tables in 1 context
          audit  Raw SQL in Desk.Take
          desk.Parcels  DbSet<Parcel> in Shelf.Parcels
          old  Raw SQL in First.Up
          People  DbSet<Clerk> in PeopleContext.People
          relation  Shelf → Parcel  one-to-many  Domain/Store.cs:5
          relation  audit → people  foreign key  Web/Desk.cs:5""")
    cut = summarize(snapshot, "Shop", ["entry_points"], limit=3)
    assert page(cut).endswith("… 1 more: section=entry_points")


def test_tests_are_counted_and_otherwise_left_out(snapshot: Snapshot) -> None:
    stats = summarize(snapshot, "Shop").stats
    assert (stats.project_count, stats.test_project_count, stats.endpoint_count) == (4, 2, 3)
    assert all("/of-a-test" not in page(summarize(snapshot, "Shop", [key])) for key in SECTIONS)


def test_pages_of_a_summary_follow_each_other(snapshot: Snapshot) -> None:
    whole = summarize(snapshot, "Shop")
    rows = [row for section in whole.sections for row in section.rows]
    for count in range(1, len(rows)):
        first, rest = whole.cut(count), summarize(snapshot, "Shop", offset=count)
        assert [row for view in (first, rest) for section in view.sections for row in section.rows] == rows


def test_an_unknown_section_is_refused_with_those_there_are() -> None:
    assert parse_sections(["Data, entry_points", "data"]) == ("data", "entry_points")
    with pytest.raises(InvalidArgumentError, match=r"There is no section 'tables'\. Sections: projects, entry_points"):
        parse_sections(["tables"])


def test_without_a_solution_the_top_project_gives_the_name(snapshot: Snapshot) -> None:
    assert name_of(snapshot) == "Checks"


def test_layers_follow_the_longest_chain_and_leave_out_what_is_implied() -> None:
    def project(name: str, *needs: str) -> Project:
        return Project(
            project_path=f"{name}.csproj",
            name=name,
            assembly_name=name,
            project_references=tuple(f"{each}.csproj" for each in needs),
        )

    found = layered(
        [project("App", "Data", "Model"), project("Data", "Model"), project("Model"), project("Tool", "Gone")]
    )
    assert [(each.project.name, each.layer, [below.name for below in each.needs]) for each in found] == [
        ("App", 2, ["Data"]),
        ("Data", 1, ["Model"]),
        ("Model", 0, []),
        ("Tool", 0, []),
    ]
    circle = layered([project("A", "B"), project("B", "A")])
    assert {each.project.name for each in circle} == {"A", "B"}


def exported(snapshot: Snapshot, **options: object) -> ExportResponse:
    return export(snapshot, "Shop", **options)  # type: ignore[arg-type]


def test_an_export_has_the_summary_then_public_types_most_used_first(snapshot: Snapshot) -> None:
    content = exported(snapshot).content
    assert content.startswith(f"# Shop at {snapshot.commit_sha[:12]}\n\n## Projects: 4 projects")
    types = content.partition("## Types, most used first\n\n")[2]
    assert types == textwrap.dedent("""\
        - public interface IStore  Domain  Domain/Store.cs:3
          - Parcel Load(int id)
        - public class Parcel  Domain  Domain/Store.cs:4
          - int Id { get; set; }
        - public class Desk(Domain.IStore store)  Web  Web/Desk.cs:3
          - Domain.Parcel Take(int id)
          - void Start()
          - Desk(Domain.IStore store)
        - public class Shelf  Domain  Domain/Store.cs:5
          - object Parcels { get; set; }
        """)


def test_a_table_of_constants_leaves_room_for_other_types(tmp_path: Path) -> None:
    constants = " ".join(f"public const int N{number:02} = {number};" for number in range(40))
    files = {"Codes.cs": f"public class Codes {{ {constants} }}", "Use.cs": "public class Use { int a = Codes.N01; }"}
    with open_index(write_source_index(tmp_path / "constants.db", files)) as index:
        types = exported(index).content.partition("## Types, most used first\n\n")[2].splitlines()
        assert "N39" in exported(index, detail=ExportDetail.FULL).content
    assert types[30:33] == ["  - const int N29 = 29", "  - 10 more members", "- public class Use  Use.cs:1"]


def test_detail_says_how_much_an_export_has(snapshot: Snapshot) -> None:
    summary = exported(snapshot, detail=ExportDetail.SUMMARY).content
    full = exported(snapshot, detail=ExportDetail.FULL).content
    assert "Types, most used first" not in summary
    assert "- internal class Hidden" in full
    assert "- GET /api/v1/parcels/{id}  Desk.Take" in full
    assert "DeskTests" not in full


@pytest.mark.parametrize("format_", ExportFormat)
@pytest.mark.parametrize("max_tokens", [150, 300, 500, 10_000])
def test_an_export_keeps_its_budget(snapshot: Snapshot, format_: ExportFormat, max_tokens: int) -> None:
    found = exported(snapshot, format_=format_, max_tokens=max_tokens)
    assert found.estimated_tokens <= max(max_tokens, 160)
    assert found.truncated == (max_tokens < 10_000)
    if format_ is ExportFormat.JSON:
        content = json.loads(found.content)
        assert content["solution"] == "Shop"
        assert all(each["item_count"] == len(each["content"].split("\n")) for each in content["sections"])
    else:
        assert found.content.endswith("more]\n") == found.truncated


def test_an_unknown_detail_is_refused_with_those_there_are() -> None:
    assert parse_detail("Full") is ExportDetail.FULL
    with pytest.raises(InvalidArgumentError, match="summary, standard, full"):
        parse_detail("everything")
