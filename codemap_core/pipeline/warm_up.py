"""Documents are bound to no other end than that what this looks up is there, for whoever binds others next: the first edits in a process
that waits for edits, or the processes that inherit the table."""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Final

from codemap_core.hooks.contracts import LanguageFrontEnd, UnitKey, Universe
from codemap_core.pipeline.extract import BATCH_UNITS, Documents, Extractors, LibraryRequest, Tables

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


def warm_up(
    extractors: Extractors,
    front_end: LanguageFrontEnd,
    universe: Universe,
    documents: Documents,
    tables: Tables,
    units: AbstractSet[UnitKey],
    hurried: Callable[[], bool],
) -> None:
    """Binds these units in this process, or as many as that takes, until it is ``hurried``: where everybody who takes part is built in, as
    others may end the process."""
    if not extractors.are_built_in(front_end):
        return
    nothing = LibraryRequest(tuple, lambda _described: None)
    few = set(sorted(units)[: 2 * BATCH_UNITS])
    rows = extractors.of_language(
        front_end, universe, documents, lambda: None, nothing, only=few, tables=tables, batch_units=1
    )
    for _ in rows:
        if hurried():
            return
