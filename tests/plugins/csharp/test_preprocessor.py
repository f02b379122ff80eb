"""Directives: what a set of symbols compiles, what is left out, and under which condition it would be compiled."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_plugins.csharp.conditions import conjunction, negation, parse_condition
from codemap_plugins.csharp.preprocessor import preprocess


def kept(source: str, *symbols: str) -> str:
    """The words that are left after masking."""
    return " ".join(preprocess(source.encode(), symbols).masked.decode().split())


CONDITIONS = [
    ("A", True),
    ("!A", False),
    ("B", False),
    ("A && B", False),
    ("A || B", True),
    ("A&&!B", True),
    ("!(A || B)", False),
    ("A == B", False),
    ("A != B", True),
    ("B == false", True),
    ("B || A && A", True),
    ("!A || !B", True),
    ("!A == B", True),
    ("true", True),
    ("false || A", True),
    ("((A))", True),
    ("A // comment", True),
]


@pytest.mark.parametrize(("condition", "holds"), CONDITIONS)
def test_conditions(condition: str, holds: bool) -> None:
    assert kept(f"#if {condition}\nyes\n#else\nno\n#endif\n", "A") == ("yes" if holds else "no")


@pytest.mark.parametrize("condition", ["", "A &&", "(A", "A B", "&& A", "A)", "1+1", "!", "A =! B", "(" * 10_000])
def test_a_malformed_condition_is_a_problem_and_does_not_hold(condition: str) -> None:
    result = preprocess(f"\n#if {condition}\nyes\n#endif\n".encode(), ("A",))
    assert [(problem.code, problem.line) for problem in result.problems] == [("malformed_condition", 2)]
    assert not result.masked.split()


@pytest.mark.parametrize(
    ("written", "negated"),
    [
        ("A", "!A"),
        ("!A", "A"),
        ("A && B", "!(A && B)"),
        ("(A)||B", "!(A || B)"),
        ("A==B", "!(A == B)"),
        ("true", "false"),
    ],
)
def test_negation_is_readable(written: str, negated: str) -> None:
    condition = parse_condition(written)
    assert condition is not None
    assert str(negation(condition)) == negated


def test_conjunction_drops_what_is_said_twice() -> None:
    parts = [parse_condition(text) for text in ("A", "B || C", "A && D", "true")]
    assert str(conjunction(part for part in parts if part is not None)) == "A && (B || C) && D"


SOURCE = """\
#define OWN
using System;
#if NETFRAMEWORK
old
#   if X // nested
oldx
#   else
oldy
#   endif
older
#elif NET8_0_OR_GREATER && OWN
new
#else
neither
#endif
#region R
#pragma warning disable CS1
#nullable enable
#line 5 "f"
rest
#endregion"""


def test_inactive_regions_say_what_they_need() -> None:
    result = preprocess(SOURCE.encode(), ("NET8_0_OR_GREATER",))
    assert result.masked.decode().split() == ["using", "System;", "new", "rest"]
    assert [
        (result.source[region.start : region.end].decode().strip(), region.condition) for region in result.inactive
    ] == [
        ("old", "NETFRAMEWORK"),
        ("oldx", "NETFRAMEWORK && X"),
        ("oldy", "NETFRAMEWORK && !X"),
        ("older", "NETFRAMEWORK"),
        ("neither", "!NETFRAMEWORK && !(NET8_0_OR_GREATER && OWN)"),
    ]


def test_alternatives_compile_every_region_once_in_its_surroundings() -> None:
    result = preprocess(SOURCE.encode(), ("NET8_0_OR_GREATER",))
    alternatives = list(result.alternatives())
    assert [alternative.masked.decode().split() for alternative in alternatives] == [
        ["using", "System;", "old", "oldx", "older", "rest"],
        ["using", "System;", "old", "oldy", "older", "rest"],
        ["using", "System;", "neither", "rest"],
    ]
    regions = [region for alternative in alternatives for region in alternative.regions]
    assert sorted(region.start for region in regions) == [region.start for region in result.inactive]


def test_an_inactive_branch_inside_an_active_one() -> None:
    result = preprocess(b"#if A\na\n#if B\nb\n#endif\nc\n#endif\n", ("A",))
    assert [region.condition for region in result.inactive] == ["A && B"]
    assert [alternative.masked.split() for alternative in result.alternatives()] == [[b"a", b"b", b"c"]]


