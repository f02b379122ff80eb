"""What is compiled of one file, in the order of its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from codemap_plugins.csharp.symbols.file_members import FileMembers
from codemap_plugins.csharp.unit import MemberDeclaration, Outline, Region, TypeDeclaration

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
        return [each for each in ordered if any(_meets(each[0], region) for region in outline.regions)]
    return ordered


def _meets(declaration: Declaration, region: Region) -> bool:
    start, end = declaration.span
    return region.start < end and start < region.end
