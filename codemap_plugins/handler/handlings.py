"""What the types of a document handle: by the interfaces they implement, as state machines of MassTransit, or by the convention of
Wolverine and Foundatio.Mediator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import full_name
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, SymbolKind, Visibility
from codemap_core.model.bound import BoundDeclaration, BoundType, TypeForm
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.handler.frameworks import (
    BY_CONVENTION,
    EVENT,
    FRAMEWORKS,
    MASS_TRANSIT,
    PLATFORM,
    STATE_MACHINE,
    framework_of,
    is_own_interface,
    uses,
)
from codemap_plugins.handler.sends import key_of

_TYPES: Final = frozenset({SymbolKind.CLASS, SymbolKind.RECORD, SymbolKind.STRUCT})
_KEPT: Final = (SymbolKind.FIELD, SymbolKind.PROPERTY)
_MADE: Final = (*_TYPES, SymbolKind.CONSTRUCTOR)
METHODS: Final = (
    "Handle",
    "HandleAsync",
    "Consume",
    "ConsumeAsync",
    "OnHandle",
    "Run",
    "Timeout",
    "ExecuteAsync",
    "Execute",
    "Receive",
)
"""Names of handling methods. A type's own method of such a name is preferred to others that take the message."""
_BY_CONVENTION: Final = frozenset(
    {"Handle", "HandleAsync", "Handles", "HandlesAsync", "Consume", "ConsumeAsync", "Consumes", "ConsumesAsync"}
)
_ENDINGS: Final = ("Handler", "Consumer")
_BATCH: Final = "Batch"
_TELLING: Final = (TypeForm.NAMED, TypeForm.UNRESOLVED)
_KNOWN: Final = frozenset(each.name for each in FRAMEWORKS)


class Handling(Struct, frozen=True, kw_only=True):
    """``type_`` handles messages of the type ``message``. ``method``: its own method that does; null where a base class has it.
    ``constraints``: of a message that is a type parameter, so that every type that satisfies them is handled."""

    message: BoundType
    response: BoundType | None = None
    type_: BoundDeclaration
    method: BoundDeclaration | None = None
    framework: str
    confidence: Confidence
    constraints: tuple[BoundType, ...] = ()


def handlings(seen: Seen) -> Iterator[Handling]:
    members = members_by_type(seen)
    for declaration in seen.declarations:
        if declaration.kind in _TYPES and "abstract" not in declaration.modifiers:
            own = members.get(declaration.symbol_id, ())
            found = [
                *_by_interface(declaration, own, seen),
                *_of_every_type(declaration, own, seen),
                *_by_state_machine(declaration, seen),
            ]
            yield from found or _by_convention(declaration, own, seen)


def members_by_type(seen: Seen) -> Mapping[str, Sequence[BoundDeclaration]]:
    """The methods of the document's types."""
    found: dict[str, list[BoundDeclaration]] = {}
    for each in seen.declarations:
        if each.kind is SymbolKind.METHOD and each.container_id is not None:
            found.setdefault(each.container_id, []).append(each)
    return found


def _by_interface(declaration: BoundDeclaration, members: Sequence[BoundDeclaration], seen: Seen) -> Iterator[Handling]:
    handled: set[str] = set()
    results = frozenset(each.type.name for each in members if each.name in METHODS and each.type is not None)
    for base, framework, confidence in sorted(
        _handler_bases(declaration, results, seen), key=lambda each: each[2].value
    ):
        is_sure = confidence is Confidence.HIGH or _is_used(framework, seen)
        message = message_of(base, is_sure)
        if message is None or key_of(message) in handled:
            continue
        method = handling_method(members, message)
        if method is None and (framework not in _KNOWN or "partial" in declaration.modifiers):
            continue  # an interface of the repository's own says little without the method; another part may have it
        handled.add(key_of(message))
        yield Handling(
            message=message,
            response=base.arguments[1] if len(base.arguments) > 1 else None,
            type_=declaration,
            method=method,
            framework=framework,
            confidence=confidence if message.form is TypeForm.NAMED else Confidence.LOW,
        )


def _of_every_type(
    declaration: BoundDeclaration, members: Sequence[BoundDeclaration], seen: Seen
) -> Iterator[Handling]:
    """``class Log<TEvent> : INotificationHandler<TEvent>``: its method handles whatever type stands for ``TEvent``. One that holds such a
    handler decorates it."""
    for base, framework, _ in _handler_bases(declaration, frozenset(), seen):
        message = base.arguments[0]
        own = next((each for each in declaration.type_parameters if each.name == message.name), None)
        if message.form is not TypeForm.TYPE_PARAMETER or own is None or len(base.arguments) > 1:
            continue
        method = handling_method(members, message)
        if method is None or method.name not in METHODS or _holds(declaration, base.name, seen):
            continue
        yield Handling(
            message=message,
            type_=declaration,
            method=method,
            framework=framework,
            confidence=Confidence.LOW,
            constraints=own.constraints,
        )
        return


