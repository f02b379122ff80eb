"""The shapes of answers, with the contract's field names (API schema, sections 2 and 6). Lines are 1-based and
inclusive."""

from __future__ import annotations

from msgspec import Struct

from codemap_core.hooks.tool import Evidence
from codemap_core.model import Confidence, RefKind, SemanticLevel, SymbolKind


class SymbolSearchHit(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    fully_qualified_name: str
    kind: SymbolKind
    signature: str
    documentation_snippet: str | None = None
    file_path: str
    line: int
    score: float
    """Less is better: -1000 for the name itself, -100 for names that begin with it, bm25 for the others, 0 when
    browsing."""


class SymbolSearchResponse(Struct, frozen=True, omit_defaults=True):
    hits: tuple[SymbolSearchHit, ...]
    total_count: int
    """Over all pages; exact unless ``total_is_minimum``."""
    truncated: bool
    relaxed: bool = False
    """Nothing matched as asked; words were taken as beginnings of words."""
    total_is_minimum: bool = False
    """There are more matches than are counted."""


class SymbolRef(Struct, frozen=True, kw_only=True):
    """An outgoing call."""

    to_symbol: str
    fully_qualified_name: str
    kind: RefKind
    file_path: str
    line: int


class Fact(Struct, frozen=True, omit_defaults=True):
    kind: str
    value: str
    detail: str | None = None


class SymbolCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    fully_qualified_name: str
    kind: SymbolKind
    signature: str
    documentation: str | None = None
    namespace: str
    containing_type: str | None = None
    file_path: str
    span_start: int
    span_end: int
    visibility: str
    calls_top: tuple[SymbolRef, ...]
    facts: tuple[Fact, ...]
    side_effects: tuple[str, ...]
    thrown_exceptions: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    confidence: Confidence
    stable_id: str
    project: str | None = None
    """Name of the compiling project."""
    other_projects: tuple[str, ...] = ()
    """Names of further projects that declare the same id."""
    condition: str | None = None
    base_types: tuple[str, ...] = ()
    """Base type and interfaces of a type, as written."""


class Member(Struct, frozen=True, kw_only=True):
    symbol_id: str
    name: str
    kind: SymbolKind
    signature: str
    visibility: str
    file_path: str
    line: int


class SpanResponse(Struct, frozen=True, kw_only=True):
    file_path: str
    start_line: int
    end_line: int
    """0 with ``start_line`` 1 for an empty file."""
    total_file_lines: int
    content: str
    """Each line as ``{number, 5 wide} | {text}``."""
    truncated: bool
    """Lines or characters that were asked for are left out."""


class TextMatch(Struct, frozen=True):
    file_path: str
    line: int
    excerpt: str


class TextSearchResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    pattern: str
    matches: tuple[TextMatch, ...]
    total_files: int
    """Files whose text was to be searched, after the path filter."""
    truncated: bool
    timed_out: bool = False
    """The time bound was reached; ``matches`` holds what had been found."""


class RepositorySummary(Struct, frozen=True, kw_only=True):
    repo_id: str
    commit_sha: str
    semantic_level: SemanticLevel
    created_at: str
    project_count: int
    file_count: int
    symbol_count: int
    reference_count: int
    fact_count: int
    symbols_by_kind: dict[str, int]
    facts_by_kind: dict[str, int]
