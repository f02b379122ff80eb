"""Types after lookup: what a type written in source means.

A named type holds its definition and the type arguments of all levels, those of enclosing types first. ``int?`` is
``System.Nullable{System.Int32}``, ``string?`` is ``string``; tuples are ``System.ValueTuple``. Equal types of one symbol table are one
object: they compare, and are looked up, by identity. Nothing changes one after it is made.

A type belongs to the table that made it: a constructed type is kept with its definition or element, type parameters and types that were
not found with the table's ``TypeFactory``. Nothing here outlives the table.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from codemap_core.model import SymbolKind


class TypeDefinition:
    """A type as lookup needs it. ``path``: (name, own arity) of the enclosing types and the type itself, outermost first."""

    __slots__ = (
        "_container_path",
        "_documentation_id",
        "arity",
        "constructed",
        "external",
        "is_value_type",
        "kind",
        "name",
        "namespace",
        "path",
        "plain",
        "system_name",
        "total_arity",
    )

    def __init__(
        self, namespace: str, path: tuple[tuple[str, int], ...], kind: SymbolKind, is_value_type: bool, external: bool
    ) -> None:
        self.namespace: Final = namespace
        self.path: Final = path
        self.name: Final = path[-1][0]
        self.arity: Final = path[-1][1]
        self.kind: Final = kind
        self.is_value_type: Final = is_value_type
        self.external: Final = external
        self.total_arity: Final = sum(arity for _, arity in path)
        self.system_name: Final = path[0][0] if namespace == "System" and len(path) == 1 else ""
        """Simple name of a type directly in ``System``, which the language's own rules are about; empty for others."""
        self.plain: NamedType | None = None
        """The type without type arguments, and below it those with: once they were made, see ``keep``."""
        self._container_path: str | None = None
        self._documentation_id: str | None = None
        self.constructed: Final[dict[tuple[tuple[Type, ...], tuple[str | None, ...]], NamedType]] = {}

    def keep(self, made: NamedType, key: tuple[tuple[Type, ...], tuple[str | None, ...]]) -> None:
        """A type made of it, of these type arguments and names of elements."""
        if any(key):
            self.constructed[key] = made
        else:
            self.plain = made

    def forget(self) -> None:
        """The types made of it."""
        self.plain = None
        self.constructed.clear()

    @property
    def is_extension_block(self) -> bool:
        """An ``extension`` block (C# 14): not a type of its own to the language; its path is that of the static class around it."""
        return False

    @property
    def readable_path(self) -> str:
        """Full name without type parameters."""
        if not self.total_arity:
            return self.container_path
        text = ".".join([name for name, _ in self.path])
        return f"{self.namespace}.{text}" if self.namespace else text

    @property
    def documentation_id(self) -> str:
        """``T:`` id of the open definition."""
        known = self._documentation_id
        if known is None:
            known = self._documentation_id = "T:" + self.container_path
        return known

    @property
    def container_path(self) -> str:
        """The prefix of a member's name in its id: the full name with arities."""
        known = self._container_path
        if known is None:
            text = ".".join([f"{name}`{arity}" if arity else name for name, arity in self.path])
            known = self._container_path = f"{self.namespace}.{text}" if self.namespace else text
        return known


