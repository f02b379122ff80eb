"""Two indexes compared: the whole sequence of changes, filtered, and a page of it with who is affected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import FactRow, Project, RelationRow, SymbolKind, SymbolRow
from codemap_core.queries.difference.affected import reaching_tests, users_of
from codemap_core.queries.difference.facts import fact_changes
from codemap_core.queries.difference.pairing import pair_symbols
from codemap_core.queries.difference.projects import moved_projects, project_changes
from codemap_core.queries.difference.references import ReferenceCounts
from codemap_core.queries.difference.symbols import Judge, Sides, symbol_changes
from codemap_core.queries.difference.views import (
    ChangeType,
    Difference,
    DifferenceRow,
    DifferenceStats,
    FactChange,
    ProjectChange,
    Rank,
    ReachingTest,
    ReferenceChange,
    Section,
    SymbolChange,
)
from codemap_core.queries.path_filter import path_filter
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.reading.row_difference import Changed, document_differences, project_differences

_Row = TypeVar("_Row")
_RANKS: Final = {
    Section.BREAKING: (Rank.AUTHORIZATION_LOST, Rank.BREAKING),
    Section.FACTS: (Rank.AUTHORIZATION_LOST, Rank.FACTS),
    Section.PROJECTS: (Rank.PROJECTS,),
    Section.SYMBOLS: (Rank.BREAKING, Rank.API, Rank.INTERNAL, Rank.IN_TESTS),
    Section.REFERENCES: (Rank.REFERENCES,),
    Section.TESTS: (Rank.REACHING_TESTS,),
}

CHANGES: Final = (Section.BREAKING, Section.FACTS, Section.PROJECTS, Section.SYMBOLS)
"""What differs, without what follows from it: references gained and lost, tests that reach it."""
MakeJudge = Callable[[Sides], Judge]


class Asked(Struct, frozen=True, kw_only=True):
    """What of a difference is wanted. Empty fields restrict nothing. ``files``: as ``path_filter``; ``project``: a name or a path."""

    sections: tuple[Section, ...] = ()
    kinds: tuple[SymbolKind, ...] = ()
    files: str = ""
    project: str = ""
    facts: bool = True

    @property
    def ranks(self) -> frozenset[Rank]:
        return frozenset(rank for section in self.sections or Section for rank in _RANKS[section])

    def wants(self, row: DifferenceRow) -> bool:
        if isinstance(row, ProjectChange):  # one that breaks something is not among the symbols
            sections = self.sections or tuple(Section)
            return Section.PROJECTS in sections or (bool(row.breaks) and Section.BREAKING in sections)
        return row.rank in self.ranks


def parse_sections(names: Iterable[str]) -> tuple[Section, ...]:
    """Raises: InvalidArgumentError listing them."""
    found = []
    for name in (part.strip().lower() for each in names for part in each.split(",")):
        if not name:
            continue
        if name not in Section.__members__.values():
            raise InvalidArgumentError(f"There is no section {name!r}. Sections: {', '.join(Section)}.")
        found.append(Section(name))
    return tuple(dict.fromkeys(found))


def compared(old: Snapshot, new: Snapshot, asked: Asked, make_judge: MakeJudge | None = None) -> Comparison:
    """The comparison of two snapshots, made once for all of its pages."""
    question = (old.identity, new.identity, asked, make_judge)
    last = new.kept(_Last)
    if last.question != question:
        last.question, last.comparison = question, Comparison(old, new, asked, make_judge)
    assert last.comparison is not None
    return last.comparison


class _Last:
    """What a snapshot was compared with last, and the result, for the next page of it."""

    def __init__(self, _snapshot: Snapshot) -> None:
        self.question: tuple[object, ...] | None = None
        self.comparison: Comparison | None = None


class Comparison:
    """The difference of two snapshots. ``make_judge``: the rules that say what breaks."""

    def __init__(self, old: Snapshot, new: Snapshot, asked: Asked, make_judge: MakeJudge | None = None) -> None:
        self._old: Final = old
        self._new: Final = new
        self._asked: Final = asked
        self._meant: Final = _Meant(old.reader, new.reader, asked)
        symbols: _Collected[SymbolRow] = _Collected()
        relations: _Collected[RelationRow] = _Collected()
        facts: _Collected[FactRow] = _Collected()
        references = ReferenceCounts()
        files = 0
        for document in document_differences(old.reader, new.reader):
            files += (document.old is None or document.new is None or document.old.sha256 != document.new.sha256) and (
                self._meant.path(document.file_path)
            )
            symbols.add(document.symbols)
            relations.add(document.relations)
            facts.add(document.facts)
            references.add(document.references.removed, document.references.added)
        moved = moved_projects(old.reader.projects(), new.reader.projects())
        self._pairing: Final = pair_symbols(old.reader, new.reader, symbols.removed, symbols.added, moved)
        self.sides: Final = Sides(old.reader, new.reader, self._pairing)
        judge = None if make_judge is None else make_judge(self.sides)
        self._symbols: Final = self._symbol_changes(judge, relations)
        self._facts: Final = self._fact_changes(facts)
        projects = project_changes(project_differences(old.reader, new.reader), moved, judge)
        self._projects: Final = [each for each in projects if self._meant.row(each)]
        self._references: Final = self._reference_changes(references)
        self._tests: Final = self._reaching_tests()
        self.stats: Final = self._stats(files)
        self.rows: Final = self._sequence()

    def page(self, offset: int, limit: int) -> Difference:
        """Rows behind the first ``offset``, at most ``limit``."""
        shown = self._with_users(self.rows[offset : offset + limit])
        return Difference(
            from_commit=self._old.commit_sha,
            to_commit=self._new.commit_sha,
            to_workspace=self._new.workspace_id or "",
            stats=self.stats,
            total_count=len(self.rows),
            truncated=offset + len(shown) < len(self.rows),
        ).with_rows(shown)

    def _sequence(self) -> list[DifferenceRow]:
        every: list[DifferenceRow] = [
            *self._facts,
            *self._projects,
            *self._symbols,
            *self._references,
            *self._tests,
        ]
        return sorted(filter(self._asked.wants, every), key=lambda each: each.rank)

    def _symbol_changes(self, judge: Judge | None, relations: _Collected[RelationRow]) -> list[SymbolChange]:
        pairing = self._pairing
        based_otherwise = {
            (pairing.translated(each.from_symbol), pairing.project(each.project)) for each in relations.removed
        }
        based_otherwise.update((each.from_symbol, each.project) for each in relations.added)
        return [each for each in symbol_changes(self.sides, judge, based_otherwise) if self._meant.row(each)]

    def _fact_changes(self, facts: _Collected[FactRow]) -> list[FactChange]:
        if not self._asked.facts:
            return []
        found = fact_changes(facts.removed, facts.added, self._new.reader, self._pairing.followed())
        return [each for each in found if self._meant.row(each)]

    def _reference_changes(self, counts: ReferenceCounts) -> list[ReferenceChange]:
        meant = self._meant.symbols
        is_all = self._meant.is_all
        return counts.changes(self._pairing.followed(), lambda source: is_all or (source is not None and meant(source)))

    def _reaching_tests(self) -> list[ReachingTest]:
        changed = [each for each in self._symbols if not each.test]
        after = {
            each.to_symbol_id for each in changed if each.to_symbol_id and each.change_type is not ChangeType.ADDED
        }
        return reaching_tests(self._new.reader, after)

    def _with_users(self, rows: Sequence[DifferenceRow]) -> list[DifferenceRow]:
        changes = [each for each in rows if isinstance(each, SymbolChange)]
        before = users_of(self._old.reader, {_lost_id(each) for each in changes} - {""})
        after = users_of(self._new.reader, {each.to_symbol_id for each in changes if each.to_symbol_id} - {""})
        found: list[DifferenceRow] = []
        for row in rows:
            if isinstance(row, SymbolChange):
                lost = _lost_id(row)
                users = before.get(lost) if lost else after.get(row.symbol_id)
                if users is not None:
                    row = replace(row, users=users.count, test_users=users.test_count, used_by=users.first)
            found.append(row)
        return found

    def _stats(self, files: int) -> DifferenceStats:
        symbols = Counter(each.change_type for each in self._symbols)
        facts = Counter(each.change_type for each in self._facts)
        return DifferenceStats(
            files_changed=files,
            symbols_added=symbols[ChangeType.ADDED],
            symbols_removed=symbols[ChangeType.REMOVED],
            symbols_renamed=symbols[ChangeType.RENAMED],
            symbols_moved=symbols[ChangeType.MOVED],
            symbols_signature_changed=symbols[ChangeType.SIGNATURE_CHANGED],
            symbols_visibility_changed=symbols[ChangeType.VISIBILITY_CHANGED],
            symbols_modified=symbols[ChangeType.MODIFIED],
            breaking_changes=sum(bool(each.breaks) for each in self._symbols)
            + sum(bool(each.breaks) for each in self._projects),
            facts_added=facts[ChangeType.ADDED],
            facts_removed=facts[ChangeType.REMOVED],
            facts_changed=facts[ChangeType.CHANGED],
            authorization_lost=sum(1 for each in self._facts if each.authorization_lost),
            projects_changed=len(self._projects),
            references_gained=sum(each.gained for each in self._references),
            references_lost=sum(each.lost for each in self._references),
            tests_reaching=len(self._tests),
        )


class _Collected(Generic[_Row]):
    """Rows of all documents, by side."""

    def __init__(self) -> None:
        self.removed: Final[list[_Row]] = []
        self.added: Final[list[_Row]] = []

    def add(self, changed: Changed[_Row]) -> None:
        self.removed.extend(changed.removed)
        self.added.extend(changed.added)


class _Meant:
    """What the filters of a question let through: by file, project and kind of symbol."""

    def __init__(self, old: IndexReader, new: IndexReader, asked: Asked) -> None:
        self._readers: Final = (new, old)
        self._kinds: Final = asked.kinds
        self.is_all: Final = not (asked.files or asked.project)
        self._is_meant: Final = path_filter(asked.files)
        self._of_project: Final = (
            None if not asked.project else _files_of(asked.project, (*old.projects(), *new.projects()))
        )

    def path(self, path: str) -> bool:
        return self._is_meant(path) and (self._of_project is None or path in self._of_project)

    def row(self, row: DifferenceRow) -> bool:
        if isinstance(row, SymbolChange) and self._kinds and row.kind not in self._kinds:
            return False
        return self.is_all or self.path(row.path)

    def symbols(self, symbol_id: str) -> bool:
        rows = (row for reader in self._readers for row in reader.symbols_with_id(symbol_id))
        return any(self.path(row.file_path) for row in rows)


def _files_of(name: str, projects: Iterable[Project]) -> frozenset[str]:
    """Raises: InvalidArgumentError for a project that neither revision has."""
    every = list(projects)
    found = [each for each in every if name.lower() in (each.name.lower(), each.project_path.lower())]
    if not found:
        names = sorted({each.name for each in every})
        raise InvalidArgumentError(f"Neither revision has a project {name!r}. Projects: {', '.join(names[:20])}.")
    return frozenset(path for each in found for path in (each.project_path, *each.files))


def _lost_id(change: SymbolChange) -> str:
    """The id that no longer means anything, empty where it still does."""
    return change.from_symbol_id or "" if change.from_symbol_id != change.to_symbol_id else ""
