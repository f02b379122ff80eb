"""References as they are answered: rows, groups with counts, and the uses of several symbols beside each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import groupby
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.model.documentation_id import ERROR_PREFIX
from codemap_core.queries.plain_lines import SAME_SOURCE, NamesInFiles, around, called_name, row, short_name
from codemap_core.queries.rows_by_file import by_file

_WORD: Final = re.compile(r"[\w@]+")
_PLAIN_WORDS: Final = frozenset(
    {
        *(
            "async",
            "await",
            "const",
            "get",
            "init",
            "let",
            "new",
            "readonly",
            "required",
            "return",
            "sealed",
            "set",
            "static",
            "this",
            "var",
        ),
        *("internal", "private", "protected", "public"),
    }
)
"""Words beside a name that do not tell how it is used."""


_UNTOLD: Final = {
    RefKind.EVENT_SUBSCRIBE: re.compile(
        r"(?:[\w@]+[?!]?\.)*[\w@]+ [+-]= (?:async )?(?:[\w@]+ =>|\([\w@, ]*\) =>|delegate(?: ?\([^()]*\))?)(?: \{)?"
    ),
    RefKind.INSTANTIATE: re.compile(r"[\w@.? ]+ [\w@]+ = new(?: [\w@.]+)?(?:\(\))?;?(?: \{)?"),
}
"""Source that tells nothing but its place: ``server.Stopped += async e => {``, ``var first = new Order();``."""
_UNRESOLVED: Final = "[unresolved]"
"""In place of a reason that the row above has; left out where nothing was resolved."""


def doubts(confidence: Confidence, condition: str | None) -> list[str]:
    """What is unusual about a place. One that is compiled on a condition never has high confidence, so the condition alone says that it is
    medium."""
    usual = Confidence.MEDIUM if condition else Confidence.HIGH
    said = [] if confidence is usual else [confidence.value]
    return [*said, f"if {condition}"] if condition else said


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
        said = doubts(self.confidence, self.condition)
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

    @property
    def is_whole(self) -> bool:
        return False

    @property
    def is_of_name(self) -> bool:
        """Whether the target is a name alone, so that no reference is resolved."""
        return self.target_symbol.startswith(ERROR_PREFIX)

    @property
    def usual_kind(self) -> RefKind | None:
        """The kind of more than half of several kinds, which lines do not say."""
        kind, count = max(self.by_kind.items(), key=lambda item: item[1], default=(None, 0))
        return kind if 2 * count > sum(self.by_kind.values()) and len(self.by_kind) > 1 else None


class FindRefsResponse(CountedReferences, frozen=True, omit_defaults=True, kw_only=True):
    """Resolved references before unresolved ones, production code before tests, then by place."""

    references: tuple[ClassifiedReference, ...] = ()
    truncated: bool = False

    @property
    def row_count(self) -> int:
        return len(self.references)

    @property
    def is_whole(self) -> bool:
        """Whether every reference is a row."""
        return self.row_count == self.total_count

    def cut(self, count: int) -> Self:
        return replace(self, references=self.references[:count], truncated=True)

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.file_path for each in self.references))

    def lines(self) -> Iterator[str]:
        """A row for each line and member, whose columns an agent does not need."""
        return by_file(
            (path, row(*cells, f"[{count} times]" if count > 1 else "")) for path, cells, count in self._uses()
        )

    def _uses(self) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """Path, cells and how many references they stand for."""
        unsaid = self.usual_kind if len(self.by_kind) > 1 else next(iter(self.by_kind), None)
        name = short_name(self.target_symbol).rpartition(".")[2]
        members, above, doubt = NamesInFiles(), "", ""
        for (path, line, _), same in groupby(self.references, key=_use):
            several = tuple(same)
            first = several[0]
            source = around(_telling(first, name), name)
            said, above = SAME_SOURCE if source and source == above else source, source
            doubt, doubt_above = first.doubt(), doubt
            is_said = first.resolution_state is ResolutionState.UNRESOLVED and doubt == doubt_above
            marked = doubt if not is_said else "" if self.unresolved_count == self.total_count else _UNRESOLVED
            yield (
                path,
                (
                    f"{line}",
                    first.role or ("" if first.kind is unsaid else first.kind.value),
                    members.said(path, called_name(first.from_symbol) if first.from_symbol else ""),
                    said,
                    "" if self.is_of_name else marked,
                ),
                len(several),
            )


def _use(each: ClassifiedReference) -> tuple[str, int, tuple[str, ...]]:
    """What references have in common that one row stands for."""
    return each.file_path, each.line_start, (each.role or each.kind.value, each.from_symbol or "", each.doubt())


def _telling(reference: ClassifiedReference, name: str) -> str:
    """The excerpt, unless it says nothing but the name that was asked for: ``[Obsolete]``, ``var order = new Order``; of a
    subscription no more than that a lambda begins there, of a creation no more than what holds the new object."""
    excerpt = reference.excerpt or ""
    untold = _UNTOLD.get(reference.kind)
    if untold is not None and untold.fullmatch(excerpt):
        return ""
    known = _spellings(name)
    return (
        excerpt
        if any(word not in _PLAIN_WORDS and not _spellings(word) & known for word in _WORD.findall(excerpt))
        else ""
    )


def _spellings(word: str) -> set[str]:
    """How a type and what holds a value of it are called alike: ``IOrder``, ``order``, ``_order``; an attribute also without suffix."""
    bare = word.lstrip("_@").lower()
    return {bare, bare.removesuffix("attribute"), bare.removeprefix("i")}


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
        usual = self.usual_kind
        width = len(str(max((each.count for each in self.groups), default=0)))
        for each in self.groups:
            name = each.key or f"(no {self.group_by.value})"
            if self.group_by is Grouping.MEMBER and each.key:
                name = row(short_name(each.key), f"{each.file_path}:{each.line}")
            yield row(
                f"{each.count:>{width}}",
                name,
                f"({kinds_said(each.by_kind)})" if with_kinds and each.by_kind.keys() != {usual} else "",
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
