"""The slots a member fills: what it overrides, and the interface members it implements (ECMA-334 §15.6.5, §18.6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from codemap_core.model import RefKind, SymbolKind, Visibility
from codemap_plugins.csharp.binding.hierarchy import Hierarchy
from codemap_plugins.csharp.binding.members import INDEXER_NAME, Member, MemberKind, TypeParameterSymbol
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeDefinition, documentation_id, substitute


class Slot(NamedTuple):
    """A member that another overrides or implements, and the constructed type that declares it."""

    kind: RefKind
    member: Member
    container: NamedType


def inherited_constraints(
    hierarchy: Hierarchy, member: Member, type_parameters: Sequence[Type]
) -> tuple[TypeParameterSymbol, ...] | None:
    """The constraints of an override's or explicit implementation's own ``type_parameters``, which are those of its slot (ECMA-334
    §15.6.5, §18.6.2); null for any other member."""
    if not (member.is_override or member.explicit_interface):
        return None
    slot = next(member_slots(hierarchy, member), None)
    if slot is None:
        return None
    return _substituted(_constraints(hierarchy, slot), (), tuple(type_parameters))


def _constraints(hierarchy: Hierarchy, slot: Slot) -> tuple[TypeParameterSymbol, ...]:
    """Of a slot, in the terms of what fills it; those of a slot that is an override are in turn those of its own."""
    deeper = next(member_slots(hierarchy, slot.member), None) if slot.member.is_override else None
    symbols = slot.member.signature.type_parameters if deeper is None else _constraints(hierarchy, deeper)
    return _substituted(symbols, slot.container.arguments, ())


def _substituted(
    symbols: Sequence[TypeParameterSymbol], arguments: tuple[Type, ...], method_arguments: tuple[Type, ...]
) -> tuple[TypeParameterSymbol, ...]:
    return tuple(
        TypeParameterSymbol(
            symbol.name,
            tuple(substitute(constraint, arguments, method_arguments) for constraint in symbol.constraints),
            symbol.has_class,
            symbol.has_struct,
            has_new=symbol.has_new,
            allows_ref_struct=symbol.allows_ref_struct,
        )
        for symbol in symbols
    )


def member_slots(hierarchy: Hierarchy, member: Member) -> Iterator[Slot]:
    """The slots that a declared member fills."""
    definition = member.definition
    if not isinstance(definition, SourceTypeDefinition) or member.kind in (MemberKind.FIELD, MemberKind.CONSTRUCTOR):
        return
    own = definition.own_type
    if member.is_override:
        yield from islice(_overridden(hierarchy, member, own), 1)
    if definition.kind is SymbolKind.INTERFACE and not member.explicit_interface:
        return
    if member.explicit_interface:
        yield from _explicit(hierarchy, member, own)
    elif member.visibility is Visibility.PUBLIC:
        yield from _implicit(hierarchy, member, own)


def overridden(hierarchy: Hierarchy, member: Member) -> Iterator[Member]:
    """What a member overrides, nearest first, up to the declaration of its slot."""
    definition = member.definition
    if member.is_override and isinstance(definition, SourceTypeDefinition):
        own = definition.own_type
        for slot in _overridden(hierarchy, member, own):
            yield slot.member


def _name_of(member: Member) -> str:
    return INDEXER_NAME if member.kind is MemberKind.INDEXER else member.name


def _key(member: Member, container: NamedType) -> str:
    """Arity and parameter types with the container's arguments put in."""
    signature = member.signature
    parameters = ",".join(
        documentation_id(substitute(p.type, container.arguments)) + ("@" if p.passing else "")
        for p in signature.parameters
    )
    return f"{len(signature.type_parameters)}({parameters})"


