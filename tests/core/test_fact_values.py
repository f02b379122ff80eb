"""What names a fact, and what is metadata."""

from __future__ import annotations

import pytest

from codemap_core.model import split_value
from codemap_core.queries.views.fact_lines import metadata_in_words


@pytest.mark.parametrize(
    ("kind", "value", "expected"),
    [
        ("config", "Mail:Port|GetValue", ("Mail:Port", "GetValue")),
        ("log", "a | b|Warning", ("a | b", "Warning")),
        ("middleware", "Map|pos:3|terminal", ("Map", "pos:3|terminal")),
        ("di_registration", "W → W|Singleton|HostedService", ("W → W", "Singleton|HostedService")),
        ("route", "GET /codes/{code:regex(a|b)}", ("GET /codes/{code:regex(a|b)}", "")),
        ("ticket", "A-1", ("A-1", "")),
    ],
)
def test_metadata_is_behind_the_bar_of_its_kind(kind: str, value: str, expected: tuple[str, str]) -> None:
    assert split_value(kind, value) == expected


@pytest.mark.parametrize(
    ("metadata", "said"),
    [
        ("pos:3|terminal", "position 3, terminal"),
        ("Singleton|HostedService", "Singleton, HostedService"),
        ("GetValue", "GetValue"),
        ("", ""),
    ],
)
def test_metadata_is_told_in_words(metadata: str, said: str) -> None:
    assert metadata_in_words(metadata) == said
