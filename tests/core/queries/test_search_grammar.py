"""What users type is understood, whatever it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.queries.search.search_grammar import parse_search, relax
from codemap_core.storage.schema.fulltext import AllOf, AnyOf, Except, MatchQuery, Phrase, Word

A, B, C = Word("a"), Word("b"), Word("c")


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("a", A),
        ("a*", Word("a", prefix=True)),
        ("a b", AllOf((A, B))),
        ("a AND b", AllOf((A, B))),
        ("a OR b", AnyOf((A, B))),
        ("a | b", AnyOf((A, B))),
        ("a b OR c", AnyOf((AllOf((A, B)), C))),
        ("a (b OR c)", AllOf((A, AnyOf((B, C))))),
        ("(a OR b) c", AllOf((AnyOf((A, B)), C))),
        ("a NOT b", Except(A, B)),
        ("a -b", Except(A, B)),
        ("NOT b a", Except(A, B)),
        ("a NOT (b OR c)", Except(A, AnyOf((B, C)))),
        ('"a b" c', AllOf((Phrase(("a", "b")), C))),
        ("or not and", AllOf((Word("or"), Word("not"), Word("and")))),
        ("Order.Submit", AllOf((Word("Order"), Word("Submit")))),
        ("Submit(int)", AllOf((Word("Submit"), Word("int")))),
        ("Submit (int)", AllOf((Word("Submit"), Word("int")))),
        ("List<Order>", AllOf((Word("List"), Word("Order")))),
        ("M:Shop.Order.Submit(System.Int32)", AllOf((Word("Shop"), Word("Order"), Word("Submit")))),
        ("T:Shop.List`1", AllOf((Word("Shop"), Word("List")))),
        ("M:Shop.Order.#ctor(System.Int32)", AllOf((Word("Shop"), Word("Order")))),
    ],
)
def test_grammar(text: str, query: MatchQuery) -> None:
    assert parse_search(text).query == query


@pytest.mark.parametrize(
    "text", ["OR a", "a OR", "a AND", "NOT", "a NOT", "(a", "a)", "((a))", '"a', 'a"', "a OR OR", "^a", "() a", "a **"]
)
def test_operators_with_nothing_to_work_on_are_dropped(text: str) -> None:
    assert parse_search(text).query in {A, None if text == "NOT" else A, Word("a", prefix=True)}


@pytest.mark.parametrize("text", ["", " ", "!!!", "+", "NOT", "( )", '""', "*", "OR", "\0", "…"])
def test_no_word_is_no_query(text: str) -> None:
    assert parse_search(text).query is None


@pytest.mark.parametrize(
    ("text", "name", "qualified"),
    [
        ("Order", "Order", ""),
        ("Order*", "Order", ""),
        ("Order.Submit", "Submit", ".Order.Submit"),
        ("T:Shop.Order", "Order", ".Shop.Order"),
        ("Repository<T>", "Repository", "Repository<T>"),
        ("Shop.Map<TKey,TValue>", "Map", ".Shop.Map<TKey, TValue>"),
        ("order service", "OrderService", ""),
        ("order AND service", "OrderService", ""),
    ],
)
def test_a_single_name_ranks_first(text: str, name: str, qualified: str) -> None:
    found = parse_search(text).name
    assert found is not None
    assert (found.name, found.qualified) == (name, qualified)


@pytest.mark.parametrize("text", ["a OR b", "a -b", "ab* c", '"a"', '"a b"', "List<Order> x"])
def test_more_than_words_is_no_name(text: str) -> None:
    assert parse_search(text).name is None


@given(st.text(max_size=200))
def test_any_text_is_understood(text: str) -> None:
    query = parse_search(text).query
    if query is not None:
        relax(query)


@given(st.lists(st.sampled_from(["(", ")", '"', "OR", "NOT", "AND", "a", "-", "*", "b.c", " "]), max_size=60))
def test_any_jumble_of_operators_is_understood(parts: list[str]) -> None:
    parse_search(" ".join(parts))
    parse_search("".join(parts))


def test_hostile_nesting_is_bounded() -> None:
    assert parse_search("(" * 100_000 + "a") is not None
    assert parse_search("(a OR " * 100_000) is not None
    assert parse_search("a " * 100_000) is not None
