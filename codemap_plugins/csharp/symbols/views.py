"""Declarations as fact extractors see them: ids, attributes with constant arguments, base types."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from codemap_core.hooks.contracts import AttributeView, DeclarationView, UnitKey
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.rows import SymbolRows, owner_of_members, symbol_kind_of
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType
from codemap_plugins.csharp.unit import AttributeSyntax, DeclarationKind, MemberDeclaration


def declaration_views(table: SymbolTable, rows: SymbolRows, key: UnitKey) -> Iterator[DeclarationView]:
    """Every declaration of a file that is compiled, in source order of the types, each before its members."""
    document = table.documents[key]
    members = table.members_of(key).declarations
    for index, declaration in enumerate(document.outline.types):
        if declaration.condition:
            continue
        definition = document.definitions[index]
        part = definition.part_at(document, index)
        header = table.resolver_for(part, definition, own_only=True)
        if declaration.kind is not DeclarationKind.EXTENSION_BLOCK:
            bases = [header.resolve(base.text) for base in declaration.bases]
            container = definition.container
            yield DeclarationView(
                symbol_id=definition.documentation_id,
                kind=definition.kind,
                name=definition.name,
                file_path=key.file_path,
                line_start=declaration.line_start,
                line_end=declaration.line_end,
                attributes=_attributes(header, declaration.attributes),
                base_types=tuple(
                    base.definition.documentation_id if isinstance(base, NamedType) else f"!:{written.text}"
                    for base, written in zip(bases, declaration.bases, strict=True)
                ),
                container_id=container.documentation_id if container is not None else None,
            )
        yield from _members(table, rows, key, definition, part, [m for m in members if m.parent == index])


def _members(
    table: SymbolTable,
    rows: SymbolRows,
    key: UnitKey,
    definition: SourceTypeDefinition,
    part: TypePart,
    members: Sequence[MemberDeclaration],
) -> Iterator[DeclarationView]:
    if not members:
        return
    identity = rows.identity_of(definition, part)
    owner = owner_of_members(definition).documentation_id
    for member in members:
        if member.condition:
            continue
        yield DeclarationView(
            symbol_id=rows.member_id(identity, member),
            kind=symbol_kind_of(member),
            name=member.name,
            file_path=key.file_path,
            line_start=member.line_start,
            line_end=member.line_end,
            attributes=_attributes(identity.resolver_for(member), member.attributes),
            container_id=owner,
        )


def _attributes(resolver: TypeResolver, attributes: Sequence[AttributeSyntax]) -> tuple[AttributeView, ...]:
    """ECMA-334 §22.2.2: an attribute ``X`` is the type ``X`` or ``XAttribute``."""
    views: list[AttributeView] = []
    for attribute in attributes:
        text = attribute.name.text
        type_ = resolver.resolve(text)
        if isinstance(type_, ErrorType):
            name, angle, arguments = text.partition("<")
            type_ = resolver.resolve(f"{name}Attribute{angle}{arguments}")
        views.append(
            AttributeView(
                name=text,
                type_id=type_.definition.documentation_id if isinstance(type_, NamedType) else None,
                arguments=tuple(a.value for a in attribute.arguments if not a.name),
                named_arguments=tuple((a.name, a.value) for a in attribute.arguments if a.name),
                line_start=attribute.line_start,
                line_end=attribute.line_end,
            )
        )
    return tuple(views)
