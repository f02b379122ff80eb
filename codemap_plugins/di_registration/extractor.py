"""The two extractors: registrations as facts, and as links to what they register."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKind, FactRow, ReferenceRow
from codemap_plugins.di_registration import autofac, container_calls, descriptors, exposed, further, services
from codemap_plugins.di_registration.chains import continued
from codemap_plugins.di_registration.registration import REGISTERS, Registration, fact_of, link_of

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


class RegistrationFacts:
    name = "di_registration"
    language = "csharp"
    interests = INTERESTS
    kinds: tuple[str, ...] = (FactKind.DI_REGISTRATION.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        for each in registrations(seen):
            yield fact_of(each, seen)


class RegistrationLinks:
    name = "di_registration_links"
    language = "csharp"
    interests = INTERESTS
    roles: tuple[str, ...] = (REGISTERS,)

    def extract(self, seen: Seen) -> Iterator[ReferenceRow]:
        for each in registrations(seen):
            link = link_of(each, seen)
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
        elif event.name in autofac.CALLS and autofac.is_registering(event):
            chains = continued(seen.document) if chains is None else chains
            yield from autofac.registrations(index, event, chains, seen)
        elif event.name in exposed.CALLS:
            chains = continued(seen.document) if chains is None else chains
            yield from exposed.registrations(index, event, chains, seen)
        elif event.name in container_calls.CALLS:
            chains = continued(seen.document) if chains is None else chains
            yield from container_calls.registrations(index, event, chains, seen)
        if registration is not None:
            yield registration
