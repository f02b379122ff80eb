"""Indexing in this process: a repository, data directories, and what an index prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost, load_plugins
from codemap_core.pipeline import BaselineResult, ensure_baseline
from codemap_core.repository import Repository
from codemap_core.storage.reading.dump import DUMPS
from codemap_core.storage.reading.reader import IndexReader
from tests.clone import Clone
from tests.core.pipeline.corpus import sources


@pytest.fixture(scope="session")
def host() -> PluginHost:
    return load_plugins()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    """An empty repository."""
    return Clone(tmp_path / "repository")


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """The corpus, committed. Not to be changed."""
    made = Clone(tmp_path_factory.mktemp("corpus") / "repository")
    made.commit(sources())
    return made


@pytest.fixture
def index(host: PluginHost, tmp_path: Path) -> Callable[..., BaselineResult]:
    """Indexes a folder. ``home``: name of the data directory, and with it of the cache."""

    def run(folder: Path, *, home: str = "home", plugins: PluginHost = host, **options: Any) -> BaselineResult:
        settings = Settings(data_directory=tmp_path / home)
        return ensure_baseline(Repository.open(folder), plugins, settings, **options)

    return run


def dump(result: BaselineResult) -> dict[str, list[bytes]]:
    """Everything ``codemap dump`` prints of an index."""
    with IndexReader.open(result.path) as reader:
        return {kind: [msgspec.json.encode(row) for row in rows(reader)] for kind, rows in DUMPS.items()}


@pytest.fixture(scope="session")
def reference(corpus: Clone, host: PluginHost, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """What the corpus gives when one process indexes it cold."""
    settings = Settings(data_directory=tmp_path_factory.mktemp("reference"))
    return dump(ensure_baseline(Repository.open(corpus.root), host, settings, jobs=1))
