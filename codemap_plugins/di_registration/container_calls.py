"""Registrations with the containers of ``containers``, read off one call or a chain of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import text_of
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, Argument, BoundDocument, Event, EventKind, TypeForm, Value
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.di_registration.chains import chain, whole_of
from codemap_plugins.di_registration.containers import CONTAINERS, Container, Gives, Verb
from codemap_plugins.di_registration.factories import made_by
from codemap_plugins.di_registration.registration import SINGLETON, Form, Named, Registration, named, named_by
from codemap_plugins.di_registration.roles import is_function, is_type, key_of

_BY_NAME: Final[Mapping[str, tuple[Container, ...]]] = {
    name: tuple(each for each in CONTAINERS if name in each.verbs or name in each.starts)
    for name in sorted({name for each in CONTAINERS for name in (*each.verbs, *each.starts)})
}
CALLS: Final = tuple(_BY_NAME)
"""Names of the calls that register, or begin to."""
_SEARCHED: Final = frozenset({"Assembly", "Made", "Type"})
"""Names of types: an argument of one, or a list of it, says in a way of its own what answers."""
_DISPOSABLE: Final = "T:System.IDisposable"


class Answer(Struct, frozen=True):
    """What answers for a service."""

    implementation: Named | None
    form: Form
    is_hidden: bool = False


def registrations(index: int, event: Event, chains: Mapping[int, Sequence[int]], seen: Seen) -> Iterator[Registration]:
    """``chains``: of ``continued``. Nothing for a call that does not belong to a container."""
    container = _container_of(event, seen)
    if container is None:
        return
    verb = container.verbs.get(event.name)
    if verb is not None:
        yield from _by_one_call(container, verb, event, seen)
    else:
        links = [seen.document.events[each] for each in chain(index, chains)]
        yield from _by_chain(container, event, links, seen.document)


def _container_of(event: Event, seen: Seen) -> Container | None:
    candidates = _BY_NAME[event.name]
    if event.target is not None:
        declared = event.target.removeprefix("M:")
        return next((each for each in candidates if declared.startswith(each.declaring)), None)
    names = _receiver_names(event)
    for each in candidates:
        if not names.isdisjoint(each.receivers):
            return each
    if not (event.type_arguments or any(is_type(each.value) for each in event.arguments)):
        return None
    receiver = event.receiver.type if event.receiver is not None else None
    if receiver is not None and receiver.form is not TypeForm.UNRESOLVED:
        return None
    packages = {each.id.lower() for each in seen.project.packages} if seen.project is not None else set()
    return next((each for each in candidates if not packages.isdisjoint(each.packages)), None)


def _receiver_names(event: Event) -> set[str]:
    """Simple names of the receiver's type, or of the type that it may be."""
    receiver = event.receiver
    if receiver is None:
        return set()
    type_name = receiver.type.name.partition("<")[0].rpartition(".")[2] if receiver.type is not None else ""
    return {type_name, receiver.unbound_name} - {""}


# In one call


def _by_one_call(container: Container, verb: Verb, event: Event, seen: Seen) -> Iterator[Registration]:
    document = seen.document
    values = [value for each in event.arguments for value in (each.value.elements or (each.value,))]
    types = [named(each) for each in event.type_arguments]
    types += [named_by(value, document) for value in values if is_type(value)]
    others = [value for value in values if not is_type(value)]
    lifetime = verb.lifetime or _lifetime(container, others, document) or container.default
    keys = [each.value for each in event.arguments if _gives_key(container, event, each)]
    key = key_of(keys[0], event, document) if keys else None
    if len(types) < 2 and any(map(_is_searched, others)):
        return
    given = [each for each in others if each.constant is None and not _says_lifetime(container, each, document)]
    for service, answer in _answered(verb.gives, types, given, seen):
        yield Registration(
            event=event,
            service=service,
            implementation=answer.implementation or service,
            is_hidden=answer.is_hidden,
            lifetime=lifetime,
            form=answer.form,
            method=event.name,
            key=key,
            is_beyond=True,
        )


def _gives_key(container: Container, event: Event, argument: Argument) -> bool:
    """Where the call was not bound, a text is taken for the name that some containers give."""
    if argument.parameter or event.target is not None:
        return argument.parameter in container.keys
    return bool(container.keys) and text_of(argument.value) is not None


def _is_searched(value: Value) -> bool:
    """Assemblies or a list of types, in which what answers is to be found."""
    type_ = value.type
    return type_ is not None and any(each.name in _SEARCHED for each in (type_, *type_.arguments))


