"""Which integers expressions are known to be, as far as conversions depend on them (ECMA-334 §10.2.11, §12.25).

What a constant is worth to extractors is told by ``bound_values``, from the same rules (``constants``).
"""

from __future__ import annotations

from codemap_core.model.bound import Constant
from codemap_plugins.csharp.binding import constants
from codemap_plugins.csharp.binding.bound_expressions import BoundValue
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.symbols.types import NamedType, Type


def constant_of(operand: BoundExpression) -> int | None:
    return operand.constant if isinstance(operand, BoundValue) else None


def binary_constant(operator: str, left: BoundExpression, right: BoundExpression) -> int | None:
    first, second = _constant(left), _constant(right)
    return _integer(constants.binary(operator, first, second)) if first is not None and second is not None else None


def unary_constant(operator: str, operand: BoundExpression) -> int | None:
    of = _constant(operand)
    return _integer(constants.unary(operator, of)) if of is not None else None


def cast_constant(type_: Type, operand: BoundExpression, wraps: bool) -> int | None:
    """``wraps``: in an unchecked context (ECMA-334 §12.8.20)."""
    of = _constant(operand)
    if of is None or not isinstance(type_, NamedType):
        return None
    return _integer(constants.cast(type_.definition.documentation_id, of, wraps=wraps))


def size_constant(written: str) -> int | None:
    """Of ``sizeof`` a type, as it is written."""
    return _integer(constants.size(written))


def _constant(operand: BoundExpression) -> Constant | None:
    number = constant_of(operand)
    if number is None or not isinstance(operand.type, NamedType):
        return None
    return Constant(operand.type.definition.documentation_id, number)


def _integer(of: Constant | None) -> int | None:
    return of.value if of is not None and type(of.value) is int else None
