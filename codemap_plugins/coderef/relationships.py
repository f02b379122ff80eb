"""The contract's relationships between elements, as references and relations of the index show them. An element has a relationship when it
is the one that calls, tests, implements, extends or contains; a file, when it imports."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Final

from codemap_core.model import RefKind, RelationKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.symbol_conditions import (
    AllOf,
    AnyOf,
    Condition,
    Contains,
    Derives,
    InProjects,
    Refers,
)
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


_USING: Final = re.compile(r"using\s+(?:static\s+)?[\w.:]+(?:\s*=\s*[^;]+)?;")
_IMPORT: Final = re.compile(
    r"^(?:import|export)\b(?:[^;'\"()=]*\bfrom)?\s*['\"]|^import\b[^;'\"()]*=\s*require\b", re.MULTILINE
)
_CSHARP: Final = ".cs"
_IMPORTING: Final = (_CSHARP, ".ts", ".tsx", ".mts", ".cts")
_BEFORE: Final = ("", "global")
"""What a line may have in front of it."""
USES: Final = tuple(kind for kind in RefKind if kind not in (RefKind.CREF, RefKind.NAMEOF, RefKind.IMPORT))
"""References that make what they stand in depend on what they mean."""
_CALLS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.OPERATOR)
_KINDS: Final[dict[Relationship, tuple[RefKind, ...]]] = {
    Relationship.CALLS: _CALLS,
    Relationship.DEPENDS_ON: USES,
    Relationship.REFERENCES: tuple(kind for kind in RefKind if kind is not RefKind.IMPORT),
}


def condition_of(snapshot: Snapshot, wanted: Collection[Relationship]) -> Condition:
    """Holds of the symbols that have one of ``wanted``."""
    tests = frozenset(snapshot.reader.edges.test_projects)
    found: list[Condition] = [Refers(_KINDS[each]) for each in wanted if each in _KINDS]
    if Relationship.TESTS in wanted:
        found.append(AllOf((InProjects(tests), Refers(USES))))
    if Relationship.CONTAINS in wanted:
        found.append(Contains())
    if Relationship.IMPLEMENTS in wanted:
        found += [Refers((RefKind.IMPLEMENTATION,)), Derives(RelationKind.INTERFACE)]
    if Relationship.EXTENDS in wanted:
        found += [Refers((RefKind.OVERRIDE,)), Derives(RelationKind.BASE_TYPE)]
    return AnyOf(tuple(found))


def with_any(snapshot: Snapshot, elements: Sequence[Element]) -> frozenset[int]:
    """Numbers of the symbols among the elements that refer to anything, that anything refers to, or that contain members. A module of
    TypeScript may only import, or be imported."""
    edges = snapshot.reader.edges
    numbers = {each.symbol.number for each in elements if each.symbol is not None}
    kinds = tuple(RefKind)
    found = edges.referring(numbers, kinds)
    found |= edges.referred(numbers.difference(found), kinds)
    return found | snapshot.reader.scans.containing(numbers.difference(found))


def importing(snapshot: Snapshot, elements: Sequence[Element]) -> frozenset[str]:
    """Paths of the files with a using directive or an import, read off their text: a directive that names a namespace does not refer to a
    symbol, nor does an import of a package that is not in the repository."""
    wanted = [each.file_path for each in elements if each.symbol is None and each.file_path.endswith(_IMPORTING)]
    return frozenset(path for path, text in snapshot.reader.file_texts(wanted).items() if has_import(path, text))


def has_import(path: str, text: str) -> bool:
    """Whether a file of C# has a using directive, or one of TypeScript an import or a re-export."""
    return _has_using(text) if path.endswith(_CSHARP) else _IMPORT.search(text) is not None


def _has_using(text: str) -> bool:
    # An expression that begins with the start of a line is tried at each of them; one that begins with a word, where the word is.
    return any(
        text[text.rfind("\n", 0, found.start()) + 1 : found.start()].strip() in _BEFORE
        for found in _USING.finditer(text)
    )
