"""Which uses of a member are decided at run time (ECMA-334 §12.6.6, §15.6.4): then an override or an implementation may be what runs.

Never so: a member reached through ``base`` (§12.8.15), a member that nothing can override or implement, one of a value or of a sealed
class. A static member is dispatched in interfaces alone, where it is abstract or virtual (C# 11).
"""

from __future__ import annotations

from typing import Final

from codemap_core.model import RefKind, SymbolKind, Visibility
from codemap_plugins.csharp.binding.members import Member
from codemap_plugins.csharp.symbols import modifier_bits as bits
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition
from codemap_plugins.csharp.symbols.types import NamedType, Type, TypeDefinition

DISPATCHED_KINDS: Final = frozenset(
    {
        RefKind.CALL,
        RefKind.READ,
        RefKind.WRITE,
        RefKind.EVENT_SUBSCRIBE,
        RefKind.METHOD_GROUP,
        RefKind.OPERATOR,
    }
)
"""Kinds of references that use a member; the others name or declare it."""


def is_dispatched(member: Member, receiver: Type | None) -> bool:
    """``receiver``: the type of the value whose member it is; null where the value is ``this`` or there is none."""
    if not (member.is_virtual or member.is_override or member.is_abstract):
        return False
    definition = member.definition
    flags: int = member.declaration.modifiers if member.declaration is not None else 0
    if definition.kind is SymbolKind.INTERFACE:
        if member.visibility is Visibility.PRIVATE or flags & bits.SEALED or member.explicit_interface:
            return False
        if member.is_static and definition.external:
            return member.is_abstract
        if member.is_static and not flags & bits.VIRTUAL_OR_ABSTRACT:
            return False
    elif flags & bits.SEALED or _is_final(definition):
        return False
    return not (isinstance(receiver, NamedType) and _is_final(receiver.definition))


def _is_final(definition: TypeDefinition) -> bool:
    """Whether nothing derives from the type; of a library's class that is not known, and taken to be possible."""
    if definition.is_value_type:
        return True
    flags: int = definition.modifiers if isinstance(definition, SourceTypeDefinition) else 0
    return bool(flags & bits.SEALED)
