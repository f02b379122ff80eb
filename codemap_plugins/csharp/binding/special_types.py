"""Types that the language gives a meaning of its own: nullable value types, tuples, spans, ``void``."""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeParameterType

SPANS: Final = frozenset({"Span", "ReadOnlySpan"})


def is_system(type_: Type, name: str) -> bool:
    """The type is ``System.name``."""
    return isinstance(type_, NamedType) and type_.definition.system_name == name


def is_task(type_: NamedType) -> bool:
    """``Task``, ``Task<T>``, ``ValueTask`` or ``ValueTask<T>`` of the framework."""
    definition = type_.definition
    is_named_so = definition.name in ("Task", "ValueTask") and definition.namespace == "System.Threading.Tasks"
    return definition.external and is_named_so


def is_plain_value_type(type_: Type) -> bool:
    """Known to be a value type that null is not a value of."""
    if isinstance(type_, NamedType):
        return type_.definition.is_value_type and nullable_element(type_) is None
    return isinstance(type_, TypeParameterType) and type_.is_value_type


def is_task_like(type_: NamedType) -> bool:
    """An async function may return it (ECMA-334 §15.14.2); of a library's own types that is not known, and taken for not so."""
    definition = type_.definition
    return isinstance(definition, SourceTypeDefinition) and definition.bears_attribute("AsyncMethodBuilder")


def nullable_element(type_: Type) -> Type | None:
    """``T`` of ``T?`` for a value type, else null."""
    if isinstance(type_, NamedType) and type_.definition.system_name == "Nullable" and type_.arguments:
        return type_.arguments[0]
    return None


def is_tuple(type_: Type) -> bool:
    return isinstance(type_, NamedType) and type_.definition.system_name == "ValueTuple" and bool(type_.arguments)


def tuple_elements(type_: Type) -> tuple[Type, ...] | None:
    """All element types, nested ones unfolded; null when it is not a tuple, as with eight arguments the last of which is none
    (ECMA-334 §8.3.11)."""
    if not isinstance(type_, NamedType) or type_.definition.system_name != "ValueTuple":
        return None
    if len(type_.arguments) == 8:
        rest = tuple_elements(type_.arguments[7])
        return (*type_.arguments[:7], *rest) if rest is not None else None
    return type_.arguments


def is_void_type(type_: Type) -> bool:
    return is_system(type_, "Void")


def is_span(type_: Type) -> bool:
    return (
        isinstance(type_, NamedType)
        and type_.definition.external
        and type_.definition.namespace == "System"
        and type_.definition.name in SPANS
    )
