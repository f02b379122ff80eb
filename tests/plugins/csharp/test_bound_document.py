# ruff: noqa: E501 -- an expected line is one line
"""Bound documents: events in source order, their regions, values and origins, and declarations with their attributes."""

from __future__ import annotations

import gc
import textwrap
from collections.abc import Mapping
from typing import Final

import pytest
from msgspec.structs import replace

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
from codemap_core.hooks.interests import ANY, Interests, union
from codemap_core.hooks.matching import Distribution, Wanted
from codemap_core.model import ProjectGraph
from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, Event, TypeForm
from codemap_core.testing.bound_text import bound_text, type_text, value_text
from codemap_plugins.csharp.binding.stage import CSharpBinding
from codemap_plugins.csharp.front_end import CSharpFrontEnd
from codemap_plugins.csharp.page_names import RAZOR

BODIES: Final = Interests(
    invocations=ANY, creations=ANY, element_accesses=ANY, assignments=ANY, throws=True, catches=True
)


def bind(interests: Interests, source: str, *others: str) -> BoundDocument:
    """The first of several files, bound."""
    return bind_at("0.cs", interests, {f"{number}.cs": text for number, text in enumerate((source, *others))})


def bind_at(path: str, interests: Interests, texts: Mapping[str, str]) -> BoundDocument:
    front_end = CSharpFrontEnd()
    units = {}
    for each, text in texts.items():
        settings = AnalysisSettings(dialect="" if each.endswith(".cs") else RAZOR, file_path=each)
        analysed = front_end.analyse(textwrap.dedent(text).encode(), settings)
        units[UnitKey("", each)] = analysed.unit
    table = front_end.declare(Universe(ProjectGraph(()), units))
    return table.binding.bind(UnitKey("", path), interests)


def found_events(document: BoundDocument, interests: Interests) -> list[Event]:
    return list(Distribution({0: Wanted(interests)}).of(document).events.get(0, {}).values())


def check(interests: Interests, expected: str, *sources: str) -> None:
    assert bound_text(bind(interests, *sources)) == textwrap.dedent(expected).lstrip("\n")


DECLARATIONS: Final = Interests(attributes=ANY, declarations=("field", "constant", "property", "method"))


def test_an_invocation_names_its_receiver_and_matches_arguments_to_parameters() -> None:
    check(
        BODIES,
        r"""
        #0 4:9 invocation Make of M:C.Make(System.Int32,System.String,System.Int32[]) (a=1, b="x", rest=2, rest=3) : C
        #1 4:28 invocation Run<Int32> of M:C.Run``1(``0) on #0 (value=4) : Void
        #2 5:9 invocation Make of M:C.Make(System.Int32,System.String,System.Int32[]) (b="y", a=1) : C
        #3 5:28 invocation Run<Int64> of M:C.Run``1(``0) on #2 (value=5) : Void
        #4 6:13 invocation Twice of M:X.Twice(System.String,System.Int32) on "t" () : String
        #5 7:11 invocation Make of M:C.Make(System.Int32,System.String,System.Int32[]) on T:C (a=0, b="") : C
        #6 9:58 return (null)
        #7 12:81 return (text(parameter 0))
        """,
        r"""
        class C {
            void M() {
                Make(1, "x", 2, 3).Run(4);
                Make(b: "y", a: 1).Run<long>(5);
                "t".Twice();
                C.Make(0, "");
            }
            static C Make(int a, string b, params int[] rest) => null;
            void Run<T>(T value) { }
        }
        static class X { public static string Twice(this string text, int times = 2) => text; }
        """,
    )


def test_what_could_not_be_bound_keeps_its_name_and_what_was_written() -> None:
    check(
        BODIES,
        r"""
        #0 4:22 invocation Make unresolved: the receiver's type is not known on u(parameter 0) ("a")
        #1 5:14 invocation With unresolved: the receiver's type is not known on made=#0 (nameof "M")
        #2 5:30 invocation Done unresolved: the receiver's type is not known on #1 ()
        #3 6:9 throw Unknown (#4) : !Unknown
        #4 6:15 creation Unknown unresolved: type not found (1) : !Unknown
        """,
        r"""
        class C {
            void M(Unknown u) {
                var made = u.Make("a");
                made.With(nameof(M)).Done();
                throw new Unknown(1);
            }
        }
        """,
    )


def test_a_local_is_what_it_was_assigned_last() -> None:
    check(
        BODIES,
        r"""
        #0 4:20 invocation Make of M:C.Make(System.String) (s="a") : C
        #1 5:21 invocation Make of M:C.Make(System.String) (s="b") : C
        #2 8:9 invocation Use of M:C.Use(C,C,System.String) (a=alias=#0, b=again=#0, c=p(parameter 0)) : Void
        #3 9:43 invocation Use of M:C.Use(C,C,System.String) (a=once=#0, b=null, c=#4) : Void in R0
        #4 9:64 invocation ToString of M:System.Int32.ToString on each () : String in R0
        #5 11:32 return (null)
        R0 9 loop
        """,
        r"""
        class C {
            void M(string p) {
                var once = Make("a");
                var again = Make("b");
                again = once;
                var alias = once;
                Use(alias, again, p);
                foreach (var each in new[] { 1 }) Use(once, null, each.ToString());
            }
            static C Make(string s) => null;
            void Use(C a, C b, string c) { }
        }
        """,
    )


def test_a_value_that_may_be_one_of_several_is_all_of_them() -> None:
    check(
        BODIES,
        r"""
        #0 6:9 invocation Use of M:C.Use(System.String) (s=text=("a" | "b" | "ac" | "bc")) : Void
        #1 7:9 invocation Use of M:C.Use(System.String) (s=("x" | "y" | p(parameter 0))) : Void
        #2 8:9 invocation Use of M:C.Use(System.String) (s=p(parameter 0)) : Void
        #3 8:18 throw expression (null) in R5
        #4 12:9 invocation Use of M:C.Use(System.String) (s=once="o") : Void
        R0 5 branch
        R1 5 branch
        R2 7 branch
        R3 7 branch
        R4 7 branch
        R5 8 branch
        """,
        r"""
        class C {
            void M(string p, int n) {
                var text = "a";
                if (n > 1) text = "b"; else text += "c";
                Use(text);
                Use(n switch { 0 => "x", 1 => "y", _ => p });
                Use(p ?? throw null);
                p = "z";
                string once;
                once = "o";
                Use(once);
            }
            void Use(string s) { }
        }
        """,
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('var s = "a"; Use(s); s = "b"; Use(s);', ['"a"', '"b"']),
        ('var s = "a"; if (c) s = "b"; Use(s);', ['("a" | "b")']),
        ('var s = "a"; if (c) { s = "b"; Use(s); } Use(s);', ['"b"', '("a" | "b")']),
        ('string s; if (c) s = "a"; else s = "b"; Use(s);', ['("a" | "b")']),
        ('var s = "a"; s += "b"; Use(s); s += c; Use(s);', ['"ab"', "ab{c(parameter 0)}"]),
        ('var s = "a"; foreach (var i in n) { Use(s); s = "b"; }', ['("a" | "b")']),
        ('var s = "a"; foreach (var i in n) { s = "b"; Use(s); } Use(s);', ['"b"', '("a" | "b")']),
        ('for (var s = "a"; c; s = "b") Use(s);', ['("a" | "b")']),
        ('var s = "a"; try { s = "b"; Use(s); } catch { Use(s); } Use(s);', ['"b"', '("a" | "b")', '("a" | "b")']),
        ('var s = "a"; Do(() => Use(s)); s = "b"; Use(s);', ['("a" | "b")', '"b"']),
        ('var s = "a"; Do(() => s = "b"); Use(s);', ['("a" | "b")']),
        ('var s = "a"; Set(); Use(s); void Set() { s = "b"; }', ['("a" | "b")']),
        ('var s = "a"; Fill(out s); Use(s);', ["?String"]),
        ('var s = "a"; (s, _) = ("b", 1); Use(s);', ["?String"]),
        (
            'var s = "a"; switch (n) { case null: s = "b"; break; default: s = "c"; break; } Use(s);',
            ['("a" | "b" | "c")'],
        ),
        ('var s = "a"; _ = c && (s = "b") != null; Use(s);', ['("a" | "b")']),
        ('var s = "a"; while (c) s = s + "b"; Use(s);', ['("a" | {s}b)']),
        ('string s = null; s ??= "a"; Use(s);', ['(null | "a")']),
    ],
)
def test_a_local_has_the_values_that_may_reach_the_place(body: str, expected: list[str]) -> None:
    helpers = "void Use(string s) { } void Do(System.Action a) { } void Fill(out string s) { s = null; }"
    document = bind(BODIES, f"class C {{ void M(bool c, int[] n) {{ {body} }} {helpers} }}")
    values = [event.arguments[0].value for event in document.events if event.name == "Use"]
    assert [value_text(replace(each, local="")) for each in values] == expected


