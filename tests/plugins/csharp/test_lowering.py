"""Lowered bodies: what each construct becomes, that no identifier is lost or doubled, and that nothing makes lowering fail."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codemap_core.syntax import Node
from codemap_plugins.csharp.bodies import Lowered, Op
from codemap_plugins.csharp.grammar import (
    ARROW_EXPRESSION_CLAUSE,
    ATTRIBUTE_LIST,
    BLOCK,
    FIELD_BODY,
    GOTO_STATEMENT,
    IDENTIFIER,
    IMPLICIT_PARAMETER,
    INTEGER_LITERAL,
    LABELED_STATEMENT,
    METHOD_DECLARATION,
    TUPLE_ELEMENT,
    VARIABLE_DECLARATION,
)
from codemap_plugins.csharp.lowering import lower_attributes, lower_body
from codemap_plugins.csharp.parsing import parse_source

_OPS = {op.value: op for op in Op}


def show(node: Lowered | None) -> str:
    """A lowered node without its offsets."""
    if node is None:
        return "-"
    op = _OPS[node[0]]
    parts = [op.name]
    for letter, operand in zip(op.layout, node[1:], strict=True):
        if letter in "iobe":
            continue
        if letter == "x":
            parts.append(show(operand))
        elif letter == "X":
            parts.append("-" if operand is None else "[" + ", ".join(show(part) for part in operand) + "]")
        elif letter == "t":
            parts.append("-" if operand is None else f"<{operand[0]}>")
        elif letter == "T":
            parts.append("-" if operand is None else "<" + "; ".join(type_[0] for type_ in operand) + ">")
        else:
            parts.append(repr(operand) if letter == "v" else str(operand) if operand != "" else "''")
    return "(" + " ".join(parts) + ")"


def identifiers(body: Lowered) -> Iterator[tuple[int, str]]:
    """(offset, name) of every identifier in a lowered node, in no promised order. The names inside a type are empty."""
    stack = [body]
    while stack:
        node = stack.pop()
        for at, letter in enumerate(_OPS[node[0]].layout, 1):
            operand = node[at]
            if operand is None:
                continue
            if letter == "i":
                if node[at + 1]:
                    yield operand, node[at + 1]
            elif letter == "x":
                stack.append(operand)
            elif letter == "X":
                stack.extend(operand)
            elif letter == "t":
                yield from ((offset, "") for offset in operand[1:])
            elif letter == "T":
                yield from ((offset, "") for type_ in operand for offset in type_[1:])


def body_of(source: str) -> Lowered:
    parsed = parse_source(f"class C {{ void M() {{ {source} }} }}".encode())
    assert parsed.error_count == 0, source
    method = next(node for node in walk(parsed.tree.root_node) if node.kind_id == METHOD_DECLARATION)
    body = method.child_by_field_id(FIELD_BODY)
    assert body is not None
    return lower_body(body, parsed.source)


def test_element_names_in_a_type_argument_that_comes_as_a_comparison() -> None:
    lowered = show(body_of("_ = await F<(int a, B.C? d)>(e);"))
    assert (
        lowered == "(BLOCK [(ASSIGN = (NAME _) (AWAIT (CHAIN (GENERIC_NAME F <(int a,B.C? d)>) [(CALL [(NAME e)])])))])"
    )


def walk(root: Node) -> Iterator[Node]:
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


EXPRESSIONS = [
    ("a is A or B.C && b ? 1 : 2",
     "(CONDITIONAL (BINARY (IS (NAME a) (OR_PATTERN [(TYPE_PATTERN <A>), (TYPE_PATTERN <B.C>)])) [(OPERAND && (NAME b))]) "
     "(LITERAL 2 1) (LITERAL 2 2))"),
    ("a", "(NAME a)"),
    ("@class", "(NAME class)"),
    ("a.b", "(CHAIN (NAME a) [(MEMBER b 0 -)])"),
    ('F($"")', "(CHAIN (NAME F) [(CALL [(INTERPOLATED [] '')])])"),
    ("a.b<int, C>(1)", "(CHAIN (NAME a) [(MEMBER b 0 <int; C>), (CALL [(LITERAL 2 1)])])"),
    ("F<A>()", "(CHAIN (GENERIC_NAME F <A>) [(CALL [])])"),
    ("a?.b.c?[1]!.d", "(CHAIN (NAME a) [(MEMBER b 1 -), (MEMBER c 0 -), (INDEX [(LITERAL 2 1)] 1), (SUPPRESS), (MEMBER d 0 -)])"),
    ("(a?.b).c", "(CHAIN (CHAIN (NAME a) [(MEMBER b 1 -)]) [(MEMBER c 0 -)])"),
    ("p->x", "(CHAIN (NAME p) [(MEMBER x 2 -)])"),
    ("global::A.B", "(CHAIN (ALIAS_NAME global A -) [(MEMBER B 0 -)])"),
    ("int.MaxValue", "(CHAIN (TYPE <int>) [(MEMBER MaxValue 0 -)])"),
    ("this.a + base.b", "(BINARY (CHAIN (THIS) [(MEMBER a 0 -)]) [(OPERAND + (CHAIN (BASE) [(MEMBER b 0 -)]))])"),
    ("a + b * c - d", "(BINARY (NAME a) [(OPERAND + (BINARY (NAME b) [(OPERAND * (NAME c))])), (OPERAND - (NAME d))])"),
    ("a ?? b", "(BINARY (NAME a) [(OPERAND ?? (NAME b))])"),
    ("!a", "(UNARY ! (NAME a))"),
    ("(T)a", "(CAST <T> (NAME a))"),
    ("a as B<C>", "(AS (NAME a) <B<C>>)"),
    ("a ? b : c", "(CONDITIONAL (NAME a) (NAME b) (NAME c))"),
    ("await a", "(AWAIT (NAME a))"),
    ("throw a", "(THROW (NAME a) 1)"),
    ("a..^b", "(RANGE (NAME a) (UNARY ^ (NAME b)))"),
    ("default(T)", "(DEFAULT <T>)"),
    ("default", "(DEFAULT -)"),
    ("typeof(D<,>)", "(TYPEOF <D<,>>)"),
    ("nameof(a.b)", "(NAMEOF (CHAIN (NAME a) [(MEMBER b 0 -)]))"),
    ("nameof(L<>).X", "(CHAIN (NAMEOF (GENERIC_NAME L <>)) [(MEMBER X 0 -)])"),
    ("checked(a)", "(CHECKED 1 (NAME a))"),
    ("!a?.b == c?[0]", "(BINARY (UNARY ! (CHAIN (NAME a) [(MEMBER b 1 -)])) [(OPERAND == (CHAIN (NAME c) [(INDEX [(LITERAL 2 0)] 1)]))])"),
    ("await a?.b()", "(AWAIT (CHAIN (NAME a) [(MEMBER b 1 -), (CALL [])]))"),
    ("a\n  ?.b\n  . c\n  ?. d", "(CHAIN (NAME a) [(MEMBER b 1 -), (MEMBER c 0 -), (MEMBER d 1 -)])"),
    ("(a) - b", "(BINARY (NAME a) [(OPERAND - (NAME b))])"),
    ("(a.b) && c", "(BINARY (CHAIN (NAME a) [(MEMBER b 0 -)]) [(OPERAND && (NAME c))])"),
    ("(a)[1]", "(CHAIN (NAME a) [(INDEX [(LITERAL 2 1)] 0)])"),
    ("(A)(b)", "(CAST <A> (NAME b))"),
    ("(int)-1", "(CAST <int> (UNARY - (LITERAL 2 1)))"),
    ("F<A>(b) && c == d",
     "(BINARY (CHAIN (GENERIC_NAME F <A>) [(CALL [(NAME b)])]) [(OPERAND && (BINARY (NAME c) [(OPERAND == (NAME d))]))])"),
    ("a.F<A>(b.c) - d", "(BINARY (CHAIN (NAME a) [(MEMBER F 0 <A>), (CALL [(CHAIN (NAME b) [(MEMBER c 0 -)])])]) [(OPERAND - (NAME d))])"),
    ("F<A<B>>(@b)[c]", "(CHAIN (GENERIC_NAME F <A<B>>) [(CALL [(NAME b)]), (INDEX [(NAME c)] 0)])"),
    ("new A<B>(c[0]) * d", "(BINARY (NEW <A<B>> [(CHAIN (NAME c) [(INDEX [(LITERAL 2 0)] 0)])] -) [(OPERAND * (NAME d))])"),
    ("a > (b) - 1", "(BINARY (NAME a) [(OPERAND > (BINARY (NAME b) [(OPERAND - (LITERAL 2 1))]))])"),
    ("a > (int)-b", "(BINARY (NAME a) [(OPERAND > (CAST <int> (UNARY - (NAME b))))])"),
    ("F(a * b, out c * d)", "(CHAIN (NAME F) [(CALL [(BINARY (NAME a) [(OPERAND * (NAME b))]), (ARGUMENT '' 2 (DECLARATION d <c*>))])])"),
    ("(int)a.F<A>(1, b).C", "(CAST <int> (CHAIN (NAME a) [(MEMBER F 0 <A>), (CALL [(LITERAL 2 1), (NAME b)]), (MEMBER C 0 -)]))"),
    ("new A<B>(c) { D = 1 }", "(NEW <A<B>> [(NAME c)] (INITIALIZER [(MEMBER_INITIALIZER D (LITERAL 2 1))]))"),
    ("F(1, new A<B, C>(d) { [e] = 1 }, 2)",
     "(CHAIN (NAME F) [(CALL [(LITERAL 2 1), (NEW <A<B,C>> [(NAME d)] (INITIALIZER [(INDEX_INITIALIZER [(NAME e)] (LITERAL 2 1))])), "
     "(LITERAL 2 2)])])"),
    ("F((int)a.G<B, C.D>(e))", "(CHAIN (NAME F) [(CALL [(CAST <int> (CHAIN (NAME a) [(MEMBER G 0 <B; C.D>), (CALL [(NAME e)])]))])])"),
    ("a < b && c > (d)", "(BINARY (NAME a) [(OPERAND < (NAME b)), (OPERAND && (BINARY (NAME c) [(OPERAND > (NAME d))]))])"),
    ("F(x: 1, ref a, out var b, out _, in c)",
     "(CHAIN (NAME F) [(CALL [(ARGUMENT x 0 (LITERAL 2 1)), (ARGUMENT '' 1 (NAME a)), (ARGUMENT '' 2 (DECLARATION b <var>)), "
     "(ARGUMENT '' 2 (NAME _)), (ARGUMENT '' 3 (NAME c))])])"),
    ("new A(1) { B = 2, [3] = 4, C = { 5, { 6, 7 } } }",
     "(NEW <A> [(LITERAL 2 1)] (INITIALIZER [(MEMBER_INITIALIZER B (LITERAL 2 2)), (INDEX_INITIALIZER [(LITERAL 2 3)] (LITERAL 2 4)), "
     "(MEMBER_INITIALIZER C (INITIALIZER [(LITERAL 2 5), (INITIALIZER [(LITERAL 2 6), (LITERAL 2 7)])]))]))"),
    ("new A { }", "(NEW <A> - (INITIALIZER []))"),
    ("new(1)", "(NEW_TARGET_TYPED [(LITERAL 2 1)] -)"),
    ("new int[2, n]", "(NEW_ARRAY <int[,]> [(LITERAL 2 2), (NAME n)] -)"),
    ("new[] { a }", "(NEW_ARRAY_IMPLICIT 1 (INITIALIZER [(NAME a)]))"),
    ("new { a.B, c, D = 1 }",
     "(NEW_ANONYMOUS [(CHAIN (NAME a) [(MEMBER B 0 -)]), (NAME c), (MEMBER_INITIALIZER D (LITERAL 2 1))])"),
    ("stackalloc int[3]", "(STACKALLOC <int[]> [(LITERAL 2 3)] -)"),
    ("[a, ..b]", "(COLLECTION [(NAME a), (SPREAD (NAME b))])"),
    ("x => (A[])[b]", "(LAMBDA 0 [(PARAMETER x - 0 0 - [])] - (CAST <A[]> (COLLECTION [(NAME b)])) [])"),
    ("x => (B.A[,])[b]", "(LAMBDA 0 [(PARAMETER x - 0 0 - [])] - (CAST <B.A[,]> (COLLECTION [(NAME b)])) [])"),
    ("a with { B = 1 }", "(WITH (NAME a) [(MEMBER_INITIALIZER B (LITERAL 2 1))])"),
    ("(a: 1, b)", "(TUPLE [(ARGUMENT a 0 (LITERAL 2 1)), (NAME b)])"),
    ("x => x.Y", "(LAMBDA 0 [(PARAMETER x - 0 0 - [])] - (CHAIN (NAME x) [(MEMBER Y 0 -)]) [])"),
    ("async (int a, ref B b, out c) => { }",
     "(LAMBDA 1 [(PARAMETER a <int> 0 0 - []), (PARAMETER b <B> 1 0 - []), (PARAMETER c - 2 0 - [])] - (BLOCK []) [])"),
    ("[A(1, B = 2)] static T (int x = 1) => x",
     "(LAMBDA 2 [(PARAMETER x <int> 0 0 (LITERAL 2 1) [])] <T> (NAME x) "
     "[(ATTRIBUTE <A> [(LITERAL 2 1), (MEMBER_INITIALIZER B (LITERAL 2 2))])])"),
    ("delegate { }", "(LAMBDA 12 [] - (BLOCK []) [])"),
    ("delegate (int a) { return; }", "(LAMBDA 4 [(PARAMETER a <int> 0 0 - [])] - (BLOCK [(RETURN -)]) [])"),
    ("a switch { 1 => b, C d when e => f, _ => g }",
     "(SWITCH_EXPRESSION (NAME a) [(ARM (CONSTANT_PATTERN (LITERAL 2 1)) - (NAME b)), "
     "(ARM (DECLARATION_PATTERN <C> (VARIABLE d)) (NAME e) (NAME f)), (ARM (DISCARD) - (NAME g))])"),
    ("from A a in b join c in d on a equals c into e let f = 1 where g orderby a.X descending, f group a by f into h select h",
     "(QUERY [(FROM a <A> (NAME b)), (JOIN c - (NAME d) (NAME a) (NAME c) (INTO e)), (LET f (LITERAL 2 1)), (WHERE (NAME g)), "
     "(ORDER_BY [(ORDERING (CHAIN (NAME a) [(MEMBER X 0 -)]) 1), (ORDERING (NAME f) 0)]), (GROUP (NAME a) (NAME f)), (INTO h), "
     "(SELECT (NAME h))])"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "lowered"), EXPRESSIONS, ids=[case[0] for case in EXPRESSIONS])
def test_expressions(source: str, lowered: str) -> None:
    assert show(body_of(f"_ = {source};")) == f"(BLOCK [(ASSIGN = (NAME _) {lowered})])"


LITERALS = [
    ("null", "0 None"),
    ("true", "1 True"),
    ("1", "2 1"),
    ("2147483648", "3 2147483648"),
    ("0x7F_FF", "2 32767"),
    ("0b101u", "3 5"),
    ("1L", "4 1"),
    ("4294967296", "4 4294967296"),
    ("1UL", "5 1"),
    ("9223372036854775808", "5 9223372036854775808"),
    ("1.5f", "6 1.5"),
    ("1e3", "7 1000.0"),
    (".5", "7 0.5"),
    ("1.10m", "8 '1.10'"),
    ("'a'", "9 'a'"),
    ("'\\u0041'", "9 'A'"),
    ("'\\''", '9 "\'"'),
    ('"a\\n\\"b\\x41"', "10 'a\\n\"bA'"),
    ('"\\uD83D\\uDE00"', "10 '😀'"),
    ('"\\uD83D"', "10 '\ufffd'"),
    ('@"a""b\\"', "10 'a\"b\\\\'"),
    ('"a"u8', "11 'a'"),
    ('"""a "b" """', "10 'a \"b\" '"),
    ('"""\n    a\n      b\n    """', "10 'a\\n  b'"),
]


@pytest.mark.parametrize(("source", "value"), LITERALS, ids=[case[0] for case in LITERALS])
def test_literals(source: str, value: str) -> None:
    assert show(body_of(f"_ = {source};")) == f"(BLOCK [(ASSIGN = (NAME _) (LITERAL {value}))])"


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ('$"a{b,5:N2}c{{\\t"', "(LITERAL 10 'a'), (HOLE (NAME b) (LITERAL 2 5) N2), (LITERAL 10 'c{\\t')"),
        ('$@"a""{b}\\n"', "(LITERAL 10 'a\"'), (HOLE (NAME b) - ''), (LITERAL 10 '\\\\n')"),
        ('$$"""a{b}{{c}}"""', "(LITERAL 10 'a{b}'), (HOLE (NAME c) - '')"),
        ('$"{{{a.B}}}"', "(LITERAL 10 '{'), (HOLE (CHAIN (NAME a) [(MEMBER B 0 -)]) - ''), (LITERAL 10 '}')"),
        ('$"{F("x")}"', "(HOLE (CHAIN (NAME F) [(CALL [(LITERAL 10 'x')])]) - '')"),
    ],
)
def test_interpolations(source: str, parts: str) -> None:
    assert show(body_of(f"_ = {source};")) == f"(BLOCK [(ASSIGN = (NAME _) (INTERPOLATED [{parts}] {source}))])"


PATTERNS = [
    ("1", "(CONSTANT_PATTERN (LITERAL 2 1))"),
    ("A.B<C>", "(TYPE_PATTERN <A.B<C>>)"),
    ("int", "(TYPE_PATTERN <int>)"),
    ("int.MaxValue", "(CONSTANT_PATTERN (CHAIN (TYPE <int>) [(MEMBER MaxValue 0 -)]))"),
    ("not null", "(NOT_PATTERN (CONSTANT_PATTERN (LITERAL 0 None)))"),
    ("A b", "(DECLARATION_PATTERN <A> (VARIABLE b))"),
    ("var _", "(DECLARATION_PATTERN <var> (DISCARD))"),
    ("var (a, (_, b))", "(DECLARATION_PATTERN <var> (DECONSTRUCTION [(VARIABLE a), (DECONSTRUCTION [(DISCARD), (VARIABLE b)])]))"),
    ("> 1 and (<= 3 or A.B)",
     "(AND_PATTERN [(RELATIONAL_PATTERN > (LITERAL 2 1)), (OR_PATTERN [(RELATIONAL_PATTERN <= (LITERAL 2 3)), (TYPE_PATTERN <A.B>)])])"),
    ("A or B or C", "(OR_PATTERN [(TYPE_PATTERN <A>), (TYPE_PATTERN <B>), (TYPE_PATTERN <C>)])"),
    ("{ A.B: 1, C: { } d } e",
     "(RECURSIVE_PATTERN - - [(SUBPATTERN [(NAME A), (NAME B)] (CONSTANT_PATTERN (LITERAL 2 1))), "
     "(SUBPATTERN [(NAME C)] (RECURSIVE_PATTERN - - [] (VARIABLE d)))] (VARIABLE e))"),
    ("A(var b, > 2) { C: 3 } d",
     "(RECURSIVE_PATTERN <A> [(SUBPATTERN [] (DECLARATION_PATTERN <var> (VARIABLE b))), "
     "(SUBPATTERN [] (RELATIONAL_PATTERN > (LITERAL 2 2)))] "
     "[(SUBPATTERN [(NAME C)] (CONSTANT_PATTERN (LITERAL 2 3)))] (VARIABLE d))"),
    ("(1, _)", "(RECURSIVE_PATTERN - [(SUBPATTERN [] (CONSTANT_PATTERN (LITERAL 2 1))), (SUBPATTERN [] (DISCARD))] - -)"),
    ("A(1, b: 2)",
     "(RECURSIVE_PATTERN <A> [(SUBPATTERN [] (CONSTANT_PATTERN (LITERAL 2 1))), "
     "(SUBPATTERN [(NAME b)] (CONSTANT_PATTERN (LITERAL 2 2)))] - -)"),
    ("[1, .., var a] b",
     "(LIST_PATTERN [(CONSTANT_PATTERN (LITERAL 2 1)), (SLICE_PATTERN -), (DECLARATION_PATTERN <var> (VARIABLE a))] (VARIABLE b))"),
    ("[_, .. var rest]", "(LIST_PATTERN [(DISCARD), (SLICE_PATTERN (DECLARATION_PATTERN <var> (VARIABLE rest)))] -)"),
    ("[.., 1]", "(LIST_PATTERN [(SLICE_PATTERN -), (CONSTANT_PATTERN (LITERAL 2 1))] -)"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "lowered"), PATTERNS, ids=[case[0] for case in PATTERNS])
def test_patterns(source: str, lowered: str) -> None:
    assert show(body_of(f"_ = x is {source};")) == f"(BLOCK [(ASSIGN = (NAME _) (IS (NAME x) {lowered}))])"


@pytest.mark.parametrize(
    ("source", "lowered"),
    [
        ("x is A || y", "(BINARY (IS (NAME x) (TYPE_PATTERN <A>)) [(OPERAND || (NAME y))])"),
        ("x is A.B || y", "(BINARY (IS (NAME x) (TYPE_PATTERN <A.B>)) [(OPERAND || (NAME y))])"),
        ("x is A.B.C ? y : z", "(CONDITIONAL (IS (NAME x) (TYPE_PATTERN <A.B.C>)) (NAME y) (NAME z))"),
        ("x is A.B<C> && y", "(BINARY (IS (NAME x) (TYPE_PATTERN <A.B<C>>)) [(OPERAND && (NAME y))])"),
        (
            "x is A.B<C> b && y",
            "(BINARY (IS (NAME x) (DECLARATION_PATTERN <A.B<C>> (VARIABLE b))) [(OPERAND && (NAME y))])",
        ),
        ("x is A<B>.C ?? y", "(BINARY (IS (NAME x) (TYPE_PATTERN <A<B>.C>)) [(OPERAND ?? (NAME y))])"),
        ("x is not A.B == y", "(BINARY (IS (NAME x) (NOT_PATTERN (TYPE_PATTERN <A.B>))) [(OPERAND == (NAME y))])"),
        (
            "x is A or B.C && y || z",
            "(BINARY (IS (NAME x) (OR_PATTERN [(TYPE_PATTERN <A>), (TYPE_PATTERN <B.C>)])) "
            "[(OPERAND && (NAME y)), (OPERAND || (NAME z))])",
        ),
        (
            "x is > A.B && y",
            "(BINARY (IS (NAME x) (RELATIONAL_PATTERN > (CHAIN (NAME A) [(MEMBER B 0 -)]))) [(OPERAND && (NAME y))])",
        ),
        (
            "x is -1 or A.B ? y : z",
            "(CONDITIONAL (IS (NAME x) (OR_PATTERN [(CONSTANT_PATTERN (UNARY - (LITERAL 2 1))), (TYPE_PATTERN <A.B>)])) (NAME y) (NAME z))",
        ),
        (
            "x switch { nameof(A) => y, B(C, (D, E)) => z }",
            "(SWITCH_EXPRESSION (NAME x) [(ARM (CONSTANT_PATTERN (NAMEOF (NAME A))) - (NAME y)), (ARM (RECURSIVE_PATTERN <B> "
            "[(SUBPATTERN [] (TYPE_PATTERN <C>)), (SUBPATTERN [] (RECURSIVE_PATTERN - [(SUBPATTERN [] (TYPE_PATTERN <D>)), "
            "(SUBPATTERN [] (TYPE_PATTERN <E>))] - -))] - -) - (NAME z))])",
        ),
        ("x is A + 1", "(IS (NAME x) (CONSTANT_PATTERN (BINARY (NAME A) [(OPERAND + (LITERAL 2 1))])))"),
        ("(x is A).B", "(CHAIN (IS (NAME x) (TYPE_PATTERN <A>)) [(MEMBER B 0 -)])"),
    ],
)
def test_patterns_that_the_grammar_reads_otherwise(source: str, lowered: str) -> None:
    assert show(body_of(f"_ = {source};")) == f"(BLOCK [(ASSIGN = (NAME _) {lowered})])"


STATEMENTS = [
    ("; break; continue; a: b: ; goto a;", ""),
    ("a++; --b;", "(POSTFIX ++ (NAME a)), (UNARY -- (NAME b))"),
    ("a += b; c ??= d;", "(ASSIGN += (NAME a) (NAME b)), (ASSIGN ??= (NAME c) (NAME d))"),
    ("int a = 1, b;", "(LOCAL 0 <int> [(DECLARATOR a (LITERAL 2 1)), (DECLARATOR b -)])"),
    ("const int a = 1;", "(LOCAL 4 <int> [(DECLARATOR a (LITERAL 2 1))])"),
    ("await using var a = b;", "(LOCAL 3 <var> [(DECLARATOR a (NAME b))])"),
    ("ref readonly var a = ref b;", "(LOCAL 8 <var> [(DECLARATOR a (REF (NAME b)))])"),
    ("var (a, _) = b;", "(LOCAL_DECONSTRUCTION <var> (DECONSTRUCTION [(VARIABLE a), (DISCARD)]) (NAME b))"),
    ("(int a, var b) = c;", "(ASSIGN = (TUPLE [(DECLARATION a <int>), (DECLARATION b <var>)]) (NAME c))"),
    ("return a; yield return b; yield break; throw; throw c;",
     "(RETURN (NAME a)), (YIELD (NAME b)), (YIELD -), (THROW - 0), (THROW (NAME c) 0)"),
    ("if (a) b(); else if (c) { } else d();",
     "(IF [(BRANCH (NAME a) (CHAIN (NAME b) [(CALL [])])), (BRANCH (NAME c) (BLOCK []))] (CHAIN (NAME d) [(CALL [])]))"),
    ("while (a) ; do b(); while (c);", "(WHILE (NAME a) (BLOCK [])), (DO (CHAIN (NAME b) [(CALL [])]) (NAME c))"),
    ("for (int i = 0; i < 1; i++, j--) ;",
     "(FOR [(LOCAL 0 <int> [(DECLARATOR i (LITERAL 2 0))])] (BINARY (NAME i) [(OPERAND < (LITERAL 2 1))]) "
     "[(POSTFIX ++ (NAME i)), (POSTFIX -- (NAME j))] (BLOCK []))"),
    ("for (i = 0; ; ) a();", "(FOR [(ASSIGN = (NAME i) (LITERAL 2 0))] - [] (CHAIN (NAME a) [(CALL [])]))"),
    ("foreach (A a in b) { } await foreach (var (c, d) in e) ;",
     "(FOREACH 0 <A> (VARIABLE a) (NAME b) (BLOCK [])), "
     "(FOREACH 2 <var> (DECONSTRUCTION [(VARIABLE c), (VARIABLE d)]) (NAME e) (BLOCK []))"),
    ("foreach ((int a, var b) in c) ;",
     "(FOREACH 0 - (TUPLE [(DECLARATION a <int>), (DECLARATION b <var>)]) (NAME c) (BLOCK []))"),
    ("switch (a) { case B: case 1 when c: d(); break; case E e: default: return; }",
     "(SWITCH (NAME a) [(SECTION [(LABEL (TYPE_PATTERN <B>) -), (LABEL (CONSTANT_PATTERN (LITERAL 2 1)) (NAME c))] "
     "[(CHAIN (NAME d) [(CALL [])])]), (SECTION [(LABEL (DECLARATION_PATTERN <E> (VARIABLE e)) -), (LABEL - -)] [(RETURN -)])])"),
    ("switch (a) { case A.B<C> b: case A.B<D> _ when c: break; }",
     "(SWITCH (NAME a) [(SECTION [(LABEL (DECLARATION_PATTERN <A.B<C>> (VARIABLE b)) -), "
     "(LABEL (DECLARATION_PATTERN <A.B<D>> (DISCARD)) (NAME c))] [])])"),
    ("switch (a) { case [..] when b: c(); break; case [X, Y] when d: break; }",
     "(SWITCH (NAME a) [(SECTION [(LABEL (LIST_PATTERN [(SLICE_PATTERN -)] -) (NAME b))] [(CHAIN (NAME c) [(CALL [])])]), "
     "(SECTION [(LABEL (LIST_PATTERN [(TYPE_PATTERN <X>), (TYPE_PATTERN <Y>)] -) (NAME d))] [])])"),
    ("try { } catch (A a) when (b) { } catch (C) { } catch { } finally { }",
     "(TRY (BLOCK []) [(CATCH a <A> (NAME b) (BLOCK [])), (CATCH '' <C> - (BLOCK [])), (CATCH '' - - (BLOCK []))] (BLOCK []))"),
    ("using (var a = b) c(); await using (d) { }",
     "(USING 0 (LOCAL 0 <var> [(DECLARATOR a (NAME b))]) (CHAIN (NAME c) [(CALL [])])), (USING 2 (NAME d) (BLOCK []))"),
    ("lock (a) { } fixed (int* p = &b) { }",
     "(LOCK (NAME a) (BLOCK [])), (FIXED (LOCAL 0 <int*> [(DECLARATOR p (UNARY & (NAME b)))]) (BLOCK []))"),
    ("checked { a(); } unsafe { }", "(CHECKED 1 (BLOCK [(CHAIN (NAME a) [(CALL [])])])), (BLOCK [])"),
    ("goto case A.B;", "(GOTO_CASE (CHAIN (NAME A) [(MEMBER B 0 -)]))"),
    ("static async Task<int> L<T>([A] T x, params int[] y) where T : B, new() => 1;",
     "(LOCAL_FUNCTION L <Task<int>> 3 [(TYPE_PARAMETER T)] [(PARAMETER x <T> 0 0 - [(ATTRIBUTE <A> -)]), (PARAMETER y <int[]> 0 16 - [])] "
     "[(CONSTRAINT T <B> 4)] (LITERAL 2 1) [])"),
    ("a?.b = 1; a?.c += d;",
     "(ASSIGN = (CHAIN (NAME a) [(MEMBER b 1 -)]) (LITERAL 2 1)), (ASSIGN += (CHAIN (NAME a) [(MEMBER c 1 -)]) (NAME d))"),
    ("F(0) = a; F() = b;",
     "(ASSIGN = (CHAIN (NAME F) [(CALL [(LITERAL 2 0)])]) (NAME a)), (ASSIGN = (CHAIN (NAME F) [(CALL [])]) (NAME b))"),
    ("A.F<B>(ref c) = a; *(A*)b.c = a;",
     "(ASSIGN = (CHAIN (NAME A) [(MEMBER F 0 <B>), (CALL [(ARGUMENT '' 1 (NAME c))])]) (NAME a)), "
     "(ASSIGN = (UNARY * (CAST <A*> (CHAIN (NAME b) [(MEMBER c 0 -)]))) (NAME a))"),
    ("*(p + 1) = a;", "(ASSIGN = (UNARY * (BINARY (NAME p) [(OPERAND + (LITERAL 2 1))])) (NAME a))"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "lowered"), STATEMENTS, ids=[case[0] for case in STATEMENTS])
def test_statements(source: str, lowered: str) -> None:
    assert show(body_of(source)) == f"(BLOCK [{lowered}])"


COMMENTED = "/* c */ x // d\n . /* e */ y ( a /* f */ : 1 , /* g */ ref /* h */ b ) ;"
MEMBERS = "[A(B.C)] int d = E.F, g; event H i; int J => k;"
CODE = [
    *(f"_ = {case[0]};" for case in (*EXPRESSIONS, *LITERALS)),
    *(f"_ = x is {case[0]};" for case in PATTERNS),
    *(case[0] for case in STATEMENTS),
    COMMENTED,
]
SAMPLE = "class C { void M() { " + "\n".join(CODE) + " } " + MEMBERS + " }\n"


def bodies(root: Node, source: bytes) -> Iterator[tuple[Node, Lowered]]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind_id in (BLOCK, ARROW_EXPRESSION_CLAUSE, VARIABLE_DECLARATION):
            yield node, lower_body(node, source)
        elif node.kind_id == ATTRIBUTE_LIST:
            yield node, [Op.STATEMENTS.value, lower_attributes(node, source)]
        else:
            stack.extend(node.children)


def identifiers_in(root: Node, source: bytes) -> Counter[int]:
    found: Counter[int] = Counter()
    stack = [root]
    while stack:
        node = stack.pop()
        is_hidden = node.kind_id == INTEGER_LITERAL and not source[node.start_byte : node.start_byte + 1].isdigit()
        if is_hidden or node.kind_id in (IDENTIFIER, IMPLICIT_PARAMETER):
            found[node.start_byte] += 1
        elif node.kind_id == LABELED_STATEMENT:
            stack.extend(node.children[1:])
        elif node.kind_id == TUPLE_ELEMENT:
            stack.append(node.children[0])
        elif node.kind_id != GOTO_STATEMENT or b"case" in source[node.start_byte : node.end_byte]:
            stack.extend(node.children)
    return found


WITHOUT_A_ROW = (b"nameof", b"_", b"dynamic", b"*", b"..")
"""What is an identifier in the tree and means something else."""


def test_every_identifier_appears_exactly_once() -> None:
    parsed = parse_source(SAMPLE.encode())
    assert parsed.error_count == 0
    checked = 0
    for node, lowered in bodies(parsed.tree.root_node, parsed.source):
        wanted = identifiers_in(node, parsed.source)
        found = Counter(offset for offset, _ in identifiers(lowered))
        for offset in wanted.keys() | found.keys():
            if not parsed.source.startswith(WITHOUT_A_ROW, offset):
                assert (wanted[offset], found[offset]) == (1, 1), parsed.source[offset : offset + 40]
                checked += 1
    assert checked > 200


def test_names_are_what_the_source_has_at_their_offsets() -> None:
    parsed = parse_source(SAMPLE.encode())
    for _, lowered in bodies(parsed.tree.root_node, parsed.source):
        for offset, name in identifiers(lowered):
            written = parsed.source[offset : offset + len(name) + 1].decode()
            assert name in (written[:-1], written.removeprefix("@"))


def test_bodies_survive_encoding() -> None:
    parsed = parse_source(SAMPLE.encode())
    for _, lowered in bodies(parsed.tree.root_node, parsed.source):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(lowered)) == lowered


FRAGMENTS = SAMPLE.replace("\n", " ").split(" ")


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, len(FRAGMENTS)),
    st.integers(1, 60),
    st.lists(st.tuples(st.integers(0, 60), st.sampled_from(FRAGMENTS)), max_size=6),
)
def test_broken_code_lowers(start: int, length: int, insertions: list[tuple[int, str]]) -> None:
    fragments = FRAGMENTS[start : start + length]
    for at, fragment in insertions:
        fragments.insert(at, fragment)
    parsed = parse_source(
        f"class C {{ void M() {{ {' '.join(fragments)} }} int X = {' '.join(fragments[:9])}; }}".encode()
    )
    for _, lowered in bodies(parsed.tree.root_node, parsed.source):
        msgspec.msgpack.encode(lowered)
        show(lowered)
        assert all(0 <= offset < len(parsed.source) for offset, _ in identifiers(lowered))


DEEP = {
    "parentheses": ("(", "a", ")"),
    "calls": ("F(", "a", ")"),
    "blocks": ("{", "", "}"),
    "lambdas": ("x => ", "a", ""),
    "additions": ("a + ", "a", ""),
    "coalescing": ("a ?? ", "a", ""),
    "conditionals": ("a ? b : ", "c", ""),
    "negations": ("!", "a", ""),
    "members": ("", "a", ".b()"),
    "initialisers": ("new A { B = ", "a", "}"),
    "collections": ("[", "a", "]"),
    "patterns": ("a is (", "b", ")"),
    "else if": ("if (a) b(); else ", "c();", ""),
    "ifs": ("if (a) ", "c();", ""),
    "types": ("new A<", "B", ">()"),
    "assignments": ("a = ", "b", ""),
}


@pytest.mark.parametrize(("before", "middle", "after"), DEEP.values(), ids=DEEP.keys())
@pytest.mark.parametrize("depth", [60, 5_000])
def test_deep_code_ends(before: str, middle: str, after: str, depth: int) -> None:
    source = f"class C {{ void M() {{ x = {before * depth}{middle}{after * depth}; }} }}"
    if middle.endswith(";") or before == "{":
        source = source.replace("x = ", "")
    parsed = parse_source(source.encode())
    for _, lowered in bodies(parsed.tree.root_node, parsed.source):
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(lowered)) == lowered