@pytest.mark.parametrize(
    ("source", "code", "line"),
    [
        ("a\n#endif\n", "stray_directive", 2),
        ("#else\n", "stray_directive", 1),
        ("#if A\n#else\n#else\n#endif\n", "stray_directive", 3),
        ("a\n#if A\nb\n", "unterminated_if", 2),
        ("#frobnicate\n", "unknown_directive", 1),
    ],
)
def test_what_is_wrong_is_a_problem(source: str, code: str, line: int) -> None:
    assert [(problem.code, problem.line) for problem in preprocess(source.encode(), ()).problems] == [(code, line)]


@pytest.mark.parametrize(
    "source",
    [
        "#!/usr/bin/env dotnet\n#:package Spectre.Console@0.49\n#:property A=B\nx",
        '#r "x.dll"\n#load "y"\nx',
        '\t # region\n  #endregion text\n#pragma checksum "f" "{}" "00"\n#warning w\n#error e\n#nullable\n#line hidden\nx',
    ],
)
def test_directives_without_effect_go(source: str) -> None:
    result = preprocess(source.encode(), ())
    assert result.masked.split() == [b"x"]
    assert not result.problems


LITERALS = [
    'var s = @"\n#if NO\n";',
    'var s = @"a""\n#if NO\n";',
    'var s = """\n#if NO\n""";',
    'var s = """"\n"""\n#if NO\n"""";',
    'var s = $"""\n{a}\n#if NO\n""";',
    'var s = $$"""\n{{F("}}", "\\"")}} {\n#if NO\n""";',
    'var s = $@"{F("a", @"b""")}\n#if NO\n";',
    'var s = @$"{{ {(a ? "x" : $"{b["k"]}")}\n#if NO\n";',
    "/*\n#if NO\n*/",
    '/* \' " */ // @" \n/*\n#if NO\n*/',
    "var c = '\"'; var d = '\\''; /*\n#if NO\n*/",
    'var s = "\\\\"; var t = "\\"/*"; /*\n#if NO\n*/',
    "a # b",
]


@pytest.mark.parametrize("source", LITERALS)
def test_literals_and_comments_hold_no_directives(source: str) -> None:
    whole = f"{source}\n#if NO\ngone\n#endif\nkept\n"
    result = preprocess(whole.encode(), ())
    assert result.masked.decode().startswith(source)
    assert result.masked.split()[-1] == b"kept"
    assert b"gone" not in result.masked
    assert not result.problems


def test_left_out_text_has_no_literals() -> None:
    assert kept('#if NO\ndon\'t "say /* @"\n#else\nyes\n#endif\n') == "yes"


def test_define_and_undef_hold_from_where_they_stand() -> None:
    assert kept("#if A\na\n#endif\n#define A\n#if A\nb\n#endif\n#undef A // x\n#if A\nc\n#endif\n") == "b"


lines = st.sampled_from(
    [
        "#if A",
        "#if !B || A",
        "#elif B",
        "#else",
        "#endif",
        "#define B",
        "text",
        "été",
        's = "',
        '@"',
        "/*",
        "*/",
        "'",
        '$"{',
        '"""',
        " # x",
    ]
)


@given(st.lists(lines), st.sampled_from(["\n", "\r\n", "\r"]))
def test_masking_keeps_lengths_and_line_ends(parts: list[str], end: str) -> None:
    source = end.join(parts).encode()
    result = preprocess(source, ("A",))
    for masked in (result.masked, *(alternative.masked for alternative in result.alternatives())):
        assert len(masked) == len(source)
        assert [at for at, byte in enumerate(masked) if byte in b"\r\n"] == [
            at for at, byte in enumerate(source) if byte in b"\r\n"
        ]
        assert all(byte in (32, source[at]) for at, byte in enumerate(masked))


@pytest.mark.parametrize(
    "source",
    ["#if A\n" * 20_000, "#if A\n" + "#elif B\n" * 5_000 + "#endif\n", '$"{' * 20_000, '"' * 30_001, "/*" * 50_000],
)
def test_hostile_input_ends(source: str) -> None:
    preprocess(source.encode() + b"\n#x", ())
