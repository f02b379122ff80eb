"""Calls that register what they find in assemblies: Scrutor, Autofac, MediatR, FluentValidation, AutoMapper, MassTransit.

A scan says where it looks, which types it takes, as what and for how long. One that looks where only running the program tells, or chooses
in a way that is not understood, finds nothing here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import display_type, text_of
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, Event, EventKind, Value
from codemap_plugins.di_registration import autofac
from codemap_plugins.di_registration.chains import chain, continued
from codemap_plugins.di_registration.registration import LIFETIMES, SCOPED, TRANSIENT
from codemap_plugins.di_registration.services import lifetime_of

OWN: Final = "own"
"""In place of a type's id: the assembly of the scanning code itself."""
EVERYWHERE: Final = "everywhere"
"""In place of a type's id: all assemblies."""
ASSEMBLY: Final = "assembly:"
"""What an anchor begins with that is an assembly's name."""


class As(StrEnum):
    """What the found types are registered as."""

    SELF = "self"
    INTERFACES = "interfaces"
    SELF_AND_INTERFACES = "self_and_interfaces"
    MATCHING = "matching"
    """The interface that is called like the type, with an ``I`` before it."""
    CLOSED = "closed"
    """Their bases among those that the scan takes."""
    GIVEN = "given"
    """``Scan.services``."""


class Wanted(Struct, frozen=True):
    """A type that found types must derive from: by id, and by display where it has type arguments."""

    id: str
    display: str
    is_open: bool


class Scan(Struct, frozen=True, kw_only=True):
    """``anchors``: ids of types whose assemblies are looked through, or ``OWN``. ``any_of``: one of these must be a base; none where any
    type will do."""

    anchors: tuple[str, ...] = ()
    any_of: tuple[tuple[Wanted, ...], ...] = ()
    ending: str = ""
    beginning: str = ""
    namespaces: tuple[str, ...] = ()
    exposed: As = As.SELF
    services: tuple[Wanted, ...] = ()
    lifetime: str = TRANSIENT
    public_only: bool = False
    method: str = ""
    is_understood: bool = True


def _open(*names: str) -> tuple[Wanted, ...]:
    return tuple(Wanted(f"T:{name}", "", True) for name in names)


_MEDIATR: Final = _open(
    "MediatR.IRequestHandler`1",
    "MediatR.IRequestHandler`2",
    "MediatR.INotificationHandler`1",
    "MediatR.IStreamRequestHandler`2",
)
_MAPPING: Final = _open(
    "AutoMapper.IValueResolver`3",
    "AutoMapper.IMemberValueResolver`4",
    "AutoMapper.ITypeConverter`2",
    "AutoMapper.IValueConverter`2",
    "AutoMapper.IMappingAction`2",
)
_VALIDATORS: Final = Scan(
    any_of=(_open("FluentValidation.IValidator`1"),), exposed=As.CLOSED, lifetime=SCOPED, public_only=True
)
_MESSAGES: Final = Scan(any_of=(_MEDIATR,), exposed=As.CLOSED)
_CONSUMERS: Final = Scan(any_of=(_open("MassTransit.IConsumer`1"),), lifetime=SCOPED)
_LIBRARIES: Final[Mapping[str, Scan]] = {
    "AddAutoMapper": Scan(any_of=(_MAPPING,)),
    "AddConsumers": _CONSUMERS,
    "AddMediatR": _MESSAGES,
    "AddValidatorsFromAssemblies": _VALIDATORS,
    "AddValidatorsFromAssembly": _VALIDATORS,
    "AddValidatorsFromAssemblyContaining": _VALIDATORS,
    "RegisterServicesFromAssemblies": _MESSAGES,
    "RegisterServicesFromAssembly": _MESSAGES,
    "RegisterServicesFromAssemblyContaining": _MESSAGES,
    "RegisterValidatorsFromAssembly": _VALIDATORS,
    "RegisterValidatorsFromAssemblyContaining": _VALIDATORS,
}
"""By the name of a call: what it looks for."""
_SCRUTOR: Final = "M:Microsoft.Extensions.DependencyInjection.ServiceCollectionExtensions.Scan("
_EXPOSED: Final = {
    "AsSelf": As.SELF,
    "AsImplementedInterfaces": As.INTERFACES,
    "AsSelfWithInterfaces": As.SELF_AND_INTERFACES,
    "AsMatchingInterface": As.MATCHING,
}
_SCRUTOR_LIFETIMES: Final = {f"With{each}Lifetime": each for each in LIFETIMES}
_FROM_TYPES: Final = ("FromAssemblyOf", "FromAssembliesOf", "FromAssemblies", "FromAssembly", "FromTypes")
_FROM_OWN: Final = ("FromCallingAssembly", "FromExecutingAssembly")
_FROM_EVERYWHERE: Final = ("FromApplicationDependencies", "FromDependencyContext")
_OWN_ASSEMBLY: Final = ("GetExecutingAssembly", "GetCallingAssembly")
_THIS_ASSEMBLY: Final = "P:Autofac.Module.ThisAssembly"
_DERIVING: Final = ("IsAssignableFrom", "IsAssignableTo", "IsClosedTypeOf")
_NAME: Final = "P:System.Reflection.MemberInfo.Name"
CALLS: Final = ("Scan", "RegisterAssemblyTypes", *_LIBRARIES)
"""Names of calls that scan."""


