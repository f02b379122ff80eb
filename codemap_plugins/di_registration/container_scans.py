"""Scans of Castle Windsor and Simple Injector.

Windsor's begin with where they look and go on in a chain, ``Classes.FromThisAssembly().BasedOn<IShelf>().WithServiceAllInterfaces()``;
without a service the types answer for themselves, and without a lifestyle they are made once. Simple Injector's are one call, which is
given assemblies in place of an implementation, ``container.Register(typeof(IBoard<>), assemblies)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from codemap_core.model.bound import BoundDocument, Event
from codemap_plugins.di_registration.chains import chain, continued
from codemap_plugins.di_registration.containers import CASTLE_WINDSOR, SIMPLE_INJECTOR
from codemap_plugins.di_registration.registration import SINGLETON, TRANSIENT
from codemap_plugins.di_registration.roles import is_type
from codemap_plugins.di_registration.scans import OWN, As, Scan, Wanted, anchors_of, filtered, wanted_by, wanted_type

_FROM: Final = ("FromAssembly", "FromAssemblyContaining", "FromThisAssembly")
_TYPES: Final = frozenset({"AllTypes", "Classes", "Types"})
_SELECTING: Final = ("BasedOn", "OrBasedOn", "Pick")
_EXPOSED: Final = {
    "WithServiceAllInterfaces": As.INTERFACES,
    "AllInterfaces": As.INTERFACES,
    "WithServiceBase": As.CLOSED,
    "Base": As.CLOSED,
    "WithServiceDefaultInterfaces": As.MATCHING,
    "DefaultInterfaces": As.MATCHING,
    "WithServiceSelf": As.SELF,
    "Self": As.SELF,
}
_WITH_SERVICE: Final = "WithService"
_NARROWING: Final = ("Where", "If", "Unless", "InNamespace", "InSameNamespaceAs", "WithServiceSelect", "Select")
_FIRST: Final = (
    "WithServiceFirstInterface",
    "FirstInterface",
    "WithServiceFromInterface",
    "FromInterface",
    "ConfigureFor",
)
_REGISTER: Final = ("Register", "RegisterCollection")
CALLS: Final = (*_FROM, *_REGISTER)
"""Names of calls that scan, or begin to."""


def scans(event: Event, index: int, document: BoundDocument) -> Iterator[Scan]:
    """What a call looks for; nothing for other calls under these names."""
    if event.name in _REGISTER:
        if event.target is not None and event.target.startswith(f"M:{SIMPLE_INJECTOR.declaring[0]}"):
            yield from _simple_injector(event, document)
    elif _begins_windsor(event):
        yield _windsor(event, index, document)


def _begins_windsor(event: Event) -> bool:
    if event.target is not None:
        return event.target.startswith(f"M:{CASTLE_WINDSOR.declaring[0]}")
    receiver = event.receiver
    if receiver is None:
        return False
    named = receiver.type.name if receiver.type is not None else receiver.unbound_name
    return named in _TYPES


def _windsor(event: Event, index: int, document: BoundDocument) -> Scan:
    anchors = (OWN,) if event.name == "FromThisAssembly" else anchors_of(event, document)
    scan = Scan(anchors=anchors, lifetime=SINGLETON, method=event.name, public_only=True)
    for link in _links(index, document):
        each = document.events[link]
        if each.name in _SELECTING:
            wanted = wanted_by(each)
            groups = (wanted,) if each.name != "OrBasedOn" else ((*(scan.any_of[-1] if scan.any_of else ()), *wanted),)
            understood = scan.is_understood and (bool(wanted) or each.name == "Pick")
            scan = replace(scan, any_of=groups if wanted else (), is_understood=understood)
        elif each.name in _EXPOSED:
            scan = replace(scan, exposed=_EXPOSED[each.name])
        elif each.name in CASTLE_WINDSOR.lifetimes:
            scan = replace(scan, lifetime=CASTLE_WINDSOR.lifetimes[each.name])
        elif each.name == "IncludeNonPublicTypes":
            scan = replace(scan, public_only=False)
        elif each.name in _NARROWING:
            scan = filtered(scan, each, document)
        elif each.name in _FIRST:
            scan = replace(scan, is_understood=False)
    return scan


def _links(index: int, document: BoundDocument) -> Iterator[int]:
    """The calls of a chain, those included that follow the property ``.WithService``."""
    chains = continued(document)
    yield from chain(index, chains)
    for link in range(index + 1, len(document.events)):
        each = document.events[link]
        if each.name in _FROM:
            return
        receiver = each.receiver
        if receiver is not None and _WITH_SERVICE in (receiver.unbound_name, _last_name(receiver.symbol_id)):
            yield link
            yield from chain(link, chains)
            return


def _simple_injector(event: Event, document: BoundDocument) -> Iterator[Scan]:
    wanted = _service_of(event)
    given = tuple(each for each in event.arguments if not _is_service(each.parameter))
    if any(is_type(value) for each in given for value in each.value.elements or (each.value,)):
        return  # implementations, not assemblies
    anchors = anchors_of(replace(event, type_arguments=(), arguments=given), document)
    if wanted and anchors:
        said = [
            SIMPLE_INJECTOR.lifetimes[name]
            for each in event.arguments
            for name in [_last_name(each.value.symbol_id)]
            if name in SIMPLE_INJECTOR.lifetimes
        ]
        yield Scan(
            anchors=anchors,
            any_of=(wanted,),
            exposed=As.CLOSED,
            lifetime=said[0] if said else TRANSIENT,
            method=event.name,
        )


def _service_of(event: Event) -> tuple[Wanted, ...]:
    """``Register(typeof(IBoard<>), …)``, ``Collection.Register<ITool>(…)``; not the types that assemblies are named by."""
    operands = [each.value.type_operand for each in event.arguments if is_type(each.value)]
    types = [*event.type_arguments[:1], *(each for each in operands if each is not None)]
    return tuple(wanted_type(each) for each in types[:1] if each.id)


def _is_service(parameter: str) -> bool:
    """Whether a parameter does not take the assemblies."""
    return parameter in ("openGenericServiceType", "serviceType", "lifestyle")


def _last_name(symbol_id: str) -> str:
    return symbol_id.rpartition(".")[2]
