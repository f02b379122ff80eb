"""Metadata of elements, derived from code: what the contract's categories can say of a declaration without being told.

``performance`` and ``compatibility`` are not derived, and nobody can filter by them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from codemap_core.model import Visibility
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_conditions import (
    NEVER,
    AllOf,
    AnyOf,
    Condition,
    Documented,
    Not,
    Parameterised,
    VisibleAs,
)
from codemap_plugins.coderef.complexity import Category, Measures, complexity_of
from codemap_plugins.coderef.coverage import Coverage
from codemap_plugins.coderef.elements import Element
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.roles import carrying, with_attributes

STATUS: Final = "status"
SECURITY: Final = "security"
COMPLEXITY: Final = "complexity"
COVERAGE: Final = "coverage"
MAINTENANCE: Final = "maintenance"
DOCUMENTATION: Final = "documentation"
STANDARD: Final[Mapping[str, frozenset[str]]] = {
    STATUS: frozenset({"active", "deprecated", "experimental"}),
    SECURITY: frozenset({"public", "internal", "private", "critical"}),
    "performance": frozenset({"fast", "normal", "slow", "critical"}),
    COMPLEXITY: frozenset(each.value for each in Category),
    COVERAGE: frozenset(),
    MAINTENANCE: frozenset({"active", "stable", "deprecated"}),
    "compatibility": frozenset({"v1", "v2", "breaking"}),
    DOCUMENTATION: frozenset({"complete", "partial", "minimal"}),
}
"""The contract's categories and their values; of coverage a percentage, or two with a hyphen between them."""
DERIVED: Final = (STATUS, SECURITY, COMPLEXITY, COVERAGE, MAINTENANCE, DOCUMENTATION)
_RANGE: Final = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")
_OBSOLETE: Final = ("T:System.ObsoleteAttribute",)
_EXPERIMENTAL: Final = ("T:System.Diagnostics.CodeAnalysis.ExperimentalAttribute",)
_CRITICAL: Final = ("T:System.Security.SecurityCriticalAttribute", "T:System.Security.SecuritySafeCriticalAttribute")
_SECURITY_OF: Final = {
    Visibility.PUBLIC: "public",
    Visibility.PROTECTED: "public",
    Visibility.PROTECTED_INTERNAL: "public",
    Visibility.INTERNAL: "internal",
    Visibility.PRIVATE_PROTECTED: "internal",
    Visibility.PRIVATE: "private",
}
"""Protected members can be used outside the assembly, by whoever derives."""


def condition_of(snapshot: Snapshot, filters: Mapping[str, str]) -> Condition | None:
    """What filters by categories that are read off the index ask of symbols; null where there are none such."""
    found = [_CONDITIONS[key](snapshot, value.lower()) for key, value in filters.items() if key in _CONDITIONS]
    return AllOf(tuple(found)) if found else None


def _of_status(snapshot: Snapshot, value: str) -> Condition:
    obsolete, experimental = carrying(snapshot, _OBSOLETE), carrying(snapshot, _EXPERIMENTAL)
    if value == "deprecated":
        return obsolete
    return AllOf((experimental if value == "experimental" else Not(experimental), Not(obsolete)))


def _of_security(snapshot: Snapshot, value: str) -> Condition:
    critical = carrying(snapshot, _CRITICAL)
    if value == "critical":
        return critical
    return AllOf((VisibleAs(tuple(each for each in _SECURITY_OF if _SECURITY_OF[each] == value)), Not(critical)))


def _of_maintenance(snapshot: Snapshot, value: str) -> Condition:
    return carrying(snapshot, _OBSOLETE) if value == "deprecated" else NEVER


def _of_documentation(_: Snapshot, value: str) -> Condition:
    if value == "minimal":
        return Documented(summary=False, rest=False)
    lone_summary = Documented(summary=True, rest=False)
    if value == "partial":
        return AnyOf((Documented(summary=False, rest=True), AllOf((lone_summary, Parameterised()))))
    return AnyOf((Documented(summary=True, rest=True), AllOf((lone_summary, Not(Parameterised())))))


