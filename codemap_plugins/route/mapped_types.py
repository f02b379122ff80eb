"""Types that a call maps as a whole, hubs and gRPC services: what their attributes, and those of their base classes, demand holds for the
endpoint (``HubEndpointRouteBuilderExtensions.MapHub`` and ``GrpcEndpointRouteBuilderExtensions.MapGrpcService`` of ASP.NET Core add the
attributes of the class to it).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.documentation_id import is_type_id
from codemap_plugins.aspnet.attribute_classes import AttributeClasses, AttributeUse, uses
from codemap_plugins.aspnet.guards import GUARDS, demands_of

MAPPED_TYPE: Final = "mapped_type"
"""The topic of notes."""
GUARD_ATTRIBUTES: Final = ("Authorize", "AllowAnonymous")
_MAPPED_OTHERWISE: Final = frozenset({"ControllerBase", "PageModel", "ComponentBase"})
"""Base classes of types whose routes their own attributes or files say."""


class MappedType(Struct, frozen=True, array_like=True):
    """A class that a call may map, with the attributes that say who may call."""

    id: str
    attributes: tuple[AttributeUse, ...]


def mapped_type_notes(seen: Seen) -> Iterator[Note]:
    """Of the classes of a document that carry such attributes, or whose base classes do."""
    for each in seen.declarations:
        if not is_type_id(each.symbol_id) or any(base.name in _MAPPED_OTHERWISE for base in each.all_bases):
            continue
        carried = uses(seen, (*each.attributes, *each.attributes_elsewhere), GUARDS)
        if carried:
            yield Note(MAPPED_TYPE, seen.file_path, each.line_start, note_data(MappedType(each.symbol_id, carried)))


class DemandsOfTypes:
    """What the attributes of mapped types of all documents demand."""

    def __init__(self, notes: Iterable[Note], classes: AttributeClasses) -> None:
        self._demands: Final[dict[str, list[str]]] = {}
        for note in notes:
            if note.topic == MAPPED_TYPE:
                type_ = read_note_data(note.data, MappedType)
                said = (classes.said(each) for each in type_.attributes)
                self._demands[type_.id] = [demand for each in said for demand in demands_of(each)]

    def of(self, type_: str) -> list[str]:
        """Of the type with an id."""
        return self._demands.get(type_, [])
