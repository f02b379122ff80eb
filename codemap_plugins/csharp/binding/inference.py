"""Inference of a generic method's type arguments (ECMA-334 §12.6.3): two phases over bounds.

Phase one takes bounds from arguments that have a type; phase two takes further bounds from the return types of lambdas and method groups
whose parameter types are known, and fixes what depends on nothing unfixed, in turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.bound_expressions import (
    BoundChoice,
    BoundCollection,
    BoundMethodGroup,
    BoundTuple,
    BoundValue,
    UnboundLambda,
)
from codemap_plugins.csharp.binding.collection_types import collection_element
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.doubt import may_become
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.later_rules import LaterRules
from codemap_plugins.csharp.binding.members import UNKNOWN, Passing
from codemap_plugins.csharp.binding.natural_types import NaturalTypes
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import is_span, is_void_type, nullable_element, tuple_elements
from codemap_plugins.csharp.binding.type_variables import Bounds, Variables
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    FunctionPointerType,
    NamedType,
    PointerType,
    Type,
    TypeParameterType,
    contains_error,
    has_type_parameters,
)

_MAX_ROUNDS: Final = 12
"""What may give bounds only once others are fixed."""
_NONE: Final[frozenset[int]] = frozenset()


class Inference:
    def __init__(
        self, hierarchy: Hierarchy, natural_types: NaturalTypes, conversions: Conversions, later: LaterRules
    ) -> None:
        """``conversions``: the usual ones, or others over the same types."""
        self._later: Final = later
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions
        self._natural_types: Final = natural_types

    def infer(
        self, arity: int, pairs: Sequence[tuple[BoundExpression, Type, int]], first: int = 0
    ) -> tuple[Type, ...] | None:
        """Type arguments of a method from (argument, parameter type, passing) pairs, the container's arguments already put in. Null when
        some parameter has no bound. ``first``: ordinal of its first type parameter in those types."""
        bounds = Variables(arity, first)
        for operand, parameter, passing in pairs:
            self._first_phase(operand, parameter, passing, bounds)
        deferred = [pair for pair in pairs if isinstance(pair[0], (UnboundLambda, BoundMethodGroup, BoundTuple))]
        if not deferred:
            # Nothing waits for a type: every parameter is fixed at once.
            for each in bounds.all:
                each.fix(self._fix(each) if each.any else each.unknown)
                if each.fixed is None:
                    return None
            return tuple(b.fixed for b in bounds.all if b.fixed is not None)
        for _ in range(_MAX_ROUNDS):
            if all(b.fixed is not None for b in bounds.all):
                break
            if not self._second_phase(deferred, bounds) and not self._leave_unknown(bounds):
                break
        if any(b.fixed is None for b in bounds.all):
            return None
        return tuple(b.fixed for b in bounds.all if b.fixed is not None)

    # Phase one

    def _first_phase(self, operand: BoundExpression, parameter: Type, passing: int, bounds: Variables) -> None:
        if isinstance(operand, UnboundLambda):
            self._explicit_parameters(operand, parameter, bounds)
            self._natural(operand, parameter, bounds)
        elif isinstance(operand, BoundMethodGroup):
            self._natural(operand, parameter, bounds)
        elif isinstance(operand, BoundValue) and not (
            operand.parts and tuple_elements(nullable_element(parameter) or parameter)
        ):
            if passing in (Passing.REF, Passing.OUT):
                self._exact(operand.type, parameter, bounds, 0)
            else:
                self._lower(operand.type, parameter, bounds, 0)
        elif isinstance(operand, (BoundTuple, BoundValue)):
            elements = tuple_elements(nullable_element(parameter) or parameter)
            if elements is not None and len(elements) == len(operand.parts):
                for part, element in zip(operand.parts, elements, strict=True):
                    self._first_phase(part, element, 0, bounds)
        elif isinstance(operand, BoundCollection):
            element_type = collection_element(self._hierarchy, parameter)
            if element_type is not None and element_type is not UNKNOWN:
                for part in operand.parts:
                    self._first_phase(part, element_type, 0, bounds)
        elif isinstance(operand, BoundChoice):
            for part in operand.parts:
                self._first_phase(part, parameter, 0, bounds)

    def _natural(self, operand: BoundExpression, parameter: Type, bounds: Variables) -> None:
        own = self._target(parameter, bounds)
        natural = self._natural_types.of_operand(operand) if own is not None else None
        if own is not None and natural is not None and natural not in own.natural:
            own.natural.append(natural)

    def _explicit_parameters(self, operand: UnboundLambda, parameter: Type, bounds: Variables) -> None:
        """ECMA-334 §12.6.3.8: a lambda with written parameter types gives exact bounds."""
        signature = self._hierarchy.delegates.signature(parameter)
        if signature is None:
            return
        shape = operand.shape()
        if shape.parameter_count != len(signature.types):
            return
        for given, wanted in zip(shape.types, signature.types, strict=True):
            if given is not None:
                self._exact(given, wanted, bounds, 0)
        if shape.return_type is not None:
            self._exact(shape.return_type, signature.returns, bounds, 0)

    # Phase two

    def _second_phase(self, pairs: Sequence[tuple[BoundExpression, Type, int]], bounds: Variables) -> bool:
        """One round, which takes bounds from what is ready before it fixes anything (§12.6.3.3); true when it got on."""
        before = self._count(bounds)
        for operand, parameter, _ in pairs:
            self._output(operand, parameter, bounds)
        depends = self._dependencies(pairs, bounds)
        ready = [i for i, b in enumerate(bounds.all) if b.fixed is None and not depends[i] and b.any]
        if not ready and not any(b.fixed is None and not depends[i] for i, b in enumerate(bounds.all)):
            ready = [i for i, b in enumerate(bounds.all) if b.fixed is None and b.any and any(i in d for d in depends)]
        for index in ready:
            fixed = self._fix(bounds[index])
            if fixed is None:
                return False
            bounds[index].fix(fixed)
        return bool(ready) or self._count(bounds) != before

    @staticmethod
    def _leave_unknown(bounds: Variables) -> bool:
        """Nothing more can be known of what has unknown bounds alone."""
        left = [b for b in bounds.all if b.fixed is None and b.unknown is not None and not b.any]
        for each in left:
            each.fix(each.unknown)
        return bool(left)

    @staticmethod
    def _count(bounds: Variables) -> int:
        return sum(len(b.exact) + len(b.lower) + len(b.upper) for b in bounds.all)

    def _dependencies(self, pairs: Sequence[tuple[BoundExpression, Type, int]], bounds: Variables) -> list[set[int]]:
        """For each unfixed parameter the unfixed ones it depends on (ECMA-334 §12.6.3.6)."""
        depends: list[set[int]] = [set() for _ in bounds.all]
        for operand, parameter, _ in pairs:
            for inputs, outputs in self._flows(operand, parameter, bounds):
                for out in outputs:
                    depends[out] |= inputs
        changed = True
        while changed:
            changed = False
            for each in depends:
                more = set().union(*(depends[i] for i in each)) if each else set()
                if not more <= each:
                    each |= more
                    changed = True
        return depends

    def _flows(
        self, operand: BoundExpression, parameter: Type, bounds: Variables
    ) -> list[tuple[AbstractSet[int], AbstractSet[int]]]:
        if isinstance(operand, BoundTuple):
            elements = tuple_elements(parameter)
            if elements is None or len(elements) != len(operand.parts):
                return []
            return [
                flow
                for part, element in zip(operand.parts, elements, strict=True)
                for flow in self._flows(part, element, bounds)
            ]
        if not isinstance(operand, (UnboundLambda, BoundMethodGroup)):
            return []
        signature = self._hierarchy.delegates.signature(parameter)
        if signature is None:
            return []
        inputs: set[int] = set()
        shape = operand.shape() if isinstance(operand, UnboundLambda) else None
        for index, each in enumerate(signature.types):
            if shape is not None and (
                shape.parameter_count is None or (index < len(shape.types) and shape.types[index] is not None)
            ):
                continue
            inputs |= self._unfixed(each, bounds)
        return [(inputs, self._unfixed(signature.returns, bounds))]

    def _unfixed(self, type_: Type, bounds: Variables) -> AbstractSet[int]:
        if not has_type_parameters(type_):
            return _NONE
        found: set[int] = set()
        stack = [type_]
        while stack:
            current = stack.pop()
            if isinstance(current, TypeParameterType):
                index = bounds.index(current)
                if index >= 0 and bounds[index].fixed is None:
                    found.add(index)
            elif isinstance(current, (NamedType, ErrorType)):
                stack.extend(current.arguments)
            elif isinstance(current, (ArrayType, PointerType)):
                stack.append(current.element)
            elif isinstance(current, FunctionPointerType):
                stack.extend(current.types)
        return found

    def _output(self, operand: BoundExpression, parameter: Type, bounds: Variables) -> None:
        """ECMA-334 §12.6.3.7: from what a lambda or group returns, once its inputs are known."""
        if isinstance(operand, BoundTuple):
            elements = tuple_elements(parameter)
            if elements is not None and len(elements) == len(operand.parts):
                for part, element in zip(operand.parts, elements, strict=True):
                    self._output(part, element, bounds)
            return
        if not isinstance(operand, (UnboundLambda, BoundMethodGroup)):
            return
        signature = self._hierarchy.delegates.signature(parameter)
        if signature is None:
            return
        returns = signature.returns
        if not self._unfixed(returns, bounds):
            return
        for inputs, _ in self._flows(operand, parameter, bounds):
            if inputs:
                return
        types = tuple([bounds.put_in(each) for each in signature.types])
        if isinstance(operand, UnboundLambda):
            shape = operand.shape()
            if shape.parameter_count is not None and shape.parameter_count != len(types):
                return
            if shape.return_type is not None:
                return  # it gave an exact bound (ECMA-334 §12.6.3.7, C# 10)
            result = self._conversions.task_result(returns) if shape.is_async else None
            if result is not None:
                # An async lambda returns the task type that is asked for, of what its body returns.
                inner = self._natural_types.inferred_return(operand, types, in_task=False)
                if inner is not None:
                    self._exact(inner, result, bounds, 0)
                return
            inferred = self._natural_types.inferred_return(operand, types)
        else:
            passings = [each.passing for each in signature.parameters]
            inferred = self._later.overloads.group_result(operand, types, passings)
        if inferred is not None and not is_void_type(inferred):
            self._lower(inferred, returns, bounds, 0)

    # Bounds

    def _target(self, type_: Type, bounds: Variables) -> Bounds | None:
        index = bounds.index(type_)
        if index < 0:
            return None
        return bounds[index] if bounds[index].fixed is None else None

    def _without_bound(self, source: Type, target: Type, bounds: Variables) -> None:
        for index in self._unfixed(target, bounds):
            bounds[index].leave_unknown(source if index == bounds.index(target) else UNKNOWN)

    def _exact(self, source: Type, target: Type, bounds: Variables, depth: int) -> None:
        if depth > 20:
            return
        if isinstance(source, ErrorType):
            self._without_bound(source, target, bounds)
            return
        own = self._target(target, bounds)
        if own is not None:
            if source not in own.exact:
                own.exact.append(source)
        elif isinstance(target, ArrayType):
            if isinstance(source, ArrayType) and source.rank == target.rank:
                self._exact(source.element, target.element, bounds, depth + 1)
        elif isinstance(target, NamedType) and isinstance(source, NamedType):
            if target.definition is source.definition:
                for ours, theirs in zip(source.arguments, target.arguments, strict=False):
                    self._exact(ours, theirs, bounds, depth + 1)
        elif isinstance(target, PointerType) and isinstance(source, PointerType):
            self._exact(source.element, target.element, bounds, depth + 1)
        elif isinstance(target, FunctionPointerType) and isinstance(source, FunctionPointerType):
            for ours, theirs in zip(source.types, target.types, strict=False):
                self._exact(ours, theirs, bounds, depth + 1)

    def _lower(self, source: Type, target: Type, bounds: Variables, depth: int) -> None:
        if depth > 20:
            return
        if isinstance(source, ErrorType):
            self._without_bound(source, target, bounds)
            return
        own = self._target(target, bounds)
        if own is not None:
            if source not in own.lower:
                own.lower.append(source)
            return
        if isinstance(target, ArrayType):
            if isinstance(source, ArrayType) and source.rank == target.rank:
                self._element(source.element, target.element, bounds, depth, 1)
            return
        if isinstance(target, PointerType):
            self._exact(source, target, bounds, depth + 1)
            return
        if self._conversions.takes_bases and isinstance(target, ErrorType):
            self._without_bound(UNKNOWN, target, bounds)
        if not isinstance(target, NamedType) or not target.arguments:
            return
        inner = nullable_element(target)
        if inner is not None:
            # Nothing follows for ``T?`` from a value that is not nullable (ECMA-334 §12.6.3.10).
            plain = nullable_element(source)
            if plain is not None:
                self._lower(plain, inner, bounds, depth + 1)
            return
        if (
            isinstance(source, ArrayType)
            and source.rank == 1
            and self._conversions.language.span_conversions
            and is_span(target)
        ):
            self._element(
                source.element, target.arguments[0], bounds, depth, 1 if target.definition.name == "ReadOnlySpan" else 0
            )
            return
        if (
            isinstance(source, NamedType)
            and self._conversions.language.span_conversions
            and (source.definition.external and target.definition.external)
            and (source.definition.name, target.definition.name) == ("Span", "ReadOnlySpan")
            and source.arguments
        ):
            self._exact(source.arguments[0], target.arguments[0], bounds, depth + 1)
            return
        base = self._hierarchy.find_base(source, target.definition)
        if base is None:
            if self._conversions.takes_bases and may_become(self._hierarchy, source, target.definition):
                self._without_bound(UNKNOWN, target, bounds)
            return
        parameters = self._hierarchy.members.type_parameters(target.definition)
        for index, (ours, theirs) in enumerate(zip(base.arguments, target.arguments, strict=False)):
            variance = parameters[index].variance if index < len(parameters) else 0
            if isinstance(source, ArrayType) and variance == 0 and target.definition.kind is SymbolKind.INTERFACE:
                variance = 1
            self._element(ours, theirs, bounds, depth, variance)

    def _element(self, source: Type, target: Type, bounds: Variables, depth: int, variance: int) -> None:
        if variance > 0 and self._conversions.is_reference(source):
            self._lower(source, target, bounds, depth + 1)
        elif variance < 0 and self._conversions.is_reference(source):
            self._upper(source, target, bounds, depth + 1)
        else:
            self._exact(source, target, bounds, depth + 1)

    def _upper(self, source: Type, target: Type, bounds: Variables, depth: int) -> None:
        if depth > 20:
            return
        if isinstance(source, ErrorType):
            self._without_bound(source, target, bounds)
            return
        own = self._target(target, bounds)
        if own is not None:
            if source not in own.upper:
                own.upper.append(source)
            return
        if isinstance(source, NamedType) and isinstance(target, NamedType):
            if source.definition is target.definition:
                parameters = self._hierarchy.members.type_parameters(target.definition)
                for index, (ours, theirs) in enumerate(zip(source.arguments, target.arguments, strict=False)):
                    variance = parameters[index].variance if index < len(parameters) else 0
                    if variance < 0:
                        self._lower(ours, theirs, bounds, depth + 1)
                    elif variance > 0:
                        self._upper(ours, theirs, bounds, depth + 1)
                    else:
                        self._exact(ours, theirs, bounds, depth + 1)
            else:
                base = self._hierarchy.find_base(target, source.definition)
                if base is not None:
                    for ours, theirs in zip(source.arguments, base.arguments, strict=False):
                        self._exact(ours, theirs, bounds, depth + 1)
        elif isinstance(source, ArrayType) and isinstance(target, ArrayType):
            self._element(source.element, target.element, bounds, depth, -1)

    def _fix(self, bounds: Bounds) -> Type | None:
        """ECMA-334 §12.6.3.12: the candidate that all bounds allow and all candidates convert to."""
        conversions = self._conversions
        if bounds.exact:
            first = bounds.exact[0]
            if (
                all(conversions.identity(first, other) for other in bounds.exact)
                and all(conversions.between(low, first) for low in bounds.lower)
                and all(conversions.between(first, up) for up in bounds.upper)
            ):
                return next((t for t in bounds.exact if isinstance(t, NamedType) and t.element_names), first)
            return None
        lower = bounds.lower if bounds.lower or bounds.upper else bounds.natural
        kept = [
            c
            for c in [*lower, *bounds.upper]
            if all(conversions.between(low, c) for low in lower)
            and all(conversions.between(c, up) for up in bounds.upper)
        ]
        if not kept:
            return None
        if lower:
            best = [c for c in kept if all(conversions.between(other, c) for other in kept)]
        else:
            best = [c for c in kept if all(conversions.between(c, other) for other in kept)]
        if not best:
            return None
        # Of a type and dynamic, which is not converted from but bound at run time, it is dynamic (§10.2.10).
        only = next((c for c in best if isinstance(c, DynamicType)), best[0])
        # It is the only one: two types that convert to each other leave the parameter without an argument.
        if any(not (c is only or contains_error(c) or conversions.identity(c, only)) for c in best):
            return None
        return only
