"""Symbols that play a part which no column says: attribute classes, tests, fixtures, what is obsolete."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from codemap_core.model import RefKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_conditions import (
    AllOf,
    AnyOf,
    Carries,
    Condition,
    ContainsCarrier,
    Generic,
    InLanguage,
    Numbered,
    SignedWith,
)
from codemap_core.storage.reading.symbol_scan import SymbolScan
from codemap_plugins.coderef.designators import MODULE, Role

TYPESCRIPT: Final = "typescript"
_TYPE_PARAMETERS: Final = ("<", " = <", " = async <")
"""As signatures of TypeScript have them, whose ids do not."""
ATTRIBUTE: Final = "T:System.Attribute"
TEST_ATTRIBUTES: Final = (
    "T:Xunit.FactAttribute",
    "T:Xunit.TheoryAttribute",
    "T:NUnit.Framework.TestAttribute",
    "T:NUnit.Framework.TestCaseAttribute",
    "T:NUnit.Framework.TestCaseSourceAttribute",
    "T:NUnit.Framework.TheoryAttribute",
    "T:Microsoft.VisualStudio.TestTools.UnitTesting.TestMethodAttribute",
    "T:TUnit.Core.TestAttribute",
)
"""Attributes by which frameworks find test methods; those derived from them count too."""
FIXTURE_ATTRIBUTES: Final = (
    "T:Microsoft.VisualStudio.TestTools.UnitTesting.TestClassAttribute",
    "T:NUnit.Framework.TestFixtureAttribute",
    "T:NUnit.Framework.SetUpFixtureAttribute",
    "T:Xunit.CollectionDefinitionAttribute",
)


def has_typescript(snapshot: Snapshot) -> bool:
    return snapshot.reader.scans.count(SymbolScan(kinds=(MODULE,))) > 0


def condition_of(snapshot: Snapshot, role: Role) -> Condition:
    """What holds of the symbols that play a part."""
    if role is Role.GENERIC:
        if not has_typescript(snapshot):
            return Generic()
        return AnyOf((Generic(), AllOf((SignedWith(_TYPE_PARAMETERS), InLanguage(TYPESCRIPT)))))
    if role is Role.ATTRIBUTE_CLASS:
        return Numbered(_derived(snapshot, (ATTRIBUTE,)))
    tests = _with_derived(snapshot, TEST_ATTRIBUTES)
    if role is Role.TEST:
        return Carries(tests)
    return AnyOf((Carries(_with_derived(snapshot, FIXTURE_ATTRIBUTES)), ContainsCarrier(tests)))


def carrying(snapshot: Snapshot, attributes: Iterable[str]) -> Condition:
    """Holds of the symbols that carry one of some attributes, or one derived from these."""
    return Carries(_with_derived(snapshot, attributes))


def with_attributes(snapshot: Snapshot, attributes: Iterable[str]) -> frozenset[int]:
    """Numbers of the symbols that carry one of some attributes, or one derived from these."""
    edges = snapshot.reader.edges
    wanted = _with_derived(snapshot, attributes)
    if not wanted:
        return frozenset()
    return frozenset(edge.source for edge in edges.edges_to(wanted, (RefKind.ATTRIBUTE,)))


def _with_derived(snapshot: Snapshot, types: Iterable[str]) -> frozenset[int]:
    """Numbers of types that occur in the index, and of what derives from them."""
    return frozenset(snapshot.reader.edges.numbers_of(types).values()) | _derived(snapshot, types)


def _derived(snapshot: Snapshot, types: Iterable[str]) -> frozenset[int]:
    """Numbers of the types that derive from some, over any number of steps."""
    frontier: Collection[int] = set(snapshot.reader.edges.numbers_of(types).values())
    found: set[int] = set()
    while frontier:
        frontier = {each.derived for each in snapshot.reader.derived(frontier)}.difference(found)
        found.update(frontier)
    return frozenset(found)
