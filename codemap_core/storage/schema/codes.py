"""Small numbers that stand for enum members in ``refs``, the table with most rows.

Invariant: a number never changes its meaning and is never used again; new members get new numbers at the end.
Changing one needs a revision that rewrites the column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from codemap_core.model import Confidence, RefKind, ResolutionState

REF_KINDS: Final[tuple[RefKind, ...]] = (
    RefKind.CALL,
    RefKind.READ,
    RefKind.WRITE,
    RefKind.INSTANTIATE,
    RefKind.OVERRIDE,
    RefKind.IMPLEMENTATION,
    RefKind.TYPE,
    RefKind.ATTRIBUTE,
    RefKind.METHOD_GROUP,
    RefKind.EVENT_SUBSCRIBE,
    RefKind.NAMEOF,
    RefKind.CREF,
    RefKind.CTOR_INITIALIZER,
    RefKind.OPERATOR,
    RefKind.IMPORT,
    RefKind.LINK,
)
RESOLUTION_STATES: Final[tuple[ResolutionState, ...]] = (ResolutionState.RESOLVED, ResolutionState.UNRESOLVED)
CONFIDENCES: Final[tuple[Confidence, ...]] = (Confidence.HIGH, Confidence.MEDIUM, Confidence.LOW)

REF_KIND_CODES: Final = {member: code for code, member in enumerate(REF_KINDS)}
RESOLUTION_STATE_CODES: Final = {member: code for code, member in enumerate(RESOLUTION_STATES)}
CONFIDENCE_CODES: Final = {member: code for code, member in enumerate(CONFIDENCES)}
MEMBERS: Final[Mapping[Any, tuple[Any, ...]]] = {
    RefKind: REF_KINDS,
    ResolutionState: RESOLUTION_STATES,
    Confidence: CONFIDENCES,
}
"""By enum, the member that each number stands for."""
CODES: Final[Mapping[Any, Mapping[Any, int]]] = {
    RefKind: REF_KIND_CODES,
    ResolutionState: RESOLUTION_STATE_CODES,
    Confidence: CONFIDENCE_CODES,
}
