"""Documents are bound ahead of time in a process that waits for edits, so that what this looks up is there for the first of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from codemap_core.hooks.contracts import LanguageFrontEnd, UnitKey, Universe
from codemap_core.pipeline.extract import Documents, Extractors, LibraryRequest, Tables

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
    """Binds a document of each project in this process, where everybody who takes part is built in, as others may end it. Of no use to the
    result, so it ends after a while, or where it is ``hurried``. ``check`` raises to stop."""
    if not extractors().are_built_in(front_end):
        return
    nothing = LibraryRequest(tuple, lambda _described: None)
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
        bound = extractors().of_language(
            front_end, universe, documents, lambda: None, nothing, only={unit}, tables=tables
        )
        for _ in bound:
            pass
