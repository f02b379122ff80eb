"""Searching: what is found, in which order, and that nothing a user types is an error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import SymbolKind
from codemap_core.queries.search.symbol_search import named_first, search_symbols
from codemap_core.queries.snapshot import Snapshot
from tests.core.queries.conftest import open_index, write_source_index


def found(snapshot: Snapshot, query: str = "", **filters: Any) -> list[str]:
    response = search_symbols(snapshot, query, **filters)
    assert len(response.hits) == response.total_count or response.truncated
    return [hit.symbol_id.partition(":")[2].removeprefix("Shop.") for hit in response.hits]


def test_the_exact_name_comes_first_types_before_members(catalogue: Snapshot) -> None:
    assert found(catalogue, "Order")[:3] == ["Tools.Order", "Ordering.Order", "Ordering.Order.#ctor"]
    assert found(catalogue, "order")[:3] == ["Tools.Order", "Ordering.Order", "Ordering.Order.#ctor"]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("Box", ["A.Box", "B.Box", "C.Lid.Box"]),
        ("B.Box", ["B.Box"]),
        ("Boxe", ["A.Boxed"]),
        ("Box*", []),
        ("Box Lid", []),
        ("Lid OR Box", []),
        ("Weigh", ["A.Box.Weigh"]),
    ],
)
def test_what_is_called_so_comes_before_what_stands_in_it(tmp_path: Path, query: str, named: list[str]) -> None:
    source = (
        "namespace A { class Box { public Box() { } public int Weigh() => 1; } class Boxed { int Side; } } "
        "namespace B { class Box { int Side; } } namespace C { class Lid { int Box; } }"
    )
    with open_index(write_source_index(tmp_path / "index.db", {"a.cs": source})) as snapshot:
        hits = search_symbols(snapshot, query).hits
        assert [hit.symbol_id[2:] for hit in hits[: named_first(query, hits)]] == named


def test_names_that_begin_with_the_word_come_next(catalogue: Snapshot) -> None:
    names = found(catalogue, "Order*")
    assert names[3:5] == ["Tools.Ordering", "Orders.OrderLine"]
    assert names.index("Ordering.OrderService") < names.index("Ordering.IOrderService")


def test_of_names_that_begin_alike_types_come_before_members(tmp_path: Path) -> None:
    source = (
        "namespace A { class App { B.Gadget Gadget { get; } } } namespace B { class Gadget { } class GadgetBox { } }"
    )
    with open_index(write_source_index(tmp_path / "index.db", {"a.cs": source})) as snapshot:
        assert found(snapshot, "Gadg") == ["B.Gadget", "B.GadgetBox", "A.App.Gadget"]


HANDLERS = "interface IHandler<TMessage> { void Handle(TMessage m); } interface IHandler<TMessage, TResult> { } class Order { }"


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("IHandler<TMessage>", ["IHandler`1"]),
        ("IHandler<T>", ["IHandler`1"]),
        ("IHandler<Order>", ["IHandler`1"]),
        ("IHandler<A, B>", ["IHandler`2"]),
        ("IHandler<A,B>", ["IHandler`2"]),
        ("IHandler`2", ["IHandler`2"]),
        ("IHandler<T>.Handle", ["IHandler`1.Handle(`0)"]),
        ("IHandler<A,B,C>", []),
    ],
)
def test_type_arguments_count_by_their_number(tmp_path: Path, query: str, names: list[str]) -> None:
    with open_index(write_source_index(tmp_path / "index.db", {"a.cs": HANDLERS})) as snapshot:
        assert found(snapshot, query)[: len(names) or None] == names


STORES = """
class Host { IJobStore jobStore; IJobStore JobStores { get; } const string JobStoreType = ""; ~Host() { } }
interface IJobStore { } class RamJobStore : IJobStore { ~RamJobStore() { } } class RamJobStoreTests { RamJobStore ramJobStore; }
"""


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("JobStore", ["IJobStore", "RamJobStore", "RamJobStoreTests", "Host.JobStores", "Host.JobStoreType"]),
        ("job store", ["IJobStore", "RamJobStore", "RamJobStoreTests"]),
        ("jobStore", ["Host.jobStore", "IJobStore", "RamJobStore"]),
        ("JobStroe", ["IJobStore", "RamJobStore", "RamJobStoreTests"]),
        ("JobStore*", ["Host.JobStores", "Host.JobStoreType"]),
        ("Ram Job Store", ["RamJobStore", "RamJobStoreTests"]),
        ("ramJobStore", ["RamJobStoreTests.ramJobStore", "RamJobStore"]),
    ],
)
def test_types_with_the_words_come_before_members_and_a_capital_means_itself(
    tmp_path: Path, query: str, first: list[str]
) -> None:
    """What has the name comes before both; every score is bm25, and none is better than the one before."""
    with open_index(write_source_index(tmp_path / "index.db", {"a.cs": STORES})) as snapshot:
        assert found(snapshot, query)[: len(first)] == first
        scores = [hit.score for hit in search_symbols(snapshot, query).hits]
        assert scores == sorted(scores)
        assert all(-50 < score <= 0 for score in scores)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Processing", "Ordering.OrderProcessingService"),
        ("String", "Text.CamelCaseStringHelper"),
        ("CaseString", "Text.CamelCaseStringHelper"),
        ("OrderProc", "Ordering.OrderProcessingService"),
        ("OrdProcServ", "Ordering.OrderProcessingService"),
        ("orderService", "Ordering.OrderService"),
        ("orderservice", "Ordering.OrderService"),
        ("ORDERSERVICE", "Ordering.OrderService"),
        ("OrderServ", "Ordering.OrderService"),
        ("parser", "Text.HTMLParser2"),
        ("HTML", "Text.HTMLParser2"),
        ("HtmlParser", "Text.HTMLParser2"),
        ("HTMLParser2", "Text.HTMLParser2"),
        ("_logger", "Text.HTMLParser2._logger"),
        ("logger", "Text.HTMLParser2._logger"),
        ("customer asked", "Ordering.Order"),
        ('"asked for"', "Ordering.Order"),
        ("OrderService.Submit", "Ordering.OrderService.Submit"),
        ("Shop.Ordering.OrderService.Submit", "Ordering.OrderService.Submit"),
        ("M:Shop.Ordering.OrderService.Submit", "Ordering.OrderService.Submit"),
        ("helper OR nothing", "Text.CamelCaseStringHelper"),
        ("Submit NOT hands", "Ordering.Order.Submit"),
        ("Submit -hands", "Ordering.Order.Submit"),
    ],
)
def test_finds(catalogue: Snapshot, query: str, name: str) -> None:
    assert found(catalogue, query)[0] == name


def test_words_that_match_nothing_are_tried_as_beginnings(catalogue: Snapshot) -> None:
    response = search_symbols(catalogue, "camelcasestr")
    assert response.relaxed
    assert [hit.symbol_id for hit in response.hits] == ["T:Shop.Text.CamelCaseStringHelper"]
    assert not search_symbols(catalogue, "Order").relaxed


def test_nothing_found_is_an_answer(catalogue: Snapshot) -> None:
    for query in ("zzz", "!!!", "Submit NOT Submit"):
        response = search_symbols(catalogue, query)
        assert (response.hits, response.total_count, response.truncated, response.relaxed) == ((), 0, False, False)


def test_filters(catalogue: Snapshot) -> None:
    assert found(catalogue, "Order", project="Tools") == ["Tools.Order"]
    assert found(catalogue, "Order", project="tools.assembly") == ["Tools.Order"]
    assert found(catalogue, "Order", project="tools/Tools.csproj") == ["Tools.Order"]
    assert found(catalogue, "Order", file_path="tools/") == ["Tools.Order"]
    assert found(catalogue, "Order", file_path="./TOOLS\\Order") == ["Tools.Order"]
    assert found(catalogue, "Order", namespace="Tools") == ["Tools.Order"]
    assert found(catalogue, "Order", kinds=[SymbolKind.STRUCT]) == ["Tools.Order"]
    assert found(catalogue, "Order", kinds=[SymbolKind.STRUCT], namespace="Shop") == []


@pytest.mark.parametrize("namespace", ["Shop.Order", "Shop.Orderi", "hop"])
def test_a_namespace_matches_at_its_borders(catalogue: Snapshot, namespace: str) -> None:
    assert found(catalogue, "Order*", namespace=namespace) == []


@pytest.mark.parametrize("namespace", ["Shop.Orders", "shop.orders", "Shop.Orders.", "Shop.Orders.*"])
def test_a_namespace_may_be_written_in_several_ways(catalogue: Snapshot, namespace: str) -> None:
    assert found(catalogue, "Order*", namespace=namespace) == ["Orders.OrderLine"]


def test_browsing_by_kind(catalogue: Snapshot) -> None:
    for query in ("", "*", "  "):
        assert found(catalogue, query, kinds=[SymbolKind.STRUCT, SymbolKind.RECORD]) == [
            "Orders.OrderLine",
            "Tools.Order",
        ]
    with pytest.raises(InvalidArgumentError, match="kinds"):
        search_symbols(catalogue)


def test_pages_join_to_the_whole(catalogue: Snapshot) -> None:
    for query, kinds in (("Order*", ()), ("", tuple(SymbolKind)), ("submit", ())):
        whole = search_symbols(catalogue, query, kinds, limit=100)
        assert not whole.truncated
        pages = [
            search_symbols(catalogue, query, kinds, limit=3, offset=offset) for offset in range(0, whole.total_count, 3)
        ]
        assert tuple(hit for page in pages for hit in page.hits) == whole.hits
        assert {page.total_count for page in pages} == {whole.total_count}
        assert [page.truncated for page in pages] == [True] * (len(pages) - 1) + [False]


def test_a_file_of_two_projects_gives_each_symbol_once(sample: Snapshot) -> None:
    assert [hit.symbol_id for hit in search_symbols(sample, "Order", [SymbolKind.CLASS]).hits].count(
        "T:Shop.Ordering.Order"
    ) == 1
    assert [
        hit.symbol_id for hit in search_symbols(sample, "Order", [SymbolKind.CLASS], project="Shop.Tests").hits
    ] == ["T:Shop.Ordering.Order"]
    assert search_symbols(sample, "", [SymbolKind.CLASS]).total_count == 2


def test_a_long_summary_is_cut(sample: Snapshot) -> None:
    hit = search_symbols(sample, "Submit").hits[0]
    assert hit.documentation_snippet == "Hands the order over."


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(query=st.text(max_size=60))
def test_no_text_is_an_error(catalogue: Snapshot, query: str) -> None:
    search_symbols(catalogue, query, tuple(SymbolKind))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    parts=st.lists(
        st.sampled_from(
            ["(", ")", '"', "OR", "NOT", "AND", "NEAR", "Order", "-", "*", "^", ":", "name_tokens", "{", "+"]
        )
    ),
    joint=st.sampled_from(["", " "]),
    filters=st.fixed_dictionaries(
        {
            "namespace": st.text(max_size=5),
            "file_path": st.text(max_size=5).map(lambda path: path if re.sub(r"[\s*./\\]", "", path) else path + "a"),
            "project": st.text(max_size=5),
        }
    ),
)
def test_no_jumble_of_operators_or_filter_is_an_error(
    catalogue: Snapshot, parts: list[str], joint: str, filters: dict[str, Any]
) -> None:
    """Paths that name no file are one, and are left out here."""
    search_symbols(catalogue, joint.join(parts), tuple(SymbolKind), **filters)
