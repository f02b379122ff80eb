"""The values of constant members: ``const`` fields and enum members of any file, and those of libraries.

A member's initialiser is bound when its value is first asked for, and remembered with the table. One that refers to itself, which is an
error (ECMA-334 §15.4), has no value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codemap_core.model.bound import Constant
from codemap_plugins.csharp.binding import constants
from codemap_plugins.csharp.binding.library_members import LibraryMembers
from codemap_plugins.csharp.binding.member_table import MemberTable
from codemap_plugins.csharp.binding.members import Member, MemberKind
from codemap_plugins.csharp.symbols.definitions import LibraryTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import NamedType
from codemap_plugins.csharp.unit import DeclarationKind, MemberDeclaration

Initial = Callable[[TypePart, int], Constant | None]
"""The value of the initialiser of a document's declaration, by its part and index."""


class ConstantMembers:
    def __init__(self, table: SymbolTable, members: MemberTable, initial: Initial) -> None:
        self._table: Final = table
        self._members: Final = members
        self._initial: Final = initial
        self._known: Final[dict[tuple[str, str], Constant | None]] = {}

    def of(self, member: Member) -> Constant | None:
        """Null for what is not constant."""
        if member.kind is not MemberKind.FIELD:
            return None
        declaration = member.declaration
        if declaration is None:
            return self._of_library(member)
        if declaration.kind not in (DeclarationKind.CONSTANT, DeclarationKind.ENUM_MEMBER) or member.part is None:
            return None
        key = (member.part.document.key.project_path, member.symbol_id)
        if key not in self._known:
            self._known[key] = None
            self._known[key] = self._of_source(member, member.part, declaration)
        return self._known[key]

    def _of_library(self, member: Member) -> Constant | None:
        definition = member.definition
        if not isinstance(definition, LibraryTypeDefinition):
            return None
        surface = self._members.of(definition)
        value = surface.constant(member.name) if isinstance(surface, LibraryMembers) else None
        if value is None or not isinstance(member.type, NamedType):
            return None
        return Constant(member.type.definition.documentation_id, value)

    def _of_source(self, member: Member, part: TypePart, declaration: MemberDeclaration) -> Constant | None:
        index = member.index
        if declaration.kind is DeclarationKind.CONSTANT:
            initial = self._initial(part, index)
            if initial is None or initial.value is None or not isinstance(member.type, NamedType):
                return initial
            type_id = member.type.definition.documentation_id
            return constants.cast(type_id, initial) or (initial if initial.type_id == type_id else None)
        enum_id = member.definition.documentation_id
        declarations = self._table.members_of(part.document.key).declarations
        ahead = 0
        for at in range(index, -1, -1):
            each = declarations[at]
            if each.parent != declaration.parent or each.kind is not DeclarationKind.ENUM_MEMBER:
                continue
            if each.body >= 0:
                initial = self._initial(part, at)
                number = constants.integer(initial) if initial is not None else None
                return constants.of_enum(enum_id, number + ahead) if number is not None else None
            ahead += 1
        return constants.of_enum(enum_id, ahead - 1)
