"""Broken components and views: what is made of them stands where the page has it, and nothing raises."""

from __future__ import annotations

import random
import re
import time
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.model import RefKind
from codemap_core.testing.source_index import index_sources
from codemap_core.testing.specs import read_specs
from codemap_plugins.csharp.page_names import RAZOR
from codemap_plugins.csharp.razor.compilation import parse_page
from codemap_plugins.csharp.source_text import GeneratedLines

SPECS: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp"
_PROJECT: Final = '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>'
_TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")
_FRAGMENTS: Final = (
    *("@", "@{", "}", "@(", ")", "@code {", "@functions{", "<p>", "</p>", "<Item ", "/>", ">", "</Item>", "<!--", "-->", "@*", "*@", "@@"),
    *("@if (a) {", "else {", "@foreach (var x in xs)", "@switch (a) {", "case 1:", "@section S {", "<script>", "</script>", "<text>", "@:"),
    *("@model A\n", "@using A.B\n", "@inherits A<TModel>\n", "@inject A b\n", "@typeparam T\n", "@attribute [A]\n", "@namespace N\n", "\n"),
    *('A="b"', "@onclick=", '"', "'", "@bind-A=", "x.Y(1)", "a?.B[0]!", "x => @<b>x</b>", '$"{a}"', 'R"""', "// c\n", "/* c"),
    *("ä", "\u2028"),
)  # fmt: skip
_NAMELESS: Final = (RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.OPERATOR)
_MOST: Final = 3.5
"""Twice the text may take this many times as long."""


@cache
def host() -> PluginHost:
    return load_plugins()


@given(
    st.lists(st.sampled_from(_FRAGMENTS), max_size=30),
    st.sampled_from(["Item.razor", "View.cshtml", "_ViewImports.cshtml"]),
)
def test_every_piece_stands_in_the_page(fragments: list[str], path: str) -> None:
    page = "".join(fragments).encode()
    parsed = parse_page(page, AnalysisSettings(dialect=RAZOR, file_path=path)).parsed
    assert isinstance(parsed.line_index, GeneratedLines)
    pieces = parsed.line_index.pieces
    ends = 0
    for start, length, origin in zip(pieces.starts, pieces.lengths, pieces.origins, strict=True):
        assert start >= ends
        ends = start + length
        assert parsed.source[start:ends] == page[origin : origin + length]


@cache
def pages() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Paths and tokens of the pages of the specifications."""
    return tuple(
        (path, tuple(_TOKEN.findall(text)))
        for suite in sorted(SPECS.rglob("razor_*.md"))
        for spec in read_specs(suite.read_text(encoding="utf-8"))
        for path, text in spec.files.items()
        if path.endswith((".razor", ".cshtml"))
    )


def mutated(choose: random.Random) -> tuple[str, str]:
    path, found = choose.choice(pages())
    tokens = list(found)
    for _ in range(choose.randint(1, 4)):
        at = choose.randrange(len(tokens))
        if choose.random() < 0.5:
            tokens[at] = choose.choice(_FRAGMENTS)
        else:
            del tokens[at : at + choose.randint(1, 4)]
            tokens = tokens or [" "]
    return path.rpartition("/")[2], "".join(tokens)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_pages(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(20):
        path, text = mutated(choose)
        index = index_sources({"Web.csproj": _PROJECT, path: text}, host())  # asserts that no extractor raised
        lines = re.split("\r\n|[\r\n\x85\u2028\u2029]", text)
        for row in index.symbols:
            assert 1 <= row.span_start <= row.span_end <= len(lines), (text, row)
            assert 1 <= row.name_line <= len(lines), (text, row)
        for reference in index.references:
            written = lines[reference.line - 1][reference.column - 1 :]
            name = reference.to_name if reference.to_symbol is None and reference.kind not in _NAMELESS else None
            assert not name or written.startswith((name, "@", "[")), (text, reference)


@pytest.mark.parametrize(
    "shape",
    [
        "<Item>",
        "<Item A='@b'>@context.C",
        "@a.B(1) ",
        "@model A ",
        "@if (a) { <p>@b</p> } ",
        "<p a='@b",
        "@{ x = @<b>; ",
        "@(",
    ],
)
def test_reading_takes_time_in_proportion_to_the_page(shape: str) -> None:
    def seconds(count: int) -> float:
        page = (shape * count).encode()
        best = 60.0
        for _ in range(3):
            started = time.process_time()
            parse_page(page, AnalysisSettings(dialect=RAZOR, file_path="Item.razor"))
            best = min(best, time.process_time() - started)
        return best

    count = 400
    while (once := seconds(count)) < 0.05:
        count *= 2
    assert seconds(2 * count) < _MOST * once
