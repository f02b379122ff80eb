"""Members of types with source: declared ones, and those the language makes without a declaration (default constructors, ``Invoke`` of
delegates; ``record_members`` has those of records), and those that a source generator makes of others (``generated_names``)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.binding.json_contexts import context_members
from codemap_plugins.csharp.binding.made_members import MadeMembers
from codemap_plugins.csharp.binding.members import (
    CONSTRUCTOR_NAME,
    INDEXER_NAME,
    MANY,
    UNKNOWN,
    Member,
    MemberKind,
    ParameterSymbol,
    Passing,
    Signature,
    TypeParameterSymbol,
)
from codemap_plugins.csharp.binding.record_members import record_members
from codemap_plugins.csharp.generated_names import generated_property, is_task, made_for
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.identity import MemberIdentity
from codemap_plugins.csharp.symbols.rows import SymbolRows, member_visibility
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import NamedType, PointerType, Type, documentation_id
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration, Modifiers
from codemap_plugins.csharp.unit import Parameter as ParameterSyntax
from codemap_plugins.csharp.unit import TypeParameter as TypeParameterSyntax

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
_CREATED: Final = frozenset({SymbolKind.CLASS, SymbolKind.RECORD, SymbolKind.STRUCT, SymbolKind.ENUM})
_COMMANDS: Final = "CommunityToolkit.Mvvm.Input"
_COMMAND: Final = "IRelayCommand"
_ASYNC_COMMAND: Final = "IAsyncRelayCommand"
_CANCELLATION: Final = "CancellationToken"
_OPTIONAL: Final = frozenset({"Optional", "OptionalAttribute"})
_PASSING: Final = {"ref": Passing.REF, "out": Passing.OUT, "in": Passing.IN}


class SourceMembers:
    """Makes the members of one source type at a time."""

    def __init__(self, table: SymbolTable, rows: SymbolRows) -> None:
        self._table: Final = table
        self._rows: Final = rows
        self._made: Final = MadeMembers(table, rows)

    def of(
        self, definition: SourceTypeDefinition, by_declaration: dict[tuple[object, int], Member]
    ) -> dict[str, tuple[Member, ...]]:
        """By name; every declared member also goes into ``by_declaration`` under (document, index)."""
        found: dict[str, list[Member]] = {}
        self._collect(definition, found, by_declaration)
        return {name: tuple(members) for name, members in found.items()}

    def _collect(
        self,
        definition: SourceTypeDefinition,
        found: dict[str, list[Member]],
        by_declaration: dict[tuple[object, int], Member],
    ) -> None:
        table = self._table
        partials: dict[str, Member] = {}
        generated: dict[str, Member] = {}
        has_constructor = False
        replaced = self._rows.explicit_names(definition) if definition.kind is SymbolKind.RECORD else frozenset()
        for part in definition.parts:
            identity = self._rows.identity_of(definition, part)
            flags_of_part: int = part.declaration.modifiers
            for index, declaration in table.members_of(part.document.key).of_type(part.index):
                if declaration.condition:
                    continue
                kind = _KINDS.get(declaration.kind)
                if kind is None:
                    continue
                if declaration.kind is DeclarationKind.POSITIONAL_PROPERTY and (
                    declaration.name in replaced or self._rows.inherits_property(definition, declaration.name)
                ):
                    continue
                member = self._source_member(definition, part, identity, declaration, index, kind)
                by_declaration[part.document, index] = member
                if kind is MemberKind.CONSTRUCTOR:
                    has_constructor = True
                name = INDEXER_NAME if kind is MemberKind.INDEXER else declaration.name
                flags: int = declaration.modifiers
                if flags & bits.PARTIAL:
                    first = partials.setdefault(member.symbol_id, member)
                    if first is not member:
                        named = found.get(name, [])
                        if member.minimum < first.minimum and first in named:
                            # Default values stand at the definition, wherever that is (ECMA-334 §15.6.9).
                            named[named.index(first)] = partials[member.symbol_id] = member
                        continue
                if member.explicit_interface:
                    continue
                found.setdefault(name, []).append(member)
                if declaration.attributes and flags_of_part & bits.PARTIAL:
                    self._add_generated(generated, member, declaration)
        for name, made in generated.items():
            found.setdefault(name, [made])
        if definition.modifiers & bits.PARTIAL:
            for each in context_members(definition, table):
                found.setdefault(each.name, [each])
        self._add_synthesised(definition, found, has_constructor)

    def _add_generated(self, found: dict[str, Member], member: Member, declaration: MemberDeclaration) -> None:
        """The property that a source generator makes of a member: what refers to it refers to that."""
        name = generated_property(declaration)
        if name:
            found[name] = Member(
                MemberKind.PROPERTY,
                name,
                member.definition,
                is_static=member.is_static,
                visibility=Visibility.PUBLIC,
                load=partial(self._generated_signature, member, declaration),
                symbol_id=partial(_id_of, member),
                can_write=member.kind is MemberKind.FIELD,
                declaration=declaration,
            )

    def _generated_signature(self, member: Member, declaration: MemberDeclaration) -> Signature:
        """That of a property: of a field its type, of a method a command that is given what that takes."""
        if member.kind is MemberKind.FIELD:
            return Signature(member.type)
        taken = tuple(each.type for each in member.parameters)[:1]
        if taken and isinstance(taken[0], NamedType) and taken[0].definition.name == _CANCELLATION:
            taken = ()
        name = _ASYNC_COMMAND if is_task(declaration) else _COMMAND
        document = self._table.document_of(member.part) if member.part is not None else None
        if document is None:
            return Signature(UNKNOWN)
        command = document.project.types_in(_COMMANDS, name, len(taken), document.key.file_path)
        return Signature(NamedType(command, taken) if command is not None and command.external else UNKNOWN)

    def _source_member(
        self,
        definition: SourceTypeDefinition,
        part: TypePart,
        identity: MemberIdentity,
        declaration: MemberDeclaration,
        index: int,
        kind: MemberKind,
    ) -> Member:
        flags: int = declaration.modifiers
        block = definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK
        is_static = (
            bool(flags & bits.STATIC)
            or declaration.kind in (DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER)
            or (kind is MemberKind.OPERATOR and not declaration.name.endswith("Assignment"))
        )
        receiver = int(block and not flags & bits.STATIC)
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
            load=partial(self._source_signature, definition, identity, declaration),
            symbol_id=partial(self._id, definition, identity, declaration),
            arity=len(declaration.type_parameters),
            minimum=receiver + sum(not _is_optional(p) and "params" not in p.modifiers for p in declaration.parameters),
            maximum=MANY
            if declaration.parameters and "params" in declaration.parameters[-1].modifiers
            else receiver + len(declaration.parameters),
            is_extension=(bool(declaration.parameters) and "this" in declaration.parameters[0].modifiers) or block,
            is_override=bool(flags & bits.OVERRIDE),
            is_virtual=bool(flags & bits.VIRTUAL_OR_ABSTRACT) or in_interface,
            is_abstract=bool(flags & bits.ABSTRACT) or (in_interface and declaration.body < 0),
            can_write=writable,
            priority=_priority(declaration),
            declaration=declaration,
            part=part,
            index=index,
        )

    def _id(self, definition: SourceTypeDefinition, identity: MemberIdentity, declaration: MemberDeclaration) -> str:
        meant = made_for(declaration)
        return self._rows.member_id(identity, declaration) if meant is None else self._made.id(definition, meant)

    def _source_signature(
        self, definition: SourceTypeDefinition, identity: MemberIdentity, declaration: MemberDeclaration
    ) -> Signature:
        resolver = identity.resolver_for(declaration)
        parameters = [source_parameter(p, resolver) for p in declaration.parameters]
        type_parameters = source_type_parameters(declaration.type_parameters, resolver)
        if declaration.kind in (
            DeclarationKind.ENUM_MEMBER,
            DeclarationKind.CONSTRUCTOR,
            DeclarationKind.PRIMARY_CONSTRUCTOR,
        ):
            type_: Type = definition.own_type
        else:
            type_ = resolver.resolve(declaration.type.text) if declaration.type is not None else UNKNOWN
            flags: int = declaration.modifiers
            if flags & bits.FIXED:
                # A fixed-size buffer is used as a pointer to its first element (ECMA-334 §23.8.3).
                type_ = PointerType(type_)
        if definition.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
            block = definition.parts[0].declaration
            type_parameters = source_type_parameters(block.type_parameters, resolver) + type_parameters
            if block.receiver is not None and Modifiers.STATIC not in declaration.modifiers:
                parameters.insert(0, source_parameter(block.receiver, resolver))
        meant = made_for(declaration)
        if meant is not None:
            type_ = self._made.result(definition, meant, type_)
        return Signature(type_, tuple(parameters), type_parameters)

    def _add_synthesised(
        self, definition: SourceTypeDefinition, found: dict[str, list[Member]], has_constructor: bool
    ) -> None:
        own = definition.own_type
        path = definition.container_path
        kind = definition.kind

        def make(
            member_kind: MemberKind,
            name: str,
            symbol_id: str,
            type_: Type,
            *parameters: ParameterSymbol,
        ) -> None:
            member = Member(
                member_kind,
                name,
                definition,
                is_static=False,
                visibility=Visibility.PUBLIC,
                load=partial(Signature, type_, parameters),
                symbol_id=symbol_id,
                minimum=sum(not p.is_optional and not p.is_params for p in parameters),
                maximum=MANY if parameters and parameters[-1].is_params else len(parameters),
            )
            found.setdefault(name, []).append(member)

        flags: int = definition.modifiers
        static_class = bool(flags & bits.STATIC)
        if kind in _CREATED and not static_class:
            constructors = found.get(CONSTRUCTOR_NAME, ())
            parameterless = any(m.declaration is not None and not m.declaration.parameters for m in constructors)
            if not has_constructor or (definition.is_value_type and not parameterless):
                make(MemberKind.CONSTRUCTOR, CONSTRUCTOR_NAME, f"M:{path}.#ctor", own)
        if kind is SymbolKind.DELEGATE:
            declaration = definition.parts[0].declaration
            resolver = self._table.resolver_for(definition.parts[0], definition)
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
            for member in record_members(definition, self._table, found):
                found.setdefault(member.name, []).append(member)


def _id_of(member: Member) -> str:
    return member.symbol_id


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
        _is_optional(parameter),
        "params" in parameter.modifiers,
    )


def _is_optional(parameter: ParameterSyntax) -> bool:
    """By a default (ECMA-334 §15.6.2.1), or by the attribute that stands for one in metadata."""
    return parameter.default is not None or any(
        attribute.name.text.rpartition(".")[2] in _OPTIONAL for attribute in parameter.attributes
    )


def source_type_parameters(
    parameters: Sequence[TypeParameterSyntax], resolver: TypeResolver
) -> tuple[TypeParameterSymbol, ...]:
    return tuple(
        TypeParameterSymbol(
            p.name,
            tuple(resolver.resolve(c.text) for c in p.constraints),
            any(k.startswith("class") for k in p.keywords),
            "struct" in p.keywords or "unmanaged" in p.keywords,
            {"out": 1, "in": -1}.get(p.variance, 0),
            "new()" in p.keywords,
            "allows ref struct" in p.keywords,
        )
        for p in parameters
    )


def _priority(declaration: MemberDeclaration) -> int:
    for attribute in declaration.attributes:
        if "OverloadResolutionPriority" in attribute.name.text and attribute.arguments:
            text = attribute.arguments[0].text.replace("_", "")
            return int(text) if text.removeprefix("-").isdecimal() else 0
    return 0
