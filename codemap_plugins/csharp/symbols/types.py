"""Types after lookup: what a type written in source means.

A named type holds its definition and the type arguments of all levels, those of enclosing types first. ``int?`` is
``System.Nullable{System.Int32}``, ``string?`` is ``string``; tuples are ``System.ValueTuple``. Equal types are one
object: they compare, and are looked up, by identity. Nothing changes one after it is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from codemap_plugins.csharp.symbols.definitions import TypeDefinition


class NamedType:
    """A definition with type arguments: empty, or one for each type parameter of all levels."""

    __slots__ = ("arguments", "definition", "element_names", "has_error", "is_open")
    definition: TypeDefinition
    arguments: tuple[Type, ...]
    element_names: tuple[str | None, ...]
    """Of a tuple with names, all of them, those beyond the seventh too; else empty."""
    is_open: bool
    """Some type argument is, or holds, a type parameter."""
    has_error: bool
    """Some type argument is, or holds, a type that was not found."""
    _made: ClassVar[dict[tuple[object, tuple[object, ...], tuple[str | None, ...]], NamedType]] = {}

    def __new__(
        cls, definition: TypeDefinition, arguments: tuple[Type, ...] = (), element_names: tuple[str | None, ...] = ()
    ) -> NamedType:
        key = (definition, arguments, element_names)
        made = cls._made.get(key)
        if made is None:
            made = object.__new__(cls)
            made.definition, made.arguments, made.element_names = key
            made.is_open = any(has_type_parameters(a) for a in arguments)
            made.has_error = any(contains_error(a) for a in arguments)
            cls._made[key] = made
        return made


class TypeParameterType:
    """``ordinal`` counts across enclosing types; a method's own parameters start at 0."""

    __slots__ = ("is_value_type", "name", "of_method", "ordinal")
    name: str
    ordinal: int
    of_method: bool
    is_value_type: bool
    _made: ClassVar[dict[tuple[str, int, bool, bool], TypeParameterType]] = {}

    def __new__(cls, name: str, ordinal: int, of_method: bool, is_value_type: bool = False) -> TypeParameterType:
        key = (name, ordinal, of_method, is_value_type)
        made = cls._made.get(key)
        if made is None:
            made = object.__new__(cls)
            made.name, made.ordinal, made.of_method, made.is_value_type = key
            cls._made[key] = made
        return made


class ArrayType:
    __slots__ = ("element", "rank")
    element: Type
    rank: int
    _made: ClassVar[dict[tuple[object, int], ArrayType]] = {}

    def __new__(cls, element: Type, rank: int = 1) -> ArrayType:
        made = cls._made.get((element, rank))
        if made is None:
            made = object.__new__(cls)
            made.element, made.rank = element, rank
            cls._made[element, rank] = made
        return made


class PointerType:
    __slots__ = ("element",)
    element: Type
    _made: ClassVar[dict[object, PointerType]] = {}

    def __new__(cls, element: Type) -> PointerType:
        made = cls._made.get(element)
        if made is None:
            made = object.__new__(cls)
            made.element = element
            cls._made[element] = made
        return made


class FunctionPointerType:
    """Its parts have no place in an id: Roslyn prints nothing for it."""

    __slots__ = ()
    _one: ClassVar[list[FunctionPointerType]] = []

    def __new__(cls) -> FunctionPointerType:
        if not cls._one:
            cls._one.append(object.__new__(cls))
        return cls._one[0]


class DynamicType:
    """``dynamic``; ``System.Object`` in ids."""

    __slots__ = ()
    _one: ClassVar[list[DynamicType]] = []

    def __new__(cls) -> DynamicType:
        if not cls._one:
            cls._one.append(object.__new__(cls))
        return cls._one[0]


class ErrorType:
    """A type that was not found, under its name as written. ``reason`` says why."""

    __slots__ = ("arguments", "reason", "text")
    text: str
    arguments: tuple[Type, ...]
    reason: str
    _made: ClassVar[dict[tuple[str, tuple[object, ...], str], ErrorType]] = {}

    def __new__(cls, text: str, arguments: tuple[Type, ...] = (), reason: str = "not found") -> ErrorType:
        key = (text, arguments, reason)
        made = cls._made.get(key)
        if made is None:
            made = object.__new__(cls)
            made.text, made.arguments, made.reason = text, arguments, reason
            cls._made[key] = made
        return made


Type: TypeAlias = (
    NamedType | TypeParameterType | ArrayType | PointerType | FunctionPointerType | DynamicType | ErrorType
)


def substitute(type_: Type, arguments: tuple[Type, ...], method_arguments: tuple[Type, ...] = ()) -> Type:
    """``type_`` with type parameters replaced: those of its declaring type by ``arguments``, those of its method by ``method_arguments``;
    an empty tuple leaves them."""
    if isinstance(type_, NamedType):
        if not type_.is_open or not (arguments or method_arguments):
            return type_
        own = tuple([substitute(a, arguments, method_arguments) for a in type_.arguments])
        return NamedType(type_.definition, own, type_.element_names)
    if isinstance(type_, TypeParameterType):
        chosen = method_arguments if type_.of_method else arguments
        return chosen[type_.ordinal] if type_.ordinal < len(chosen) else type_
    if isinstance(type_, ArrayType):
        return ArrayType(substitute(type_.element, arguments, method_arguments), type_.rank)
    if isinstance(type_, PointerType):
        return PointerType(substitute(type_.element, arguments, method_arguments))
    if isinstance(type_, ErrorType) and type_.arguments:
        return ErrorType(
            type_.text, tuple([substitute(a, arguments, method_arguments) for a in type_.arguments]), type_.reason
        )
    return type_


def has_type_parameters(type_: Type) -> bool:
    """Some part of the type is a type parameter."""
    if isinstance(type_, NamedType):
        return type_.is_open
    if isinstance(type_, (ArrayType, PointerType)):
        return has_type_parameters(type_.element)
    if isinstance(type_, ErrorType):
        return any(has_type_parameters(a) for a in type_.arguments)
    return isinstance(type_, TypeParameterType)


def contains_error(type_: Type) -> bool:
    """Some part of the type was not found."""
    if isinstance(type_, NamedType):
        return type_.has_error
    if isinstance(type_, (ArrayType, PointerType)):
        return contains_error(type_.element)
    return isinstance(type_, ErrorType)


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
    """The type as it stands in the metadata name of an explicit implementation: full names, type parameters by name, no spaces, a value
    type's ``?`` kept."""
    match type_:
        case NamedType(definition=definition, arguments=(argument,)) if definition.system_name == "Nullable":
            return metadata_display(argument) + "?"
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
