"""Arguments against parameters (ECMA-334 §12.6.2): which parameter each argument takes, and what a resolution depends on."""

from __future__ import annotations

from collections.abc import Sequence

from codemap_plugins.csharp.binding.bound_expressions import (
    BoundComposite,
    BoundDefault,
    BoundMethodGroup,
    BoundNamespace,
    BoundNull,
    BoundThrow,
    BoundTypeName,
    BoundValue,
    OutVariable,
    UnboundLambda,
)
from codemap_plugins.csharp.binding.interpolation import is_handler
from codemap_plugins.csharp.binding.members import ParameterSymbol, Passing
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.symbols.types import Type, contains_error, has_type_parameters


def argument_signature(arguments: Sequence[Argument]) -> tuple[object, ...] | None:
    """What resolution depends on of arguments that are plain values of closed types: equal ones resolve equally. Null for others."""
    parts: list[object] = []
    for argument in arguments:
        operand = argument.expression
        if isinstance(operand, BoundValue):
            if has_type_parameters(operand.type) or operand.interpolation or operand.parts:
                return None
            parts.append((operand.type, operand.constant, argument.passing, argument.name))
        elif isinstance(operand, (BoundNull, BoundDefault, BoundThrow, OutVariable)):
            parts.append((type(operand), None, argument.passing, argument.name))
        else:
            return None
    return tuple(parts)


def any_open(type_arguments: Sequence[Type]) -> bool:
    """Some hold a type parameter: what follows from them holds for its constraints alone."""
    return any(has_type_parameters(each) for each in type_arguments)


def map_arguments(
    parameters: Sequence[ParameterSymbol], arguments: Sequence[Argument], expanded: bool
) -> list[ParameterSymbol] | None:
    """The parameter of each argument (ECMA-334 §12.6.2.2), or null when the lists do not fit."""
    count = len(parameters)
    if not expanded and len(arguments) > count:
        return None
    if not expanded and len(arguments) == count and not any(a.name for a in arguments):
        return list(parameters)
    mapping: list[ParameterSymbol] = []
    taken: set[int] = set()
    for position, argument in enumerate(arguments):
        if argument.name:
            index = next((i for i, p in enumerate(parameters) if p.name == argument.name), -1)
            if index < 0 or index in taken:
                return None
        elif position < count - (1 if expanded else 0):
            index = position
        elif expanded:
            index = count - 1
        else:
            return None
        if index in taken and not (expanded and index == count - 1):
            return None
        taken.add(index)
        mapping.append(parameters[index])
    for index, parameter in enumerate(parameters):
        if index not in taken and not parameter.is_optional and not (expanded and index == count - 1):
            return None
    return mapping


def passing_fits(argument: Argument, parameter: ParameterSymbol, is_receiver: bool) -> bool:
    """ECMA-334 §12.6.4.2: ``ref`` and ``out`` as declared; ``in`` and ``ref readonly`` by value or reference;
    a string handler by ``ref`` takes an interpolated string (C# 10)."""
    given, wanted = argument.passing, parameter.passing
    if given == wanted or is_receiver:
        return True
    given_as = argument.expression
    if isinstance(given_as, BoundValue) and given_as.interpolation and is_handler(parameter.type):
        return True
    if wanted == Passing.IN:
        return given in (Passing.VALUE, Passing.REF)
    if wanted == Passing.REF_READONLY:
        return given in (Passing.VALUE, Passing.REF, Passing.IN)
    return False


def is_unknown(operand: BoundExpression) -> bool:
    if isinstance(operand, BoundValue):
        return contains_error(operand.type)
    if isinstance(operand, BoundComposite):
        return any(is_unknown(part) for part in operand.parts)
    return isinstance(operand, (BoundTypeName, BoundNamespace))


def depends_on_target(operand: BoundExpression) -> bool:
    return isinstance(operand, (UnboundLambda, BoundMethodGroup))
