"""The difference of two revisions as it is answered, and how it reads as plain text.

One sequence of rows: what endpoints lost of their authorization, breaking changes of the public API, other facts, projects, the public
API, its bodies and the rest of the production code, tests, references, and the tests that reach what changed. A page is a part of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import IntEnum, StrEnum
from itertools import groupby
from typing import Final, Self

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.model import Confidence, SymbolKind, split_value
from codemap_core.model.counting import counted
from codemap_core.queries.plain_lines import clipped, from_difference, name_under, row, short_name
from codemap_core.queries.rows_by_file import under_folders

_WORD: Final = re.compile(r"\w+")


class Section(StrEnum):
    """What a question may be narrowed to."""

    BREAKING = "breaking"
    """What endpoints lost of their authorization, and breaking changes of the public API."""
    FACTS = "facts"
    PROJECTS = "projects"
    SYMBOLS = "symbols"
    REFERENCES = "references"
    TESTS = "tests"


class Rank(IntEnum):
    """The groups of the sequence, in order."""

    AUTHORIZATION_LOST = 0
    BREAKING = 1
    FACTS = 2
    PROJECTS = 3
    API = 4
    INTERNAL = 5
    IN_TESTS = 6
    REFERENCES = 7
    REACHING_TESTS = 8


TITLES: Final = {
    Rank.AUTHORIZATION_LOST: "Authorization lost",
    Rank.BREAKING: "Breaking changes of the public API",
    Rank.FACTS: "Facts",
    Rank.PROJECTS: "Projects",
    Rank.API: "Public API",
    Rank.INTERNAL: "Implementation",
    Rank.IN_TESTS: "In test projects",
    Rank.REFERENCES: "References gained and lost",
    Rank.REACHING_TESTS: "Tests that reach what changed",
}


class ChangeType(StrEnum):
    ADDED = "added"
    REMOVED = "removed"
    RENAMED = "renamed"
    MOVED = "moved"
    """To another namespace, type, file or project."""
    SIGNATURE_CHANGED = "signature_changed"
    VISIBILITY_CHANGED = "visibility_changed"
    MODIFIED = "modified"
    """Its body, its attributes or its initial value."""
    CHANGED = "changed"
    """Of a fact."""


MARKS: Final = {ChangeType.ADDED: "+", ChangeType.REMOVED: "-"}


class Effect(StrEnum):
    """Whom a breaking change breaks."""

    BINARY = "binary"
    """Compiled consumers no longer run, or no longer do what they did."""
    SOURCE = "source"
    """Consumers no longer compile."""
    BEHAVIOR = "behavior"
    """Consumers run and compile, and see other values."""


class Break(Struct, frozen=True):
    """A rule of compatibility that a change violates. ``rule``: its name in docs/difference.md."""

    rule: str
    effects: tuple[Effect, ...]
    said: str

    def __str__(self) -> str:
        return f"{self.said} ({self.rule}: {', '.join(self.effects)})"


class SymbolChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A symbol that one revision lacks, or that is not the same in both. ``file_path`` and ``line`` are those of the newer revision; of
    what was removed, those of the older one. The ``from_`` fields are left out where they equal the others."""

    change_type: ChangeType
    kind: SymbolKind
    from_symbol_id: str | None = None
    to_symbol_id: str | None = None
    stable_id: str
    signature: str
    from_signature: str | None = None
    visibility: str = ""
    """Where it changed; ``from_visibility`` is the older one."""
    from_visibility: str = ""
    file_path: str
    from_file_path: str | None = None
    line: int
    also: tuple[ChangeType, ...] = ()
    """What else happened to it."""
    public_api: bool = False
    test: bool = False
    breaks: tuple[Break, ...] = ()
    followers: int = 0
    """Members that were added, removed, renamed or moved with it, and are not listed."""
    users: int = 0
    """Members that refer to it: of what was removed or renamed in the older revision, else in the newer one."""
    test_users: int = 0
    """Those among them that stand in test projects."""
    used_by: tuple[str, ...] = ()
    """The first users, production code before tests."""
    confidence: Confidence = Confidence.HIGH
    """Of its being the same symbol in both."""

    @property
    def rank(self) -> Rank:
        if self.breaks:
            return Rank.BREAKING
        if self.test:
            return Rank.IN_TESTS
        return Rank.API if self.public_api and self.change_type is not ChangeType.MODIFIED else Rank.INTERNAL

    @property
    def path(self) -> str:
        return self.file_path

    @property
    def symbol_id(self) -> str:
        return self.to_symbol_id or self.from_symbol_id or ""

    @property
    def happened(self) -> str:
        return ", ".join(each.value.replace("_", " ") for each in (self.change_type, *self.also))

    @property
    def names(self) -> str:
        """``Order.Pay``, or of a renamed or moved one both names."""
        if self.from_symbol_id and self.to_symbol_id and self.from_symbol_id != self.to_symbol_id:
            old, new = _distinct(self.from_symbol_id, self.to_symbol_id)
            if old != new:
                return f"{old} → {new}"
        return short_name(self.symbol_id)

    @property
    def affects(self) -> str:
        """``used by 3 members, 1 of them in tests: Shop.Pay, …``, which names no tests, ``used by 2 members, all in tests``; empty where
        nothing refers to it."""
        if not self.users:
            return ""
        if self.test_users == self.users:
            return f"used by {counted(self.users, 'member')}{' in tests' if self.users == 1 else ', all in tests'}"
        tests = f", {self.test_users:,} of them in tests" if self.test_users else ""
        named = self.used_by[: self.users - self.test_users]
        more = ", …" if self.users - self.test_users > len(named) else ""
        names = ", ".join(dict.fromkeys(map(short_name, named)))
        return f"used by {counted(self.users, 'member')}{tests}: {names}{more}"

    def said(self) -> Iterator[str]:
        """The row, then what does not fit into it. A signature stands for the kind and the name that it says."""
        doubt = "" if self.confidence is Confidence.HIGH else f"[{self.confidence.value}]"
        followers = f"with {counted(self.followers, 'member')}" if self.followers else ""
        head = MARKS.get(self.change_type, "~")
        is_said_by_mark = self.change_type in MARKS or self.happened == ChangeType.MODIFIED
        happened = "" if is_said_by_mark else f"[{self.happened}]"
        kind = "" if self.kind is SymbolKind.METHOD else self.kind.value
        is_renamed = self.from_symbol_id and self.to_symbol_id and self.from_symbol_id != self.to_symbol_id
        names = self.names if is_renamed else name_under(self.file_path, self.names)
        signature = clipped(self.signature) if self.public_api and self.change_type in MARKS else ""
        if signature and names.removeprefix(".") in _WORD.findall(signature):
            kind = names = ""
        affects = "" if self.change_type is ChangeType.ADDED else self.affects
        yield f"{head} {row(f'{self.line}', kind, names, signature, happened, followers, doubt, affects)}"
        if self.from_signature is not None:
            older, newer = from_difference(self.from_signature, self.signature)
            yield f"    - {older}"
            yield f"    + {newer}"
        elif self.visibility:
            yield f"    {self.from_visibility} → {self.visibility}: {clipped(self.signature)}"
        if self.from_file_path is not None:
            yield f"    from {self.from_file_path}"
        for each in self.breaks:
            yield f"    breaks: {each}"