def _answered(
    gives: Gives, types: Sequence[Named], values: Sequence[Value], seen: Seen
) -> Iterator[tuple[Named, Answer]]:
    """Services with what answers for them, of one call."""
    function = next((each for each in values if is_function(each)), None)
    made = made_by(function, seen.document) if function is not None else None
    if gives is Gives.INSTANCE:
        held = next((each.type for each in values if each.type is not None and not is_function(each)), None)
        service = types[0] if types else named(held) if held is not None else None
        if service is not None:
            yield service, Answer(named(held) if held is not None else None, Form.INSTANCE)
    elif gives is Gives.FACTORY or (function is not None and len(types) < 2):
        service = types[-1] if types else named(made) if made is not None else None
        if service is not None:
            yield service, Answer(named(made) if made is not None else None, Form.FACTORY, is_hidden=True)
    elif gives is Gives.DECORATOR:
        if len(types) > 1:
            yield types[0], Answer(types[1], Form.DECORATOR)
    elif gives is Gives.INTERFACES:
        for type_ in types[:1]:
            bases = seen.interfaces_of(type_.type) if type_.type is not None else ()
            for service in (*(named(base) for base in bases if base.id != _DISPOSABLE), type_):
                yield service, Answer(type_, Form.TYPE)
    elif types:
        for implementation in types[1:] or types[:1]:
            yield types[0], Answer(implementation, Form.TYPE)


# In a chain


def _by_chain(
    container: Container, event: Event, links: Sequence[Event], document: BoundDocument
) -> Iterator[Registration]:
    said = [event, *(each for each in links if each.name in container.further_services)]
    services = [service for each in said for service in _types_of(each, document)]
    giving = next((each for each in links if each.name in container.links), None)
    if not services or (giving is None and not container.registers_alone):
        return
    verb = container.links[giving.name] if giving is not None else Verb(Gives.SELF)
    answer = _given_by(giving, verb.gives, document) if giving is not None else Answer(services[0], Form.TYPE)
    lifetimes = [container.lifetimes[each.name] for each in links if each.name in container.lifetimes]
    keys = [
        key_of(each.arguments[0].value, each, document)
        for each in links
        if each.name in container.keys and each.arguments
    ]
    for service in services:
        yield Registration(
            event=event,
            whole=whole_of(event, links),
            service=service,
            implementation=answer.implementation or service,
            is_hidden=answer.is_hidden,
            lifetime=(lifetimes[-1] if lifetimes else "")
            or container.starts[event.name]
            or _kept(verb, answer, container),
            form=answer.form,
            method=event.name,
            key=keys[-1] if keys else None,
            is_beyond=True,
        )


def _kept(verb: Verb, answer: Answer, container: Container) -> str:
    """The lifetime where nothing says one."""
    return SINGLETON if answer.form is Form.INSTANCE else verb.lifetime or container.default


def _types_of(event: Event, document: BoundDocument) -> list[Named]:
    written = [named(each) for each in event.type_arguments]
    values = [value for each in event.arguments for value in (each.value.elements or (each.value,))]
    return written or [named_by(value, document) for value in values if is_type(value)]


def _given_by(link: Event, gives: Gives, document: BoundDocument) -> Answer:
    types = _types_of(link, document)
    values = [each.value for each in link.arguments]
    function = next((each for each in values if is_function(each)), None)
    if gives is Gives.DECORATOR:
        return Answer(types[0] if types else None, Form.DECORATOR)
    if gives is Gives.FACTORY or function is not None:
        made = made_by(function, document) if function is not None else None
        return Answer(named(made) if made is not None else None, Form.FACTORY, is_hidden=True)
    if gives is Gives.INSTANCE or (not types and values):
        held = values[-1].type if values else None
        return Answer(named(held) if held is not None else None, Form.INSTANCE)
    return Answer(types[0] if types else None, Form.TYPE)


# Lifetimes


def _lifetime(container: Container, values: Sequence[Value], document: BoundDocument) -> str:
    """What one of the arguments says of it; empty where none does."""
    return next((said for value in values if (said := _says_lifetime(container, value, document))), "")


def _says_lifetime(container: Container, value: Value, document: BoundDocument) -> str:
    return next((said for name in _last_names(value, document) if (said := container.lifetimes.get(name))), "")


def _last_names(value: Value, document: BoundDocument) -> Iterator[str]:
    """Of what a value names, and of what made it: ``Lifestyle.Singleton``, ``Reuse.ScopedTo("x")``, ``new TransientLifetimeManager()``."""
    if value.symbol_id and not value.local:
        yield parse_id(value.symbol_id).name
    if value.unbound_name:
        yield value.unbound_name
    made = document.events[value.origin] if value.origin != NOWHERE else None
    if made is not None and made.kind in (EventKind.INVOCATION, EventKind.CREATION):
        yield made.name