@pytest.mark.parametrize("first", ['"x"', "given", "Settled"])
def test_texts_that_double_with_every_line_are_given_up(first: str) -> None:
    doubled = " ".join(f'var t{n} = $"{{t{n - 1}}}{{t{n - 1}}}";' for n in range(1, 60))
    source = f"""class C {{
        static readonly string Settled = "s";
        void M(string given) {{ var t0 = {first}; {doubled} Use(t2); Use(t59); }}
        void Use(string s) {{ }}
    }}"""
    short, long = (
        event.arguments[0].value for event in found_events(bind(BODIES, source), Interests(invocations=("Use",)))
    )
    assert short.constant is not None or short.parts
    assert long.constant is None
    assert len(long.parts) <= 1000
    assert long.settled is None


def test_a_receiver_has_the_type_that_was_inferred_for_a_lambda() -> None:
    document = bind(
        BODIES,
        """
        class B<T> { public B<T> Name(string s) => this; }
        class C {
            static void Make<T>(System.Action<B<T>> build) { }
            void M() { Make<int>(b => b.Name("x")); }
        }
        """,
    )
    receivers = [event.receiver for event in document.events if event.name == "Name"]
    assert [type_text(each.type) for each in receivers if each is not None] == ["B<Int32>"]


def test_lambdas_belong_to_the_argument_that_takes_them() -> None:
    check(
        BODIES,
        r"""
        #0 6:23 creation Options of M:Options.#ctor () : Options
        #1 6:37 assignment Max = of P:Options.Max (5) for #0
        #2 6:50 assignment Hook = of P:Options.Hook (lambda R0) for #0
        #3 6:62 return (#4) in R0
        #4 6:62 invocation Go of M:C.Go(System.Int32) (n=x(parameter 0 of R0)) : Void in R0
        #5 6:69 assignment Inner = of P:Options.Inner () for #0
        #6 6:79 assignment Max = of P:Options.Max (1) for #5
        #7 7:9 invocation Use of M:C.Use(Options,System.Action{Options}) (o=options=#0, configure=lambda R1) : Void
        #8 7:31 assignment Max = of P:Options.Max on o(parameter 0 of R1) (9) in R1
        #9 7:40 invocation Nested of M:C.Nested(System.Action) (a=lambda R2) : Void in R1
        #10 7:53 return (#11) in R2
        #11 7:53 invocation Go of M:C.Go(System.Int32) (n=P:Options.Max) : Void in R2
        #12 8:9 invocation Use of M:C.Use(Options,System.Action{Options}) (o=null, configure=lambda R3) : Void
        #13 9:33 invocation Go of M:C.Go(System.Int32) (n=1) : Void in R3
        R0 6 lambda of #2 argument 0
        R1 7 lambda of #7 argument 1
        R2 7 lambda of #9 argument 0 in R1
        R3 9 local_function Local
        """,
        r"""
        using System;
        class Options { public int Max { get; set; } public Action<int> Hook { get; set; } public Options Inner { get; set; } }
        class C {
            void M() {
                var options = new Options { Max = 2 + 3, Hook = x => Go(x), Inner = { Max = 1 } };
                Use(options, o => { o.Max = 9; Nested(() => Go(o.Max)); });
                Use(null, Local);
                void Local(Options q) { Go(1); }
            }
            void Nested(Action a) { }
            void Go(int n) { }
            void Use(Options o, Action<Options> configure) { }
        }
        """,
    )


def test_events_say_which_try_catch_loop_and_branch_they_stand_in() -> None:
    check(
        BODIES,
        r"""
        #0 5:15 invocation Go of M:C.Go(System.Int32) (n=1) : Void in R0
        #1 6:42 catch InvalidOperationException () : InvalidOperationException
        #2 6:70 throw () in R1
        #3 7:9 catch ()
        #4 7:17 throw ArgumentException (#5) : ArgumentException in R2
        #5 7:23 creation ArgumentException of M:System.ArgumentException.#ctor(System.String) (message=bad {name(parameter 0)}=written $"bad {name}") : ArgumentException in R2
        #6 8:19 invocation Go of M:C.Go(System.Int32) (n=3) : Void in R3
        #7 9:51 invocation Go of M:C.Go(System.Int32) (n=i=(0 | i)) : Void in R5
        #8 9:63 invocation Go of M:C.Go(System.Int32) (n=4) : Void in R6
        #9 10:9 invocation Go of M:C.Go(System.Int32) (n=(#10 | #11)) : Void
        #10 10:27 invocation Count of M:C.Count(System.Int32) (n=1) : Int32 in R7
        #11 10:38 invocation Count of M:C.Count(System.Int32) (n=2) : Int32 in R8
        #12 13:25 return (n(parameter 0))
        R0 5 try catches InvalidOperationException, ! from column 9 to 6:9
        R1 6 catch of #1 catches InvalidOperationException when after R0
        R2 7 catch of #3 catches ! after R0
        R3 8 finally after R0
        R4 9 loop
        R5 9 branch in R4
        R6 9 branch in R4
        R7 10 branch
        R8 10 branch
        """,
        r"""
        using System;
        class C {
            void M(string name) {
                try { Go(1); }
                catch (InvalidOperationException e) when (e.Message == "") { throw; }
                catch { throw new ArgumentException($"bad {name}"); }
                finally { Go(3); }
                for (var i = 0; i < 3; i++) { if (i == 1) Go(i); else Go(4); }
                Go(name == null ? Count(1) : Count(2));
            }
            void Go(int n) { }
            int Count(int n) => n;
        }
        """,
    )


def test_element_accesses_and_their_assignments() -> None:
    check(
        BODIES,
        r"""
        #0 4:34 return (#1)
        #1 4:34 creation Dictionary of M:System.Collections.Generic.Dictionary`2.#ctor () : Dictionary<String, Int32>
        #2 5:35 return (#3)
        #3 5:37 element_access this[] of P:System.Collections.Generic.Dictionary`2.Item(`0) on F:C._d (key=key(parameter 0)) : Int32
        #4 5:53 assignment this[] = of P:System.Collections.Generic.Dictionary`2.Item(`0) on F:C._d (value) : Int32
        #5 5:53 element_access this[] of P:System.Collections.Generic.Dictionary`2.Item(`0) on F:C._d (key=x{key(parameter 0)}) : Int32
        """,
        r"""
        using System.Collections.Generic;
        class C {
            Dictionary<string, int> _d = new();
            int this[string key] { get => _d[key]; set => _d["x" + key] = value; }
        }
        """,
    )


