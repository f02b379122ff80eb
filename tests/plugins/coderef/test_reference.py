"""The notation of references: what is one, what is wrong with what is none, and that it survives being written and read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.model import SymbolKind
from codemap_core.model.symbol import FURTHER_KINDS
from codemap_plugins.coderef.designators import ABSENT, MEANINGS, Designator, designator_of
from codemap_plugins.coderef.issues import IssueCode, Severity
from codemap_plugins.coderef.parsing import parse, parse_pattern
from codemap_plugins.coderef.reference import Reference
from codemap_plugins.coderef.validation import check

words = st.from_regex(r"[A-Za-z_]\w{0,8}", fullmatch=True).filter(str.isidentifier)
path_parts = st.text(
    st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp"), exclude_characters="/"), min_size=1, max_size=12
).filter(
    lambda part: part == part.strip() and part not in (".", "..") and all(not c.isspace() or c == " " for c in part)
)
references = st.builds(
    Reference,
    designator=st.sampled_from(Designator),
    path=st.lists(path_parts, min_size=1, max_size=4).map("/".join),
    element=st.none() | st.lists(words, min_size=1, max_size=3).map(".".join),
    line=st.none() | st.integers(1, 999_999_999),
    metadata=st.dictionaries(
        st.from_regex(r"[A-Za-z_][\w-]{0,8}", fullmatch=True),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
        max_size=3,
    ).map(lambda each: tuple(sorted(each.items()))),
)


@given(references)
def test_what_is_written_is_read_again(reference: Reference) -> None:
    parsed = parse(str(reference))
    assert parsed.reference == reference, parsed.issues
    assert str(parsed.reference) == str(reference)


@given(st.text(max_size=60))
def test_any_text_is_a_reference_or_has_a_problem(text: str) -> None:
    parsed = parse(text)
    assert (parsed.reference is None) == bool(parsed.issues)
    if parsed.reference is not None:
        assert parse(str(parsed.reference)).reference == parsed.reference


@pytest.mark.parametrize(
    ("text", "code", "severity", "said"),
    [
        ("", IssueCode.EMPTY_REFERENCE, Severity.CRITICAL, "empty"),
        ("  ", IssueCode.EMPTY_REFERENCE, Severity.CRITICAL, "empty"),
        ("invalid_ref", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'i' at character 1"),
        ("@Fn", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "nothing at character 4"),
        ("@Fnn/src/a", IssueCode.INVALID_TYPE, Severity.ERROR, "'Fnn' at character 2"),
        ("@/src/a", IssueCode.INVALID_TYPE, Severity.ERROR, "'' at character 2"),
        ("@Fn/", IssueCode.EMPTY_PATH, Severity.ERROR, "character 5"),
        ("@Fn/#x", IssueCode.EMPTY_PATH, Severity.ERROR, "character 5"),
        ("@Fn/a#9x", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'9x' at character 7"),
        ("@Fn/a#", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'' at character 7"),
        ("@Fn/a#b:-1", IssueCode.NEGATIVE_LINE, Severity.ERROR, "-1 at character 9"),
        ("@Fn/a#b:0", IssueCode.NEGATIVE_LINE, Severity.ERROR, "0 at character 9"),
        ("@Fn/a#b:x", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'x' at character 9"),
        ("@Fn/a#b{status}", IssueCode.INVALID_METADATA_FORMAT, Severity.ERROR, "character 9"),
        ("@Fn/a#b{status:}", IssueCode.INVALID_METADATA_FORMAT, Severity.ERROR, "character 16"),
        ("@Fn/a#b{status:active", IssueCode.INVALID_METADATA_FORMAT, Severity.ERROR, "'}' is missing"),
        ("@Fn/a{a:1,a:2}", IssueCode.INVALID_METADATA_FORMAT, Severity.ERROR, "given before"),
        ("@Fn/../a", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "inside a repository"),
        ("@Fn//etc/passwd", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "inside a repository"),
        ("@Fn/a*b", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'*'"),
        ("@Fn/a%zz", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'%'"),
        ("@Fn/a%ff", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "'%'"),
        (f"@Fn/{'a' * 2_000}", IssueCode.MALFORMED_REFERENCE, Severity.CRITICAL, "maximum"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, code: IssueCode, severity: Severity, said: str) -> None:
    verdict = check(text)
    assert not verdict.is_valid
    first = verdict.issues[0]
    assert (first.code, first.severity) == (code, severity)
    assert said in first.message


def test_several_problems_are_found_in_one_pass() -> None:
    assert [each.code for each in parse("@Xx/#b:0{x}").issues] == [
        IssueCode.INVALID_TYPE,
        IssueCode.EMPTY_PATH,
        IssueCode.NEGATIVE_LINE,
        IssueCode.INVALID_METADATA_FORMAT,
    ]


def test_remarks_do_not_make_a_reference_invalid() -> None:
    custom = check("@Fn/src/utils#calculate_total:42{team:billing}")
    assert custom.is_valid
    (warning,) = custom.issues
    assert (warning.code, warning.severity) == (IssueCode.CUSTOM_METADATA, Severity.WARNING)
    assert warning.message == "Metadata not in standard categories"
    assert warning.suggestion == "Consider using standard categories"
    spaced = check("@Fn/a#b{ status : active }")
    assert spaced.is_valid
    assert [(each.code, each.suggestion) for each in spaced.issues] == [
        (IssueCode.NOT_CANONICAL, "@Fn/a#b{status:active}")
    ]
    assert not check("@C/a#B{coverage:85,status:active}").issues
    assert check("@C/a#B{coverage:150}").issues[0].code is IssueCode.CUSTOM_METADATA


def test_patterns_have_wildcards_where_references_have_none() -> None:
    pattern = parse_pattern("@*/src/*#Order.Sub*:3").pattern
    assert pattern is not None
    assert (pattern.designator, pattern.path, pattern.element, pattern.line) == (None, "src/*", "Order.Sub*", 3)
    assert parse("@*/src/a").issues[0].code is IssueCode.INVALID_TYPE


def test_there_are_26_designators_and_each_means_something_or_says_why_not() -> None:
    assert len(Designator) == 26
    others = {"F", "D", "Pkg"}
    assert {*MEANINGS, *ABSENT} == set(Designator) - others
    assert not set(MEANINGS) & set(ABSENT)


@pytest.mark.parametrize("kind", [*SymbolKind, *FURTHER_KINDS])
@pytest.mark.parametrize("is_static", [False, True])
def test_every_kind_of_symbol_has_a_designator_that_finds_it(kind: SymbolKind, is_static: bool) -> None:
    (meaning,) = (each for each in MEANINGS[designator_of(kind, is_static)] if kind in each.kinds)
    assert meaning.role is None
    assert not meaning.modifier
    assert is_static or not meaning.static or kind is SymbolKind.OPERATOR


def test_a_kind_that_a_plug_in_adds_is_custom() -> None:
    assert designator_of(SymbolKind("message"), False) is Designator.CUSTOM
