"""Documents are bound ahead of time, so that what this looks up is there for whoever binds others next: the first edits in a process that
waits for edits, or the processes that inherit the table."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from codemap_core.hooks.contracts import LanguageFrontEnd, UnitKey, Universe
from codemap_core.pipeline.extract import BATCH_UNITS, Documents, Extractors, LibraryRequest, Tables
from codemap_core.pipeline.extraction import DocumentRows

_BYTES: Final = 30_000
"""Of a unit: large enough to mention much of what a project uses."""
_SECONDS: Final = 5.0
"""Of processor time."""


def warm_up_projects(
    extractors: Callable[[], Extractors],
    front_end: LanguageFrontEnd,
    universe: Universe,
    documents: Documents,
    tables: Tables,
    check: Callable[[], None],
    hurried: Callable[[], bool],
) -> None:
    """Binds a document of each project. Of no use to the result, so it ends after a while, or where it is ``hurried``. ``check`` raises to
    stop."""
    chosen: dict[str, UnitKey] = {}
    for key, data in universe.units.items():
        before = chosen.get(key.project_path)
        if len(data) <= _BYTES and (before is None or len(data) > len(universe.units[before])):
            chosen[key.project_path] = key
    until = time.thread_time() + _SECONDS
    for unit in sorted(chosen.values()):
        if hurried() or time.thread_time() > until:
            return
        check()
        warm_up(extractors(), front_end, universe, documents, tables, {unit}, lambda: False)


class BoundAhead:
    """Rows of documents that were bound while something else was waited for."""

    def __init__(self) -> None:
        self._found: Final[dict[str, tuple[Mapping[UnitKey, bytes], dict[UnitKey, DocumentRows]]]] = {}
        """By language: the units that the table was made of, and the rows."""

    def bind(
        self,
        extractors: Extractors,
        front_end: LanguageFrontEnd,
        universe: Universe,
        documents: Documents,
        tables: Tables,
        units: AbstractSet[UnitKey],
        hurried: Callable[[], bool],
    ) -> None:
        """As ``warm_up``."""
        rows = warm_up(extractors, front_end, universe, documents, tables, units, hurried)
        self._found[front_end.name] = universe.units, rows

    def take(
        self, front_end: LanguageFrontEnd, units: Mapping[UnitKey, bytes], wanted: AbstractSet[UnitKey]
    ) -> dict[UnitKey, DocumentRows]:
        """Those that are wanted, once; none of another table than that of ``units``."""
        made_of, rows = self._found.pop(front_end.name, (None, {}))
        return {unit: rows[unit] for unit in rows.keys() & wanted} if made_of is units else {}


def warm_up(
    extractors: Extractors,
    front_end: LanguageFrontEnd,
    universe: Universe,
    documents: Documents,
    tables: Tables,
    units: AbstractSet[UnitKey],
    hurried: Callable[[], bool],
) -> dict[UnitKey, DocumentRows]:
    """Binds these units in this process, or as many as that takes, until it is ``hurried``: where everybody who takes part is built in, as
    others may end the process. Their rows, where nothing failed."""
    found: dict[UnitKey, DocumentRows] = {}
    if not extractors.are_built_in(front_end):
        return found
    nothing = LibraryRequest(tuple, lambda _described: None)
    few = set(sorted(units)[: 2 * BATCH_UNITS])
    rows = extractors.of_language(
        front_end, universe, documents, lambda: None, nothing, only=few, tables=tables, batch_units=1
    )
    for unit, given in rows:
        if not given.failures:
            found[unit] = given
        if hurried():
            break
    return found
