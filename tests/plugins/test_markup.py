"""What is read from the markup of hostile views: in time that grows with the text, and without an end of what is read beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.manager import load_plugins
from codemap_core.model.bound import BoundDocument
from codemap_core.testing.source_index import index_sources
from codemap_plugins.route.component_paths import href_notes
from codemap_plugins.route.markup import Markup
from codemap_plugins.route.showing import markup_notes
from codemap_plugins.route.tag_helpers import tag_helper_notes
from codemap_plugins.route.written_addresses import written_notes
from tests.growth import growth

_MOST: Final = 9
"""Four times the text may take this many times as long: less than the 16 of what compares every place with every other."""
_READERS: Final[dict[str, Callable[[Seen, Markup], object]]] = {
    "attributes of tag helpers": lambda seen, markup: list(tag_helper_notes(seen, markup)),
    "what is shown": lambda seen, markup: list(markup_notes(seen, markup)),
    "addresses": lambda seen, markup: list(href_notes(seen, markup)),
    "addresses that are written out": lambda seen, markup: list(written_notes(seen, markup)),
}


@pytest.mark.parametrize("reader", _READERS)
@pytest.mark.parametrize(
    "shape",
    [
        "<a ",
        "<a asp-action='b' asp-controller='c'>\n",
        '<a asp-action="',
        "<A href='b'>",
        '<a href="',
        "<a href='/b'>",
        "<form action='/@(b'>\n",
        '<a href="/',
        " href   ",
        "@* ",
        "<!-- ",
        '<partial name="a" />\n',
        "<partial name='",
        'Layout = "',
        "<vc:a ",
    ],
)
def test_reading_takes_time_in_proportion_to_the_markup(reader: str, shape: str) -> None:
    def read(count: int) -> object:
        seen = Seen(file_path="View.cshtml", document=BoundDocument(), line_count=1)
        return _READERS[reader](seen, Markup(shape * count))

    assert growth(read, 2000, times=4, enough=0.03) < _MOST


def test_a_route_of_thousands_of_segments_costs_nothing_else() -> None:
    files = {
        "Web.csproj": '<Project Sdk="Microsoft.NET.Sdk.Web" />',
        "Deep.razor": f'@page "{"/{a}" * 5000}"\n<a href="counter">Counter</a>\n<a href="{"/a" * 900}">Deep</a>\n',
        "Counter.razor": '@page "/counter"\n',
    }
    index = index_sources(files, load_plugins())
    assert [each.to_symbol for each in index.references if each.role] == ["T:Web.Counter"]
    assert len([each for each in index.facts if each.kind == "route"]) == 2
