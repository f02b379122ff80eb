"""What the C# text that is made of a page of XAML marks: tokens that stand for what C# has no words for."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from codemap_plugins.csharp.page_text import Section


class Mark(IntEnum):
    CREATED = 0
    """``typeof`` of the type that an element creates."""
    NAMED = 1
    """``typeof`` of a type whose members are named without an element of it: what a style is for, what has an attached property."""
    MEMBER = 2
    """``=`` between a member of an element, or of such a type, and its value."""
    ATTACHED = 3
    """The same for an attached property: ``Grid.Row`` is ``Grid.SetRow``."""
    ATTACHED_READ = 4
    """The same where it is read: ``Grid.GetRow``."""
    DATA = 5
    """``default`` of what the page shows, where it does not say which type that has."""
    ELEMENT = 6
    """``default`` of an element, or of a type that is noted like one."""


NOTHING: Final = -1
"""The number of a value of which nothing is known."""


class Marked(NamedTuple):
    """``number``: of the element or type, unique in its page, or ``NOTHING``. ``names``: of ``DATA``, how the type may be called, with
    spaces between."""

    mark: Mark
    number: int = 0
    names: str = ""


PageText: TypeAlias = Section[Marked]
"""A part of the text that is made of a page."""
