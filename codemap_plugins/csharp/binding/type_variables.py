"""The type parameters of a method that is called, while their arguments are inferred, and the bounds of each (ECMA-334 §12.6.3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    ErrorType,
    NamedType,
    PointerType,
    Type,
    TypeFactory,
    TypeParameterType,
    substitute,
)


class Bounds:
    __slots__ = ("exact", "fixed", "lower", "natural", "unknown", "upper")

    def __init__(self) -> None:
        self.exact: list[Type] = []
        self.lower: list[Type] = []
        self.upper: list[Type] = []
        self.natural: list[Type] = []
        """Lower bounds that are natural types of lambdas and method groups: they count where there are no others (C# 10)."""
        self.fixed: Type | None = None
        self.unknown: Type | None = None
        """A bound that is not known: without others the argument is not either, and the method stays a candidate."""

    def fix(self, type_: Type | None) -> None:
        """From now on the argument is ``type_``."""
        self.fixed = type_

    def leave_unknown(self, bound: Type) -> None:
        self.unknown = bound

    @property
    def any(self) -> bool:
        return bool(self.exact or self.lower or self.upper or self.natural)


class Variables:
    """The type parameters to infer. ``first``: ordinal of the first where those of the method around the call could be taken for them."""

    __slots__ = ("all", "first")

    def __init__(self, count: int, first: int) -> None:
        self.all: Final = [Bounds() for _ in range(count)]
        self.first: Final = first

    def __getitem__(self, index: int) -> Bounds:
        return self.all[index]

    def index(self, type_: Type) -> int:
        """Of a type that is one of them; else -1."""
        if isinstance(type_, TypeParameterType) and type_.of_method:
            index = type_.ordinal - self.first
            return index if 0 <= index < len(self.all) else -1
        return -1

    def put_in(self, type_: Type) -> Type:
        """``type_`` with what is fixed in their places, and what is not yet as unknown."""
        known = tuple(b.fixed if b.fixed is not None else UNKNOWN for b in self.all)
        return substitute(type_, (), known) if not self.first else put_in_own(type_, known)


OWN: Final = 1 << 10
"""Type parameters of the method called count from here where its declaring type is made from some of the method around the call."""


def of_method_around(arguments: Sequence[Type]) -> bool:
    """Some type argument is, or holds, a type parameter of a method: the one around the call."""
    for type_ in arguments:
        if isinstance(type_, (ArrayType, PointerType)):
            type_ = type_.element
        if isinstance(type_, TypeParameterType):
            if type_.of_method:
                return True
        elif isinstance(type_, NamedType):
            if type_.is_open and of_method_around(type_.arguments):
                return True
        elif isinstance(type_, ErrorType) and of_method_around(type_.arguments):
            return True
    return False


def own_variables(factory: TypeFactory, count: int) -> tuple[Type, ...]:
    """What stands for the type parameters of the method called until they have arguments, apart from those of the method around it."""
    return tuple(factory.parameter(str(i), OWN + i, True) for i in range(count))


def put_in_own(type_: Type, arguments: tuple[Type, ...]) -> Type:
    """``type_`` with arguments in the places of ``own_variables``."""
    if isinstance(type_, TypeParameterType) and type_.of_method and type_.ordinal >= OWN:
        return arguments[type_.ordinal - OWN]
    if isinstance(type_, NamedType) and type_.is_open:
        return NamedType(
            type_.definition, tuple(put_in_own(a, arguments) for a in type_.arguments), type_.element_names
        )
    if isinstance(type_, ErrorType) and type_.arguments:
        return type_.factory.error(type_.text, tuple(put_in_own(a, arguments) for a in type_.arguments), type_.reason)
    return ArrayType(put_in_own(type_.element, arguments), type_.rank) if isinstance(type_, ArrayType) else type_
