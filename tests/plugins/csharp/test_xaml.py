"""Broken XAML: what is made of a page stands where the page has it, and nothing raises."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.testing import index_sources
from codemap_plugins.csharp.xaml.compilation import parse_page
from tests.plugins.csharp.broken_pages import (
    assert_linear,
    assert_mutated_pages_stand,
    assert_pieces_stand,
    pages_of,
)

SUITE: Final = Path(__file__).parents[3] / "testdata" / "mdtest" / "csharp" / "references" / "xaml.md"
_PROJECT: Final = '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup></Project>'
_FRAGMENTS: Final = (
    *("<Page ", "<Grid>", "</Grid>", "<s:Cart ", "/>", ">", "</", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>", "<", "\n", "ä", "\u2028"),
    *('x:Class="A.B"', 'xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml"', 'xmlns:s="using:Shop"', 'xmlns="https://github.com/avaloniaui"'),
    *('x:Name="a"', 'Name="b', 'x:DataType="s:Cart"', 'DataContext="{Binding A}"', 'Click="On"', 's:Cart.A="1"', "s:Cart.A=", '"', "'"),
    *('A="{Binding B[0].C, Mode=TwoWay}"', 'A="{x:Bind F(A, B)}"', 'A="{x:Static s:A.B}"', 'A="{Binding (s:A.B), ElementName=a}"', 'A="{'),
    *('ItemsSource="{Binding A}"', "<DataTemplate>", "</DataTemplate>", "<Style TargetType='s:Cart'>", '<Setter Property="A" Value="B"/>'),
    *("<Cart.DataContext>", "<Binding Path='A'/>", "{}", "}", "#a.B", "$parent[s:Cart].A", "{Binding A, Source={x:Reference a}}"),
)  # fmt: skip


@cache
def host() -> PluginHost:
    return load_plugins()


@given(st.lists(st.sampled_from(_FRAGMENTS), max_size=30))
def test_every_piece_stands_in_the_page(fragments: list[str]) -> None:
    page = " ".join(fragments).encode()
    assert_pieces_stand(page, parse_page(page).parsed)


@given(st.binary(max_size=60))
def test_any_bytes_are_read(page: bytes) -> None:
    parse_page(b'<Page x:Class="A" ' + page)


def test_keywords_of_csharp_are_texts_like_others() -> None:
    page = """<Page x:Class="Shop.Cart" xmlns:x="http://schemas.microsoft.com/winfx/2006/xaml" xmlns:s="using:Shop">
  <Style TargetType="s:Line"><Setter Property="Tag" Value="checked" /><Setter Property="Total" Value="Full" /></Style>
  <s:Line x:Name="event" class="title" Tag="new" Total="default" Sold="this" Left="{Binding class.Total}" />
  <s:Line x:Name="Last" Total="Full" />
</Page>"""
    code = """namespace Shop;
public enum Amount { Full }
public class Line { public object Tag { get; set; } = ""; public Amount Total { get; set; } }
public partial class Cart { Line It() => Last; }
"""
    found = index_sources({"Shop.csproj": _PROJECT, "Line.cs": code, "Cart.xaml": page}, host())
    assert parse_page(page.encode()).parsed.problems == ()
    named = {(each.line, each.to_name) for each in found.references if each.file_path == "Cart.xaml" and each.to_symbol}
    assert {(2, "Total"), (2, "Full"), (3, "Tag"), (3, "Total"), (4, "Total"), (4, "Full")} <= named
    assert "F:Shop.Cart.Last" in {each.symbol_id for each in found.symbols}


@pytest.mark.parametrize("seed", range(6))
def test_mutated_pages(seed: int) -> None:
    pages = pages_of(SUITE.read_text(encoding="utf-8"), ("xaml",))
    assert_mutated_pages_stand(
        seed, pages, _FRAGMENTS, lambda path, text: {"Shop/Shop.csproj": _PROJECT, path: text}, host()
    )


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
    assert_linear(parse_page, head, shape)
