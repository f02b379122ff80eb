"""``mcp__coderef__query``: elements by reference or pattern, filtered, with what is known of each."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import ToolContext, ToolResult
from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.arguments import Filter, QueryArguments
from codemap_plugins.coderef.asked import snapshot_of, state_of
from codemap_plugins.coderef.complexity import Measures, measured
from codemap_plugins.coderef.contract import timestamp
from codemap_plugins.coderef.coverage import CoverageOfTrees
from codemap_plugins.coderef.designators import ABSENT, Designator
from codemap_plugins.coderef.elements import Element, Wanted, find
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.metadata import COMPLEXITY, Marks, check_filters, matching, metadata_of
from codemap_plugins.coderef.parsing import FORM, parse_pattern
from codemap_plugins.coderef.relationships import USES, Relationship, with_any, with_relationships

NEW_FILES: Final = 10
"""Files that are analysed for the metadata of an answer when indexing has left no units of them."""
MAX_MEASURED: Final = 600
"""Files that are measured for a filter by complexity."""
_WITHOUT_TEXT: Final = (Designator.DIRECTORY, Designator.PACKAGE, Designator.NAMESPACE)
MAX_SOURCE: Final = HARD_CAPS.max_chars
"""Characters of all source snippets of an answer."""


class ElementView(Struct, frozen=True):
    reference: str
    type_designator: Designator
    path: str
    element: str | None
    line: int | None
    metadata: dict[str, str] | UnsetType = UNSET
    has_relationships: bool | UnsetType = UNSET
    test_coverage: float | None = None
    source: str | UnsetType = UNSET


class QueryAnswer(Struct, frozen=True):
    """``message``: why nothing was found, or what was left out."""

    status: str
    query: str
    total_count: int
    elements: list[ElementView]
    execution_time_ms: float
    query_status: str
    timestamp: str
    message: str | UnsetType = UNSET

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of what it shows, for the server's remarks."""
        shown = (each.path for each in self.elements if each.type_designator not in _WITHOUT_TEXT)
        return tuple(dict.fromkeys(shown))


def query(context: ToolContext, coverage: CoverageOfTrees, arguments: QueryArguments) -> ToolResult:
    return _Query(context, coverage, arguments).result()


class _Query:
    def __init__(self, context: ToolContext, coverage: CoverageOfTrees, arguments: QueryArguments) -> None:
        self._started: Final = time.perf_counter()
        self._context: Final = context
        self._arguments: Final = arguments
        self._wanted, self._metadata = _wanted(arguments)
        self._relationships: Final = _relationships(arguments.filter)
        check_filters(self._metadata)
        self._snapshot: Final = snapshot_of(context, arguments)
        repository = context.repository(arguments.repo_path)
        self._coverage: Final = coverage.of(repository, self._snapshot)
        self._marks: Final = Marks(self._snapshot)

    def result(self) -> ToolResult:
        asked = self._arguments
        filtered = self._metadata or self._relationships or asked.filter.has_test_coverage is not None
        found = find(self._snapshot, self._wanted, self._keep if filtered else None, asked.limit, asked.offset)
        views, note = self._views(found.elements)
        if not found.total:
            note = self._why_nothing()
        answer = QueryAnswer(
            status="success",
            query=asked.query,
            total_count=found.total,
            elements=views,
            execution_time_ms=round((time.perf_counter() - self._started) * 1000, 2),
            query_status="success",
            timestamp=timestamp(),
            message=note or UNSET,
        )
        return ToolResult(answer="", data=answer, snapshot=self._snapshot)

    # Filters that no column of the index decides

    def _keep(self, elements: Sequence[Element]) -> list[Element]:
        kept = list(elements)
        if self._relationships:
            kept = with_relationships(self._snapshot, kept, self._relationships)
        if self._arguments.filter.has_test_coverage is not None:
            kept = self._covered(kept, self._arguments.filter.has_test_coverage)
        if self._metadata:
            metadata = self._metadata_of(kept, self._measures_for_filter(kept))
            kept = matching(kept, metadata, self._metadata)
        return kept

    def _measures_for_filter(self, elements: Sequence[Element]) -> Measures:
        if COMPLEXITY not in self._metadata:
            return {}
        files = {each.file_path for each in elements if each.file_path}
        if len(files) > MAX_MEASURED:
            raise CodeRefError(
                CodeRefCode.INVALID_FILTER,
                f"A filter by complexity measures every file that is left, which are {len(files):,}; the maximum is {MAX_MEASURED}.",
                "metadata_filters",
                "Narrow the query with path_pattern or a longer path.",
            )
        return measured(self._context, self._snapshot, elements, len(files))

    def _covered(self, elements: list[Element], wanted: bool) -> list[Element]:
        """Elements of production code that tests reach: by the reports' lines, or by name from a test project; or those they do not."""
        edges = self._snapshot.reader.edges
        tests = edges.test_projects
        symbols = {each.symbol.number for each in elements if each.symbol is not None}
        named = edges.referred(symbols, USES, tests) if tests else frozenset()
        found = []
        for each in elements:
            if each.symbol is None or each.symbol.project_id in tests:
                continue
            executed = self._coverage.percentage(each.file_path, each.span)
            if (bool(executed) or each.symbol.number in named) is wanted:
                found.append(each)
        return found

    # What is said of each

    def _metadata_of(self, elements: Sequence[Element], measures: Measures) -> list[dict[str, str]]:
        return [metadata_of(each, self._marks, measures, self._coverage) for each in elements]

    def _views(self, elements: Sequence[Element]) -> tuple[list[ElementView], str]:
        asked, snapshot = self._arguments, self._snapshot
        metadata: Sequence[Mapping[str, str]] = ()
        if asked.include_metadata:
            metadata = self._metadata_of(elements, measured(self._context, snapshot, elements, NEW_FILES))
        related = with_any(snapshot, elements) if asked.include_relationships else frozenset()
        sources, note = _sources(snapshot, elements) if asked.include_source else ({}, "")
        views = []
        for n, each in enumerate(elements):
            reference = each.reference
            views.append(
                ElementView(
                    reference=str(reference),
                    type_designator=reference.designator,
                    path=reference.path,
                    element=reference.element,
                    line=reference.line,
                    metadata=dict(metadata[n]) if asked.include_metadata else UNSET,
                    has_relationships=(each.symbol is None or each.symbol.number in related)
                    if asked.include_relationships
                    else UNSET,
                    test_coverage=self._coverage.percentage(each.file_path, each.span) if each.file_path else None,
                    source=sources.get(n, UNSET),
                )
            )
        return views, note

    def _why_nothing(self) -> str:
        absent = [ABSENT[each] for each in self._wanted.designators if each in ABSENT]
        if absent and len(absent) == len(self._wanted.designators):
            return " ".join(absent)
        said = f"Nothing in {state_of(self._snapshot)} matches"
        element = self._wanted.element
        hint = f" Names are exact: *{element}* finds longer ones." if element and "*" not in element else ""
        filters = " and passes the filter" if self._arguments.filter != Filter() else ""
        return f"{said}{filters}.{hint}"