class DetailChange(Struct, frozen=True, omit_defaults=True):
    """One key of a fact's details or a project's settings, before and after; empty where it is not there. ``listed``: of a list, of which
    each side has what the other one lacks."""

    key: str
    before: str
    after: str
    listed: bool = False

    def __str__(self) -> str:
        if self.listed:
            said = (f"{verb} {each}" for verb, each in (("lost", self.before), ("gained", self.after)) if each)
            return f"{self.key}: {'; '.join(said)}"
        return f"{self.key}: {self.before or 'none'} → {self.after or 'none'}"


class FactChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A fact that was added, removed or changed. Its place is that in the newer revision, of a removed one that in the older one."""

    change_type: ChangeType
    fact_kind: str
    from_value: str | None = None
    to_value: str | None = None
    symbol_id: str | None = None
    """The owner."""
    details: tuple[DetailChange, ...] = ()
    authorization_lost: bool = False
    """What was restricted is open to everybody now."""
    file_path: str
    line: int
    test: bool = False

    @property
    def rank(self) -> Rank:
        if self.authorization_lost:
            return Rank.AUTHORIZATION_LOST
        return Rank.IN_TESTS if self.test else Rank.FACTS

    @property
    def path(self) -> str:
        return self.file_path

    @property
    def values(self) -> str:
        old, new = self.from_value, self.to_value
        if old is None or new is None or old == new:
            return clipped(new if new is not None else old or "")
        return f"{clipped(old)} → {clipped(new)}"

    @property
    def alike(self) -> tuple[str, str, str] | None:
        """Mark, kind and owner of one that was added or removed, which others beside it may have too."""
        mark = MARKS.get(self.change_type)
        return None if mark is None or self.details else (mark, self.fact_kind, self._owner)

    @property
    def _owner(self) -> str:
        return name_under(self.file_path, short_name(self.symbol_id)) if self.symbol_id else ""

    def said(self) -> Iterator[str]:
        head = MARKS.get(self.change_type, "~")
        changes = "; ".join(clipped(str(each)) for each in self.details)
        yield f"{head} {row(f'{self.line}', self.fact_kind, self.values, changes, self._owner)}"


class ProjectChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A project that was added, removed, moved or evaluated otherwise."""

    change_type: ChangeType
    project_path: str
    from_project_path: str | None = None
    details: tuple[DetailChange, ...] = ()
    breaks: tuple[Break, ...] = ()

    @property
    def rank(self) -> Rank:
        return Rank.BREAKING if self.breaks else Rank.PROJECTS

    @property
    def path(self) -> str:
        return self.project_path

    @property
    def happened(self) -> tuple[str, ...]:
        """Where it was, and what about it is otherwise; else what became of it."""
        moved = () if self.from_project_path is None else (f"moved from {self.from_project_path}",)
        return (*moved, *(clipped(str(each)) for each in self.details)) or (self.change_type.value,)

    def said(self) -> Iterator[str]:
        yield f"{MARKS.get(self.change_type, '~')} {row(*self.happened)}"
        for each in self.breaks:
            yield f"    breaks: {each}"


