"""What ``note_data`` makes of a value, ``read_note_data`` gives back."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.model import Confidence, FactRow


class Place(Struct, frozen=True, array_like=True, tag=True):
    file_path: str
    line: int


class Scan(Struct, frozen=True, array_like=True, tag=True):
    places: tuple[Place, ...]
    owner: str | None
    confidence: Confidence


_TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
_PLACES = st.builds(Place, _TEXTS, st.integers(0, 2**53))


@given(st.one_of(_PLACES, st.builds(Scan, st.tuples(_PLACES), st.none() | _TEXTS, st.sampled_from(Confidence))))
def test_a_value_is_read_as_it_was(value: Place | Scan) -> None:
    assert read_note_data(note_data(value), type(value)) == value
    assert read_note_data(note_data(value), Place | Scan) == value


def test_a_row_is_read_with_its_detail() -> None:
    detail = {"at": 3, "verbs": ["GET"], "beyond": None}
    row = FactRow(
        kind="route", value="GET /", detail=detail, symbol_id="M:A.B", file_path="A.cs", line_start=1, line_end=2
    )
    assert read_note_data(note_data(row), FactRow) == row


def test_data_of_another_type_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        read_note_data(note_data(Place("A.cs", 1)), Scan)
    with pytest.raises(msgspec.DecodeError):
        read_note_data("{", Scan)
