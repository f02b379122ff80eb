"""Units of a first index that go to the cache when there is time for it. Workers leave them as they were made, the run reads them so, and a
process of its own packs and keeps them when all is bound: what is left then, the database's indexes above all, takes one processor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from codemap_core.hooks.contracts import PacksUnits
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline.cached_analysis import CachedAnalysis
from codemap_core.pipeline.guard import PLUGIN_FAULTS
from codemap_core.pipeline.workers import Aside
from codemap_core.storage.sharing.unit_cache import UnitCache

MOST: Final = 10_000_000
"""Bytes of the sources of a run whose units wait. Those of C# take three times as much, and half of that when they are packed: where there
are many more, memory is what a run lacks, and not the time of a processor at its end."""
_PORTION: Final = 64
"""Units that are kept in one transaction."""


class LaterUnits:
    """``finish`` it: it keeps what waits, even where the run fails."""

    def __init__(self, host: PluginHost, open_cache: Callable[[], UnitCache | None]) -> None:
        """``open_cache``: for the process that keeps them. Units of plug-ins that are not built in do not wait: these are not to be asked
        where all wait for the answer."""
        self._open_cache: Final = open_cache
        self._packing: Final[Mapping[str, PacksUnits]] = {
            each.name: each for each in host.languages if isinstance(each, PacksUnits) and host.owner_of(each).built_in
        }
        self._waiting: Final[list[tuple[bytes, PacksUnits, CachedAnalysis]]] = []
        self._aside: Aside[None] | None = None

    def takes(self, language: str) -> bool:
        return language in self._packing

    def add(self, key: bytes, language: str, found: CachedAnalysis) -> None:
        """``found``: with a unit that is not packed."""
        self._waiting.append((key, self._packing[language], found))

    def begin(self) -> None:
        """No more of them come."""
        if self._waiting and self._aside is None:
            self._aside = Aside(self._keep)

    def finish(self) -> None:
        self.begin()
        if self._aside is not None:
            self._aside.finish()
        self._waiting.clear()

    def _keep(self) -> None:
        cache = self._open_cache()
        if cache is None:
            return
        try:
            for start in range(0, len(self._waiting), _PORTION):
                packed: dict[bytes, bytes] = {}
                for key, front_end, found in self._waiting[start : start + _PORTION]:
                    with suppress(*PLUGIN_FAULTS):  # it is analysed again when it is needed
                        packed[key] = msgspec.msgpack.encode(replace(found, unit=front_end.packed(found.unit)))
                cache.put_many(packed)
        finally:
            cache.close()
