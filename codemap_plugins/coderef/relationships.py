"""The contract's relationships between elements, as references and relations of the index show them. An element has a relationship when it
is the one that calls, tests, implements, extends or contains; a file, when it imports."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

from codemap_core.model import RefKind, RelationKind
from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.elements import Element


class Relationship(StrEnum):
    IMPORTS = "imports"
    CALLS = "calls"
    DEPENDS_ON = "depends-on"
    TESTS = "tests"
    IMPLEMENTS = "implements"
    EXTENDS = "extends"
    CONTAINS = "contains"
    REFERENCES = "references"


_USING: Final = re.compile(r"^\s*(?:global\s+)?using\s+(?:static\s+)?[\w.:]+(?:\s*=\s*[^;]+)?;", re.MULTILINE)
USES: Final = tuple(kind for kind in RefKind if kind not in (RefKind.CREF, RefKind.NAMEOF, RefKind.IMPORT))
"""References that make what they stand in depend on what they mean."""
_CALLS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.OPERATOR)
_KINDS: Final[dict[Relationship, tuple[RefKind, ...]]] = {
    Relationship.CALLS: _CALLS,
    Relationship.DEPENDS_ON: USES,
    Relationship.REFERENCES: tuple(kind for kind in RefKind if kind is not RefKind.IMPORT),
}


def with_relationships(
    snapshot: Snapshot, elements: Sequence[Element], wanted: Collection[Relationship]
) -> list[Element]:
    """Those of the elements that have one of ``wanted``."""
    numbers = {each.symbol.number for each in elements if each.symbol is not None}
    having: set[int] = set()
    for relationship in wanted:
        having |= _having(snapshot, relationship, numbers.difference(having))
    files = _importing(snapshot, elements) if Relationship.IMPORTS in wanted else frozenset()
    return [each for each in elements if (each.symbol.number in having if each.symbol else each.file_path in files)]


def with_any(snapshot: Snapshot, elements: Sequence[Element]) -> frozenset[int]:
    """Numbers of the symbols among the elements that refer to anything, that anything refers to, or that contain members."""
    edges = snapshot.reader.edges
    numbers = {each.symbol.number for each in elements if each.symbol is not None}
    kinds = _KINDS[Relationship.REFERENCES]
    found = edges.referring(numbers, kinds)
    found |= edges.referred(numbers.difference(found), kinds)
    return found | snapshot.reader.scans.containing(numbers.difference(found))


def _having(snapshot: Snapshot, relationship: Relationship, numbers: Collection[int]) -> frozenset[int]:
    reader = snapshot.reader
    if relationship in _KINDS:
        return reader.edges.referring(numbers, _KINDS[relationship])
    if relationship is Relationship.TESTS:
        return reader.edges.referring(numbers, USES, reader.edges.test_projects)
    if relationship is Relationship.CONTAINS:
        return reader.scans.containing(numbers)
    if relationship is Relationship.IMPLEMENTS:
        members = reader.edges.referring(numbers, (RefKind.IMPLEMENTATION,))
        return members | {each.derived for each in reader.bases(numbers) if each.kind is RelationKind.INTERFACE}
    if relationship is Relationship.EXTENDS:
        members = reader.edges.referring(numbers, (RefKind.OVERRIDE,))
        return members | {each.derived for each in reader.bases(numbers) if each.kind is RelationKind.BASE_TYPE}
    return frozenset()


def _importing(snapshot: Snapshot, elements: Sequence[Element]) -> frozenset[str]:
    """Files with a using directive, read off their text: a directive that names a namespace does not refer to a symbol."""
    wanted = [each.file_path for each in elements if each.symbol is None and each.file_path.endswith(".cs")]
    return frozenset(path for path, text in snapshot.reader.file_texts(wanted).items() if _USING.search(text))
