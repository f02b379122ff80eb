"""An index of the sample, made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.storage.reading.reader import IndexReader
from codemap_core.testing.sample_index import write_sample_index


@pytest.fixture(scope="session")
def sample_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sample") / "sample.db"
    write_sample_index(path)
    return path


@pytest.fixture
def reader(sample_path: Path) -> Iterator[IndexReader]:
    with IndexReader.open(sample_path) as opened:
        yield opened
