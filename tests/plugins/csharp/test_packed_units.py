"""A packed unit is smaller and says the same."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from codemap_core.hooks.contracts import AnalysisSettings, PacksUnits
from codemap_plugins.csharp.front_end import CSharpFrontEnd
from codemap_plugins.csharp.unit import (
    alternative_of,
    decode_members,
    decode_outline,
    decode_roots,
    encoded_bodies,
)
from tests.core.pipeline.corpus import sources

CONTENTS = [text.encode() for path, text in sorted(sources().items()) if path.endswith(".cs")][::7]
SAMPLE = Path(__file__).parents[3] / "testdata" / "SampleSolution"


def units_of(contents: Iterable[bytes]) -> list[tuple[bytes, bytes]]:
    """Units as they were made, and packed."""
    front_end = CSharpFrontEnd()
    assert isinstance(front_end, PacksUnits)
    made = [front_end.analyse(content, AnalysisSettings()).unit for content in contents]
    return [(unit, front_end.packed(unit)) for unit in made]


@pytest.fixture(scope="module")
def units() -> list[tuple[bytes, bytes]]:
    return units_of((b"", *CONTENTS))


def test_a_packed_unit_says_the_same(units: list[tuple[bytes, bytes]]) -> None:
    for made, packed in units:
        assert decode_outline(packed) == decode_outline(made)
        assert decode_members(packed) == decode_members(made)
        assert decode_roots(encoded_bodies(packed)) == decode_roots(encoded_bodies(made))


def test_units_of_a_whole_solution_are_smaller() -> None:
    units = units_of(path.read_bytes() for path in sorted(SAMPLE.rglob("*.cs")))
    assert len(units) > 40
    assert sum(len(packed) for _, packed in units) < 0.8 * sum(len(made) for made, _ in units)


def test_a_packed_unit_is_packed_no_further(units: list[tuple[bytes, bytes]]) -> None:
    front_end = CSharpFrontEnd()
    assert all(front_end.packed(packed) == packed for _, packed in units)


def test_a_section_that_is_cut_short_is_an_error(units: list[tuple[bytes, bytes]]) -> None:
    for made, packed in units:
        if encoded_bodies(made):
            end = len(packed) - len(alternative_of(packed))
            with pytest.raises(ValueError, match="cut short"):
                encoded_bodies(packed[: end - 1])


def test_a_packed_alternative_says_the_same() -> None:
    source = b"class A {\n#if B\n void M() { N(1); }\n#else\n void M() { N(2); }\n#endif\n void N(int a) { } }"
    ((made, packed),) = units_of([source])
    assert len(packed) < len(made)
    one, other = alternative_of(made), alternative_of(packed)
    assert [each.condition for each in decode_outline(one).regions] == ["B"]
    assert decode_outline(other) == decode_outline(one)
    assert decode_members(other) == decode_members(one)
    assert decode_roots(encoded_bodies(other)) == decode_roots(encoded_bodies(one))
    assert not alternative_of(one)
    with pytest.raises(ValueError, match="cut short"):
        encoded_bodies(other[:-1])
