"""What is compiled of one file, in the order of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from codemap_plugins.csharp.symbols.file_members import FileMembers
from codemap_plugins.csharp.unit import MemberDeclaration, Outline, TypeDeclaration, region_at

Declaration: TypeAlias = TypeDeclaration | MemberDeclaration


def declarations_in_order(outline: Outline, members: FileMembers) -> Sequence[tuple[Declaration, int]]:
    """Each with its number among the types or members: a type before its members, and a nested type between the members that it stands
    between. Of an alternative, what holds text that is else left out."""
    ordered: list[tuple[Declaration, int]] = []
    has_nested = False
    for index, declaration in enumerate(outline.types):
        if declaration.condition:
            continue
        has_nested = has_nested or declaration.parent >= 0
        ordered.append((declaration, index))
        ordered += [(member, number) for number, member in members.of_type(index) if not member.condition]
    if has_nested:
        ordered.sort(key=lambda each: each[0].span[0])
    if outline.regions:
        return [each for each in ordered if region_at(outline.regions, *each[0].span) is not None]
    return ordered
