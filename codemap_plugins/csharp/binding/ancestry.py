"""Base classes and interfaces by id: what types, of source and of libraries, derive from as one project sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from codemap_core.model.bound import BoundType, TypeForm
from codemap_core.model.documentation_id import IdPart, parse_id
from codemap_plugins.csharp.binding.bound_types import BoundTypes
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.symbols.types import NamedType, TypeDefinition

_UNNAMED: Final = BoundType(TypeForm.UNRESOLVED, "")


class Ancestry:
    """Remembers what it was asked."""

    def __init__(self, hierarchy: Hierarchy) -> None:
        self._hierarchy: Final = hierarchy
        self._known: Final[dict[str, tuple[str, ...]]] = {}

    def of(self, type_id: str) -> tuple[str, ...]:
        """Ids of all base classes, nearest first, then of all interfaces; none for what the project does not see."""
        known = self._known.get(type_id)
        if known is None:
            known = self._known[type_id] = self._find(type_id)
        return known

    def interfaces(self, type_: BoundType) -> tuple[BoundType, ...]:
        """All interfaces of a type, with the type arguments that they have by its own."""
        parts = parse_id(type_.id).parts if type_.id.startswith("T:") else ()
        definition = self._definition(parts)
        if definition is None:
            return ()
        factory = self._hierarchy.table.factory
        places = tuple(factory.parameter(f"#{n}", n, False) for n in range(sum(part.arity for part in parts)))
        by_name = dict(zip((each.name for each in places), type_.arguments or (_UNNAMED,) * len(places), strict=False))
        types = BoundTypes()
        found = self._hierarchy.all_interfaces(NamedType(definition, places))
        return tuple(_substituted(types.known(each), by_name) for each in found)

    def _find(self, type_id: str) -> tuple[str, ...]:
        if not type_id.startswith("T:"):
            return ()
        definition = self._definition(parse_id(type_id).parts)
        if definition is None:
            return ()
        type_ = NamedType(definition)
        bases = [*list(self._hierarchy.class_chain(type_))[1:], *self._hierarchy.all_interfaces(type_)]
        return tuple(dict.fromkeys(each.definition.documentation_id for each in bases))

    def _definition(self, parts: Sequence[IdPart]) -> TypeDefinition | None:
        """An id does not say where the namespace ends: the longest one that holds such a type."""
        for end in range(len(parts) - 1, -1, -1):
            if any(part.arity for part in parts[:end]):
                continue
            namespace = ".".join(part.name for part in parts[:end])
            found = self._hierarchy.project.types_in(namespace, parts[end].name, parts[end].arity, "")
            for part in parts[end + 1 :]:
                if found is None:
                    break
                nested = self._hierarchy.table.nested_type(NamedType(found), part.name, part.arity, inherited=False)
                found = nested.definition if isinstance(nested, NamedType) else None
            if found is not None:
                return found
        return None


def _substituted(type_: BoundType, by_name: Mapping[str, BoundType]) -> BoundType:
    """A type with type arguments in the place of the type parameters so named."""
    if type_.form is TypeForm.TYPE_PARAMETER:
        return by_name.get(type_.name, type_)
    if not type_.arguments:
        return type_
    return replace(type_, arguments=tuple(_substituted(each, by_name) for each in type_.arguments))
