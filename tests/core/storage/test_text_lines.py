"""Lines of stored texts are those of the whole text, whatever its line ends and however long it is."""

from __future__ import annotations

import pytest

from codemap_core.queries.cards.source_text import split_lines
from codemap_core.storage.reading.text_lines import pick_lines
from codemap_core.storage.writing.row_encoder import compress_text

LONG = "".join(f"line {number} of many, with ümlauts and 漢字\n" for number in range(1, 20_001))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "one",
        "one\n",
        "one\ntwo",
        "one\r\ntwo\r\n\r\nfour",
        "one\rtwo\r",
        "mixed\r\nends\nof\rlines\n\n",
        "\ud800 a lone surrogate\n",
        LONG,
        LONG.replace("\n", "\r\n"),
        LONG.replace("\n", "\r"),
        LONG.replace("\n", ""),
    ],
    ids=lambda text: repr(text[:20]) + str(len(text)),
)
def test_lines_are_those_of_the_whole_text(text: str) -> None:
    lines = split_lines(text)
    stored = compress_text(text)
    asked = {0, 1, 2, 3, 4, 5, 19_999, 20_000, 20_001, len(lines), len(lines) + 1}
    expected = {number: lines[number - 1] for number in asked if 1 <= number <= len(lines)}
    assert pick_lines(stored, asked) == expected
    for number in asked:
        assert pick_lines(stored, {number}) == {each: line for each, line in expected.items() if each == number}


def test_no_line_wanted() -> None:
    assert pick_lines(compress_text(LONG), ()) == {}
