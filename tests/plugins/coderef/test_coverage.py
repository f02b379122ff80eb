"""Shares of executed lines."""

from __future__ import annotations

import pytest

from codemap_plugins.coderef.coverage import Coverage

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
