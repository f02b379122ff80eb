"""What is guarded, as a row names it: a demand on a type, a method, a page, an endpoint or a group, or the definition of a policy."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.hooks.extractors import Seen
from codemap_core.model import HOLE, Confidence, FactRow
from codemap_core.model.bound import Event
from codemap_core.model.documentation_id import is_type_id, parse_id

KIND: Final = "authorize"
DEFINITION: Final = "definition"
"""What stands in place of the guarded thing where a policy is defined."""


class Place(Struct, frozen=True, array_like=True):
    """Where a demand stands; lines are 1-based, ``at`` is that of its token. ``owner``: the symbol that it belongs to."""

    file_path: str
    at: int
    line_start: int
    line_end: int
    owner: str | None = None
    confidence: Confidence = Confidence.HIGH


def place_of(seen: Seen, event: Event) -> Place:
    """Of a call or an assignment; what was not bound is of low confidence."""
    confidence = event.confidence if event.target is not None else Confidence.LOW
    return Place(seen.file_path, event.line, event.line_start, event.line_end, event.enclosing, confidence)


def demand_row(
    place: Place, demand: str, guarded: str, guarded_id: str = "", requires: str = "", attribute: str = ""
) -> FactRow:
    """``demand``: as ``codemap_plugins.aspnet.guards`` writes it; ``guarded``: what it is for, for people; ``requires``: of a policy's
    definition, what the policy demands; ``attribute``: the use of an attribute class of the repository's own. A row with a hole is at most
    of medium confidence."""
    sort, _, names = demand.partition(":")
    detail: dict[str, str | int] = {"at": place.at, "demand": sort, "guards": guarded}
    if names:
        detail[sort] = names
    if guarded_id:
        detail["guards_id"] = guarded_id
    if requires:
        detail["requires"] = requires
    if attribute:
        detail["attribute"] = attribute
    value = f"{demand}|{guarded}"
    is_whole = HOLE not in value or place.confidence is not Confidence.HIGH
    return FactRow(
        kind=KIND,
        value=value,
        detail=detail,
        symbol_id=place.owner,
        file_path=place.file_path,
        line_start=place.line_start or place.at,
        line_end=place.line_end or place.line_start or place.at,
        confidence=place.confidence if is_whole else Confidence.MEDIUM,
    )


def display_name(symbol_id: str) -> str:
    """A type's simple name; of a member with that of its type."""
    parts = parse_id(symbol_id).parts
    names = [part.name for part in parts[-1 if is_type_id(symbol_id) else -2 :]]
    return ".".join(names)
