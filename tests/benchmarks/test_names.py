"""The same questions about the sample as ``names`` asks about any repository."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.queries.snapshot import Snapshot
from tests.benchmarks.names import ask_existing, ask_made_up, existing
from tests.core.queries.conftest import open_index, write_source_index

SAMPLE = Path(__file__).parents[2] / "testdata" / "SampleSolution"


@pytest.fixture(scope="module")
def sample_solution(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    files = {
        path.relative_to(SAMPLE).as_posix(): path.read_text(encoding="utf-8-sig")
        for path in sorted(SAMPLE.rglob("*"))
        if path.suffix in (".cs", ".csproj", ".props", ".sln", ".slnx")
    }
    path = write_source_index(tmp_path_factory.mktemp("sample") / "sample.db", files)
    with open_index(path) as snapshot:
        yield snapshot


def test_what_exists_is_found_in_every_spelling(sample_solution: Snapshot) -> None:
    outcomes = list(ask_existing(sample_solution, existing(sample_solution, 120, random.Random(7))))
    assert len(outcomes) > 500
    assert [each for each in outcomes if each.result in ("not found", "wrong")] == []


def test_what_does_not_exist_is_refused(sample_solution: Snapshot) -> None:
    outcomes = list(ask_made_up(sample_solution, 120, random.Random(7)))
    assert len(outcomes) == 120
    assert [each for each in outcomes if each.result != "refused"] == []
    misspelt = [
        each for each in outcomes if each.kind in ("lost", "doubled", "changed", "swapped") and "." not in each.text
    ]
    assert sum(each.suggested for each in misspelt) >= 0.9 * len(misspelt)
