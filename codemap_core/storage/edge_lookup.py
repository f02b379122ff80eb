"""Edges between symbols by number, for walks over many of them: what refers to members, what they refer to, which members fill which.

Rows are as the index has them, one for each reference, in no order: who walks groups and sorts them. Numbers are ``symbol_ids.id`` and
private to one database file. Invariant: a question about any count of members is one statement, which the indexes on both ends serve.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection, Select, case, exists, literal, select, union_all

from codemap_core.model import RefKind, ResolutionState, SymbolKind
from codemap_core.storage import baseline_tables as t
from codemap_core.storage.codes import REF_KIND_CODES, RESOLUTION_STATE_CODES
from codemap_core.storage.test_projects import test_project_paths
from codemap_core.storage.value_list import value_list

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

    @cached_property
    def paths(self) -> dict[int, str]:
        """Paths of all files by ``files.id``."""
        return dict(self._all(select(t.File.id, t.File.path), _pair))

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

    def project_numbers(self, paths: Iterable[str]) -> frozenset[int]:
        query = select(t.Project.id, t.Project.project_path).where(t.Project.project_path.in_(value_list(paths)))
        return frozenset(number for number, _ in self._all(query, _pair))

    @cached_property
    def project_names(self) -> dict[int, str]:
        """Names of all projects by ``projects.id``."""
        return dict(self._all(select(t.Project.id, t.Project.name), _pair))

    def edges_to(
        self, numbers: Collection[int], kinds: Collection[RefKind], *, only_virtual: bool = False
    ) -> list[Edge]:
        """References from any symbol to one of ``numbers``; constructors by what they create. ``only_virtual``: those alone that may
        reach an override or an implementation."""
        condition = (t.Ref.is_virtual,) if only_virtual else ()
        direct = _edges(t.Ref.to_symbol, kinds).where(t.Ref.to_symbol.in_(value_list(numbers)), *condition)
        creating = _edges(t.Ref.constructor, kinds).where(t.Ref.constructor.in_(value_list(numbers)), *condition)
        return self._all(union_all(direct, creating), Edge._make)

    def edges_from(self, numbers: Collection[int], kinds: Collection[RefKind]) -> list[Edge]:
        """References from ``numbers`` to any symbol."""
        declared = t.Ref.constructor.is_not(None) & exists(
            select(literal(1)).where(t.Symbol.symbol == t.Ref.constructor).correlate(t.Ref)
        )
        target = case((declared, t.Ref.constructor), else_=t.Ref.to_symbol)
        query = _edges(target, kinds).where(t.Ref.from_symbol.in_(value_list(numbers)), t.Ref.to_symbol.is_not(None))
        return self._all(query, Edge._make)

    def created_types(self, numbers: Collection[int], types: Collection[int]) -> list[Edge]:
        """Where ``numbers`` create one of ``types``; the target is the type even if its constructor has a declaration."""
        query = _edges(t.Ref.to_symbol, (RefKind.INSTANTIATE,)).where(
            t.Ref.from_symbol.in_(value_list(numbers)), t.Ref.to_symbol.in_(value_list(types))
        )
        return self._all(query, Edge._make)

    def links_from(self, numbers: Collection[int], roles: Collection[str]) -> list[Edge]:
        """Links of some roles from ``numbers`` to any symbol."""
        query = (
            _edges(t.Ref.to_symbol, (RefKind.LINK,))
            .join(t.String, t.String.id == t.Ref.role)
            .where(
                t.Ref.from_symbol.in_(value_list(numbers)),
                t.Ref.to_symbol.is_not(None),
                t.String.value.in_(value_list(roles)),
            )
        )
        return self._all(query, Edge._make)

    def bodiless(self, numbers: Collection[int]) -> frozenset[int]:
        """Those that an interface declares, or that are abstract."""
        container = t.Symbol.__table__.alias()
        query = (
            select(t.Symbol.symbol, t.Symbol.modifiers, container.c.kind)
            .outerjoin(container, container.c.symbol == t.Symbol.container)
            .where(t.Symbol.symbol.in_(value_list(numbers)))
        )
        with self._reading() as connection:
            return frozenset(
                number
                for number, modifiers, kind in connection.execute(query)
                if kind == SymbolKind.INTERFACE or _ABSTRACT in modifiers.split()
            )

    def slots(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(member, slot) for each member that one of ``numbers`` overrides or implements directly."""
        query = select(t.Ref.from_symbol, t.Ref.to_symbol).where(
            t.Ref.from_symbol.in_(value_list(numbers)), _of_kinds(SLOT_KINDS), t.Ref.to_symbol.is_not(None)
        )
        return self._all(query.distinct(), _pair)

    def fillers(self, numbers: Collection[int]) -> list[tuple[int, int]]:
        """(slot, member) for each member that overrides or implements one of ``numbers`` directly."""
        query = select(t.Ref.to_symbol, t.Ref.from_symbol).where(
            t.Ref.to_symbol.in_(value_list(numbers)), _of_kinds(SLOT_KINDS), t.Ref.from_symbol.is_not(None)
        )
        return self._all(query.distinct(), _pair)

    def unresolved_from(
        self, numbers: Collection[int], kinds: Collection[RefKind], projects: Collection[int] = ()
    ) -> list[UnresolvedUse]:
        """The names in the bodies of ``numbers`` that the binder could not resolve; in ``projects`` alone where those are given."""
        of_projects = (t.Ref.project_id.in_(value_list(projects)),) if projects else ()
        name, hint, reason = t.String.__table__.alias(), t.String.__table__.alias(), t.String.__table__.alias()
        query = (
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
                t.Ref.from_symbol.in_(value_list(numbers)), _of_kinds(kinds), t.Ref.state == _UNRESOLVED, *of_projects
            )
        )
        return self._all(query, UnresolvedUse._make)

    def numbers_of(self, symbol_ids: Iterable[str]) -> dict[str, int]:
        """By id, for those that occur in the index."""
        query = select(t.SymbolId.symbol_id, t.SymbolId.id).where(t.SymbolId.symbol_id.in_(value_list(symbol_ids)))
        return dict(self._all(query, _pair))

    def ids_of(self, numbers: Collection[int]) -> dict[int, str]:
        query = select(t.SymbolId.id, t.SymbolId.symbol_id).where(t.SymbolId.id.in_(value_list(numbers)))
        return dict(self._all(query, _pair))

    def _all(self, query: Any, make: Callable[[Any], _Made]) -> list[_Made]:
        with self._reading() as connection:
            return [make(row) for row in connection.execute(query)]


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
    ).where(t.Ref.from_symbol.is_not(None), _of_kinds(kinds))


def _of_kinds(kinds: Collection[RefKind]) -> Any:
    return t.Ref.kind.in_([REF_KIND_CODES[kind] for kind in kinds])


def _pair(row: Any) -> tuple[Any, Any]:
    return row[0], row[1]
