"""Units of a first index that go to the cache when there is time for it. Workers leave them as they were made, the run reads them so, and a
process of the lowest priority packs and keeps them: where a stage leaves a processor idle, and at the latest while the database makes its
indexes, which takes one."""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec.structs import replace

from codemap_core.forking import can_fork
from codemap_core.hooks.contracts import PacksUnits
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline.cached_analysis import CachedAnalysis
from codemap_core.pipeline.guard import PLUGIN_FAULTS
from codemap_core.pipeline.workers import Aside
from codemap_core.storage.sharing.unit_cache import UnitCache

MOST: Final = 40_000_000
"""Bytes of the sources of a run whose units wait. Those of C# take three times as much, and half of that when they are packed: where there
are many more, memory is what a run lacks, and not the time of a processor at its end."""
_PORTION: Final = 64
"""Units that are kept in one transaction."""
_LOWEST: Final = 19
"""What lowers the priority of a process most."""
_COUNT: Final = struct.Struct("<Q")


class LaterUnits:
    """``finish`` it: it keeps what still waits, even where the run fails."""

    def __init__(self, host: PluginHost, open_cache: Callable[[], UnitCache | None]) -> None:
        """``open_cache``: for the process that keeps them. Units of plug-ins that are not built in do not wait: these are not to be asked
        where all wait for the answer."""
        self._open_cache: Final = open_cache
        self._packing: Final[Mapping[str, PacksUnits]] = {
            each.name: each for each in host.languages if isinstance(each, PacksUnits) and host.owner_of(each).built_in
        }
        self._waiting: Final[list[tuple[bytes, PacksUnits, CachedAnalysis]]] = []
        self._aside: Aside[None] | None = None
        self._kept: Final = mmap.mmap(-1, _COUNT.size)
        """How many are kept, seen by both processes."""

    def takes(self, language: str) -> bool:
        return language in self._packing

    def add(self, key: bytes, language: str, found: CachedAnalysis) -> None:
        """``found``: with a unit that is not packed."""
        self._waiting.append((key, self._packing[language], found))

    def begin(self) -> None:
        """No more of them come."""
        if self._waiting and self._aside is None and can_fork():
            self._aside = Aside(self._keep_behind)

    def finish(self) -> None:
        """Whoever calls it has nothing else to do: what the other process has not come to is kept here."""
        if self._aside is not None:
            self._aside.end()
        self._keep()

    def _keep_behind(self) -> None:
        os.nice(_LOWEST)
        self._keep()

    def _keep(self) -> None:
        begun = _COUNT.unpack_from(self._kept)[0]
        cache = self._open_cache() if begun < len(self._waiting) else None
        if cache is None:
            return
        try:
            for start in range(begun, len(self._waiting), _PORTION):
                portion = self._waiting[start : start + _PORTION]
                packed: dict[bytes, bytes] = {}
                for key, front_end, found in portion:
                    with suppress(*PLUGIN_FAULTS):  # it is analysed again when it is needed
                        packed[key] = msgspec.msgpack.encode(replace(found, unit=front_end.packed(found.unit)))
                cache.put_many(packed)
                _COUNT.pack_into(self._kept, 0, start + len(portion))
        finally:
            cache.close()
