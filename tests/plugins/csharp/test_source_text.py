"""Byte offsets to lines and columns."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_plugins.csharp.source_text import LineIndex, PackedLines


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("\n", 1),
        ("a", 1),
        ("a\n", 1),
        ("a\nb", 2),
        ("a\r\nb\r\n", 2),
        ("a\rb", 2),
        ("\n\n", 2),
        ("é", 1),
        ("é\n", 1),
    ],
)
def test_line_counts(text: str, count: int) -> None:
    assert LineIndex.of(text.encode()).line_count == count


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u0085", "\u2028", "\u2029"])
def test_every_line_end_of_the_language(end: str) -> None:
    source = f"é{end}{end}xü y".encode()
    index = LineIndex.of(source)
    assert index.position(source.index(b"x")) == (3, 1)
    assert index.position(source.index(b"y")) == (3, 4)


@given(st.text(st.sampled_from("ab é€😀\n\r\u2028")))
def test_positions_are_those_of_utf16(text: str) -> None:
    source = text.encode()
    index = LineIndex.of(source)
    line, column, offset = 1, 1, 0
    for at, character in enumerate(text):
        if character.isascii() and (at == 0 or text[at - 1] != "\r" or character != "\n"):
            assert index.position(offset) == (line, column)
        offset += len(character.encode())
        if character in "\n\u2028" or (character == "\r" and text[at + 1 : at + 2] != "\n"):
            line, column = line + 1, 1
        else:
            column += len(character.encode("utf-16-le")) // 2


@given(
    st.lists(st.one_of(st.text(st.sampled_from("ab é😀")), st.sampled_from([254, 255, 509, 510, 511]).map("a".__mul__)))
)
def test_an_index_is_the_same_after_packing_and_encoding(lines: list[str]) -> None:
    index = LineIndex.of("\r\n".join(lines).encode())
    stored = msgspec.msgpack.encode(index.packed())
    assert msgspec.msgpack.decode(stored, type=PackedLines).index() == index
