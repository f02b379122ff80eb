"""What an extension method extends (ECMA-334 §12.8.10.3): whether a receiver is that."""

from __future__ import annotations

from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.conversions import Conversions
from codemap_plugins.csharp.binding.doubt import may_become
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.special_types import is_span, nullable_element
from codemap_plugins.csharp.symbols.types import ArrayType, ErrorType, NamedType, Type, contains_error


class Receivers:
    def __init__(self, hierarchy: Hierarchy, conversions: Conversions, outer: Receivers | None = None) -> None:
        self._hierarchy: Final = hierarchy
        self._conversions: Final = conversions
        self._out: Final[dict[tuple[Type, object], bool]] = outer._out if outer is not None else {}

    def is_out(self, source: Type, target: Type) -> bool:
        """The receiver can certainly not be what an extension method extends, whatever its type arguments: asked first, as most
        extension methods of a name extend something else."""
        if not isinstance(target, NamedType) or target.definition.system_name in ("Object", "Nullable"):
            return False
        key = (source, target.definition)
        known = self._out.get(key)
        if known is None:
            known = False
            if isinstance(source, (NamedType, ArrayType)) and not is_span(target):
                hierarchy = self._hierarchy
                if target.definition.kind is SymbolKind.INTERFACE:
                    # A nullable value is boxed as the value it holds (§10.2.9).
                    source = nullable_element(source) or source
                    known = all(i.definition is not target.definition for i in hierarchy.all_interfaces(source))
                    known = known and not (isinstance(source, NamedType) and source.definition is target.definition)
                else:
                    chain = hierarchy.class_chain(hierarchy.effective_class(source))
                    known = all(c.definition is not target.definition for c in chain)
                known = known and not (
                    self._conversions.takes_bases and may_become(hierarchy, source, target.definition)
                )
            self._out[key] = known
        return known

    def converts(self, source: Type, target: Type) -> bool:
        """The receiver of an extension method: identity, reference, boxing or span conversion (ECMA-334 §12.8.10.3, C# 14)."""
        conversions = self._conversions
        if isinstance(source, ErrorType) or isinstance(target, ErrorType):
            return conversions.takes_types or source is target
        if (
            isinstance(source, NamedType)
            and isinstance(target, NamedType)
            and source.definition.is_value_type
            and target.definition.is_value_type
        ):
            if source.definition is target.definition:
                return conversions.between(source, target) and all(
                    conversions.identity(a, b) or contains_error(a) or contains_error(b)
                    for a, b in zip(source.arguments, target.arguments, strict=False)
                )
            return conversions.span(source, target)
        if isinstance(target, NamedType) and target.definition.is_value_type:
            return conversions.span(source, target)
        return conversions.reference(source, target)
