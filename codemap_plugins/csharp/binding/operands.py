"""What all bound expressions have, and an argument: what references and results of overload resolution hold of them."""

from __future__ import annotations

from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.symbols.types import Type


class BoundExpression:
    """``type``: of a value, or the type that is named; unknown for every other kind."""

    __slots__ = ("type",)

    def __init__(self, type_: Type = UNKNOWN) -> None:
        self.type = type_


class Argument:
    """An argument of a call. ``passing``: as written, ``ref``, ``out`` or ``in``."""

    __slots__ = ("expression", "name", "offset", "passing")

    def __init__(self, expression: BoundExpression, name: str = "", passing: int = 0, offset: int = 0) -> None:
        self.expression = expression
        self.name = name
        self.passing = passing
        self.offset = offset