class MemberUses(Struct, frozen=True, omit_defaults=True):
    """How many references to a symbol a member gained and lost; ``symbol_id`` is null outside members."""

    symbol_id: str | None
    gained: int = 0
    lost: int = 0

    def __str__(self) -> str:
        return (
            f"{short_name(self.symbol_id) if self.symbol_id else 'no member'} {gained_and_lost(self.gained, self.lost)}"
        )


class ReferenceChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """References to one symbol that members gained and lost. ``symbol_id``: as in the newer revision; of a name that was not resolved,
    ``!:`` and the name."""

    symbol_id: str
    gained: int = 0
    lost: int = 0
    external: bool = False
    members: tuple[MemberUses, ...] = ()
    """The first of them."""
    member_count: int

    @property
    def rank(self) -> Rank:
        return Rank.REFERENCES

    @property
    def path(self) -> str:
        """Empty: it is about no one file."""
        return ""

    def said(self) -> Iterator[str]:
        more = f", +{self.member_count - len(self.members):,} more" if self.member_count > len(self.members) else ""
        name = short_name(self.symbol_id) if not self.symbol_id.startswith("!:") else self.symbol_id
        yield f"{row(gained_and_lost(self.gained, self.lost), name)}: {', '.join(map(str, self.members))}{more}"


