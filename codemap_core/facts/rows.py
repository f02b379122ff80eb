"""Rows of facts, made from what they stand at: an event, a declaration or an attribute; and links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactRow, ReferenceRow, RefKind, ResolutionState
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, Event
from codemap_core.model.documentation_id import parse_id


def fact(
    seen: Seen,
    source: Event | BoundDeclaration | BoundAttribute,
    kind: str,
    value: str,
    detail: Mapping[str, Any],
    *,
    owner: str | None = None,
    at: int = 0,
    confidence: Confidence | None = None,
) -> FactRow:
    """A fact that spans what it stands at. ``detail``: keys that are null or false are left out, and ``at`` is put first: the 1-based line
    of the fact's own token, which is that of the event's name, of the declared name or of the attribute unless it is given. ``owner``:
    the enclosing symbol unless it is given; an attribute does not say its own. ``confidence``: the event's unless it is given."""
    line_start, line_end = source.line_start, source.line_end
    match source:
        case Event():
            owner = owner or source.enclosing
            confidence = confidence or source.confidence
        case BoundDeclaration():
            owner = owner or source.symbol_id
    line = at or source.line or line_start
    kept = {key: held for key, held in detail.items() if held is not None and held is not False and key != "at"}
    return FactRow(
        kind=kind,
        value=value,
        detail={"at": line, **kept},
        symbol_id=owner,
        file_path=seen.file_path,
        line_start=line_start or line,
        line_end=line_end or line_start or line,
        confidence=confidence or Confidence.HIGH,
        project=seen.project.project_path if seen.project is not None else "",
    )


def column_of_link(event: Event) -> int:
    """Where a link that an invocation makes stands: behind the invoked name, as the name itself already refers to what is invoked."""
    return event.column + len(event.name.encode("utf-16-le")) // 2


def link(
    role: str,
    from_symbol: str | None,
    to_symbol: str,
    file_path: str,
    line: int,
    column: int,
    confidence: Confidence = Confidence.HIGH,
) -> ReferenceRow:
    """A link to a symbol. ``line``, ``column``: 1-based, the latter in UTF-16 units."""
    return ReferenceRow(
        kind=RefKind.LINK,
        role=role,
        from_symbol=from_symbol,
        to_symbol=to_symbol,
        to_name=parse_id(to_symbol).name,
        file_path=file_path,
        line=line,
        column=column,
        line_end=line,
        resolution_state=ResolutionState.RESOLVED,
        confidence=confidence,
    )
