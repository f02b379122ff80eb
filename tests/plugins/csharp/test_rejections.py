"""Why a member was not chosen is what overload resolution found, in words."""

from __future__ import annotations

import textwrap
from typing import Final

import pytest

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
from codemap_core.model import Explanation, Project, ProjectGraph
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


def explained(source: str, line: int, name: str, kind: str) -> Explanation:
    """What a name of a line is explained as."""
    front_end = CSharpFrontEnd()
    unit = front_end.analyse(source.encode(), AnalysisSettings()).unit
    table = front_end.declare(Universe(ProjectGraph(()), {KEY: unit}))
    column = source.splitlines()[line - 1].index(name) + 1
    (found,) = [each for each in front_end.explain(table, KEY, source, line, column) if each.kind == kind]
    return found


def test_a_member_that_cannot_be_seen_is_named_where_nothing_else_bears_the_name() -> None:
    """ECMA-334 §12.5.1: what is not accessible is not found, and that is why."""
    source = textwrap.dedent("""\
        class Box { private int size; private void Open() { } }
        class C {
            int Read(Box box) => box.size;
            void Call(Box box) => box.Open();
        }
        """)
    for line, name, kind, symbol_id in ((3, "size", "read", "F:Box.size"), (4, "Open", "call", "M:Box.Open")):
        found = explained(source, line, name, kind)
        assert found.target is None
        assert [(each.symbol_id, each.reason) for each in found.candidates] == [
            (symbol_id, "it is private and not accessible here (§7.5)")
        ]


def test_every_constructor_that_does_not_take_the_arguments_says_why() -> None:
    source = textwrap.dedent("""\
        class Box { public Box(string name) { } public Box(int size, int depth) { } }
        class C { Box Make() => new Box(1); }
        """)
    found = explained(source, 2, "Box(1)", "instantiate")
    assert (found.target, found.constructor) == ("T:Box", None)
    assert found.rule.endswith("; no constructor takes the arguments (§12.8.17.2)")
    assert {each.symbol_id: each.reason for each in found.candidates} == {
        "M:Box.#ctor(System.String)": "argument 1: cannot convert from System.Int32 to System.String",
        "M:Box.#ctor(System.Int32,System.Int32)": "it takes at least 2 arguments, 1 given",
    }


def test_a_lambda_whose_body_would_not_compile_is_why_its_overload_lost() -> None:
    """ECMA-334 §10.7.1: it does not convert to that delegate."""
    source = textwrap.dedent("""\
        using System;
        class A { public int Size; }
        class B { }
        class C {
            static void F(Func<A, object> f) { }
            static void F(Func<B, object> f) { }
            void Call() { F(x => x.Size); }
        }
        """)
    found = explained(source, 7, "F(x", "call")
    assert found.target == "M:C.F(System.Func{A,System.Object})"
    (said,) = [each.reason for each in found.candidates if not each.chosen]
    assert said.startswith("applicable, but the body of a lambda would not compile")


def test_extension_methods_say_why_they_lost_beside_the_methods_that_come_first() -> None:
    """ECMA-334 §12.8.10.3: extension methods are sought when no method of the type is applicable."""
    source = textwrap.dedent("""\
        class Box { public void Add(string text) { } }
        static class Boxes {
            public static void Add(this Box box, int number) { }
            public static void Add(this Box box, object thing) { }
        }
        class C { void Call(Box box) { box.Add(1); } }
        """)
    found = explained(source, 6, "Add(1", "call")
    assert found.target == "M:Boxes.Add(Box,System.Int32)"
    assert {each.symbol_id: each.reason for each in found.candidates if not each.chosen} == {
        "M:Box.Add(System.String)": "argument 1: cannot convert from System.Int32 to System.String",
        "M:Boxes.Add(Box,System.Object)": (
            "applicable, but argument 1 converts better to System.Int32 than to System.Object (§12.6.4.5)"
        ),
    }


def test_a_variable_is_explained_where_it_is_written_to_as_well() -> None:
    source = "class C { void Call(int n) { n = 1; } }\n"
    found = explained(source, 1, "n = 1", "local")
    assert found.type == "System.Int32"


_DESK: Final = """\
using System;
using Books;
class Desk : Missing {
    Desk(int size) : base(size) { }
    void Sort(int a) { }
    void Sort(string a) { }
    string Name => nameof(Sort);
    Hidden Keep;
    Books.Hidden Kept;
    void Send(Absent a) { "".Add(a); }
}
static class Ours { public static void Add(this string text, Action<int> a) { } }
static class Theirs { public static void Add(this string text, Action<string> a) { } }
"""


@pytest.mark.parametrize(
    ("name", "reason", "rule"),
    [
        ("base(", "a base type is not known", "the constructors are those of a base that was not found"),
        ("Sort);", "names a group of methods", "several methods bear this name"),
        ("Hidden Keep", "type not found", "T:Books.Hidden of Books.csproj is internal and not accessible here"),
        ("Hidden Kept", "type not found", "T:Books.Hidden of Books.csproj is internal and not accessible here"),
        ("Add(a)", "several overloads fit", "none of the candidates below was chosen"),
        ("Missing", "type not found", "no type of this name and arity"),
    ],
)
def test_what_is_not_bound_says_what_was_found(name: str, reason: str, rule: str) -> None:
    graph = ProjectGraph(
        (
            Project(project_path="Books.csproj", name="Books", assembly_name="Books", files=("Books.cs",)),
            Project(
                project_path="Desk.csproj",
                name="Desk",
                assembly_name="Desk",
                files=("Desk.cs",),
                project_references=("Books.csproj",),
            ),
        )
    )
    front_end = CSharpFrontEnd()
    key = UnitKey("Desk.csproj", "Desk.cs")
    texts = {UnitKey("Books.csproj", "Books.cs"): "namespace Books; class Hidden { }", key: _DESK}
    units = {each: front_end.analyse(text.encode(), AnalysisSettings()).unit for each, text in texts.items()}
    line = _DESK[: _DESK.index(name)].count("\n") + 1
    column = _DESK.splitlines()[line - 1].index(name) + 1
    (found,) = front_end.explain(front_end.declare(Universe(graph, units)), key, _DESK, line, column)
    assert found.target is None
    assert (found.reason, rule in found.rule) == (reason, True), found.rule