def _wanted(arguments: QueryArguments) -> tuple[Wanted, dict[str, str]]:
    """What to look for, and the metadata that the query and the filter ask for together. Raises: CodeRefError."""
    given = arguments.filter
    designators = _designators(given.type_designators)
    text = arguments.query.strip()
    metadata = dict(given.metadata_filters)
    if (given.min_line or 0) < 0 or (given.max_line or 0) < 0:
        raise CodeRefError(
            CodeRefCode.INVALID_FILTER, "Lines count from 1.", "min_line" if given.min_line else "max_line"
        )
    bounds: dict[str, Any] = {
        "path_globs": (given.path_pattern.strip(),) if given.path_pattern.strip() else (),
        "first_line": given.min_line or 0,
        "last_line": given.max_line or 0,
    }
    if not text.startswith("@"):
        if not text:
            raise CodeRefError(
                CodeRefCode.INVALID_REQUEST, "The query is empty.", "query", f"{FORM} Or write a name: Order*."
            )
        return Wanted(designators=designators, element=_plain_pattern(text), **bounds), metadata
    parsed = parse_pattern(text)
    if parsed.pattern is None:
        first = parsed.issues[0]
        raise CodeRefError(CodeRefCode.INVALID_REQUEST, first.message, "query", first.suggestion or FORM)
    pattern = parsed.pattern
    if pattern.designator is not None and designators and pattern.designator not in designators:
        raise CodeRefError(
            CodeRefCode.INVALID_FILTER,
            f"The query asks for {pattern.designator}, and the filter leaves only {', '.join(designators)}.",
            "type_designators",
            "Write * as the query's designator, or leave the filter out.",
        )
    if pattern.designator is not None:
        designators = (pattern.designator,)
    wanted = Wanted(designators=designators, path=pattern.path, element=pattern.element, line=pattern.line, **bounds)
    return wanted, {**dict(pattern.metadata), **metadata}


def _plain_pattern(text: str) -> str:
    """A name as a query may write it without a path. Raises: CodeRefError for what cannot be a name."""
    parsed = parse_pattern(f"@*/*#{text}")
    if parsed.pattern is None or parsed.pattern.element != text:
        raise CodeRefError(
            CodeRefCode.INVALID_REQUEST,
            f"{text[:80]!r} is neither a reference nor a name.",
            "query",
            f"{FORM} Or write a name, with * for any letters: Order.Sub*.",
        )
    return text


def _designators(names: Sequence[str]) -> tuple[Designator, ...]:
    known = {each.value: each for each in Designator}
    for name in names:
        if name not in known:
            raise CodeRefError(
                CodeRefCode.INVALID_FILTER,
                f"{name[:40]!r} is not a type designator.",
                "type_designators",
                f"Designators: {', '.join(known)}.",
            )
    return tuple(dict.fromkeys(known[name] for name in names))


def _relationships(given: Filter) -> tuple[Relationship, ...]:
    known = {each.value: each for each in Relationship}
    for name in given.relationship_types:
        if name not in known:
            raise CodeRefError(
                CodeRefCode.INVALID_FILTER,
                f"{name[:40]!r} is not a type of relationship.",
                "relationship_types",
                f"Types: {', '.join(known)}.",
            )
    return tuple(known[name] for name in given.relationship_types)


def _sources(snapshot: Snapshot, elements: Sequence[Element]) -> tuple[dict[int, str], str]:
    """Source text by the element's place in the answer, within ``MAX_SOURCE``, and what was left out."""
    wanted = {each.file_path: range(0) for each in elements if each.span is not None}
    texts = {path: text.splitlines() for path, text in snapshot.reader.file_texts(wanted).items()}
    found: dict[int, str] = {}
    left = MAX_SOURCE
    for n, each in enumerate(elements):
        if each.span is None or each.file_path not in texts:
            continue
        source = "\n".join(texts[each.file_path][each.span[0] - 1 : each.span[1]])
        if len(source) > left:
            return found, f"Source is shown up to {MAX_SOURCE:,} characters: ask for fewer elements, or for one."
        left -= len(source)
        found[n] = source
    return found, ""
