"""Regular expressions: what they find, and that no pattern can hold the search up."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from codemap_core.errors import InvalidArgumentError
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.search.pattern_literal import required_literal, token_expression
from codemap_core.queries.search.text_search import TextFilter, search_text
from codemap_core.queries.snapshot import Snapshot
from codemap_core.testing.sample_index import LINES_FILE, ORDER_FILE, SERVICE_FILE, TEXTS


def found(snapshot: Snapshot, pattern: str, path_prefix: str = "") -> list[tuple[str, int]]:
    return [
        (match.file_path, match.line)
        for match in search_text(snapshot, pattern, TextFilter(path_prefix=path_prefix)).matches
    ]


@pytest.mark.parametrize(
    "pattern",
    [
        "Order",
        r"public\s+\w+",
        r"^namespace",
        r"\{$",
        r"\[\];",
        r"\.Id > 0",
        r"(?i)ORDER",
        r"order|lines",
        r"List<string>",
        r"=> order\.Id",
        r"[^\w\s]{2,}",
        r"x*",
        r"^$",
        r"\x4frder",
        r"Or(der)?S",
        r"nothing of it",
    ],
)
def test_finds_what_re_finds_line_by_line(sample: Snapshot, pattern: str) -> None:
    expected = [
        (path, number)
        for path in sorted(TEXTS)
        for number, line in enumerate(split_lines(TEXTS[path]), start=1)
        if re.search(pattern, line)
    ]
    assert found(sample, pattern) == expected[:50]


def test_answers_have_trimmed_lines_and_count_files(sample: Snapshot) -> None:
    response = search_text(sample, "throw new")
    assert [match.excerpt for match in response.matches] == [
        "private bool Store(Order order) => throw new InvalidOperationException();"
    ]
    assert (response.total_files, response.truncated, response.timed_out) == (3, False, False)


def test_a_path_prefix(sample: Snapshot) -> None:
    assert {path for path, _ in found(sample, "Order", "./src\\shop/order.")} == {LINES_FILE, ORDER_FILE}
    assert search_text(sample, "Order", TextFilter(path_prefix="none/")).total_files == 0


@pytest.mark.parametrize("prefix", ["", " ", ".", "./", ".\\"])
def test_the_root_is_the_whole_repository(sample: Snapshot, prefix: str) -> None:
    assert found(sample, "Order", prefix) == found(sample, "Order")


@pytest.mark.parametrize("prefix", ["/", "\\", "//", "*", "/*", "./*", "**/*", "..", "../"])
def test_a_prefix_that_names_nothing_is_explained(sample: Snapshot, prefix: str) -> None:
    with pytest.raises(InvalidArgumentError, match=r"names no file or folder.*'src/'"):
        search_text(sample, "Order", TextFilter(path_prefix=prefix))


@pytest.mark.parametrize(
    ("globs", "exclude", "paths"),
    [
        (("*.cs",), (), [LINES_FILE, ORDER_FILE, SERVICE_FILE]),
        (("Order.*",), (), [LINES_FILE, ORDER_FILE]),
        (("src/**/Order*.cs",), ("*.Lines.cs",), [ORDER_FILE, SERVICE_FILE]),
        (("Order.{Lines.cs,cs}",), (), [LINES_FILE, ORDER_FILE]),
        (("src",), ("Shop/Order.cs", "/src/Shop/Order.cs"), [LINES_FILE, SERVICE_FILE]),
        (("./src\\Shop\\OrderService.cs",), (), [SERVICE_FILE]),
        (("*.json", "lib/*.cs"), (), []),
        ((), ("src/",), []),
    ],
)
def test_globs(sample: Snapshot, globs: tuple[str, ...], exclude: tuple[str, ...], paths: list[str]) -> None:
    response = search_text(sample, "class", TextFilter(globs=globs, exclude=exclude))
    assert list(response.files) == paths
    assert response.total_files == len(paths)


@pytest.mark.parametrize("glob", ["!*.cs", "#x"])
def test_what_is_not_a_glob_is_explained(sample: Snapshot, glob: str) -> None:
    with pytest.raises(InvalidArgumentError, match="is not a glob"):
        search_text(sample, "class", TextFilter(globs=(glob,)))


@pytest.mark.parametrize("pattern", ["ORDERSERVICE", "public CLASS", r"ORDER\b", "list<STRING>"])
def test_case_is_ignored_when_asked_for(sample: Snapshot, pattern: str) -> None:
    assert not search_text(sample, pattern).matches
    assert search_text(sample, pattern, ignore_case=True).matches == search_text(sample, f"(?i){pattern}").matches != ()


@pytest.mark.parametrize("context", [1, 2, 20])
@pytest.mark.parametrize("pattern", ["Order", "class", "^$", "[{}]"])
def test_lines_around_a_match_stand_once(sample: Snapshot, pattern: str, context: int) -> None:
    response = search_text(sample, pattern, context_lines=context)
    shown: dict[str, list[int]] = {}
    for match in response.matches:
        numbers = shown.setdefault(match.file_path, [])
        numbers += range(match.line - len(match.before), match.line + len(match.after) + 1)
    for path, numbers in shown.items():
        lines = split_lines(TEXTS[path])
        near = {
            n
            for n in range(1, len(lines) + 1)
            if any(re.search(pattern, line) for line in lines[max(0, n - 1 - context) : n + context])
        }
        assert numbers == sorted(near)
    for match in response.matches:
        lines = split_lines(TEXTS[match.file_path])
        around = [*match.before, match.excerpt, *match.after]
        first = match.line - len(match.before)
        assert around == [line.rstrip() for line in lines[first - 1 : first - 1 + len(around)]]


def test_a_limit(sample: Snapshot) -> None:
    response = search_text(sample, "Order", limit=2)
    assert len(response.matches) == 2
    assert response.truncated
    whole = search_text(sample, "Order")
    assert (response.total_count, response.file_count) == (len(whole.matches), len(whole.files))
    assert search_text(sample, "Order", limit=2, offset=2).matches == whole.matches[2:4]
    every = search_text(sample, "class OrderService", limit=1)
    assert (len(every.matches), every.truncated) == (1, False)


@pytest.mark.parametrize("pattern", ["", "(", "[a", "*", "(?P<n>a)(?P<n>b)", "a" * 3000, r"\k", "(" * 500])
def test_no_pattern_is_explained(sample: Snapshot, pattern: str) -> None:
    with pytest.raises(InvalidArgumentError, match="pattern"):
        search_text(sample, pattern)


def test_a_catastrophic_pattern_is_stopped(catalogue: Snapshot) -> None:
    response = search_text(catalogue, "^(a+)+$", seconds=0.5)
    assert response.timed_out
    assert response.truncated


def test_what_was_found_before_the_time_was_over_is_kept(catalogue: Snapshot) -> None:
    response = search_text(catalogue, "^class|^(a+)+$", seconds=1)
    assert response.timed_out
    assert [(match.line, match.excerpt) for match in response.matches] == [(1, "class C")]


@pytest.mark.parametrize(
    ("pattern", "literal"),
    [
        ("AddScoped", "AddScoped"),
        (r"services\.AddScoped<", "services.AddScoped<"),
        (r"class \w+Service", "Service"),
        ("abcd*", "abc"),
        ("abcd?ef", "abc"),
        ("abcd{2}efgh", "efgh"),
        ("abcd+", "abcd"),
        ("abc(def)ghij", "ghij"),
        ("abc(defghi)?", "abc"),
        ("abc[defghi]jk", "abc"),
        ("[]abcdef]xyz", "xyz"),
        (r"[^\]abcdef]xyz", "xyz"),
        ("abc|def", ""),
        ("(?i)abcdef", ""),
        (r"\x41bcdef", ""),
        (r"\bfoo\b", "foo"),
        ("ab", ""),
    ],
)
def test_the_literal_that_every_match_contains(pattern: str, literal: str) -> None:
    assert required_literal(pattern) == literal


def test_tokens_that_a_file_must_hold() -> None:
    assert token_expression("services.AddScoped<") == '"AddScoped"'
    assert token_expression("a b_c d") == '"b_c"'
    assert token_expression("AddScoped") == ""


PIECES = ["abc", "b1", ".", "*", "+", "?", "(", ")", "[a-c]", "[^x]", "{2}", "\\d", "\\.", "|", "^", "$", "\\b"]


@settings(suppress_health_check=[HealthCheck.filter_too_much])
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join), st.text(alphabet="abc1.x", max_size=16))
def test_the_literal_is_in_every_match(pattern: str, line: str) -> None:
    try:
        match = re.search(pattern, line)
    except re.error:
        assume(False)
    assume(match is not None)
    assert required_literal(pattern) in line
