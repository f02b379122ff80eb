"""Members of types, source and library alike: what lookup finds and overload resolution chooses among.

A member's types are those of its declaration; a constructed container's arguments are put in by ``substitute`` where it is used. Members
that the language makes without a declaration are here too: default constructors, what records synthesise, ``Invoke`` of delegates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.metadata import doc_ids
from codemap_plugins.csharp.metadata.surface import MemberFlags, Method, Property, TypeParameterFlags, TypeSurface
from codemap_plugins.csharp.metadata.surface import Parameter as LibraryParameter
from codemap_plugins.csharp.metadata.surface import TypeParameter as LibraryTypeParameter
from codemap_plugins.csharp.metadata.surface import visibility as library_visibility
from codemap_plugins.csharp.symbols.definitions import (
    LibraryTypeDefinition,
    SourceTypeDefinition,
    TypeDefinition,
    TypePart,
)
from codemap_plugins.csharp.symbols.identity import MemberIdentity
from codemap_plugins.csharp.symbols.rows import SymbolRows, member_visibility
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type, TypeParameterType, documentation_id
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration, Modifiers
from codemap_plugins.csharp.unit import Parameter as ParameterSyntax
from codemap_plugins.csharp.unit import TypeParameter as TypeParameterSyntax

UNKNOWN: Final = ErrorType("?", reason="unknown")
"""The type of what could not be bound. It converts to everything, and nothing is concluded from it."""


class MemberKind(IntEnum):
    METHOD = 0
    CONSTRUCTOR = 1
    PROPERTY = 2
    INDEXER = 3
    FIELD = 4
    EVENT = 5
    OPERATOR = 6


class Passing(IntEnum):
    """How a parameter is passed; the values of ``bodies.RefKind``."""

    VALUE = 0
    REF = 1
    OUT = 2
    IN = 3
    REF_READONLY = 4


class ParameterSymbol:
    __slots__ = ("is_optional", "is_params", "name", "passing", "type")

    def __init__(
        self, name: str, type_: Type, passing: int = 0, is_optional: bool = False, is_params: bool = False
    ) -> None:
        self.name = name
        self.type = type_
        self.passing = passing
        self.is_optional = is_optional
        self.is_params = is_params


class TypeParameterSymbol:
    """A method's or type's type parameter with its constraints, in the terms of its declaration."""

    __slots__ = ("constraints", "has_class", "has_struct", "name", "variance")

    def __init__(
        self, name: str, constraints: tuple[Type, ...], has_class: bool, has_struct: bool, variance: int = 0
    ) -> None:
        """``variance``: 1 for ``out``, -1 for ``in``, else 0."""
        self.variance = variance
        self.name = name
        self.constraints = constraints
        self.has_class = has_class
        self.has_struct = has_struct


class Member:
    """One member. Signatures are resolved when first asked for: most members of a type never are."""

    __slots__ = (
        "_load",
        "_signature",
        "_symbol_id",
        "arity",
        "can_write",
        "declaration",
        "definition",
        "explicit_interface",
        "is_abstract",
        "is_extension",
        "is_override",
        "is_static",
        "is_virtual",
        "kind",
        "name",
        "part",
        "priority",
        "visibility",
    )

    def __init__(
        self,
        kind: MemberKind,
        name: str,
        definition: TypeDefinition,
        *,
        is_static: bool,
        visibility: Visibility,
        load: Callable[[], Signature],
        symbol_id: str | Callable[[], str],
        arity: int = 0,
        is_extension: bool = False,
        is_override: bool = False,
        is_virtual: bool = False,
        is_abstract: bool = False,
        can_write: bool = True,
        priority: int = 0,
        declaration: MemberDeclaration | None = None,
        part: TypePart | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.definition = definition
        self.is_static = is_static
        self.visibility = visibility
        self.arity = arity
        self.is_extension = is_extension
        self.is_override = is_override
        self.is_virtual = is_virtual
        self.is_abstract = is_abstract
        self.can_write = can_write
        self.priority = priority
        self.declaration = declaration
        self.part = part
        self.explicit_interface = declaration is not None and declaration.explicit_interface is not None
        self._load = load
        self._signature: Signature | None = None
        self._symbol_id = symbol_id

    @property
    def signature(self) -> Signature:
        found = self._signature
        if found is None:
            found = self._signature = self._load()
        return found

    @property
    def parameters(self) -> Sequence[ParameterSymbol]:
        return self.signature.parameters

    @property
    def type(self) -> Type:
        """Return type of a method, type of anything else."""
        return self.signature.type

    @property
    def symbol_id(self) -> str:
        found = self._symbol_id
        if not isinstance(found, str):
            found = self._symbol_id = found()
        return found

    @property
    def is_external(self) -> bool:
        return self.definition.external

    def signature_key(self) -> str:
        """What two members of one name must share for one to hide or fill the other: arity and parameter types (ECMA-334 §7.6)."""
        return self.signature.key


class Signature:
    __slots__ = ("key", "parameters", "type", "type_parameters")

    def __init__(
        self,
        type_: Type,
        parameters: tuple[ParameterSymbol, ...] = (),
        type_parameters: tuple[TypeParameterSymbol, ...] = (),
    ) -> None:
        self.type = type_
        self.parameters = parameters
        self.type_parameters = type_parameters
        self.key = f"{len(type_parameters)}({','.join(documentation_id(p.type) + ('@' if p.passing else '') for p in parameters)})"


MemberMap = dict[str, tuple[Member, ...]]

_KINDS: Final = {
    DeclarationKind.METHOD: MemberKind.METHOD,
    DeclarationKind.FINALIZER: MemberKind.METHOD,
    DeclarationKind.CONSTRUCTOR: MemberKind.CONSTRUCTOR,
    DeclarationKind.PRIMARY_CONSTRUCTOR: MemberKind.CONSTRUCTOR,
    DeclarationKind.PROPERTY: MemberKind.PROPERTY,
    DeclarationKind.POSITIONAL_PROPERTY: MemberKind.PROPERTY,
    DeclarationKind.INDEXER: MemberKind.INDEXER,
    DeclarationKind.FIELD: MemberKind.FIELD,
    DeclarationKind.CONSTANT: MemberKind.FIELD,
    DeclarationKind.ENUM_MEMBER: MemberKind.FIELD,
    DeclarationKind.EVENT: MemberKind.EVENT,
    DeclarationKind.FIELD_LIKE_EVENT: MemberKind.EVENT,
    DeclarationKind.OPERATOR: MemberKind.OPERATOR,
    DeclarationKind.CONVERSION: MemberKind.OPERATOR,
}
_PASSING: Final = {"ref": Passing.REF, "out": Passing.OUT, "in": Passing.IN}
INDEXER_NAME: Final = "this[]"
"""Indexers are filed under this name, whatever their metadata name."""
CONSTRUCTOR_NAME: Final = ".ctor"


class MemberTable:
    """Members of any type by name, made when a type is first looked into and kept."""

    def __init__(self, table: SymbolTable, rows: SymbolRows) -> None:
        self.table: Final = table
        self._rows: Final = rows
        self._members: dict[TypeDefinition, MemberMap] = {}
        self._type_parameters: dict[TypeDefinition, tuple[TypeParameterSymbol, ...]] = {}
        self._by_declaration: dict[tuple[object, int], Member] = {}
        self._anonymous: dict[tuple[str, ...], AnonymousTypeDefinition] = {}

    def of(self, definition: TypeDefinition) -> MemberMap:
        """Declared and synthesised members, inherited ones not."""
        known = self._members.get(definition)
        if known is None:
            collected: dict[str, list[Member]] = {}
            if isinstance(definition, SourceTypeDefinition):
                self._collect_source(definition, collected)
            elif isinstance(definition, LibraryTypeDefinition):
                self._collect_library(definition, collected)
            elif isinstance(definition, AnonymousTypeDefinition):
                known = self._members[definition] = anonymous_members(definition)
                return known
            known = self._members[definition] = {name: tuple(members) for name, members in collected.items()}
        return known

    def anonymous_type(self, names: tuple[str, ...], types: tuple[Type, ...]) -> NamedType:
        """The anonymous type with these members; equal ones are one type."""
        definition = self._anonymous.get(names)
        if definition is None:
            definition = self._anonymous[names] = AnonymousTypeDefinition(names)
        return NamedType(definition, types)

    def members_are_known(self, definition: TypeDefinition) -> bool:
        """False for a library type whose members the catalog leaves out or whose assembly is missing."""
        return not isinstance(definition, LibraryTypeDefinition) or self.table.libraries.surface_is_known(definition)

    def declared(self, part: TypePart, index: int) -> Member | None:
        """The member that a file's declaration ``index`` is."""
        definition = part.document.definitions[part.index]
        self.of(definition)
        return self._by_declaration.get((part.document, index))

    def type_parameters(self, definition: TypeDefinition) -> tuple[TypeParameterSymbol, ...]:
        """Type parameters of all levels, with constraints."""
        known = self._type_parameters.get(definition)
        if known is None:
            self._type_parameters[definition] = ()
            known = self._type_parameters[definition] = self._read_type_parameters(definition)
        return known

    def _read_type_parameters(self, definition: TypeDefinition) -> tuple[TypeParameterSymbol, ...]:
        if isinstance(definition, SourceTypeDefinition):
            found: list[TypeParameterSymbol] = []
            for level in reversed(list(definition.enclosing())):
                if level.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
                    continue
                part = level.parts[0]
                resolver = self.table.resolver_for(part, level, own_only=True)
                constrained = next(
                    (p for p in level.parts if any(t.constraints for t in p.declaration.type_parameters)), part
                )
                found.extend(_source_type_parameters(constrained.declaration.type_parameters, resolver))
            return tuple(found)
        if isinstance(definition, LibraryTypeDefinition):
            surface = self.table.libraries.surface(definition)
            if surface is not None:
                return tuple(self._library_type_parameter(p, definition) for p in surface.type_parameters)
        return tuple(TypeParameterSymbol("", (), False, False) for _ in range(definition.total_arity))

    # Source

    def _collect_source(self, definition: SourceTypeDefinition, found: dict[str, list[Member]]) -> None:
        table = self.table
        partial: dict[str, Member] = {}
        has_constructor = False
        replaced = self._rows.explicit_names(definition) if definition.kind is SymbolKind.RECORD else frozenset()
        for part in definition.parts:
            resolver = table.resolver_for(part, definition)
            identity = MemberIdentity(definition, resolver)
            for index, declaration in enumerate(table.members_of(part.document.key).declarations):
                if declaration.parent != part.index or declaration.condition:
                    continue
                kind = _KINDS.get(declaration.kind)
                if kind is None:
                    continue
                if declaration.kind is DeclarationKind.POSITIONAL_PROPERTY and (
                    declaration.name in replaced or self._rows.inherits_property(definition, declaration.name)
                ):
                    continue
                member = self._source_member(definition, part, identity, declaration, kind)
                self._by_declaration[part.document, index] = member
                if kind is MemberKind.CONSTRUCTOR:
                    has_constructor = True
                if Modifiers.PARTIAL in declaration.modifiers:
                    first = partial.setdefault(member.symbol_id, member)
                    if first is not member:
                        continue
                if member.explicit_interface:
                    continue
                name = INDEXER_NAME if kind is MemberKind.INDEXER else declaration.name
                found.setdefault(name, []).append(member)
        self._add_synthesised(definition, found, has_constructor)

    def _source_member(
        self,
        definition: SourceTypeDefinition,
        part: TypePart,
        identity: MemberIdentity,
        declaration: MemberDeclaration,
        kind: MemberKind,
    ) -> Member:
        modifiers = declaration.modifiers
        block = definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK
        is_static = (
            Modifiers.STATIC in modifiers
            or declaration.kind in (DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER)
            or (kind is MemberKind.OPERATOR and not declaration.name.endswith("Assignment"))
        )
        in_interface = definition.kind is SymbolKind.INTERFACE
        writable = kind not in (MemberKind.PROPERTY, MemberKind.INDEXER) or any(
            a.name != "get" for a in declaration.accessors
        )
        return Member(
            kind,
            declaration.name,
            definition,
            is_static=is_static,
            visibility=member_visibility(definition, declaration),
            load=lambda: self._source_signature(definition, identity, declaration),
            symbol_id=lambda: self._rows.member_id(identity, declaration),
            arity=len(declaration.type_parameters),
            is_extension=(bool(declaration.parameters) and "this" in declaration.parameters[0].modifiers) or block,
            is_override=Modifiers.OVERRIDE in modifiers,
            is_virtual=Modifiers.VIRTUAL in modifiers or Modifiers.ABSTRACT in modifiers or in_interface,
            is_abstract=Modifiers.ABSTRACT in modifiers or (in_interface and declaration.body < 0),
            can_write=writable,
            priority=_priority(declaration),
            declaration=declaration,
            part=part,
        )

    def _source_signature(
        self, definition: SourceTypeDefinition, identity: MemberIdentity, declaration: MemberDeclaration
    ) -> Signature:
        resolver = identity.resolver_for(declaration)
        parameters = [source_parameter(p, resolver) for p in declaration.parameters]
        type_parameters = _source_type_parameters(declaration.type_parameters, resolver)
        if declaration.kind in (
            DeclarationKind.ENUM_MEMBER,
            DeclarationKind.CONSTRUCTOR,
            DeclarationKind.PRIMARY_CONSTRUCTOR,
        ):
            type_: Type = NamedType(definition, self.table.own_arguments(definition))
        else:
            type_ = resolver.resolve(declaration.type.text) if declaration.type is not None else UNKNOWN
        if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
            block = definition.parts[0].declaration
            type_parameters = _source_type_parameters(block.type_parameters, resolver) + type_parameters
            if block.receiver is not None and Modifiers.STATIC not in declaration.modifiers:
                parameters.insert(0, source_parameter(block.receiver, resolver))
        return Signature(type_, tuple(parameters), type_parameters)

    def _add_synthesised(
        self, definition: SourceTypeDefinition, found: dict[str, list[Member]], has_constructor: bool
    ) -> None:
        own = NamedType(definition, self.table.own_arguments(definition))
        path = definition.container_path
        kind = definition.kind
        well_known = self.table.well_known
        project = definition.project

        def make(
            member_kind: MemberKind,
            name: str,
            symbol_id: str,
            type_: Type,
            *parameters: ParameterSymbol,
            is_static: bool = False,
            override: bool = False,
        ) -> None:
            member = Member(
                member_kind,
                name,
                definition,
                is_static=is_static,
                visibility=Visibility.PUBLIC,
                load=lambda: Signature(type_, parameters),
                symbol_id=symbol_id,
                is_override=override,
                is_virtual=override,
            )
            found.setdefault(name, []).append(member)

        static_class = Modifiers.STATIC in definition.modifiers
        if kind in (SymbolKind.CLASS, SymbolKind.RECORD, SymbolKind.STRUCT) and not static_class:
            constructors = found.get(CONSTRUCTOR_NAME, ())
            parameterless = any(m.declaration is not None and not m.declaration.parameters for m in constructors)
            if not has_constructor or (definition.is_value_type and not parameterless):
                make(MemberKind.CONSTRUCTOR, CONSTRUCTOR_NAME, f"M:{path}.#ctor", own)
        if kind is SymbolKind.DELEGATE:
            declaration = definition.parts[0].declaration
            resolver = self.table.resolver_for(definition.parts[0], definition)
            parameters = tuple(source_parameter(p, resolver) for p in declaration.parameters)
            returns = resolver.resolve(declaration.return_type.text) if declaration.return_type is not None else UNKNOWN
            arguments = ",".join(documentation_id(p.type) + ("@" if p.passing else "") for p in parameters)
            make(
                MemberKind.METHOD,
                "Invoke",
                f"M:{path}.Invoke" + (f"({arguments})" if parameters else ""),
                returns,
                *parameters,
            )
        if kind is SymbolKind.RECORD:
            boolean = well_known("System", "Boolean", 0, project)
            spelled = documentation_id(own)
            pair = (ParameterSymbol("left", own), ParameterSymbol("right", own))
            for name in ("op_Equality", "op_Inequality"):
                make(MemberKind.OPERATOR, name, f"M:{path}.{name}({spelled},{spelled})", boolean, *pair, is_static=True)
            declared = {m.symbol_id for m in found.get("Equals", ())}
            if f"M:{path}.Equals({spelled})" not in declared:
                make(MemberKind.METHOD, "Equals", f"M:{path}.Equals({spelled})", boolean, ParameterSymbol("other", own))
            if "GetHashCode" not in found:
                make(
                    MemberKind.METHOD,
                    "GetHashCode",
                    f"M:{path}.GetHashCode",
                    well_known("System", "Int32", 0, project),
                    override=True,
                )
            if "ToString" not in found:
                make(
                    MemberKind.METHOD,
                    "ToString",
                    f"M:{path}.ToString",
                    well_known("System", "String", 0, project),
                    override=True,
                )
            primary = next(
                (
                    m
                    for m in found.get(CONSTRUCTOR_NAME, ())
                    if m.declaration and m.declaration.kind is DeclarationKind.PRIMARY_CONSTRUCTOR
                ),
                None,
            )
            if primary is not None and primary.parameters and "Deconstruct" not in found:
                outs = tuple(ParameterSymbol(p.name, p.type, Passing.OUT) for p in primary.parameters)
                spelled_outs = ",".join(documentation_id(p.type) + "@" for p in outs)
                make(
                    MemberKind.METHOD,
                    "Deconstruct",
                    f"M:{path}.Deconstruct({spelled_outs})",
                    well_known("System", "Void", 0, project),
                    *outs,
                )

    # Libraries

    def _collect_library(self, definition: LibraryTypeDefinition, found: dict[str, list[Member]]) -> None:
        surface = self.table.libraries.surface(definition)
        if surface is None:
            return
        for method in surface.methods:
            member = self._library_method(definition, surface, method)
            found.setdefault(method.name, []).append(member)
        for prop in surface.properties:
            name = INDEXER_NAME if prop.parameters else prop.name
            found.setdefault(name, []).append(self._library_property(definition, surface, prop))
        for field in surface.fields:
            found.setdefault(field.name, []).append(
                Member(
                    MemberKind.FIELD,
                    field.name,
                    definition,
                    is_static=bool(field.flags & (MemberFlags.STATIC | MemberFlags.CONST)),
                    visibility=library_visibility(field.flags),
                    load=lambda f=field: Signature(self._library_type(f.type, definition)),  # type: ignore[misc]
                    symbol_id=lambda f=field: doc_ids.field_id(surface.name, f),  # type: ignore[misc]
                )
            )
        for event in surface.events:
            found.setdefault(event.name, []).append(
                Member(
                    MemberKind.EVENT,
                    event.name,
                    definition,
                    is_static=bool(event.flags & MemberFlags.STATIC),
                    visibility=library_visibility(event.flags),
                    load=lambda e=event: Signature(self._library_type(e.type, definition)),  # type: ignore[misc]
                    symbol_id=lambda e=event: doc_ids.event_id(surface.name, e),  # type: ignore[misc]
                    is_override=bool(event.flags & MemberFlags.OVERRIDE),
                    is_virtual=bool(event.flags & (MemberFlags.VIRTUAL | MemberFlags.ABSTRACT)),
                    is_abstract=bool(event.flags & MemberFlags.ABSTRACT),
                )
            )

    def _library_method(self, definition: LibraryTypeDefinition, surface: TypeSurface, method: Method) -> Member:
        flags = method.flags
        kind = MemberKind.METHOD
        if method.name == CONSTRUCTOR_NAME:
            kind = MemberKind.CONSTRUCTOR
        elif method.name.startswith("op_"):
            kind = MemberKind.OPERATOR
        return Member(
            kind,
            method.name,
            definition,
            is_static=bool(flags & MemberFlags.STATIC),
            visibility=library_visibility(flags),
            load=lambda: Signature(
                NamedType(definition, self.own_arguments(definition))
                if kind is MemberKind.CONSTRUCTOR
                else self._library_type(method.returns, definition),
                tuple(self._library_parameter(p, definition) for p in method.parameters),
                tuple(self._library_type_parameter(p, definition) for p in method.type_parameters),
            ),
            symbol_id=lambda: doc_ids.method_id(surface.name, method),
            arity=len(method.type_parameters),
            is_extension=bool(flags & MemberFlags.EXTENSION),
            is_override=bool(flags & MemberFlags.OVERRIDE),
            is_virtual=bool(flags & (MemberFlags.VIRTUAL | MemberFlags.ABSTRACT)),
            is_abstract=bool(flags & MemberFlags.ABSTRACT),
            priority=method.priority,
        )

    def _library_property(self, definition: LibraryTypeDefinition, surface: TypeSurface, prop: Property) -> Member:
        flags = prop.flags
        return Member(
            MemberKind.INDEXER if prop.parameters else MemberKind.PROPERTY,
            prop.name,
            definition,
            is_static=bool(flags & MemberFlags.STATIC),
            visibility=library_visibility(flags),
            load=lambda: Signature(
                self._library_type(prop.type, definition),
                tuple(self._library_parameter(p, definition) for p in prop.parameters),
            ),
            symbol_id=lambda: doc_ids.property_id(surface.name, prop),
            is_override=bool(flags & MemberFlags.OVERRIDE),
            is_virtual=bool(flags & (MemberFlags.VIRTUAL | MemberFlags.ABSTRACT)),
            is_abstract=bool(flags & MemberFlags.ABSTRACT),
            can_write=bool(flags & MemberFlags.HAS_SETTER),
            priority=prop.priority,
        )

    def own_arguments(self, definition: TypeDefinition) -> tuple[Type, ...]:
        """The type parameters of a type as its own arguments."""
        if isinstance(definition, SourceTypeDefinition):
            return self.table.own_arguments(definition)
        return tuple(TypeParameterType(str(i), i, False) for i in range(definition.total_arity))

    def _library_parameter(self, parameter: LibraryParameter, definition: LibraryTypeDefinition) -> ParameterSymbol:
        return ParameterSymbol(
            parameter.name,
            self._library_type(parameter.type, definition),
            int(parameter.ref_kind),
            parameter.is_optional,
            parameter.is_params,
        )

    def _library_type_parameter(
        self, parameter: LibraryTypeParameter, definition: LibraryTypeDefinition
    ) -> TypeParameterSymbol:
        return TypeParameterSymbol(
            parameter.name,
            tuple(self._library_type(text, definition) for text in parameter.constraints),
            bool(parameter.flags & TypeParameterFlags.CLASS),
            bool(parameter.flags & TypeParameterFlags.STRUCT),
            1
            if parameter.flags & TypeParameterFlags.COVARIANT
            else -1
            if parameter.flags & TypeParameterFlags.CONTRAVARIANT
            else 0,
        )

    def _library_type(self, text: str, definition: LibraryTypeDefinition) -> Type:
        return self.table.libraries.type_of(text, definition)


