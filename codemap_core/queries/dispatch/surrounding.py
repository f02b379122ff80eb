"""What runs around the handlers of messages: decorators that are registered for what a handler implements, the behaviours and processors
that libraries run around the handlers of requests, and what these take for a message, as its validators.

A registration counts for the handlers of the projects that the registering one is or references. Constraints of type parameters, which may
leave a behaviour out for some messages, are not weighed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.model import FactKind, RefKind
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_core.model.meanings import RunsAround, TakenAround
from codemap_core.queries.dispatch.related_projects import projects_below
from codemap_core.queries.plain_lines import short_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_lookup import OwnedFact

_DECORATOR: Final = "decorator"


class _Registration(Struct):
    service: str = ""
    service_id: str = ""
    implementation_id: str = ""
    form: str = ""


class _Surrounder(Struct, frozen=True):
    """``type_id`` runs around handlers that have one of ``bases``. ``method``: its method that does; empty for the one that is called as
    the handler's is. ``message``: the simple name of the only message that it is for; empty for all."""

    type_id: str
    bases: frozenset[str]
    method: str
    message: str
    project_id: int | None

    @property
    def is_decorator(self) -> bool:
        return not self.method


class Surrounding:
    """Of one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot: Final = snapshot
        tests = snapshot.reader.edges.test_projects
        registered = snapshot.reader.facts.of_kinds([FactKind.DI_REGISTRATION])
        around = {each.service: each for each in snapshot.meanings.around}
        production = [fact for fact in registered if fact.project_id not in tests]
        found = [each for fact in production if (each := _surrounder(fact, around)) is not None]
        decorators = [each for each in found if each.is_decorator]
        self._known: Final = (*(each for each in found if not each.is_decorator), *reversed(decorators))
        taken = {each.service: each for each in snapshot.meanings.taken_around}
        self._taken: Final = [(service, each) for fact in production for service, each in _taken(fact, taken)]
        """What is registered for one message, with the id of its service."""
        self._reached: Final[dict[int | None, frozenset[int]]] = {}

    def of(self, method: int, message: int, near: Collection[int]) -> Iterator[tuple[int, int | None]]:
        """The members that run around ``method`` when it handles ``message``, outermost first, each with the project that registers it:
        behaviours in the order in which they are registered, and then decorators, of which each wraps those that are registered before it;
        behind each what it takes for the message. ``near``: numbers of the projects whose registrations count."""
        candidates = [each for each in self._known if each.project_id in near]
        if not candidates:
            return
        edges = self._snapshot.reader.edges
        ids = edges.ids_of({method, message})
        handler = container_of(ids[method])
        above = self._bases(handler)
        declared = self._snapshot.reader.declared_names([method]).get(method)
        name, message_name = parse_id(ids[method]).name, short_name(ids[message])
        for_message = [each for each in self._taken if each[1].message == message_name and each[1].project_id in near]
        for each in dict.fromkeys(candidates):
            if each.type_id == handler or each.bases.isdisjoint(above) or each.message not in ("", message_name):
                continue
            if declared is not None and declared.project_id not in self._reaches(each.project_id):
                continue
            yield from self._members(each, name)
            for service, taken in for_message:
                if self._names(each.type_id, service):
                    yield from self._members(taken, name)

    def _members(self, surrounder: _Surrounder, name: str) -> Iterator[tuple[int, int | None]]:
        members = self._snapshot.reader.members_of(surrounder.type_id)
        called = [one.symbol_id for one in members if parse_id(one.symbol_id).name == (surrounder.method or name)]
        for number in self._snapshot.reader.edges.numbers_of(called).values():
            yield number, surrounder.project_id

    def _names(self, type_id: str, service: str) -> bool:
        """Whether a type names another one where it is declared or in a member."""
        edges = self._snapshot.reader.edges
        members = [each.symbol_id for each in self._snapshot.reader.members_of(type_id)]
        own, named = edges.numbers_of([type_id, *members]), edges.numbers_of([service])
        return bool(edges.edges_between(own.values(), named.values(), (RefKind.TYPE,)))

    def _bases(self, type_id: str) -> frozenset[str]:
        """The ids of all base types and interfaces."""
        edges = self._snapshot.reader.edges
        above: set[int] = set()
        frontier = set(edges.numbers_of([type_id]).values())
        while frontier:
            frontier = {each.base for each in self._snapshot.reader.bases(frontier)}.difference(above)
            above |= frontier
        return frozenset(edges.ids_of(above).values())

    def _reaches(self, project_id: int | None) -> frozenset[int]:
        """A project and what it references, over any number of steps."""
        known = self._reached.get(project_id)
        if known is None:
            references = self._snapshot.reader.edges.project_references
            known = projects_below(references, [] if project_id is None else [project_id])
            self._reached[project_id] = known
        return known


def _surrounder(fact: OwnedFact, around: Mapping[str, RunsAround]) -> _Surrounder | None:
    said = msgspec.json.decode(fact.detail, type=_Registration)
    if not said.implementation_id:
        return None
    if said.form == _DECORATOR:
        return _Surrounder(said.implementation_id, frozenset({said.service_id}), "", "", fact.project_id)
    known = around.get(said.service_id)
    if known is None:
        return None
    message = said.service.partition("<")[2].rstrip(">").partition(",")[0].partition("<")[0].strip()
    return _Surrounder(said.implementation_id, frozenset(known.handlers), known.method, message, fact.project_id)


def _taken(fact: OwnedFact, taken: Mapping[str, TakenAround]) -> Iterator[tuple[str, _Surrounder]]:
    """Of a service that is closed over a type without type arguments: which handler a generic message comes to is not told by its name."""
    said = msgspec.json.decode(fact.detail, type=_Registration)
    known = taken.get(said.service_id)
    message = said.service.partition("<")[2].removesuffix(">")
    if known is not None and said.implementation_id and message and "<" not in message:
        yield (
            said.service_id,
            _Surrounder(said.implementation_id, frozenset(), known.method, message, fact.project_id),
        )