def scans(event: Event, index: int, seen: Seen) -> Iterator[Scan]:
    """What a call looks for; nothing for other calls under these names."""
    document = seen.document
    if event.name == "Scan":
        if event.target is not None and event.target.startswith(_SCRUTOR):
            yield from _scrutor(event, document)
    elif event.name == "RegisterAssemblyTypes":
        if autofac.is_registering(event):
            yield _autofac(event, index, document)
    else:
        found = _LIBRARIES[event.name]
        anchors = anchors_of(event, document)
        lifetimes = [each.value for each in event.arguments if is_lifetime(each.value)]
        lifetime = lifetime_of(lifetimes[0] if lifetimes else None, found.lifetime, document)
        yield replace(found, anchors=anchors, lifetime=lifetime, method=event.name)


def is_lifetime(value: Value) -> bool:
    return value.type is not None and value.type.name == "ServiceLifetime"


def anchors_of(event: Event, document: BoundDocument) -> tuple[str, ...]:
    """The assemblies that the arguments of a call name; none where one is not known."""
    found = [each.id for each in event.type_arguments[:1]]
    for argument in event.arguments:
        for value in argument.value.elements or (argument.value,):
            if _is_assembly(value) or (value.type_operand is not None and not value.symbol_id):
                anchor = _anchor(value, document)
                if not anchor:
                    return ()
                found.append(anchor)
    return tuple(found)


def _is_assembly(value: Value) -> bool:
    return (
        value.symbol_id in (_THIS_ASSEMBLY, "P:System.Type.Assembly")
        or (value.type is not None and value.type.name == "Assembly")
        or bool(value.type is not None and value.type.arguments and value.type.arguments[0].name == "Assembly")
    )


def _anchor(value: Value, document: BoundDocument) -> str:
    if value.type_operand is not None:
        return value.type_operand.id
    if value.symbol_id == _THIS_ASSEMBLY:
        return OWN
    made = document.events[value.origin] if value.origin != NOWHERE else None
    if made is not None and made.name in _OWN_ASSEMBLY:
        return OWN
    if made is not None and made.name == "GetAssemblies":
        return EVERYWHERE
    named = made.arguments[0].value if made is not None and made.arguments else None
    if made is not None and named is not None and made.name == "GetAssembly" and named.type_operand is not None:
        return named.type_operand.id
    text = text_of(named) if made is not None and made.name == "Load" else None
    return f"{ASSEMBLY}{text.partition(',')[0]}" if text else ""


# Scrutor


def _scrutor(event: Event, document: BoundDocument) -> Iterator[Scan]:
    """Each ``AddClasses`` begins a selection, which what follows says more of."""
    outer = {each.value.region for each in event.arguments if each.value.region != NOWHERE}
    anchors: tuple[str, ...] = ()
    selection: Scan | None = None
    for each in document.events:
        if each.kind is not EventKind.INVOCATION or each.region not in outer:
            continue
        if each.name in _FROM_TYPES:
            anchors = (*anchors, *anchors_of(each, document))
        elif each.name in _FROM_OWN:
            anchors = (*anchors, OWN)
        elif each.name in _FROM_EVERYWHERE:
            anchors = (*anchors, EVERYWHERE)
        elif each.name == "AddClasses":
            if selection is not None:
                yield selection
            selection = _selected(Scan(anchors=anchors, method="Scan", public_only=True), each, document)
        elif selection is not None:
            selection = _exposed(selection, each, document)
    if selection is not None:
        yield selection


def _selected(scan: Scan, event: Event, document: BoundDocument) -> Scan:
    for argument in event.arguments:
        if argument.value.constant is not None:
            scan = replace(scan, public_only=argument.value.constant.value is True)
    inside = {each.value.region for each in event.arguments if each.value.region != NOWHERE}
    for each in document.events:
        if each.kind is EventKind.INVOCATION and each.region in inside:
            scan = filtered(scan, each, document)
    return scan


