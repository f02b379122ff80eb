"""``mcp__coderef__query``: elements by reference or pattern, filtered, with what is known of each."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.capabilities import REPOSITORIES
from codemap_core.hooks.tool import ToolContext, ToolResult
from codemap_core.queries.cards.source_text import split_lines
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_conditions import (
    AllOf,
    AnyOf,
    Condition,
    InLanguage,
    InProjects,
    Not,
    Numbered,
    Referred,
)
from codemap_core.storage.reading.symbol_scan import SymbolScan
from codemap_plugins.coderef.arguments import Filter, QueryArguments
from codemap_plugins.coderef.asked import snapshot_of, state_of
from codemap_plugins.coderef.complexity import Measures, measured
from codemap_plugins.coderef.contract import timestamp
from codemap_plugins.coderef.coverage import CoverageOfTrees
from codemap_plugins.coderef.designators import ABSENT, Designator
from codemap_plugins.coderef.elements import Element, Wanted, find
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.metadata import COMPLEXITY, COVERAGE, MEASURED, Marks, check_filters, matching, metadata_of
from codemap_plugins.coderef.metadata import condition_of as metadata_condition
from codemap_plugins.coderef.parsing import FORM, is_wild, parse_pattern
from codemap_plugins.coderef.relationships import USES, Relationship, importing, with_any
from codemap_plugins.coderef.relationships import condition_of as relationship_condition
from codemap_plugins.coderef.roles import TYPESCRIPT, has_typescript
from codemap_plugins.coderef.validation import Existence

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
        repository = context.ask(REPOSITORIES).repository(arguments.repo_path)
        self._coverage: Final = coverage.of(repository, self._snapshot)
        self._marks: Final = Marks(self._snapshot)

    def result(self) -> ToolResult:
        asked = self._arguments
        measured_by = {key: value for key, value in self._metadata.items() if key in MEASURED}
        wanted = replace(
            self._wanted,
            condition=self._condition(),
            files=frozenset(self._coverage.hits) if COVERAGE in measured_by else None,
        )

        def keep(elements: Sequence[Element]) -> list[Element]:
            metadata = self._metadata_of(elements, self._measures_for_filter(elements))
            return matching(elements, metadata, measured_by)

        found = find(
            self._snapshot,
            wanted,
            keep if measured_by else None,
            asked.limit,
            asked.offset,
            None if wanted.condition is None else self._keep_others,
        )
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

    # Filters

    def _condition(self) -> Condition | None:
        """What the filters ask of symbols, as far as the index knows it."""
        conditions = [metadata_condition(self._snapshot, self._metadata)]
        if self._relationships:
            conditions.append(relationship_condition(self._snapshot, self._relationships))
        wanted = self._arguments.filter.has_test_coverage
        if wanted is not None:
            conditions.append(self._coverage_condition(wanted))
        asked = tuple(each for each in conditions if each is not None)
        return AllOf(asked) if asked else None

    def _keep_others(self, elements: Sequence[Element]) -> list[Element]:
        """Those that are not symbols, of which only files have a relationship, and nothing else that is filtered by."""
        by_more = self._arguments.filter.has_test_coverage is not None or not self._metadata.keys() <= set(MEASURED)
        if Relationship.IMPORTS not in self._relationships or by_more:
            return []
        files = importing(self._snapshot, elements)
        return [each for each in elements if each.file_path in files]

    def _coverage_condition(self, wanted: bool) -> Condition:
        """Symbols of production code that tests reach: by the reports' lines, or by name from a test project; or those they do not. Of
        TypeScript, whose tests have no projects of their own, reports alone say anything."""
        edges = self._snapshot.reader.edges
        tests = frozenset(edges.test_projects)
        executed, missed = self._reported()
        covered = AnyOf((Referred(USES, tests, edges.references_of_tests), Numbered(executed)))
        told: tuple[Condition, ...] = ()
        if has_typescript(self._snapshot):
            told = (AnyOf((Not(InLanguage(TYPESCRIPT)), Numbered(executed | missed))),)
        return AllOf((Not(InProjects(tests)), *told, covered if wanted else Not(covered)))

    def _reported(self) -> tuple[frozenset[int], frozenset[int]]:
        """Numbers of the symbols of which a report says that tests executed a line, and of those of which it says that they did not."""
        if not self._coverage.hits:
            return frozenset(), frozenset()
        by_number = {
            each.number: self._coverage.percentage(each.file_path, (each.span_start, each.span_end))
            for each in self._snapshot.reader.scans.page(SymbolScan(files=frozenset(self._coverage.hits)))
        }
        executed = frozenset(number for number, percentage in by_number.items() if percentage)
        return executed, frozenset(number for number, percentage in by_number.items() if percentage == 0)

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
        path = self._wanted.path
        of_files = Designator.PACKAGE not in self._wanted.designators and path != "." and not is_wild(path)
        nowhere = Existence(self._snapshot).missing_path(path) if of_files else None
        if nowhere is not None:
            return " ".join(filter(None, (nowhere.message, nowhere.suggestion)))
        said = f"Nothing in {state_of(self._snapshot)} matches"
        element = self._wanted.element
        hint = f" Names are exact: *{element}* finds longer ones." if element and "*" not in element else ""
        filters = " and passes the filter" if self._arguments.filter != Filter() else ""
        if Relationship.IMPORTS in self._relationships and Designator.FILE not in self._wanted.designators:
            hint = " It is files that import: ask for them with the designator F."
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
    if given.min_line and given.max_line and given.min_line > given.max_line:
        raise CodeRefError(
            CodeRefCode.INVALID_FILTER,
            f"No line is at least {given.min_line:,} and at most {given.max_line:,}.",
            "min_line",
        )
    bounds: dict[str, Any] = {
        "path_glob": given.path_pattern.strip(),
        "first_line": given.min_line or 0,
        "last_line": given.max_line or 0,
    }
    if not text.startswith("@"):
        if not text:
            raise CodeRefError(
                CodeRefCode.INVALID_REQUEST, "The query is empty.", "query", f"{FORM} Or write a name: Order*."
            )
        element = None if text == "*" else _plain_pattern(text)  # files and folders have no element
        return Wanted(designators=designators, element=element, **bounds), metadata
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
    """Source text by the element's place in the answer, of a file all of it, within ``MAX_SOURCE``, and what was left out."""
    wanted = {each.file_path: range(0) for each in elements if each.file_path}
    texts = {path: split_lines(text) for path, text in snapshot.reader.file_texts(wanted).items()}
    found: dict[int, str] = {}
    left = MAX_SOURCE
    for n, each in enumerate(elements):
        if each.file_path not in texts:
            continue
        first, last = each.span or (1, len(texts[each.file_path]))
        source = "\n".join(texts[each.file_path][first - 1 : last])
        if len(source) > left:
            return found, f"Source is shown up to {MAX_SOURCE:,} characters: ask for fewer elements, or for one."
        left -= len(source)
        found[n] = source
    return found, ""
