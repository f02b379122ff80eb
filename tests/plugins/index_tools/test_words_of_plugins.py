"""Kinds of symbols and roles of links that a plug-in made up are words that questions may be asked with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks import hookimpl
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import ReferenceRow, RefKind, ResolutionState, SymbolKind, SymbolRow, plain_symbol
from codemap_core.testing import call_tool, load_plugin

FILES = {
    "Post.cs": "class Letter { } class Post { void Send(Letter letter) { } void Go() => Send(new Letter()); }",
    "a.boxes": "North\n",
}


class Boxes:
    name = "boxes"
    language = ""
    interests = Interests(files=("*.boxes",))

    def extract(self, seen: Seen) -> Iterator[SymbolRow]:
        yield plain_symbol(
            "T:North", SymbolKind("letter_box"), "North", signature="box North", file_path=seen.file_path, line_start=1
        )


class Sendings:
    name = "sendings"
    language = "csharp"
    interests = Interests(invocations=("Send",))
    roles = ("posts",)

    def extract(self, seen: Seen) -> Iterator[ReferenceRow]:
        for event in seen.events.values():
            yield ReferenceRow(
                kind=RefKind.LINK,
                role="posts",
                from_symbol=event.enclosing,
                to_symbol="T:Letter",
                to_name="Letter",
                file_path=seen.file_path,
                line=event.line,
                line_end=event.line,
                column=event.column,
                resolution_state=ResolutionState.RESOLVED,
            )


class Plugin:
    @hookimpl
    def codemap_register_symbol_extractors(self, registry: Any) -> None:
        registry.add(Boxes())

    @hookimpl
    def codemap_register_reference_extractors(self, registry: Any) -> None:
        registry.add(Sendings())


HOST = load_plugin(Plugin())


def test_symbols_are_asked_for_by_a_kind_that_the_index_has() -> None:
    answer = call_tool(HOST, "symbols.search", FILES, kinds=["Letter_Box"])
    assert [hit.symbol_id for hit in answer.data.hits] == ["T:North"]
    with pytest.raises(InvalidArgumentError, match="There is no kind 'letter_boxes'"):
        call_tool(HOST, "symbols.search", FILES, kinds=["letter_boxes"])
    with pytest.raises(InvalidArgumentError, match=r"There is no kind 'no kind!'"):
        call_tool(HOST, "symbols.search", FILES, kinds=["no kind!"])


def test_a_role_in_the_place_of_a_kind_is_told_its_kind() -> None:
    with pytest.raises(InvalidArgumentError, match=r"'posts' is a role of links\. Their kind is 'link'\."):
        call_tool(HOST, "refs.find", FILES, symbol="Letter", kinds=["posts"])
    with pytest.raises(InvalidArgumentError, match="There is no kind of reference 'post'"):
        call_tool(HOST, "refs.find", FILES, symbol="Letter", kinds=["post"])
    assert call_tool(HOST, "refs.find", FILES, symbol="Letter", kinds=["link"]).data.total_count == 1
