"""Types as metadata names them, in two forms: a compact text for storage and a tree for reading.

Text: a metadata name (``System.Collections.Generic.Dictionary`2+Enumerator``: ``.`` before, ``+`` after the namespace
ends) followed by the type arguments of all levels in ``<…>``, then ``[]``, ``[,]`` or ``*`` from the inside out. ``!0``
is the type parameter 0 of the type (counted across enclosing types), ``!!0`` of the method, ``dynamic`` C#'s dynamic,
``=(R,A,B)`` a function pointer that returns R. A tuple keeps its element names:
``System.ValueTuple`2<System.Int32,System.String>{id,}``.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct


class NamedType(Struct, frozen=True, gc=False):
    """A type definition with its type arguments, those of enclosing types first; none for an open or non-generic
    type."""

    definition: str
    """Metadata name. ``split_metadata_name`` takes it apart."""
    arguments: tuple[TypeRef, ...] = ()
    element_names: tuple[str | None, ...] = ()
    """Names of tuple elements, null where unnamed; empty when none is named."""


class TypeParameterReference(Struct, frozen=True, gc=False):
    """``of_method``: of the method's own, else of the type's, counted across enclosing types."""

    index: int
    of_method: bool


class ArrayType(Struct, frozen=True, gc=False):
    element: TypeRef
    rank: int = 1


class PointerType(Struct, frozen=True, gc=False):
    element: TypeRef


class FunctionPointerType(Struct, frozen=True, gc=False):
    returns: TypeRef
    parameters: tuple[TypeRef, ...]


class DynamicType(Struct, frozen=True, gc=False):
    """``dynamic``; ``System.Object`` to the runtime and in documentation-comment ids."""


TypeRef = NamedType | TypeParameterReference | ArrayType | PointerType | FunctionPointerType | DynamicType


class MetadataName(Struct, frozen=True, gc=False):
    """``namespace`` and the path of (name, own arity), outermost type first."""

    namespace: str
    path: tuple[tuple[str, int], ...]


@lru_cache(maxsize=65536)
def split_metadata_name(name: str) -> MetadataName:
    """``System.Collections.Generic.Dictionary`2+Enumerator`` → namespace, ``(("Dictionary", 2), ("Enumerator",
    0))``."""
    outer, *nested = name.split("+")
    namespace, _, first = outer.rpartition(".")
    return MetadataName(namespace, tuple(split_arity(segment) for segment in (first, *nested)))


def split_arity(segment: str) -> tuple[str, int]:
    """``Dictionary`2`` → ``("Dictionary", 2)``."""
    name, tick, digits = segment.rpartition("`")
    if tick and digits.isdecimal() and digits.isascii() and len(digits) < 6:
        return name, int(digits)
    return segment, 0


@lru_cache(maxsize=65536)
def parse_type(text: str) -> TypeRef:
    """The tree of a type text. Raises: ValueError when it is none (a catalog that is corrupt)."""
    reference, end = _parse(text, 0)
    if end != len(text):
        raise ValueError(f"not a type text: {text!r}")
    return reference


_ENDS = frozenset("<>[]*{},()")


def _parse(text: str, start: int) -> tuple[TypeRef, int]:
    position = start
    reference: TypeRef
    if text.startswith("=(", start):
        signature, position = _parse_list(text, start + 2, ")")
        reference = FunctionPointerType(signature[0], tuple(signature[1:]))
    else:
        size = len(text)
        while position < size and text[position] not in _ENDS:
            position += 1
        name = text[start:position]
        if name.startswith("!"):
            reference = TypeParameterReference(int(name.lstrip("!")), name.startswith("!!"))
        elif name == "dynamic":
            reference = DynamicType()
        else:
            arguments: list[TypeRef] = []
            if text.startswith("<", position):
                arguments, position = _parse_list(text, position + 1, ">")
            element_names: tuple[str | None, ...] = ()
            if text.startswith("{", position):
                end = text.index("}", position)
                element_names = tuple(part or None for part in text[position + 1 : end].split(","))
                position = end + 1
            reference = NamedType(name, tuple(arguments), element_names)
    while position < len(text):
        if text[position] == "*":
            reference = PointerType(reference)
            position += 1
        elif text[position] == "[":
            end = text.index("]", position)
            reference = ArrayType(reference, end - position)
            position = end + 1
        else:
            break
    return reference, position


def _parse_list(text: str, position: int, close: str) -> tuple[list[TypeRef], int]:
    items: list[TypeRef] = []
    while True:
        item, position = _parse(text, position)
        items.append(item)
        if text.startswith(close, position):
            return items, position + 1
        if not text.startswith(",", position):
            raise ValueError(f"not a type text: {text!r}")
        position += 1
