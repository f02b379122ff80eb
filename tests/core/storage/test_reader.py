"""What was written is read, as the same structs."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec import structs

from codemap_core.model import RefKind
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.symbol_conditions import Condition, Not, Static
from codemap_core.storage.reading.symbol_scan import SymbolScan
from codemap_core.storage.reading.symbol_search import SymbolFilter
from codemap_core.testing import sample_index as sample


def test_symbols_come_back_whole(reader: IndexReader) -> None:
    for symbol in sample.symbols():
        assert symbol in reader.symbols_with_id(symbol.symbol_id)
        assert symbol in reader.symbols_with_stable_id(symbol.stable_id)
        assert reader.symbols_called([symbol.name.upper()], SymbolFilter())


def test_an_id_of_two_projects_gives_both_in_path_order(reader: IndexReader) -> None:
    assert [symbol.project for symbol in reader.symbols_with_id("T:Shop.Ordering.Order")] == [sample.SHOP, sample.TESTS]


def test_what_is_unknown_is_empty(reader: IndexReader) -> None:
    assert reader.symbols_with_id("T:None") == ()
    assert reader.symbols_with_stable_id("sym_0000000000000000") == ()
    assert reader.members_of("T:None") == ()
    assert reader.document("none.cs") is None
    assert reader.file_text("none.cs") is None
    assert reader.facts_of("T:None") == ()


def test_members_by_place(reader: IndexReader) -> None:
    assert [member.name for member in reader.members_of("T:Shop.Ordering.Order")] == ["_lines", "Id"]
    assert [member.name for member in reader.members_of("T:Shop.Ordering.OrderService")] == [
        "OrderService",
        "Submit",
        "Store",
    ]


def test_symbols_of_a_file_by_place(reader: IndexReader) -> None:
    assert [symbol.name for symbol in reader.symbols_in_file(sample.ORDER_FILE)] == ["Order", "Id"]


@pytest.mark.parametrize("condition", [None, Static(), Not(Static())], ids=["all", "some", "most"])
def test_a_page_comes_with_the_number_of_all(reader: IndexReader, condition: Condition | None) -> None:
    where = SymbolScan(condition=condition)
    everything = reader.scans.page(where)
    total = len(everything)
    assert reader.scans.page_and_total(where, -1, 0) == (everything, total)
    assert reader.scans.page_and_total(where, 2, 1) == (everything[1:3], total)
    assert reader.scans.page_and_total(where, 0, 0) == ([], total)
    assert reader.scans.page_and_total(where, 5, total) == ([], total)


def test_documents_come_back_without_text(reader: IndexReader) -> None:
    expected = sorted((structs.replace(row, text=None) for row in sample.documents()), key=lambda row: row.file_path)
    assert list(reader.documents()) == expected
    assert [reader.document(row.file_path) for row in expected] == expected


def test_texts_come_back(reader: IndexReader) -> None:
    for path, text in sample.TEXTS.items():
        assert reader.file_text(path) == text
    assert reader.file_text("docs/huge.json") is None


def test_paths_and_sizes(reader: IndexReader) -> None:
    assert reader.file_paths("SRC/shop/order.") == (sample.LINES_FILE, sample.ORDER_FILE)
    contents = reader.contents.of([sample.ORDER_FILE, "none.cs"])
    assert {path: content.size for path, content in contents.items()} == {
        sample.ORDER_FILE: len(sample.TEXTS[sample.ORDER_FILE])
    }
    assert reader.contents.of([sample.ORDER_FILE]) == contents


def test_projects_come_back_whole(reader: IndexReader) -> None:
    assert reader.projects() == sample.GRAPH.projects
    assert reader.solutions() == sample.GRAPH.solutions
    assert reader.project_names == {sample.SHOP: "Shop", sample.TESTS: "Shop.Tests"}


def test_references_come_back_whole(reader: IndexReader) -> None:
    submit, store = (symbol.symbol_id for symbol in sample.symbols()[5:7])
    read, call, unresolved = sample.references()
    assert reader.references_from(submit) == (read, call)
    assert reader.references_from(submit, (RefKind.CALL,)) == (call,)
    assert reader.references_from(submit, limit=1) == (read,)
    assert reader.references_to([store]) == (call,)
    assert reader.references_from(store) == (unresolved,)


def test_relations_and_facts_come_back_whole(reader: IndexReader) -> None:
    assert reader.relations_from("T:Shop.Ordering.OrderService") == tuple(sample.relations())
    (number,) = reader.edges.numbers_of(["!:IOrderService"]).values()
    (below,) = reader.derived([number])
    assert reader.edges.ids_of([below.derived]) == {below.derived: "T:Shop.Ordering.OrderService"}
    facts = tuple(sample.facts())
    assert reader.facts_of(facts[0].symbol_id or "") == facts


def test_counts(reader: IndexReader) -> None:
    assert reader.count_facts_by_kind() == {"exception": 1}


def test_several_threads_may_ask(reader: IndexReader) -> None:
    ids = [symbol.symbol_id for symbol in sample.symbols()] * 20
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(reader.symbols_with_id, ids))
