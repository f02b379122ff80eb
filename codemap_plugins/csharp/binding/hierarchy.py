"""Base types and member lookup (ECMA-334 §12.5) over constructed types.

Lookup walks a class to ``object``, an interface over its base interfaces to ``object``, a type parameter over its constraints. A member
that is not a method hides what bears its name further up; a method hides those of its signature. An override stands for the slot it fills:
it is found where the slot was declared, under its own id.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from codemap_core.model import SymbolKind, Visibility
from codemap_plugins.csharp.binding.delegates import Delegates
from codemap_plugins.csharp.binding.library_members import LibraryMembers
from codemap_plugins.csharp.binding.lookup import NOTHING, Found, LookupKind, LookupResult, PassedOver
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.members import (
    CONSTRUCTOR_NAME,
    INDEXER_NAME,
    Member,
    MemberKind,
    TypeParameterSymbol,
)
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.project_scope import ProjectScope
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    DynamicType,
    ErrorType,
    FunctionPointerType,
    NamedType,
    Type,
    TypeDefinition,
    TypeParameterType,
    substitute,
)

MAX_DEPTH: Final = 60
Bounds = Mapping[TypeParameterType, TypeParameterSymbol]
"""The type parameters in scope, with their constraints."""
NO_BOUNDS: Final[Bounds] = MappingProxyType({})
_GROUPS: Final = frozenset({MemberKind.METHOD, MemberKind.INDEXER, MemberKind.CONSTRUCTOR, MemberKind.OPERATOR})


class _Remembered:
    """What was found of types."""

    __slots__ = ("accessible", "all_interfaces", "incomplete", "lookups")

    def __init__(self) -> None:
        self.all_interfaces: Final[dict[Type, tuple[NamedType, ...]]] = {}
        self.lookups: Final[dict[tuple[Type, str], tuple[Found, ...]]] = {}
        self.accessible: Final[dict[tuple[Type, str, SourceTypeDefinition | None, bool], LookupResult]] = {}
        self.incomplete: Final[dict[Type, bool]] = {}

    def forget(self) -> None:
        caches: tuple[dict[Any, Any], ...] = (self.all_interfaces, self.lookups, self.accessible, self.incomplete)
        for cache in caches:
            cache.clear()


class Hierarchy:
    """Bases and lookups as one project sees them, with certain type parameters in scope; remembers both."""

    def __init__(
        self, members: MemberTable, project: ProjectScope, bounds: Bounds = NO_BOUNDS, outer: Hierarchy | None = None
    ) -> None:
        """``outer``: of the same project; what does not depend on type parameters is remembered for both."""
        self.bounds: Final = bounds
        self.members: Final = members
        self.table: Final = members.table
        self.project: Final = project
        self._system: Final[dict[str, NamedType]] = outer._system if outer is not None else {}
        self._chains: Final[dict[NamedType, tuple[NamedType, ...]]] = outer._chains if outer is not None else {}
        self.object: Final[NamedType] = outer.object if outer is not None else self.well_known("Object")
        self._base_class: Final[dict[NamedType, NamedType | None]] = outer._base_class if outer is not None else {}
        self._interfaces: Final[dict[NamedType, tuple[NamedType, ...]]] = outer._interfaces if outer is not None else {}
        self._constructors: Final[dict[NamedType, tuple[Found, ...]]] = outer._constructors if outer is not None else {}
        self.delegates: Final[Delegates] = outer.delegates if outer is not None else Delegates(members)
        self._of_types: Final[_Remembered] = outer._of_types if outer is not None else _Remembered()
        self._of_parameters: Final = _Remembered()
        """Of type parameters themselves: it follows from ``bounds``."""

    def forget(self) -> None:
        caches: tuple[dict[Any, Any], ...] = (
            *(self._base_class, self._interfaces, self._constructors, self._system, self._chains),
        )
        for cache in caches:
            cache.clear()
        self.delegates.forget()
        self._of_types.forget()
        self._of_parameters.forget()

    def _remembered(self, type_: Type) -> _Remembered:
        return self._of_parameters if isinstance(type_, TypeParameterType) else self._of_types

    def well_known(self, name: str, arity: int = 0, namespace: str = "System") -> NamedType:
        found = self.table.well_known(namespace, name, arity, self.project)
        assert isinstance(found, NamedType)
        return found

    def system(self, name: str) -> NamedType:
        """A type of ``System`` without type parameters."""
        known = self._system.get(name)
        if known is None:
            known = self._system[name] = self.well_known(name)
        return known

    def base_class(self, type_: NamedType) -> NamedType | None:
        """The direct base class with its arguments, implied ones too; null for ``object`` and interfaces."""
        if type_ in self._base_class:
            return self._base_class[type_]
        self._base_class[type_] = None
        found = self._find_base_class(type_)
        self._base_class[type_] = found
        return found

    def _find_base_class(self, type_: NamedType) -> NamedType | None:
        definition = type_.definition
        if definition.kind is SymbolKind.INTERFACE or type_ is self.object:
            return None
        for base in self.table.base_types_of(type_):
            if isinstance(base, NamedType) and base.definition.kind is not SymbolKind.INTERFACE:
                return base
        if definition.kind is SymbolKind.DELEGATE and definition.system_name != "MulticastDelegate":
            return self.system("MulticastDelegate")
        if definition.external:
            return self.object if definition.system_name != "Object" else None
        if definition.kind is SymbolKind.ENUM:
            return self.system("Enum")
        return self.system("ValueType") if definition.is_value_type else self.object

    def interfaces(self, type_: NamedType) -> tuple[NamedType, ...]:
        """The interfaces of the base list, with arguments; a record's ``IEquatable`` too."""
        known = self._interfaces.get(type_)
        if known is None:
            self._interfaces[type_] = ()
            found = [
                b
                for b in self.table.base_types_of(type_)
                if isinstance(b, NamedType) and b.definition.kind is SymbolKind.INTERFACE
            ]
            definition = type_.definition
            if definition.kind is SymbolKind.RECORD and not definition.external:
                found.append(NamedType(self.well_known("IEquatable", 1).definition, (type_,)))
            known = self._interfaces[type_] = tuple(found)
        return known

    def all_interfaces(self, type_: Type) -> tuple[NamedType, ...]:
        """Every interface of a type: its own, inherited, and those of type parameters' constraints."""
        remembered = self._remembered(type_).all_interfaces
        known = remembered.get(type_)
        if known is not None:
            return known
        remembered[type_] = ()
        found: dict[NamedType, None] = {}
        if isinstance(type_, NamedType):
            if type_.definition.kind is not SymbolKind.INTERFACE:
                for current in self.class_chain(type_):
                    for interface in self.interfaces(current):
                        self._add_interface(interface, found)
            else:
                for interface in self.interfaces(type_):
                    self._add_interface(interface, found)
        elif isinstance(type_, ArrayType):
            for current in self.class_chain(self.system("Array")):
                for interface in self.interfaces(current):
                    self._add_interface(interface, found)
            if type_.rank == 1:
                for name in ("IList", "IReadOnlyList"):
                    definition = self.well_known(name, 1, "System.Collections.Generic").definition
                    self._add_interface(NamedType(definition, (type_.element,)), found)
        elif isinstance(type_, TypeParameterType):
            for bound in self.constraints(type_):
                if isinstance(bound, NamedType) and bound.definition.kind is SymbolKind.INTERFACE:
                    self._add_interface(bound, found)
                elif bound is not type_:
                    for interface in self.all_interfaces(bound):
                        found[interface] = None
        result = tuple(found)
        remembered[type_] = result
        return result

    def _add_interface(self, interface: NamedType, found: dict[NamedType, None]) -> None:
        if interface in found:
            return
        found[interface] = None
        for base in self.interfaces(interface):
            self._add_interface(base, found)

    def constraints(self, parameter: TypeParameterType) -> tuple[Type, ...]:
        symbol = self.bounds.get(parameter)
        return symbol.constraints if symbol is not None else ()

    def class_chain(self, type_: NamedType) -> tuple[NamedType, ...]:
        """The type and its base classes, most derived first."""
        known = self._chains.get(type_)
        if known is None:
            levels: list[NamedType] = []
            current: NamedType | None = type_
            while current is not None and len(levels) < MAX_DEPTH:
                levels.append(current)
                current = self.base_class(current)
            known = self._chains[type_] = tuple(levels)
        return known

    def effective_class(self, type_: Type) -> NamedType:
        """The class whose members a value of the type has: of arrays, pointers and type parameters too."""
        if isinstance(type_, NamedType):
            return type_
        if isinstance(type_, ArrayType):
            return self.system("Array")
        if isinstance(type_, TypeParameterType):
            for bound in self.constraints(type_):
                if isinstance(bound, NamedType) and bound.definition.kind is not SymbolKind.INTERFACE:
                    return bound
                if isinstance(bound, TypeParameterType) and bound is not type_:
                    return self.effective_class(bound)
            if type_.is_value_type:
                return self.system("ValueType")
        return self.object

    def is_complete(self, type_: Type) -> bool:
        """Every base of the type was found, so that a miss in it is a true miss."""
        remembered = self._remembered(type_).incomplete
        known = remembered.get(type_)
        if known is None:
            remembered[type_] = False
            known = remembered[type_] = self._misses_something(type_)
        return not known

    def _misses_something(self, type_: Type) -> bool:
        if isinstance(type_, (ErrorType, DynamicType)):
            return True
        if isinstance(type_, TypeParameterType):
            return any(not self.is_complete(bound) for bound in self.constraints(type_) if bound is not type_)
        if not isinstance(type_, NamedType):
            return False
        for current in (*self.class_chain(type_), *self.all_interfaces(type_)):
            definition = current.definition
            if not self.members.members_are_known(definition) or not self.members.bases_are_known(definition):
                return True
        return False

    def lookup(self, type_: Type, name: str) -> tuple[Found, ...]:
        """Members of that name, nearest first: one that is not a method, or a group of methods, indexers or operators. Accessibility is the
        caller's to judge."""
        remembered = self._remembered(type_).lookups
        key = (type_, name)
        known = remembered.get(key)
        if known is None:
            known = remembered[key] = self._lookup(type_, name)
        return known

    def invocable(
        self, type_: Type, name: str, within: SourceTypeDefinition | None, through: bool = False
    ) -> LookupResult:
        """``accessible`` for a name that is called: members that cannot be called are passed over (ECMA-334 §12.5.1)."""
        result = self.accessible(type_, name, within, through)
        if not result.found or self.is_invocable(result.found[0]):
            return result
        hidden = result.without(result.found, LookupKind.NOT_INVOCABLE)
        for base in self.class_chain(self.effective_class(type_)):
            result = self.accessible(base, name, within)
            if result.found and self.is_invocable(result.found[0]):
                return result
        return hidden

    def constant(self, member: Member) -> int | None:
        """The integer that a constant member is known to be: one of a library, or one that a literal declares."""
        if member.kind is not MemberKind.FIELD or member.declaration is not None:
            return member.constant
        members = self.members.of(member.definition)
        value = members.constant(member.name) if isinstance(members, LibraryMembers) else None
        return value if type(value) is int else None

    def is_invocable(self, found: Found) -> bool:
        return found.member.kind is MemberKind.METHOD or self.can_be_invoked(self.member_type(found))

    def can_be_invoked(self, type_: Type) -> bool:
        if isinstance(type_, (ErrorType, DynamicType, FunctionPointerType)):
            return True
        return self.delegates.invoke(type_) is not None

    def accessible(
        self, type_: Type, name: str, within: SourceTypeDefinition | None, through: bool = False
    ) -> LookupResult:
        """``lookup``, of it what a place may use. ``through``: by way of a value of the type that is not ``base``, which protected members
        ask more of."""
        remembered = self._remembered(type_).accessible
        key = (type_, name, within, through)
        known = remembered.get(key)
        if known is None:
            known = remembered[key] = self._find_accessible(type_, name, within, type_ if through else None)
        return known

    def _find_accessible(
        self, type_: Type, name: str, within: SourceTypeDefinition | None, receiver: Type | None
    ) -> LookupResult:
        found = self.lookup(type_, name)
        if not found:
            return NOTHING
        kept = tuple([f for f in found if self.can_access(f, within, receiver)])
        if len(kept) == len(found):
            return LookupResult(found)
        passed_over = [PassedOver(f, LookupKind.INACCESSIBLE) for f in found if f not in kept]
        if not kept:
            # What cannot be accessed hides nothing (ECMA-334 §12.5.1).
            for base in self.class_chain(self.effective_class(type_)):
                found = self.lookup(base, name)
                kept = tuple([f for f in found if self.can_access(f, within, receiver)])
                if kept or not found:
                    break
        return LookupResult(kept, tuple(passed_over))

    def constructors(self, type_: NamedType) -> tuple[Found, ...]:
        """Of a type itself: they are not inherited."""
        known = self._constructors.get(type_)
        if known is None:
            members = self.members.of(type_.definition).get(CONSTRUCTOR_NAME, ())
            known = self._constructors[type_] = tuple(Found(m, type_, 0) for m in members if not m.is_static)
        return known

    def _lookup(self, type_: Type, name: str) -> tuple[Found, ...]:
        found: list[Found] = []
        if isinstance(type_, TypeParameterType):
            # Of a class constraint other than object, members hide those of the interfaces (ECMA-334 §12.5).
            start = self.effective_class(type_)
            classes: dict[str, None] = {}
            blocked = self._in_classes(start, name, found, classes)
            if not (blocked and start is not self.object):
                for interface in self._nearest(self.all_interfaces(type_), name):
                    self._at(interface, name, 0, found, {} if start is self.object else dict(classes))
            return _without_repeats(found)
        start = self.effective_class(type_)
        if start.definition.kind is SymbolKind.INTERFACE:
            hidden: dict[str, None] = {}
            blocked = self._at(start, name, 0, found, hidden)
            if not blocked:
                for level, interface in enumerate(self._nearest(self.all_interfaces(start), name), 1):
                    self._at(interface, name, level, found, dict(hidden))
                self._at(self.object, name, MAX_DEPTH, found, {})
            return _without_repeats(found)
        self._in_classes(start, name, found, {})
        return tuple(found)

    def _nearest(self, interfaces: tuple[NamedType, ...], name: str) -> list[NamedType]:
        """Those that declare a name; a member that is not a method hides those of the interfaces that its own derives from, by whatever
        way they are reached (ECMA-334 §12.5)."""
        declaring = [each for each in interfaces if name in self.members.of(each.definition)]
        if len(declaring) < 2:
            return declaring
        hidden = {
            base
            for each in declaring
            if self.members.of(each.definition)[name][0].kind not in _GROUPS
            for base in self.all_interfaces(each)
        }
        return [each for each in declaring if each not in hidden]

    def _in_classes(self, start: NamedType, name: str, found: list[Found], signatures: dict[str, None]) -> bool:
        """Adds what a class and its bases declare; true when it hides everything else of that name."""
        for level, current in enumerate(self.class_chain(start)):
            if self._at(current, name, level, found, signatures):
                return True
            definition = current.definition
            if isinstance(definition, SourceTypeDefinition) and (name, 0) in definition.nested:
                # A nested type hides what bases call by its name.
                return True
        return False

    def _at(self, container: NamedType, name: str, level: int, found: list[Found], signatures: dict[str, None]) -> bool:
        """Adds the members that one type declares; true when they hide everything further up."""
        members = self.members.of(container.definition).get(name)
        if not members:
            return False
        if members[0].kind not in _GROUPS:
            if not found:
                found.append(Found(members[0], container, level))
            return True
        added: list[Found] = []
        for member in members:
            each = Found(member, container, level)
            if each.key not in signatures:
                added.append(each)
                continue
            # A derived declaration of that signature: an override stands at the level of the slot it fills.
            nearer = [(at, earlier) for at, earlier in enumerate(found) if earlier.key == each.key]
            for at, earlier in nearer:
                if earlier.member.is_override:
                    found[at] = Found(earlier.member, earlier.container, level)
            # One that hides it takes its place where it is applicable, which is not so where arguments are left to defaults.
            if nearer and all(member.takes_others(earlier.member) for _, earlier in nearer):
                added.append(each)
        for each in added:
            signatures[each.key] = None
        found.extend(added)
        return False

    def slot_of(self, found: Found) -> Found:
        """The member that an override overrides in the end: the one that is none itself (ECMA-334 §12.8.10.2). Classes may derive from each
        other in a circle, which is an error (§15.2.4.2)."""
        passed = {found.member.symbol_id}
        while found.member.is_override:
            base = self.base_class(found.container)
            name = INDEXER_NAME if found.member.kind is MemberKind.INDEXER else found.member.name
            above = self.lookup(base, name) if base is not None else ()
            slot = next((each for each in above if each.key == found.key), None)
            if slot is None or slot.member.symbol_id in passed:
                break
            found = slot
            passed.add(found.member.symbol_id)
        return found

    def can_access(self, found: Found, within: SourceTypeDefinition | None, receiver: Type | None = None) -> bool:
        """Declared accessibility against the place of use (ECMA-334 §7.5), for a ``receiver`` also of what it is reached through."""
        member = found.member
        visibility = member.visibility
        if visibility is Visibility.PUBLIC:
            return True
        definition = member.definition
        if visibility is Visibility.PRIVATE:
            # Within its type, nested types included; those of a nested type are not seen by its container.
            domain = definition.member_class if isinstance(definition, SourceTypeDefinition) else definition
            return within is not None and any(level is domain for level in within.enclosing)
        internal = isinstance(definition, SourceTypeDefinition) and definition.project.shows_internals_to(self.project)
        if visibility is Visibility.INTERNAL:
            return internal
        if visibility is Visibility.PROTECTED_INTERNAL and internal:
            return True
        if visibility is Visibility.PRIVATE_PROTECTED and not internal:
            return False
        if within is None:
            return False
        through = receiver if not member.is_static and isinstance(receiver, (NamedType, TypeParameterType)) else None
        if through is not None and member.kind is MemberKind.CONSTRUCTOR:
            # What is created is of no derived class, so only the class itself may (§7.5.4).
            return any(level is definition for level in within.enclosing)
        return any(
            self._derives(level, definition) and (through is None or self._is_made_from(through, level))
            for level in within.enclosing
        )

    def _is_made_from(self, receiver: Type, level: SourceTypeDefinition) -> bool:
        """Protected members are reached through the class around the place, or one derived from it (ECMA-334 §7.5.4)."""
        if any(current.definition is level for current in self.class_chain(self.effective_class(receiver))):
            return True
        return not self.is_complete(receiver)

    def _derives(self, definition: SourceTypeDefinition, base: TypeDefinition) -> bool:
        own = definition.own_type
        if any(current.definition is base for current in self.class_chain(own)):
            return True
        return not self.is_complete(own) or base.kind is SymbolKind.INTERFACE

    def indexers(self, type_: Type) -> tuple[Found, ...]:
        return self.lookup(type_, INDEXER_NAME)

    def member_type(self, found: Found) -> Type:
        return substitute(found.member.type, found.container.arguments)

    def find_base(self, type_: Type, definition: TypeDefinition) -> NamedType | None:
        """The type, base class or interface of ``type_`` that is made from a definition; null when there is none or several."""
        if isinstance(type_, NamedType) and type_.definition is definition:
            return type_
        if definition.kind is SymbolKind.INTERFACE:
            only: NamedType | None = None
            for interface in self.all_interfaces(type_):
                if interface.definition is definition:
                    if only is not None:
                        return None
                    only = interface
            return only
        start = self.effective_class(type_)
        for current in self.class_chain(start):
            if current.definition is definition:
                return current
        return None


def _without_repeats(found: list[Found]) -> tuple[Found, ...]:
    """An interface may be reached by several ways, and with several type arguments. A hit that is not a method ends the list."""
    if found and found[0].member.kind not in _GROUPS:
        return (found[0],)
    seen: set[tuple[Member, NamedType]] = set()
    kept: list[Found] = []
    for each in found:
        if (each.member, each.container) in seen or each.member.kind not in _GROUPS:
            continue
        seen.add((each.member, each.container))
        kept.append(each)
    return tuple(kept)