def test_attributes_are_bound_over_all_parts_and_base_classes() -> None:
    check(
        DECLARATIONS,
        r"""
        6 public property P:MarkAttribute.Order Int32()
        9 public const constant F:Routes.Base String() = "api/v1"
        9 public const constant F:Routes.Version String() = "v1"
        11 internal partial class T:C() : D, Object
          [MarkAttribute(text="api/v1/x", types=typeof(C), types=typeof(Int32), Order=-2)]
          [MarkAttribute(text="part")] on T:C
          [MarkAttribute(text="base")] on T:D
        14 public method M:C.F(System.Int32) Int32(Int32 a)
          [MoreMarkAttribute()]
          [ObsoleteAttribute(message="no")]
          [return: MarkAttribute(text=null)]
          a: [MarkAttribute(text=nameof "C")]
        16 internal class T:D() : Object
          [MarkAttribute(text="base")]
        assembly [assembly: MarkAttribute(text="all")]
        """,
        r"""
        using System;
        [assembly: Mark("all")]
        class MarkAttribute : Attribute {
            public MarkAttribute(string text, params Type[] types) { }
            public int Order { get; set; }
        }
        class MoreMarkAttribute : MarkAttribute { public MoreMarkAttribute() : base("more") { } }
        static class Routes { public const string Base = "api/" + Version; public const string Version = "v" + "1"; }
        [Mark(Routes.Base + "/x", typeof(C), typeof(int), Order = -2)]
        partial class C : D {
            [MoreMark, Obsolete(message: "no")]
            [return: Mark(null)]
            public int F([Mark(nameof(C))] int a) => 1;
        }
        [Mark("base")] class D { }
        """,
        r"""
        [Mark("part")] partial class C { }
        """,
    )


def test_constants_are_folded_as_the_compiler_does() -> None:
    check(
        DECLARATIONS,
        r"""
        3 private const constant F:C.Shift Int32() = 18
        4 private const constant F:C.Letter Char() = "c"
        5 private const constant F:C.Text String() = "acn-C"
        6 private const constant F:C.Money Decimal() = "3.00"
        7 private const constant F:C.Least Int64() = -9223372036854775808
        8 private const constant F:C.Library Int32() = 2147483647=F:System.Int32.MaxValue
        9 private const constant F:C.Cast Byte() = 7=F:E.D
        10 private const constant F:C.Not Boolean() = true
        11 private const constant F:C.Third Single() = 0.3333333432674408
        12 private const constant F:C.Rounded Int32() = -4
        13 private const constant F:C.Mixed Double() = 3.5
        14 private const constant F:C.Null String() = null
        15 private const constant F:C.Member E() = 6
        16 private const constant F:C.Default Int32() = 4
        17 private const constant F:C.Overflow Int32() = ??
        18 private const constant F:C.Zero Int32() = ??
        19 private const constant F:C.Loop String() = {F:C.Loop}a
        20 private const constant F:C.Choice Int32() = 1
        21 private readonly field F:C._field String() = "c:\\raw \"text\" A\n"
        23 public static constant F:E.A() = 0
        23 public static constant F:E.B() = 5
        23 public static constant F:E.C() = 6
        23 public static constant F:E.D() = 7
        """,
        r'''
        class C {
            const int Shift = (1 << 4) | 2;
            const char Letter = 'c';
            const string Text = "ac" + null + $"{Other.Name}-{nameof(C)}";
            const decimal Money = 1.50m * 2;
            const long Least = -9223372036854775808;
            const int Library = int.MaxValue;
            const byte Cast = (byte)E.D;
            const bool Not = !(1 > 2) && true;
            const float Third = 1f / 3;
            const int Rounded = -7 / 2 + -7 % 2;
            const double Mixed = 1 + 2.5;
            const string Null = null;
            const E Member = E.C | E.A;
            const int Default = default(int) + sizeof(int);
            const int Overflow = int.MaxValue + 1;
            const int Zero = 1 / 0;
            const string Loop = Loop + "a";
            const int Choice = Not ? 1 : 2;
            readonly string _field = @"c:\" + """raw "text" """ + "\u0041\n";
        }
        enum E { A, B = 5, C, D = B | 2 }
        ''',
        r"""
        static class Other { public const string Name = "n"; }
        """,
    )


@pytest.mark.parametrize(
    ("interests", "found"),
    [
        (Interests(creations=("HttpClient",)), ["HttpClient", "HttpClient"]),
        (Interests(creations=("Client",)), []),
        (Interests(creations=("Lost",)), ["Lost"]),
        (Interests(creations=("Lo*", "None*")), ["Lost"]),
        (Interests(attributes=("Unk*", "Re*")), ["M:Leaf.B", "T:Far"]),
        (Interests(base_types=("R*",)), ["T:Leaf", "T:Middle"]),
        (Interests(element_accesses=("Bag",)), ["this[]"]),
        (Interests(base_types=("Root",)), ["T:Leaf", "T:Middle"]),
        (Interests(base_types=("ILost",)), ["T:Far", "T:Near"]),
        (Interests(attributes=("Mark",)), ["M:Leaf.A", "M:Leaf.B"]),
        (Interests(attributes=("Unknown",)), ["T:Far"]),
    ],
)
def test_interests_are_in_what_is_bound_and_in_names_of_what_is_not(interests: Interests, found: list[str]) -> None:
    """An alias, a derived attribute, an inherited base and a suffix do not hide anything; a name as written finds what was not bound."""
    document = bind(
        interests,
        """
        using Client = System.Net.Http.HttpClient;
        using M = MarkAttribute;
        class MarkAttribute : System.Attribute { }
        class RedAttribute : MarkAttribute { }
        class Bag { public int this[int n] => n; }
        class Root { }
        class Middle : Root { }
        class Leaf : Middle { [M] void A() { } [Red] void B() { } [System.Obsolete] void C() { } }
        class Near : Missing.ILost<string> { }
        [Missing.Unknown] class Far : Near { }
        class C {
            void Aliased() { var c = new Client(); }
            void Typed() { Client c = new(); }
            void Unbound() { var c = new Missing.Lost<int>(); }
            void Accessed(Bag b) { var n = b[1]; }
        }
        """,
    )
    events = [event.name for event in found_events(document, interests)]
    declarations = sorted(
        each.symbol_id for each in Distribution({0: Wanted(interests)}).of(document).declarations.get(0, ())
    )
    assert events + declarations == found


def test_of_sparse_bodies_only_what_is_asked_for_is_kept() -> None:
    """With the chain that it is in and the call whose lambda it stands in; other bodies are kept as they are."""
    text = """
        class Builder {
            public Builder Table(string name) => this;
            public Builder Column(string name) => this;
            public Builder Entity(string name, System.Action<Builder> build) => this;
        }
        class C {
            void Generated(Builder b) {
                b.Column("before");
                b.Entity("x", e => { e.Column("a").Column("b"); e.Table("t").Column("c"); });
                b.Entity("y", e => { e.Column("d"); });
            }
            void Written(Builder b) { b.Column("z"); b.Table("u"); }
        }
        """
    asked = Interests(invocations=("Table",))
    whole = bind(asked, text)
    sparse = bind(Interests(invocations=("Table",), sparse_bodies=("Generated",)), text)
    names = ["Entity", "Table", "Column", "Entity"]
    assert [each.name for each in sparse.events] == [*names, "Column", "Table"]
    assert len(whole.events) == len(sparse.events) + 4
    table = sparse.events[1]
    assert table.region != NOWHERE
    assert sparse.events[sparse.regions[table.region].event].name == "Entity"
    assert sparse.events[2].receiver is not None
    assert sparse.events[2].receiver.origin == 1
    assert [each.arguments for each in found_events(sparse, asked)] == [
        each.arguments for each in found_events(whole, asked)
    ]


