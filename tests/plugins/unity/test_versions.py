"""Versions of packages and of the editor, and the expressions that ask for them."""

from __future__ import annotations

import pytest

from codemap_plugins.unity.versions import holds


@pytest.mark.parametrize(
    ("expression", "version", "expected"),
    [
        ("", "1.0.0", True),
        ("", "", True),
        ("1.2", "1.2.0", True),
        ("1.2", "1.1.9", False),
        ("1.2", "", False),
        ("2.1.0-preview.7", "2.1.0-preview.10", True),
        ("2.1.0-preview.7", "2.1.0-preview.6", False),
        ("2.1.0-preview.7", "2.1.0", True),
        ("2.1.0", "2.1.0-preview.7", False),
        ("[1.3,3.4.1]", "3.4.1", True),
        ("[1.3,3.4.1]", "1.2.9", False),
        ("(1.3.0,3.4)", "1.3.0", False),
        ("[1.1,3.4)", "3.4.0", False),
        ("[1.1, 3.4)", "3.3.9", True),
        ("[1.1,)", "9.0.0", True),
        ("(,2.0)", "1.9.0", True),
        ("[2.4.5]", "2.4.5", True),
        ("[2.4.5]", "2.4.6", False),
        ("2020.2", "2022.3.39f1", True),
        ("2023.1", "2022.3.39f1", False),
        ("2022.3.39f1", "2022.3.39a1", False),
        ("nonsense", "1.0.0", False),
        ("[1.0", "1.0.0", False),
    ],
)
def test_expressions(expression: str, version: str, expected: bool) -> None:
    assert holds(expression, version) is expected
