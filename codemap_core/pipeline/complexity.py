"""How hard the members of indexed files are to follow: their units, from the cache or analysed again, measured by the front end of their
language. Results are kept by path and content. A file at which a front end fails is not measured."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.hooks.contracts import (
    AnalysisSettings,
    LanguageFrontEnd,
    MeasuresComplexity,
    MemberComplexity,
    front_ends_by_suffix,
)
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline.analyse import all_settings, cache_key
from codemap_core.pipeline.cached_analysis import unit_in
from codemap_core.pipeline.discover import suffix_of
from codemap_core.pipeline.guard import PLUGIN_FAULTS
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.sharing.unit_cache import UnitCache

MAX_KEPT: Final = 20_000
"""Files whose measures are kept."""

Measures = Mapping[tuple[int, int], MemberComplexity]
"""By line and column of the members' names."""


class _File(Struct, frozen=True):
    """``key``: what its unit is cached under."""

    content: bytes
    settings: AnalysisSettings
    front_end: LanguageFrontEnd
    key: bytes


class ComplexityOfFiles:
    """Answers for one process; several threads may ask at once."""

    def __init__(self, host: PluginHost, settings: Settings) -> None:
        self._front_ends: Final[dict[str, LanguageFrontEnd]] = {
            suffix: each
            for suffix, each in front_ends_by_suffix(host.languages).items()
            if isinstance(each, MeasuresComplexity)
        }
        self._cache_folder: Final = settings.cache_directory
        self._lock: Final = threading.Lock()
        self._kept: Final[OrderedDict[tuple[str, str], Measures]] = OrderedDict()
        """By path and digest of the content."""

    def of_files(
        self, reader: IndexReader, file_paths: Collection[str], new_files: int, check: Callable[[], None]
    ) -> dict[str, Measures]:
        """By path; files that are not measured are left out. ``new_files``: how many may be analysed whose units are not cached, those
        named first. ``check`` is called for each file and raises to stop."""
        paths = [path for path in dict.fromkeys(file_paths) if suffix_of(path) in self._front_ends]
        contents = reader.contents.of(paths)
        digests = {path: content.digest for path, content in contents.items()}
        with self._lock:
            known = {path: self._kept[path, each] for path, each in digests.items() if (path, each) in self._kept}
        missing = {path: content.blob_id for path, content in contents.items() if path not in known}
        if missing:
            cache = UnitCache.open(self._cache_folder, reader.info.repo_id)
            measured = self._measured(self._files(reader, missing), cache, new_files, check)
            known.update(measured)
            with self._lock:
                self._kept.update({(path, digests[path]): each for path, each in measured.items()})
                while len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)
        return known

    def _files(self, reader: IndexReader, blobs: Mapping[str, str]) -> dict[str, _File]:
        projects = {each.project_path: each for each in reader.projects()}
        documents = reader.documents_at(blobs)
        found = {}
        for path, text in reader.file_texts(blobs).items():
            front_end = self._front_ends[suffix_of(path)]
            content = text.encode("utf-8", "surrogatepass")
            compiling = [projects[each] for each in documents[path].projects if each in projects]
            wanted = all_settings(front_end, path, compiling[0] if compiling else None)
            try:
                relevant = msgspec.convert(front_end.relevant_settings(content, wanted), AnalysisSettings)
            except PLUGIN_FAULTS:
                continue
            settings = replace(relevant, dialect=wanted.dialect)
            found[path] = _File(content, settings, front_end, cache_key(blobs[path], front_end, settings))
        return found

    def _measured(
        self, files: Mapping[str, _File], cache: UnitCache | None, new_files: int, check: Callable[[], None]
    ) -> dict[str, Measures]:
        """Closes the cache."""
        try:
            cached = cache.get_many(each.key for each in files.values()) if cache is not None else {}
        finally:
            if cache is not None:
                cache.close()
        found: dict[str, Measures] = {}
        for path, each in files.items():
            check()
            stored = cached.get(each.key)
            if stored is None:
                if not new_files:
                    continue
                new_files -= 1
            with suppress(*PLUGIN_FAULTS):
                measures = _measures(each, stored)
                if measures is not None:
                    found[path] = measures
        return found


def _measures(file: _File, stored: bytes | None) -> Measures | None:
    """Null for one that has no unit. ``stored``: what the cache holds of it. Raises: what the front end raises."""
    unit = unit_in(stored) if stored is not None else file.front_end.analyse(file.content, file.settings).unit
    if not unit or not isinstance(file.front_end, MeasuresComplexity):
        return None
    measured = msgspec.convert(tuple(file.front_end.complexities(unit)), tuple[MemberComplexity, ...])
    return {(member.line, member.column): member for member in measured}