def source_parameter(parameter: ParameterSyntax, resolver: TypeResolver) -> ParameterSymbol:
    passing = Passing.VALUE
    for word in parameter.modifiers:
        passing = _PASSING.get(word, passing)
    if passing is Passing.REF and "readonly" in parameter.modifiers:
        passing = Passing.REF_READONLY
    return ParameterSymbol(
        parameter.name,
        resolver.resolve(parameter.type.text) if parameter.type is not None else UNKNOWN,
        int(passing),
        parameter.default is not None,
        "params" in parameter.modifiers,
    )


def _source_type_parameters(
    parameters: Sequence[TypeParameterSyntax], resolver: TypeResolver
) -> tuple[TypeParameterSymbol, ...]:
    return tuple(
        TypeParameterSymbol(
            p.name,
            tuple(resolver.resolve(c.text) for c in p.constraints),
            any(k.startswith("class") for k in p.keywords),
            "struct" in p.keywords or "unmanaged" in p.keywords,
            {"out": 1, "in": -1}.get(p.variance, 0),
        )
        for p in parameters
    )


def _priority(declaration: MemberDeclaration) -> int:
    for attribute in declaration.attributes:
        if "OverloadResolutionPriority" in attribute.name.text and attribute.arguments:
            value = attribute.arguments[0].value
            if isinstance(value, int):
                return value
    return 0


class AnonymousTypeDefinition(TypeDefinition):
    """An anonymous type (ECMA-334 §12.8.17.7): structural, generic over the types of its members; it has no id."""

    __slots__ = ("member_names",)

    def __init__(self, member_names: tuple[str, ...]) -> None:
        super().__init__("", (("<anonymous>", len(member_names)),), SymbolKind.CLASS, False, external=True)
        self.member_names: Final = member_names


def anonymous_members(definition: AnonymousTypeDefinition) -> MemberMap:
    """Read-only properties; their empty ids say that nothing refers to them."""

    def load(index: int, name: str) -> Callable[[], Signature]:
        return lambda: Signature(TypeParameterType(name, index, False))

    return {
        name: (
            Member(
                MemberKind.PROPERTY,
                name,
                definition,
                is_static=False,
                visibility=Visibility.PUBLIC,
                load=load(index, name),
                symbol_id="",
                can_write=False,
            ),
        )
        for index, name in enumerate(definition.member_names)
    }
