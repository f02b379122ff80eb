"""Which argument of a registering call is what: by the parameter it is matched to, and by its shape where no method was bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import display_type, text_of, text_with_holes
from codemap_core.model.bound import NOWHERE, BoundDocument, Event, Value
from codemap_core.model.documentation_id import container_of, parse_id

_TYPE: Final = "T:System.Type"
_OF_PARAMETERS: Final[Mapping[str, str]] = {
    "service": "service",
    "serviceType": "service",
    "implementationType": "implementation",
    "implementationFactory": "factory",
    "factory": "factory",
    "implementationInstance": "instance",
    "instance": "instance",
    "serviceKey": "key",
    "lifetime": "lifetime",
    "contextLifetime": "lifetime",
    "serviceLifetime": "lifetime",
}


class Roles(Struct, frozen=True):
    """Null for what is not given."""

    service: Value | None = None
    implementation: Value | None = None
    factory: Value | None = None
    instance: Value | None = None
    key: Value | None = None
    lifetime: Value | None = None


def roles_of(event: Event, is_keyed: bool) -> Roles:
    if event.target is None:
        return _by_shape(event, is_keyed)
    given = {
        role: argument.value
        for argument in event.arguments
        if (role := _OF_PARAMETERS.get(argument.parameter)) is not None
    }
    return Roles(**given)


def _by_shape(event: Event, is_keyed: bool) -> Roles:
    roles = Roles()
    takes_types = not event.type_arguments
    for argument in event.arguments:
        value = argument.value
        if is_function(value):
            roles = replace(roles, factory=value)
        elif is_keyed and roles.key is None and (roles.service is not None or not (takes_types and is_type(value))):
            roles = replace(roles, key=value)
        elif takes_types and is_type(value) and roles.implementation is None:
            roles = replace(roles, **{"service" if roles.service is None else "implementation": value})
        elif roles.instance is None:
            roles = replace(roles, instance=value)
    return roles


def is_function(value: Value) -> bool:
    """A lambda, an anonymous method, a local function, a method group, or a variable that holds one of the first three."""
    if value.region != NOWHERE and value.parameter == NOWHERE:
        return True
    return value.symbol_id.startswith("M:") and value.origin == NOWHERE


def is_type(value: Value) -> bool:
    return (value.type_operand is not None and not value.symbol_id) or (
        value.type is not None and value.type.id == _TYPE
    )


def key_of(value: Value | None, event: Event, document: BoundDocument) -> str | None:
    """A key as rows have it: the constant, else as near to the expression as a bound value tells. ``event``: whose argument it is."""
    if value is None:
        return None
    text = text_of(value)
    if text is not None:
        return text
    if value.type_operand is not None and not value.symbol_id:
        return f"typeof({display_type(value.type_operand)})"
    if value.local or value.unbound_name:
        return value.local or value.unbound_name
    if value.symbol_id:
        return _named(value.symbol_id, event.enclosing or "")
    if value.constant is not None:
        return _written(value.constant.value)
    return value.written or text_with_holes(value, document)


def _named(symbol_id: str, enclosing: str) -> str:
    """A member by its name, as code of its own type may write it, and with the name of its type elsewhere."""
    container = container_of(symbol_id)
    own = enclosing == container or container_of(enclosing) == container
    name = parse_id(symbol_id).name
    return name if own else f"{parse_id(container).name}.{name}"


def _written(constant: str | int | float | bool | None) -> str:
    if constant is None:
        return "null"
    if isinstance(constant, bool):
        return "true" if constant else "false"
    return str(constant)
