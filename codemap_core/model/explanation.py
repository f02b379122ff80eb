"""Why a name means what it does."""

from __future__ import annotations

from msgspec import Struct


class CandidateExplanation(Struct, frozen=True, omit_defaults=True):
    """A member that was considered for a name, and why it lost; ``reason`` is empty for the chosen one."""

    symbol_id: str
    reason: str = ""
    chosen: bool = False


class Explanation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a name at a place is bound to, and how that was found."""

    kind: str
    """A ``RefKind``, or ``local`` for what is not a symbol: a variable, parameter or local function."""
    name: str
    column: int = 0
    """Where the name begins; 1-based, in UTF-16 units."""
    target: str | None = None
    constructor: str | None = None
    external: bool = False
    confidence: str = "high"
    reason: str = ""
    """Why it was not resolved."""
    from_symbol: str | None = None
    type: str = ""
    """Of a local."""
    rule: str
    """The lookup step or rule that decided, with its clause."""
    candidates: tuple[CandidateExplanation, ...] = ()


class PlaceExplanation(Struct, frozen=True, kw_only=True):
    """What stands at a place in one project. ``excerpt``: the line."""

    file_path: str
    line: int
    column: int
    """0 for the whole line."""
    project: str
    excerpt: str
    explanations: tuple[Explanation, ...]
