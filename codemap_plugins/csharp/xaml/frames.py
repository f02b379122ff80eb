"""What is known of the elements that are open while a page of XAML is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_plugins.csharp.xaml.markup import Span

UNKNOWN: Final = "__unknown"
"""Stands for the local that holds what is shown, where nothing is known of that."""
DATA_TEMPLATES: Final = frozenset({b"DataTemplate", b"HierarchicalDataTemplate", b"TreeDataTemplate"})


class Frame:
    """An open element, or the property element that a name with a dot is.

    ``place``: where its name stands. ``number``: of its type in the page, 0 where nothing is known of that. ``data``: the local that holds
    what its bindings read. ``items``: the local that holds what it shows one by one; empty without. ``target``: the number of the type that
    its setters and template bindings are about."""

    def __init__(self, name: bytes, place: Span, number: int, data: str, around: Frame | None) -> None:
        self.name: Final = name
        self.place: Final = place
        self.number: Final = number
        self.around: Final = around
        self.data = data
        self.items = ""
        self.target: int = around.target if around is not None else 0
        self.in_template: bool = around is not None and around.in_template
        self.has_item: bool = around is not None and around.has_item
        """``x:Bind`` begins with the item of a template, and not with the page."""
        self.closes = 0
        """How many blocks of the text end with it."""

    @property
    def local_name(self) -> bytes:
        return self.name.rpartition(b":")[2]

    @property
    def is_property(self) -> bool:
        return b"." in self.local_name

    @property
    def owner_name(self) -> bytes:
        """Of a property element, the element or type whose property it is."""
        return self.local_name.rpartition(b".")[0]

    @property
    def property_name(self) -> bytes:
        return self.local_name.rpartition(b".")[2]

    def outwards(self) -> Iterator[Frame]:
        """It and those around it, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.around

    def shown_items(self) -> str:
        """What a template in it shows one of: the items of the nearest element that has any. Empty where that is not known."""
        for frame in self.outwards():
            if frame.items:
                return frame.items
            if frame.local_name in DATA_TEMPLATES or frame.property_name.endswith(b"HeaderTemplate"):
                break
        return ""