@pytest.mark.parametrize(
    ("interests", "found"),
    [
        (Interests(type_endings=("Desk",)), ["T:FrontDesk"]),
        (Interests(type_endings=("Desk",), members=True), ["base", "M:FrontDesk.#ctor(Wire)", "M:FrontDesk.Other", "M:FrontDesk.Ring", "T:FrontDesk"]),
        (Interests(base_types=("Root",), members=True), ["base", "M:Short.#ctor(System.Int32)", "T:Short"]),
        (Interests(declarations=("struct",), members=True), ["this", "M:Pair.#ctor(System.Int32)", "M:Pair.#ctor(System.Int32,System.Int32)", "T:Pair"]),
        (Interests(carried_types=("Wire",)), ["Held", "Through", "Through", "FrontDesk"]),
        (Interests(carried_types=("Cable",)), ["Passes"]),
        (Interests(members=True), []),
        (Interests(type_endings=("Desk",), bodies=("Ring",)), ["base", "Other", "M:FrontDesk.#ctor(Wire)", "M:FrontDesk.Other", "M:FrontDesk.Ring", "T:FrontDesk"]),
    ],
)  # fmt: skip
def test_interests_follow_values_of_a_type_and_the_members_of_types(interests: Interests, found: list[str]) -> None:
    """What takes or gives a value of a carried type in source is kept, library calls with one are not; members come with their type."""
    document = bind(
        interests,
        """
        class Wire { }
        class Cable : Wire { }
        class Root { public Root(int n) { } }
        class Short(int n) : Root(n) { }
        class FrontDesk : Bare { public FrontDesk(Wire w) : base() { } void Ring() { Other(); } void Other() { } }
        class Bare { }
        struct Pair { public Pair(int a) : this(a, 1) { } public Pair(int a, int b) { } }
        class C {
            Wire Held { get; set; }
            Wire Through(Wire w) => w;
            void Passes(Wire w) { }
            void Keeps(Wire w) { Held = w; }
            void Chains(Wire w) { Through(Through(w)); }
            void Derived(Cable c) { Passes(c); }
            void Library(Wire w) { System.Console.WriteLine(w); }
            void Unrelated() { Library(null); }
            void Creates(Wire w) { new FrontDesk(w); }
        }
        """,
    )
    events = [event.name for event in found_events(document, interests)]
    declarations = sorted(
        each.symbol_id for each in Distribution({0: Wanted(interests)}).of(document).declarations.get(0, ())
    )
    assert events + declarations == found


def test_an_event_spans_from_its_receiver_to_its_closing_parenthesis() -> None:
    check(
        BODIES,
        r"""
        #0 6:14 invocation Then of M:C.Then(C) on c(parameter 0) (c=#1) : C lines 5-12
        #1 7:17 creation C of M:C.#ctor () : C lines 7-11
        #2 9:21 assignment _n = of F:C._n (3) for #1 lines 9-10
        #3 13:14 invocation Then of M:C.Then(C) on #0 (c=c(parameter 0)) : C lines 5-13
        #4 15:15 invocation Then of M:C.Then(C) on c(parameter 0) (c=#5) : C lines 14-16
        #5 15:20 creation C of M:C.#ctor () : C lines 15-16
        #6 18:13 assignment _n = of F:C._n on c(parameter 0) (#7) lines 17-20
        #7 19:14 element_access this[] of P:C.Item(System.Int32) on c(parameter 0) (i=3) : Int32 lines 19-20
        #8 21:9 throw Exception (#9) : Exception lines 21-22
        #9 22:14 invocation Failed of M:C.Failed on c(parameter 0) () : Exception lines 21-22
        #10 24:20 throw expression Exception (#11) : Exception lines 24-25
        #11 25:11 invocation Failed of M:C.Failed on c(parameter 0) () : Exception
        #12 26:24 return (?Int32)
        #13 29:9 return (#14) lines 29-30
        #14 30:13 creation Exception of M:System.Exception.#ctor () : Exception
        #15 32:10 invocation this of M:C.#ctor(System.Int32) (n=1) : C lines 32-33
        """,
        r"""
        class C {
            int _n;
            void M(C c, string s) {
                c
                    .Then(
                        new C
                        {
                            _n = 1 +
                                2,
                        }
                    )
                    .Then(c);
                c
                    ?.Then(new(
                    ));
                c.
                    _n =
                    c[
                        3];
                throw c
                    .Failed();
            }
            C Then(C c) => throw
                c.Failed();
            int this[int i] => i
                + 1;
            System.Exception Failed() {
                return
                    new();
            }
            C(): this(
                1) { }
            C(int n) { }
        }
        """,
    )


def test_a_text_that_is_interpolated_keeps_its_source_and_what_is_formatted() -> None:
    check(
        BODIES,
        r"""
        #0 6:9 invocation Use of M:C.Use(System.String) (s="s/{}") : Void
        #1 7:9 invocation Use of M:C.Use(System.String) (s=s/{a(parameter 0):}{3=F:C.N}{3=F:C.N:}=written $@"{S}/{a,5}""{N}{N:D3}") : Void
        #2 8:9 invocation Use of M:C.Use(System.String) (s=x{a(parameter 0)}a) : Void
        """,
        r"""
        class C {
            const int N = 3;
            const string S = "s";
            void M(string a) {
                Use($"{S}/{{}}");
                Use($@"{S}/{a,5}""{N}{N:D3}");
                Use("x" + $"{a}" + nameof(a));
            }
            void Use(string s) { }
        }
        """,
    )


@pytest.mark.parametrize(("declared", "written"), [("const string", ""), ("var", '$"x{t}"')])
def test_a_text_of_a_local_is_folded_and_keeps_its_source_unless_the_local_is_constant(
    declared: str, written: str
) -> None:
    source = f"""class C {{ void M() {{ {declared} t = "y"; Use($"x{{t}}"); }} void Use(string s) {{ }} }}"""
    [event] = found_events(bind(BODIES, source), Interests(invocations=("Use",)))
    value = event.arguments[0].value
    assert value.constant is not None and value.constant.value == "xy"
    assert value.written == written


def test_a_receiver_has_the_type_that_binding_found_for_it_also_where_the_method_was_not_found() -> None:
    source = """
        class C {
            void M(System.Action<System.Action<D>> run) => run(d => { d.Known(); d.Unknown(1); d.Overloaded(""); });
        }
        class D { public void Known() { } public void Overloaded(int n) { } public void Overloaded(bool b) { } }
        """
    wanted = Interests(invocations=("Known", "Unknown", "Overloaded"))
    events = found_events(bind(BODIES, source), wanted)
    receivers = [event.receiver.type for event in events if event.receiver is not None]
    assert [(event.name, event.target is None) for event in events] == [
        ("Known", False),
        ("Unknown", True),
        ("Overloaded", True),
    ]
    assert [type_.id if type_ is not None else "" for type_ in receivers] == ["T:D"] * 3


def test_constants_are_known_whatever_was_read_between_finding_and_folding_them() -> None:
    others = [f"static class C{number} {{ public static void Run() {{ }} }}" for number in range(600)]
    runs = " ".join(f"C{number}.Run();" for number in range(600))
    held = """static class K { public const string Key = "k"; public static readonly string Settled = "s"; }"""
    source = f"class D {{ void Use(string s) {{ }} void M() {{ Use(K.Key); Use(K.Settled); {runs} }} }}"
    events = found_events(bind(BODIES, source, held, *others), Interests(invocations=("Use",)))
    values = [event.arguments[0].value for event in events]
    assert [value.constant.value for value in values if value.constant is not None] == ["k"]
    assert [value.settled.value for value in values if value.settled is not None] == ["s"]


def test_a_captured_parameter_says_which_primary_constructor_it_is_of() -> None:
    source = """
        class C(int first, string text) {
            readonly string own = Use(text);
            static string Use(string s) => s;
            void M(int text) { Use(own); Use(text); }
            void N() { Use(text); }
        }
        class D(string text) { string text = text; void M() => C.Use(text); }
        """
    events = found_events(bind(BODIES, source), Interests(invocations=("Use",)))
    values = [event.arguments[0].value for event in events]
    captured = ("text", 1, "M:C.#ctor(System.Int32,System.String)", "")
    assert [(value.local, value.parameter, value.constructor, value.symbol_id) for value in values] == [
        captured,
        ("", -1, "", "F:C.own"),
        ("text", 0, "", ""),
        captured,
        ("", -1, "", "F:D.text"),
    ]


def test_an_extension_method_is_one_however_it_is_called() -> None:
    source = """
        static class X {
            static void Twice(this string text) { text.Twice(); Twice(text); X.Twice(text); Once(text); }
            static void Once(string text) { }
        }
        """
    events = found_events(bind(BODIES, source), Interests(invocations=("Twice", "Once")))
    assert [event.is_extension for event in events] == [True, True, True, False]


def test_a_collection_says_what_it_spreads() -> None:
    source = """
        class C {
            static int[] Rest() => [];
            static void Take(int[] all) { }
            void M(int[] more) { Take([1, ..Rest(), ..more, 2]); }
        }
        """
    (event,) = found_events(bind(BODIES, source), Interests(invocations=("Take",)))
    elements = event.arguments[0].value.elements
    assert [each.is_spread for each in elements] == [False, True, True, False]
    assert (elements[1].origin != NOWHERE, elements[2].local) == (True, "more")


