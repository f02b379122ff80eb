"""Lambdas and anonymous methods before and after their parameters have types (ECMA-334 §12.19).

A body is bound once for each tuple of parameter types, whatever the number of candidates that ask, and the references it makes are kept
with the result: choosing an overload costs no second walk. What was bound belongs to the lambda, and goes with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.recording import Recording
from codemap_plugins.csharp.symbols.types import Type

LambdaPlace = tuple[int, int]
"""Which lambda of a declaration: the offset of its node and -1, or that of a query's clause and which of its lambdas it is."""

LambdaParameters = tuple[tuple[Type, ...], bool]
"""The types of a lambda's parameters, and whether they are unsure (as of a ``BoundValue``)."""


class LambdaShape(NamedTuple):
    """``parameter_count`` is null for ``delegate { }``; a type is null where it is not written."""

    parameter_count: int | None
    types: tuple[Type | None, ...]
    passings: tuple[int, ...]
    is_async: bool
    return_type: Type | None


class LambdaBody(NamedTuple):
    """``returns``: the operands that the body returns; ``has_value``: it can be that of a delegate with a result; ``can_be_void``: of one
    without; ``recording``: to be adopted if this is how the lambda is bound; ``fails``: it names what the parameters' types do not have, or
    applies an operator that they lack."""

    is_async: bool
    has_value: bool
    can_be_void: bool
    returns: Sequence[BoundExpression]
    recording: Recording
    fails: bool


_MAX_BOUND: Final = 32


class Lambdas:
    """The bodies of the lambdas of one declaration."""

    def __init__(self) -> None:
        self._bodies: Final[dict[LambdaPlace, list[tuple[LambdaParameters, LambdaBody]]]] = {}

    def forget(self) -> None:
        """When the declaration is bound: bodies lead back here through the scopes of the lambdas in them."""
        self._bodies.clear()

    def body(self, place: LambdaPlace, parameters: LambdaParameters, bind: Callable[[], LambdaBody]) -> LambdaBody:
        """What ``bind`` makes of the lambda there with these parameters. Lambdas in lambdas are bound again for each way to bind
        what surrounds them: after very many an earlier body stands in."""
        earlier = self._bodies.get(place) or []
        if len(earlier) >= _MAX_BOUND:
            return next((body for given, body in earlier if given == parameters), earlier[-1][1])
        bound = bind()
        self._bodies.setdefault(place, []).append((parameters, bound))
        return bound
