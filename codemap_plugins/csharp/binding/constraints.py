"""Satisfying constraints (ECMA-334 §8.4.5): whether a method's type arguments are such as its type parameters ask for."""

from __future__ import annotations

from codemap_plugins.csharp.binding.conversions import Conversions, nullable_element
from codemap_plugins.csharp.binding.members import Member
from codemap_plugins.csharp.symbols.types import (
    ErrorType,
    NamedType,
    Type,
    TypeParameterType,
    contains_error,
    substitute,
)


def satisfies_constraints(
    conversions: Conversions, member: Member, container: tuple[Type, ...], arguments: tuple[Type, ...]
) -> bool:
    """``container``: type arguments of the declaring type. What is unknown satisfies everything; ``new()`` is not looked at."""
    for parameter, argument in zip(member.signature.type_parameters, arguments, strict=False):
        if isinstance(argument, ErrorType):
            continue
        if parameter.has_struct and not _is_value_type(argument):
            return False
        if parameter.has_class and not _is_reference_type(conversions, argument):
            return False
        for constraint in parameter.constraints:
            wanted = substitute(constraint, container, arguments)
            if contains_error(wanted) or isinstance(wanted, TypeParameterType):
                continue
            if not conversions.reference(argument, wanted):
                return False
    return True


def _is_value_type(argument: Type) -> bool:
    """A value type other than a nullable one."""
    if isinstance(argument, TypeParameterType):
        return argument.is_value_type
    return isinstance(argument, NamedType) and argument.definition.is_value_type and nullable_element(argument) is None


def _is_reference_type(conversions: Conversions, argument: Type) -> bool:
    if isinstance(argument, TypeParameterType):
        return conversions.is_reference(argument)
    return not (isinstance(argument, NamedType) and argument.definition.is_value_type)
