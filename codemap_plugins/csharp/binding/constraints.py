"""Satisfying constraints (ECMA-334 §8.4.5): whether a method's type arguments are such as its type parameters ask for."""

from __future__ import annotations

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import Member, TypeParameterSymbol
from codemap_plugins.csharp.binding.ref_structs import is_ref_struct
from codemap_plugins.csharp.binding.special_types import nullable_element
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import (
    ErrorType,
    FunctionPointerType,
    NamedType,
    PointerType,
    Type,
    TypeParameterType,
    contains_error,
    substitute,
)
from codemap_plugins.csharp.unit import Modifiers


def satisfies_constraints(
    hierarchy: Hierarchy,
    conversions: Conversions,
    member: Member,
    container: tuple[Type, ...],
    arguments: tuple[Type, ...],
) -> bool:
    """``container``: type arguments of the declaring type. What is unknown satisfies everything, or, where only what is certain counts,
    no constraint."""
    for parameter, argument in zip(member.signature.type_parameters, arguments, strict=False):
        if isinstance(argument, ErrorType):
            if not conversions.takes_types and _asks_for_something(parameter):
                return False
            continue
        if isinstance(argument, (PointerType, FunctionPointerType)):  # never a type argument (ECMA-334 §8.4.2)
            return False
        # Only where the parameter `allows ref struct` (C# 13).
        if not parameter.allows_ref_struct and is_ref_struct(hierarchy, argument):
            return False
        if parameter.has_struct and not _is_value_type(hierarchy, argument):
            return False
        if parameter.has_class and not _is_reference_type(conversions, argument):
            return False
        if parameter.has_new and not _can_be_created(hierarchy, argument):
            return False
        for constraint in parameter.constraints:
            wanted = substitute(constraint, container, arguments)
            if contains_error(wanted) or isinstance(wanted, TypeParameterType):
                if contains_error(wanted) and wanted is not argument and not conversions.takes_types:
                    return False
                continue
            if not conversions.reference(argument, wanted):
                return False
    return True


def _asks_for_something(parameter: TypeParameterSymbol) -> bool:
    return bool(parameter.constraints) or parameter.has_struct or parameter.has_class or parameter.has_new


def _is_value_type(hierarchy: Hierarchy, argument: Type) -> bool:
    """A value type other than a nullable one. An override's type parameter is what that of its slot is (ECMA-334 §15.6.5)."""
    if isinstance(argument, TypeParameterType):
        bound = hierarchy.bounds.get(argument)
        return argument.is_value_type or (bound is not None and bound.has_struct)
    return isinstance(argument, NamedType) and argument.definition.is_value_type and nullable_element(argument) is None


def _is_reference_type(conversions: Conversions, argument: Type) -> bool:
    if isinstance(argument, TypeParameterType):
        return conversions.is_reference(argument)
    return not (isinstance(argument, NamedType) and argument.definition.is_value_type)


def _can_be_created(hierarchy: Hierarchy, argument: Type) -> bool:
    """``new()``: a value type, or a class that is not abstract with a public constructor without parameters. Of a library class that
    shows no constructors it is taken to hold."""
    if isinstance(argument, TypeParameterType):
        bound = hierarchy.bounds.get(argument)
        return bound is None or bound.has_new or bound.has_struct
    if not isinstance(argument, NamedType):
        return False
    definition = argument.definition
    if definition.is_value_type:
        return True
    if definition.kind not in (SymbolKind.CLASS, SymbolKind.RECORD):
        return False
    if isinstance(definition, SourceTypeDefinition) and Modifiers.ABSTRACT in definition.modifiers:
        return False
    constructors = hierarchy.constructors(argument)
    if not constructors:
        return definition.external
    return any(not c.member.parameters and c.member.visibility is Visibility.PUBLIC for c in constructors)