def test_what_types_derive_from_is_known_by_id() -> None:
    front_end = CSharpFrontEnd()
    source = """
        namespace Lib {
            interface IShelf : System.IDisposable { }
            class Shelf<T> : IShelf { public class Board : Shelf<int> { } }
            class Missing : NotThere, IShelf { }
        }
        """
    unit = UnitKey("", "a.cs")
    table = front_end.declare(
        Universe(ProjectGraph(()), {unit: front_end.analyse(source.encode(), AnalysisSettings()).unit})
    )

    def bases(type_id: str) -> tuple[str, ...]:
        return front_end.bases_of(table, unit, type_id)

    own = ("T:System.Object", "T:Lib.IShelf", "T:System.IDisposable")
    assert bases("T:Lib.Shelf`1") == own
    assert bases("T:Lib.Shelf`1.Board") == ("T:Lib.Shelf`1", *own)
    assert bases("T:Lib.Missing")[-2:] == own[1:]
    assert "T:System.IO.TextReader" in bases("T:System.IO.StreamReader")
    assert "T:System.Collections.Generic.IEnumerable`1" in bases("T:System.Collections.Generic.List`1")
    assert "T:System.ValueType" in bases("T:System.Collections.Generic.List`1.Enumerator")
    assert bases("T:Lib.Absent") == bases("M:Lib.Shelf`1.#ctor") == ()


def test_members_whose_documentation_says_what_they_throw_are_declarations_of_interest() -> None:
    check(
        Interests(documented_exceptions=True),
        """
        6 public method M:C.Take(System.String) Void(String name)
          throws Late by line 4
          throws !Absent by line 5
        9 public property P:C.Count Int32()
          throws Late by line 8
        """,
        """
        /// <exception cref="Late"/>
        public class C {
            /// <summary>Not <see cref="C"/>.</summary> <exception cref="Late">If <see cref="Count"/> is 0.</exception>
            /// <exception cref='Absent'></exception>
            public void Take(string name) { }
            public void Plain() { }
            /// <exception cref="Late"/>
            public int Count => 0;
        }
        class Late { }
        """,
    )


def test_a_throw_has_the_type_of_its_expression() -> None:
    document = bind(
        Interests(throws=True),
        """
        class Late : System.Exception { }
        class C {
            void Given<T>(System.Func<T> make) where T : System.Exception => throw make();
            void Made() => throw new Late();
            void Chosen(bool b, Late late) => throw (b ? late : new Late());
            void Null() => throw null;
        }
        """,
    )
    assert [type_text(each.type) for each in found_events(document, Interests(throws=True))] == [
        "T",
        "Late",
        "Late",
        "?",
    ]


@pytest.mark.parametrize(
    ("interests", "kept", "found"),
    [
        (Interests(throws=True), {"M:C.Throws", "M:C.Throwing(System.Int32)", "M:C.Rethrows"}, ["throw"] * 3),
        (Interests(catches=True), {"M:C.Rethrows"}, ["catch"]),
        (Interests(invocations=("Pl*",)), {"M:C.Plain"}, ["invocation"]),
        (Interests(invocations=("*lain",)), {"M:C.Plain"}, ["invocation"]),
        (Interests(own_invocations=("Write*", "*ain")), {"M:C.Plain"}, ["invocation"]),
        (Interests(own_types=("Con*", "*lp*")), {"M:C.Helped"}, ["invocation"]),
    ],
)
def test_bodies_that_hold_nothing_of_interest_are_not_walked(
    interests: Interests, kept: set[str], found: list[str]
) -> None:
    document = bind(
        interests,
        """
        class C {
            void Plain() { Plain(); }
            void Throws() { Other(); throw new System.Exception(); }
            object Throwing(int n) => n > 1 ? n : throw new System.Exception();
            void Rethrows() { try { Other(); } catch { throw; } }
            void Cleans() { try { Other(); } finally { Other(); } }
            void Other() { }
            void Helped() { Helps.Run(); System.Console.WriteLine(); }
        }
        static class Helps { public static void Run() { } }
        """,
    )
    assert {event.enclosing for event in document.events} == kept
    assert [event.kind.value for event in found_events(document, interests)] == found


def test_interfaces_have_the_type_arguments_that_a_type_gives_them() -> None:
    front_end = CSharpFrontEnd()
    source = """
        namespace Lib {
            interface IMap<TKey, TValue> { }
            class Shelf<T> : IMap<string, T[]> { public class Board<U> : Shelf<U> { } }
        }
        """
    unit = UnitKey("", "a.cs")
    table = front_end.declare(
        Universe(ProjectGraph(()), {unit: front_end.analyse(source.encode(), AnalysisSettings()).unit})
    )
    number = BoundType(TypeForm.NAMED, "Int32", "T:System.Int32")
    text = BoundType(TypeForm.NAMED, "String", "T:System.String")

    def interfaces(type_id: str, *arguments: BoundType) -> list[str]:
        type_ = BoundType(TypeForm.NAMED, "", type_id, arguments)
        return [type_text(each) for each in front_end.interfaces_of(table, unit, type_)]

    assert interfaces("T:Lib.Shelf`1", number) == ["IMap<String, Int32[]>"]
    assert interfaces("T:Lib.Shelf`1.Board`1", text, number) == ["IMap<String, Int32[]>"]
    assert interfaces("T:Lib.Shelf`1") == ["IMap<String, ![]>"]
    assert "IReadOnlyCollection<Int32>" in interfaces("T:System.Collections.Generic.List`1", number)
    assert interfaces("T:Lib.Absent") == []


def test_attributes_of_overridden_members_are_found_again_in_files_that_were_put_aside() -> None:
    front_end = CSharpFrontEnd()
    sources = [
        "class First : Base { public override void Run() { } }",
        "class Second : Base { public override void Run() { } }",
        "class RedAttribute : System.Attribute { } class Base { [Red] public virtual void Run() { } }",
        *(f"class Filler{n} {{ }}" for n in range(600)),
    ]
    keys = [UnitKey("", f"{n}.cs") for n in range(len(sources))]
    units = {
        key: front_end.analyse(text.encode(), AnalysisSettings()).unit for key, text in zip(keys, sources, strict=True)
    }
    table = front_end.declare(Universe(ProjectGraph(()), units))
    interests = Interests(declarations=("method",))
    found = []
    for key in keys[:2]:
        document = table.binding.bind(key, interests)
        found += [each.name for method in document.declarations for each in method.attributes_elsewhere]
        for other in keys[3:]:
            table.table.members_of(other)
    assert found == ["Red", "Red"]


def test_members_know_what_they_override_and_its_attributes() -> None:
    check(
        Interests(attributes=("Mark",), members=True),
        r"""
        3 public override method M:Near`1.Run(`0) Void(U value) overrides M:Middle`1.Run(`0), M:Far`1.Run(`0)
          [RedAttribute()] on M:Middle`1.Run(`0)
          [MarkAttribute(n=2)] on M:Far`1.Run(`0)
        8 public override indexer P:Near`1.Item(System.Int32) Int32(Int32 n) overrides P:Far`1.Item(System.Int32)
          [MarkAttribute(n=1)] lines 6-7
        """,
        r"""
        class Near<U> : Middle<U> {
            public override void Run(U value) { }
            public override string
                ToString() => "";
            [Mark(
                1)]
            public override int this[int n] => 1;
            public new void Hidden() { }
        }
        """,
        r"""
        class MarkAttribute : System.Attribute { public MarkAttribute(int n = 0) { } }
        class RedAttribute : MarkAttribute { }
        abstract class Far<T> { [Mark(2)] public abstract void Run(T value); public virtual int this[int n] => 0; }
        class Middle<T> : Far<T> { [Red] public override void Run(T value) { } public void Hidden() { } }
        """,
    )


