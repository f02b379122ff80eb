"""Which methods run when a message is made: those that handle its type, those that handle a type that wraps it, and those that handle its
namesake in another program.

A handled message wraps another one where a base type of it is generic over that one, and both have a base in common, as a notification
``OrderPlacedNotification : DomainNotification<OrderPlaced>`` wraps an event when both are notifications. What makes the one of the other is
mostly out of sight (an outbox, a serialiser), so that such a handler is only likely. So it is where what is handled is closed over an
event, as ``DomainNotification<OrderPlaced>`` is, which code often makes by reflection: where that, or a base of it, is called an event, a
notification or a message.

Programs that talk over a bus may each declare a message for themselves. A type that nothing handles leads to what handles a type of the
same name and with a base of the repository in common, where neither project references the other.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec import Struct

from codemap_core.model import Confidence, RefKind
from codemap_core.queries.dispatch.related_projects import projects_below
from codemap_core.queries.plain_lines import short_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_lookup import Handling

_NAME: Final = re.compile(r"\w+")
_EVENT: Final = re.compile(r"(?:Event|Notification|Message)(?:Base)?$")


class Handler(Struct, frozen=True):
    """``method`` handles messages of the type ``message``. ``confidence``: that it runs when what it is looked up by is made."""

    method: int
    message: int
    confidence: Confidence


def handlers_by_made_type(snapshot: Snapshot) -> dict[int, tuple[Handler, ...]]:
    """By the number of a type, what handles messages of that type or of one that wraps it."""
    handlings = snapshot.reader.facts.handlings
    found: dict[int, list[Handler]] = {}
    for each in handlings:
        found.setdefault(each.message, []).append(Handler(each.method, each.message, Confidence.MEDIUM))
    for wrapped, each in _wrapped(snapshot, handlings):
        found.setdefault(wrapped, []).append(Handler(each.method, each.message, Confidence.LOW))
    for inside, each in _closed_over(snapshot, [each for each in handlings if not each.answers]):
        found.setdefault(inside, []).append(Handler(each.method, each.message, Confidence.LOW))
    for made, each in _namesakes(snapshot, [each for each in handlings if not each.answers], frozenset(found)):
        found.setdefault(made, []).append(Handler(each.method, each.message, Confidence.LOW))
    return {made: tuple(handlers) for made, handlers in found.items()}


def _wrapped(snapshot: Snapshot, handlings: Iterable[Handling]) -> list[tuple[int, Handling]]:
    """Only messages without a response: in a request's base the type argument is the response."""
    edges = snapshot.reader.edges
    handlers: dict[int, list[Handling]] = {}
    for each in handlings:
        if not each.answers:
            handlers.setdefault(each.message, []).append(each)
    arguments: dict[int, set[str]] = {}
    for base in snapshot.reader.bases(handlers):
        _, opening, rest = base.display_name.partition("<")
        if opening:
            arguments.setdefault(base.derived, set()).update(_NAME.findall(rest))
    if not arguments:
        return []
    mentioned = {
        (edge.source, edge.target) for edge in edges.edges_from(arguments, (RefKind.TYPE,)) if not edge.external
    }
    ids = edges.ids_of({target for _, target in mentioned})
    likely = [(source, target) for source, target in mentioned if short_name(ids[target]) in arguments[source]]
    bases = _base_names(snapshot, {number for pair in likely for number in pair})
    return [
        (target, handling)
        for source, target in sorted(likely, key=lambda pair: ids[pair[1]])
        if target != source and not bases[source].isdisjoint(bases[target])
        for handling in handlers[source]
    ]


def _closed_over(snapshot: Snapshot, handlings: Iterable[Handling]) -> list[tuple[int, Handling]]:
    """Events that are type arguments of what is handled."""
    generic: dict[int, list[tuple[Handling, set[str]]]] = {}
    for each in handlings:
        _, opening, rest = each.shown.partition("<")
        if opening:
            generic.setdefault(each.method, []).append((each, set(_NAME.findall(rest))))
    if not generic:
        return []
    mentions = snapshot.reader.edges.edges_from(generic, (RefKind.TYPE,))
    ids = snapshot.reader.edges.ids_of({edge.target for edge in mentions if not edge.external})
    pairs = {
        (ids[edge.target], edge.target, handling)
        for edge in mentions
        if edge.target in ids
        for handling, inside in generic[edge.source]
        if short_name(ids[edge.target]) in inside and edge.target != handling.message
    }
    bases = _base_names(snapshot, {target for _, target, _ in pairs})
    return [
        (target, handling)
        for symbol_id, target, handling in sorted(pairs)
        if any(map(_EVENT.search, (short_name(symbol_id), *bases[target])))
    ]


def _namesakes(
    snapshot: Snapshot, handlings: Iterable[Handling], handled: Collection[int]
) -> list[tuple[int, Handling]]:
    """Types of which none is ``handled``, each with what handles a type of its name in another program."""
    handlers: dict[int, list[Handling]] = {}
    for each in handlings:
        handlers.setdefault(each.message, []).append(each)
    bases: dict[int, set[int]] = {}
    for relation in snapshot.reader.bases(handlers):
        bases.setdefault(relation.base, set()).add(relation.derived)
    own = snapshot.reader.declared_names(bases)
    relatives = [each for each in snapshot.reader.derived(own) if each.derived not in handled]
    ids = snapshot.reader.edges.ids_of({*handlers, *(each.derived for each in relatives)})
    names = {number: short_name(symbol_id) for number, symbol_id in ids.items()}
    pairs = sorted(
        {
            (ids[each.derived], each.derived, ids[message], message)
            for each in relatives
            for message in bases[each.base]
            if names[message] == names[each.derived]
        }
    )
    declared = snapshot.reader.declared_names({number for _, made, _, message in pairs for number in (made, message)})
    references = snapshot.reader.edges.project_references
    return [
        (made, handling)
        for _, made, _, message in pairs
        if made in declared and message in declared
        if _are_apart(declared[made].project_id, declared[message].project_id, references)
        for handling in handlers[message]
    ]


def _are_apart(project: int | None, other: int | None, references: Mapping[int, Collection[int]]) -> bool:
    """Whether neither of two projects references the other."""
    if project is None or other is None:
        return False
    return other not in projects_below(references, [project]) and project not in projects_below(references, [other])


def _base_names(snapshot: Snapshot, numbers: Collection[int]) -> dict[int, frozenset[str]]:
    """Simple names of all bases of types: one that could not be resolved everywhere has several ids."""
    above: dict[int, set[int]] = {}
    frontier = set(numbers)
    while frontier:
        rows = snapshot.reader.bases(frontier)
        for each in rows:
            above.setdefault(each.derived, set()).add(each.base)
        frontier = {each.base for each in rows}.difference(above, frontier)
    ids = snapshot.reader.edges.ids_of({each for found in above.values() for each in found})
    common = snapshot.meanings.common_bases
    names = {number: short_name(symbol_id) for number, symbol_id in ids.items() if symbol_id not in common}
    return {number: frozenset(names[each] for each in _all_above(number, above) if each in names) for number in numbers}


def _all_above(number: int, above: dict[int, set[int]]) -> set[int]:
    found: set[int] = set()
    frontier = [number]
    while frontier:
        for each in above.get(frontier.pop(), ()):
            if each not in found:
                found.add(each)
                frontier.append(each)
    return found