class ReachingTest(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A method of a test project from which calls lead to something that changed, and which nothing calls itself. ``distance``: number of
    calls."""

    symbol_id: str
    file_path: str
    line: int
    distance: int

    @property
    def rank(self) -> Rank:
        return Rank.REACHING_TESTS

    @property
    def path(self) -> str:
        return self.file_path

    def said(self) -> Iterator[str]:
        yield row(f"{self.line}", name_under(self.file_path, short_name(self.symbol_id)))


DifferenceRow = SymbolChange | FactChange | ProjectChange | ReferenceChange | ReachingTest
"""``rank``, ``path`` of the file it is about, and ``said``: lines of text, of which those behind the first belong to it."""


class DifferenceStats(Struct, frozen=True, kw_only=True):
    """Counts over the whole difference, whatever is shown of it. ``symbols_*`` count by the first thing that happened to each."""

    files_changed: int = 0
    symbols_added: int = 0
    symbols_removed: int = 0
    symbols_renamed: int = 0
    symbols_moved: int = 0
    symbols_signature_changed: int = 0
    symbols_visibility_changed: int = 0
    symbols_modified: int = 0
    breaking_changes: int = 0
    facts_added: int = 0
    facts_removed: int = 0
    facts_changed: int = 0
    authorization_lost: int = 0
    projects_changed: int = 0
    references_gained: int = 0
    references_lost: int = 0
    tests_reaching: int = 0

    @property
    def is_empty(self) -> bool:
        return not any(getattr(self, name) for name in self.__struct_fields__)

    def symbols(self) -> str:
        names = ("added", "removed", "renamed", "moved", "signature_changed", "visibility_changed", "modified")
        found = [(name.replace("_", " "), getattr(self, f"symbols_{name}")) for name in names]
        return ", ".join(f"{count:,} {name}" for name, count in found if count) or "no change"

    def facts(self) -> str:
        found = [(name, getattr(self, f"facts_{name}")) for name in ("added", "removed", "changed")]
        return ", ".join(f"{count:,} {name}" for name, count in found if count) or "no change"


class Difference(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A page of the difference of two revisions."""

    from_commit: str
    to_commit: str
    to_workspace: str = ""
    """The workspace that is the newer side, with its edits of ``to_commit``."""
    stats: DifferenceStats
    fact_changes: tuple[FactChange, ...] = ()
    symbol_changes: tuple[SymbolChange, ...] = ()
    project_changes: tuple[ProjectChange, ...] = ()
    reference_changes: tuple[ReferenceChange, ...] = ()
    reaching_tests: tuple[ReachingTest, ...] = ()
    total_count: int
    """Rows over all pages."""
    truncated: bool = False

    @property
    def revisions(self) -> tuple[str, str]:
        """Both sides as they are named in a sentence."""
        newer = f"workspace {self.to_workspace}" if self.to_workspace else self.to_commit[:12]
        return self.from_commit[:12], newer

    @property
    def rows(self) -> list[DifferenceRow]:
        """All rows of the page in the order of the sequence."""
        every: list[DifferenceRow] = [
            *self.fact_changes,
            *self.project_changes,
            *self.symbol_changes,
            *self.reference_changes,
            *self.reaching_tests,
        ]
        return sorted(every, key=lambda each: each.rank)

    @property
    def row_count(self) -> int:
        return len(self.rows)

    def cut(self, count: int) -> Self:
        return replace(self.with_rows(self.rows[:count]), truncated=True)

    def with_rows(self, rows: Sequence[DifferenceRow]) -> Self:
        """The same with other rows."""
        return replace(
            self,
            fact_changes=tuple(each for each in rows if isinstance(each, FactChange)),
            symbol_changes=tuple(each for each in rows if isinstance(each, SymbolChange)),
            project_changes=tuple(each for each in rows if isinstance(each, ProjectChange)),
            reference_changes=tuple(each for each in rows if isinstance(each, ReferenceChange)),
            reaching_tests=tuple(each for each in rows if isinstance(each, ReachingTest)),
        )

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.path for each in self.rows if each.path))

    def lines(self) -> Iterator[str]:
        """Rows by rank, under their files, and these under folders."""
        for rank, of_rank in groupby(self.rows, key=lambda each: each.rank):
            yield f"{TITLES[rank]}:"
            files = [(path, list(rows)) for path, rows in groupby(of_rank, key=lambda each: each.path)]
            named = under_folders([path for path, _ in files])
            for (path, rows), (folder, shown) in zip(files, named, strict=True):
                if folder:
                    yield f"  {folder}"
                if path:
                    yield f"  {shown}"
                indent = "    " if path else "  "
                yield from (f"{indent}{line}" for line in _said(rows))


def _said(rows: Sequence[DifferenceRow]) -> Iterator[str]:
    """Rows of one file. Facts that are alike except for line and value stand in one, which says once how all their values end."""
    for alike, same in groupby(rows, key=lambda each: each.alike if isinstance(each, FactChange) else None):
        if alike is None:
            for each in same:
                yield from each.said()
            continue
        facts = [each for each in same if isinstance(each, FactChange)]
        if len(facts) == 1:
            yield from facts[0].said()
        else:
            mark, kind, owner = alike
            ends = {split_value(kind, each.values)[1] for each in facts}
            end = ends.pop() if len(ends) == 1 else ""
            names = (each.values.removesuffix(f"|{end}") if end else each.values for each in facts)
            yield f"{mark} {row(kind, end, owner)}"
            yield f"    {'; '.join(f'{each.line} {name}' for each, name in zip(facts, names, strict=True))}"


def gained_and_lost(gained: int, lost: int) -> str:
    return " ".join(f"{sign}{count:,}" for sign, count in (("+", gained), ("-", lost)) if count)


def _distinct(old: str, new: str) -> tuple[str, str]:
    """Two short names that tell the symbols apart; whole names where the short ones are equal."""
    names = short_name(old), short_name(new)
    return names if names[0] != names[1] else (old[2:].partition("(")[0], new[2:].partition("(")[0])
