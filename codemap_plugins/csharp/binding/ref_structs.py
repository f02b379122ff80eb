"""Ref structs, which live on the stack alone: nothing boxes them (ECMA-334 §16.2.3)."""

from __future__ import annotations

from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.metadata.surface import TypeFlags
from codemap_plugins.csharp.symbols.definitions import LibraryTypeDefinition, SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType, Type
from codemap_plugins.csharp.unit import Modifiers


def is_ref_struct(hierarchy: Hierarchy, type_: Type) -> bool:
    if not isinstance(type_, NamedType) or not type_.definition.is_value_type:
        return False
    definition = type_.definition
    if isinstance(definition, SourceTypeDefinition):
        return Modifiers.REF in definition.modifiers
    if not isinstance(definition, LibraryTypeDefinition):
        return False
    surface = hierarchy.table.libraries.surface(definition)
    return surface is not None and bool(surface.flags & TypeFlags.REF_STRUCT)
