"""Constructs that the grammar lacks parse after repair, keep every offset, and are not touched where nothing is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from codemap_core.model import DocumentStatus
from codemap_core.syntax import Node, count_errors
from codemap_plugins.csharp.grammar import CLASS_DECLARATION, CSHARP, FIELD_NAME
from codemap_plugins.csharp.parsing import parse_source
from codemap_plugins.csharp.repair import MASKS


def statement(code: str) -> str:
    return f"class C {{ void M() {{ {code} }} }}"


UNSUPPORTED = {
    "lambda parameter modifiers": statement("F((text, out result) => true); G((ref x, in y) => 1); D d = (scoped ref x) => 1;"),
    "typed out lambda parameters": statement("F((out Uri a) => true, (out int a) => { a = 1; }); D d = (out List<int> a, int b) => true;"),
    "compound assignment operator": (
        "struct S { public void operator +=(int x) { } public void operator checked -=(S s) { } public void "
        "operator >>>=(int s) { } }"
    ),
    "allows ref struct": "class C<T> where T : allows ref struct { void M<U>() where U : new(), allows ref struct { } }",
    "slice with a sub-pattern": statement("if (a is [.. var x]) { } if (a is [.. { Length: > 1 }]) { }"),
    "slice before another pattern": statement("if (a is [.., var b]) { } if (a is [..]) { }"),
    "slices in arms": statement(
        "x = a switch { [.. string s] => 1, [1, .. [2]] => 2, [.. not null, 4] => 5, [.., > 3] => 3, [] => "
        "1, [..] => 2 };"
    ),
    "guarded list pattern": statement(
        "switch (a) { case [..] when c: b(); break; case [] when c && d: break; case [X, Y] when c: break; "
        "case [1] when c: break; }"
    ),
    "guarded list pattern in an arm": statement("x = a switch { [_] when b => 1, _ => 2 };"),
    "attribute target in a collection expression": statement(
        "F([type]); G([method]); x = [property, x]; y = [field]; z = [param]; d = [type.Name, "
        "b];"
    ),
    "attribute target as an index initialiser": statement("w = new D { [type] = 1, [field.X] = 2 };"),
    "required as a name": statement("required = 1; required.X();"),
    "partial as a name": statement("partial.X(); partial = 1;"),
    "await as a name": statement("await.X();"),
    "and, or, with as names": statement("foreach (var and in x) { } F(out var or); var with = 1;"),
    "and, or, with as what a label declares": statement(
        "switch (x) { case A.B or: F(or.C); break; case A.D and when and.E: break; } _ = x is A.F and && and.G || x is A.H or || or.I;"
    ),
    "checked constants as patterns": statement(
        "if (a is unchecked((uint)-1) or checked(1 + B)) { } x = a switch { not unchecked(C - 1) => 1 };"
    ),
    "assignment to a call": statement("F(0) = x; F() = x; a.F(1, G(2)) += x; A<B<int?>>.F(y) = x;"),
    "assignment to a generic call": statement("A.F<B, C<int>>(ref a) = x; F<B>(ref A.G(ref a, 1)) = x; P = F<B>() = x;"),
    "assignment through a cast pointer to a member": statement("*(A*)this.b.c = v; *(int*)a.b = v; *(int*)a->b = v; *(int*)&a = v;"),
    "indirection within an operator": statement(
        "a = b ? *(A*)p : *(B<C>*)q; c = (float)*(double*)&d; F(() => *(A*)p, ref *(A*)p); a &= ~*(b*)&c; "
        "while (!(*p == 1 && *(p + 1) == 2)) { if (*--p == '0' || *--p != *++q) { } b = *++p; }"
    ),
    "assignment to an indirection in parentheses": statement("(*(A*)p) = 1; (*(B*)(p)) = (*(C*)(q)); (*p) = 2; *--p = 3;"),
    "indirection after a cast to a number": statement("a = (uint)*((A*)p) << 16; b = (int)*p;"),
    "products with a size beside an indirection": statement("a = sizeof(int) * (1 + b); *(int*)p = 1; c = sizeof (int) * (d);"),
    "typed in lambda parameters": statement("F((in A a, in B<C> b) => true, (in A a) => { });"),
    "closing quotes after a hole with strings": statement(
        's = $@"a=""{F("b")}""" + $@"{F("c")}"""""; t = $"{F("d")}" + $"""{a}""" + @"""";'
    ),
    "escaped quotes in a format": statement(r's = $"{a:HH \"b\"} {c:\"d\"}" + "{e:" + "\"}";'),
    "modifier of a finalizer": "class C { unsafe ~C() { } class D { extern ~D(); } }",
    "another kind of space": "class C { void M(\u2002A a,\u2009B b) { } }",
    "empty interpolated string": statement('F($""); x = $"" + $""; y = @$"" + $@"" + "" + @"" + $"{a}";'),
    "scoped before a modifier": (
        "class C { void M(scoped in A a, [B] scoped in A b, scoped params Span<A> c) { foreach (var scoped in c) { } } }"
    ),
    "semicolon apart from a declaration": "namespace N { class C { class D { } ; enum E { }\t; } ; }",
    "assignment through a cast pointer": statement(
        "*(int*)p = v; *(T*)p = v; *(byte*)(p + 4) = 1; *((int*)p) = 3; *p++ = 2; *(p + 1) = "
        "3;"
    ),
    "indirection of a value": statement("return *(++p);"),
    "quotes in a verbatim interpolated string": statement('s = $@"""{a}"""; t = $@"\\""{b}"", x";'),
    "discard as a range variable": statement("var q = from _ in a from _ in b select 1;"),
    "slice apart from its brackets": statement("x = a switch { [ .. ] => 1, [  ..  , 2 ] => 3 };"),
    "attribute target of an accessor": "class C { [A] [set: B(nameof(D))] [get : E] string f; [property: F] int g; }",
    "closed class": "closed class A { } closed abstract record B;",
    "union with a body": "class C { protected union U(int, A); union V<T>(A, T) { int x; } }",
}  # fmt: skip

