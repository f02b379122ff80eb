"""How tests cover some symbols: by the lines that reports say were executed where there are reports of their files, else by whether a test
project's code leads to them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from codemap_core.model.documentation_id import EVENT_PREFIX, METHOD_PREFIX, PROPERTY_PREFIX
from codemap_core.queries.snapshot import Snapshot
from codemap_core.repository import language_of
from codemap_plugins.coderef.coverage import Coverage
from codemap_plugins.coderef.dependents import KeptUses, dependents
from codemap_plugins.coderef.elements import Element, element_of_symbol
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.naming import reference_to
from codemap_plugins.coderef.roles import TYPESCRIPT
from codemap_plugins.coderef.subject import Subject
from codemap_plugins.coderef.tests_of import in_tests, led_to

_RUNS: Final = (METHOD_PREFIX, PROPERTY_PREFIX, EVENT_PREFIX)


def coverage_results(
    snapshot: Snapshot,
    subject: Subject,
    reports: Coverage,
    depth: int,
    limit: int,
    check: Callable[[], None],
) -> dict[str, Any]:
    """Of the subject, and of its dependents over ``depth`` steps, of which those that no test covers are at risk when it changes.
    Raises: CodeRefError for what no test could execute."""
    elements = [each for each in subject.members if each.symbol is not None and each.symbol.symbol_id.startswith(_RUNS)]
    if not elements:
        raise CodeRefError(
            CodeRefCode.ANALYSIS_ERROR,
            "There is no code for tests to execute: it declares no method, constructor, property, indexer, operator or event.",
            "reference",
        )
    elements = [each for each in elements if _is_told(each, reports)]
    if not elements:
        raise CodeRefError(
            CodeRefCode.ANALYSIS_ERROR,
            "Tests of TypeScript have no projects of their own, so what they execute is known from reports alone, and there is none of it.",
            "reference",
            "Leave an lcov or Cobertura report where the test runner writes it.",
        )
    uses = KeptUses(snapshot)
    walk = dependents(uses, subject.symbols, depth, check, lambda numbers: in_tests(snapshot, numbers))
    near = snapshot.reader.scans.by_number(walk.reached)
    users = [element_of_symbol(each) for each in near if each.symbol_id.startswith(_RUNS)]
    users = [each for each in users if _is_told(each, reports)]
    covered, unknown = _by_reports([*elements, *users], reports)
    covered |= led_to(snapshot, uses, unknown, depth, check, walk)
    at_risk = [each.symbol for each in users if each.symbol and each.symbol.number not in covered]
    count = sum(each.symbol is not None and each.symbol.number in covered for each in elements)
    percentage = _line_percentage(elements, reports)
    return {
        "total_elements": len(elements),
        "covered_elements": count,
        "uncovered_elements": len(elements) - count,
        "coverage_percentage": percentage if percentage is not None else round(100 * count / len(elements), 1),
        "at_risk_count": len(at_risk),
        "at_risk_elements": [str(reference_to(each)) for each in at_risk[:limit]],
        "basis": "reports" if percentage is not None else "references of test projects",
    }


def _is_told(element: Element, reports: Coverage) -> bool:
    """Whether test projects or reports can say that tests cover it."""
    return (
        language_of(element.file_path) != TYPESCRIPT or reports.percentage(element.file_path, element.span) is not None
    )


def _by_reports(elements: Collection[Element], reports: Coverage) -> tuple[set[int], set[int]]:
    """Numbers of those that reports say tests executed, and of those of whose lines no report knows."""
    executed: set[int] = set()
    unknown: set[int] = set()
    for each in elements:
        assert each.symbol is not None
        percentage = reports.percentage(each.file_path, each.span)
        if percentage is None:
            unknown.add(each.symbol.number)
        elif percentage:
            executed.add(each.symbol.number)
    return executed, unknown


def _line_percentage(elements: Collection[Element], reports: Coverage) -> float | None:
    """Of the executable lines of all elements; null where no report knows any."""
    lines: dict[tuple[str, int], bool] = {}
    for each in elements:
        if each.span is None:
            continue
        for line, count in reports.hits.get(each.file_path, {}).items():
            if each.span[0] <= line <= each.span[1]:
                lines[each.file_path, line] = count > 0
    return round(100 * sum(lines.values()) / len(lines), 1) if lines else None
