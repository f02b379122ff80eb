"""Bound expressions: what an expression is once its names are known, one class for each kind.

A value has a type. What has none takes it from where it is used: the binder settles it once that is known (``Binder.convert``), or alone
(``Binder.finish``). A type, a namespace or a method group stands where an expression does, but is not a value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import partial
from typing import Final, NamedTuple

from codemap_plugins.csharp.binding.lambdas import LambdaBody, LambdaPlace, LambdaShape
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.lookup import NOTHING, Found, LookupResult
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.operands import BoundExpression
from codemap_plugins.csharp.binding.special_types import nullable_element
from codemap_plugins.csharp.bodies import Lowered
from codemap_plugins.csharp.symbols.types import Type


class Interpolation(IntEnum):
    """Whether a string is interpolated, which decides what it converts to (C# 10)."""

    NONE = 0
    CONSTANT = 1
    """Without holes, or with holes that are constant texts themselves."""
    HOLES = 2
    SUM = 3
    """Interpolated strings that are added up, with holes."""

    @property
    def is_one(self) -> bool:
        return self in (Interpolation.CONSTANT, Interpolation.HOLES)


class BoundValue(BoundExpression):
    """``constant``: of an integral constant its value, for conversions that depend on it. ``parts``: of a tuple literal its elements: they
    convert, and give bounds, one by one. ``is_base``: it is ``base``. ``is_unsure``: what gave its type was named with low confidence, so
    what is found in that type is not surer. ``is_constant_text``: it is a constant string."""

    __slots__ = ("constant", "interpolation", "is_base", "is_constant_text", "is_unsure", "parts")

    def __init__(
        self,
        type_: Type,
        constant: int | None = None,
        interpolation: Interpolation = Interpolation.NONE,
        parts: Sequence[BoundExpression] = (),
        is_base: bool = False,
        is_unsure: bool = False,
        is_constant_text: bool = False,
    ) -> None:
        super().__init__(type_)
        self.constant = constant
        self.is_constant_text = is_constant_text
        self.is_unsure = is_unsure
        self.interpolation = interpolation
        self.parts = parts
        self.is_base = is_base


def is_constant_text(operand: BoundExpression) -> bool:
    return isinstance(operand, BoundValue) and operand.is_constant_text


class BoundTypeName(BoundExpression):
    """A type where an expression stands: ``int.Parse``."""

    __slots__ = ()


class BoundNamespace(BoundExpression):
    """``name``: its full name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name: Final = name


class BoundMethodGroup(BoundExpression):
    """Methods of a name, those of extensions left out. ``lookup`` may have found nothing: then extensions alone may bear the name.

    ``receiver``: the type of what stands before the name, null where nothing does; ``home``: then the enclosing type that the methods were
    found in. ``through_base``: the receiver is ``base``. ``unsure``: something nearer that was not found may have a member of the name."""

    __slots__ = (
        "home",
        "lookup",
        "name",
        "offset",
        "receiver",
        "receiver_is_type",
        "scope",
        "through_base",
        "type_arguments",
        "unsure",
    )

    def __init__(
        self,
        offset: int,
        name: str,
        scope: LocalScope,
        lookup: LookupResult = NOTHING,
        type_arguments: tuple[Type, ...] = (),
        receiver: Type | None = None,
        receiver_is_type: bool = False,
        through_base: bool = False,
        home: Type | None = None,
        unsure: bool = False,
    ) -> None:
        super().__init__()
        self.offset: Final = offset
        self.name: Final = name
        self.scope: Final = scope
        self.lookup: Final = lookup
        self.type_arguments: Final = type_arguments
        self.receiver: Final = receiver
        self.receiver_is_type: Final = receiver_is_type
        self.through_base: Final = through_base
        self.home: Final = home
        self.unsure: Final = unsure

    @property
    def found(self) -> tuple[Found, ...]:
        return self.lookup.found


class BoundAddress(BoundExpression):
    """``&`` before a method group: a function pointer type says which method is meant (C# 9)."""

    __slots__ = ("group",)

    def __init__(self, group: BoundMethodGroup) -> None:
        super().__init__()
        self.group: Final = group


class LambdaRules(NamedTuple):
    """How the binder of a file reads a lambda and binds its body."""

    shape: Callable[[UnboundLambda], LambdaShape]
    body: Callable[[UnboundLambda, tuple[Type, ...], bool], LambdaBody]


class UnboundLambda(BoundExpression):
    """A lambda or anonymous method whose parameters have no types yet. ``node``: as lowered; ``scope`` and ``place``: where it stands;
    ``rules``: of that place; ``depth``: below how many expressions."""

    __slots__ = ("_bodies", "_rules", "_shape", "depth", "node", "place", "scope")

    def __init__(
        self, node: Lowered, scope: LocalScope, place: LambdaPlace, rules: LambdaRules, depth: int = 0
    ) -> None:
        super().__init__()
        self.node: Final = node
        self.scope: Final = scope
        self.place: Final = place
        self.depth: Final = depth
        self._rules: Final = rules
        self._shape: LambdaShape | None = None
        self._bodies: dict[tuple[tuple[Type, ...], bool], LambdaBody] = {}

    def shape(self) -> LambdaShape:
        """What is written of its parameters."""
        known = self._shape
        if known is None:
            known = self._shape = self._rules.shape(self)
        return known

    def body(self, types: tuple[Type, ...], is_unsure: bool = False) -> LambdaBody:
        """Its body, bound with parameters of these types. ``is_unsure``: these types are, where the lambda does not write them."""
        key = (types, is_unsure)
        known = self._bodies.get(key)
        if known is None:
            bind = partial(self._rules.body, self, types, is_unsure)
            known = self._bodies[key] = self.scope.surroundings.lambdas.body(self.place, key, bind)
        return known

    def returns_unsure(self) -> bool:
        """What its body returns is unsure, with some of the parameter types that were tried."""
        return any(in_doubt(each) for body in self._bodies.values() for each in body.returns)


class UnboundNew(BoundExpression):
    """``new(…)`` without a type. ``fails``: it cannot create a type, having no constructor for the arguments or lacking a member that the
    initialiser sets."""

    __slots__ = ("fails", "node", "scope")

    def __init__(self, node: Lowered, scope: LocalScope, fails: Callable[[Type], bool]) -> None:
        super().__init__()
        self.node: Final = node
        self.scope: Final = scope
        self.fails: Final = fails


class BoundNull(BoundExpression):
    __slots__ = ()


class BoundDefault(BoundExpression):
    """``default`` without a type."""

    __slots__ = ()


class BoundThrow(BoundExpression):
    """``throw`` as an expression."""

    __slots__ = ()


class BoundComposite(BoundExpression):
    """What converts by its ``parts``."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[BoundExpression]) -> None:
        super().__init__()
        self.parts: Final = parts


class BoundChoice(BoundComposite):
    """``?:`` or ``switch`` whose arms have no common type: each arm takes the target's."""

    __slots__ = ()


class BoundTuple(BoundComposite):
    """A tuple literal of which some element has no type."""

    __slots__ = ()


class BoundCollection(BoundComposite):
    """A collection expression (C# 12). A spread stands as a value of what it spreads."""

    __slots__ = ("scope",)

    def __init__(self, parts: Sequence[BoundExpression], scope: LocalScope) -> None:
        super().__init__(parts)
        self.scope: Final = scope


class OutVariable(BoundExpression):
    """``out var x`` and, without a name, discards: the parameter gives the type."""

    __slots__ = ("name", "offset", "scope")

    def __init__(self, name: str, scope: LocalScope, offset: int = -1) -> None:
        super().__init__()
        self.offset: Final = offset
        self.name: Final = name
        self.scope: Final = scope


def in_doubt(operand: BoundExpression) -> bool:
    """What gives its type was named with low confidence."""
    if isinstance(operand, BoundValue):
        return operand.is_unsure
    if isinstance(operand, BoundComposite):
        return any(map(in_doubt, operand.parts))
    if isinstance(operand, BoundMethodGroup):
        return operand.unsure
    return isinstance(operand, UnboundLambda) and operand.returns_unsure()


def value(type_: Type) -> BoundValue:
    return BoundValue(type_)


def value_from(type_: Type, source: BoundExpression) -> BoundValue:
    """A value whose type comes from that of ``source``: as unsure as it is."""
    return BoundValue(type_, is_unsure=in_doubt(source))


def underlying(operand: BoundValue) -> BoundValue:
    """Of a nullable value the value that it may have (ECMA-334 §8.3.12)."""
    inner = nullable_element(operand.type)
    return value_from(inner, operand) if inner is not None else operand


UNKNOWN_VALUE: Final = BoundValue(UNKNOWN)