SUPPORTED = {
    "creation in a comment before a line that begins with blanks": (
        "class C {\n    /// new D<A, B> {\n    ///   { 1 }\n    /// };\n    void M() {\n        // new D<A, B>\n        { } } }"
    ),
    "creation behind an address": statement('F("http://x", new D<A, B> {\n  [1] = 2 }, a < b, c > d);'),
    "extension block": "static class E { extension(string s) { public int P => 1; } void After() { } }",
    "generic extension block": (
        "static class E { extension<T>(List<T> s) where T : class { public T P => s[0]; public static T "
        "operator +(T a, T b) => a; } }"
    ),
    "extension block without a receiver's name": "static class E { extension(string) { public static int P => 1; } }",
    "extension block of a constructed type": (
        "static class E { extension<T>(IEnumerable<(int, T)>) { } extension<T>(ref T) where T : struct { } "
        "}"
    ),
    "extension block with modifiers": "static class E { extension(ref int x) { } extension(A.B) { } extension([NotNull] string? s) { } }",
    "extension block of methods": "static class E { /* a */\n extension(A a) where A : B { public int M(in int x) { return 1; } } }",
    "extension blocks with comments before their braces": (
        "static class E { extension<T>(A<T> a) // of {T};\n { public int P => 1; } extension(B) /* static */ { } "
        "extension<T>(C<T> c)\n // C\n where T : D // of {D};\n { public int M() => 1; } }"
    ),
    "extension as a name": "class C { int extension(int x) { return extension(x); } }",
    "no line end after a directive": "class C { }\n#endregion",
    "file-based app": "#:package A@1\n#:sdk X\nConsole.WriteLine(1);",
    "shebang": "#!/usr/bin/env dotnet\nX();",
    "primary constructors": "class C(int x) : B(x), I { } record R(int A) : B(A); record struct S; interface I; enum F; class G;",
    "list patterns": statement("if (a is [1, .., 3] or [var f, ..] or []) { }"),
    "indices and ranges": statement("x = a[..]; y = a[1..^2]; z = b[^1];"),
    "async as a name": statement(
        "x = async; F(async: true); if (async) { } F(async, ss => ss.Set<X>(), assertOrder: true); var y = "
        "!async && async;"
    ),
    "async returned": "class C { X M(bool async) { return async; } X N(bool async) => new X(d, async); X O(bool async) => async ? 1 : 2; }",
    "async called": "class C { int M(bool b) { return b ? async() : async(1); async Task<int> async(int x) { return 1; } } }",
    "async as a modifier": "class C { async Task B() => await X(async () => 1, async x => 2, async delegate { }, static async (a) => 2); }",
    "attributes with targets": (
        "class C { [return: A] [field: B(1, X = 2)] public required int X { get; init; } [method: A] void "
        "M([param: A] int x) { } }"
    ),
    "conditional assignment": statement("a?.b = 1; a?.b.c?.d = x?.y; a?[0] += 2; a?.E += H; a?.b(1).c -= f(2);"),
    "brace escape before a hole": statement('s = $"{{{F(",", e)}}}"; t = $"{{{{{a}}}}}";'),
    "nullable elements": statement("int?[] a = new int?[n]; var b = new A.B<C>?[1, 2]; c = d?[0] ?? e; f = g ? [1] : [2];"),
    "conditional access": statement("x = a?.b == c; if (a?.b >= 1 && a?[0] != d) { }"),
    "products": statement("a = (b) * (c) * d++ * (e) /* (f) */ * g.H<I>() * (j) /*(k*)*/ * l[0] * (m); *(n) = o! * (p);"),
    "tuples": statement("(a, b) = (b, a); var (x, (y, _)) = z; (int q, var w) = e;"),
}  # fmt: skip


