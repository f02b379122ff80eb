"""What a comparison begins before it knows that it is needed, while it waits for something else: workers that load the parser, and units of
the cache. None of it is part of a result."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Blob
from codemap_core.pipeline.analyse import Analysis
from codemap_core.pipeline.discover import Discovery
from codemap_core.pipeline.reuse import narrowed, with_referenced
from codemap_core.repository import RepositoryFiles
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.storage.writing.document_records import DocumentRecord


class AnalysisAhead:
    """An analysis whose workers make ready while projects and records are read, for the files that an index has otherwise."""

    def __init__(self, index: EarlierIndex, files: RepositoryFiles, analysis: Analysis) -> None:
        """Whoever makes it stops the analysis. Raises: CorruptIndexError."""
        self.documents: Final = {each.file_path: each for each in index.documents()}
        """Of the index, by path, without their text."""
        self.analysis: Final = analysis
        others = [blob for blob in files.blobs if self._is_other(blob)]
        self._others: Final = frozenset(blob.path for blob in others)
        self.share: Final = len(others) / max(1, len(files.blobs))
        """Of the files, those that the index has otherwise, or not at all."""
        analysis.start(others)

    def begin(self, files: RepositoryFiles, discovery: Discovery) -> None:
        """Sends them to the workers, while it is found out whether others must be analysed too."""
        self.analysis.begin(files, narrowed(discovery, self._others))

    def _is_other(self, blob: Blob) -> bool:
        before = self.documents.get(blob.path)
        return before is None or before.blob_id != blob.blob_id


class FetchedUnits:
    """A cache of which some units are fetched before it is known which are needed."""

    def __init__(self, cache: UnitCache) -> None:
        self._cache: Final = cache
        self._found: Final[dict[bytes, bytes]] = {}

    def fetch_seen(
        self, paths: Container[str], discovery: Discovery, records: Mapping[UnitKey, DocumentRecord]
    ) -> None:
        """The units that some files see, as ``records`` have them, but for those of the files."""
        own = {each.project_path for path, found in discovery.compiled_by.items() if path in paths for each in found}
        seen = with_referenced(own, {project.project_path: project for project in discovery.graph.projects})
        self._found.update(
            self._cache.get_many(
                record.key
                for unit, record in records.items()
                if record.key and unit.project_path in seen and unit.file_path not in paths
            )
        )

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """As ``UnitCache.get_many``. What was fetched is given once, so that it is not held twice."""
        wanted = set(keys)
        found = {key: self._found.pop(key) for key in wanted & self._found.keys()}
        found.update(self._cache.get_many(wanted - found.keys()))
        return found
