"""Why a member was not chosen is what overload resolution found, in words."""

from __future__ import annotations

import textwrap
from typing import Final

import pytest

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
from codemap_core.model import ProjectGraph
from codemap_plugins.csharp.front_end import CSharpFrontEnd

KEY: Final = UnitKey("", "a.cs")


def lost(declared: str, call: str) -> list[str]:
    """The reasons for which the other ``F`` of a class was not chosen in a call."""
    source = textwrap.dedent(f"""\
        using System;
        class C<T> where T : class {{
            {declared}
            void Call(int n, C<int> other, Missing m) {{
                {call};
            }}
        }}
        static class Extensions {{ public static void F(this string text) {{ }} }}
        """)
    front_end = CSharpFrontEnd()
    unit = front_end.analyse(source.encode(), AnalysisSettings()).unit
    table = front_end.declare(Universe(ProjectGraph(()), {KEY: unit}))
    line = source[: source.index(call)].count("\n") + 1
    column = source.splitlines()[line - 1].index("F(" if "F(" in call else "F<") + 1
    (found,) = [each for each in front_end.explain(table, KEY, source, line, column) if each.kind == "call"]
    return [each.reason for each in found.candidates if not each.chosen]


@pytest.mark.parametrize(
    ("declared", "call", "reason"),
    [
        ("void F(int a) { } void F(string a) { }", "F(1)", "cannot convert from System.Int32 to System.String"),
        ("void F(int a) { } void F(ref int a) { }", "F(1)", "argument 1 must be passed with ref"),
        ("void F(int a) { } void F(int a, int b) { }", "F(1)", "it takes at least 2 arguments, 1 given"),
        ("void F(int a) { } void F(int b, int c = 0) { }", "F(a: 1)", "it has no parameter named a"),
        ("void F(Action a) { } void F(Action<int> a) { }", "F(() => { })", "has another number of parameters than"),
        ("void F(int a) { } void F<U>() { }", "F(1)", "it takes at most 0 arguments, 1 given"),
        ("void F(object a) { } void F<U>(int a) { }", "F(1)", "its type arguments cannot be inferred"),
        ("void F(object a) { } void F<U>(U a) where U : class { }", "F(1)", "does not satisfy its constraints"),
        (
            "void F<U>(int a) { } void F<U, V>(int a) { }",
            "F<int>(1)",
            "it has 2 type parameters, 1 type argument is given",
        ),
        ("void F(int a) { } void F(params string[] a) { }", "F(1)", "System.String (in expanded form)"),
    ],
)
def test_a_rejection_says_what_kept_the_member_out(declared: str, call: str, reason: str) -> None:
    (said,) = lost(declared, call)
    assert reason in said


def test_a_member_of_a_type_made_from_the_method_around_it_is_explained_as_it_is_bound() -> None:
    """Type parameters of the method called and of the method around the call share their numbers and are kept apart."""
    source = textwrap.dedent("""\
        class Box<T> {
            public void F<U>(T a, U b) { }
            public void F<U>(U a, int b, int c) { }
            static void Around<V>(Box<V> box, V value) { box.F(value, 1); }
        }
        """)
    front_end = CSharpFrontEnd()
    unit = front_end.analyse(source.encode(), AnalysisSettings()).unit
    table = front_end.declare(Universe(ProjectGraph(()), {KEY: unit}))
    (found,) = [
        each
        for each in front_end.explain(table, KEY, source, 4, source.splitlines()[3].index("F(") + 1)
        if each.kind == "call"
    ]
    assert found.target == "M:Box`1.F``1(`0,``0)"
    assert [each.reason for each in found.candidates if not each.chosen] == ["it takes at least 3 arguments, 2 given"]
