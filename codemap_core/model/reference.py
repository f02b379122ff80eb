"""References: one row for each name occurrence that means a member or type (DESIGN §6 has kinds and positions)."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from msgspec import Struct
from msgspec.structs import replace

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


class UnresolvedReason(StrEnum):
    """Why a name was not bound. A row keeps the value, which says it in a few words; a plug-in may give reasons of its own."""

    NO_SUCH_MEMBER = "no such member"
    NO_OVERLOAD_FITS = "no overload fits the arguments"
    SEVERAL_OVERLOADS_FIT = "several overloads fit"
    NO_METHOD_IN_VIEW = "no method of this name is in view"
    NO_DECLARATION_IN_VIEW = "no declaration of this name is in view"
    NOTHING_IN_VIEW = "nothing of this name is in view"
    RECEIVER_UNKNOWN = "the receiver's type is not known"
    MATCHED_TYPE_UNKNOWN = "the matched type is not known"
    CREATED_TYPE_UNKNOWN = "the created type is not known"
    TARGET_TYPE_UNKNOWN = "the target's type is not known"
    BASE_TYPE_UNKNOWN = "a base type is not known"
    TYPE_NOT_FOUND = "type not found"
    AMBIGUOUS = "ambiguous"
    DYNAMIC = "dynamic"
    NAMES_A_GROUP = "names a group of methods"
    SEVERAL_OF_GROUP_FIT = "several methods of the group fit"
    NO_CONSTRUCTOR_FITS = "no constructor fits the arguments"
    NOT_DECLARED = "nothing known declares this id"
    """Of a link, which names its target by id."""


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


class LinkTarget(IntEnum):
    """What an index knows of the symbol that a link names."""

    DECLARED = 0
    """A document declares it, or a front end binds a name to it."""
    EXTERNAL = 1
    """Only a library does."""
    UNKNOWN = 2


def judged_link(link: ReferenceRow, target: LinkTarget) -> ReferenceRow:
    """A resolved link as the index shows it: an extractor names what it means by an id, and cannot know whether that exists."""
    if target is LinkTarget.UNKNOWN:
        return replace(
            link,
            to_symbol=None,
            resolution_state=ResolutionState.UNRESOLVED,
            external=False,
            confidence=Confidence.LOW,
            reason=UnresolvedReason.NOT_DECLARED.value,
        )
    return replace(link, external=target is LinkTarget.EXTERNAL)
