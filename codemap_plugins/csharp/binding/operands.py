"""What an expression is once bound: a value with a type, a type, a namespace, a method group, or something that takes its type from
where it is used."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.symbols.types import Type

if TYPE_CHECKING:
    from codemap_plugins.csharp.binding.hierarchy import Found
    from codemap_plugins.csharp.binding.locals import LocalScope


class OperandKind(IntEnum):
    VALUE = 0
    TYPE = 1
    """A type where an expression stands: ``int.Parse``. ``type`` is it."""
    NAMESPACE = 2
    METHOD_GROUP = 3
    LAMBDA = 4
    NULL = 5
    DEFAULT = 6
    """``default`` without a type."""
    NEW = 7
    """``new(…)`` without a type."""
    COLLECTION = 8
    THROW = 9
    CHOICE = 10
    """``?:`` or ``switch`` whose arms have no common type: each arm takes the target's. ``parts`` are the arms."""
    TUPLE = 11
    """A tuple of which some element has no type. ``parts`` are the elements."""
    OUT_VARIABLE = 12
    """``out var x`` and discards: the parameter gives the type."""


class Operand:
    """``node`` is the lowered expression; ``scope`` where it was met, for what is bound later. ``constant``: value of an integral or null
    constant, for conversions that depend on it."""

    __slots__ = (
        "constant",
        "found",
        "has_constant",
        "home",
        "interpolation",
        "kind",
        "name",
        "node",
        "parts",
        "receiver",
        "receiver_is_type",
        "scope",
        "through_base",
        "type",
        "type_arguments",
        "unsure",
    )

    def __init__(
        self, kind: OperandKind, type_: Type = UNKNOWN, node: Any = None, scope: LocalScope | None = None
    ) -> None:
        self.kind = kind
        self.type = type_
        self.node = node
        self.scope = scope
        self.constant: int | None = None
        self.has_constant = False
        self.interpolation = 0
        """Of an interpolated string: 1 without holes, 2 with some."""
        self.parts: Sequence[Operand] = ()
        """Of a tuple literal its elements, of a typed one too: they convert, and give bounds, one by one."""
        self.name = ""
        """Full name of a namespace; the name of a tuple element."""
        self.found: Sequence[Found] = ()
        """Of a method group."""
        self.receiver: Type | None = None
        self.receiver_is_type = False
        self.through_base = False
        """Of a method group: its receiver is ``base``."""
        self.type_arguments: tuple[Type, ...] = ()
        self.home: Type | None = None
        """Of a method group without a receiver: the enclosing type that it was found in."""
        self.unsure = False
        """Of a method group: something nearer that was not found may have a member of the name."""

    @property
    def is_value(self) -> bool:
        return self.kind is OperandKind.VALUE

    @property
    def is_unknown(self) -> bool:
        return self.kind is OperandKind.VALUE and self.type is UNKNOWN


def value(type_: Type) -> Operand:
    return Operand(OperandKind.VALUE, type_)


UNKNOWN_VALUE: Final = Operand(OperandKind.VALUE, UNKNOWN)


class Argument:
    """An argument of a call. ``passing``: as written, ``ref``, ``out`` or ``in``."""

    __slots__ = ("name", "offset", "operand", "passing")

    def __init__(self, operand: Operand, name: str = "", passing: int = 0, offset: int = 0) -> None:
        self.operand = operand
        self.name = name
        self.passing = passing
        self.offset = offset
