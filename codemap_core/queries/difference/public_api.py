"""What of one index other programs can be compiled against: the public and protected members of its libraries."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind, SymbolRow, Visibility
from codemap_core.storage.reading.reader import IndexReader

_INHERITED: Final = frozenset({Visibility.PROTECTED, Visibility.PROTECTED_INTERNAL})
ACCESSIBLE: Final = frozenset({Visibility.PUBLIC, *_INHERITED})
"""What another assembly can name, if what contains it can be named there."""
_LIBRARY: Final = "library"
_CLOSED: Final = frozenset({"sealed", "static"})


_FOR_ITSELF: Final = frozenset({"test", "tests", "benchmark", "benchmarks", "example", "examples", "sample", "samples"})
"""Names of folders whose projects nobody else is meant to use."""


class PublicApi:
    """Of one index. A library is a project that is not a test, does not stand in a folder of tests, samples or benchmarks, and whose output
    is a library. A symbol is public if it and all that contain it are, or if it is protected in what can be derived from."""

    def __init__(self, reader: IndexReader) -> None:
        self._reader: Final = reader
        tests = frozenset(reader.edges.test_projects.values())
        self._libraries: Final = frozenset(
            each.project_path
            for each in reader.projects()
            if each.output_type.lower() == _LIBRARY
            and each.project_path not in tests
            and _FOR_ITSELF.isdisjoint(each.project_path.lower().split("/")[:-1])
        )
        self._types: Final[dict[tuple[str, str], bool]] = {}
        self._rows: Final[dict[str, tuple[SymbolRow, ...]]] = {}

    def is_library(self, project_path: str) -> bool:
        return project_path in self._libraries

    def contains(self, symbol: SymbolRow) -> bool:
        if symbol.project not in self._libraries or symbol.visibility not in ACCESSIBLE:
            return False
        if symbol.container_id is None:
            return True
        container = self.type_row(symbol.container_id, symbol.project)
        if container is None or (symbol.visibility in _INHERITED and not can_be_derived(container)):
            return False
        key = symbol.container_id, symbol.project
        if key not in self._types:
            self._types[key] = self.contains(container)
        return self._types[key]

    def type_row(self, type_id: str, project: str) -> SymbolRow | None:
        """The declaration of a type in a project, else in the first that has one."""
        if type_id not in self._rows:
            self._rows[type_id] = self._reader.symbols_with_id(type_id)
        rows = self._rows[type_id]
        return next((row for row in rows if row.project == project), rows[0] if rows else None)

    def container_of(self, symbol: SymbolRow) -> SymbolRow | None:
        """The type that a symbol of the index is declared in."""
        return None if symbol.container_id is None else self.type_row(symbol.container_id, symbol.project)


def can_be_derived(symbol: SymbolRow) -> bool:
    """Whether a type is a class that is not sealed, or an interface."""
    if symbol.kind is SymbolKind.INTERFACE:
        return True
    is_class = symbol.kind is SymbolKind.CLASS or (
        symbol.kind is SymbolKind.RECORD and " struct " not in symbol.signature
    )
    return is_class and _CLOSED.isdisjoint(symbol.modifiers)
