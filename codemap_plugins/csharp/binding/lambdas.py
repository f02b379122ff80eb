"""Lambdas and anonymous methods before and after their parameters have types (ECMA-334 §12.19).

A body is bound once for each tuple of parameter types, whatever the number of candidates that ask, and the references it makes are kept
with the result: choosing an overload costs no second walk.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from codemap_plugins.csharp.binding.bound_expressions import BoundExpression, UnboundLambda
from codemap_plugins.csharp.bodies import Lowered
from codemap_plugins.csharp.symbols.types import Type


class LambdaShape(NamedTuple):
    """``parameter_count`` is null for ``delegate { }``; a type is null where it is not written."""

    parameter_count: int | None
    types: tuple[Type | None, ...]
    passings: tuple[int, ...]
    is_async: bool
    return_type: Type | None


class LambdaBody(NamedTuple):
    """``returns``: the operands that the body returns; ``has_value``: it can be that of a delegate with a result; ``can_be_void``: of one
    without; ``fails``: it names what the parameters' types do not have, or applies an operator that they lack."""

    is_async: bool
    has_value: bool
    can_be_void: bool
    returns: Sequence[BoundExpression]
    references: Sequence[object]
    fails: bool


class LambdaRules(NamedTuple):
    """How the binder of a file reads a lambda and binds its body."""

    shape: Callable[[UnboundLambda], LambdaShape]
    body: Callable[[UnboundLambda, tuple[Type, ...]], LambdaBody]


_MAX_BOUND: Final = 32


class LambdaBinder:
    """Lambdas of the declaration that is being bound, each bound by the file that it stands in."""

    def __init__(self) -> None:
        self._shapes: dict[int, LambdaShape] = {}
        self._bodies: dict[tuple[int, int, tuple[Type, ...]], LambdaBody] = {}
        self._by_node: dict[int, list[tuple[tuple[Type, ...], LambdaBody]]] = {}
        self._made: dict[tuple[int, int], Lowered] = {}
        self._keep: list[object] = []

    def forget(self) -> None:
        """Between declarations: what was kept belongs to the last one."""
        self._shapes.clear()
        self._bodies.clear()
        self._by_node.clear()
        self._made.clear()
        self._keep.clear()

    def made(self, key: tuple[int, int], make: Callable[[], Lowered]) -> Lowered:
        """The lambda that another construct stands for, made once: ``key`` is the identity of a node, which outlives the declaration, and
        which of its lambdas it is."""
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = make()
        return known

    def shape(self, operand: UnboundLambda) -> LambdaShape:
        key = id(operand.node)
        known = self._shapes.get(key)
        if known is None:
            self._keep.append(operand.node)
            known = self._shapes[key] = _rules(operand).shape(operand)
        return known

    def body(self, operand: UnboundLambda, types: tuple[Type, ...]) -> LambdaBody:
        key = (id(operand.node), id(operand.scope), types)
        known = self._bodies.get(key)
        if known is None:
            known = self._bound_often(operand, types)
        if known is None:
            self._keep.append((operand.node, operand.scope))
            known = self._bodies[key] = _rules(operand).body(operand, types)
            self._by_node.setdefault(key[0], []).append((types, known))
        return known

    def _bound_often(self, operand: UnboundLambda, types: tuple[Type, ...]) -> LambdaBody | None:
        """Lambdas in lambdas are bound again for each way to bind what surrounds them: after this many an earlier body stands in."""
        earlier = self._by_node.get(id(operand.node)) or []
        if len(earlier) < _MAX_BOUND:
            return None
        return next((body for given, body in earlier if given == types), earlier[-1][1])


def _rules(operand: UnboundLambda) -> LambdaRules:
    return operand.scope.surroundings.lambdas
