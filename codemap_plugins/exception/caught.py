"""Catch clauses as facts: ``Type|catch``, with what they guard, and whether they stop what they catch.

A clause stops an exception of its type or a type derived from it, unless it has a filter, which may say no, or contains ``throw;``, which
throws on what it caught (ECMA-334 §13.10.6, §13.11). What a lambda or a local function in it throws again is its own affair.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from codemap_core.facts import fact, full_name
from codemap_core.hooks.extractors import Seen
from codemap_core.model import CATCH, FactKindInfo, FactRow
from codemap_core.model.bound import EVERYTHING, NOWHERE, BoundType, Event, EventKind, RegionKind, TypeForm

EXCEPTION_TYPE: Final = BoundType(TypeForm.NAMED, "Exception", "T:System.Exception")
FUNCTIONS: Final = frozenset({RegionKind.LAMBDA, RegionKind.LOCAL_FUNCTION})


class Handling(StrEnum):
    """What a clause does with what it catches."""

    CATCH = "catch"
    FILTER = "catch when"
    RETHROW = "catch and re-throw"


CATCH_CLAUSES: Final = FactKindInfo(
    name=CATCH,
    title="Catch clauses",
    value="Type|handling",
    detail={
        "at": "line of the clause's variable, or of its keyword where it has none",
        "type": "full name of the type that is caught, without type arguments",
        "handling": ", ".join(each.value for each in Handling),
        "from_line": "first line of what the clause guards",
        "from_column": "column there, in UTF-16 units",
        "to_line": "line where that ends",
        "to_column": "column there, exclusive",
    },
)


class Caught:
    """The catch clauses of one document."""

    def __init__(self, seen: Seen) -> None:
        self._seen: Final = seen
        self._rethrowing: Final = frozenset(_rethrowing(seen))

    def handling(self, clause: int) -> Handling:
        """``clause``: its region."""
        if clause in self._rethrowing:
            return Handling.RETHROW
        return Handling.FILTER if self._seen.document.regions[clause].has_filter else Handling.CATCH

    def stops(self, event: Event, type_: BoundType) -> bool:
        """Whether a clause around an event, in the same function, stops an exception of that type."""
        regions = self._seen.document.regions
        bases: tuple[str, ...] | None = None
        at = event.region
        while at != NOWHERE and regions[at].kind not in FUNCTIONS:
            region = regions[at]
            if region.kind is RegionKind.TRY and region.caught:
                if bases is None:
                    bases = (type_.id, *self._seen.bases_of(type_.id)) if type_.id else ()
                for each in self._stopped_at(at):
                    if each in (EVERYTHING, EXCEPTION_TYPE, type_) or (each.id and each.id in bases):
                        return True
            at = region.parent
        return False

    def _stopped_at(self, tried: int) -> Iterator[BoundType]:
        regions = self._seen.document.regions
        for clause in range(tried + 1, len(regions)):
            each = regions[clause]
            if each.guards == tried and each.kind is RegionKind.CATCH and self.handling(clause) is Handling.CATCH:
                yield from each.caught

    def facts(self) -> Iterator[FactRow]:
        regions, events = self._seen.document.regions, self._seen.document.events
        for clause, each in enumerate(regions):
            if each.kind is not RegionKind.CATCH or each.event == NOWHERE or each.guards == NOWHERE:
                continue
            caught = each.caught[0] if each.caught and each.caught[0] != EVERYTHING else EXCEPTION_TYPE
            tried = regions[each.guards]
            handling = self.handling(clause)
            detail = {
                "type": full_name(caught),
                "handling": handling.value,
                "from_line": tried.line,
                "from_column": tried.column,
                "to_line": tried.line_end,
                "to_column": tried.column_end,
            }
            yield fact(self._seen, events[each.event], CATCH, f"{caught.name}|{handling}", detail)


def _rethrowing(seen: Seen) -> Iterator[int]:
    """The clauses with a ``throw;`` of their own."""
    regions = seen.document.regions
    for event in seen.events.values():
        if event.kind is EventKind.THROW and not event.arguments:
            at = event.region
            while at != NOWHERE and regions[at].kind not in {RegionKind.CATCH, *FUNCTIONS}:
                at = regions[at].parent
            if at != NOWHERE and regions[at].kind is RegionKind.CATCH:
                yield at
