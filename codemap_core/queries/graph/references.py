"""Where a symbol is used: its references by kind, honestly counted, each with its line; in groups; of several symbols at once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct, structs

from codemap_core.errors import CodeMapError, InvalidArgumentError
from codemap_core.model import ReferenceRow, RefKind, ResolutionState, SymbolKind
from codemap_core.model.documentation_id import ERROR_PREFIX, container_of, is_type_id, readable_name
from codemap_core.queries.excerpts import excerpts
from codemap_core.queries.names.declaring_projects import Standpoint, nearest_declarations
from codemap_core.queries.names.symbol_candidates import on_one_line
from codemap_core.queries.names.symbol_targets import Target
from codemap_core.queries.names.wanted import Wanted
from codemap_core.queries.path_filter import path_filter
from codemap_core.queries.plain_lines import clipped
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.references import (
    ClassifiedReference,
    CountedReferences,
    FindRefsResponse,
    Grouping,
    ReferenceGroup,
    ReferenceGroupsResponse,
    SymbolUses,
    SymbolUsesResponse,
)
from codemap_core.storage.reading.reference_lookup import Meaning, ReferenceCount
from codemap_core.storage.reading.symbol_search import SymbolFilter

CONTRACT_KINDS: Final = (
    RefKind.CALL,
    RefKind.READ,
    RefKind.WRITE,
    RefKind.INSTANTIATE,
    RefKind.OVERRIDE,
    RefKind.IMPLEMENTATION,
)
ALL_KINDS: Final = tuple(RefKind)
_UNKNOWN: Final = "?"
"""What a reference says of its container when nothing is known of it."""
_USES: Final[dict[SymbolKind, tuple[RefKind, ...]]] = {
    SymbolKind.CONSTRUCTOR: (RefKind.CTOR_INITIALIZER, RefKind.ATTRIBUTE),
    SymbolKind.OPERATOR: (RefKind.OPERATOR,),
    SymbolKind.EVENT: (RefKind.EVENT_SUBSCRIBE,),
}
"""Kinds that are to these symbols what a call is to a method."""


class ReferenceQuestion(Struct, frozen=True, kw_only=True):
    """``kinds`` empty: ``default_kinds``, or all when there are none of these. ``path``: as ``path_filter``. ``states``: unresolved ones
    are occurrences of the name that were not resolved and may mean the symbol; they come last."""

    kinds: tuple[RefKind, ...] = ()
    states: tuple[ResolutionState, ...] = tuple(ResolutionState)
    path: str = ""

    @property
    def wanted(self) -> Wanted:
        """What of a name has references of these kinds: ``[HttpGet]`` is a type's, whatever member bears its name."""
        if self.kinds == (RefKind.ATTRIBUTE,):
            return Wanted.ATTRIBUTE
        if self.kinds and _OF_TYPES.issuperset(self.kinds):
            return Wanted.TYPE
        return Wanted.MEMBER if self.kinds and _OF_MEMBERS.issuperset(self.kinds) else Wanted.ANY


_OF_TYPES: Final = frozenset({RefKind.ATTRIBUTE, RefKind.TYPE, RefKind.INSTANTIATE})
_OF_MEMBERS: Final = frozenset({RefKind.READ, RefKind.WRITE, RefKind.EVENT_SUBSCRIBE})
_EVERYTHING: Final = ReferenceQuestion()


def default_kinds(target: Target) -> tuple[RefKind, ...]:
    """The contract's six, and what a use of such a symbol is."""
    further = _USES.get(target.kind, ()) if target.kind is not None else ()
    return (*CONTRACT_KINDS, *further)


def parse_kinds(names: Iterable[str], snapshot: Snapshot | None = None) -> tuple[RefKind, ...]:
    """Kinds as a client writes them: ``Call``, ``method_group``, several with commas, ``all``; empty for none given.
    ``snapshot``: whose links have roles, which rows of references show in the place of the kind. Raises: InvalidArgumentError listing
    them."""
    known = {kind.value.replace("_", ""): kind for kind in ALL_KINDS}
    parsed: list[RefKind] = []
    for name in (each for text in names for each in text.split(",")):
        spelt = re.sub(r"[\s_-]", "", name).lower()
        if spelt == "all":
            return ALL_KINDS
        if spelt in known:
            parsed.append(known[spelt])
        elif spelt:
            if snapshot is not None and snapshot.reading.references(role=name.strip(), limit=1).rows:
                raise InvalidArgumentError(
                    f"{name.strip()!r} is a role of links. Their kind is {RefKind.LINK.value!r}."
                )
            kinds = ", ".join(kind.value for kind in ALL_KINDS)
            raise InvalidArgumentError(f"There is no kind of reference {clipped(name.strip())!r}. Kinds: {kinds}, all.")
    return tuple(dict.fromkeys(parsed))


