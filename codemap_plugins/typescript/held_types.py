"""What the standard library's generic types hold, as far as following values needs it (ECMA-262)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.typescript.types import Array, Built, Held, Promise, Type, either

ARRAYS: Final = frozenset({"Array", "ReadonlyArray", "Iterable", "IterableIterator", "ArrayLike"})
PROMISES: Final = frozenset({"Promise", "PromiseLike"})
TRANSPARENT: Final = frozenset({"Partial", "Required", "Readonly", "Pick", "Omit", "NonNullable"})
"""Their members are those of what they are applied to."""

_SAME: Final = frozenset({"filter", "slice", "concat", "reverse", "sort", "splice", "toSorted", "toReversed", "fill"})
_ITEM: Final = frozenset({"find", "findLast", "pop", "shift", "at"})
_ITERATING: Final = frozenset(
    {"forEach", "map", "filter", "find", "findLast", "findIndex", "findLastIndex", "some", "every", "flatMap"}
)
_COMPARING: Final = frozenset({"sort", "toSorted"})


def result_of(built: Built, results: Sequence[Type | None], given: Sequence[Type | None]) -> Type | None:
    """What calling a member gives. ``given``: the arguments; ``results``: what calling each of them would give."""
    of, name = built.of, built.name
    first = results[0] if results else None
    if isinstance(of, Array):
        item = of.item if not of.parts else either(list(of.parts))
        if name in _SAME:
            return Array(item)
        if name in _ITEM:
            return item
        if name == "map":
            return Array(first)
        if name == "flatMap":
            return Array(first.item) if isinstance(first, Array) else Array(first)
        if name in ("values", "flat"):
            return Array(item.item if name == "flat" and isinstance(item, Array) else item)
        return None
    if isinstance(of, Promise):
        if name == "then":
            return Promise(first.item if isinstance(first, Promise) else first)
        return of if name == "finally" else None
    if of.name in ("Map", "WeakMap") and len(of.items) == 2:
        if name == "get":
            return of.items[1]
        if name in ("values", "keys"):
            return Array(of.items[1 if name == "values" else 0])
    if of.name == "Set" and of.items and name in ("values", "keys"):
        return Array(of.items[0])
    return None


def argument_of(built: Built, argument: int) -> Type | None:
    """What a member that is called expects of an argument other than a function."""
    of, name = built.of, built.name
    if isinstance(of, Array):
        if name in ("push", "unshift") or (name in ("includes", "indexOf", "fill", "concat") and argument == 0):
            return of.item if not of.parts else None
        return of.item if name == "splice" and argument > 1 else None
    if isinstance(of, Held) and of.items:
        if of.name in ("Map", "WeakMap") and name == "set" and argument == 1:
            return of.items[-1]
        if of.name == "Set" and name == "add":
            return of.items[0]
    return None


def parameter_of(built: Built, argument: int, parameter: int) -> Type | None:
    """What a function that is handed to a member is called with."""
    of, name = built.of, built.name
    if isinstance(of, Array):
        item = of.item if not of.parts else either(list(of.parts))
        if argument == 0 and name in _ITERATING:
            return item if parameter == 0 else Array(item) if parameter == 2 else None
        if argument == 0 and name in _COMPARING:
            return item if parameter < 2 else None
        return item if argument == 0 and name in ("reduce", "reduceRight") and parameter == 1 else None
    if isinstance(of, Promise):
        return of.item if name == "then" and argument == parameter == 0 else None
    if isinstance(of, Held) and name == "forEach" and argument == 0:
        if of.name == "Map" and len(of.items) == 2:
            return of.items[1 - parameter] if parameter < 2 else None
        if of.name == "Set" and of.items:
            return of.items[0] if parameter < 2 else None
    return None
