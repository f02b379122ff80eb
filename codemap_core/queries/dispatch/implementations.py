"""Which members may run where a call names a member of an interface, or one that others override: what is registered for its type, else
all that implement or override it.

A member of a library counts only where a type of the repository is registered for its type: what implements ``IDisposable.Dispose`` is
not what a call of it runs. Implementations in test projects count only for calls from tests, or where there are no others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.model.documentation_id import container_of
from codemap_core.queries.dispatch.member_slots import fillers_of_all
from codemap_core.queries.dispatch.related_projects import related_projects
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_lookup import Registered

FOLLOWED: Final = 8
"""Implementations of a member, of which none is registered, that are followed; of more than these none is."""


class Basis(StrEnum):
    """Why an implementation is taken for what a call runs."""

    REGISTERED = "registered"
    """It is registered for the type whose member is called."""
    SOLE = "sole"
    """There is no other."""
    MADE_HERE = "made_here"
    """There are too many to follow, and its type is created by a member that leads here, or beside one."""
    ONE_OF_SEVERAL = "one_of_several"
    AROUND = "around"
    """It runs around what handles a message, being a decorator or behaviour that is registered for that, or what such a one takes."""
    FOR_MESSAGE = "for_message"
    """Its type is the one of several that names the message which the message that is handled carries."""
    REQUESTED = "requested"
    """It answers a request over HTTP that is made there."""


class Dispatch(Struct, frozen=True):
    """What may run for one member: ``members``, none where there are too many to say. ``total``: the number that implement or override
    it. ``runs_itself``: it has a body of its own, which may run too."""

    members: tuple[int, ...]
    basis: Basis
    total: int
    runs_itself: bool
    unfollowed: tuple[tuple[int, int], ...] = ()
    """Where there are too many: the members, each with the type that declares it."""
    registrars: tuple[tuple[int, int | None], ...] = ()
    """Of registered members: each with a project that registers its type."""


class Dispatcher:
    """Answers for one walk; remembers what it has looked up. ``projects``: numbers of those that the walk begins in. ``near``: the numbers
    of those and of what they reference or are referenced by, over any number of steps. Of several registrations those count that are made
    in one of these: what another program registers does not run in this one."""

    def __init__(self, snapshot: Snapshot, projects: Collection[int]) -> None:
        self._snapshot: Final = snapshot
        self._edges: Final = snapshot.reader.edges
        self._registered: Final = snapshot.reader.facts.implementations
        self._in_tests: Final = not self._edges.test_projects.keys().isdisjoint(projects)
        self.near: Final = related_projects(self._edges.project_references, projects)
        self._known: Final[dict[int, Dispatch | None]] = {}
        self._relatives: Final[dict[int, frozenset[int]]] = {}
        self._lineages: Final[dict[int, tuple[int, ...]]] = {}

    def look_up(self, named: Collection[int], external: Collection[int]) -> dict[int, Dispatch]:
        """By the member that calls name, for those in whose place others may run. ``external``: those that libraries declare."""
        new = {each for each in named if each not in self._known}
        if new:
            self._find(new, frozenset(external))
        return {each: found for each in named if (found := self._known[each]) is not None}

    def within(
        self, chosen: Dispatch, declaring: int | None, registering: Collection[int | None]
    ) -> dict[int, frozenset[int | None]]:
        """Of the members that are registered those which run for a caller, each with the projects that register it: what a part of a
        program registers for itself does not run in another part. ``declaring``: the project of the caller; ``registering``: those that
        register what leads to it. They are those that one of ``registering`` registers; else those that projects register which are
        related to all of these and to ``declaring``; else all."""
        kept = [pair for pair in chosen.registrars if pair[1] in registering]
        if not kept:
            apart = [self._related_to(each) for each in (declaring, *registering) if each is not None]
            kept = [pair for pair in chosen.registrars if all(pair[1] in each for each in apart)]
        kept = kept or list(chosen.registrars)
        found: dict[int, set[int | None]] = {}
        for member, project in kept:
            found.setdefault(member, set()).add(project)
        return {member: frozenset(registering) for member, registering in found.items()}

    def _related_to(self, project: int) -> frozenset[int]:
        known = self._relatives.get(project)
        if known is None:
            known = self._relatives[project] = related_projects(self._edges.project_references, [project])
        return known

    def _find(self, named: set[int], external: frozenset[int]) -> None:
        self._known.update(dict.fromkeys(named))
        containers = self._containers(named)
        asked = {each for each in named if each not in external or containers[each] in self._registered}
        fillers = fillers_of_all(self._edges, asked)
        everything = {each for found in fillers.values() for each in found}
        bodiless = self._edges.bodiless(everything.union(fillers)) | external
        production = self._production(everything)
        filled = {each: self._kept(found, bodiless, production) for each, found in fillers.items()}
        filled = {each: found for each, found in filled.items() if found}
        types = self._containers({each for found in filled.values() for each in found})
        for member, found in filled.items():
            registered = self._registered_among(found, types, self._registered.get(containers[member]))
            if registered:
                chosen, basis = tuple(dict.fromkeys(each for each, _ in registered)), Basis.REGISTERED
            elif member in external:
                continue
            elif len(found) == 1:
                chosen, basis = found, Basis.SOLE
            else:
                chosen, basis = (found if len(found) <= FOLLOWED else ()), Basis.ONE_OF_SEVERAL
            left = () if chosen else tuple((each, types[each]) for each in found)
            self._known[member] = Dispatch(chosen, basis, len(found), member not in bodiless, left, registered)

    def _containers(self, members: Collection[int]) -> dict[int, int]:
        """The numbers of the types that declare members."""
        ids = {number: container_of(symbol_id) for number, symbol_id in self._edges.ids_of(members).items()}
        numbers = self._edges.numbers_of(set(ids.values()))
        return {number: numbers.get(container, 0) for number, container in ids.items()}

    def _production(self, members: Collection[int]) -> frozenset[int]:
        tests = self._edges.test_projects
        declared = self._snapshot.reader.declared_names(members)
        return frozenset(number for number, each in declared.items() if each.project_id not in tests)

    def _kept(self, found: tuple[int, ...], bodiless: frozenset[int], production: frozenset[int]) -> tuple[int, ...]:
        runnable = tuple(each for each in found if each not in bodiless)
        if self._in_tests:
            return runnable
        return tuple(each for each in runnable if each in production) or runnable

    def _registered_among(
        self, members: Iterable[int], types: dict[int, int], registered: tuple[Registered, ...] | None
    ) -> tuple[tuple[int, int | None], ...]:
        """Those of ``members`` that a registered type declares or inherits, of each type the most derived one; with the registering
        projects."""
        if not registered:
            return ()
        by_type: dict[int, list[int]] = {}
        for member in members:
            by_type.setdefault(types[member], []).append(member)
        found: dict[tuple[int, int | None], None] = {}
        near = [each for each in registered if each.project_id in self.near] or registered
        for implementation, project in near:
            own = by_type.get(implementation)
            if own is None:
                lineage = self._lineage(implementation)
                own = next((by_type[each] for each in lineage if each in by_type), [])
            found.update(dict.fromkeys((each, project) for each in own))
        return tuple(found)

    def _lineage(self, number: int) -> tuple[int, ...]:
        """The base types of a type, nearest first."""
        known = self._lineages.get(number)
        if known is None:
            levels: list[int] = []
            frontier: Collection[int] = [number]
            while frontier:
                frontier = {each.base for each in self._snapshot.reader.bases(frontier)}.difference(levels)
                ids = self._edges.ids_of(frontier)
                levels += sorted(frontier, key=ids.__getitem__)
            known = self._lineages[number] = tuple(levels)
        return known
