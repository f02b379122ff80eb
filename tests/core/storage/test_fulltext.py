"""How names are split into words, and that every query is valid FTS5."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.storage.schema.fulltext import (
    SYMBOLS_FTS,
    AllOf,
    AnyOf,
    Except,
    MatchQuery,
    Phrase,
    Word,
    name_tokens,
    name_words,
    render,
    words_of_lines,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Order", "order"),
        ("OrderService", "order service"),
        ("orderService", "order service"),
        ("HTMLParser2", "html parser 2"),
        ("IGitService", "i git service"),
        ("OAuth2Client", "o auth 2 client"),
        ("_logger", "logger"),
        ("snake_case_name", "snake case name"),
        ("MAX_SIZE", "max size"),
        ("this[]", "this"),
        ("operator +", "operator"),
        ("ÄpfelKorb", "äpfel korb"),
        ("parseÖl2", "parse öl 2"),
        ("中文Name", "中文 name"),
        ("_", ""),
        ("", ""),
    ],
)
def test_words_of_a_name(name: str, words: str) -> None:
    assert name_words(name) == words.split()


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=30))
def test_both_rules_agree_on_ascii(name: str) -> None:
    assert name_words(f"{name} 中") == [*name_words(name), "中"]


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n", exclude_categories=["Cs"]), max_size=30)))
def test_words_of_many_names_are_those_of_each(names: list[str]) -> None:
    assert words_of_lines("\n".join(names)) == {word for name in names for word in name_words(name)}
    of_ascii = [name for name in names if name.isascii()]
    assert words_of_lines("\n".join(of_ascii)) == {word for name in of_ascii for word in name_words(name)}


@given(st.text(max_size=40))
def test_words_are_lower_case_parts_of_the_name(name: str) -> None:
    lowered = name.lower()
    for word in name_words(name):
        assert word
        assert word in lowered or not name.isascii()
    assert "".join(name_words(name)) == "".join(char for char in lowered if char.isalnum()) or not name.isascii()


@given(st.from_regex(r"([A-Z][a-z]{1,5}){1,4}", fullmatch=True))
def test_pascal_case_splits_at_capitals(name: str) -> None:
    assert len(name_words(name)) == sum(char.isupper() for char in name)
    assert name_tokens(name).split()[0] == name.lower()


words = st.builds(Word, st.from_regex(r"\w{1,12}", fullmatch=True), st.booleans())
queries: st.SearchStrategy[MatchQuery] = st.recursive(
    words | st.builds(Phrase, st.lists(st.from_regex(r"\w{1,8}", fullmatch=True), min_size=1, max_size=3).map(tuple)),
    lambda inner: (
        st.builds(AllOf, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(AnyOf, st.lists(inner, min_size=2, max_size=3).map(tuple))
        | st.builds(Except, inner, inner)
    ),
    max_leaves=8,
)


@given(queries)
def test_every_query_is_valid(query: MatchQuery) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(SYMBOLS_FTS)
        connection.execute("SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?", (render(query),)).fetchall()
