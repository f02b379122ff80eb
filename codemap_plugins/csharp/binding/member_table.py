"""Members of any type by name, made when a type is first looked into and kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from codemap_plugins.csharp.binding.library_members import LibraryMembers
from codemap_plugins.csharp.binding.members import (
    AnonymousTypeDefinition,
    Member,
    MemberMap,
    TypeParameterSymbol,
    anonymous_members,
)
from codemap_plugins.csharp.binding.source_members import SourceMembers, source_type_parameters
from codemap_plugins.csharp.symbols.definitions import (
    LibraryExtensionBlock,
    LibraryTypeDefinition,
    SourceTypeDefinition,
    TypePart,
)
from codemap_plugins.csharp.symbols.rows import SymbolRows
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type, TypeDefinition
from codemap_plugins.csharp.unit import DeclarationKind


class MemberTable:
    def __init__(self, table: SymbolTable, rows: SymbolRows) -> None:
        self.table: Final = table
        self._source: Final = SourceMembers(table, rows)
        self._members: dict[TypeDefinition, MemberMap] = {}
        self._type_parameters: dict[TypeDefinition, tuple[TypeParameterSymbol, ...]] = {}
        self._by_declaration: dict[tuple[object, int], Member] = {}
        self._anonymous: dict[tuple[str, ...], AnonymousTypeDefinition] = {}
        self._extension_containers: dict[TypeDefinition, dict[str, tuple[TypeDefinition, ...]]] = {}
        self._bases_found: dict[TypeDefinition, bool] = {}

    @property
    def made(self) -> int:
        """Members with source that it holds."""
        return len(self._by_declaration)

    def forget(self) -> None:
        caches: tuple[dict[Any, Any], ...] = (
            *(self._members, self._type_parameters, self._by_declaration, self._anonymous),
            *(self._extension_containers, self._bases_found),
        )
        for cache in caches:
            cache.clear()

    def of(self, definition: TypeDefinition) -> MemberMap:
        """Declared and synthesised members, inherited ones not."""
        known = self._members.get(definition)
        if known is None:
            if isinstance(definition, SourceTypeDefinition):
                known = self._source.of(definition, self._by_declaration)
            elif isinstance(definition, LibraryTypeDefinition):
                known = LibraryMembers(self.table.libraries, definition)
            elif isinstance(definition, LibraryExtensionBlock):
                known = LibraryMembers(self.table.libraries, definition.container).of_block(definition)
            elif isinstance(definition, AnonymousTypeDefinition):
                known = anonymous_members(definition, self.table.factory)
            else:
                known = {}
            self._members[definition] = known
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

    def bases_are_known(self, definition: TypeDefinition) -> bool:
        """All bases that it names were found. What type arguments stand for is not a base."""
        known = self._bases_found.get(definition)
        if known is None:
            bases = self.table.base_types_of(NamedType(definition))
            known = self._bases_found[definition] = not any(isinstance(base, ErrorType) for base in bases)
        return known

    def extension_containers(self, definition: TypeDefinition) -> Mapping[str, tuple[TypeDefinition, ...]]:
        """By name, a static class and the extension blocks in it, as far as they declare extension members so named."""
        known = self._extension_containers.get(definition)
        if known is None:
            known = self._extension_containers[definition] = self._find_extension_containers(definition)
        return known

    def _find_extension_containers(self, definition: TypeDefinition) -> dict[str, tuple[TypeDefinition, ...]]:
        found: dict[str, tuple[TypeDefinition, ...]] = {}
        for name in self._extension_names(definition):
            found[name] = (definition,)
        blocks: Iterable[TypeDefinition] = ()
        if isinstance(definition, SourceTypeDefinition):
            nested = definition.nested.values()
            blocks = [each for each in nested if each.declaration_kind is DeclarationKind.EXTENSION_BLOCK]
        elif isinstance(definition, LibraryTypeDefinition):
            blocks = self.table.libraries.extension_blocks(definition)
        for block in blocks:
            for name in self._extension_names(block):
                found[name] = (*found.get(name, ()), block)
        return found

    def _extension_names(self, definition: TypeDefinition) -> Iterable[str]:
        members = self.of(definition)
        if isinstance(members, LibraryMembers):
            return members.extension_names()
        return [name for name, group in members.items() if any(member.is_extension for member in group)]

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
            for level in reversed(definition.enclosing):
                if level.declaration_kind is DeclarationKind.EXTENSION_BLOCK:
                    continue
                # One part may say the constraints for all, in the words of its own file (ECMA-334 §15.2.7).
                part = next(
                    (p for p in level.parts if any(t.constraints or t.keywords for t in p.declaration.type_parameters)),
                    level.parts[0],
                )
                resolver = self.table.resolver_for(part, level, own_only=True)
                found.extend(source_type_parameters(part.declaration.type_parameters, resolver))
            return tuple(found)
        if isinstance(definition, LibraryTypeDefinition):
            members = self.of(definition)
            known = members.type_parameters() if isinstance(members, LibraryMembers) else None
            if known is not None:
                return known
        return tuple(TypeParameterSymbol("", (), False, False) for _ in range(definition.total_arity))
