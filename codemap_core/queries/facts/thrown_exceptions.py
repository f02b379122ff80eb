"""The exceptions that leave a member: those that it throws or documents itself, and those of the members that it calls, over a few
levels.

What a catch clause around a call stops goes no further: one of the exception's type or a base of it, without a filter and without
``throw;``. A ``throw;`` where everything is caught is not said itself. What is said may leave a member, and more may: nothing is known of
what libraries throw. Calls in lambdas and local functions are followed as if they ran where they are written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.model import CATCH, FactKind, FactRow, RefKind, split_value
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import Edge
from codemap_core.storage.reading.fact_lookup import OwnedFact

_CALLS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER)
_LEVELS: Final = 3
_MEMBERS: Final = 80
"""Members that are followed; behind them nothing is."""
_STOPS: Final = "catch"
"""The handling of clauses that stop whatever they catch."""
_RETHROWS: Final = "catch and re-throw"
"""The handling of clauses that stop nothing."""
_RETHROW: Final = "re-throw"
"""The context of ``throw;``."""


class _Throw(Struct, frozen=True):
    type: str = ""
    bases: str = ""
    context: str = ""
    caught: bool = False
    deferred: bool = False

    def passes_anything_on(self, everything: Collection[str]) -> bool:
        """It is ``throw;`` where everything is caught: what leaves is what the guarded calls throw, and that is said of them.
        ``everything``: the types that all exceptions have."""
        return self.context == _RETHROW and self.type in everything

    def escapes(self, everything: Collection[str]) -> bool:
        return not self.caught and not self.deferred and not self.passes_anything_on(everything)


class _Catch(Struct, frozen=True):
    """Of what it guards, the first line and column, and the last ones, these exclusively."""

    type: str = ""
    handling: str = ""
    from_line: int = 0
    from_column: int = 0
    to_line: int = 0
    to_column: int = 0

    def guards(self, edge: Edge) -> bool:
        return (self.from_line, self.from_column) <= (edge.line, edge.column) < (self.to_line, self.to_column)

    def stops(self, name: str, bases: str, everything: Collection[str]) -> bool:
        return self.type == name or self.type in everything or self.type in bases.split(",")


def passes_on(fact: OwnedFact, everything: Collection[str]) -> bool:
    """Whether it is a catch clause that throws on what it catches, or the ``throw;`` in one that catches everything: no exception begins or
    ends there. ``everything``: full names of the types that all exceptions have."""
    if fact.kind == CATCH:
        return msgspec.json.decode(fact.detail, type=_Catch).handling == _RETHROWS
    if fact.kind != FactKind.EXCEPTION:
        return False
    return msgspec.json.decode(fact.detail, type=_Throw).passes_anything_on(everything)


def thrown(facts: Iterable[FactRow], everything: Collection[str]) -> tuple[str, ...]:
    """Full names of the exception types that a member throws or documents itself and does not catch, in the order of ``facts``, which it
    owns. What a lambda throws is left out: it is thrown where the lambda is run. ``everything``: as for ``passes_on``."""
    found = (
        (msgspec.convert(fact.detail, _Throw, strict=False), fact.value)
        for fact in facts
        if fact.kind == FactKind.EXCEPTION
    )
    return tuple(dict.fromkeys(_name(said, value) for said, value in found if said.escapes(everything)))


def thrown_through_calls(snapshot: Snapshot, symbol_id: str) -> dict[str, str]:
    """By full name of an exception type, the id of the member that throws or documents it, nearest first."""
    root = snapshot.reader.edges.numbers_of([symbol_id]).get(symbol_id)
    if root is None:
        return {}
    callers = _callers(snapshot, root)
    if not callers:
        return {}
    facts = snapshot.reader.facts.of_owners({root, *callers})
    throwing = [fact for fact in facts if fact.kind == FactKind.EXCEPTION and fact.owner in callers]
    if not throwing:
        return {}
    catches = _catches(fact for fact in facts if fact.kind == CATCH)
    throwers = _escaping(root, throwing, callers, catches, snapshot.meanings.root_exceptions)
    ids = snapshot.reader.edges.ids_of(throwers.values())
    return {name: ids[thrower] for name, thrower in throwers.items()}


def _escaping(
    root: int,
    throwing: Sequence[OwnedFact],
    callers: Mapping[int, Sequence[Edge]],
    catches: Mapping[tuple[int, int], Sequence[_Catch]],
    everything: Collection[str],
) -> dict[str, int]:
    """By name of an exception that reaches ``root``, who throws it. Each is carried from callee to caller, all of them a call at a time."""
    found: dict[str, int] = {}
    seen: set[tuple[int, str]] = set()
    waiting: deque[tuple[int, str, str, int]] = deque()
    for fact in throwing:
        said = msgspec.json.decode(fact.detail, type=_Throw)
        if said.escapes(everything) and fact.owner is not None:
            waiting.append((fact.owner, _name(said, fact.value), said.bases, fact.owner))
    while waiting:
        node, name, bases, thrower = waiting.popleft()
        if (node, name) in seen:
            continue
        seen.add((node, name))
        if node == root:
            found.setdefault(name, thrower)
            continue
        for call in callers.get(node, ()):
            around = catches.get((call.source, call.file_id), ())
            if not any(each.guards(call) and each.stops(name, bases, everything) for each in around):
                waiting.append((call.source, name, bases, thrower))
    return found


def _catches(facts: Iterable[OwnedFact]) -> dict[tuple[int, int], list[_Catch]]:
    """By member and file, the clauses that stop what they catch."""
    found: dict[tuple[int, int], list[_Catch]] = {}
    for fact in facts:
        said = msgspec.json.decode(fact.detail, type=_Catch)
        if fact.owner is not None and said.handling == _STOPS:
            found.setdefault((fact.owner, fact.file_id), []).append(said)
    return found


def _name(said: _Throw, value: str) -> str:
    return said.type or split_value(FactKind.EXCEPTION, value)[0]


def _callers(snapshot: Snapshot, root: int) -> dict[int, list[Edge]]:
    """The members that run because ``root`` does, nearest first, each with the calls that lead to it; of an interface member its only
    implementation too."""
    edges = snapshot.reader.edges
    callers: dict[int, list[Edge]] = {}
    followed = {root}
    frontier: Collection[int] = [root]
    for _ in range(_LEVELS):
        calls = [edge for edge in edges.edges_from(frontier, _CALLS) if not edge.external]
        virtual = {edge.target for edge in calls if edge.is_virtual}
        fillers: dict[int, list[int]] = {}
        for slot, member in edges.fillers(virtual) if virtual else ():
            fillers.setdefault(slot, []).append(member)
        for edge in calls:
            filling = fillers.get(edge.target, ())
            for target in (edge.target, *(filling if len(filling) == 1 else ())):
                callers.setdefault(target, []).append(edge)
        frontier = [each for each in callers if each not in followed][: _MEMBERS - len(followed)]
        followed.update(frontier)
        if not frontier:
            break
    callers.pop(root, None)
    return callers
