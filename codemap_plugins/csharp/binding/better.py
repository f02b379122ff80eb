"""Which of two conversions is better (ECMA-334 §12.6.4.4 to .6), and which of two parameter types is more specific (§12.6.4.3)."""

from __future__ import annotations

from typing import Final

from codemap_plugins.csharp.binding.bound_expressions import (
    BoundChoice,
    BoundCollection,
    BoundMethodGroup,
    BoundTuple,
    BoundValue,
    Interpolation,
    UnboundLambda,
)
from codemap_plugins.csharp.binding.collection_types import collection_element, is_array_like
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.natural_types import NaturalTypes
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import SPANS, is_span, is_void_type, nullable_element, tuple_elements
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    ErrorType,
    NamedType,
    Type,
    TypeParameterType,
    contains_error,
    substitute,
)

_SIGNED_OVER: Final = {
    "SByte": frozenset({"Byte", "UInt16", "UInt32", "UInt64", "UIntPtr"}),
    "Int16": frozenset({"UInt16", "UInt32", "UInt64", "UIntPtr"}),
    "Int32": frozenset({"UInt32", "UInt64", "UIntPtr"}),
    "IntPtr": frozenset({"UInt32", "UInt64", "UIntPtr"}),
    "Int64": frozenset({"UInt64", "UIntPtr"}),
}


