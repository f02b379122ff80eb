"""What is not known of types, and what conversions make of it.

A type that was not found may be any type; one with a base that was not found may convert to what that base converts to, and have members
that nobody sees. Neither rules anything in or out: a choice is certain when it is the same whatever the unknown turns out to be.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from codemap_core.model import SymbolKind
from codemap_plugins.csharp.binding.bound_expressions import (
    BoundComposite,
    BoundMethodGroup,
    BoundNamespace,
    BoundTypeName,
    BoundValue,
    UnboundLambda,
    in_doubt,
)
from codemap_plugins.csharp.binding.hierarchy import MAX_DEPTH, Hierarchy
from codemap_plugins.csharp.binding.lookup import Found
from codemap_plugins.csharp.binding.operands import Argument, BoundExpression
from codemap_plugins.csharp.metadata.surface import TypeFlags
from codemap_plugins.csharp.symbols.definitions import LibraryTypeDefinition, SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import (
    ArrayType,
    ErrorType,
    NamedType,
    Type,
    TypeDefinition,
    TypeParameterType,
    contains_error,
)
from codemap_plugins.csharp.unit import Modifiers

_INTERFACE_NAME: Final = re.compile(r"^(?:\w+(?:\.|::))*I[A-Z]\w*(?:<|`|$)")


class Doubt(IntEnum):
    """Which conversions of what is not known count."""

    USUAL = 0
    """Those of types that were not found, and of bases that were not found none: what a single expression is taken for."""
    CERTAIN = 1
    """None: only what holds whatever the unknown is."""
    POSSIBLE = 2
    """All: everything that may hold."""


def is_doubtful(hierarchy: Hierarchy, operand: BoundExpression) -> bool:
    """What the operand converts to is not known for certain. A lambda's body is looked at where its conversions are compared."""
    if isinstance(operand, BoundValue):
        return is_doubtful_type(hierarchy, operand.type)
    if isinstance(operand, BoundComposite):
        return any(is_doubtful(hierarchy, part) for part in operand.parts)
    return isinstance(operand, (BoundTypeName, BoundNamespace))


def is_doubtful_type(hierarchy: Hierarchy, type_: Type) -> bool:
    if contains_error(type_):
        return True
    if isinstance(type_, ArrayType):
        return is_doubtful_type(hierarchy, type_.element)
    if isinstance(type_, NamedType):
        return not hierarchy.is_complete(type_) or any(is_doubtful_type(hierarchy, each) for each in type_.arguments)
    return isinstance(type_, TypeParameterType) and not hierarchy.is_complete(type_)


def may_miss_members(hierarchy: Hierarchy, type_: Type) -> bool:
    """Lookup in the type may find less than there is: a class of its chain, a base interface of an interface, or a constraint was not
    found. Interfaces of a class do not matter, as none of their members is found in it (ECMA-334 §12.5)."""
    if isinstance(type_, NamedType) and type_.definition.kind is not SymbolKind.INTERFACE:
        return not hierarchy.is_complete(type_) and _known_levels(hierarchy, type_) < MAX_DEPTH
    return not hierarchy.is_complete(type_)


def is_sure(hierarchy: Hierarchy, type_: Type, found: Found) -> bool:
    """What lookup found in a type is what the name means whatever the bases are that were not found: none of them is nearer."""
    if hierarchy.is_complete(type_):
        return True
    if not isinstance(type_, NamedType):
        return False
    if type_.definition.kind is SymbolKind.INTERFACE:
        return found.container is type_
    levels = _known_levels(hierarchy, type_)
    return levels >= MAX_DEPTH or any(
        current is found.container for level, current in enumerate(hierarchy.class_chain(type_)) if level <= levels
    )


def is_sure_member(hierarchy: Hierarchy, group: BoundMethodGroup, found: Found) -> bool:
    """No base that was not found has a nearer member of the group's name."""
    sought = group.receiver if group.receiver is not None else group.home
    return not group.unsure and (sought is None or is_sure(hierarchy, sought, found))


def chosen_in_doubt(
    group: Sequence[Found], arguments: Sequence[Argument], extensions: Callable[[], Sequence[Found]] = tuple
) -> bool:
    """An argument whose type is unsure chooses among several that take as many. ``extensions``: those that the choice is among too, which
    take the receiver first."""
    if not any(in_doubt(a.expression) for a in arguments if not isinstance(a.expression, UnboundLambda)):
        return False
    count = len(arguments)
    taking = sum(found.member.minimum <= count <= found.member.maximum for found in group)
    return taking + sum(found.member.minimum <= count + 1 <= found.member.maximum for found in extensions()) > 1


def _known_levels(hierarchy: Hierarchy, type_: NamedType) -> int:
    """The last level of a class's chain at and below which all is known; ``MAX_DEPTH`` for the whole."""
    for level, current in enumerate(hierarchy.class_chain(type_)):
        definition = current.definition
        if not hierarchy.members.members_are_known(definition):
            return level - 1
        if definition.kind not in (SymbolKind.CLASS, SymbolKind.RECORD) or definition.is_value_type:
            continue
        bases = hierarchy.table.base_types_of(current)
        # A class stands first in its base list; of several parts each has one.
        several = isinstance(definition, SourceTypeDefinition) and len(definition.parts) > 1
        unknown = any(_may_be_class(base) for base in (bases if several else bases[:1]))
        known = any(isinstance(base, NamedType) and base.definition.kind is not SymbolKind.INTERFACE for base in bases)
        if unknown and not known:
            return level
    return MAX_DEPTH


def may_become(hierarchy: Hierarchy, type_: Type, definition: TypeDefinition) -> bool:
    """A base that was not found may be, or derive from, this type. It comes from a library, and libraries know no type of a repository
    that uses them."""
    if not definition.external or hierarchy.is_complete(type_):
        return False
    if definition.kind is SymbolKind.INTERFACE:
        return True
    return _may_miss_class(hierarchy, type_) and not is_sealed(hierarchy, definition)


def _may_miss_class(hierarchy: Hierarchy, type_: Type) -> bool:
    if isinstance(type_, TypeParameterType):
        return any(_may_be_class(each) or _may_miss_class(hierarchy, each) for each in hierarchy.constraints(type_))
    if not isinstance(type_, NamedType) or type_.definition.kind is SymbolKind.INTERFACE:
        return False
    return may_miss_members(hierarchy, type_)


def is_sealed(hierarchy: Hierarchy, definition: TypeDefinition) -> bool:
    """Nothing derives from it."""
    if definition.is_value_type or definition.kind not in (SymbolKind.CLASS, SymbolKind.RECORD):
        return definition.kind is not SymbolKind.INTERFACE
    if isinstance(definition, SourceTypeDefinition):
        return bool(definition.modifiers & (Modifiers.SEALED | Modifiers.STATIC))
    surface = hierarchy.table.libraries.surface(definition) if isinstance(definition, LibraryTypeDefinition) else None
    return surface is not None and bool(surface.flags & (TypeFlags.SEALED | TypeFlags.STATIC))


def _may_be_class(base: Type) -> bool:
    """A base that was not found, unless it is called as interfaces are."""
    return isinstance(base, ErrorType) and _INTERFACE_NAME.search(base.text) is None
