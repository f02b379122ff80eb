"""Which statements of a constructor decide the value of a member, by small examples."""

from __future__ import annotations

import pytest

from codemap_plugins.csharp.constructor_slices import slices
from codemap_plugins.csharp.names_in_text import names_in


@pytest.mark.parametrize(
    ("body", "deciding"),
    [
        pytest.param('_ = 5; Name = "a";', ['Name = "a";'], id="a statement about something else"),
        pytest.param(
            'Log("b; Name"); c = 1;', ['Log("b; Name");'], id="a string may say the name, and ends no statement"
        ),
        pytest.param('var a = "x"; Name = a;', ['var a = "x";', "Name = a;"], id="a local that it is given"),
        pytest.param(
            'var a = b; b = "y"; Name = a; c = 1;', ["var a = b;", 'b = "y";', "Name = a;"], id="step by step"
        ),
        pytest.param('Set(ref Name); Other = ";";', ["Set(ref Name);"], id="handed over by reference"),
        pytest.param('if (c) { Name = "a"; } d = 1;', ['if (c) { Name = "a"; } d = 1;'], id="a block and what follows"),
        pytest.param(
            "for (var i = 0; i < 2; i++) Name = 1; d = 1;", ["for (var i = 0; i < 2; i++) Name = 1;"], id="for"
        ),
        pytest.param("/* ; */ Name = ';'; d = 1; // }\n", ["/* ; */ Name = ';';"], id="comments and characters"),
        pytest.param("d = 1; // see #1 @a $b\n Name = 1;", ["// see #1 @a $b\n Name = 1;"], id="signs in comments"),
    ],
)
def test_statements_that_decide(body: str, deciding: list[str]) -> None:
    (found,) = slices(f"public Shop(int number) {{ {body} }}", {"Name"}, names_in)
    assert found.members == ("Name",)
    assert found.text == "".join(f" {each}" for each in deciding)


@pytest.mark.parametrize(
    "text",
    [
        'Shop() { a = @"\\"; Name = 1; }',
        'Shop() { a = $"{b;}"; Name = 1; }',
        'Shop() { a = """ " ; """; Name = 1; }',
        "Shop() {\n#if X\n a = 1; {\n#endif\n Name = 1; }",
        "Shop() { a = (1; Name = 1; }",
        "Shop() { } } { Name = 1; }",
    ],
)
def test_what_cannot_be_told_apart_stays_whole(text: str) -> None:
    (found,) = slices(text, {"Name"}, names_in)
    assert found.text == text


def test_parameters_count_where_they_are_named() -> None:
    text = 'Shop(string name = "a") : base(1) { Name = name; Size = 2; Width = 2 + Size; }'
    found = {each.members: each.text for each in slices(text, {"Name", "Size", "Width"}, names_in)}
    assert found == {
        ("Name",): 'Shop(string name = "a") : base(1) { Name = name;',
        ("Size", "Width"): " Size = 2; Width = 2 + Size;",
    }
