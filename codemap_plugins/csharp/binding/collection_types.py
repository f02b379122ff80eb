"""What a collection expression can become (C# 12), and the elements of that."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.special_types import SPANS, nullable_element
from codemap_plugins.csharp.metadata.surface import TypeFlags
from codemap_plugins.csharp.symbols.definitions import LibraryTypeDefinition, SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import ArrayType, NamedType, Type

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


def is_array_like(type_: Type) -> bool:
    """An array, or an interface that arrays have."""
    if isinstance(type_, ArrayType):
        return type_.rank == 1
    if not isinstance(type_, NamedType) or type_.definition.kind is not SymbolKind.INTERFACE:
        return False
    return type_.definition.external and type_.definition.name in _ARRAY_INTERFACES


def _has_builder(hierarchy: Hierarchy, type_: NamedType) -> bool:
    definition = type_.definition
    if isinstance(definition, SourceTypeDefinition):
        return definition.bears_attribute("CollectionBuilder")
    surface = hierarchy.table.libraries.surface(definition) if isinstance(definition, LibraryTypeDefinition) else None
    return surface is not None and bool(surface.flags & TypeFlags.COLLECTION_BUILDER)


def collection_element(hierarchy: Hierarchy, target: Type) -> Type | None:
    """Element type of what a collection expression can become (C# 12): arrays, spans, and collections that can be built from it."""
    plain = nullable_element(target) or target
    if isinstance(plain, ArrayType):
        return plain.element if plain.rank == 1 else None
    if not isinstance(plain, NamedType) or plain.definition.system_name == "String":
        return None
    if plain.definition.external and plain.definition.name in SPANS and plain.arguments:
        return plain.arguments[0]
    if not can_be_built(hierarchy, plain):
        return None
    enumerable = hierarchy.well_known("IEnumerable", 1, "System.Collections.Generic").definition
    base = hierarchy.find_base(plain, enumerable)
    if base is not None and base.arguments:
        return base.arguments[0]
    untyped = hierarchy.well_known("IEnumerable", 0, "System.Collections").definition
    if hierarchy.find_base(plain, untyped) is not None:
        return hierarchy.object
    if _has_builder(hierarchy, plain) and (iterated := _iterated(hierarchy, plain)) is not None:
        return iterated
    return UNKNOWN if not hierarchy.is_complete(plain) else None


def _iterated(hierarchy: Hierarchy, type_: NamedType) -> Type | None:
    """What the enumerator of a type gives that is enumerated by its shape (ECMA-334 §13.9.5.2), as ref structs are."""
    for found in hierarchy.lookup(type_, "GetEnumerator"):
        if not found.member.is_static and not found.member.parameters:
            currents = hierarchy.lookup(hierarchy.member_type(found), "Current")
            return hierarchy.member_type(currents[0]) if currents else None
    return None
