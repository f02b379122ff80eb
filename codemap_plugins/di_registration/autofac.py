"""Registrations with Autofac: a call on the builder, and the chain after it that says for what services and for how long.

``builder.RegisterType<UtcClock>().As<IClock>().SingleInstance()``
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, Event, EventKind, Value
from codemap_plugins.di_registration.chains import chain, whole_of
from codemap_plugins.di_registration.factories import made_by
from codemap_plugins.di_registration.registration import (
    SCOPED,
    SINGLETON,
    TRANSIENT,
    Form,
    Named,
    Registration,
    named,
    named_by,
)
from codemap_plugins.di_registration.roles import is_function, is_type, key_of

CALLS: Final = (
    "RegisterType",
    "RegisterGeneric",
    "RegisterInstance",
    "Register",
    "RegisterDecorator",
    "RegisterGenericDecorator",
)
"""Names of the calls on the builder."""
_NAMESPACE: Final = "M:Autofac."
_BUILDER: Final = "ContainerBuilder"
_DISPOSABLE: Final = "T:System.IDisposable"
LIFETIMES: Final = {
    "SingleInstance": SINGLETON,
    "InstancePerDependency": TRANSIENT,
    "InstancePerLifetimeScope": SCOPED,
    "InstancePerMatchingLifetimeScope": SCOPED,
    "InstancePerRequest": SCOPED,
    "InstancePerOwned": SCOPED,
}


class Exposed(Struct, frozen=True):
    """A service of a registration. ``key``: of a keyed or named one."""

    service: Named
    key: str | None = None


def is_registering(event: Event) -> bool:
    if event.target is not None:
        return event.target.startswith(_NAMESPACE)
    receiver = event.receiver.type if event.receiver is not None else None
    return receiver is not None and receiver.name == _BUILDER


def registrations(index: int, event: Event, chains: Mapping[int, Sequence[int]], seen: Seen) -> Iterator[Registration]:
    """``chains``: of ``continued``."""
    document = seen.document
    if event.name in ("RegisterDecorator", "RegisterGenericDecorator"):
        decorator = _decorator(event, document)
        if decorator is not None:
            yield decorator
        return
    registered = _registered(event, document)
    if registered is None:
        return
    type_, itself, implementation, form = registered
    links = [document.events[each] for each in chain(index, chains)]
    lifetime = SINGLETON if form is Form.INSTANCE else TRANSIENT
    for link in links:
        lifetime = LIFETIMES.get(link.name, lifetime)
    exposed = [each for link in links for each in _exposed(link, type_, itself, seen)]
    for each in exposed or [Exposed(itself)]:
        yield Registration(
            event=event,
            whole=whole_of(event, links),
            service=each.service,
            implementation=implementation,
            is_hidden=form is Form.FACTORY,
            lifetime=lifetime,
            form=form,
            method=event.name,
            key=each.key,
        )


def _registered(event: Event, document: BoundDocument) -> tuple[BoundType | None, Named, Named, Form] | None:
    """The registered type where it is known, how it is called as a service and as an implementation, and the form."""
    types = event.type_arguments
    argument = next(iter(_values(event)), None)
    if event.name in ("RegisterType", "RegisterGeneric"):
        if types:
            return types[0], named(types[0]), named(types[0]), Form.TYPE
        if argument is None:
            return None
        if is_function(argument):  # RegisterGeneric((context, types) => …)
            return None
        itself = named_by(argument, document)
        return argument.type_operand, itself, itself, Form.TYPE
    if argument is None:
        return None
    if event.name == "RegisterInstance":
        type_ = types[0] if types else argument.type
        if type_ is None:
            return None
        held = argument.type if argument.type is not None else type_
        return type_, named(type_), named(held), Form.INSTANCE
    made = made_by(argument, document)
    type_ = types[-1] if types else made
    if type_ is None:
        return None
    return type_, named(type_), named(made or type_), Form.FACTORY


def _values(event: Event) -> list[Value]:
    """Of the arguments, without the builder of an extension method that is called as a static one."""
    return [argument.value for argument in event.arguments if argument.parameter != "builder"]


def _decorator(event: Event, document: BoundDocument) -> Registration | None:
    types = event.type_arguments
    values = _values(event)
    is_hidden = False
    if len(types) > 1:
        decorated, decorating = named(types[1]), named(types[0])
    elif len(values) > 1 and is_type(values[0]) and is_type(values[1]):
        decorated, decorating = named_by(values[1], document), named_by(values[0], document)
    elif types and values:
        decorated, decorating = named(types[0]), named(made_by(values[0], document) or types[0])
        is_hidden = True
    else:
        return None
    return Registration(
        event=event,
        service=decorated,
        implementation=decorating,
        is_hidden=is_hidden,
        lifetime=TRANSIENT,
        form=Form.DECORATOR,
        method=event.name,
    )


def _exposed(link: Event, type_: BoundType | None, itself: Named, seen: Seen) -> Iterator[Exposed]:
    """The services that one call of the chain adds."""
    document = seen.document
    match link.name:
        case "AsSelf":
            yield Exposed(itself)
        case "As":
            for each in link.type_arguments:
                yield Exposed(named(each))
            if not link.type_arguments:
                yield from (Exposed(_service(value, document)) for value in _each(link))
        case "Keyed" | "Named":
            yield from _keyed(link, document)
        case "AsImplementedInterfaces" if type_ is not None:
            for base in seen.interfaces_of(type_):
                if base.id != _DISPOSABLE:
                    yield Exposed(named(base))


def _each(link: Event) -> Iterator[Value]:
    for argument in link.arguments:
        yield from argument.value.elements or (argument.value,)


def _service(value: Value, document: BoundDocument) -> Named:
    """``typeof(IClock)``, or ``new TypedService(typeof(IClock))``; what a function gives is not known."""
    if is_function(value):
        return Named("{?}", is_certain=False)
    made = document.events[value.origin] if value.origin != NOWHERE else None
    if value.type_operand is None and made is not None and made.kind is EventKind.CREATION:
        inner = next((each.value for each in made.arguments if each.value.type_operand is not None), None)
        value = inner or value
    return named_by(value, document)


def _keyed(link: Event, document: BoundDocument) -> Iterator[Exposed]:
    """``Keyed<IClock>("k")``, ``Named("n", typeof(IClock))``; where a function gives the key, it is not known."""
    if not link.arguments:
        return
    first = link.arguments[0].value
    key = "{?}" if is_function(first) else key_of(first, link, document)
    if link.type_arguments:
        yield Exposed(named(link.type_arguments[0]), key)
    elif len(link.arguments) > 1:
        yield Exposed(named_by(link.arguments[1].value, document), key)
