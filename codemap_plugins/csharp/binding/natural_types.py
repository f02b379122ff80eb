"""The types that expressions have by themselves: natural types of lambdas and method groups (C# 10), what a lambda returns, and the best
common type of several expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.binding.bound_expressions import (
    BoundMethodGroup,
    BoundNull,
    BoundThrow,
    BoundTuple,
    BoundValue,
    UnboundLambda,
)
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import is_void_type
from codemap_plugins.csharp.symbols.scopes import generic_type, tuple_type
from codemap_plugins.csharp.symbols.types import DynamicType, ErrorType, Type, substitute

_FUNCTIONS: Final = (BoundMethodGroup, UnboundLambda)


class NaturalTypes:
    def __init__(self, hierarchy: Hierarchy, conversions: Conversions) -> None:
        self._project: Final = hierarchy.project
        self._language: Final = hierarchy.project.language
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions

    def of_operand(self, operand: BoundExpression) -> Type | None:
        """The type an operand has by itself, or null; settles nothing."""
        if isinstance(operand, BoundValue):
            return operand.type
        if isinstance(operand, UnboundLambda):
            shape = operand.shape()
            if shape.parameter_count is not None and all(t is not None for t in shape.types):
                natural = self.of_lambda(operand, tuple(t for t in shape.types if t is not None))
                return None if natural is UNKNOWN else natural
            return None
        if isinstance(operand, BoundMethodGroup) and len(operand.found) == 1:
            natural = self.of_method(operand.found[0], operand.type_arguments)
            return None if natural is UNKNOWN else natural
        if isinstance(operand, BoundTuple):
            parts = [self.of_operand(part) for part in operand.parts]
            if all(p is not None for p in parts):
                return tuple_type(self._project, tuple(p for p in parts if p is not None))
        return None

    def common(self, operands: Sequence[BoundExpression], with_functions: bool = True) -> Type | None:
        """Best common type (ECMA-334 §12.6.3.15); null when there is none. ``with_functions``: lambdas and groups of methods have one."""
        types: list[Type] = []
        for operand in operands:
            type_ = self.of_operand(operand) if with_functions or not isinstance(operand, _FUNCTIONS) else None
            if type_ is not None and type_ not in types:
                types.append(type_)
        if not types:
            return None
        if len(types) == 1:
            nulls = (operand for operand in operands if isinstance(operand, BoundNull))
            return types[0] if all(self._conversions.from_operand(null, types[0]) for null in nulls) else None
        known = [t for t in types if not isinstance(t, ErrorType)]
        found = [
            candidate
            for candidate in known
            if all(isinstance(o, BoundThrow) or self._conversions.from_operand(o, candidate) for o in operands)
        ]
        return self._best(found) if len(found) > 1 else next(iter(found), None)

    def _best(self, types: Sequence[Type]) -> Type | None:
        """That of several types which all others convert to, without their converting back; of those that differ in names alone, the
        first."""
        dynamic = next((type_ for type_ in types if isinstance(type_, DynamicType)), None)
        if dynamic is not None:
            return dynamic  # it converts to others as an expression alone (ECMA-334 §10.2.10)
        best = types[0]
        for type_ in types[1:]:
            if not self._conversions.between(type_, best):
                best = type_
        for type_ in types:
            if self._conversions.identity(type_, best):
                continue
            if not self._conversions.between(type_, best) or self._conversions.between(best, type_):
                return None
        return best

    def of_lambda(self, operand: UnboundLambda, types: tuple[Type, ...]) -> Type:
        """``Func`` or ``Action`` of a lambda whose parameters are typed (C# 10); unknown where it has none."""
        shape = operand.shape()
        if not self._language.natural_function_types or shape.parameter_count is None:
            return UNKNOWN
        if any(t is None for t in shape.types) or any(shape.passings):
            return UNKNOWN
        returns = self.inferred_return(operand, types)
        if returns is None or is_void_type(returns):
            return self._generic("System", "Action", *types) if types else self._hierarchy.system("Action")
        return self._generic("System", "Func", *types, returns)

    def of_method(self, found: Found, type_arguments: tuple[Type, ...]) -> Type:
        """``Func`` or ``Action`` of a group of one method (C# 10)."""
        member = found.member
        if not self._language.natural_function_types:
            return UNKNOWN
        if len(member.signature.type_parameters) != len(type_arguments) or any(p.passing for p in member.parameters):
            return UNKNOWN
        own = found.container.arguments
        types = tuple(substitute(p.type, own, type_arguments) for p in member.parameters)
        returns = substitute(member.type, own, type_arguments)
        if is_void_type(returns):
            return self._generic("System", "Action", *types) if types else self._hierarchy.system("Action")
        return self._generic("System", "Func", *types, returns)

    def inferred_return(self, operand: UnboundLambda, types: tuple[Type, ...], in_task: bool = True) -> Type | None:
        """Inferred return type (ECMA-334 §12.6.3.13): the best common type of what is returned; in a ``Task`` for an async one unless
        ``in_task`` is false. Null when there is none."""
        shape = operand.shape()
        if shape.return_type is not None:
            return shape.return_type
        body = operand.body(types)
        if not body.has_value:
            return self._to_task(None) if body.is_async and in_task else None
        common = self.common(body.returns)
        if body.is_async and in_task and common is not None:
            return self._to_task(common)
        return common

    def _to_task(self, result: Type | None) -> Type:
        if result is None or is_void_type(result):
            return self._hierarchy.well_known("Task", 0, "System.Threading.Tasks")
        return self._generic("System.Threading.Tasks", "Task", result)

    def _generic(self, namespace: str, name: str, *arguments: Type) -> Type:
        return generic_type(self._project, namespace, name, arguments)
