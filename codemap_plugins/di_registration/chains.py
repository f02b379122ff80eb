"""Chains of calls: what is said of a registration by the calls on what the registering one gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from codemap_core.model.bound import NOWHERE, BoundDocument, Event, EventKind


def continued(document: BoundDocument) -> Mapping[int, Sequence[int]]:
    """By the index of an event, the invocations on what it gave."""
    found: dict[int, list[int]] = {}
    for index, event in enumerate(document.events):
        if event.kind is EventKind.INVOCATION and event.receiver is not None and event.receiver.origin != NOWHERE:
            found.setdefault(event.receiver.origin, []).append(index)
    return found


def chain(index: int, chains: Mapping[int, Sequence[int]]) -> list[int]:
    """The invocations on what an event gave, and on what those gave, in order. ``chains``: of ``continued``."""
    links: list[int] = []
    for each in chains.get(index, ()):
        links += [each, *chain(each, chains)]
    return links


def whole_of(event: Event, links: Sequence[Event]) -> Event:
    """The last call of the statement in which a chain begins."""
    whole = event
    for link in links:
        if link.receiver is not None and not link.receiver.local:
            whole = link
        else:
            break
    return whole
