"""What the surface of a file says, where other files would be bound again if it said more."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.hooks.contracts import AnalysisSettings
from codemap_plugins.csharp.analysis import analyse
from codemap_plugins.csharp.names_in_text import names_in

_SHOP = """namespace Sales;
public class Shop
{
    private readonly string _name;
    public string Title { get; }
    public Shop(string name) { _name = name; Title = _name; }
}
"""


def test_only_its_own_type_is_told_what_a_private_member_is_worth() -> None:
    surface = analyse(_SHOP.encode(), AnalysisSettings()).surface
    assert surface is not None
    valued = {(each.container, each.name) for each in surface.declared if "_name" in each.values}
    assert ("Shop:inside", "_name") in valued
    assert ("Shop", "Title") not in valued  # by way of the statements that give it
    assert ("Shop", "_name") not in valued


@given(
    st.lists(
        st.sampled_from(
            [
                "Name",
                "na\u00efve",
                "\u540d\u524d",
                "_x",
                "@class",
                "1",
                "0x1F",
                "2nd",
                ".",
                " ",
                "\u00a0",
                "\u201c",
                "\n",
                "\ud800",
            ]
        )
    )
)
def test_names_of_a_text_are_its_words(words: list[str]) -> None:
    """No word is left out; what stands behind a digit is part of a number, and may be taken for a name."""
    text = "".join(words)
    found = names_in(text.encode("utf-8", "surrogatepass"))
    assert found >= set(re.findall(r"(?<!\w)[^\W\d]\w*", text))
    assert found <= set(re.findall(r"[^\W\d]\w*", text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        pytest.param("var a1 = 0x1F + b_2;", {"var", "a1", "b_2"}, id="numbers are none"),
        pytest.param(
            "x == 1\u00a0or\u3000Gr\u00f6\u00dfe", {"x", "or", "Gr\u00f6\u00dfe"}, id="white space beyond ASCII"
        ),
        pytest.param(r"\u0041bc", {"Abc", "u0041bc"}, id="an escape, and what a reader sees"),
        pytest.param("\r\n", set(), id="nothing"),
    ],
)
def test_names_of_a_text(text: str, names: set[str]) -> None:
    assert names_in(text.encode()) == names
