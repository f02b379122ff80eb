"""Types after lookup: what a type written in source means.

A named type holds its definition and the type arguments of all levels, those of enclosing types first. ``int?`` is
``System.Nullable{System.Int32}``, ``string?`` is ``string``; tuples are ``System.ValueTuple``. Values are immutable and compare by
content; definitions compare by identity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from codemap_plugins.csharp.symbols.definitions import TypeDefinition


@dataclass(frozen=True, slots=True)
class NamedType:
    definition: TypeDefinition
    arguments: tuple[Type, ...] = ()
    """Empty, or one for each type parameter of all levels."""


@dataclass(frozen=True, slots=True)
class TypeParameterType:
    """``ordinal`` counts across enclosing types; a method's own parameters start at 0."""

    name: str
    ordinal: int
    of_method: bool
    is_value_type: bool = False


@dataclass(frozen=True, slots=True)
class ArrayType:
    element: Type
    rank: int = 1


@dataclass(frozen=True, slots=True)
class PointerType:
    element: Type


@dataclass(frozen=True, slots=True)
class FunctionPointerType:
    """Its parts have no place in an id: Roslyn prints nothing for it."""


@dataclass(frozen=True, slots=True)
class DynamicType:
    """``dynamic``; ``System.Object`` in ids."""


@dataclass(frozen=True, slots=True)
class ErrorType:
    """A type that was not found, under its name as written. ``reason`` says why."""

    text: str
    arguments: tuple[Type, ...] = ()
    reason: str = "not found"


Type: TypeAlias = (
    NamedType | TypeParameterType | ArrayType | PointerType | FunctionPointerType | DynamicType | ErrorType
)


def substitute(type_: Type, arguments: tuple[Type, ...]) -> Type:
    """``type_`` with the type parameters of its declaring type replaced; those of a method stay."""
    if not arguments:
        return type_
    match type_:
        case TypeParameterType(ordinal=ordinal, of_method=False):
            return arguments[ordinal] if ordinal < len(arguments) else type_
        case NamedType(definition=definition, arguments=own) if own:
            return NamedType(definition, tuple(substitute(a, arguments) for a in own))
        case ArrayType(element=element, rank=rank):
            return ArrayType(substitute(element, arguments), rank)
        case PointerType(element=element):
            return PointerType(substitute(element, arguments))
        case ErrorType(text=text, arguments=own, reason=reason) if own:
            return ErrorType(text, tuple(substitute(a, arguments) for a in own), reason)
        case _:
            return type_


def contains_error(type_: Type) -> bool:
    """Some part of the type was not found."""
    match type_:
        case ErrorType():
            return True
        case NamedType(arguments=arguments):
            return any(contains_error(a) for a in arguments)
        case ArrayType(element=element) | PointerType(element=element):
            return contains_error(element)
        case _:
            return False


def documentation_id(type_: Type) -> str:
    """The type inside a documentation-comment id (ECMA-334 annex D.4.2): ``System.Collections.Generic.List{System.Int32}``."""
    match type_:
        case NamedType(definition=definition, arguments=arguments):
            if not arguments:
                return definition.readable_path("", "")
            return _constructed(definition, arguments)
        case TypeParameterType(ordinal=ordinal, of_method=of_method):
            return f"``{ordinal}" if of_method else f"`{ordinal}"
        case ArrayType(element=element, rank=rank):
            suffix = "[]" if rank == 1 else "[" + ",".join(["0:"] * rank) + "]"
            return documentation_id(element) + suffix
        case PointerType(element=element):
            return documentation_id(element) + "*"
        case DynamicType():
            return "System.Object"
        case ErrorType(text=text, arguments=arguments):
            return text + ("{" + ",".join(documentation_id(a) for a in arguments) + "}" if arguments else "")
        case FunctionPointerType():
            return ""


def _constructed(definition: TypeDefinition, arguments: tuple[Type, ...]) -> str:
    pieces: list[str] = []
    position = 0
    for name, arity in definition.path:
        if arity:
            pieces.append(
                name + "{" + ",".join(documentation_id(a) for a in arguments[position : position + arity]) + "}"
            )
            position += arity
        else:
            pieces.append(name)
    text = ".".join(pieces)
    return f"{definition.namespace}.{text}" if definition.namespace else text


def metadata_display(type_: Type) -> str:
    """The type as it stands in the metadata name of an explicit implementation: full names, type parameters by name, no spaces."""
    match type_:
        case NamedType(definition=definition, arguments=arguments):
            pieces: list[str] = []
            position = 0
            for name, arity in definition.path:
                if arity and arguments:
                    pieces.append(
                        name + "<" + ",".join(metadata_display(a) for a in arguments[position : position + arity]) + ">"
                    )
                    position += arity
                else:
                    pieces.append(name)
            text = ".".join(pieces)
            return f"{definition.namespace}.{text}" if definition.namespace else text
        case TypeParameterType(name=name):
            return name
        case ArrayType(element=element, rank=rank):
            return metadata_display(element) + "[" + "," * (rank - 1) + "]"
        case PointerType(element=element):
            return metadata_display(element) + "*"
        case DynamicType():
            return "dynamic"
        case ErrorType(text=text, arguments=arguments):
            return text + ("<" + ",".join(metadata_display(a) for a in arguments) + ">" if arguments else "")
        case FunctionPointerType():
            return ""
