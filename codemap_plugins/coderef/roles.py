"""Symbols that play a part which no column says: attribute classes, tests, fixtures, what is obsolete."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from codemap_core.model import RefKind
from codemap_core.model.documentation_id import container_of
from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.designators import Role

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
_GENERIC: Final = re.compile(r"`+[0-9]+(?:\(|~|$)")


def has_type_parameters(symbol_id: str) -> bool:
    """Whether the symbol itself, not only what contains it, is generic."""
    return _GENERIC.search(symbol_id) is not None


def numbers_with_role(snapshot: Snapshot, role: Role) -> frozenset[int]:
    """Numbers of the symbols that play a part. Raises: ValueError for ``GENERIC``, which an id says."""
    if role is Role.ATTRIBUTE_CLASS:
        return _derived(snapshot, (ATTRIBUTE,))
    if role is Role.TEST:
        return with_attributes(snapshot, TEST_ATTRIBUTES)
    if role is Role.FIXTURE:
        edges = snapshot.reader.edges
        tests = edges.ids_of(numbers_with_role(snapshot, Role.TEST)).values()
        containers = edges.numbers_of({container_of(each) for each in tests})
        return with_attributes(snapshot, FIXTURE_ATTRIBUTES).union(containers.values())
    raise ValueError(role)


def with_attributes(snapshot: Snapshot, attributes: Iterable[str]) -> frozenset[int]:
    """Numbers of the symbols that carry one of some attributes, or one derived from these."""
    edges = snapshot.reader.edges
    named = edges.numbers_of(attributes)
    wanted = set(named.values()) | _derived(snapshot, named)
    if not wanted:
        return frozenset()
    return frozenset(edge.source for edge in edges.edges_to(wanted, (RefKind.ATTRIBUTE,)))


def _derived(snapshot: Snapshot, types: Iterable[str]) -> frozenset[int]:
    """Numbers of the types that derive from some, over any number of steps."""
    frontier: Collection[int] = set(snapshot.reader.edges.numbers_of(types).values())
    found: set[int] = set()
    while frontier:
        frontier = {each.derived for each in snapshot.reader.derived(frontier)}.difference(found)
        found.update(frontier)
    return frozenset(found)
