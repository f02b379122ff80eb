"""Edges between symbols by number, for walks over many of them: what refers to members, what they refer to, which members fill which.

Rows are as the index has them, one for each reference, in no order: who walks groups and sorts them. Numbers are ``symbol_ids.id`` and
private to one database file. Invariant: a question about any count of members is one statement, which the indexes on both ends serve.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, Select, case, exists, func, literal, select, union, union_all
from sqlalchemy.orm import aliased

from codemap_core.model import RefKind, ResolutionState, SymbolKind
from codemap_core.storage.reading.prepared import Prepared, given
from codemap_core.storage.reading.test_projects import test_project_paths
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import REF_KIND_CODES, RESOLUTION_STATE_CODES

_Made = TypeVar("_Made")

SLOT_KINDS: Final = (RefKind.IMPLEMENTATION, RefKind.OVERRIDE)
# Not ``to_symbol IS NULL``: SQLite would look all of those up by the index on ``to_symbol``.
_ABSTRACT: Final = "abstract"
_UNRESOLVED: Final = RESOLUTION_STATE_CODES[ResolutionState.UNRESOLVED]


class Edge(NamedTuple):
    """One reference between two symbols; ``kind`` and ``confidence`` are numbers of ``codes``. Of a creation ``target`` is the
    constructor where that has a declaration, else the type."""

    source: int
    target: int
    kind: int
    file_id: int
    line: int
    column: int
    confidence: int
    is_virtual: int
    external: int
    project_id: int | None
    condition: int | None = None
    """``strings.id`` of what must hold for it to be compiled; null for what the primary configuration compiles."""


class UnresolvedUse(NamedTuple):
    """One reference without a target, in the body of ``source``."""

    source: int
    kind: int
    name: str
    container_hint: str | None
    reason: str | None
    file_id: int
    line: int
    column: int


class EdgeLookup:
    """Asks one index. ``reading`` gives a connection."""

    def __init__(self, reading: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._reading: Final = reading

    def prepare(self) -> None:
        """Reads what is read once and kept."""
        for each in (self.path_ranks, self.test_projects, self.project_names):
            len(each)

    @cached_property
    def paths(self) -> dict[int, str]:
        """Paths of all files by ``files.id``."""
        return dict(self._all(_PATHS, _pair))

    @cached_property
    def path_ranks(self) -> dict[int, int]:
        """By ``files.id``, the place of a file in path order, for sorting."""
        ordered = sorted(self.paths, key=self.paths.__getitem__)
        return {number: rank for rank, number in enumerate(ordered)}

    @cached_property
    def test_projects(self) -> dict[int, str]:
        """As ``test_projects.test_project_paths``."""
        with self._reading() as connection:
            return test_project_paths(connection)

    @cached_property
    def references_of_tests(self) -> tuple[int, int]:
        """Between which ``refs.id`` all references are that stand in files of test projects."""
        ((first, last),) = self._all(_ROWS_OF_PROJECTS, tuple, projects=[*self.test_projects])
        return first or 0, last or 0

    def project_numbers(self, paths: Iterable[str]) -> frozenset[int]:
        return frozenset(number for (number,) in self._all(_PROJECTS_AT, tuple, paths=list(paths)))

    @cached_property
    def project_names(self) -> dict[int, str]:
        """Names of all projects by ``projects.id``."""
        return dict(self._all(_PROJECT_NAMES, _pair))

    @cached_property
    def project_paths(self) -> dict[int, str]:
        """Paths of all projects by ``projects.id``."""
        return dict(self._all(_PROJECT_PATHS, _pair))

    @cached_property
    def project_references(self) -> dict[int, tuple[int, ...]]:
        """By ``projects.id``, the projects that one references directly, those behind packages too."""
        rows = self._all(_PROJECT_REFERENCES, tuple)
        numbers = {path: number for number, path, _, _ in rows}
        return {
            number: tuple(
                numbers[each]
                for listed in (needed, packaged or "[]")
                for each in msgspec.json.decode(listed, type=list[str])
                if each in numbers
            )
            for number, _, needed, packaged in rows
        }

    def edges_to(
        self, numbers: Collection[int], kinds: Collection[RefKind], *, only_virtual: bool = False
    ) -> list[Edge]:
        """References from any symbol to one of ``numbers``; constructors by what they create. ``only_virtual``: those alone that may
        reach an override or an implementation."""
        return self._all(_edges_to(tuple(kinds), only_virtual), Edge._make, numbers=list(numbers))

    def edges_outside(self, numbers: Collection[int], kinds: Collection[RefKind]) -> list[tuple[int, int, int]]:
        """(``files.id``, kind, confidence) for each reference to ``numbers`` that no symbol owns: in ``using`` directives, and in
        attributes of assemblies; both as numbers of ``codes``."""
        return self._all(_edges_outside(tuple(kinds)), tuple, numbers=list(numbers))

    def edges_from(
        self, numbers: Collection[int], kinds: Collection[RefKind], *, conditional: bool = False
    ) -> list[Edge]:
        """References from ``numbers`` to any symbol. ``conditional``: also what other configurations alone compile, as ``edges_to`` has
        it; what follows from a member's calls does not follow from these."""
        return self._all(_edges_from(tuple(kinds), conditional), Edge._make, numbers=list(numbers))

    def conditions(self, edges: Iterable[Edge]) -> dict[int, str]:
        """What must hold for those that other configurations alone compile, by ``strings.id``."""
        numbers = {edge.condition for edge in edges if edge.condition is not None}
        return dict(self._all(_CONDITIONS, _pair, numbers=list(numbers))) if numbers else {}

    def uses(
        self, numbers: Collection[int], kinds: Collection[RefKind], *, only_virtual: bool = False
    ) -> list[tuple[int, int, int]]:
        """Of ``edges_to``, (source, target, kind), each once; ``only_virtual`` leaves what the repository does not declare out, too."""
        return self._all(_uses(tuple(kinds), only_virtual), tuple, numbers=list(numbers))

    def used(self, numbers: Collection[int], kinds: Collection[RefKind]) -> list[tuple[int, int, int]]:
        """Of ``edges_from``, (source, target, kind), each once, to what the repository declares."""
        return self._all(_used(tuple(kinds)), tuple, numbers=list(numbers))

    def edges_between(
        self, numbers: Collection[int], targets: Collection[int], kinds: Collection[RefKind]
    ) -> list[Edge]:
        """References from ``numbers`` to ``targets``; of a creation the target is the type even if its constructor has a declaration."""
        return self._all(_edges_between(tuple(kinds)), Edge._make, numbers=list(numbers), targets=list(targets))

    def members_read(self, numbers: Collection[int], types: Collection[int]) -> list[tuple[int, int]]:
        """(reader, member) for each field or property that one of ``numbers`` reads and whose declaration names one of ``types``."""
        return self._all(_MEMBERS_READ, _pair, numbers=list(numbers), types=list(types))

    def links_from(self, numbers: Collection[int], roles: Collection[str]) -> list[Edge]:
        """Links of some roles from ``numbers`` to any symbol."""
        return self._all(_LINKS, Edge._make, numbers=list(numbers), roles=list(roles))

    def links_to(self, numbers: Collection[int], roles: Collection[str]) -> list[Edge]:
        """Links of some roles to ``numbers`` from any symbol."""
        return self._all(_LINKS_BACK, Edge._make, numbers=list(numbers), roles=list(roles))

    def bodiless(self, numbers: Collection[int]) -> frozenset[int]:
        """Those that an interface declares, or that are abstract."""
        found = self._all(_MODIFIERS, tuple, numbers=list(numbers))
        return frozenset(
            number
            for number, modifiers, kind in found
            if kind == SymbolKind.INTERFACE or _ABSTRACT in modifiers.split()
        )

    def slots(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(member, slot) for each member that one of ``numbers`` overrides or implements directly."""
        return self._all(_SLOTS, _pair, numbers=list(numbers))

    def fillers(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(slot, member) for each member that overrides or implements one of ``numbers`` directly."""
        return self._all(_FILLERS, _pair, numbers=list(numbers))

    def unresolved_from(
        self, numbers: Collection[int], kinds: Collection[RefKind], projects: Collection[int] = ()
    ) -> list[UnresolvedUse]:
        """The names in the bodies of ``numbers`` that the binder could not resolve; in ``projects`` alone where those are given."""
        of_projects = {"projects": list(projects)} if projects else {}
        query = _unresolved_from(tuple(kinds), bool(projects))
        return self._all(query, UnresolvedUse._make, numbers=list(numbers), **of_projects)

    def referring(
        self, numbers: Collection[int], kinds: Collection[RefKind], projects: Collection[int] | None = None
    ) -> frozenset[int]:
        """Those of ``numbers`` that refer to anything; or do so in some projects."""
        of_projects = {} if projects is None else {"projects": list(projects)}
        query = _referring(tuple(kinds), projects is not None)
        return frozenset(each for (each,) in self._all(query, tuple, numbers=list(numbers), **of_projects))

    def referred(
        self, numbers: Collection[int], kinds: Collection[RefKind], projects: Collection[int] | None = None
    ) -> frozenset[int]:
        """Those of ``numbers`` that anything refers to; or anything of some projects."""
        of_projects = {} if projects is None else {"projects": list(projects)}
        query = _referred(tuple(kinds), projects is not None)
        return frozenset(each for (each,) in self._all(query, tuple, numbers=list(numbers), **of_projects))

    def declared_only_in(self, numbers: Collection[int], projects: Collection[int]) -> frozenset[int]:
        """Those of ``numbers`` that some of ``projects`` declare and no other project does."""
        found = self._all(_DECLARED_ONLY_IN, tuple, numbers=list(numbers), projects=list(projects))
        return frozenset(each for (each,) in found)

    def declared_by_several(self, numbers: Collection[int]) -> frozenset[int]:
        """Those of ``numbers`` that several projects declare in different files, or a project does and a file that none compiles."""
        return frozenset(number for (number,) in self._all(_DECLARED_BY_SEVERAL, tuple, numbers=list(numbers)))

    def numbers_of(self, symbol_ids: Iterable[str]) -> dict[str, int]:
        """By id, for those that occur in the index."""
        return dict(self._all(_NUMBERS_OF, _pair, symbol_ids=list(symbol_ids)))

    def ids_of(self, numbers: Collection[int]) -> dict[int, str]:
        return dict(self._all(_IDS_OF, _pair, numbers=list(numbers)))

    def _all(self, query: Prepared, make: Callable[[Any], _Made], **values: object) -> list[_Made]:
        with self._reading() as connection:
            return [make(row) for row in query.rows(connection, **values)]


@lru_cache(maxsize=64)
def _edges_to(kinds: tuple[RefKind, ...], only_virtual: bool) -> Prepared:
    condition = (t.Ref.is_virtual,) if only_virtual else ()
    direct = _edges(t.Ref.to_symbol, kinds).where(t.Ref.to_symbol.in_(given("numbers")), *condition)
    creating = _edges(t.Ref.constructor, kinds).where(t.Ref.constructor.in_(given("numbers")), *condition)
    return Prepared(union_all(direct, creating))


@lru_cache(maxsize=64)
def _edges_outside(kinds: tuple[RefKind, ...]) -> Prepared:
    return Prepared(
        select(t.Ref.file_id, t.Ref.kind, t.Ref.confidence).where(
            t.Ref.to_symbol.in_(given("numbers")), t.Ref.from_symbol.is_(None), _of_kinds(kinds)
        )
    )


@lru_cache(maxsize=64)
def _edges_from(kinds: tuple[RefKind, ...], conditional: bool) -> Prepared:
    compiled = () if conditional else (t.Ref.condition.is_(None),)
    return Prepared(
        _edges(_created_or_named(), kinds).where(
            t.Ref.from_symbol.in_(given("numbers")), t.Ref.to_symbol.is_not(None), *compiled
        )
    )


@lru_cache(maxsize=64)
def _uses(kinds: tuple[RefKind, ...], only_virtual: bool) -> Prepared:
    condition = (t.Ref.is_virtual, t.Ref.external.is_(False)) if only_virtual else ()
    return Prepared(
        union(
            *(
                select(t.Ref.from_symbol, end, t.Ref.kind).where(
                    end.in_(given("numbers")), t.Ref.from_symbol.is_not(None), _of_kinds(kinds), *condition
                )
                for end in (t.Ref.to_symbol, t.Ref.constructor)
            )
        )
    )


@lru_cache(maxsize=64)
def _used(kinds: tuple[RefKind, ...]) -> Prepared:
    return Prepared(
        select(t.Ref.from_symbol, _created_or_named(), t.Ref.kind)
        .where(
            t.Ref.from_symbol.in_(given("numbers")),
            t.Ref.to_symbol.is_not(None),
            t.Ref.external.is_(False),
            _of_kinds(kinds),
        )
        .distinct()
    )


@lru_cache(maxsize=64)
def _edges_between(kinds: tuple[RefKind, ...]) -> Prepared:
    return Prepared(
        _edges(t.Ref.to_symbol, kinds).where(
            t.Ref.from_symbol.in_(given("numbers")),
            t.Ref.to_symbol.in_(given("targets")),
            t.Ref.condition.is_(None),
        )
    )


@lru_cache(maxsize=64)
def _referring(kinds: tuple[RefKind, ...], in_projects: bool) -> Prepared:
    of_projects = (t.Ref.project_id.in_(given("projects")),) if in_projects else ()
    query = select(t.Ref.from_symbol).where(t.Ref.from_symbol.in_(given("numbers")), _of_kinds(kinds), *of_projects)
    return Prepared(query.distinct())


@lru_cache(maxsize=64)
def _referred(kinds: tuple[RefKind, ...], in_projects: bool) -> Prepared:
    of_projects = (t.Ref.project_id.in_(given("projects")),) if in_projects else ()
    return Prepared(
        union(
            *(
                select(end).where(end.in_(given("numbers")), _of_kinds(kinds), *of_projects)
                for end in (t.Ref.to_symbol, t.Ref.constructor)
            )
        )
    )


@lru_cache(maxsize=64)
def _unresolved_from(kinds: tuple[RefKind, ...], in_projects: bool) -> Prepared:
    of_projects = (t.Ref.project_id.in_(given("projects")),) if in_projects else ()
    name, hint, reason = t.String.__table__.alias(), t.String.__table__.alias(), t.String.__table__.alias()
    return Prepared(
        select(
            t.Ref.from_symbol,
            t.Ref.kind,
            name.c.value,
            hint.c.value,
            reason.c.value,
            t.Ref.file_id,
            t.Ref.line,
            t.Ref.column,
        )
        .join(name, name.c.id == t.Ref.to_name)
        .outerjoin(hint, hint.c.id == t.Ref.to_container_hint)
        .outerjoin(reason, reason.c.id == t.Ref.reason)
        .where(
            t.Ref.from_symbol.in_(given("numbers")),
            _of_kinds(kinds),
            t.Ref.state == _UNRESOLVED,
            t.Ref.condition.is_(None),
            *of_projects,
        )
    )


def _created_or_named() -> Any:
    """Of a creation the constructor where that has a declaration, else the type; of others what they name."""
    declared = t.Ref.constructor.is_not(None) & exists(
        select(literal(1)).where(t.Symbol.symbol == t.Ref.constructor).correlate(t.Ref)
    )
    return case((declared, t.Ref.constructor), else_=t.Ref.to_symbol)


def _edges(target: Any, kinds: Collection[RefKind]) -> Select[Any]:
    return select(
        t.Ref.from_symbol,
        target,
        t.Ref.kind,
        t.Ref.file_id,
        t.Ref.line,
        t.Ref.column,
        t.Ref.confidence,
        t.Ref.is_virtual,
        t.Ref.external,
        t.Ref.project_id,
        t.Ref.condition,
    ).where(t.Ref.from_symbol.is_not(None), _of_kinds(kinds))


def _of_kinds(kinds: Collection[RefKind]) -> Any:
    return t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in kinds])


