"""Searches that find nothing as they were typed."""

from __future__ import annotations

import pytest

from codemap_core.queries.search.symbol_search import search_symbols
from codemap_core.queries.snapshot import Snapshot


@pytest.mark.parametrize(
    ("query", "taken", "first"),
    [
        ("OrdrService", "OrderService", "T:Shop.Ordering.OrderService"),
        ("OderService", "OrderService", "T:Shop.Ordering.OrderService"),
        ("ordreing", "ordering", "T:Tools.Ordering"),
        ("CCSH", "CamelCaseStringHelper", "T:Shop.Text.CamelCaseStringHelper"),
        ("camlCaseStringHelper", "CamelCaseStringHelper", "T:Shop.Text.CamelCaseStringHelper"),
        ("CamlCaseStrngHelpr", "CamelCaseStringHelper", "T:Shop.Text.CamelCaseStringHelper"),
        ("CamelsCasedStringsHelpers", "CamelCaseStringHelper", "T:Shop.Text.CamelCaseStringHelper"),
    ],
)
def test_misspelt_words_are_taken_as_what_they_resemble(
    catalogue: Snapshot, query: str, taken: str, first: str
) -> None:
    found = search_symbols(catalogue, query)
    assert found.corrections[0].asked == query
    assert taken in found.corrections[0].taken
    assert found.hits[0].symbol_id == first


def test_words_that_match_are_left_as_they_are(catalogue: Snapshot) -> None:
    found = search_symbols(catalogue, "orders submitt")
    assert [each.asked for each in found.corrections] in (["submitt"], [])
    assert search_symbols(catalogue, "Order").corrections == ()


def test_a_word_that_resembles_nothing_is_named(catalogue: Snapshot) -> None:
    found = search_symbols(catalogue, "order zyzzyva")
    assert (found.total_count, found.unmatched) == (0, ("zyzzyva",))


def test_a_misspelt_name_is_answered_with_what_is_called_like_it_alone(catalogue: Snapshot) -> None:
    """Not with the members of a type of that name, which a search for the name itself finds."""
    found = search_symbols(catalogue, "OrdrService")
    assert [hit.symbol_id for hit in found.hits] == ["T:Shop.Ordering.OrderService"]
    assert (found.total_count, found.truncated) == (1, False)
    assert search_symbols(catalogue, "OrderService").total_count > 1