class NamedType:
    """A definition with type arguments: empty, or one for each type parameter of all levels."""

    __slots__ = ("_id_text", "arguments", "array", "definition", "element_names", "has_error", "is_open", "pointer")
    definition: TypeDefinition
    arguments: tuple[Type, ...]
    element_names: tuple[str | None, ...]
    """All element names of a tuple that has names, including those beyond the seventh; otherwise empty."""
    is_open: bool
    """Some type argument is, or holds, a type parameter."""
    has_error: bool
    """Some type argument is, or holds, a type that was not found."""
    _id_text: str | None
    array: dict[int, ArrayType] | None
    pointer: PointerType | None

    def __new__(
        cls, definition: TypeDefinition, arguments: tuple[Type, ...] = (), element_names: tuple[str | None, ...] = ()
    ) -> NamedType:
        if not arguments and not element_names and definition.plain is not None:
            return definition.plain
        key = (arguments, element_names)
        made = definition.constructed.get(key)
        if made is None:
            made = object.__new__(cls)
            made.definition = definition
            made.arguments, made.element_names = key
            made.is_open = any(has_type_parameters(a) for a in arguments)
            made.has_error = any(contains_error(a) for a in arguments)
            made._id_text = None
            made.array = None
            made.pointer = None
            definition.keep(made, key)
        return made

    @property
    def id_text(self) -> str:
        """See ``documentation_id``."""
        known = self._id_text
        if known is None:
            arguments = self.arguments
            known = _constructed(self.definition, arguments) if arguments else self.definition.readable_path
            self._id_text = known
        return known


class TypeParameterType:
    """``ordinal`` counts across enclosing types; a method's own parameters start at 0. Made by ``TypeFactory.parameter``."""

    __slots__ = ("array", "is_value_type", "name", "of_method", "ordinal", "pointer")

    def __init__(self, name: str, ordinal: int, of_method: bool, is_value_type: bool = False) -> None:
        self.name: Final = name
        self.ordinal: Final = ordinal
        self.of_method: Final = of_method
        self.is_value_type: Final = is_value_type
        self.array: dict[int, ArrayType] | None = None
        self.pointer: PointerType | None = None


class ArrayType:
    __slots__ = ("array", "element", "pointer", "rank")
    element: Type
    rank: int
    array: dict[int, ArrayType] | None
    pointer: PointerType | None

    def __new__(cls, element: Type, rank: int = 1) -> ArrayType:
        arrays = element.array
        if arrays is None:
            arrays = element.array = {}
        made = arrays.get(rank)
        if made is None:
            made = object.__new__(cls)
            made.element, made.rank, made.array, made.pointer = element, rank, None, None
            arrays[rank] = made
        return made


class PointerType:
    __slots__ = ("array", "element", "pointer")
    element: Type
    array: dict[int, ArrayType] | None
    pointer: PointerType | None

    def __new__(cls, element: Type) -> PointerType:
        made = element.pointer
        if made is None:
            made = object.__new__(cls)
            made.element, made.array, made.pointer = element, None, None
            element.pointer = made
        return made


class FunctionPointerType:
    """``delegate*<…>`` (ECMA-334 §23.3, C# 9). ``types``: of its parameters, then of its result; ``passings``: how its parameters are
    passed, as ``bodies.RefKind`` counts. Its parts have no place in an id: Roslyn prints nothing for it. Made by ``TypeFactory``, once
    for equal parts."""

    __slots__ = ("array", "factory", "passings", "pointer", "types")

    def __init__(self, factory: TypeFactory, types: tuple[Type, ...], passings: tuple[int, ...]) -> None:
        self.factory: Final = factory
        self.types: Final = types
        self.passings: Final = passings
        self.array: dict[int, ArrayType] | None = None
        self.pointer: PointerType | None = None


class DynamicType:
    """``dynamic``; ``System.Object`` in ids. Made by ``TypeFactory``, once."""

    __slots__ = ("array", "pointer")

    def __init__(self) -> None:
        self.array: dict[int, ArrayType] | None = None
        self.pointer: PointerType | None = None


class ErrorType:
    """A type that was not found, under its name as written. ``reason`` says why. Made by ``TypeFactory.error``. ``base``: a class that it
    derives from where that is known all the same, as of what is caught."""

    __slots__ = ("arguments", "array", "base", "factory", "pointer", "reason", "text")

    def __init__(
        self, factory: TypeFactory, text: str, arguments: tuple[Type, ...], reason: str, base: NamedType | None = None
    ) -> None:
        self.factory: Final = factory
        self.text: Final = text
        self.arguments: Final = arguments
        self.reason: Final = reason
        self.base: Final = base
        self.array: dict[int, ArrayType] | None = None
        self.pointer: PointerType | None = None

    @property
    def as_written(self) -> ErrorType:
        """The type as it is wherever its name stands."""
        return self if self.base is None else self.factory.error(self.text, self.arguments, self.reason)


