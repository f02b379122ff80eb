"""The member declarations of one file, as they stand and by the type that they stand in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from codemap_plugins.csharp.unit import MemberDeclaration

Numbered = tuple[int, MemberDeclaration]
"""A declaration with its number in the file."""


class FileMembers:
    __slots__ = ("_by_name", "_of_types", "declarations")

    def __init__(self, declarations: Sequence[MemberDeclaration]) -> None:
        self.declarations: Final = declarations
        self._of_types: dict[int, list[Numbered]] | None = None
        self._by_name: dict[tuple[int, int], MemberDeclaration] | None = None

    def of_type(self, index: int) -> Sequence[Numbered]:
        """The members of the file's type declaration ``index``, in the order of the text."""
        of_types = self._of_types
        if of_types is None:
            of_types = self._of_types = {}
            for number, member in enumerate(self.declarations):
                of_types.setdefault(member.parent, []).append((number, member))
        return of_types.get(index, ())

    def named_at(self, member: MemberDeclaration) -> MemberDeclaration | None:
        """The declaration of the same kind whose name stands at the same place; another reading of the file has ``member``."""
        by_name = self._by_name
        if by_name is None:
            by_name = self._by_name = {(int(each.kind), each.name_offset): each for each in self.declarations}
        return by_name.get((int(member.kind), member.name_offset))
