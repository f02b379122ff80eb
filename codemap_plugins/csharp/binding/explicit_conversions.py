"""Explicit conversions (ECMA-334 §10.3): what a cast or ``as`` certainly cannot do, so that a body with it does not compile."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.symbols.types import NamedType, Type

_CLASSES: Final = frozenset({SymbolKind.CLASS, SymbolKind.RECORD})
_OPERATORS: Final = ("op_Explicit", "op_CheckedExplicit", "op_Implicit")


def never_casts(hierarchy: Hierarchy, source: Type, target: Type) -> bool:
    """A cast from one to the other does not compile: there is no reference conversion and no operator (§10.5.5)."""
    return are_unrelated(hierarchy, source, target) and not any(
        hierarchy.lookup(holder, name) for holder in (source, target) for name in _OPERATORS
    )


def are_unrelated(hierarchy: Hierarchy, source: Type, target: Type) -> bool:
    """Both are classes whose bases are known, and neither derives from the other: nothing can be of both (§10.3.5, §12.12.13)."""
    if not (isinstance(source, NamedType) and isinstance(target, NamedType)):
        return False
    for type_ in (source, target):
        definition = type_.definition
        if definition.kind not in _CLASSES or definition.is_value_type or not hierarchy.is_complete(type_):
            return False
    return not (_derives(hierarchy, source, target) or _derives(hierarchy, target, source))


def _derives(hierarchy: Hierarchy, type_: NamedType, base: NamedType) -> bool:
    return any(each.definition is base.definition for each in hierarchy.class_chain(type_))
