"""Spans: numbered, bounded, honest about what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codemap_core.errors import InvalidArgumentError, NotFoundError
from codemap_core.model import DocumentRow
from codemap_core.queries.cards.source_text import LINE_CHARACTERS, Range, definition_range, get_range, split_lines
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.symbols import SpanResponse
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.writing.writer import BaselineWriter
from codemap_core.testing.sample_index import INFO, ORDER_FILE, SERVICE_FILE
from tests.core.queries.conftest import declared, open_index


def get_span(
    sample: Snapshot, path: str, start: int, end: int, context_lines: int = 0, max_lines: int = 100
) -> SpanResponse:
    return get_range(sample, path, start, end, context_lines).span(0, max_lines)


def test_lines_are_numbered(sample: Snapshot) -> None:
    span = get_span(sample, ORDER_FILE, 4, 5)
    assert span.content == "    4 | public partial class Order\n    5 | {"
    assert (span.start_line, span.end_line, span.total_file_lines, span.truncated) == (4, 5, 7, False)


def test_context_stays_inside_the_file(sample: Snapshot) -> None:
    span = get_span(sample, ORDER_FILE, 2, 6, context_lines=50)
    assert (span.start_line, span.end_line, span.truncated) == (1, 7, False)


def test_too_many_lines_are_cut(sample: Snapshot) -> None:
    span = get_span(sample, ORDER_FILE, 1, 7, max_lines=3)
    assert (span.start_line, span.end_line, span.truncated) == (1, 3, True)


def test_the_rest_of_a_range_follows_its_beginning(sample: Snapshot) -> None:
    asked = get_range(sample, ORDER_FILE, 2, 7)
    first, second = asked.span(0, 4), asked.span(4, 4)
    assert (first.end_line, second.start_line, second.end_line, second.truncated) == (5, 6, 7, False)
    with pytest.raises(InvalidArgumentError, match="past the last"):
        asked.span(6, 4)


def test_a_span_is_cut_between_lines(sample: Snapshot) -> None:
    span = get_span(sample, ORDER_FILE, 1, 7).cut(2)
    assert (span.row_count, span.end_line, span.truncated) == (2, 2, True)
    assert list(span.lines()) == ["\tnamespace Shop.Ordering;\n"]


def test_of_a_very_long_line_the_beginning_is_shown() -> None:
    span = Range("a.min.js", ["x" * (LINE_CHARACTERS + 5)], 1, 1).span(0, 1)
    assert span.content == f"    1 | {'x' * LINE_CHARACTERS}… (5 more characters)"


def test_a_range_past_the_end_stops_there(sample: Snapshot) -> None:
    span = get_span(sample, ORDER_FILE, 6, 5000)
    assert (span.start_line, span.end_line, span.truncated) == (6, 7, False)


@pytest.mark.parametrize(("start", "end"), [(0, 3), (5, 4), (-1, -1), (8, 9)])
def test_no_range(sample: Snapshot, start: int, end: int) -> None:
    with pytest.raises(InvalidArgumentError):
        get_span(sample, ORDER_FILE, start, end)


@pytest.mark.parametrize("path", ["./src/Shop/Order.cs", "src\\Shop\\Order.cs", " src/Shop/Order.cs"])
def test_paths_as_clients_write_them(sample: Snapshot, path: str) -> None:
    assert get_span(sample, path, 1, 1).file_path == ORDER_FILE


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "src/../../x", "", "a\0b"])
def test_paths_outside_are_refused(sample: Snapshot, path: str) -> None:
    with pytest.raises(InvalidArgumentError):
        get_span(sample, path, 1, 1)


@pytest.mark.parametrize("path", ["Shop/Order.cs", "SRC/shop/order.cs", "src/Shop/Oder.cs"])
def test_an_unknown_file_names_similar_ones(sample: Snapshot, path: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        get_span(sample, path, 1, 1)
    assert ORDER_FILE in caught.value.details["candidates"]


def test_a_file_without_text(sample: Snapshot) -> None:
    with pytest.raises(NotFoundError, match="without its text"):
        get_span(sample, "docs/huge.json", 1, 1)


def test_a_definition_with_context(sample: Snapshot) -> None:
    symbol = declared(sample, "T:Shop.Ordering.OrderService")
    span = definition_range(sample, symbol, context_lines=1).span(0, 100)
    assert (span.file_path, span.start_line, span.end_line, span.truncated) == (SERVICE_FILE, 2, 11, False)
    cut = definition_range(sample, symbol, context_lines=1).span(0, 3)
    assert (cut.start_line, cut.end_line, cut.truncated) == (2, 4, True)


def test_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    empty = DocumentRow(
        file_path="e.cs",
        sha256="0" * 64,
        blob_id="0" * 40,
        language="csharp",
        projects=(),
        line_count=0,
        size=0,
        text="",
    )
    with build_lock(path) as lock, BaselineWriter.create(lock, INFO) as writer:
        writer.add_documents([empty])
        writer.publish()
    with open_index(path) as snapshot:
        span = get_span(snapshot, "e.cs", 1, 1)
    assert (span.start_line, span.end_line, span.total_file_lines, span.content, span.truncated) == (1, 0, 0, "", False)


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n"), max_size=5), min_size=1),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_all_line_ends_split(lines: list[str], end: str) -> None:
    assert split_lines("".join(line + end for line in lines)) == lines
