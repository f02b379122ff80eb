"""Lists of facts: filters before limits, production code before tests, the same rows over all pages, and why a list is empty."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import (
    Confidence,
    DocumentRow,
    DocumentStatus,
    FactRow,
    FactSource,
    FactSources,
    Problem,
    Project,
    ProjectGraph,
)
from codemap_core.queries.facts.fact_absence import known_kind, why_none
from codemap_core.queries.facts.fact_listing import (
    FactQuestion,
    count_kinds,
    is_further_on,
    list_config_keys,
    list_db_tables,
    list_endpoints,
    list_facts,
    matching,
)
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.files.provenance import Provenance
from codemap_core.storage.writing.writer import BaselineWriter
from tests.core.queries.conftest import open_index

API, ORDERS, TESTS = "src/Shop/Api.cs", "src/Shop/Orders.cs", "tests/Shop.Tests/ApiTests.cs"
SHOP, SHOP_TESTS = "src/Shop/Shop.csproj", "tests/Shop.Tests/Shop.Tests.csproj"
MAP = "M:Shop.Api.Map(Microsoft.AspNetCore.Builder.WebApplication)"
SOURCES = FactSources(
    (
        FactSource("config", "Configuration", ("config",)),
        FactSource("db_table", "Tables", ("db_table",)),
        FactSource("exception", "Exceptions"),
        FactSource("log", "Logs", ("log",)),
        FactSource("gate", "Gates", ("gates",)),
        FactSource("retry_policy", "Retries", ("retry_policy",)),
        FactSource("route", "Routes", ("route",)),
    ),
    left_out=("exception",),
)


def fact(kind: str, value: str, file_path: str, at: int, owner: str | None = None, **detail: Any) -> FactRow:
    project = SHOP_TESTS if file_path == TESTS else SHOP
    confidence = Confidence(detail.pop("confidence", Confidence.HIGH))
    return FactRow(
        kind=kind,
        value=value,
        detail={"at": at, **detail},
        symbol_id=owner,
        file_path=file_path,
        line_start=max(1, at - 1),
        line_end=at,
        confidence=confidence,
        project=project,
    )


FACTS = [
    fact(
        "route",
        "GET /orders/{id}",
        API,
        12,
        MAP,
        handler="M:Shop.Api.Order(System.Int32)",
        authorize="policy:Clerk",
        versions="1.0, 2.0",
    ),
    fact("route", "POST /orders", API, 10, MAP, handler="lambda"),
    fact("route", "GET /stock", API, 11, MAP, handler="lambda", confidence=Confidence.MEDIUM),
    fact("route", "GET /test/orders", TESTS, 5, "M:Shop.Tests.ApiTests.Start", handler="lambda"),
    fact("config", "Mail:Host|GetValue", ORDERS, 7, "M:Shop.Orders.Send"),
    fact("config", "mail:host|IConfiguration indexer", ORDERS, 9, "M:Shop.Orders.Send", write=True, undefined=True),
    fact("config", "Mail:{?key}|GetSection", ORDERS, 8, "M:Shop.Orders.Send", confidence=Confidence.LOW),
    fact("db_table", "sales.Orders|Raw SQL", ORDERS, 20, "M:Shop.Orders.Count", source="sql", use="from"),
    fact("db_table", "sales.Orders|DbSet<Order>", ORDERS, 3, "P:Shop.ShopContext.Orders", source="dbset"),
    fact("db_table", "sales.Orders|CreateTable", API, 30, "M:Shop.First.Up", source="migration"),
    fact("db_table", "sales.Orders|Snapshot", API, 31, "M:Shop.Model.BuildModel", source="snapshot"),
    fact("db_table", "Stock|Snapshot", API, 32, "M:Shop.Model.BuildModel", source="snapshot"),
    fact("db_table", "Seeds|Raw SQL", TESTS, 6, "M:Shop.Tests.ApiTests.Start", source="sql", use="into"),
    fact("log", "a|b took {Time}|Warning", API, 40, MAP, template="a|b took {Time}"),
]


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    with open_index(written(tmp_path_factory.mktemp("facts") / "index.db", FACTS)) as opened:
        yield opened


def written(path: Path, facts: list[FactRow]) -> Path:
    """An index that holds these facts."""
    projects = (
        Project(project_path=SHOP, name="Shop", assembly_name="Shop", files=(API, ORDERS)),
        Project(project_path=SHOP_TESTS, name="Shop.Tests", assembly_name="Shop.Tests", files=(TESTS,), is_test=True),
        Project(project_path="src/Shop.VsTest.csproj", name="Shop.VsTest", assembly_name="Shop.VsTest"),
    )
    documents = [
        DocumentRow(
            file_path=path,
            sha256="0" * 64,
            blob_id="0" * 40,
            language="csharp",
            projects=(SHOP_TESTS if path == TESTS else SHOP,),
            line_count=99,
            size=1,
            status=DocumentStatus.CLEAN,
            problems=(Problem("extractor_failed", "log failed", 1),) if path == API else (),
        )
        for path in (API, ORDERS, TESTS)
    ]
    provenance = Provenance(release="1", rows=1, plugins={"config": "", "log": "", "retry_policy": ""}, libraries="")
    info = IndexInfo(repo_id="r", commit_sha="c", fingerprint=provenance.encode())
    with build_lock(path) as lock, BaselineWriter.create(lock, info) as writer:
        writer.add_projects(ProjectGraph(projects))
        writer.add_documents(documents)
        writer.add_facts(facts)
        writer.publish()
    return path


def test_a_project_is_one_of_tests_where_its_facts_say_so(snapshot: Snapshot) -> None:
    """Its name alone decides nothing here."""
    assert [*snapshot.reader.edges.test_projects.values()] == [SHOP_TESTS]


def routes(snapshot: Snapshot, limit: int = 50, offset: int = 0, **filters: Any) -> list[str]:
    question = FactQuestion(kind="route", **filters)
    found = list_endpoints(snapshot, question, limit, offset)
    assert found.total_count >= len(found.endpoints)
    return [f"{each.http_method} {each.route_path}" for each in found.endpoints]


def test_production_code_comes_first_then_the_place(snapshot: Snapshot) -> None:
    assert routes(snapshot) == ["POST /orders", "GET /stock", "GET /orders/{id}", "GET /test/orders"]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"text": "/ORDERS"}, ["POST /orders", "GET /orders/{id}"]),
        ({"text": "orders"}, ["POST /orders", "GET /orders/{id}"]),
        ({"text": "*orders"}, ["POST /orders", "GET /test/orders"]),
        ({"text": "*/orders*"}, ["POST /orders", "GET /orders/{id}", "GET /test/orders"]),
        ({"text": "/orders/{id}"}, ["GET /orders/{id}"]),
        ({"text": "/o.ders"}, []),
        ({"verb": "get"}, ["GET /stock", "GET /orders/{id}", "GET /test/orders"]),
        ({"verb": "GET", "text": "/orders"}, ["GET /orders/{id}"]),
        ({"verb": "GE"}, []),
        ({"tests": True}, ["GET /test/orders"]),
        ({"tests": False, "verb": "GET"}, ["GET /stock", "GET /orders/{id}"]),
        ({"project": "shop.tests"}, ["GET /test/orders"]),
        ({"project": SHOP_TESTS}, ["GET /test/orders"]),
        ({"path": "tests"}, ["GET /test/orders"]),
        ({"path": "**/Api.cs,!tests/"}, ["POST /orders", "GET /stock", "GET /orders/{id}"]),
    ],
)
def test_filters(snapshot: Snapshot, filters: dict[str, Any], expected: list[str]) -> None:
    assert routes(snapshot, **filters) == expected


def test_a_text_that_begins_no_name_means_those_that_hold_it(snapshot: Snapshot) -> None:
    assert routes(snapshot, text="id") == ["GET /orders/{id}"]
    for text, is_further in (("id", True), ("*id*", False), ("orders", False), ("", False), ("none of them", False)):
        question = FactQuestion(kind="route", text=text)
        assert is_further_on(question, matching(snapshot, question)) is is_further


def test_filters_come_before_limits(snapshot: Snapshot) -> None:
    question = FactQuestion(kind="route", verb="GET")
    pages = [list_endpoints(snapshot, question, 1, offset) for offset in range(4)]
    assert [page.endpoints[0].route_path for page in pages[:3]] == ["/stock", "/orders/{id}", "/test/orders"]
    assert [(page.total_count, page.file_count, page.test_count) for page in pages] == [(3, 2, 1)] * 4
    assert [page.truncated for page in pages] == [True, True, False, False]
    assert pages[3].endpoints == ()


def test_endpoints_name_what_handles_them(snapshot: Snapshot) -> None:
    post, stock, get, test = list_endpoints(snapshot, FactQuestion(kind="route"), 9, 0).endpoints
    assert (get.handler_symbol, get.handler, get.line) == ("M:Shop.Api.Order(System.Int32)", "", 12)
    assert (post.handler_symbol, post.handler) == (MAP, "lambda")
    assert [each.confidence.value for each in (post, stock)] == ["high", "medium"]
    assert [each.test for each in (get, test)] == [False, True]


def test_endpoints_as_text(snapshot: Snapshot) -> None:
    assert list(list_endpoints(snapshot, FactQuestion(kind="route"), 9, 0).lines()) == [
        API,
        "  10  POST /orders  lambda  .Map",
        "  11  GET /stock  lambda  [medium]",
        "  12  GET /orders/{id}  v1.0, 2.0  policy:Clerk  .Order",
        f"{TESTS}:5  GET /test/orders  lambda  .Start  [test]",
    ]


def test_keys_of_configuration(snapshot: Snapshot) -> None:
    found = list_config_keys(snapshot, FactQuestion(kind="config", text="mail:h"), 9, 0)
    assert (found.total_count, found.key_count) == (2, 1)
    found = list_config_keys(snapshot, FactQuestion(kind="config"), 9, 0)
    assert list(found.lines()) == [
        ORDERS,
        "  7  Mail:Host  GetValue  .Send",
        "  8  Mail:{?key}  GetSection  [low]",
        "  9  mail:host  IConfiguration indexer  [write, undefined]",
    ]
    assert (found.unused_count, found.undefined_count) == (0, 1)


@pytest.mark.parametrize(
    ("marks", "lines"), [(("undefined",), [9]), (("unused",), []), (("unused", "undefined"), [9]), (("write",), [9])]
)
def test_keys_that_are_marked(snapshot: Snapshot, marks: tuple[str, ...], lines: list[int]) -> None:
    found = list_config_keys(snapshot, FactQuestion(kind="config", marks=marks), 9, 0)
    assert [each.line for each in found.keys] == lines


def test_tables_with_what_declares_them_first(snapshot: Snapshot) -> None:
    found = list_db_tables(snapshot, FactQuestion(kind="db_table"), 9, 0)
    assert [(each.schema, each.table_name, each.use_count) for each in found.tables] == [
        ("sales", "Orders", 3),
        (None, "Stock", 1),
        (None, "Seeds", 1),
    ]
    orders = found.tables[0]
    assert orders.entity_symbol == "P:Shop.ShopContext.Orders"
    assert orders.referenced_by == ("P:Shop.ShopContext.Orders", "M:Shop.Orders.Count", "M:Shop.First.Up")
    assert list(found.lines()) == [
        "sales.Orders",
        f"  {ORDERS}:3  DbSet<Order>  ShopContext.Orders",
        f"  {ORDERS}:20  Raw SQL  from  Orders.Count",
        f"  {API}:30  CreateTable  First.Up",
        "Stock",
        f"  {API}:32  Snapshot  Model.BuildModel",
        "Seeds",
        f"  {TESTS}:6  Raw SQL  into  ApiTests.Start  [test]",
    ]


@pytest.mark.parametrize(
    ("text", "tables"), [("orders", ["Orders"]), ("SALES.", ["Orders"]), ("s", ["Orders", "Stock", "Seeds"])]
)
def test_a_table_is_meant_by_its_name_with_and_without_schema(snapshot: Snapshot, text: str, tables: list[str]) -> None:
    found = list_db_tables(snapshot, FactQuestion(kind="db_table", text=text), 9, 0)
    assert [each.table_name for each in found.tables] == tables


def test_tables_that_migrations_have_dropped_come_last(tmp_path: Path) -> None:
    """Such are those of which everything tells the past: not those that a set maps, code queries or the present model has, nor those that
    SQL of migrations alone names."""
    facts = [
        fact("db_table", "Ages|CreateTable", ORDERS, 1, source="migration", past=True),
        fact("db_table", "Ages|Raw SQL", ORDERS, 2, source="sql", past=True),
        fact("db_table", "Books|CreateTable", ORDERS, 3, source="migration", past=True),
        fact("db_table", "Books|DbSet<Book>", ORDERS, 4, source="dbset"),
        fact("db_table", "Cards|CreateTable", ORDERS, 5, source="migration", past=True),
        fact("db_table", "Cards|Raw SQL", ORDERS, 6, source="sql"),
        fact("db_table", "Desks|Snapshot", ORDERS, 7, source="snapshot", past=True),
        fact("db_table", "Desks|Snapshot", ORDERS, 8, source="snapshot"),
        fact("db_table", "Elms|Snapshot", ORDERS, 9, source="snapshot", past=True),
        fact("db_table", "Files|Raw SQL", ORDERS, 10, source="sql", past=True),
        fact("db_table", "Tests|Raw SQL", TESTS, 11, source="sql"),
        fact("db_table", "Unsure|Snapshot", TESTS, 12, source="snapshot", past=True),
    ]
    with open_index(written(tmp_path / "index.db", facts)) as snapshot:
        found = list_db_tables(snapshot, FactQuestion(kind="db_table"), 50, 0)
        (alone,) = list_db_tables(snapshot, FactQuestion(kind="db_table", text="elms"), 50, 0).tables
    assert [each.name for each in found.tables] == [
        *("Books", "Cards", "Desks", "Files", "Tests", "Unsure"),
        *("Ages", "Elms"),
    ]
    assert [each.name for each in found.tables if each.dropped] == ["Ages", "Elms"]
    assert (found.dropped_count, alone.dropped) == (2, True)
    assert "Ages  [dropped]" in list(found.lines())


def test_the_history_of_a_table_comes_after_its_present(tmp_path: Path) -> None:
    """The model of today before those that migrations keep, and queries before what migrations do."""
    facts = [
        *(fact("db_table", "Desks|Snapshot", API, at, source="snapshot", past=True) for at in range(1, 70)),
        fact("db_table", "Desks|Snapshot", ORDERS, 1, source="snapshot"),
        fact("db_table", "Books|Raw SQL", API, 70, source="sql", past=True),
        fact("db_table", "Books|CreateTable", API, 71, source="migration"),
        fact("db_table", "Books|Raw SQL", ORDERS, 2, source="sql"),
    ]
    with open_index(written(tmp_path / "index.db", facts)) as snapshot:
        books, desks = list_db_tables(snapshot, FactQuestion(kind="db_table"), 50, 0).tables
    assert [each.line for each in books.uses] == [2, 70, 71]
    assert (desks.uses[0].file_path, len(desks.uses), desks.left_out) == (ORDERS, 30, 40)


def test_a_table_shows_the_same_uses_on_every_page(tmp_path: Path) -> None:
    """How many of them are shown follows from how many tables there are, not from how many one page holds."""
    used = [fact("db_table", f"Table{n}|Raw SQL", ORDERS, 10 * n + at) for n in range(8) for at in range(9)]
    question = FactQuestion(kind="db_table")
    with open_index(written(tmp_path / "index.db", used)) as snapshot:
        whole = list_db_tables(snapshot, question, 50, 0).tables
        paged = [table for offset in range(8) for table in list_db_tables(snapshot, question, 1, offset).tables]
    assert paged == list(whole)
    assert {(len(table.uses), table.use_count) for table in whole} == {(7, 9)}


def test_facts_of_any_kind(snapshot: Snapshot) -> None:
    (log,) = list_facts(snapshot, FactQuestion(kind="log"), 9, 0).facts
    assert (log.value, log.metadata, log.line, log.project) == ("a|b took {Time}", "Warning", 40, "Shop")
    assert log.detail == {"template": "a|b took {Time}"}


def test_a_kind_says_what_of_its_details_is_told(snapshot: Snapshot) -> None:
    listed = list_facts(snapshot, FactQuestion(kind="log"), 9, 0, ("template", "nothing"))
    (log,) = listed.facts
    assert list(log.told(listed.shown)) == ["a|b took {Time}", "Warning"]
    assert "a|b took {Time}, Warning" in "\n".join(listed.lines())


def test_kinds_are_counted(snapshot: Snapshot) -> None:
    assert list(count_kinds(snapshot, SOURCES).lines()) == [
        "3  config  Configuration",
        "6  db_table  Tables  1 in tests",
        "1  log  Logs",
        "4  route  Routes  1 in tests",
        "0  exception (no plug-in finds it), gate, retry_policy",
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({"kind": "exception"}, "No plug-in finds facts of kind exception. CODEMAP_BLOCK_PLUGINS blocks the plug-in exception."),
        ({"kind": "middleware"}, "No plug-in finds facts of kind middleware. CODEMAP_BLOCK_PLUGINS blocks the plug-in exception."),
        ({"kind": "gate"}, "The index was made without the plug-in gates: call index.ensure_baseline to build it again."),
        ({"kind": "retry_policy"}, "The plug-in retry_policy found none in 3 files. On 1 file an extractor failed: repo.status."),
        ({"kind": "route", "text": "stock", "verb": "POST"}, "Nothing passes the filters; without the filter 'stock', 1 would."),
        ({"kind": "route", "verb": "PUT"}, "Nothing passes the filters; without the verb PUT, 4 would."),
        ({"kind": "config", "tests": True}, "Nothing passes the filters; without the choice between tests and other code, 3 would."),
        ({"kind": "log", "text": "x", "path": "tests", "tests": True}, "Nothing passes the filters; without any filter, 1 would."),
        ({"kind": "config", "marks": ("unused", "x")}, "Nothing passes the filters; without the mark unused or x, 3 would."),
        ({"kind": "db_table", "text": "none"}, "Nothing passes the filters; without the filter 'none', 3 would."),
    ],
)  # fmt: skip
def test_an_empty_list_says_why(snapshot: Snapshot, question: dict[str, object], expected: str) -> None:
    absence = why_none(snapshot, FactQuestion(**question), SOURCES)  # type: ignore[arg-type]
    assert absence.said(build="call index.ensure_baseline", look="repo.status") == expected


@pytest.mark.parametrize(
    ("asked", "kind"), [("Log", "log"), ("logs", "log"), ("DB table", "db_table"), ("gates", "gate")]
)
def test_a_kind_is_meant_by_its_name_or_title(snapshot: Snapshot, asked: str, kind: str) -> None:
    assert known_kind(snapshot, asked, SOURCES) == kind


def test_what_does_not_exist_is_refused(snapshot: Snapshot) -> None:
    with pytest.raises(
        InvalidArgumentError,
        match=r"no facts of kind 'rout'\. Did you mean 'route'\? Kinds: config, db_table, log, route",
    ):
        known_kind(snapshot, "rout", SOURCES)
    with pytest.raises(InvalidArgumentError, match=r"no project 'Shop\.Test'\. Similar: Shop\.Tests"):
        routes(snapshot, project="Shop.Test")


def test_a_long_text_is_cut_in_a_row_and_whole_in_the_data(snapshot: Snapshot) -> None:
    (log,) = list_facts(snapshot, FactQuestion(kind="log"), 9, 0).facts
    long = replace(log, value="first\nline " + "x" * 300)
    assert long.said() == "first\\nline " + "x" * 187 + "…  Warning"