class BetterConversions:
    """Answers are 1 when the first is better, -1 when the second is, 0 for neither."""

    def __init__(self, hierarchy: Hierarchy, conversions: Conversions, natural_types: NaturalTypes) -> None:
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions
        self._natural_types: Final = natural_types

    def of_operand(self, operand: BoundExpression, first: Type, second: Type) -> int:
        """1 when converting to ``first`` is better, -1 for ``second``, 0 for neither (ECMA-334 §12.6.4.5)."""
        if self._conversions.identity(first, second):
            return 0
        if (
            isinstance(operand, BoundValue)
            and operand.interpolation > Interpolation.CONSTANT
            and self._conversions.is_handler(first) != self._conversions.is_handler(second)
        ):
            return 1 if self._conversions.is_handler(first) else -1
        if isinstance(operand, BoundValue) and operand.type is not UNKNOWN:
            exact_first, exact_second = (
                self._conversions.identity(operand.type, first),
                self._conversions.identity(operand.type, second),
            )
            if exact_first != exact_second:
                return 1 if exact_first else -1
            span_first, span_second = (
                self._conversions.span(operand.type, first),
                self._conversions.span(operand.type, second),
            )
            if span_first != span_second:
                return 1 if span_first else -1
        elif isinstance(operand, UnboundLambda):
            matches_first, matches_second = self._matches(operand, first), self._matches(operand, second)
            if matches_first != matches_second:
                return 1 if matches_first else -1
        elif isinstance(operand, BoundTuple):
            ours, theirs = tuple_elements(first), tuple_elements(second)
            if ours is not None and theirs is not None and len(ours) == len(theirs) == len(operand.parts):
                votes = {
                    self.of_operand(part, a, b) for part, a, b in zip(operand.parts, ours, theirs, strict=True)
                } - {0}
                return votes.pop() if len(votes) == 1 else 0
        elif isinstance(operand, BoundCollection):
            decided = self._of_collection(operand, first, second)
            if decided:
                return decided
        elif isinstance(operand, BoundMethodGroup):
            return self._of_target(first, second)
        return self._of_target(first, second)

    def are_same_but_for_tasks(self, first: Type, second: Type) -> bool:
        """Whether two types are the same where ``ValueTask`` counts as ``Task``, as it does for the rules that break ties."""
        if self._conversions.identity(first, second):
            return True
        if not (isinstance(first, NamedType) and isinstance(second, NamedType)):
            return False
        inner, other = self._conversions.task_result(first), self._conversions.task_result(second)
        if inner is not None and other is not None:
            return self.are_same_but_for_tasks(inner, other)
        return (
            first.definition is second.definition
            and len(first.arguments) == len(second.arguments)
            and all(self.are_same_but_for_tasks(a, b) for a, b in zip(first.arguments, second.arguments, strict=True))
        )

    def is_open(self, operand: BoundExpression, first: Type, second: Type) -> bool:
        """Which of two different types is better depends on what is not known: on the operand's type, or on what a lambda returns."""
        if self._conversions.identity(first, second):
            return False
        if isinstance(operand, BoundValue):
            return isinstance(operand.type, ErrorType)
        if isinstance(operand, (BoundChoice, BoundCollection)):
            return any(isinstance(part, BoundValue) and isinstance(part.type, ErrorType) for part in operand.parts)
        if not isinstance(operand, UnboundLambda):
            return False
        ours, theirs = self._hierarchy.delegates.invoke(first), self._hierarchy.delegates.invoke(second)
        types = self._same_parameters(ours, theirs) if ours is not None and theirs is not None else None
        if types is None or ours is None or theirs is None:
            return False
        if self._conversions.identity(_returns(ours), _returns(theirs)):
            return False
        inferred = self._natural_types.inferred_return(operand, types)
        return inferred is not None and contains_error(inferred)

    def gives_way(self, operand: BoundExpression, first: Type, second: Type) -> bool:
        """Whether a lambda's vote counts only where no other argument's does: the compiler judges lambdas by what they return, and
        by the types of delegates that take other parameters only where nothing else decides."""
        if not isinstance(operand, UnboundLambda):
            return False
        ours, theirs = self._hierarchy.delegates.invoke(first), self._hierarchy.delegates.invoke(second)
        if ours is None or theirs is None:
            return False
        types = self._same_parameters(ours, theirs)
        if types is None:
            return True
        returns, other_returns = _returns(ours), _returns(theirs)
        void_first, void_second = is_void_type(returns), is_void_type(other_returns)
        if void_first or void_second:
            return void_first and void_second
        if self._conversions.identity(returns, other_returns):
            return True
        return self._natural_types.inferred_return(operand, types) is None

    def _same_parameters(self, ours: Found, theirs: Found) -> tuple[Type, ...] | None:
        """Parameter types of two delegates when they are the same."""
        mine, others = ours.member.parameters, theirs.member.parameters
        if len(mine) != len(others) or any(a.passing != b.passing for a, b in zip(mine, others, strict=True)):
            return None
        types = tuple(substitute(p.type, ours.container.arguments) for p in mine)
        for type_, other in zip(types, others, strict=True):
            if not self._conversions.identity(type_, substitute(other.type, theirs.container.arguments)):
                return None
        return types

    def _matches(self, operand: BoundExpression, target: Type) -> bool:
        """Exactly matching expression (ECMA-334 §12.6.4.6)."""
        if isinstance(operand, BoundValue):
            return self._conversions.identity(operand.type, target)
        if isinstance(operand, BoundTuple):
            elements = tuple_elements(target)
            return (
                elements is not None
                and len(elements) == len(operand.parts)
                and all(self._matches(part, each) for part, each in zip(operand.parts, elements, strict=True))
            )
        if not isinstance(operand, UnboundLambda):
            return False
        invoke = self._hierarchy.delegates.invoke(target)
        if invoke is None:
            return False
        returns: Type | None = _returns(invoke)
        if returns is None or is_void_type(returns):
            return False
        types = tuple(substitute(p.type, invoke.container.arguments) for p in invoke.member.parameters)
        inferred = self._natural_types.inferred_return(operand, types)
        if inferred is not None and self._conversions.identity(inferred, returns):
            return True
        body = operand.body(types)
        if body.is_async:
            returns = self._conversions.task_result(returns)
        if returns is None or not body.returns:
            return body.is_async and returns is not None and is_void_type(returns)
        return all(self._matches(each, returns) for each in body.returns)

    def _of_collection(self, operand: BoundCollection, first: Type, second: Type) -> int:
        """A span over an array or an interface of arrays; since C# 13 of the same element type only, then by elements."""
        ours, theirs = collection_element(self._hierarchy, first), collection_element(self._hierarchy, second)
        if ours is None or theirs is None:
            return 0
        better, elements = _span_preference(first, second), self._conversions
        if not elements.language.collections_by_element:
            if better > 0:
                return 1 if elements.between(ours, theirs) else 0
            return -1 if better < 0 and elements.between(theirs, ours) else 0
        if better and elements.identity(ours, theirs):
            return better
        votes = {self.of_operand(part, ours, theirs) for part in operand.parts} - {0}
        return votes.pop() if len(votes) == 1 else 0

    def params(self, first: Type, second: Type) -> int:
        """Which ``params`` collection is better, their elements being the same (C# 13)."""
        preferred = _span_preference(first, second)
        if preferred:
            return preferred
        to_second, to_first = self._conversions.reference(first, second), self._conversions.reference(second, first)
        return to_second - to_first

    def _of_target(self, first: Type, second: Type) -> int:
        """ECMA-334 §12.6.4.6: the one that converts to the other; signed before unsigned; of delegates the one with the better result."""
        prefers_read_only = self._conversions.language.span_conversions and is_span(first) and is_span(second)
        if (
            prefers_read_only
            and isinstance(first, NamedType)
            and isinstance(second, NamedType)
            and first.definition is not second.definition
            and first.arguments == second.arguments
        ):
            return 1 if first.definition.name == "ReadOnlySpan" else -1
        to_second, to_first = self._conversions.between(first, second), self._conversions.between(second, first)
        if to_second != to_first:
            return 1 if to_second else -1
        if isinstance(first, NamedType) and isinstance(second, NamedType):
            if prefers_read_only and first.definition.name != second.definition.name:
                return 1 if first.definition.name == "ReadOnlySpan" else -1
            ours, theirs = nullable_element(first) or first, nullable_element(second) or second
            if isinstance(ours, NamedType) and isinstance(theirs, NamedType):
                if theirs.definition.system_name in _SIGNED_OVER.get(ours.definition.system_name, ()):
                    return 1
                if ours.definition.system_name in _SIGNED_OVER.get(theirs.definition.system_name, ()):
                    return -1
            inner, other = self._conversions.task_result(first), self._conversions.task_result(second)
            if inner is not None and other is not None and first.definition is second.definition:
                return self._of_target(inner, other)
            return self._of_delegates(first, second)
        return 0

    def _of_delegates(self, first: NamedType, second: NamedType) -> int:
        """Of delegates, the one whose result is better, or that has one, whatever their parameters are."""
        ours, theirs = self._hierarchy.delegates.invoke(first), self._hierarchy.delegates.invoke(second)
        if ours is None or theirs is None:
            return 0
        returns, other_returns = _returns(ours), _returns(theirs)
        if is_void_type(returns) != is_void_type(other_returns):
            return -1 if is_void_type(returns) else 1
        return 0 if self._conversions.identity(returns, other_returns) else self._of_target(returns, other_returns)


