"""The shape of a list of dead-code candidates: surest first, each with what speaks against removing it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import SymbolKind


class Sureness(StrEnum):
    """How sure it is that nothing uses a declaration. Declared in the order of listings."""

    UNUSED = "unused"
    """Nothing speaks against it."""
    PROBABLE = "probable"
    """Nothing here uses it, but code that is not here, or that is not bound, may."""
    ONLY_TESTS = "only_tests"
    """Tests alone use it."""
    DOUBTFUL = "doubtful"
    """It is probably called without being named: by a framework, through a base, by the language."""


class Doubt(StrEnum):
    """Why one cannot be sure that a declaration is unused."""

    PUBLIC_API = "public API"
    FRIENDS = "InternalsVisibleTo"
    UNRESOLVED = "same name unresolved"
    OTHER_TEXT = "named in other files"
    STRING = "named in a string"
    INTERFACE_MEMBER = "interface member"
    FILLED = "overridden or implemented"
    OWN_SLOT = "fills an unused slot"
    DATA_MEMBER = "data member"
    ENUM_MEMBER = "enum member"
    OPERATOR = "operator"
    CONSTRUCTOR = "constructor"
    OWN_BASE = "has a base type"
    PARTIAL = "partial"
    GENERATED = "generated"
    CONDITION = "conditional code"
    NO_PROJECT = "its file is in no project"
    LIBRARY_SLOT = "overrides or implements"
    LIBRARY_BASE = "library base type"
    UNKNOWN_BASE = "a base type is unknown"
    FRAMEWORK_TYPE = "member of a framework type"
    ATTRIBUTE = "attribute"
    ATTRIBUTED_TYPE = "attribute on its type"
    ENTRY_POINT = "entry point"
    POLYFILL = "read by the compiler"
    IMPLIED = "called by pattern"
    REGISTERED = "found by a scan for registrations"
    AMBIENT = "declares what is elsewhere"
    CONTRACT = "part of a contract"
    REFLECTION = "its type is read by reflection"
    LAYOUT = "part of a layout in memory"
    MODULE_VALUE = "exported by a file that is imported as a value"


class UnreferencedRow(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A declaration that nothing refers to."""

    symbol_id: str
    kind: SymbolKind
    signature: str
    name: str
    """Readable, with its containing type."""
    file_path: str
    line: int
    span_start: int
    span_end: int
    sureness: Sureness
    doubts: tuple[Doubt, ...] = ()
    member_count: int = 0
    """Of a type: members that go with it and are not listed."""


class Unreferenced(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Candidates, by sureness and then by place."""

    rows: tuple[UnreferencedRow, ...]
    total_count: int
    counts: dict[Sureness, int]
    """Of all pages, also of classes that are not listed."""
    doubtful_by: dict[Doubt, int] = {}
    """Why the doubtful ones that are not listed are doubtful."""
    examined_count: int
    """Declarations that pass the filter."""
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.rows)

    @property
    def files(self) -> tuple[str, ...]:
        """Paths of the files that declare what is listed."""
        return tuple(dict.fromkeys(row.file_path for row in self.rows))

    def cut(self, count: int) -> Self:
        return replace(self, rows=self.rows[:count], truncated=True)

    def lines(self) -> Iterable[str]:
        sureness: Sureness | None = None
        path = ""
        for row in self.rows:
            if row.sureness is not sureness:
                sureness, path = row.sureness, ""
                yield f"{SURENESS_WORDS[row.sureness]}:"
            if row.file_path != path:
                path = row.file_path
                yield path
            yield _line(row)


SURENESS_WORDS: Final = {
    Sureness.UNUSED: "unused",
    Sureness.PROBABLE: "probably unused",
    Sureness.ONLY_TESTS: "used by tests only",
    Sureness.DOUBTFUL: "probably used without being named",
}


def _line(row: UnreferencedRow) -> str:
    place = f"{row.line}-{row.span_end}" if row.span_end > row.line else str(row.line)
    members = f" (+{row.member_count} {'member' if row.member_count == 1 else 'members'})" if row.member_count else ""
    doubts = f"  [{', '.join(row.doubts)}]" if row.doubts else ""
    return f"  {place}  {row.kind.value} {row.name}{members}{doubts}"
