"""Broken XAML: what is made of a page stands where the page has it, and nothing raises."""

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

from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.testing.source_index import index_sources
from codemap_core.testing.specs import read_specs
from codemap_plugins.csharp.source_text import GeneratedLines
from codemap_plugins.csharp.xaml.compilation import parse_page

SUITE: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp" / "references" / "xaml.md"
_PROJECT: Final = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>'
_TOKEN: Final = re.compile(r"\w+|\s+|[^\w\s]")
_FRAGMENTS: Final = (
    *("<Page ", "<Grid>", "</Grid>", "<s:Cart ", "/>", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<", "\n", "ä", "\u2028"),
    *('x:Class="A.B"', 'xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml"', 'xmlns:s="using:Shop"', 'xmlns="https://github.com/avaloniaui"'),
    *('x:Name="a"', 'Name="b', 'x:DataType="s:Cart"', 'DataContext="{Binding A}"', 'Click="On"', 's:Cart.A="1"', "s:Cart.A=", '"', "'"),
    *('A="{Binding B[0].C, Mode=TwoWay}"', 'A="{x:Bind F(A, B)}"', 'A="{x:Static s:A.B}"', 'A="{Binding (s:A.B), ElementName=a}"', 'A="{'),
    *('ItemsSource="{Binding A}"', "<DataTemplate>", "</DataTemplate>", "<Style TargetType='s:Cart'>", '<Setter Property="A" Value="B"/>'),
    *("<Cart.DataContext>", "<Binding Path='A'/>", "{}", "}", "#a.B", "$parent[s:Cart].A", "{Binding A, Source={x:Reference a}}"),
)  # fmt: skip
_MOST: Final = 3.5
"""Twice the text may take this many times as long."""


@cache
def host() -> PluginHost:
    return load_plugins()


@given(st.lists(st.sampled_from(_FRAGMENTS), max_size=30))
def test_every_piece_stands_in_the_page(fragments: list[str]) -> None:
    page = " ".join(fragments).encode()
    parsed = parse_page(page).parsed
    assert isinstance(parsed.line_index, GeneratedLines)
    pieces = parsed.line_index.pieces
    ends = 0
    for start, length, origin in zip(pieces.starts, pieces.lengths, pieces.origins, strict=True):
        assert start >= ends
        ends = start + length
        assert parsed.source[start:ends] == page[origin : origin + length]


@given(st.binary(max_size=60))
def test_any_bytes_are_read(page: bytes) -> None:
    parse_page(b'<Page x:Class="A" ' + page)


@cache
def pages() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Paths and tokens of the pages of the specifications."""
    return tuple(
        (path, tuple(_TOKEN.findall(text)))
        for spec in read_specs(SUITE.read_text(encoding="utf-8"))
        for path, text in spec.files.items()
        if path.endswith(("xaml",))
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
    return path, "".join(tokens)


@pytest.mark.parametrize("seed", range(6))
def test_mutated_pages(seed: int) -> None:
    choose = random.Random(seed)
    for _ in range(20):
        path, text = mutated(choose)
        index = index_sources({"Shop/Shop.csproj": _PROJECT, path: text}, host())  # asserts that no extractor raised
        lines = re.split("\r\n|[\r\n\x85\u2028\u2029]", text)
        for row in index.symbols:
            assert 1 <= row.span_start <= row.span_end <= len(lines), (text, row)
            assert 1 <= row.name_line <= len(lines), (text, row)
        for reference in index.references:
            written = lines[reference.line - 1][reference.column - 1 :]
            name = reference.to_name if reference.to_symbol is None else None
            assert not name or written.startswith((name, "[")), (text, reference)


@pytest.mark.parametrize(
    "shape",
    [
        "<s:Cart>",
        "<s:Cart A='{Binding B}'>",
        "<DataTemplate x:DataType='s:Cart'>",
        "</Page",
        "<Grid a='",
        "<!-- ",
        '<Grid ItemsSource="{Binding A}"><DataTemplate>',
        'A="{Binding A, Source={Binding ',
    ],
)
def test_reading_takes_time_in_proportion_to_the_page(shape: str) -> None:
    head = "<Page x:Class='A' xmlns:s='using:S' xmlns:x='http://schemas.microsoft.com/winfx/2006/xaml'>"

    def seconds(count: int) -> float:
        page = (head + shape * count).encode()
        best = 60.0
        for _ in range(3):
            started = time.process_time()
            parse_page(page)
            best = min(best, time.process_time() - started)
        return best

    count = 400
    while (once := seconds(count)) < 0.05:
        count *= 2
    assert seconds(2 * count) < _MOST * once
