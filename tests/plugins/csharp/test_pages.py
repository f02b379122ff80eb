"""Broken components and views: what is made of them stands where the page has it, and nothing raises."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.testing.source_index import index_sources
from codemap_plugins.csharp.page_names import RAZOR
from codemap_plugins.csharp.razor.compilation import parse_page
from tests.plugins.csharp.broken_pages import (
    assert_linear,
    assert_mutated_pages_stand,
    assert_pieces_stand,
    pages_of,
)

SPECS: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp"
_PROJECT: Final = '<Project Sdk="Microsoft.NET.Sdk.Web"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>'
_FRAGMENTS: Final = (
    *("@", "@{", "}", "@(", ")", "@code {", "@functions{", "<p>", "</p>", "<Item ", "/>", ">", "</Item>", "<!--", "-->", "@*", "*@", "@@"),
    *("@if (a) {", "else {", "@foreach (var x in xs)", "@switch (a) {", "case 1:", "@section S {", "<script>", "</script>", "<text>", "@:"),
    *("@model A\n", "@using A.B\n", "@inherits A<TModel>\n", "@inject A b\n", "@typeparam T\n", "@attribute [A]\n", "@namespace N\n", "\n"),
    *('A="b"', "@onclick=", '"', "'", "@bind-A=", "x.Y(1)", "a?.B[0]!", "x => @<b>x</b>", '$"{a}"', 'R"""', "// c\n", "/* c"),
    *("ä", "\u2028"),
)  # fmt: skip


@cache
def host() -> PluginHost:
    return load_plugins()


@given(
    st.lists(st.sampled_from(_FRAGMENTS), max_size=30),
    st.sampled_from(["Item.razor", "View.cshtml", "_ViewImports.cshtml"]),
)
def test_every_piece_stands_in_the_page(fragments: list[str], path: str) -> None:
    page = "".join(fragments).encode()
    assert_pieces_stand(page, parse_page(page, AnalysisSettings(dialect=RAZOR, file_path=path)).parsed)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_pages(seed: int) -> None:
    texts = [suite.read_text(encoding="utf-8") for suite in sorted(SPECS.rglob("razor_*.md"))]
    pages = [page for text in texts for page in pages_of(text, (".razor", ".cshtml"))]
    assert_mutated_pages_stand(
        seed, pages, _FRAGMENTS, lambda path, text: {"Web.csproj": _PROJECT, path.rpartition("/")[2]: text}, host()
    )


def test_a_broken_page_declares_no_program() -> None:
    page = "@namespace Shop\n@attribute [Obsolete'nameof(Total))]\n<p>@Total</p>\n@code { int Shown => 1; }\n"
    index = index_sources({"Web.csproj": _PROJECT, "Cart.razor": page}, host())
    assert not [each.symbol_id for each in index.symbols if each.symbol_id.startswith("T:Program")]


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
    settings = AnalysisSettings(dialect=RAZOR, file_path="Item.razor")
    assert_linear(lambda page: parse_page(page, settings), "", shape)
