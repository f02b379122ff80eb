"""The library's repository, indexed once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codemap_core.config import Settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.pipeline import ensure_baseline
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import Repository
from tests.core.queries.conftest import open_index
from tests.plugins.index_tools import library


@pytest.fixture(scope="session")
def library_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library.create(tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="session")
def books(library_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Snapshot]:
    settings = Settings(data_directory=tmp_path_factory.mktemp("data"))
    made = ensure_baseline(Repository.open(library_folder), load_plugins(), settings, jobs=1)
    with open_index(made.path) as snapshot:
        yield snapshot
