"""Descriptors, wherever they are passed: ``ServiceDescriptor.Scoped<IClock, UtcClock>()``, ``new ServiceDescriptor(…)``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, BoundDocument, Event, EventKind, Value
from codemap_plugins.di_registration.registration import LIFETIMES, SINGLETON, Registration
from codemap_plugins.di_registration.roles import roles_of
from codemap_plugins.di_registration.services import given, lifetime_of

CREATED: Final = "ServiceDescriptor"
CALLS: Final = (*LIFETIMES, *(f"Keyed{lifetime}" for lifetime in LIFETIMES), "Describe", "DescribeKeyed")
"""Names of the static methods that make a descriptor."""
_DESCRIPTOR: Final = "Microsoft.Extensions.DependencyInjection.ServiceDescriptor"


def makes_descriptor(event: Event) -> bool:
    if event.kind is EventKind.CREATION:
        return event.target == f"T:{_DESCRIPTOR}"
    return event.target is not None and event.target.startswith(f"M:{_DESCRIPTOR}.")


def registration_of(event: Event, passed_to: str, seen: Seen) -> Registration | None:
    roles = roles_of(event, is_keyed="Keyed" in event.name)
    lifetime = lifetime_of(roles.lifetime, event.name.removeprefix("Keyed"), seen.document)
    if event.kind is EventKind.CREATION and roles.lifetime is None:
        lifetime = SINGLETON  # the constructors that take an instance
    return given(event, roles, lifetime, seen.document, method=passed_to)


def receivers_of(events: Mapping[int, Event], document: BoundDocument) -> Mapping[int, str]:
    """What events are passed to, by their index: the name of the invocation whose argument they are, or part of whose argument."""
    found: dict[int, str] = {}
    for event in document.events:
        if event.kind is EventKind.INVOCATION:
            for argument in event.arguments:
                for origin in _origins(argument.value):
                    if origin in events:
                        found[origin] = event.name
    return found


def _origins(value: Value) -> list[int]:
    if value.local:
        return []
    own = [value.origin] if value.origin != NOWHERE else []
    return [*own, *(origin for element in value.elements for origin in _origins(element))]
