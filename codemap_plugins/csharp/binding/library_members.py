"""Members of library types, made from a type's surface one name at a time: most names are never asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from codemap_core.model import Visibility
from codemap_plugins.csharp.binding.members import (
    CONSTRUCTOR_NAME,
    INDEXER_NAME,
    MANY,
    Member,
    MemberKind,
    MemberMap,
    ParameterSymbol,
    Signature,
    TypeParameterSymbol,
)
from codemap_plugins.csharp.metadata import doc_ids
from codemap_plugins.csharp.metadata.extension_blocks import getter_implementation, implementation
from codemap_plugins.csharp.metadata.surface import (
    Event,
    Field,
    MemberFlags,
    Method,
    Parameter,
    Property,
    TypeParameter,
    TypeParameterFlags,
    TypeSurface,
)
from codemap_plugins.csharp.symbols.definitions import LibraryExtensionBlock, LibraryTypeDefinition
from codemap_plugins.csharp.symbols.libraries import Libraries
from codemap_plugins.csharp.symbols.types import NamedType, Type

# Plain integers: an ``IntFlag`` costs a Python call for each ``&``.
_STATIC: Final = int(MemberFlags.STATIC)
_CONST: Final = int(MemberFlags.CONST)
_EXTENSION: Final = int(MemberFlags.EXTENSION)
_OVERRIDE: Final = int(MemberFlags.OVERRIDE)
_ABSTRACT: Final = int(MemberFlags.ABSTRACT)
_VIRTUAL: Final = int(MemberFlags.VIRTUAL) | _ABSTRACT
_SETTER: Final = int(MemberFlags.HAS_SETTER)
_PROTECTED: Final = int(MemberFlags.PROTECTED)
_PROTECTED_INTERNAL: Final = int(MemberFlags.PROTECTED_INTERNAL)
_COVARIANT: Final = int(TypeParameterFlags.COVARIANT)
_CONTRAVARIANT: Final = int(TypeParameterFlags.CONTRAVARIANT)
_CLASS: Final = int(TypeParameterFlags.CLASS)
_STRUCT: Final = int(TypeParameterFlags.STRUCT)
_NEW: Final = int(TypeParameterFlags.NEW)
_ALLOWS_REF_STRUCT: Final = int(TypeParameterFlags.ALLOWS_REF_STRUCT)


def _visibility(flags: int) -> Visibility:
    if flags & _PROTECTED:
        return Visibility.PROTECTED
    return Visibility.PROTECTED_INTERNAL if flags & _PROTECTED_INTERNAL else Visibility.PUBLIC


class LibraryMembers(Mapping[str, tuple[Member, ...]]):
    """The members of one library type by name."""

    def __init__(self, libraries: Libraries, definition: LibraryTypeDefinition) -> None:
        self._libraries: Final = libraries
        self._definition: Final = definition
        self._made: dict[str, tuple[Member, ...]] = {}
        self._items: dict[str, list[Method | Property | Field | Event]] = {}
        surface = libraries.surface(definition)
        self._surface: Final[TypeSurface | None] = surface
        if surface is not None:
            items = self._items
            for method in surface.methods:
                items.setdefault(method.name, []).append(method)
            for prop in surface.properties:
                items.setdefault(INDEXER_NAME if prop.parameters else prop.name, []).append(prop)
            for field in surface.fields:
                items.setdefault(field.name, []).append(field)
            for event in surface.events:
                items.setdefault(event.name, []).append(event)

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, name: str) -> tuple[Member, ...]:
        made = self._made.get(name)
        if made is None:
            made = self._made[name] = tuple(self._member(item) for item in self._items[name])
        return made

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def get(self, name: str, default: Any = None, /) -> Any:
        """Most names are not there: what ``Mapping`` does, an exception and its handling, costs many times a look."""
        return self[name] if name in self._items else default

    def constant(self, name: str) -> str | int | float | bool | None:
        """The value of a constant field or enum member; null where it has none."""
        for item in self._items.get(name, ()):
            if isinstance(item, Field):
                return item.value
        return None

    def extension_names(self) -> Iterator[str]:
        """Names that some extension method bears."""
        if self._surface is not None:
            seen: set[str] = set()
            for method in self._surface.methods:
                if method.flags & _EXTENSION and method.name not in seen:
                    seen.add(method.name)
                    yield method.name

    def of_block(self, block: LibraryExtensionBlock) -> MemberMap:
        """Static methods, operators and properties of an extension block (C# 14). Its instance methods are found as what implements them,
        the extension methods of the class."""
        found: dict[str, tuple[Member, ...]] = {}
        for method in block.declared.methods:
            if method.flags & _STATIC:
                kind = MemberKind.OPERATOR if method.name.startswith("op_") else MemberKind.METHOD
                made = implementation(block.declared, method)
                member = self._block_member(block, kind, method.name, made, len(method.type_parameters))
                found[method.name] = (*found.get(method.name, ()), member)
        for prop in block.declared.properties:
            if not prop.parameters:
                made = getter_implementation(block.declared, prop)
                member = self._block_member(block, MemberKind.PROPERTY, prop.name, made)
                found[prop.name] = (*found.get(prop.name, ()), member)
        return found

    def type_parameters(self) -> tuple[TypeParameterSymbol, ...] | None:
        """Of all levels; null when the surface is not known."""
        if self._surface is None:
            return None
        return tuple(self._type_parameter(p) for p in self._surface.type_parameters)

    def _member(self, item: Method | Property | Field | Event) -> Member:
        if isinstance(item, Method):
            return self._method(item)
        if isinstance(item, Property):
            return self._property(item)
        assert self._surface is not None
        flags, name = item.flags, self._surface.name
        is_field = isinstance(item, Field)
        return Member(
            MemberKind.FIELD if is_field else MemberKind.EVENT,
            item.name,
            self._definition,
            is_static=bool(flags & (_STATIC | _CONST)),
            visibility=_visibility(flags),
            load=partial(self._signature, item.type),
            symbol_id=partial(doc_ids.field_id, name, item)
            if isinstance(item, Field)
            else partial(doc_ids.event_id, name, item),
            is_override=not is_field and bool(flags & _OVERRIDE),
            is_virtual=not is_field and bool(flags & _VIRTUAL),
            is_abstract=not is_field and bool(flags & _ABSTRACT),
        )

    def _method(self, method: Method) -> Member:
        assert self._surface is not None
        flags, name = method.flags, self._surface.name
        kind = MemberKind.METHOD
        if method.name == CONSTRUCTOR_NAME:
            kind = MemberKind.CONSTRUCTOR
        elif method.name.startswith("op_"):
            kind = MemberKind.OPERATOR
        parameters = method.parameters
        return Member(
            kind,
            method.name,
            self._definition,
            is_static=bool(flags & _STATIC),
            visibility=_visibility(flags),
            load=partial(self._method_signature, kind, method),
            symbol_id=partial(doc_ids.method_id, name, method),
            arity=len(method.type_parameters),
            minimum=sum(not p.is_optional and not p.is_params for p in parameters),
            maximum=MANY if parameters and parameters[-1].is_params else len(parameters),
            is_extension=bool(flags & _EXTENSION),
            is_override=bool(flags & _OVERRIDE),
            is_virtual=bool(flags & _VIRTUAL),
            is_abstract=bool(flags & _ABSTRACT),
            priority=method.priority,
        )

    def _property(self, prop: Property) -> Member:
        assert self._surface is not None
        flags, name, parameters = prop.flags, self._surface.name, prop.parameters
        return Member(
            MemberKind.INDEXER if parameters else MemberKind.PROPERTY,
            prop.name,
            self._definition,
            is_static=bool(flags & _STATIC),
            visibility=_visibility(flags),
            load=partial(self._signature, prop.type, parameters),
            symbol_id=partial(doc_ids.property_id, name, prop),
            minimum=sum(not p.is_optional and not p.is_params for p in parameters),
            maximum=MANY if parameters and parameters[-1].is_params else len(parameters),
            is_override=bool(flags & _OVERRIDE),
            is_virtual=bool(flags & _VIRTUAL),
            is_abstract=bool(flags & _ABSTRACT),
            can_write=bool(flags & _SETTER),
            priority=prop.priority,
        )

    def _block_member(
        self, block: LibraryExtensionBlock, kind: MemberKind, name: str, made: Method, arity: int = 0
    ) -> Member:
        """``made``: the method that implements it; ``arity``: the number of its own type parameters, without those of the block."""
        assert self._surface is not None
        flags, parameters = made.flags, made.parameters
        return Member(
            kind,
            name,
            block,
            is_static=bool(flags & _STATIC),
            visibility=_visibility(flags),
            load=partial(self._method_signature, kind, made),
            symbol_id=partial(doc_ids.method_id, self._surface.name, made),
            arity=arity,
            minimum=sum(not p.is_optional and not p.is_params for p in parameters),
            maximum=MANY if parameters and parameters[-1].is_params else len(parameters),
            is_extension=True,
            can_write=bool(flags & _SETTER),
            priority=made.priority,
        )

    def _signature(self, type_: str, parameters: Sequence[Parameter] = ()) -> Signature:
        return Signature(self._type(type_), tuple(self._parameter(p) for p in parameters))

    def _method_signature(self, kind: MemberKind, method: Method) -> Signature:
        return Signature(
            self._own_type() if kind is MemberKind.CONSTRUCTOR else self._type(method.returns),
            tuple(self._parameter(p) for p in method.parameters),
            tuple(self._type_parameter(p) for p in method.type_parameters),
        )

    def _own_type(self) -> Type:
        definition = self._definition
        return NamedType(
            definition, tuple(self._libraries.types.parameter(str(i), i, False) for i in range(definition.total_arity))
        )

    def _parameter(self, parameter: Parameter) -> ParameterSymbol:
        return ParameterSymbol(
            parameter.name,
            self._type(parameter.type),
            int(parameter.ref_kind),
            parameter.is_optional,
            parameter.is_params,
        )

    def _type_parameter(self, parameter: TypeParameter) -> TypeParameterSymbol:
        flags = parameter.flags
        return TypeParameterSymbol(
            parameter.name,
            tuple(self._type(text) for text in parameter.constraints),
            bool(flags & _CLASS),
            bool(flags & _STRUCT),
            1 if flags & _COVARIANT else -1 if flags & _CONTRAVARIANT else 0,
            bool(flags & _NEW),
            bool(flags & _ALLOWS_REF_STRUCT),
        )

    def _type(self, text: str) -> Type:
        return self._libraries.type_of(text, self._definition)
