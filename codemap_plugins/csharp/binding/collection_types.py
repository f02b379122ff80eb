"""Which types a collection expression can become (C# 12), beside arrays and spans."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.metadata.surface import TypeFlags
from codemap_plugins.csharp.symbols.definitions import LibraryTypeDefinition, SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType

_ARRAY_INTERFACES: Final = frozenset({"IEnumerable", "IReadOnlyCollection", "IReadOnlyList", "ICollection", "IList"})


def can_be_built(hierarchy: Hierarchy, type_: NamedType) -> bool:
    """The interfaces that arrays have, types with a builder of their own, and those with a constructor that takes no arguments."""
    definition = type_.definition
    if _has_builder(hierarchy, type_):
        return True
    if definition.kind is SymbolKind.INTERFACE:
        return definition.external and definition.name in _ARRAY_INTERFACES
    constructors = hierarchy.constructors(type_)
    return not hierarchy.is_complete(type_) or not constructors or any(c.member.minimum == 0 for c in constructors)


def _has_builder(hierarchy: Hierarchy, type_: NamedType) -> bool:
    definition = type_.definition
    if isinstance(definition, SourceTypeDefinition):
        return definition.bears_attribute("CollectionBuilder")
    surface = hierarchy.table.libraries.surface(definition) if isinstance(definition, LibraryTypeDefinition) else None
    return surface is not None and bool(surface.flags & TypeFlags.COLLECTION_BUILDER)
