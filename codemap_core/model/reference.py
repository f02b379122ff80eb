"""References: one row for each name occurrence that means a member or type (DESIGN §6 has kinds and positions)."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from codemap_core.model.symbol import Confidence


class RefKind(StrEnum):
    CALL = "call"
    READ = "read"
    WRITE = "write"
    INSTANTIATE = "instantiate"
    OVERRIDE = "override"
    IMPLEMENTATION = "implementation"
    TYPE = "type"
    ATTRIBUTE = "attribute"
    METHOD_GROUP = "method_group"
    EVENT_SUBSCRIBE = "event_subscribe"
    NAMEOF = "nameof"
    CREF = "cref"
    CTOR_INITIALIZER = "ctor_initializer"
    OPERATOR = "operator"
    IMPORT = "import"
    LINK = "link"
    """A reference that code implies without spelling it, found by an extractor; the row's ``role`` tells how."""


class ResolutionState(StrEnum):
    RESOLVED = "resolved"
    UNRESOLVED = "unresolved"


class ReferenceRow(Struct, frozen=True, kw_only=True):
    kind: RefKind
    from_symbol: str | None
    """Innermost enclosing member that is a symbol; null for usings and assembly attributes."""
    to_symbol: str | None
    constructor: str | None = None
    to_name: str
    to_container_hint: str | None = None
    file_path: str
    line: int
    column: int
    line_end: int
    resolution_state: ResolutionState
    external: bool = False
    is_virtual: bool = False
    """The member is chosen at run time: an override or an implementation of it may be what runs."""
    confidence: Confidence = Confidence.HIGH
    reason: str | None = None
    condition: str | None = None
    project: str = ""
    role: str = ""
    """For a link, a word of the extractor that found it: ``registers``, ``sends``."""
