"""Registrations by calls on ``IServiceCollection`` that Microsoft.Extensions.DependencyInjection declares."""

from __future__ import annotations

import re
from typing import Final

from codemap_core.facts import text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, Event, TypeForm, Value
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.di_registration.factories import made_by
from codemap_plugins.di_registration.registration import (
    LIFETIMES,
    SCOPED,
    SINGLETON,
    TRANSIENT,
    Form,
    Named,
    Registration,
    named,
    named_by,
)
from codemap_plugins.di_registration.roles import Roles, key_of, roles_of

_NAMESPACE: Final = "M:Microsoft.Extensions.DependencyInjection."
_SERVICES: Final = "Microsoft.Extensions.DependencyInjection.IServiceCollection"
_COLLECTIONS: Final = frozenset({f"T:{_SERVICES}", "T:Microsoft.Extensions.DependencyInjection.ServiceCollection"})
_CALLED_SERVICES: Final = ("services", "servicecollection")
_FAMILY: Final = re.compile(r"(?:Try)?Add(Keyed)?(Singleton|Scoped|Transient)")
_LIFETIME_OF: Final = {
    "AddHostedService": SINGLETON,
    "AddDbContext": SCOPED,
    "AddDbContextPool": SCOPED,
    "AddDbContextFactory": SINGLETON,
    "AddPooledDbContextFactory": SINGLETON,
    "AddHttpClient": TRANSIENT,
}
CALLS: Final = (
    *(
        f"{beginning}{keyed}{lifetime}"
        for beginning in ("Add", "TryAdd")
        for keyed in ("", "Keyed")
        for lifetime in LIFETIMES
    ),
    *_LIFETIME_OF,
)
"""Names of the calls."""


def registration_of(event: Event, seen: Seen) -> Registration | None:
    """Null for a call that registers nothing, or is not one of these."""
    if not _is_on_services(event, seen.document):
        return None
    family = _FAMILY.fullmatch(event.name)
    roles = roles_of(event, is_keyed=family is not None and family[1] is not None)
    if family is None and not event.type_arguments:
        return None  # AddHttpClient("name")
    return given(
        event,
        roles,
        lifetime_of(roles.lifetime, family[2] if family is not None else _LIFETIME_OF[event.name], seen.document),
        seen.document,
        method=event.name,
        is_hosted=event.name == "AddHostedService",
    )


def given(
    event: Event, roles: Roles, lifetime: str, document: BoundDocument, *, method: str = "", is_hosted: bool = False
) -> Registration | None:
    """What type arguments, ``typeof``, a factory or an instance register; null where there is no service."""
    types = event.type_arguments
    service: Named | None
    if types:
        service = named(types[0])
    elif roles.service is not None:
        service = named_by(roles.service, document)
    else:
        service = _inferred(roles, document) if event.target is None else None
    if service is None:
        return None
    implementation: Named | None = None
    if len(types) > 1:
        implementation = named(types[1])
    elif roles.implementation is not None:
        implementation = named_by(roles.implementation, document)
    is_hidden, form = False, Form.TYPE
    if roles.factory is not None:
        form = Form.FACTORY
        is_hidden = implementation is None
        implementation = implementation or _of(made_by(roles.factory, document))
    elif roles.instance is not None:
        form = Form.INSTANCE
        implementation = implementation or _of(roles.instance.type)
    return Registration(
        event=event,
        service=service,
        implementation=implementation or service,
        is_hidden=is_hidden,
        lifetime=lifetime,
        form=form,
        method=method,
        key=key_of(roles.key, event, document),
        key_type=roles.key.type_operand if roles.key is not None and not roles.key.symbol_id else None,
        lifetime_from=_parameter(roles.lifetime),
        is_hosted=is_hosted,
    )


def _inferred(roles: Roles, document: BoundDocument) -> Named | None:
    """The service that a compiler infers from a factory or an instance, of a call that was not bound."""
    if roles.factory is not None:
        return _of(made_by(roles.factory, document))
    type_ = roles.instance.type if roles.instance is not None else None
    return named(type_) if type_ is not None and type_.form is not TypeForm.UNRESOLVED else None


def _of(type_: BoundType | None) -> Named | None:
    return named(type_) if type_ is not None else None


def lifetime_of(value: Value | None, default: str, document: BoundDocument) -> str:
    """What an argument of type ``ServiceLifetime`` says; with a hole where only running the program tells."""
    if value is None:
        return default
    return known_lifetime(value) or text_with_holes(value, document) or default


def known_lifetime(value: Value) -> str:
    """The constant of ``ServiceLifetime`` that a value is; empty where it is none."""
    number = value.constant.value if value.constant is not None else None
    return LIFETIMES[number] if isinstance(number, int) and 0 <= number < len(LIFETIMES) else ""


def _parameter(value: Value | None) -> int:
    """Ordinal of the parameter of the enclosing member that a value is; ``NOWHERE`` where it is none."""
    is_own = value is not None and value.region == NOWHERE and not value.constructor
    return value.parameter if value is not None and is_own else NOWHERE


def _is_on_services(event: Event, document: BoundDocument) -> bool:
    """A call that was not bound counts where what it is done to is a collection of services, or is called one; one that is given types in
    brackets also where that is the parameter of a lambda, of which nothing is known."""
    if event.target is not None:
        return event.external and event.target.startswith(_NAMESPACE) and f"({_SERVICES}" in event.target
    if is_services(event.receiver, document):
        return True
    return bool(event.type_arguments) and _is_of_lambda(event.receiver, document)


def _is_of_lambda(value: Value | None, document: BoundDocument) -> bool:
    """``s`` in ``host.Services(s => s.AddScoped<IClock, UtcClock>())``, where ``host`` is not known, and what registering calls on it
    gave."""
    while value is not None and value.origin != NOWHERE and document.events[value.origin].name in CALLS:
        value = document.events[value.origin].receiver
    if value is None or value.parameter == NOWHERE or value.region == NOWHERE:
        return False
    return value.type is None or value.type.form is TypeForm.UNRESOLVED


def is_services(value: Value | None, document: BoundDocument) -> bool:
    """A collection of services, what calls on one gave, or, where its type is not known, what is called so."""
    while value is not None:
        if value.type is not None and value.type.form is not TypeForm.UNRESOLVED:
            return value.type.id in _COLLECTIONS
        name = value.local or value.unbound_name or (parse_id(value.symbol_id).name if value.symbol_id else "")
        if any(part in name.lower() for part in _CALLED_SERVICES):
            return True
        value = document.events[value.origin].receiver if value.origin != NOWHERE else None
    return False
