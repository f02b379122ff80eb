"""Tables that are there no longer: all that is said of them tells the past.

A fact tells the past where its detail says so: a migration created the table and a later one dropped it, the model as a migration keeps
it has the table, or SQL of a migration names it. A model of long ago says that a table is gone only where the project has a snapshot of
the present one; SQL alone never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.model import FactKind, split_value
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_pages import FactHead

SNAPSHOT: Final = "Snapshot"
CREATED: Final = "CreateTable"
_PAST: Final = "past"


class PastTables:
    """``facts``: numbers of the facts that tell the past. ``names``: in lower case, of the tables that are dropped."""

    def __init__(self, snapshot: Snapshot) -> None:
        pages = snapshot.reader.fact_pages
        self.facts: Final = pages.marked(FactKind.DB_TABLE, _PAST)
        heads = pages.heads(FactKind.DB_TABLE) if self.facts else ()
        self._with_present: Final = {
            each.project_id for each in heads if how_of(each) == SNAPSHOT and each.number not in self.facts
        }
        tables: dict[str, list[FactHead]] = {}
        for each in heads:
            tables.setdefault(name_of(each), []).append(each)
        self.names: Final = frozenset(name for name, found in tables.items() if self._is_dropped(found))

    def _is_dropped(self, heads: Sequence[FactHead]) -> bool:
        return all(each.number in self.facts for each in heads) and any(map(self._tells, heads))

    def _tells(self, head: FactHead) -> bool:
        how = how_of(head)
        return how == CREATED or (how == SNAPSHOT and head.project_id in self._with_present)


def name_of(head: FactHead) -> str:
    """Of the table, in lower case."""
    return split_value(FactKind.DB_TABLE, head.value)[0].lower()


def how_of(head: FactHead) -> str:
    return split_value(FactKind.DB_TABLE, head.value)[1]
