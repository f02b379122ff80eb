"""The types that evaluation tells apart. Null stands for an unknown one. All are values: equal where they mean the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from codemap_plugins.typescript.table import Module, Outside, Symbol

_ABSENT: Final = frozenset({"null", "undefined", "never", "void"})


@dataclass(frozen=True, slots=True)
class Plain:
    """A primitive, or what has no members that the repository declares."""

    name: str


@dataclass(frozen=True, slots=True)
class Instance:
    """A value of a class, interface, enum or alias."""

    symbol: Symbol
    arguments: tuple[Type | None, ...]


@dataclass(frozen=True, slots=True)
class Static:
    """A class, enum or namespace itself."""

    symbol: Symbol


@dataclass(frozen=True, slots=True)
class Whole:
    """A file that was imported as a whole."""

    module: Module


@dataclass(frozen=True, slots=True)
class Callable:
    """``functions``: indexes of its signatures in the unit of ``module``."""

    module: Module
    functions: tuple[int, ...]
    environment: Environment


@dataclass(frozen=True, slots=True)
class Literal:
    """An object that is written out, or a type that is. ``node``: its ``OBJECT`` or ``OBJECT_TYPE``."""

    module: Module
    node: int
    environment: Environment


@dataclass(frozen=True, slots=True)
class Array:
    """``parts``: of a tuple, its elements."""

    item: Type | None
    parts: tuple[Type | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Promise:
    item: Type | None


@dataclass(frozen=True, slots=True)
class Held:
    """A generic type of the standard library by its name: ``Map``, ``Set``, ``Record``, or another of which nothing is known."""

    name: str
    items: tuple[Type | None, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """A member of an array, promise, set or map, read and perhaps called."""

    of: Array | Promise | Held
    name: str


@dataclass(frozen=True, slots=True)
class Union:
    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Intersection:
    """A value of all of several types; of some nothing may be known."""

    items: tuple[Type | None, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A type parameter that nothing is known of but its constraint."""

    name: str
    constraint: Type | None


Type = (
    Plain
    | Instance
    | Static
    | Whole
    | Callable
    | Literal
    | Array
    | Promise
    | Held
    | Built
    | Union
    | Intersection
    | Parameter
)
Environment = tuple[tuple[str, Type | None], ...]
"""What type parameters stand for, by name."""
ANY: Final = Plain("any")


class Why(Enum):
    """Why a member's name leads to nothing."""

    NONE = auto()
    """It does lead to something."""
    UNKNOWN = auto()
    NO_MEMBER = auto()
    NO_EXPORT = auto()
    BASE = auto()
    """A base is not known."""
    AMBIGUOUS = auto()
    DYNAMIC = auto()
    LIBRARY = auto()
    NOT_IN_VIEW = auto()


class Member(Struct, frozen=True):
    """What a member's name leads to: a symbol, or a type that no symbol stands for. ``why``: where neither, the reason."""

    symbol: Symbol | None = None
    type: Type | None = None
    environment: Environment = ()
    why: Why = Why.NONE
    meaning: Module | Outside | None = None


def either(types: Sequence[Type | None]) -> Type | None:
    """A value of one of several types; what stands for nothing is left out. Unknown where one of them is."""
    found: dict[Type, None] = {}
    for each in types:
        if each is None:
            return None
        for one in each.items if isinstance(each, Union) else (each,):
            if not (isinstance(one, Plain) and one.name in _ABSENT):
                found[one] = None
    if not found:
        return types[0] if types else None
    return next(iter(found)) if len(found) == 1 else Union(tuple(found))