class TypeFactory:
    """The types of one symbol table that no definition keeps."""

    def __init__(self) -> None:
        self._parameters: Final[dict[tuple[str, int, bool, bool], TypeParameterType]] = {}
        self._errors: Final[dict[tuple[str, tuple[Type, ...], str, NamedType | None], ErrorType]] = {}
        self.dynamic: Final = DynamicType()
        self._function_pointers: Final[dict[tuple[tuple[Type, ...], tuple[int, ...]], FunctionPointerType]] = {}

    def forget_errors(self) -> None:
        self._errors.clear()

    def function_pointer(self, types: tuple[Type, ...], passings: tuple[int, ...]) -> FunctionPointerType:
        key = (types, passings)
        made = self._function_pointers.get(key)
        if made is None:
            made = self._function_pointers[key] = FunctionPointerType(self, types, passings)
        return made

    def parameter(self, name: str, ordinal: int, of_method: bool, is_value_type: bool = False) -> TypeParameterType:
        key = (name, ordinal, of_method, is_value_type)
        made = self._parameters.get(key)
        if made is None:
            made = self._parameters[key] = TypeParameterType(name, ordinal, of_method, is_value_type)
        return made

    def error(
        self, text: str, arguments: tuple[Type, ...] = (), reason: str = "not found", base: NamedType | None = None
    ) -> ErrorType:
        key = (text, arguments, reason, base)
        made = self._errors.get(key)
        if made is None:
            made = self._errors[key] = ErrorType(self, text, arguments, reason, base)
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
    if isinstance(type_, FunctionPointerType):
        parts = tuple([substitute(each, arguments, method_arguments) for each in type_.types])
        return type_.factory.function_pointer(parts, type_.passings)
    if isinstance(type_, ErrorType) and type_.arguments:
        own = tuple([substitute(a, arguments, method_arguments) for a in type_.arguments])
        return type_.factory.error(type_.text, own, type_.reason, type_.base)
    return type_


def has_type_parameters(type_: Type) -> bool:
    """Some part of the type is a type parameter."""
    if isinstance(type_, NamedType):
        return type_.is_open
    if isinstance(type_, (ArrayType, PointerType)):
        return has_type_parameters(type_.element)
    if isinstance(type_, FunctionPointerType):
        return any(has_type_parameters(each) for each in type_.types)
    if isinstance(type_, ErrorType):
        return any(has_type_parameters(a) for a in type_.arguments)
    return isinstance(type_, TypeParameterType)


def contains_error(type_: Type) -> bool:
    """Some part of the type was not found."""
    if isinstance(type_, NamedType):
        return type_.has_error
    if isinstance(type_, (ArrayType, PointerType)):
        return contains_error(type_.element)
    if isinstance(type_, FunctionPointerType):
        return any(contains_error(each) for each in type_.types)
    return isinstance(type_, ErrorType)


def documentation_id(type_: Type) -> str:
    """The type inside a documentation-comment id (ECMA-334 annex D.4.2): ``System.Collections.Generic.List{System.Int32}``."""
    if isinstance(type_, NamedType):
        return type_.id_text
    if isinstance(type_, TypeParameterType):
        return f"``{type_.ordinal}" if type_.of_method else f"`{type_.ordinal}"
    if isinstance(type_, ArrayType):
        suffix = "[]" if type_.rank == 1 else "[" + ",".join(["0:"] * type_.rank) + "]"
        return documentation_id(type_.element) + suffix
    if isinstance(type_, PointerType):
        return documentation_id(type_.element) + "*"
    if isinstance(type_, DynamicType):
        return "System.Object"
    if isinstance(type_, ErrorType):
        arguments = type_.arguments
        return type_.text + ("{" + ",".join([documentation_id(a) for a in arguments]) + "}" if arguments else "")
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