@pytest.mark.parametrize("source", UNSUPPORTED.values(), ids=UNSUPPORTED.keys())
def test_parses_after_repair(source: str) -> None:
    parsed = parse_source(source.encode())
    assert (parsed.status, parsed.error_count, parsed.problems) == (DocumentStatus.REPAIRED, 0, ())
    assert parsed.source == source.encode() + b"\n"
    assert len(parsed.masked) == len(parsed.source)


@pytest.mark.parametrize("source", SUPPORTED.values(), ids=SUPPORTED.keys())
def test_needs_no_repair(source: str) -> None:
    assert parse_source(source.encode()).status is DocumentStatus.CLEAN


@pytest.mark.parametrize("source", SUPPORTED.values(), ids=SUPPORTED.keys())
def test_masks_break_nothing_that_parses(source: str) -> None:
    masked = parse_source(source.encode()).masked
    for mask in MASKS:
        edited = bytearray(masked)
        for match in mask.pattern.finditer(masked):
            for start, text in mask.edits(match):
                edited[start : start + len(text)] = text
        assert len(edited) == len(masked), mask.name
        assert count_errors(CSHARP.parse(bytes(edited))) == 0, mask.name


def test_an_extension_block_is_a_class_whose_keyword_the_source_does_not_have() -> None:
    parsed = parse_source(b"static class E { extension<T>(List<T> s) { } }")
    (block,) = [
        node for node in walk(parsed.tree.root_node) if parsed.source.startswith(b"extension", node.start_byte)
    ][:1]
    name = block.child_by_field_id(FIELD_NAME)
    assert block.kind_id == CLASS_DECLARATION
    assert name is not None
    assert parsed.masked[name.start_byte : name.end_byte] == b"Ext"
    assert name.start_byte == block.start_byte + len(b"class ")


def walk(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def test_a_method_keeps_its_modifiers_beside_repaired_lambdas() -> None:
    source = b"class C { object M(in A a) => N<int>((in A b) => 1); object N<T>(in A a) => async (in A b) => 2; }"
    parsed = parse_source(source)
    assert parsed.error_count == 0
    assert [parsed.masked[at : at + 2] for at in (match.start() for match in re.finditer(rb"in A", source))] == [
        b"in",
        b"  ",
        b"in",
        b"  ",
    ]


def test_a_declaration_around_what_cannot_be_parsed_is_kept() -> None:
    parsed = parse_source(b"class A { void M() { int = ; } }\nclass B { }\n")
    assert parsed.status is DocumentStatus.FALLBACK
    assert parsed.error_count > 0
    assert [(problem.code, problem.line) for problem in parsed.problems] == [("syntax", 1)]
    assert [node.type for node in parsed.tree.root_node.children] == ["class_declaration", "class_declaration"]


def test_alternatives_are_repaired_too() -> None:
    parsed = parse_source(b"class C {\n#if NEW\nvoid M() { a?.b = 1; }\n#endif\n}\n")
    (alternative,) = parsed.alternatives()
    assert alternative.error_count == 0
    assert [region.condition for region in alternative.regions] == ["NEW"]
    assert parsed.status is DocumentStatus.CLEAN


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xef\xbb\xbf",
        b"\0\0\0\0",
        b"\xff\xfe",
        b"{" * 50_000,
        b"A<" * 50_000,
        b"(" * 50_000,
        b"x?.y" * 20_000,
        b"[" * 50_000,
    ],
)
def test_any_content_gives_a_tree_soon(content: bytes) -> None:
    parsed = parse_source(content)
    assert parsed.tree.root_node.end_byte <= len(parsed.source)
    assert parsed.status in (DocumentStatus.CLEAN, DocumentStatus.FALLBACK, DocumentStatus.SKIPPED)


def test_huge_files_are_skipped() -> None:
    assert parse_source(b"class C { }\n" * 1_500_000).status is DocumentStatus.SKIPPED
