"""Arguments against parameters (ECMA-334 §12.6.2): which parameter each argument takes, and what a resolution depends on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.binding.interpolation import is_handler
from codemap_plugins.csharp.binding.members import ParameterSymbol, Passing
from codemap_plugins.csharp.binding.operands import Argument, Operand, OperandKind
from codemap_plugins.csharp.symbols.types import contains_error, has_type_parameters

_SETTLED_LATER: Final = frozenset({OperandKind.NULL, OperandKind.DEFAULT, OperandKind.THROW, OperandKind.OUT_VARIABLE})


def argument_signature(arguments: Sequence[Argument]) -> tuple[object, ...] | None:
    """What resolution depends on of arguments that are plain values of closed types: equal ones resolve equally. Null for others."""
    parts: list[object] = []
    for argument in arguments:
        operand = argument.operand
        if operand.kind is OperandKind.VALUE:
            if has_type_parameters(operand.type) or operand.interpolation or operand.parts:
                return None
            constant = operand.constant if operand.has_constant else None
            parts.append((operand.type, constant, argument.passing, argument.name))
        elif operand.kind in _SETTLED_LATER:
            parts.append((operand.kind, None, argument.passing, argument.name))
        else:
            return None
    return tuple(parts)


def map_arguments(
    parameters: Sequence[ParameterSymbol], arguments: list[Argument], expanded: bool
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
    if argument.operand.interpolation and is_handler(parameter.type):
        return True
    if wanted == Passing.IN:
        return given in (Passing.VALUE, Passing.REF)
    if wanted == Passing.REF_READONLY:
        return given in (Passing.VALUE, Passing.REF, Passing.IN)
    return False


def is_unknown(operand: Operand) -> bool:
    if operand.kind is OperandKind.VALUE:
        return contains_error(operand.type)
    if operand.kind in (OperandKind.CHOICE, OperandKind.TUPLE, OperandKind.COLLECTION):
        return any(is_unknown(part) for part in operand.parts)
    return operand.kind in (OperandKind.TYPE, OperandKind.NAMESPACE)


def depends_on_target(operand: Operand) -> bool:
    return operand.kind in (OperandKind.LAMBDA, OperandKind.METHOD_GROUP)
