"""What is begun before it is known to be needed, while something else is waited for: projects of a first index, workers that load the
parser, and units of the cache. None of it is part of a result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import Blob
from codemap_core.pipeline.analyse import Analysis
from codemap_core.pipeline.loaded_projects import load
from codemap_core.pipeline.workers import Aside
from codemap_core.repository import CommitFiles, Repository, RepositoryFiles
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.sharing.unit_cache import UnitCache


def projects_ahead(
    repository: Repository, commit: str, host: PluginHost, settings: Settings, solution: str
) -> Aside[None]:
    """Evaluates projects in a process of its own and keeps them in the cache, where ``discover`` finds them. Of loaders that are built
    in alone: no other one is to be called twice."""

    def evaluate() -> None:
        cache = UnitCache.open(settings.cache_directory, repository.repo_id)
        if cache is None:
            return
        try:
            with CommitFiles(repository, commit) as files:
                for loader in host.project_loaders:
                    owner = host.owner_of(loader)
                    if owner.built_in:
                        load(loader, owner, files, solution, cache)
        finally:
            cache.close()

    return Aside(evaluate)


class AnalysisAhead:
    """An analysis whose workers make ready while projects and records are read, for the files that an index has otherwise."""

    def __init__(self, index: EarlierIndex, files: RepositoryFiles, analysis: Analysis) -> None:
        """Whoever makes it stops the analysis. Raises: CorruptIndexError."""
        self.documents: Final = {each.file_path: each for each in index.documents()}
        """Of the index, by path, without their text."""
        self.analysis: Final = analysis
        analysis.start([blob for blob in files.blobs if self._is_other(blob)])

    def _is_other(self, blob: Blob) -> bool:
        before = self.documents.get(blob.path)
        return before is None or before.blob_id != blob.blob_id


class FetchedUnits:
    """A cache of which some units are fetched before it is known which are needed."""

    def __init__(self, cache: UnitCache) -> None:
        self._cache: Final = cache
        self._found: Final[dict[bytes, bytes]] = {}

    def fetch(self, keys: Iterable[bytes]) -> None:
        self._found.update(self._cache.get_many(keys))

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """As ``UnitCache.get_many``. What was fetched is given once, so that it is not held twice."""
        wanted = set(keys)
        found = {key: self._found.pop(key) for key in wanted & self._found.keys()}
        found.update(self._cache.get_many(wanted - found.keys()))
        return found
