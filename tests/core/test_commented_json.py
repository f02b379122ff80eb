"""JSON with comments and trailing commas becomes JSON; what stands in texts stays."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codemap_core.commented_json import without_comments


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // one\n "b": [2, 3,], /* four, */ }', {"a": 1, "b": [2, 3]}),
        (r'{"a": "// no /* comment */ \" ,}", "b": "x,]"}', {"a": '// no /* comment */ " ,}', "b": "x,]"}),
        ('["http://x", /**/ 1 /* , */ , ]', ["http://x", 1]),
        ("[1] /* not closed", [1]),
    ],
)
def test_what_is_left_is_json(text: str, value: Any) -> None:
    assert json.loads(without_comments(text)) == value


def test_comments_that_are_not_closed_end_soon() -> None:
    """Each would be sought to the end of the text, were not the first all of it."""
    assert without_comments("/* " * 500_000) == " "