def test_members_that_can_hold_one_value_only_are_settled() -> None:
    check(
        BODIES,
        r"""
        #0 5:9 invocation Say of M:C.Say(System.String) (s=~"/Shelf"=F:Shelf.Root) : Void
        #1 6:9 invocation Say of M:C.Say(System.String) (s=~"/Shelf/path"=F:Shelf.Path) : Void
        #2 7:9 invocation Say of M:C.Say(System.String) (s=~"assigned7"=P:Shelf.Assigned) : Void
        #3 8:9 invocation Say of M:C.Say(System.String) (s=~"got"=P:Shelf.Get) : Void
        #4 9:9 invocation Say of M:C.Say(System.String) (s=~"/Shelf"=P:Shelf.Body) : Void
        #5 10:9 invocation Say of M:C.Say(System.String) (s=~"property/x"={~"property"=P:Shelf.Property}/x) : Void
        #6 11:9 invocation Say of M:C.Say(System.String) (s=~"init:7"={~"init"=P:Shelf.Init}:{~7=F:Shelf.Number}=written $"{s.Init}:{Shelf.Number}") : Void
        #7 12:9 invocation Say of M:C.Say(System.String) (s=~""=F:System.String.Empty) : Void
        #8 13:9 invocation Say of M:C.Say(System.String) (s=~"other") : Void
        #9 14:9 invocation Say of M:C.Say(System.String) (s=~"sealed"=P:Board.Sealed) : Void
        #10 15:9 invocation Say of M:C.Say(System.String) (s=~"/Shelf"=F:Shelf.Root) : Void
        #11 18:9 invocation Say of M:C.Say(System.String) (s=once=~"/Shelf2"={~"/Shelf"=F:Shelf.Root}2) : Void
        #12 19:9 invocation Say of M:C.Say(System.String) (s=F:Shelf.Writable) : Void
        #13 20:9 invocation Say of M:C.Say(System.String) (s=F:Shelf.Twice) : Void
        #14 21:9 invocation Say of M:C.Say(System.String) (s=F:Shelf.Both) : Void
        #15 22:9 invocation Say of M:C.Say(System.String) (s=P:Shelf.Open) : Void
        #16 23:9 invocation Say of M:C.Say(System.String) (s=P:Shelf.Settable) : Void
        #17 24:9 invocation Say of M:C.Say(System.String) (s=F:Shelf.Handed) : Void
        #18 25:9 invocation Say of M:C.Say(System.String) (s=P:Shelf.Branches) : Void
        #19 26:9 invocation Say of M:C.Say(System.String) (s=F:Shelf.Given) : Void
        #20 27:9 invocation Say of M:C.Say(System.String) (s=F:Shelf.Loop) : Void
        #21 28:9 invocation Say of M:C.Say(System.String) (s={~7=F:Shelf.Number:}=written $"{Shelf.Number:D3}") : Void
        R0 13 branch
        """,
        r"""
        class C {
            void Say(string s) { }
            void M(Shelf s, Board b) {
                Say(Shelf.Root);
                Say(s.Path);
                Say(s.Assigned);
                Say(Shelf.Get);
                Say(Shelf.Body);
                Say(Shelf.Property + "/x");
                Say($"{s.Init}:{Shelf.Number}");
                Say(string.Empty);
                Say(Shelf.Nothing ?? "other");
                Say(b.Sealed);
                Say((string)(object)Shelf.Root);
                const string twice = "2";
                var once = Shelf.Root + twice;
                Say(once);
                Say(Shelf.Writable);
                Say(s.Twice);
                Say(s.Both);
                Say(s.Open);
                Say(s.Settable);
                Say(s.Handed);
                Say(s.Branches);
                Say(s.Given);
                Say(Shelf.Loop);
                Say($"{Shelf.Number:D3}");
            }
        }
        """,
        r"""
        class Shelf {
            public static readonly string Root = "/" + nameof(Shelf);
            public readonly string Path = Root + "/path";
            public string Assigned { get; }
            public static string Get { get { return "got"; } }
            public static string Body => Root;
            public static string Property { get; } = "property";
            public string Init { get; } = "init";
            public static readonly int Number = 7;
            public static readonly string Nothing = null;

            public static string Writable = "w";
            public readonly string Twice;
            public readonly string Both = "b";
            public virtual string Open => "open";
            public string Settable { get; set; } = "s";
            public readonly string Handed;
            public string Branches { get { if (Number > 1) return "x"; return "y"; } }
            public readonly string Given;
            public static readonly string Loop = Loop + "a";

            public Shelf(string given) {
                this.Assigned = $"assigned{Number}";
                Twice = "1";
                Both = "2";
                Set(out Handed);
                Given = given;
            }
            public Shelf() { Twice = "2"; }
            static void Set(out string s) { s = "h"; }
        }
        sealed class Board : Shelf { public override string Open => "never"; public virtual string Sealed => "sealed"; }
        """,
    )


def test_an_invocation_that_was_not_bound_has_the_type_arguments_that_are_written() -> None:
    document = bind(BODIES, "class C { void F(Lost lost) { lost.Add<C, Missing<int>>(); Gone<string>(); } }")
    assert [[type_text(each) for each in event.type_arguments] for event in document.events] == [
        ["C", "!Missing<Int32>"],
        ["String"],
    ]


def test_a_value_says_the_name_that_was_not_found_and_the_type_that_a_property_is_read_of() -> None:
    document = bind(
        BODIES, "class C { void F(Lost lost) { Use(lost.Gone, typeof(C).Assembly); } void Use(object a, object b) { } }"
    )
    missing, assembly = (argument.value for argument in document.events[0].arguments)
    assert missing.unbound_name == "Gone"
    assert (type_text(assembly.type_operand), assembly.symbol_id) == ("C", "P:System.Type.Assembly")


def test_attributes_of_lambdas_and_local_functions_are_of_their_regions() -> None:
    check(
        Interests(invocations=("Take",)),
        """
        #0 6:9 invocation Take of M:C.Take(System.Func{System.Int32}) (f=lambda R0) : Void
        #1 6:33 return (1) in R0
        #2 7:31 return (1) in R1
        R0 6 lambda [MarkAttribute(text="A"=F:C.Name)] of #0 argument 0
        R1 7 local_function Local [MarkAttribute()]
        """,
        """
        class MarkAttribute : System.Attribute { public MarkAttribute(string text = "") { } }
        class C {
            const string Name = "A";
            void M() {
                Take([Mark(Name)] () => 1);
                [Mark] int Local() => 1;
            }
            static void Take(System.Func<int> f) { }
        }
        """,
    )


def test_members_are_described_for_those_alone_who_ask_for_them() -> None:
    interests = union((Interests(declarations=("class",)), Interests(type_endings=("Desk",), members=True)))
    document = bind(interests, "class Shelf { void Fill() { } } class FrontDesk { void Ring() { } }")
    assert [each.symbol_id for each in document.declarations] == ["T:Shelf", "T:FrontDesk", "M:FrontDesk.Ring"]


def test_what_was_kept_while_a_file_is_bound_is_gone_without_a_collection_of_garbage() -> None:
    """It is most of what a worker makes: to look for it again and again costs more than to describe it."""
    source = """
        using System;
        class A : Attribute { public A(string text) { } }
        [A("type")] class C(int captured) {
            [A("field")] readonly string _text = "x" + nameof(C);
            public C() : this(1) { }
            static void Do(Action action) { }
            [A("method")] int M(int p) {
                var local = captured + p; local += 1; local++;
                int Inner(int q) { q = local; return q; }
                Func<int, int> f = x => { var y = x; y = Inner(y); return y; };
                try { for (var i = 0; i < 3; i++) local = f(i); } catch (Exception e) when (e != null) { throw; }
                Do(() => Do(() => Do(() => f(local))));
                return local is int named ? named : Inner(2);
            }
        }
        """
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        document = bind(union([BODIES, DECLARATIONS, Interests(declarations=("class",), members=True)]), source)
        gc.collect()
        left = {type(each).__name__ for each in gc.garbage}
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert document.events
    assert left.isdisjoint({"Kept", "Walked", "BodiesWalk", "Values", "Block", "Variable", "Happening", "ReferenceRow"})