def _exposed(scan: Scan, event: Event, document: BoundDocument) -> Scan:
    """What a call of a chain says of services and lifetime."""
    if event.name in _EXPOSED:
        return replace(scan, exposed=_EXPOSED[event.name])
    if event.name in _SCRUTOR_LIFETIMES:
        return replace(scan, lifetime=_SCRUTOR_LIFETIMES[event.name])
    if event.name == "WithLifetime" and event.arguments:
        return replace(scan, lifetime=lifetime_of(event.arguments[0].value, scan.lifetime, document))
    if event.name == "As":
        given = wanted_by(event)
        return replace(scan, exposed=As.GIVEN, services=given, is_understood=scan.is_understood and bool(given))
    return scan


# Autofac


def _autofac(event: Event, index: int, document: BoundDocument) -> Scan:
    scan = Scan(anchors=anchors_of(event, document), method=event.name)
    for link in chain(index, continued(document)):
        each = document.events[link]
        lifetime = autofac.LIFETIMES.get(each.name)
        if lifetime is not None:
            scan = replace(scan, lifetime=lifetime)
        elif each.name == "AsClosedTypesOf":
            scan = replace(scan, any_of=(*scan.any_of, wanted_by(each)), exposed=As.CLOSED)
        elif each.name in ("AssignableTo", "Where", "InNamespace", "InNamespaceOf", "Except", "PublicOnly"):
            scan = filtered(scan, each, document)
        elif each.name in ("As", *_EXPOSED):
            scan = _exposed(scan, each, document)
    return scan


# Filters


def filtered(scan: Scan, event: Event, document: BoundDocument) -> Scan:
    match event.name:
        case "AssignableTo" | "AssignableToAny":
            wanted = wanted_by(event)
            understood = scan.is_understood and bool(wanted)
            return replace(scan, any_of=(*scan.any_of, wanted), is_understood=understood)
        case "InNamespaces" | "InExactNamespaces" | "InNamespace":
            texts = [text_of(value) for argument in event.arguments for value in _each(argument.value)]
            names = tuple(text for text in texts if text)
            return replace(
                scan, namespaces=(*scan.namespaces, *names), is_understood=scan.is_understood and bool(names)
            )
        case "InNamespaceOf" | "InExactNamespaceOf":
            names = tuple(each.id.removeprefix("T:").rpartition(".")[0] for each in event.type_arguments[:1])
            return replace(
                scan, namespaces=(*scan.namespaces, *names), is_understood=scan.is_understood and bool(names)
            )
        case "PublicOnly":
            return replace(scan, public_only=True)
        case "Where":
            return _chosen(scan, event, document)
    return replace(scan, is_understood=False)


def _chosen(scan: Scan, event: Event, document: BoundDocument) -> Scan:
    """``type => type.Name.EndsWith("Repository")``, or by what it derives from."""
    regions = {each.value.region for each in event.arguments if each.value.region != NOWHERE}
    for each in document.events:
        if each.kind is EventKind.RETURN and each.region in regions:
            origin = each.arguments[0].value.origin
            asked = document.events[origin] if origin != NOWHERE else None
            if asked is not None and asked.name in _DERIVING:
                return _derived(scan, asked)
            receiver = asked.receiver if asked is not None else None
            text = text_of(asked.arguments[0].value) if asked is not None and asked.arguments else None
            if asked is not None and receiver is not None and receiver.symbol_id == _NAME and text:
                if asked.name == "EndsWith":
                    return replace(scan, ending=text)
                if asked.name == "StartsWith":
                    return replace(scan, beginning=text)
    return replace(scan, is_understood=False)


def _derived(scan: Scan, asked: Event) -> Scan:
    """``type.IsAssignableTo(typeof(IShelf))``, ``typeof(IShelf).IsAssignableFrom(type)``."""
    base = asked.receiver.type_operand if asked.receiver is not None else None
    given = (wanted_type(base),) if base is not None and base.id else wanted_by(asked)
    return replace(scan, any_of=(*scan.any_of, given), is_understood=scan.is_understood and bool(given))


def wanted_by(event: Event) -> tuple[Wanted, ...]:
    """The types that a filter names, as type argument or with ``typeof``."""
    written: Sequence[BoundType] = [
        value.type_operand
        for argument in event.arguments
        for value in _each(argument.value)
        if value.type_operand is not None
    ]
    types = written or event.type_arguments[:1]
    return tuple(wanted_type(each) for each in types if each.id)


def wanted_type(type_: BoundType) -> Wanted:
    return Wanted(type_.id, display_type(type_), not type_.arguments)


def _each(value: Value) -> tuple[Value, ...]:
    return value.elements or (value,)
