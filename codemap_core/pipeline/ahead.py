"""What a comparison begins before it knows that it is needed, while it waits for something else: workers that load the parser, and units of
the cache. None of it is part of a result."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Blob
from codemap_core.pipeline.analyse import Analysis
from codemap_core.pipeline.cached_analysis import decode_unit
from codemap_core.pipeline.discover import Discovery
from codemap_core.pipeline.reuse import narrowed, with_referenced
from codemap_core.repository import RepositoryFiles
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.storage.writing.document_records import DocumentRecord

_AT_ONCE: Final = 400
"""Units."""


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
        self._found: dict[bytes, bytes] = {}

    def fetch_seen(
        self, paths: Container[str], discovery: Discovery, records: Mapping[UnitKey, DocumentRecord]
    ) -> None:
        """The units that some files see, as ``records`` have them, except for those of the files themselves."""
        own = {each.project_path for path, found in discovery.compiled_by.items() if path in paths for each in found}
        seen = with_referenced(own, {project.project_path: project for project in discovery.graph.projects})
        self._found.update(
            self._read(
                record.key
                for unit, record in records.items()
                if record.key and unit.project_path in seen and unit.file_path not in paths
            )
        )

    def units(self, keys: Iterable[bytes]) -> Mapping[bytes, bytes]:
        """Those that are known of these keys, and perhaps others. What was fetched is given once, so that it is not held twice."""
        found, self._found = self._found, {}
        found.update(self._read(key for key in keys if key not in found))
        return found

    def _read(self, keys: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
        """A few at a time, as each is copied out of what the cache holds."""
        wanted = iter(keys)
        while part := list(islice(wanted, _AT_ONCE)):
            for key, data in self._cache.get_many(part).items():
                yield key, decode_unit(data).unit
