"""Registrations that a document spells out, as facts and as links to what they register."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKind, FactRow, ReferenceRow
from codemap_core.model.bound import Event
from codemap_plugins.di_registration import autofac, container_calls, descriptors, exposed, further, services
from codemap_plugins.di_registration.chains import continued
from codemap_plugins.di_registration.registration import REGISTERS, Registration, fact_of, place_of

INTERESTS: Final = Interests(
    invocations=(
        *services.CALLS,
        *descriptors.CALLS,
        *autofac.CALLS,
        *further.CALLS,
        *container_calls.CALLS,
        *exposed.CALLS,
    ),
    creations=(descriptors.CREATED,),
)
_OfChain: TypeAlias = Callable[[int, Event, Mapping[int, Sequence[int]], Seen], Iterator[Registration]]


class SpeltRegistrations:
    name = "di_registration"
    language = "csharp"
    interests = INTERESTS
    kinds: tuple[str, ...] = (FactKind.DI_REGISTRATION.value,)
    roles: tuple[str, ...] = (REGISTERS,)

    def extract(self, seen: Seen) -> Iterator[FactRow | ReferenceRow]:
        for each in registrations(seen):
            yield fact_of(each, seen)
            link = each.link_at(place_of(each.event, seen), each.confidence)
            if link is not None:
                yield link


def registrations(seen: Seen) -> Iterator[Registration]:
    """Those that a document spells out."""
    made = {index: event for index, event in seen.events.items() if descriptors.makes_descriptor(event)}
    passed_to = descriptors.receivers_of(made, seen.document) if made else {}
    chains = None
    for index, event in seen.events.items():
        registration: Registration | None = None
        if index in made:
            registration = descriptors.registration_of(event, passed_to.get(index, ""), seen)
        elif event.name in services.CALLS:
            registration = services.registration_of(event, seen)
        elif event.name in further.CALLS:
            registration = further.registration_of(event, seen)
        else:
            of_chain = _reader_of_chain(event)
            if of_chain is not None:
                chains = continued(seen.document) if chains is None else chains
                yield from of_chain(index, event, chains, seen)
        if registration is not None:
            yield registration


def _reader_of_chain(event: Event) -> _OfChain | None:
    """For calls whose chain says more of what they register."""
    if event.name in autofac.CALLS and autofac.is_registering(event):
        return autofac.registrations
    if event.name in exposed.CALLS:
        return exposed.registrations
    return container_calls.registrations if event.name in container_calls.CALLS else None