def _holds(declaration: BoundDeclaration, name: str, seen: Seen) -> bool:
    """Whether a type takes or keeps a value of a type of that name, or several of them."""
    own = [declaration, *(each for each in seen.declarations if each.container_id == declaration.symbol_id)]
    held = [each.type for each in own if each.kind in _KEPT]
    held += [parameter.type for each in own if each.kind in _MADE for parameter in each.parameters]
    return any(type_ is not None and _names(type_, name) for type_ in held)


def _names(type_: BoundType, name: str) -> bool:
    return type_.name == name or any(_names(each, name) for each in type_.arguments)


def _is_used(framework: str, seen: Seen) -> bool:
    return any(each.name == framework and uses(seen.project, each) for each in FRAMEWORKS)


def _handler_bases(
    declaration: BoundDeclaration, results: frozenset[str], seen: Seen
) -> Iterator[tuple[BoundType, str, Confidence]]:
    for base in declaration.all_bases:
        framework = framework_of(base, seen.project, results)
        is_found = base.form is TypeForm.NAMED
        if framework is not None:
            yield base, framework.name, Confidence.HIGH if is_found else Confidence.LOW
        elif is_own_interface(base):
            yield base, base.name, Confidence.MEDIUM if is_found else Confidence.LOW


def message_of(base: BoundType, is_sure: bool) -> BoundType | None:
    """The message that a handler's interface names; of a batch what it holds. Null for a type parameter, and unless it ``is_sure`` that the
    interface is a framework's for a type of .NET itself and for one that was not found, of a package of contracts say."""
    message = base.arguments[0]
    if message.name == _BATCH and message.arguments:
        message = message.arguments[0]
    return message if _may_be_sent(message) or (is_sure and message.form in _TELLING and message.name) else None


def _may_be_sent(type_: BoundType) -> bool:
    return type_.form is TypeForm.NAMED and not full_name(type_).startswith(PLATFORM)


def handling_method(members: Iterable[BoundDeclaration], message: BoundType) -> BoundDeclaration | None:
    """The method whose first parameter is the message, or what brings it: ``ConsumeContext<OrderPlaced>``. It can be one that implements a
    member of an interface: of the instance, public or called after the interface (ECMA-334 §19.6.2, §19.6.5)."""
    taking = [
        each
        for each in members
        if each.parameters
        and "static" not in each.modifiers
        and (each.visibility is Visibility.PUBLIC or parse_id(each.symbol_id).interface)
        and _brings(each.parameters[0].type, message)
    ]
    named = [each for each in taking if each.name.rpartition(".")[2] in METHODS]
    return next(iter(named or taking), None)


def _brings(type_: BoundType, message: BoundType) -> bool:
    return type_ == message or any(_brings(each, message) for each in type_.arguments)


def _by_state_machine(declaration: BoundDeclaration, seen: Seen) -> Iterator[Handling]:
    """The events of a saga, handled where its constructor says so, else where they are declared."""
    base = next((each for each in declaration.all_bases if each.name == STATE_MACHINE), None)
    if base is None:
        return
    own = [each for each in seen.declarations if each.container_id == declaration.symbol_id]
    constructors = [each for each in own if each.kind is SymbolKind.CONSTRUCTOR and "static" not in each.modifiers]
    for each in own:
        if (
            each.kind is SymbolKind.PROPERTY
            and each.type is not None
            and each.type.name == EVENT
            and each.type.arguments
        ):
            message = each.type.arguments[0]
            is_found = base.form is TypeForm.NAMED and message.form is TypeForm.NAMED
            yield Handling(
                message=message,
                type_=declaration,
                method=constructors[0] if len(constructors) == 1 else each,
                framework=MASS_TRANSIT.name,
                confidence=Confidence.HIGH if is_found else Confidence.LOW,
            )


def _by_convention(
    declaration: BoundDeclaration, members: Sequence[BoundDeclaration], seen: Seen
) -> Iterator[Handling]:
    """Public methods under one of a few names, of a type whose name says it, where the project uses a framework that goes by them."""
    if not declaration.name.endswith(_ENDINGS):
        return
    framework = next((each for each in BY_CONVENTION if uses(seen.project, each)), None)
    if framework is None:
        return
    for each in members:
        if each.name not in _BY_CONVENTION or each.visibility is not Visibility.PUBLIC or not each.parameters:
            continue
        message = each.parameters[0].type
        if _may_be_sent(message):
            yield Handling(
                message=message,
                type_=declaration,
                method=each,
                framework=framework.name,
                confidence=Confidence.MEDIUM,
            )
