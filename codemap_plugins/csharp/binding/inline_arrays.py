"""Inline arrays: structs that ``InlineArrayAttribute`` makes an array of their only field (C# 12)."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import MemberKind
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType, Type, substitute

_ATTRIBUTES: Final = frozenset({"InlineArray", "InlineArrayAttribute"})


def inline_element(hierarchy: Hierarchy, type_: Type) -> Type | None:
    """The type of an inline array's elements; null for other types. Of libraries, those of .NET are known by name."""
    if not isinstance(type_, NamedType):
        return None
    definition = type_.definition
    if not isinstance(definition, SourceTypeDefinition):
        is_known = definition.namespace == "System.Runtime.CompilerServices" and definition.name.startswith(
            "InlineArray"
        )
        return type_.arguments[0] if is_known and len(type_.arguments) == 1 else None
    if definition.kind is not SymbolKind.STRUCT or not any(
        attribute.name.text.rpartition(".")[2] in _ATTRIBUTES
        for part in definition.parts
        for attribute in part.declaration.attributes
    ):
        return None
    for group in hierarchy.members.of(definition).values():
        for member in group:
            if member.kind is MemberKind.FIELD and not member.is_static:
                return substitute(member.type, type_.arguments)
    return None