def _returns(invoke: Found) -> Type:
    return substitute(invoke.member.type, invoke.container.arguments)


def _span_preference(first: Type, second: Type) -> int:
    """1 or -1: the one is a span, and the other a span that may be written to, an array or an interface that arrays have. Between a span
    and another collection, such as a list, nothing decides."""
    ours, theirs = _span_rank(first), _span_rank(second)
    if ours > theirs and (theirs or is_array_like(second)):
        return 1
    return -1 if theirs > ours and (ours or is_array_like(first)) else 0


def _span_rank(type_: Type) -> int:
    if isinstance(type_, NamedType) and type_.definition.external and type_.definition.name in SPANS:
        return 2 if type_.definition.name == "ReadOnlySpan" else 1
    return 0


def specificity(first: Type, second: Type, depth: int) -> int:
    if depth > 10:
        return 0
    first_is_parameter, second_is_parameter = (
        isinstance(first, TypeParameterType),
        isinstance(second, TypeParameterType),
    )
    if first_is_parameter != second_is_parameter:
        return -1 if first_is_parameter else 1
    if isinstance(first, ArrayType) and isinstance(second, ArrayType):
        return specificity(first.element, second.element, depth + 1)
    if isinstance(first, NamedType) and isinstance(second, NamedType) and len(first.arguments) == len(second.arguments):
        votes = {specificity(a, b, depth + 1) for a, b in zip(first.arguments, second.arguments, strict=True)} - {0}
        return votes.pop() if len(votes) == 1 else 0
    return 0