def _overridden(hierarchy: Hierarchy, member: Member, own: NamedType) -> Iterator[Slot]:
    """The base declarations of the same signature that can be overridden, nearest first, down to the one that declares the slot."""
    wanted = _key(member, own)
    name = _name_of(member)
    base = hierarchy.base_class(own)
    if base is None:
        return
    for container in hierarchy.class_chain(base):
        for candidate in hierarchy.members.of(container.definition).get(name, ()):
            if candidate.kind is not member.kind or not _is_seen(candidate, own.definition):
                continue
            if (candidate.is_virtual or candidate.is_override) and _key(candidate, container) == wanted:
                yield Slot(RefKind.OVERRIDE, candidate, container)
                if not candidate.is_override:
                    return
                break


def _is_seen(candidate: Member, overriding: TypeDefinition) -> bool:
    """Whether a derived type can override it, or implement it (of interfaces, C# 10): what is internal in another assembly, unless that
    names it a friend, is passed over."""
    if candidate.visibility is Visibility.PRIVATE:
        return False
    if candidate.visibility not in (Visibility.INTERNAL, Visibility.PRIVATE_PROTECTED):
        return True
    base = candidate.definition
    if not (isinstance(base, SourceTypeDefinition) and isinstance(overriding, SourceTypeDefinition)):
        return False
    return base.project.shows_internals_to(overriding.project)


def _explicit(hierarchy: Hierarchy, member: Member, own: NamedType) -> Iterator[Slot]:
    assert member.declaration is not None and member.part is not None
    syntax = member.declaration.explicit_interface
    assert syntax is not None
    definition = member.definition
    assert isinstance(definition, SourceTypeDefinition)
    interface = hierarchy.table.resolver_for(member.part, definition).resolve(syntax.text)
    if not isinstance(interface, NamedType):
        return
    wanted = _key(member, own)
    for candidate in hierarchy.members.of(interface.definition).get(_name_of(member), ()):
        if candidate.kind is member.kind and _key(candidate, interface) == wanted:
            yield Slot(RefKind.IMPLEMENTATION, candidate, interface)
            return


def _implicit(hierarchy: Hierarchy, member: Member, own: NamedType) -> Iterator[Slot]:
    name = _name_of(member)
    wanted: str | None = None
    for interface in _declared_interfaces(hierarchy, own):
        for candidate in hierarchy.members.of(interface.definition).get(name, ()):
            if candidate.kind is not member.kind or candidate.is_static != member.is_static:
                continue
            if not (candidate.is_virtual or candidate.is_abstract) or not _is_seen(candidate, own.definition):
                continue
            if wanted is None:
                wanted = _key(member, own)
            if _key(candidate, interface) != wanted:
                continue
            if documentation_id(substitute(candidate.type, interface.arguments)) != documentation_id(member.type):
                continue
            if _implemented_explicitly(hierarchy, own, interface, candidate):
                continue
            yield Slot(RefKind.IMPLEMENTATION, candidate, interface)


def _declared_interfaces(hierarchy: Hierarchy, own: NamedType) -> list[NamedType]:
    """Those of the type's own base list and their bases: what only a base class declares, that class implements."""
    found: dict[NamedType, None] = {}
    for interface in hierarchy.interfaces(own):
        found[interface] = None
        found.update(dict.fromkeys(hierarchy.all_interfaces(interface)))
    return list(found)


def _implemented_explicitly(hierarchy: Hierarchy, own: NamedType, interface: NamedType, slot: Member) -> bool:
    """The type itself implements this slot explicitly: then its public namesake does not fill it."""
    definition = own.definition
    if not isinstance(definition, SourceTypeDefinition):
        return False
    table, wanted = hierarchy.table, _key(slot, interface)
    for part in definition.parts:
        for index, declaration in table.members_of(part.document.key).of_type(part.index):
            if declaration.explicit_interface is None or declaration.condition:
                continue
            if declaration.name != slot.name:
                continue
            named = table.resolver_for(part, definition).resolve(declaration.explicit_interface.text)
            member = hierarchy.members.declared(part, index)
            if named is interface and member is not None and _key(member, own) == wanted:
                return True
    return False
