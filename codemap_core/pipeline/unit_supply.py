"""Where the units of a run come from that its tables are made of: those that were analysed now, those that the process has from before, and
those in the cache; what none of these has is analysed again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import LanguageFrontEnd, UnitKey, Universe
from codemap_core.hooks.manager import PluginHost
from codemap_core.hooks.registry import Owner
from codemap_core.pipeline.ahead import FetchedUnits
from codemap_core.pipeline.analyse import Analysis
from codemap_core.pipeline.apart import declare
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.resident import Discovered, Resident
from codemap_core.pipeline.reuse import Reuse
from codemap_core.repository import RepositoryFiles

Table = tuple[Any, ExtractionFailure | None]
"""Of a front end, or why there is none."""


class UnitSupply:
    def __init__(
        self,
        host: PluginHost,
        files: RepositoryFiles,
        discovered: Discovered,
        reuse: Reuse,
        analysis: Analysis,
        cache: FetchedUnits | None,
        resident: Resident | None,
    ) -> None:
        self._host: Final = host
        self._files: Final = files
        self._discovered: Final = discovered
        self._reuse: Final = reuse
        self._analysis: Final = analysis
        self._cache: Final = cache
        self._resident: Final = resident
        self._held: AbstractSet[UnitKey] = frozenset()
        self._units: Mapping[str, Mapping[UnitKey, bytes]] = {}
        """By language, as they were asked for last: those that are ``_held``."""
        self._tables: dict[str, Table] = {}
        """Of these units."""

    def units(self, needed: AbstractSet[UnitKey]) -> Iterator[tuple[LanguageFrontEnd, Mapping[UnitKey, bytes]]]:
        """The needed units of each language, and perhaps some more."""
        if self._resident is None and needed and needed <= self._held:
            yield from ((front_end, self._units[front_end.name]) for front_end in self._host.languages)
            return
        self._tables.clear()
        kept = {front_end.name: self._kept(front_end.name) for front_end in self._host.languages}
        unknown = needed - self._analysis.analysed.keys()
        for units in kept.values():
            unknown -= units.keys()
        stored, missing = self._reuse.stored_units(unknown, self._cache)
        if missing:
            discovery = self._discovered.discovery
            sources = tuple(each for each in discovery.sources if each[0].path in missing)
            again = replace(discovery, sources=sources, declared=(), oversized=())
            for _ in self._analysis.documents(self._files, again, _uncounted):
                pass
        languages = self._discovered.layout.languages
        for front_end in self._host.languages:
            units = kept[front_end.name]
            units.update((key, data) for key, data in stored.items() if languages[key.file_path] == front_end.name)
            analysed = self._analysis.units[front_end.name]
            units.update((key, data) for key, data in analysed.items() if key in needed)
        self._held, self._units = needed, kept
        yield from ((front_end, kept[front_end.name]) for front_end in self._host.languages)

    def tables(self, front_end: LanguageFrontEnd, owner: Owner, universe: Universe) -> Table:
        """As ``declare``, from the table that the process has, or that was made of these units."""
        if self._resident is None:
            if universe.units is not self._units[front_end.name]:
                return declare(front_end, owner, universe)
            made = self._tables.get(front_end.name)
            if made is None:
                made = self._tables[front_end.name] = declare(front_end, owner, universe)
            return made
        return self._resident.table(front_end, owner, universe, self._reuse.keys(front_end.name))

    def _kept(self, language: str) -> dict[UnitKey, bytes]:
        """Those that the process has from before."""
        return {} if self._resident is None else self._resident.units(language, self._reuse.keys(language))


def _uncounted(_done: int, _total: int) -> None:
    return None
