"""What a change of some symbols would reach, and how hard.

The level falls with distance: what is called, created, overridden, implemented or written is critical at the first step, what is read or
named otherwise is high; each further step is one level less, and so is standing in a test project.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from codemap_core.model import RefKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_scan import ScannedSymbol
from codemap_plugins.coderef.dependents import STRONG, Reached, Walk
from codemap_plugins.coderef.naming import designator_for, element_of, reference_to
from codemap_plugins.coderef.subject import Subject
from codemap_plugins.coderef.tests_of import in_tests


class Level(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


_LEVELS: Final = tuple(Level)
_REASONS: Final[Mapping[RefKind, str]] = {
    RefKind.CALL: "caller",
    RefKind.INSTANTIATE: "creator",
    RefKind.CTOR_INITIALIZER: "constructor that calls it",
    RefKind.OVERRIDE: "override",
    RefKind.IMPLEMENTATION: "implementation",
    RefKind.READ: "reader",
    RefKind.WRITE: "writer",
    RefKind.TYPE: "user of the type",
    RefKind.METHOD_GROUP: "user as a delegate",
    RefKind.EVENT_SUBSCRIBE: "subscriber",
    RefKind.ATTRIBUTE: "carrier of the attribute",
    RefKind.OPERATOR: "user of the operator",
    RefKind.LINK: "user by wiring",
}


class Affected(Struct, frozen=True):
    reference: str
    element_type: str
    impact_level: Level
    depth: int
    reason: str


def impact_results(snapshot: Snapshot, subject: Subject, walk: Walk, limit: int, offset: int) -> dict[str, Any]:
    tests = in_tests(snapshot, walk.reached)
    levels = {number: _level(each, number in tests) for number, each in walk.reached.items()}
    symbols = _page(snapshot, walk, levels, limit, offset)
    named = _names(snapshot, walk, symbols)
    affected = [
        Affected(
            reference=str(reference_to(each)),
            element_type=designator_for(each).value,
            impact_level=levels[each.number],
            depth=walk.reached[each.number].depth,
            reason=_reason(walk.reached[each.number], subject, named),
        )
        for each in symbols
    ]
    summary: dict[str, Any] = {
        "by_level": {level.value: sum(each is level for each in levels.values()) for level in Level},
        "max_depth": max((each.depth for each in walk.reached.values()), default=0),
        "in_tests": len(tests),
    }
    if walk.is_partial:
        summary["partial"] = True
    return {"total_affected": len(walk.reached), "affected_elements": affected, "impact_summary": summary}


def _level(reached: Reached, is_test: bool) -> Level:
    rank = (0 if reached.use.kind in STRONG else 1) + reached.depth - 1 + int(is_test)
    return _LEVELS[min(rank, len(_LEVELS) - 1)]


def _page(snapshot: Snapshot, walk: Walk, levels: Mapping[int, Level], limit: int, offset: int) -> list[ScannedSymbol]:
    """By level, distance and place. Places are looked up only of the groups that the page shows something of."""
    groups: dict[tuple[int, int], list[int]] = {}
    for number, each in walk.reached.items():
        groups.setdefault((_LEVELS.index(levels[number]), each.depth), []).append(number)
    page: list[ScannedSymbol] = []
    for _, numbers in sorted(groups.items()):
        if offset < len(numbers):
            page += snapshot.reader.scans.by_number(numbers)[offset : offset + limit - len(page)]
        offset = max(0, offset - len(numbers))
        if len(page) >= limit:
            break
    return page


def _names(snapshot: Snapshot, walk: Walk, symbols: list[ScannedSymbol]) -> dict[int, str]:
    """Elements of what the shown symbols use, and through what."""
    uses = [walk.reached[each.number].use for each in symbols]
    wanted = {each.used for each in uses} | {each.via for each in uses if each.via is not None}
    return {each.number: element_of(each) or each.name for each in snapshot.reader.scans.by_number(wanted)}


def _reason(reached: Reached, subject: Subject, named: Mapping[int, str]) -> str:
    use = reached.use
    said = f"{'Direct' if reached.depth == 1 else 'Indirect'} {_REASONS.get(use.kind, 'user')}"
    if reached.depth > 1:
        said += f" through {named.get(use.used, 'another element')}"
    elif len(subject.symbols) > 1:
        said += f" of {named.get(use.used, 'a member')}"
    if use.via is not None and use.via in named:
        said += f", by way of {named[use.via]}"
    return said
