"""What ``foreach`` and its kin go through: the elements of a collection (ECMA-334 §13.9.5)."""

from __future__ import annotations

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.binder import Binder
from codemap_plugins.csharp.binding.bound_expressions import value
from codemap_plugins.csharp.binding.inline_arrays import inline_element
from codemap_plugins.csharp.binding.locals import LocalScope
from codemap_plugins.csharp.binding.members import UNKNOWN
from codemap_plugins.csharp.binding.special_types import nullable_element
from codemap_plugins.csharp.symbols.types import ArrayType, DynamicType, ErrorType, NamedType, Type


def element_type(b: Binder, collection: Type, scope: LocalScope, is_async: bool = False) -> Type:
    """What ``foreach`` gives (ECMA-334 §13.9.5); of a nullable value its value is gone through."""
    collection = nullable_element(collection) or collection
    if isinstance(collection, ArrayType) and not is_async:
        return collection.element
    if isinstance(collection, (ErrorType, DynamicType)):
        return UNKNOWN if isinstance(collection, ErrorType) else collection
    if isinstance(collection, NamedType) and collection.definition.system_name == "String" and not is_async:
        return b.system("Char")
    inline = inline_element(b.hierarchy, collection) if not is_async else None
    if inline is not None:
        return inline
    pattern = "GetAsyncEnumerator" if is_async else "GetEnumerator"
    enumerator = _enumerator(b, collection, pattern, scope)
    if enumerator is not None:
        for found in b.hierarchy.lookup(enumerator, "Current"):
            return b.hierarchy.member_type(found)
    name = "IAsyncEnumerable" if is_async else "IEnumerable"
    interface = b.hierarchy.well_known(name, 1, "System.Collections.Generic").definition
    base = b.hierarchy.find_base(collection, interface)
    if base is not None and base.arguments:
        return base.arguments[0]
    if not is_async and b.hierarchy.find_base(
        collection, b.hierarchy.well_known("IEnumerable", 0, "System.Collections").definition
    ):
        return b.hierarchy.object
    return UNKNOWN


def _enumerator(b: Binder, collection: Type, name: str, scope: LocalScope) -> Type | None:
    group = [
        f
        for f in b.hierarchy.lookup(collection, name)
        if not f.member.is_static
        and all(p.is_optional for p in f.member.parameters)
        and b.hierarchy.can_access(f, scope.within)
    ]
    if isinstance(collection, NamedType) and collection.definition.kind is SymbolKind.INTERFACE:
        group = [f for f in group if f.container.arguments] or group
    if group:
        return b.hierarchy.member_type(group[0])
    candidate = b.extensions(scope, name, value(collection), (), ()).candidate
    return candidate.return_type if candidate is not None else None
