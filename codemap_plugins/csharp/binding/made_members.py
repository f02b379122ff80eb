"""Members that are made of another file for one that it declares, as a client of gRPC has methods for each ``rpc``: what names one means
that, and where a library that it needs is not at hand, it gives what that gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from codemap_plugins.csharp.generated_names import made_for
from codemap_plugins.csharp.symbols.definitions import SourceTypeDefinition, TypePart
from codemap_plugins.csharp.symbols.rows import SymbolRows
from codemap_plugins.csharp.symbols.table import SymbolTable
from codemap_plugins.csharp.symbols.types import ErrorType, Type
from codemap_plugins.csharp.unit import MemberDeclaration


class _Meant(NamedTuple):
    definition: SourceTypeDefinition
    part: TypePart
    declaration: MemberDeclaration


class MadeMembers:
    def __init__(self, table: SymbolTable, rows: SymbolRows) -> None:
        self._table: Final = table
        self._rows: Final = rows

    def id(self, definition: SourceTypeDefinition, name: str) -> str:
        """``name``: what the member is made for, as ``made_for`` says it; of a member that is not there, the type stands for it."""
        meant = self._meant(definition, name)
        if meant is None:
            return definition.documentation_id
        return self._rows.member_id(self._rows.identity_of(meant.definition, meant.part), meant.declaration)

    def result(self, definition: SourceTypeDefinition, name: str, own: Type) -> Type:
        """``own``: what the member itself says that it gives."""
        meant = self._meant(definition, name) if isinstance(own, ErrorType) else None
        if meant is None or meant.declaration.type is None:
            return own
        return self._table.resolver_for(meant.part, meant.definition).resolve(meant.declaration.type.text)

    def _meant(self, definition: SourceTypeDefinition, name: str) -> _Meant | None:
        beside, _, member = name.rpartition(".")
        for owner in _owners(definition, beside) if member else ():
            for part in owner.parts:
                for _, declaration in self._table.members_of(part.document.key).of_type(part.index):
                    if declaration.name == member and made_for(declaration) is None:
                        return _Meant(owner, part, declaration)
        return None


def _owners(definition: SourceTypeDefinition, beside: str) -> Iterator[SourceTypeDefinition]:
    """Where a member is sought: in the type beside its own that is named, else in its own and in the one around."""
    around = definition.container
    if beside:
        owner = around.nested.get((beside, 0)) if around is not None else None
        if owner is not None:
            yield owner
        return
    yield definition
    if around is not None:
        yield around
