"""The structure of a type as written, read from ``TypeSyntax.text`` by ``type_reader``: what a resolver walks.

Identifiers carry their ordinal in the text, so one tree serves every place where the same text stands;
``TypeSyntax.offsets[ordinal]`` is the place. Array ranks are in C#'s order: ``int[][,]`` is an array of rank 1 whose
elements are ``int[,]``.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class PredefinedType(Struct, frozen=True, tag=True):
    """``int``, ``string``, ``void``, ``dynamic``… ``ordinal``: of one that is an identifier, ``nint`` and ``nuint``."""

    name: str
    ordinal: int = -1


class NamePart(Struct, frozen=True):
    """One simple name of a path. ``arity`` without ``arguments``: an unbound generic, ``List<>``."""

    name: str
    ordinal: int
    arguments: tuple[TypeTree, ...] = ()
    arity: int = 0


class NamedType(Struct, frozen=True, tag=True):
    """``A.B<C>.D``; ``alias``: what stands before ``::``, ``global`` or an extern or using alias (then with its
    ordinal)."""

    parts: tuple[NamePart, ...]
    alias: str | None = None
    alias_ordinal: int = -1


class ArrayType(Struct, frozen=True, tag=True):
    element: TypeTree
    rank: int = 1


class PointerType(Struct, frozen=True, tag=True):
    element: TypeTree


class NullableType(Struct, frozen=True, tag=True):
    """``T?``: ``Nullable<T>`` for a value type, ``T`` itself for a reference type."""

    element: TypeTree


class TupleElement(Struct, frozen=True):
    type: TypeTree
    name: str | None = None


class TupleType(Struct, frozen=True, tag=True):
    elements: tuple[TupleElement, ...]


class FunctionPointerParameter(Struct, frozen=True):
    type: TypeTree
    ref_kind: str = ""
    """``ref``, ``out``, ``in`` or empty."""


class FunctionPointerType(Struct, frozen=True, tag=True):
    """``parameters``: the return type is the last. ``convention``: ``unmanaged[Cdecl]`` or empty."""

    parameters: tuple[FunctionPointerParameter, ...]
    convention: str = ""


class UnknownType(Struct, frozen=True, tag=True):
    """Text that is not a type, kept whole. ``var`` and an empty text are ``UnknownType`` too."""

    text: str


TypeTree: TypeAlias = (
    PredefinedType | NamedType | ArrayType | PointerType | NullableType | TupleType | FunctionPointerType | UnknownType
)


class WrittenName(Struct, frozen=True):
    """``container``: the name before it, if it is qualified."""

    name: str
    container: str | None = None
