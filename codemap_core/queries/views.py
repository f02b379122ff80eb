"""The shapes of answers, with the contract's field names (API schema, sections 2 and 6). Lines are 1-based and
inclusive."""

from __future__ import annotations

from msgspec import Struct

from codemap_core.hooks.tool import Evidence
from codemap_core.model import Confidence, RefKind, ResolutionState, SemanticLevel, SymbolKind


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


class ClassifiedReference(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One occurrence of a name. Of unresolved ones ``to_name`` and ``to_container_hint`` say what was written."""

    kind: RefKind
    from_symbol: str | None = None
    """The innermost enclosing member; null in usings and in attributes of an assembly."""
    file_path: str
    line_start: int
    line_end: int
    column: int
    """1-based, in UTF-16 units."""
    excerpt: str | None = None
    resolution_state: ResolutionState
    confidence: Confidence
    to_name: str | None = None
    to_container_hint: str | None = None
    reason: str | None = None
    """Why it was not resolved."""
    condition: str | None = None


class FindRefsResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    target_symbol: str
    references: tuple[ClassifiedReference, ...]
    total_count: int
    """Of the kinds and states asked for, over all pages; exact."""
    truncated: bool
    other_kinds: dict[RefKind, int] = {}
    """Occurrences of kinds that were not asked for."""
    unresolved_count: int = 0
    """Unresolved occurrences of the same name, of the kinds asked for, that may mean the symbol and are not listed."""
    external: bool = False
    """The target is a library's: nothing here declares it."""


class CallSite(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Evidence for an edge of a call graph: the first place. In the direction of the call: of a caller ``to_symbol``
    is what it calls, of a callee ``from_symbol`` is what calls it."""

    from_symbol: str | None = None
    to_symbol: str | None = None
    kind: RefKind
    file_path: str
    line: int
    column: int
    excerpt: str | None = None
    count: int = 1
    """Places of this edge."""
    via: str | None = None
    """The interface or base member that is named there in place of ``to_symbol``."""
    confidence: Confidence = Confidence.HIGH


class CallGraphNode(Struct, frozen=True, omit_defaults=True, kw_only=True):
    symbol_id: str
    display_name: str
    kind: SymbolKind | None = None
    """Null for types of libraries."""
    depth: int
    file_path: str | None = None
    """Null for symbols of libraries; ``line`` is 0 then."""
    line: int
    edges_to: tuple[str, ...]
    """The nodes that one further step from here reaches: of callers those that call it, of callees those it calls."""
    external: bool = False
    call_sites: tuple[CallSite, ...] = ()
    """One for each edge that leads to this node."""


class InterfaceImplementationHint(Struct, frozen=True, kw_only=True):
    implements: tuple[str, ...]
    """Interface and base members through which the root may be called."""
    additional_callers_via_interface: int
    """Distinct callers of those that do not call the root itself."""
    retry_hint: str


class CallGraphResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    root: str
    nodes: tuple[CallGraphNode, ...]
    """By depth, then by id; the root first."""
    total_nodes_found: int
    """The root not counted; those that limits left out are."""
    truncated: bool
    interface_implementation_hint: InterfaceImplementationHint | None = None


class TypeRef(Struct, frozen=True, omit_defaults=True):
    symbol_id: str
    """``!:`` and the name as written for a type that was not found."""
    display_name: str
    external: bool = False


class TypeHierarchyResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    target_type: str
    base_type: TypeRef | None = None
    """Null for interfaces and for what derives from System.Object alone."""
    interfaces: tuple[TypeRef, ...]
    """Directly declared ones."""
    derived_types: tuple[TypeRef, ...]
    """Direct ones: classes that derive from it, types and interfaces that implement or extend it."""
    derived_count: int
    indirect_derived_count: int
    inherited: tuple[TypeRef, ...] = ()
    """Further base types and interfaces, inherited through declared ones."""
    truncated: bool = False
    external: bool = False


class FileFailure(Struct, frozen=True):
    """What went wrong with one file: a fault of CodeMap or a plug-in, or its first syntax error."""

    file_path: str
    message: str


class IndexQuality(Struct, frozen=True, kw_only=True):
    """What an index could not say, counted."""

    files_by_status: dict[str, int]
    failure_count: int
    """Files on which an analyser or an extractor failed."""
    failures: tuple[FileFailure, ...]
    """The first of them."""
    syntax_errors: tuple[FileFailure, ...]
    """The first files with syntax errors, with the first error and its line, which counts from 1."""
    repository_problems: tuple[str, ...]
    """What concerns no single file or project: names that cannot be read, submodules, faults of project loaders. The first of them."""
    unresolved_count: int
    unresolved_share: float
    """Of all references, 0 to 1."""
    unresolved_by_reason: dict[str, int]
    """The most frequent reasons, most frequent first."""


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
