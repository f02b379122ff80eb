"""What the C# text that is made of a page marks: tokens that stand for what C# has no words for."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from codemap_plugins.csharp.page_text import Section

_NO_TAG: Final = -1


class Mark(IntEnum):
    """What a token of the added text stands for that C# has no words for."""

    COMPONENT = 0
    """``typeof`` of the component that a tag names."""
    PARAMETER = 1
    """``=`` between a parameter of a component and the text that its tag gives it, C# unless the parameter is a string."""
    EXPRESSION = 2
    """The same where the text says that it is C#."""
    CONTEXT = 3
    """The type of variables that stand for what the content of an element is given, of which binding declares those that there are."""
    TYPE_ARGUMENT = 4
    """``typeof`` of what a tag gives to a type parameter of its component."""


class ComponentTag:
    """A tag as binding sees it. ``number``: unique in its page. ``type_arguments``: what it says of type parameters, each as
    [name, type]; known when all of the page is read. ``context``: what it says that its content, or each element of that, calls what it
    is given."""

    def __init__(self, name: str, number: int, around: ComponentTag | None) -> None:
        """``around``: the component in whose content it stands."""
        self.name: Final = name
        self.number: Final = number
        self.around: Final = around.number if around is not None else _NO_TAG
        self.type_arguments: Final[list[list[str]]] = []
        self.context = ""
        self.context_around: Final = around.context if around is not None else ""
        """What the component around it says so."""


class Marked(NamedTuple):
    """``name``: of ``TYPE_ARGUMENT``, the type parameter."""

    mark: Mark
    tag: ComponentTag
    name: str = ""


PageText: TypeAlias = Section[Marked]
"""A part of the text that is made of a page."""
