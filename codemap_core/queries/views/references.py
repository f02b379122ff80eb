"""References as they are answered: rows, groups with counts, and the uses of several symbols beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.queries.plain_lines import by_file, called_name, row, short_name


class ClassifiedReference(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One occurrence of a name. Of unresolved ones ``to_name`` and ``to_container_hint`` say what was written."""

    kind: RefKind
    role: str = ""
    """Of a link: ``registers``, ``sends``; a word of the plug-in that found it."""
    from_symbol: str | None = None
    """The innermost enclosing member, or the type whose documentation it stands in; null in usings and in attributes of an assembly."""
    file_path: str
    line_start: int
    line_end: int | None = None
    """Null where it is ``line_start``."""
    column: int
    """1-based, in UTF-16 units."""
    excerpt: str | None = None
    resolution_state: ResolutionState = ResolutionState.RESOLVED
    confidence: Confidence = Confidence.HIGH
    to_name: str | None = None
    to_container_hint: str | None = None
    reason: str | None = None
    """Why it was not resolved."""
    condition: str | None = None
    test: bool = False
    """In a test project."""

    def doubt(self) -> str:
        """What is unusual about it."""
        if self.resolution_state is ResolutionState.UNRESOLVED:
            return f"[unresolved: {self.reason or 'unknown'}]"
        said = [] if self.confidence is Confidence.HIGH else [self.confidence.value]
        said += [self.condition] if self.condition else []
        return f"[{', '.join(said)}]" if said else ""


class CountedReferences(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What an answer about references says before its rows."""

    target_symbol: str
    total_count: int
    """Of the kinds, states and paths asked for, over all pages; exact."""
    by_kind: dict[RefKind, int] = {}
    """Of the resolved ones; of the unresolved ones where only those are asked for."""
    file_count: int = 0
    """Files of the same."""
    test_count: int = 0
    """How many of the same stand in test projects."""
    other_kinds: dict[RefKind, int] = {}
    """Occurrences of kinds that were not asked for."""
    elsewhere_count: int = 0
    """Occurrences of the kinds asked for in files that were not."""
    unresolved_count: int = 0
    """Unresolved occurrences of the same name, of the kinds and paths asked for, that may mean the symbol."""
    external: bool = False
    """The target is a library's: nothing here declares it."""


class FindRefsResponse(CountedReferences, frozen=True, omit_defaults=True, kw_only=True):
    """Resolved references before unresolved ones, production code before tests, then by place."""

    references: tuple[ClassifiedReference, ...] = ()
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.references)

    def cut(self, count: int) -> Self:
        return replace(self, references=self.references[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.file_path for each in self.references))

    def lines(self) -> Iterator[str]:
        with_kinds = len(self.by_kind) > 1
        name = short_name(self.target_symbol).rpartition(".")[2]
        return by_file(
            (
                each.file_path,
                row(
                    f"{each.line_start}:{each.column}",
                    each.role or (each.kind.value if with_kinds else ""),
                    called_name(each.from_symbol) if each.from_symbol else "",
                    _telling(each.excerpt or "", name),
                    each.doubt(),
                ),
            )
            for each in self.references
        )


def _telling(excerpt: str, name: str) -> str:
    """The excerpt, unless it says nothing but the name that was asked for: ``[Obsolete]``."""
    bare = excerpt.strip("[](){};., ")
    return "" if name in (bare, f"{bare}Attribute") else excerpt


class Grouping(StrEnum):
    """The property by which references are counted."""

    FILE = "file"
    PROJECT = "project"
    MEMBER = "member"
    KIND = "kind"


class ReferenceGroup(Struct, frozen=True, omit_defaults=True, kw_only=True):
    key: str
    """Path of a file, name of a project, id of a member, or a kind. Empty: in no project, in no member."""
    count: int
    by_kind: dict[RefKind, int] = {}
    test: bool = False
    """In test projects alone."""
    file_path: str | None = None
    """Where a member is."""
    line: int | None = None


class ReferenceGroupsResponse(CountedReferences, frozen=True, omit_defaults=True, kw_only=True):
    """Groups in production code before those in tests, the largest first."""

    group_by: Grouping
    groups: tuple[ReferenceGroup, ...]
    group_count: int
    """Over all pages."""
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.groups)

    def cut(self, count: int) -> Self:
        return replace(self, groups=self.groups[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        if self.group_by is Grouping.FILE:
            return tuple(each.key for each in self.groups)
        return tuple(dict.fromkeys(each.file_path for each in self.groups if each.file_path))

    def lines(self) -> Iterator[str]:
        with_kinds = len(self.by_kind) > 1 and self.group_by is not Grouping.KIND
        width = len(str(max((each.count for each in self.groups), default=0)))
        for each in self.groups:
            name = each.key or f"(no {self.group_by.value})"
            if self.group_by is Grouping.MEMBER and each.key:
                name = row(short_name(each.key), f"{each.file_path}:{each.line}")
            yield row(
                f"{each.count:>{width}}",
                name,
                f"({kinds_said(each.by_kind)})" if with_kinds else "",
                "[test]" if each.test and self.group_by is Grouping.PROJECT else "",
            )


class SymbolUses(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How often one of several symbols is referred to."""

    asked: str
    """As it was asked for."""
    symbol_id: str = ""
    count: int = 0
    by_kind: dict[RefKind, int] = {}
    file_count: int = 0
    test_count: int = 0
    unresolved_count: int = 0
    problem: str = ""
    """Why there is no answer."""


class SymbolUsesResponse(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """In the order in which they were asked for."""

    symbols: tuple[SymbolUses, ...]
    total_count: int
    """Symbols asked for."""
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.symbols)

    def cut(self, count: int) -> Self:
        return replace(self, symbols=self.symbols[:count], truncated=True)

    def lines(self) -> Iterator[str]:
        for each in self.symbols:
            if each.problem:
                yield row(each.asked, each.problem)
                continue
            yield row(
                f"{sum(each.by_kind.values())}",
                short_name(each.symbol_id),
                f"({kinds_said(each.by_kind)})" if each.by_kind else "",
                f"in {each.file_count} {'file' if each.file_count == 1 else 'files'}" if each.file_count else "",
                f"{each.test_count} in tests" if each.test_count else "",
                f"[{each.unresolved_count} unresolved of that name]" if each.unresolved_count else "",
            )


def kinds_said(kinds: Mapping[RefKind, int]) -> str:
    """``14 write, 3 read``, the most frequent first; one kind by its name alone."""
    if len(kinds) == 1:
        return next(iter(kinds)).value
    ordered = sorted(kinds.items(), key=lambda item: -item[1])
    return ", ".join(f"{count:,} {kind.value}" for kind, count in ordered)