def test_what_was_forgotten_between_two_files_is_found_again() -> None:
    sources = (
        """
        namespace N {
            public interface IStore<T> { T Load(int id); event System.Action Changed; }
            public class Order { public const int First = 1; public readonly string Name = "o" + nameof(First); }
        }
        """,
        """
        using N;
        public class Orders : IStore<Order> {
            public Order Load(int id) => id == Order.First ? new Order() : throw new System.ArgumentException(new Order().Name);
            public event System.Action Changed;
        }
        public static class More { public static Order Any(this IStore<Order> store) => store.Load(Order.First); }
        """,
        """
        using N;
        class Use { string M(Orders orders) { var order = orders.Any() ?? orders.Load(2); return order.Name; } }
        """,
    )
    front_end = CSharpFrontEnd()
    units = {
        UnitKey("", f"{number}.cs"): front_end.analyse(textwrap.dedent(text).encode(), AnalysisSettings()).unit
        for number, text in enumerate(sources)
    }
    table = front_end.declare(Universe(ProjectGraph(()), units))
    forgetful = CSharpBinding(table.table, table.rows, remembered=0)
    interests = union([BODIES, DECLARATIONS])
    for _ in range(2):
        for key in units:
            before, made = forgetful.members, forgetful.members.made
            assert forgetful.bind(key, interests) == table.binding.bind(key, interests)
            assert (forgetful.members is before) == (made == 0)


def test_shapes_of_everyday_code_together() -> None:
    """Thrown operands, delegates and objects created without their type, slices, output arguments, tuples and initialisers."""
    check(
        BODIES,
        """
        #0 6:14 assignment text = of F:Reader.text on ?Reader (text(parameter 0))
        #1 6:29 throw expression ArgumentNullException (#2) : ArgumentNullException in R0
        #2 6:35 creation ArgumentNullException of M:System.ArgumentNullException.#ctor(System.String) (paramName=nameof "text") : ArgumentNullException in R0
        #3 7:14 assignment step = of F:Reader.step on ?Reader (#4)
        #4 7:21 creation Func of T:System.Func`2 (step(parameter 1)) : Func<Int32, Int32>
        #5 11:22 invocation IndexOf of M:System.String.IndexOf(System.Char,System.Int32) on F:Reader.text (value="}", startIndex=start(parameter 0)) : Int32
        #6 12:24 return ([#7, #9]) in R1
        #7 12:32 creation Piece of M:Piece.#ctor(System.String) (text=#8) : Piece in R1
        #8 12:40 element_access this[] on F:Reader.text (??) in R1
        #9 12:52 invocation Take of M:Reader.Take(System.Int32,System.Int32@) (at=first(parameter 0), next=start(parameter 0)) : Int32 in R1
        #10 13:24 invocation Substring of M:System.String.Substring(System.Int32,System.Int32) on F:Reader.text (startIndex=first(parameter 0), length=?Int32) : String
        #11 14:9 return ([#12, start(parameter 0)=(#5 | start(parameter 0))])
        #12 14:17 creation Piece of M:Piece.#ctor(System.String) (text=raw=#10) : Piece
        #13 14:34 assignment Name = of P:Piece.Name (#14) for #12
        #14 14:45 invocation Trim of M:System.String.Trim on raw=#10 () : String
        #15 14:53 assignment Length = of P:Piece.Length (3) for #12
        #16 16:39 return (at(parameter 0))
        R0 6 branch
        R1 12 branch
        """,
        """\
        using System;
        class Reader {
            readonly string text;
            readonly Func<int, int> step;
            Reader(string text, Func<int, int> step) {
                this.text = text ?? throw new ArgumentNullException(nameof(text));
                this.step = new(step);
            }
            (Piece, int) Next(int start) {
                var first = start;
                start = text.IndexOf('}', start);
                if (start < 0) return (new(text[first..]), Take(first, out start));
                var raw = text.Substring(first, start - (first + 2));
                return (new Piece(raw) { Name = raw.Trim(), Length = 3 }, start);
            }
            int Take(int at, out int next) => next = at;
        }
        class Piece {
            public Piece(string text) { }
            public string Name { get; set; }
            public int Length { get; set; }
        }
        """,
    )


def test_an_assignment_is_done_to_what_stands_before_the_member() -> None:
    check(
        Interests(assignments=ANY),
        r"""
        #0 4:34 assignment V = of P:N.V on F:N.Next (1)
        #1 4:46 assignment V += of P:N.V on many(parameter 1) (2)
        #2 4:57 assignment V = of P:N.V on a(parameter 0) (3)
        #3 4:69 assignment f = of F:C.f on ?C (4)
        #4 4:76 assignment f = of F:C.f (5)
        #5 4:85 assignment S = of F:N.S on T:N (6)
        #6 4:93 assignment this[] = of P:N.Item(System.Int32) on a(parameter 0) (7) : Int32
        #7 4:93 element_access this[] of P:N.Item(System.Int32) on a(parameter 0) (i=1) : Int32
        """,
        r"""
        class C {
            int f;
            void M(N a, N many) { a.Next.V = 1; many.V += 2; a?.V = 3; this.f = 4; f = 5; N.S = 6; a[1] = 7; }
        }
        class N { public N Next; public int V { get; set; } public static int S; public int this[int i] { get => i; set { } } }
        """,
    )


def test_events_and_declarations_stand_in_the_order_of_the_text_across_nested_types() -> None:
    check(
        replace(BODIES, declarations=ANY),
        r"""
        #0 3:30 return (#1)
        #1 3:30 creation Early of M:Outer.Early.#ctor () : Early
        #2 4:40 invocation A of M:Log.A on T:Log () : Void
        #3 4:76 invocation B of M:Log.B on T:Log () : Void
        #4 5:26 invocation C of M:Log.C on T:Log () : Void
        #5 5:39 invocation D of M:Log.D on T:Log () : Boolean
        #6 5:50 invocation E of M:Log.E on T:Log () : Void in R0
        #7 6:41 invocation F of M:Log.F on T:Log () : Void
        #8 7:24 invocation G of M:Log.G on T:Log () : Void
        #9 10:112 return (true)
        R0 5 branch
        2 internal class T:Outer() : Object
        3 private readonly field F:Outer.before Object() = #1
        4 private class T:Outer.Early() : Object
        4 public constructor M:Outer.Early.#ctor()
        4 private class T:Outer.Early.Inner() : Object
        4 private method M:Outer.Early.Inner.M Void()
        5 private method M:Outer.Between Void()
        6 private struct T:Outer.Late() : ValueType, Object
        6 public method M:Outer.Late.M Void()
        7 private method M:Outer.After Void()
        9 internal static class T:Log() : Object
        10 public static method M:Log.A Void()
        10 public static method M:Log.B Void()
        10 public static method M:Log.C Void()
        10 public static method M:Log.D Boolean()
        11 public static method M:Log.E Void()
        11 public static method M:Log.F Void()
        11 public static method M:Log.G Void()
        """,
        r"""
        class Outer {
            readonly object before = new Early();
            class Early { public Early() { Log.A(); } class Inner { void M() { Log.B(); } } }
            void Between() { Log.C(); if (Log.D()) { Log.E(); } }
            struct Late { public void M() { Log.F(); } }
            void After() { Log.G(); }
        }
        static class Log {
            public static void A() { } public static void B() { } public static void C() { } public static bool D() => true;
            public static void E() { } public static void F() { } public static void G() { }
        }
        """,
    )


