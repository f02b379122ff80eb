"""Shares of executed lines."""

from __future__ import annotations

import pytest

from codemap_plugins.coderef.coverage import Coverage, hits_by_path

COVERAGE = Coverage({"a.cs": {9: 0, 3: 2, 4: 1, 20: 0}, "empty.cs": {}}, 1)


@pytest.mark.parametrize(
    ("path", "span", "expected"),
    [
        ("a.cs", None, 50.0),
        ("a.cs", (3, 4), 100.0),
        ("a.cs", (4, 9), 50.0),
        ("a.cs", (1, 9), 66.7),
        ("a.cs", (9, 9), 0.0),
        ("a.cs", (10, 19), None),
        ("a.cs", (21, 30), None),
        ("a.cs", (5, 20), 0.0),
        ("empty.cs", None, None),
        ("b.cs", (1, 9), None),
    ],
)
def test_a_span_counts_its_own_executable_lines(
    path: str, span: tuple[int, int] | None, expected: float | None
) -> None:
    assert COVERAGE.percentage(path, span) == expected


FILES = (
    "src/Order.cs",
    "src/Item.cs",
    "web/a/src/index.ts",
    "web/b/src/index.ts",
    "src/index.ts",
    "src/Same.cs",
    "src/same.cs",
)


@pytest.mark.parametrize(
    ("folder", "written", "expected"),
    [
        ("", "C:/build/shop/src/Order.cs", "src/Order.cs"),
        ("", "/_/src/Order.cs", "src/Order.cs"),
        ("", "d:/a/shop/SRC/order.cs", "src/Order.cs"),
        ("", "Order.cs", "src/Order.cs"),
        ("tests/TestResults/1", "../../../src/Item.cs", "src/Item.cs"),
        ("tests/TestResults/1", "./src/Item.cs", "src/Item.cs"),
        ("web/a/coverage", "src/index.ts", "web/a/src/index.ts"),
        ("web/b/coverage", "./src/index.ts", "web/b/src/index.ts"),
        ("coverage", "src/index.ts", "src/index.ts"),
        ("web", "b/src/index.ts", "web/b/src/index.ts"),
        ("", "index.ts", None),
        ("", "/elsewhere/Order.cs", None),
        ("", "C:/build/src/Same.cs", "src/Same.cs"),
        ("", "C:/build/src/SAME.cs", None),
        ("", "../../../../src/Order.cs", "src/Order.cs"),
    ],
)
def test_a_path_of_a_report_means_one_file(folder: str, written: str, expected: str | None) -> None:
    found = hits_by_path([(folder, {written: {1: 1}})], FILES)
    assert found == ({expected: {1: 1}} if expected else {})
