"""Whether a declaration holds anything that is asked for, found from what was bound before anything is made of it.

What is said here may be too much, never too little: ``hooks.matching`` decides about the events and declarations themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_core.hooks.interests import ANY
from codemap_core.hooks.matching import Names, Wanted
from codemap_core.model import RefKind
from codemap_plugins.csharp.binding.bound_document import Kept
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import MemberKind
from codemap_plugins.csharp.binding.reference import Reference
from codemap_plugins.csharp.binding.slots import overridden
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.rows import symbol_kind_of
from codemap_plugins.csharp.symbols.scopes import TypeResolver
from codemap_plugins.csharp.symbols.types import ErrorType, NamedType, Type, TypeDefinition
from codemap_plugins.csharp.unit import AttributeSyntax, MemberDeclaration


class _Remembered:
    """Names that are asked for, and which of those that were met are."""

    __slots__ = ("_known", "_names")

    def __init__(self, names: Names) -> None:
        self._names: Final = names
        self._known: Final[dict[str, bool]] = {}

    def has(self, name: str) -> bool:
        known = self._known.get(name)
        if known is None:
            known = self._known[name] = self._names.has(name)
        return known


class Mentions:
    """What is asked for, over the declarations of one project."""

    def __init__(self, wanted: Wanted, hierarchy: Hierarchy) -> None:
        self.wanted: Final = wanted
        self._hierarchy: Final = hierarchy
        self._asks: Final = wanted.interests.events
        self._everything: Final = ANY[0] in wanted.interests.invocations or ANY[0] in wanted.interests.creations
        self._invocations: Final = _Remembered(wanted.invocations)
        self._creations: Final = _Remembered(wanted.creations)
        self._assignments: Final = _Remembered(wanted.assignments)
        self._carried: Final[dict[TypeDefinition, bool]] = {}
        self._own: Final[dict[str, bool]] = {}
        self._of_attributes: Final[dict[TypeDefinition, bool]] = {}

    def in_bodies(self, kept: Kept, of_wanted_type: bool) -> bool:
        """Whether bodies may hold an event that is asked for. ``of_wanted_type``: they are of a type that is asked for, or may be."""
        interests = self.wanted.interests
        if not self._asks:
            return False
        member = kept.declaration
        if of_wanted_type and isinstance(member, MemberDeclaration) and self.wanted.bodies.has(member.name):
            return bool(kept.bodies)
        if (kept.throws and interests.throws) or (kept.catches and interests.catches):
            return True
        if self._everything:
            return bool(kept.bodies)
        accesses, carried = not self.wanted.element_accesses.is_empty, not self.wanted.carried_types.is_empty
        passes_on = of_wanted_type and self.wanted.has_members
        own = self.wanted.asks_for_own
        for each in kept.found:
            # By identity: an enum's members are hashed by a function that is not compiled, and there are as many references as names.
            kind = each.kind
            if kind is RefKind.READ:
                if accesses and self._is_accessed(each):
                    return True
            elif kind is RefKind.CALL:
                if self._invocations.has(each.name):
                    return True
                if not each.external and ((carried and self._carries(each)) or (own and self._is_own(each))):
                    return True
            elif kind is RefKind.INSTANTIATE:
                if self._creations.has(_simple(each.name)):
                    return True
                if carried and not each.external and self._carries(each):
                    return True
            elif kind is RefKind.WRITE:
                if self._assignments.has(each.name) or (accesses and self._is_accessed(each)):
                    return True
                if carried and not each.external and self._carries(each):
                    return True
            elif kind is RefKind.EVENT_SUBSCRIBE:
                if self._assignments.has(each.name):
                    return True
            elif kind is RefKind.CTOR_INITIALIZER and (passes_on or self._invocations.has(each.name)):
                return True
        return False

    def _is_accessed(self, reference: Reference) -> bool:
        use = reference.use
        if use is None or use.found is None or use.found.member.kind is not MemberKind.INDEXER:
            return False
        return self.wanted.element_accesses.has(use.found.member.definition.name)

    def _is_own(self, reference: Reference) -> bool:
        target = reference.target
        if target is None:
            return False
        known = self._own.get(target)
        if known is None:
            use = reference.use
            container = use.found.member.definition.name if use is not None and use.found is not None else ""
            known = self._own[target] = self.wanted.is_own(reference.name, container)
        return known

    def _carries(self, reference: Reference) -> bool:
        """Whether it takes or gives a value of a type that is followed."""
        use = reference.use
        if use is None or use.found is None:
            return False
        if self._is_carried(use.type) or self._is_carried(use.receiver) or self._is_carried(use.found.member.type):
            return True
        return any(self._is_carried(each.expression.type) for each in use.arguments)

    def _is_carried(self, type_: Type | None) -> bool:
        """A type that was not found is followed by its name as written."""
        if isinstance(type_, ErrorType):
            return self.wanted.carried_types.has(type_.text.rpartition(".")[2])
        if not isinstance(type_, NamedType):
            return False
        known = self._carried.get(type_.definition)
        if known is None:
            known = self._carried[type_.definition] = self.wanted.carried_types.has(type_.definition.name)
        return known

    def in_declaration(self, kept: Kept) -> bool:
        """Whether the declaration itself may be asked for."""
        wanted, declaration, definition = self.wanted, kept.declaration, kept.definition
        if declaration is None or definition is None:
            return False
        if isinstance(declaration, MemberDeclaration):
            if wanted.declarations.has(symbol_kind_of(declaration).value):
                return True
            if kept.documented and wanted.interests.documented_exceptions:
                return True
            return not wanted.attributes.is_empty and (
                self._one_is_wanted(declaration.attributes, kept.resolver) or self._overrides_wanted(kept, declaration)
            )
        if wanted.declarations.has(definition.kind.value):
            return True
        if wanted.type_endings and definition.name.endswith(wanted.type_endings):
            return True
        if not wanted.base_types.is_empty and self._has_wanted_base(definition):
            return True
        return not wanted.attributes.is_empty and self._carries_attribute(definition)

    def _carries_attribute(self, definition: SourceTypeDefinition) -> bool:
        """On any part, or on a base class that has source."""
        own = definition.own_type
        for level in self._hierarchy.class_chain(own):
            holder = level.definition
            if not isinstance(holder, SourceTypeDefinition):
                continue
            for part in holder.parts:
                attributes = part.declaration.attributes
                if attributes and self._one_is_wanted(attributes, self._hierarchy.table.resolver_for(part, holder)):
                    return True
        return False

    def _overrides_wanted(self, kept: Kept, declaration: MemberDeclaration) -> bool:
        """A member that it overrides carries an attribute that is asked for."""
        flags: int = declaration.modifiers
        if kept.part is None or not flags & bits.OVERRIDE:
            return False
        own = self._hierarchy.members.declared(kept.part, kept.index)
        for each in overridden(self._hierarchy, own) if own is not None else ():
            part, base = each.part, each.declaration
            if part is None or base is None or not base.attributes:
                continue
            resolver = self._hierarchy.table.resolver_for(part, part.document.definitions[part.index])
            if self._one_is_wanted(base.attributes, resolver):
                return True
        return False

    def _one_is_wanted(self, attributes: Sequence[AttributeSyntax], resolver: TypeResolver) -> bool:
        for each in attributes:
            text = each.name.text
            simple = _simple(text)
            if self.wanted.attributes.has(simple.removesuffix("Attribute") or simple):
                return True
            name, angle, arguments = text.partition("<")
            for written in (text, f"{name}Attribute{angle}{arguments}"):
                type_ = resolver.resolve(written)
                if isinstance(type_, NamedType) and self._is_wanted_attribute(type_):
                    return True
        return False

    def _is_wanted_attribute(self, type_: NamedType) -> bool:
        known = self._of_attributes.get(type_.definition)
        if known is None:
            names = [each.definition.name for each in self._hierarchy.class_chain(type_)]
            known = any(self.wanted.attributes.has(name.removesuffix("Attribute") or name) for name in names)
            self._of_attributes[type_.definition] = known
        return known

    def _has_wanted_base(self, definition: SourceTypeDefinition) -> bool:
        base_types, hierarchy = self.wanted.base_types, self._hierarchy
        own = definition.own_type
        for level in hierarchy.class_chain(own):
            holder = level.definition
            if holder is not definition and base_types.has(holder.name):
                return True
            if isinstance(holder, SourceTypeDefinition) and any(
                isinstance(base, ErrorType) and base_types.has(_simple(base.text))
                for base in hierarchy.table.bases_of(holder)
            ):
                return True
        return any(base_types.has(each.definition.name) for each in hierarchy.all_interfaces(own))


def _simple(written: str) -> str:
    """The name of a type as written where it was not found: without qualifiers and type arguments."""
    return written.partition("<")[0].rpartition(".")[2].rpartition(":")[2]
