"""The wrapper around tree-sitter: names to integers, errors counted, incremental parses equal to whole ones."""

from __future__ import annotations

import pytest
import tree_sitter_c_sharp
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.syntax import Grammar, count_errors

GRAMMAR = Grammar(tree_sitter_c_sharp.language(), "test")


def test_kinds_tokens_and_fields_have_numbers() -> None:
    root = GRAMMAR.parse(b"class C { }\n").root_node
    declaration = root.children[0]
    assert declaration.kind_id == GRAMMAR.kind("class_declaration")
    assert declaration.children[0].kind_id == GRAMMAR.token("class")
    name = declaration.child_by_field_id(GRAMMAR.field("name"))
    assert name is not None
    assert name.kind_id == GRAMMAR.kind("identifier")


@pytest.mark.parametrize("lookup", [GRAMMAR.kind, GRAMMAR.token, GRAMMAR.field])
def test_an_unknown_name_is_refused(lookup: object) -> None:
    assert callable(lookup)
    with pytest.raises(LookupError, match="frobnicate"):
        lookup("frobnicate")


def test_the_fingerprint_names_grammar_and_version() -> None:
    assert GRAMMAR.fingerprint.startswith("c_sharp/test/")


@pytest.mark.parametrize(
    ("source", "errors"),
    [(b"", 0), (b"class C { }\n", 0), (b"class C { int x = ; }\n", 1), (b"class C {\n", 1), (b"class } ) (\n", 1)],
)
def test_errors_are_counted(source: bytes, errors: int) -> None:
    counted = count_errors(GRAMMAR.parse(source))
    assert counted >= errors if errors else counted == 0


def test_counting_stops_at_the_limit() -> None:
    tree = GRAMMAR.parse(b"class C { " + b"int x = ; " * 50 + b"}\n")
    assert count_errors(tree) > 3
    assert count_errors(tree, limit=3) == 3


@given(st.lists(st.tuples(st.integers(0, 70), st.sampled_from([b"a", b"(", b" ", b";", b"="])), max_size=5))
def test_reparsing_equals_parsing(edits: list[tuple[int, bytes]]) -> None:
    source = b"class C {\n  void M() { a.b(c => d);\n }\n  int x = y + z;\n}\n" + b" " * 30
    edited = bytearray(source)
    for start, text in edits:
        if edited[start : start + 1] != b"\n":
            edited[start : start + 1] = text
    tree = GRAMMAR.parse(source)
    again = GRAMMAR.reparse(bytes(edited), tree, [(start, start + 1) for start, _ in edits])
    assert again.root_node.end_byte == len(source)
    assert tree.root_node.has_error is False
    if not GRAMMAR.parse(bytes(edited)).root_node.has_error:
        assert str(again.root_node) == str(GRAMMAR.parse(bytes(edited)).root_node)