def _pair(row: Any) -> tuple[Any, Any]:
    return row[0], row[1]


_PATHS: Final = Prepared(select(t.File.id, t.File.path))
_CONDITIONS: Final = Prepared(select(t.String.id, t.String.value).where(t.String.id.in_(given("numbers"))))
_PROJECTS_AT: Final = Prepared(select(t.Project.id).where(t.Project.project_path.in_(given("paths"))))
_PROJECT_REFERENCES: Final = Prepared(
    select(
        t.Project.id,
        t.Project.project_path,
        t.Project.project_references,
        func.json_extract(t.Project.settings, "$.package_projects"),
    )
)
_DECLARED_BY_SEVERAL: Final = Prepared(
    select(t.Symbol.symbol)
    .where(t.Symbol.symbol.in_(given("numbers")))
    .group_by(t.Symbol.symbol)
    .having(
        func.count(func.distinct(func.coalesce(t.Symbol.project_id, 0))) > 1,
        func.count(func.distinct(t.Symbol.file_id)) > 1,
    )
)
_PROJECT_PATHS: Final = Prepared(select(t.Project.id, t.Project.project_path))
_PROJECT_NAMES: Final = Prepared(select(t.Project.id, t.Project.name))
_OF_FILE: Final = t.Ref.file_id == t.FileProject.file_id
_ROWS_OF_PROJECTS: Final = Prepared(
    select(
        func.min(select(func.min(t.Ref.id)).where(_OF_FILE).correlate(t.FileProject).scalar_subquery()),
        func.max(select(func.max(t.Ref.id)).where(_OF_FILE).correlate(t.FileProject).scalar_subquery()),
    ).where(t.FileProject.project_id.in_(given("projects")))
)
_SLOTS: Final = Prepared(
    select(t.Ref.from_symbol, t.Ref.to_symbol)
    .where(t.Ref.from_symbol.in_(given("numbers")), _of_kinds(SLOT_KINDS), t.Ref.to_symbol.is_not(None))
    .distinct()
)
_FILLERS: Final = Prepared(
    select(t.Ref.to_symbol, t.Ref.from_symbol)
    .where(t.Ref.to_symbol.in_(given("numbers")), _of_kinds(SLOT_KINDS), t.Ref.from_symbol.is_not(None))
    .distinct()
)
_NUMBERS_OF: Final = Prepared(
    select(t.SymbolId.symbol_id, t.SymbolId.id).where(t.SymbolId.symbol_id.in_(given("symbol_ids")))
)
_DECLARED_ONLY_IN: Final = Prepared(
    select(t.Symbol.symbol)
    .where(t.Symbol.symbol.in_(given("numbers")))
    .group_by(t.Symbol.symbol)
    .having(func.min(func.ifnull(t.Symbol.project_id, 0).in_(given("projects"))) == 1)
)
_IDS_OF: Final = Prepared(select(t.SymbolId.id, t.SymbolId.symbol_id).where(t.SymbolId.id.in_(given("numbers"))))
_MENTION: Final = aliased(t.Ref)
_MEMBERS_READ: Final = Prepared(
    select(t.Ref.from_symbol, t.Ref.to_symbol)
    .join(_MENTION, _MENTION.from_symbol == t.Ref.to_symbol)
    .where(
        t.Ref.from_symbol.in_(given("numbers")),
        _of_kinds((RefKind.READ,)),
        _MENTION.kind == REF_KIND_CODES[RefKind.TYPE],
        _MENTION.to_symbol.in_(given("types")),
    )
    .distinct()
)
_LINKS_OF_ROLES: Final = (
    _edges(t.Ref.to_symbol, (RefKind.LINK,))
    .join(t.String, t.String.id == t.Ref.role)
    .where(t.Ref.to_symbol.is_not(None), t.String.value.in_(given("roles")))
)
_LINKS: Final = Prepared(_LINKS_OF_ROLES.where(t.Ref.from_symbol.in_(given("numbers"))))
_LINKS_BACK: Final = Prepared(_LINKS_OF_ROLES.where(t.Ref.to_symbol.in_(given("numbers"))))
_CONTAINER: Final = t.Symbol.__table__.alias()
_MODIFIERS: Final = Prepared(
    select(t.Symbol.symbol, t.Symbol.modifiers, _CONTAINER.c.kind)
    .outerjoin(_CONTAINER, _CONTAINER.c.symbol == t.Symbol.container)
    .where(t.Symbol.symbol.in_(given("numbers")))
)
