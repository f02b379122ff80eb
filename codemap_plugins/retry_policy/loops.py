"""Loops that retry by hand: a loop in which an exception is caught and, in the clause that catches it, waited.

A loop that waits elsewhere does its work again and again whether it fails or not, and is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from codemap_core.facts import full_name
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.bound import EVERYTHING, NOWHERE, Event, Region, RegionKind
from codemap_core.model.documentation_id import container_of
from codemap_plugins.retry_policy.methods import Framework

WAITS: Final = ("Delay", "Sleep")
_WAITING: Final = {("Delay", "T:System.Threading.Tasks.Task"), ("Sleep", "T:System.Threading.Thread")}
_FUNCTIONS: Final = (RegionKind.LAMBDA, RegionKind.LOCAL_FUNCTION)


def retry_loops(seen: Seen) -> Iterator[FactRow]:
    """One fact for each loop, with medium confidence: its shape says that it retries. It spans the loop up to the last wait."""
    found: dict[int, list[tuple[Region, Event]]] = {}
    for event in seen.events.values():
        if event.target is None or (event.name, container_of(event.target)) not in _WAITING:
            continue
        around = _around(seen.document.regions, event.region)
        if around is not None:
            loop, clause = around
            found.setdefault(loop, []).append((clause, event))
    for loop, waits in found.items():
        yield _row(seen, seen.document.regions[loop], waits)


def _around(regions: tuple[Region, ...], at: int) -> tuple[int, Region] | None:
    """Of a place in a ``catch`` in a loop of the same function: the number of the loop, and the clause."""
    clause: Region | None = None
    while at != NOWHERE and regions[at].kind not in _FUNCTIONS:
        region = regions[at]
        if region.kind is RegionKind.LOOP:
            return (at, clause) if clause is not None else None
        if region.kind is RegionKind.CATCH and clause is None:
            clause = region
        at = region.parent
    return None


def _row(seen: Seen, loop: Region, waits: list[tuple[Region, Event]]) -> FactRow:
    caught = {full_name(each): None for clause, _ in waits for each in clause.caught if each != EVERYTHING}
    detail: dict[str, Any] = {"at": loop.line, "framework": Framework.HAND_WRITTEN.value, "beyond": True}
    if caught:
        detail["catches"] = list(caught)
    _, last = waits[-1]
    return FactRow(
        kind=FactKind.RETRY_POLICY,
        value=f"retry loop|{Framework.HAND_WRITTEN}",
        detail=detail,
        symbol_id=last.enclosing,
        file_path=seen.file_path,
        line_start=loop.line,
        line_end=last.line_end or last.line,
        confidence=Confidence.MEDIUM,
    )