def parse_states(text: str) -> tuple[ResolutionState, ...]:
    """``resolved``, ``unresolved`` or ``both``, which is what an empty text means. Raises: InvalidArgumentError."""
    spelt = text.strip().lower()
    if spelt in ("", "both"):
        return tuple(ResolutionState)
    try:
        return (ResolutionState(spelt),)
    except ValueError:
        states = ", ".join((*(state.value for state in ResolutionState), "both"))
        raise InvalidArgumentError(f"There is no resolution_state {text!r}. States: {states}.") from None


def parse_grouping(text: str) -> Grouping | None:
    """Null for none given. Raises: InvalidArgumentError."""
    spelt = text.strip().lower()
    try:
        return Grouping(spelt) if spelt else None
    except ValueError:
        groupings = ", ".join(grouping.value for grouping in Grouping)
        raise InvalidArgumentError(f"References cannot be grouped by {text!r}. Groups: {groupings}.") from None


def find_references(
    snapshot: Snapshot,
    target: Target,
    question: ReferenceQuestion = _EVERYTHING,
    limit: int = 50,
    offset: int = 0,
) -> FindRefsResponse:
    """References to a symbol, those in production code before those in tests, then by place. ``limit`` 0: counts alone."""
    found = _Found(snapshot, target, question)
    rows = found.rows(offset, limit)
    lines = excerpts(snapshot, [(row.file_path, row.line) for row in rows])
    return FindRefsResponse(
        references=tuple(
            _classified(row, _from(snapshot, row), lines.get((row.file_path, row.line)), _is_test(snapshot, row))
            for row in rows
        ),
        truncated=bool(limit) and offset + len(rows) < found.counts.total_count,
        **structs.asdict(found.counts),
    )


def group_references(
    snapshot: Snapshot, target: Target, question: ReferenceQuestion, by: Grouping, limit: int = 50, offset: int = 0
) -> ReferenceGroupsResponse:
    """References counted by file, project, enclosing member or kind."""
    found = _Found(snapshot, target, question)
    groups = found.groups(by)
    shown = groups[offset : offset + limit]
    if by is Grouping.MEMBER:
        shown = _placed(snapshot, shown, found.first)
    return ReferenceGroupsResponse(
        group_by=by,
        groups=tuple(shown),
        group_count=len(groups),
        truncated=offset + len(shown) < len(groups),
        **structs.asdict(found.counts),
    )


def count_uses(
    snapshot: Snapshot,
    asked: Sequence[str],
    find: Callable[[str], Target],
    question: ReferenceQuestion,
    limit: int = 50,
    offset: int = 0,
) -> SymbolUsesResponse:
    """How often each of several symbols is referred to. ``find`` resolves what was asked for; where it raises, the row says why."""
    shown = asked[offset : offset + limit]
    return SymbolUsesResponse(
        symbols=tuple(_uses(snapshot, each, find, question) for each in shown),
        total_count=len(asked),
        truncated=offset + len(shown) < len(asked),
    )


def _uses(snapshot: Snapshot, asked: str, find: Callable[[str], Target], question: ReferenceQuestion) -> SymbolUses:
    try:
        target = find(asked)
    except CodeMapError as error:
        return SymbolUses(asked=asked, problem=f"{error.code.value}: {on_one_line(error)}")
    found = _Found(snapshot, target, question).counts
    return SymbolUses(
        asked=asked,
        symbol_id=target.symbol_id,
        count=found.total_count,
        by_kind=found.by_kind,
        file_count=found.file_count,
        test_count=found.test_count,
        unresolved_count=found.unresolved_count,
    )


class _Part(Struct, frozen=True):
    """References of one state, counted, and the files that they stand in, in order."""

    meaning: Meaning
    counts: tuple[ReferenceCount, ...]
    files: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(each.count for each in self.counts)


def _hints(snapshot: Snapshot, target: Target) -> tuple[str, ...]:
    """What references that may mean the target say of their container: a member of an enum is reached through the enum alone, while other
    members are inherited, or reached through values. Empty: anything."""
    if target.kind is not SymbolKind.CONSTANT:
        return ()
    container = container_of(target.symbol_id)
    if not any(each.kind is SymbolKind.ENUM for each in snapshot.reader.symbols_with_id(container)):
        return ()
    return _UNKNOWN, readable_name(container).rpartition(".")[2]


