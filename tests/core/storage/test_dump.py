"""The dump has exactly the agreed keys, in their order."""

from __future__ import annotations

import msgspec

from codemap_core.storage.reading.dump import DUMPS, iter_files, iter_projects, iter_refs, iter_relations, iter_symbols
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.testing import sample_index as sample

KEYS = {
    "symbols": "symbol_id stable_id kind fully_qualified_name signature documentation namespace containing_type file_path span_start "
    "span_end visibility project confidence condition",
    "refs": "kind from_symbol to_symbol constructor to_name to_container_hint file_path line column line_end resolution_state external "
    "confidence reason condition",
    "relations": "kind from_symbol to_symbol external",
    "facts": "kind value detail symbol_id file_path line_start line_end confidence project test",
    "files": "file_path sha256 language project line_count generated",
    "projects": "project_path name assembly_name sdk target_framework target_frameworks files project_references packages usings "
    "defines lang_version",
}


def test_keys_and_their_order(reader: IndexReader) -> None:
    assert list(DUMPS) == list(KEYS)
    for name, rows in DUMPS.items():
        dumped = list(rows(reader))
        assert dumped
        assert {" ".join(row) for row in dumped} == {KEYS[name]}
        assert [msgspec.json.decode(msgspec.json.encode(row)) for row in dumped]


def test_symbols_are_sorted_and_name_their_project(reader: IndexReader) -> None:
    rows = list(iter_symbols(reader))
    assert [row["symbol_id"] for row in rows] == sorted(row["symbol_id"] for row in rows)
    assert [row["project"] for row in rows if row["symbol_id"] == "T:Shop.Ordering.Order"] == ["Shop", "Shop.Tests"]
    assert next(row for row in rows if row["symbol_id"].endswith("Order)") and "Submit" in row["symbol_id"]) == {
        "symbol_id": "M:Shop.Ordering.OrderService.Submit(Shop.Ordering.Order)",
        "stable_id": sample.symbols()[5].stable_id,
        "kind": "method",
        "fully_qualified_name": "Shop.Ordering.OrderService.Submit",
        "signature": "public bool Submit(Order order)",
        "documentation": "Hands the order over.",
        "namespace": "Shop.Ordering",
        "containing_type": "OrderService",
        "file_path": sample.SERVICE_FILE,
        "span_start": 8,
        "span_end": 8,
        "visibility": "public",
        "project": "Shop",
        "confidence": "high",
        "condition": None,
    }


def test_a_file_has_the_first_project_or_none(reader: IndexReader) -> None:
    assert {row["file_path"]: row["project"] for row in iter_files(reader)} == {
        "docs/huge.json": None,
        sample.LINES_FILE: "Shop",
        sample.ORDER_FILE: "Shop",
        sample.SERVICE_FILE: "Shop",
    }


def test_projects_have_sorted_lists(reader: IndexReader) -> None:
    shop = next(iter_projects(reader))
    assert shop["packages"] == ["Dapper/2.1.0", "Serilog"]
    assert shop["usings"] == ["Lines = System.Collections.Generic.List<string>", "System", "static System.Math"]
    assert shop["files"] == [sample.LINES_FILE, sample.ORDER_FILE, sample.SERVICE_FILE]


def test_references_by_place(reader: IndexReader) -> None:
    assert [(row["line"], row["column"], row["kind"], row["line_end"]) for row in iter_refs(reader)] == [
        (8, 46, "read", 8),
        (8, 56, "call", 8),
        (10, 40, "call", 11),
    ]


def test_relations(reader: IndexReader) -> None:
    assert list(iter_relations(reader)) == [
        {
            "kind": "interface",
            "from_symbol": "T:Shop.Ordering.OrderService",
            "to_symbol": "!:IOrderService",
            "external": False,
        }
    ]