def test_the_condition_of_an_else_if_need_not_run() -> None:
    """``else if`` is an ``if`` inside ``else`` (ECMA-334 §13.8.2)."""
    check(
        BODIES,
        r"""
        #0 3:23 return (?Boolean)
        #1 7:13 invocation Is of M:C.Is(System.Int32) (a=1) : Boolean
        #2 7:20 invocation Do of M:C.Do(System.Int32) (a=1) : Void in R0
        #3 8:18 invocation Is of M:C.Is(System.Int32) (a=2) : Boolean in R1
        #4 8:29 invocation Do of M:C.Do(System.Int32) (a=b=2) : Void in R2
        #5 9:18 invocation Is of M:C.Is(System.Int32) (a=b=(1 | 2)) : Boolean in R3
        #6 9:25 invocation Do of M:C.Do(System.Int32) (a=3) : Void in R4
        #7 10:14 invocation Do of M:C.Do(System.Int32) (a=4) : Void in R5
        #8 11:9 invocation Do of M:C.Do(System.Int32) (a=b=(1 | 2)) : Void
        R0 7 branch
        R1 7 branch
        R2 7 branch in R1
        R3 7 branch
        R4 7 branch in R3
        R5 7 branch
        """,
        r"""
        class C {
            bool Is(int a) => a > 0;
            void Do(int a) { }
            void M(int a) {
                int b = 1;
                if (Is(1)) Do(1);
                else if (Is(b = 2)) Do(b);
                else if (Is(b)) Do(3);
                else Do(4);
                Do(b);
            }
        }
        """,
    )


def test_a_call_of_a_delegate_is_done_to_its_value_and_gives_what_it_returns() -> None:
    check(
        BODIES,
        r"""
        #0 6:41 return (null)
        #1 8:15 invocation next on next(parameter 0) (number=1) : Task<String>
        #2 9:9 invocation make on F:C.make (arg=2) : C
        #3 9:17 invocation make on F:C.make (arg=3) : C
        #4 10:15 invocation Property on P:C.Property (number=4) : Task<String>
        #5 11:14 invocation Property on P:C.Property (number=5) : Task<String>
        #6 11:26 invocation Wait of M:System.Threading.Tasks.Task.Wait on #5 () : Void
        #7 12:27 invocation on (next(parameter 0) | P:C.Property) (number=6) : Task<String>
        #8 13:12 element_access this[] on F:C.all (0) : Action
        #9 13:15 invocation on #8 () : Void
        #10 14:36 return ("a") in R1
        #11 15:20 invocation local on local () : String
        #12 16:14 invocation Trim of M:System.String.Trim on text=#11 () : String
        #13 17:29 return (n(parameter 0 of R2)) in R2
        #14 18:9 invocation Local (7)
        #15 19:21 invocation Invoke of M:System.Func`2.Invoke(`0) on F:C.make (arg=8) : C
        #16 20:9 invocation Missing unresolved: no declaration of this name is in view (9)
        R0 12 branch
        R1 14 lambda
        R2 17 local_function Local
        """,
        r"""
        using System;
        using System.Threading.Tasks;
        delegate Task<string> Next(int number);
        class C {
            Func<int, C> make; Next Property => null; Action[] all;
            async Task M(Next next, C other) {
                await next(1);
                make(2).make(3);
                other.Property(number: 4);
                this.Property(5).Wait();
                (next ?? Property)(6);
                all[0]();
                Func<string> local = () => "a";
                var text = local();
                text.Trim();
                int Local(int n) => n;
                Local(7);
                other.make?.Invoke(8);
                Missing(9);
            }
        }
        """,
    )


def test_a_copy_has_the_type_of_what_is_copied() -> None:
    """With expressions of C# 9."""
    check(
        BODIES,
        r"""
        #0 5:22 creation with () : C
        #1 5:29 assignment A = of P:C.A (1) for #0
        #2 6:41 return (#3) in R0
        #3 6:43 creation with () : C in R0
        #4 6:50 assignment A = of P:C.A (2) for #3 in R0
        #5 7:9 return (copy=#0)
        R0 6 lambda
        """,
        r"""
        class C {
            public int A { get; init; }
            object M(C c) {
                var copy = c with { A = 1 };
                System.Func<C, object> f = x => x with { A = 2 };
                return copy;
            }
        }
        """,
    )


def test_what_is_returned_and_variables_without_a_written_type_have_types() -> None:
    check(
        BODIES,
        r"""
        #0 5:65 return (?Boolean)
        #1 6:18 return (?C)
        #2 7:34 return (?Boolean)
        #3 8:31 return (lambda R0)
        #4 8:34 return (#5) in R0
        #5 8:36 invocation Larger of M:C.Larger(System.Int32,System.Int32) on c(parameter 0 of R0) (a=1, b=2) : Boolean in R0
        #6 9:26 return (?<anonymous><Int32>)
        #7 11:13 invocation Get<String> of M:C.Get``1(``0,System.Collections.Generic.List{``0}@) (of="a", found=many) : Boolean
        #8 11:42 invocation Add of M:System.Collections.Generic.List`1.Add(`0) on many (item="b") : Void in R1
        #9 12:17 invocation TryGetValue of M:System.Collections.Generic.Dictionary`2.TryGetValue(`0,`1@) on all(parameter 1) (key="c", value=one) : Boolean
        #10 12:52 invocation Itself of M:C.Itself on one () : C in R2
        #11 13:35 invocation Itself of M:C.Itself on same () : C in R3
        #12 14:16 element_access this[] of P:System.Collections.Generic.Dictionary`2.Item(`0) on all(parameter 1) (key="d") : C
        #13 14:40 invocation Itself of M:C.Itself on each () : C in R4
        #14 15:49 invocation Trim of M:System.String.Trim on key () : String in R5
        #15 15:63 invocation Itself of M:C.Itself on value () : C in R5
        #16 16:46 invocation Itself of M:C.Itself on P:System.Collections.Generic.KeyValuePair`2.Value () : C in R6
        R0 8 lambda
        R1 11 branch
        R2 12 branch
        R3 13 branch
        R4 14 branch
        R5 15 loop
        R6 16 loop
        """,
        r"""
        using System;
        using System.Collections.Generic;
        class C {
            static bool Get<T>(T of, out List<T> found) { found = null; return of == null; }
            C Itself() { return this; }
            bool Larger(int a, int b) => a > b;
            Func<C, bool> Test() => c => c.Larger(1, 2);
            object Anonymous() { return new { A = 1 }; }
            void M(object o, Dictionary<string, C> all) {
                if (Get("a", out var many)) many.Add("b");
                if (all.TryGetValue("c", out var one)) one.Itself();
                if (o is C { } same) same.Itself();
                if (all["d"] is var each) each.Itself();
                foreach (var (key, value) in all) { key.Trim(); value.Itself(); }
                foreach (var pair in all) pair.Value.Itself();
            }
        }
        """,
    )


def test_what_the_clauses_of_a_query_call_is_told() -> None:
    check(
        BODIES,
        r"""
        #0 4:29 return (n(parameter 0))
        #1 6:49 invocation Of of M:C.Of(System.Int32) (n=each) : Int32
        #2 6:99 invocation Of of M:C.Of(System.Int32) (n=half) : Int32
        #3 7:9 return (#4)
        #4 7:22 invocation ToArray<Int32> of M:System.Linq.Enumerable.ToArray``1(System.Collections.Generic.IEnumerable{``0}) on found () : Int32[]
        """,
        r"""
        using System.Linq;
        class C {
            static int Of(int n) => n;
            int[] M(int[] all) {
                var found = from each in all let half = Of(each) from other in all where half > 1 orderby Of(half) select each + other;
                return found.ToArray();
            }
        }
        """,
    )


def test_calls_in_views_are_for_those_who_ask_for_what_no_symbol_owns() -> None:
    texts = {
        "0.cs": "class C { public static int Made(string name) => 0; }",
        "Views/A.cshtml": '@C.Made("view")\n@functions { int Own() => C.Made("own"); }\n',
        "B.razor": '@C.Made("component")\n',
    }
    asked = Interests(invocations=("Made",), declarations=ANY, members=True)
    unowned = replace(asked, unowned=True)
    bound = bind_at("Views/A.cshtml", unowned, texts)
    assert (bound.is_unowned, bound.declarations) == (True, ())
    assert {(each.line, each.column, each.enclosing) for each in found_events(bound, unowned)} == {
        (1, 4, None),
        (2, 29, None),
    }
    assert found_events(bound, asked) == []
    assert bind_at("Views/A.cshtml", asked, texts).events == ()
    given = Distribution({0: Wanted(asked), 1: Wanted(unowned)}).of(bound)
    assert list(given.events) == [1]
    component = bind_at("B.razor", asked, texts)
    assert not component.is_unowned
    assert [each.enclosing for each in found_events(component, asked)] == ["T:B"]