_CONDITIONS: Final[Mapping[str, Callable[[Snapshot, str], Condition]]] = {
    STATUS: _of_status,
    SECURITY: _of_security,
    MAINTENANCE: _of_maintenance,
    DOCUMENTATION: _of_documentation,
}
MEASURED: Final = tuple(each for each in DERIVED if each not in _CONDITIONS)
"""The categories that no index holds: filters by them look at elements one by one."""


class Marks:
    """Which symbols of a snapshot carry the attributes that metadata is derived from; looked up when first asked."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot: Final = snapshot
        self._known: Final[dict[tuple[str, ...], frozenset[int]]] = {}

    def obsolete(self) -> frozenset[int]:
        return self._with(_OBSOLETE)

    def experimental(self) -> frozenset[int]:
        return self._with(_EXPERIMENTAL)

    def critical(self) -> frozenset[int]:
        return self._with(_CRITICAL)

    def _with(self, attributes: tuple[str, ...]) -> frozenset[int]:
        known = self._known.get(attributes)
        if known is None:
            known = self._known[attributes] = with_attributes(self._snapshot, attributes)
        return known


def metadata_of(element: Element, marks: Marks, measures: Measures, coverage: Coverage) -> dict[str, str]:
    """By category, in the contract's order."""
    found: dict[str, str] = {}
    symbol = element.symbol
    if symbol is not None:
        obsolete = symbol.number in marks.obsolete()
        experimental = symbol.number in marks.experimental()
        found[STATUS] = "deprecated" if obsolete else "experimental" if experimental else "active"
        critical = symbol.number in marks.critical()
        found[SECURITY] = "critical" if critical else _SECURITY_OF[Visibility(symbol.visibility)]
    complexity = complexity_of(element, measures)
    if complexity is not None:
        found[COMPLEXITY] = complexity.category.value
    percentage = coverage.percentage(element.file_path, element.span) if element.file_path else None
    if percentage is not None:
        found[COVERAGE] = f"{percentage:.0f}"
    if symbol is not None:
        if found[STATUS] == "deprecated":
            found[MAINTENANCE] = "deprecated"
        found[DOCUMENTATION] = _documentation(symbol.has_summary, symbol.has_rest, symbol.symbol_id)
    return found


def _documentation(has_summary: int, has_rest: int, symbol_id: str) -> str:
    """Complete: a summary, and more where there are parameters."""
    if not has_summary:
        return "partial" if has_rest else "minimal"
    return "complete" if has_rest or "(" not in symbol_id else "partial"


def check_filters(filters: Mapping[str, str]) -> None:
    """Raises: CodeRefError for a category or a value that no element can have."""
    for key, value in filters.items():
        if key not in DERIVED:
            why = "is not derived from code" if key in STANDARD else "is not a category of metadata"
            raise CodeRefError(
                CodeRefCode.INVALID_FILTER,
                f"{key!r} {why}, so no element could be filtered by it.",
                "metadata_filters",
                f"Filter by {', '.join(DERIVED)}.",
            )
        if key == COVERAGE:
            if _RANGE.fullmatch(value) is None:
                raise CodeRefError(
                    CodeRefCode.INVALID_FILTER,
                    f"coverage is a percentage, or a range of them, not {value!r}.",
                    "metadata_filters",
                    "Write 80 or 80-100.",
                )
        elif value.lower() not in STANDARD[key]:
            raise CodeRefError(
                CodeRefCode.INVALID_FILTER,
                f"{key} is never {value!r}.",
                "metadata_filters",
                f"Its values: {', '.join(sorted(STANDARD[key]))}.",
            )


def matching(
    elements: Sequence[Element], metadata: Iterable[Mapping[str, str]], filters: Mapping[str, str]
) -> list[Element]:
    """The elements whose metadata has all that ``filters`` ask for."""
    pairs = zip(elements, metadata, strict=True)
    return [each for each, known in pairs if all(_matches(key, known.get(key), filters[key]) for key in filters)]


def _matches(key: str, known: str | None, wanted: str) -> bool:
    if known is None:
        return False
    if key != COVERAGE:
        return known == wanted.lower()
    found = _RANGE.fullmatch(wanted)
    assert found is not None
    first = int(found[1])
    return first <= int(known) <= int(found[2] or first)