def _others(snapshot: Snapshot, target: Target) -> tuple[str, ...]:
    """Receivers of calls that may mean the target by their name, of which several overloads fit: the types that are declared here and
    neither are, nor derive from, nor are bases of the target's own. They have no part in it, whatever their overloads. Empty for members of
    static classes, which may be extensions of any type."""
    reader = snapshot.reader
    containers = reader.symbols_with_id(container_of(target.symbol_id)) if target.kind is SymbolKind.METHOD else ()
    if not containers or any("static" in each.modifiers for each in containers):
        return ()
    above = _with_bases(snapshot, containers[0].symbol_id)
    if any(each.startswith(ERROR_PREFIX) for each in above):
        return ()

    def is_other(receiver: str) -> bool:
        types = [
            each.symbol_id for each in reader.symbols_called([receiver], SymbolFilter()) if is_type_id(each.symbol_id)
        ]
        reached = {each for type_id in types for each in _with_bases(snapshot, type_id)}
        is_known = bool(types) and not any(each.startswith(ERROR_PREFIX) for each in reached)
        return is_known and containers[0].symbol_id not in reached and above.isdisjoint(types)

    return tuple(receiver for receiver in reader.undecided_receivers(target.simple_name) if is_other(receiver))


def _with_bases(snapshot: Snapshot, type_id: str) -> set[str]:
    """A type and all that it derives from or implements; what could not be found under its name."""
    reached, frontier = {type_id}, [type_id]
    while frontier:
        above = {each.to_symbol for below in frontier for each in snapshot.reader.relations_from(below)} - reached
        reached |= above
        frontier = sorted(above)
    return reached


class _Found:
    """The references that one question finds, counted: resolved references, then the unresolved ones. Rows are read on demand."""

    def __init__(self, snapshot: Snapshot, target: Target, question: ReferenceQuestion) -> None:
        self._reader: Final = snapshot.reader
        self._paths: Final = self._reader.edges.paths
        self._tests: Final = self._reader.edges.test_projects
        resolved = Meaning(target.symbol_ids, (), target.projects)
        unresolved = Meaning((), (target.simple_name,), target.projects, _hints(snapshot, target))
        certain, possible = self._reader.count_references(resolved), self._reader.count_references(unresolved)
        if possible and (others := _others(snapshot, target)):
            unresolved = structs.replace(unresolved, others=others)
            possible = self._reader.count_references(unresolved)
        counted = {ResolutionState.RESOLVED: certain, ResolutionState.UNRESOLVED: possible}
        asked = [each for state in question.states for each in counted[state]]
        kinds = question.kinds or default_kinds(target)
        if not question.kinds and not any(each.kind in kinds for each in asked):
            kinds = ALL_KINDS
        self._kinds: Final = kinds
        is_meant = path_filter(question.path)
        meant = {number for number in {each.file_id for each in (*certain, *possible)} if is_meant(self._paths[number])}
        meanings = {ResolutionState.RESOLVED: resolved, ResolutionState.UNRESOLVED: unresolved}
        self._parts: Final = [
            self._part(
                meanings[state], [each for each in counted[state] if each.kind in kinds and each.file_id in meant]
            )
            for state in ResolutionState
            if state in question.states
        ]
        self.first: dict[str, ReferenceCount] = {}
        """By the key of a group that was asked for, those of its references that come first."""
        leading = self._parts[0].counts
        self._in_groups: Final = self._parts if target.is_name_alone else self._parts[:1]
        """Places that only may mean the target are in no group, where nothing would tell them from its references."""
        self.counts: Final = CountedReferences(
            target_symbol=target.symbol_id,
            total_count=sum(part.total for part in self._parts),
            by_kind=_by_kind(leading),
            file_count=len({each.file_id for each in leading}),
            test_count=sum(each.count for each in leading if each.project_id in self._tests),
            other_kinds=_by_kind(
                each for each in (possible if target.is_name_alone else certain) if each.kind not in kinds
            ),
            elsewhere_count=sum(each.count for each in asked if each.kind in kinds and each.file_id not in meant),
            unresolved_count=sum(each.count for each in possible if each.kind in kinds and each.file_id in meant),
            external=target.is_external,
        )

    def _part(self, meaning: Meaning, counts: Sequence[ReferenceCount]) -> _Part:
        production = {each.file_id for each in counts if each.project_id not in self._tests}
        ranks = self._reader.edges.path_ranks
        files = sorted({each.file_id for each in counts}, key=lambda each: (each not in production, ranks[each]))
        return _Part(meaning, tuple(counts), tuple(files))

    def rows(self, offset: int, limit: int) -> list[ReferenceRow]:
        found: list[ReferenceRow] = []
        for part in self._parts:
            found += self._rows_of(part, offset, limit - len(found))
            offset = max(0, offset - part.total)
        return found

    def _rows_of(self, part: _Part, offset: int, limit: int) -> Sequence[ReferenceRow]:
        """Read are the files alone that the page reaches into."""
        size: Counter[int] = Counter()
        for each in part.counts:
            size[each.file_id] += each.count
        before, wanted, reached = 0, [], 0
        for number in part.files:
            if reached >= offset + limit:
                break
            if reached + size[number] <= offset:
                before += size[number]
            else:
                wanted.append(number)
            reached += size[number]
        if limit <= 0 or not wanted:
            return ()
        ranks = {self._paths[number]: rank for rank, number in enumerate(wanted)}
        rows = self._reader.references_in_files(part.meaning, self._kinds, wanted)
        ordered = sorted(
            rows, key=lambda row: (ranks[row.file_path], row.line, row.column, row.kind, row.from_symbol or "")
        )
        return ordered[offset - before : offset - before + limit]

    def groups(self, by: Grouping) -> list[ReferenceGroup]:
        if by is Grouping.MEMBER:
            counted = [
                each
                for part in self._in_groups
                for each in self._reader.count_references_by_member(part.meaning, self._kinds, part.files)
            ]
            return self._grouped((member or "", each) for member, each in counted)
        names = self._reader.edges.project_names if by is Grouping.PROJECT else {}
        keys: dict[Grouping, Callable[[ReferenceCount], str]] = {
            Grouping.FILE: lambda each: self._paths[each.file_id],
            Grouping.KIND: lambda each: each.kind.value,
            Grouping.PROJECT: lambda each: names.get(each.project_id or 0, ""),
        }
        return self._grouped((keys[by](each), each) for part in self._in_groups for each in part.counts)

    def _grouped(self, counted: Iterable[tuple[str, ReferenceCount]]) -> list[ReferenceGroup]:
        groups: dict[str, list[ReferenceCount]] = {}
        for key, each in counted:
            groups.setdefault(key, []).append(each)
        ranks = self._reader.edges.path_ranks
        self.first |= {key: min(counts, key=lambda each: ranks[each.file_id]) for key, counts in groups.items()}
        found = [
            ReferenceGroup(
                key=key,
                count=sum(each.count for each in counts),
                by_kind=_by_kind(counts),
                test=all(each.project_id in self._tests for each in counts),
            )
            for key, counts in groups.items()
        ]
        return sorted(found, key=lambda group: (group.test, -group.count, group.key))


