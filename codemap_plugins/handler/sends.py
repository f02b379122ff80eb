"""Calls that send a message: of a mediator or bus, or named like one. What is sent is known by its static type."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import BoundType, Event, EventKind, TypeForm, Value
from codemap_plugins.handler.frameworks import FRAMEWORKS, PLATFORM, Framework, is_in

CALLS: Final = (
    "AddAndSaveEventAsync",
    "AddDomainEvent*",
    "AddEvent",
    "AddIntegrationEvent*",
    "CreateStream",
    "Defer*",
    "Dispatch*",
    "Emit*",
    "Enqueue*",
    "Execute*",
    "GetResponse",
    "Invoke*",
    "Notify*",
    "Publish*",
    "Queue*",
    "Raise*",
    "Reply",
    "ReplyToOriginator",
    "Request*",
    "Respond",
    "RespondAsync",
    "RespondToSenderAsync",
    "Schedule*",
    "Send*",
)
"""Names of such calls."""
_PLATFORM_METHODS: Final = tuple(f"M:{each}" for each in PLATFORM)
_PLATFORM_TYPES: Final = tuple(f"T:{each}" for each in PLATFORM)


def framework_of(event: Event) -> Framework | None:
    """The one that declares what is called, or the type that it is called on."""
    receiver = event.receiver.type if event.receiver is not None else None
    symbol_id = event.target or (receiver.id if receiver is not None else "")
    return next((each for each in FRAMEWORKS if is_in(symbol_id[2:], each)), None)


def may_send(event: Event) -> bool:
    """Not a method of .NET itself: a queue, a delegate or a connection takes a message under such a name, and hands it to no handler."""
    return event.target is None or not (event.external and event.target.startswith(_PLATFORM_METHODS))


def key_of(type_: BoundType) -> str:
    """A type as senders and handlers find each other: its id, with those of its type arguments."""
    inside = ",".join(key_of(each) for each in type_.arguments)
    return f"{type_.id or type_.name}<{inside}>" if inside else type_.id or type_.name


def sent_types(event: Event) -> list[BoundType]:
    """The types that a call may send: of its arguments, of its type arguments, and of those of what it is called on
    (``IRequestClient<CheckOrder>``)."""
    receiver = event.receiver.type if event.receiver is not None else None
    types = [
        *(type_ for argument in event.arguments for type_ in _types_of(argument.value)),
        *event.type_arguments,
        *(receiver.arguments if receiver is not None and event.name == "GetResponse" else ()),
    ]
    return _sendable(types)


def likely_types(event: Event, seen: Seen) -> list[BoundType]:
    """The types that a call may send if what made an argument of an unknown type gives the type argument that is written there:
    ``Send(mapper.Map<PlaceOrder>(request))``, where ``Map`` was not found."""
    unknown = (
        argument.value for argument in event.arguments if argument.value.type is None or not argument.value.type.id
    )
    made = (seen.origin(value) for value in unknown)
    return _sendable(each.type_arguments[0] for each in made if each is not None and _gives_unknown(each))


def _gives_unknown(event: Event) -> bool:
    return event.kind is EventKind.INVOCATION and event.target is None and len(event.type_arguments) == 1


def bases_of(types: Collection[BoundType], seen: Seen) -> list[str]:
    """Keys of what the types derive from and implement, none of them generic."""
    found = (base for each in types for base in seen.bases_of(each.id))
    return list(dict.fromkeys(base for base in found if not base.startswith(_PLATFORM_TYPES)))


def _sendable(types: Iterable[BoundType]) -> list[BoundType]:
    found = {key_of(each): each for each in types if each.id and not each.id.startswith(_PLATFORM_TYPES)}
    return list(found.values())


def _types_of(value: Value) -> Iterator[BoundType]:
    if value.type is not None:
        yield value.type
        if value.type.form is TypeForm.ARRAY:
            yield from value.type.arguments
    for element in value.elements:
        yield from _types_of(element)
