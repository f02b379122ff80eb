"""What facts say of members beside their source: what the source alone does not show."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from codemap_core.queries.facts.side_effects import side_effects
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.fact_lines import SEEN_IN_SOURCE, fact_line


def said_beside_source(snapshot: Snapshot, members: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """By id, of members that facts say something about: a clause for each fact, and for each side effect. ``members``: as for
    ``side_effects``."""
    numbers = snapshot.reader.edges.numbers_of(members)
    paths = snapshot.reader.edges.paths
    ids = {number: symbol_id for symbol_id, number in numbers.items()}
    said: dict[str, list[str]] = {}
    for fact in snapshot.reader.facts.of_owners(ids):
        if fact.kind in SEEN_IN_SOURCE or fact.owner is None:
            continue
        if paths[fact.file_id] in members[ids[fact.owner]]:
            said.setdefault(ids[fact.owner], []).append(fact_line(fact.kind, fact.value))
    for symbol_id, effects in side_effects(snapshot, members).items():
        said.setdefault(symbol_id, []).extend(map(str, effects))
    return {symbol_id: tuple(dict.fromkeys(clauses)) for symbol_id, clauses in said.items()}