def _by_kind(counts: Iterable[ReferenceCount]) -> dict[RefKind, int]:
    found: Counter[RefKind] = Counter()
    for each in counts:
        found[each.kind] += each.count
    return {kind: found[kind] for kind in ALL_KINDS if kind in found}


def _placed(
    snapshot: Snapshot, groups: Sequence[ReferenceGroup], first: Mapping[str, ReferenceCount]
) -> list[ReferenceGroup]:
    """Members with where they are declared; ``first``: by member, references in it."""
    edges = snapshot.reader.edges
    declared = nearest_declarations(
        snapshot, {each.key: Standpoint.at(edges, first[each.key]) for each in groups if each.key}
    )
    return [
        ReferenceGroup(
            key=each.key,
            count=each.count,
            by_kind=each.by_kind,
            test=each.test,
            file_path=declared[each.key].file_path if each.key in declared else None,
            line=declared[each.key].name_line if each.key in declared else None,
        )
        for each in groups
    ]


def _from(snapshot: Snapshot, row: ReferenceRow) -> str | None:
    """The symbol around a reference. A documentation comment stands outside what it is about."""
    if row.from_symbol is None and row.kind is RefKind.CREF:
        return snapshot.reader.declared_after(row.file_path, row.line)
    return row.from_symbol


def _is_test(snapshot: Snapshot, row: ReferenceRow) -> bool:
    return row.project in snapshot.reader.edges.test_projects.values()


def _classified(row: ReferenceRow, enclosing: str | None, line: str | None, in_tests: bool) -> ClassifiedReference:
    unresolved = row.resolution_state is ResolutionState.UNRESOLVED
    return ClassifiedReference(
        kind=row.kind,
        role=row.role,
        from_symbol=enclosing,
        file_path=row.file_path,
        line_start=row.line,
        line_end=None if row.line_end == row.line else row.line_end,
        column=row.column,
        excerpt=line,
        resolution_state=row.resolution_state,
        confidence=row.confidence,
        to_name=row.to_name if unresolved else None,
        to_container_hint=row.to_container_hint if unresolved else None,
        reason=row.reason,
        condition=row.condition,
        test=in_tests,
    )
