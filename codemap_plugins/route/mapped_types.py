"""What a call maps as a whole: hubs and gRPC services, and methods that handle an endpoint. What their attributes demand, of a class those
of its base classes too, holds for the endpoint (``HubEndpointRouteBuilderExtensions.MapHub``,
``GrpcEndpointRouteBuilderExtensions.MapGrpcService`` and ``RouteHandlerServices.Map`` of ASP.NET Core add them to it; those of the class
around a method are not among them).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.documentation_id import is_method_id, is_type_id
from codemap_plugins.aspnet.attribute_classes import AttributeClasses, AttributeUse, uses
from codemap_plugins.aspnet.guards import GUARDS, demands_of

MAPPED_TYPE: Final = "mapped_type"
"""The topic of notes."""
GUARD_ATTRIBUTES: Final = ("Authorize", "AllowAnonymous")
_MAPPED_OTHERWISE: Final = frozenset({"ControllerBase", "PageModel", "ComponentBase"})
"""Base classes of types whose routes their own attributes or files say."""


class MappedType(Struct, frozen=True, array_like=True):
    """A class or method that a call may map, with the attributes that say who may call."""

    id: str
    attributes: tuple[AttributeUse, ...]


def mapped_type_notes(seen: Seen) -> Iterator[Note]:
    """Of the classes and methods of a document that carry such attributes, or whose base classes do."""
    otherwise = {
        each.symbol_id for each in seen.declarations if any(base.name in _MAPPED_OTHERWISE for base in each.all_bases)
    }
    for each in seen.declarations:
        is_type = is_type_id(each.symbol_id)
        if (each.symbol_id if is_type else each.container_id) in otherwise:
            continue
        if not is_type and not is_method_id(each.symbol_id):
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
        """Of the type or method with an id."""
        return self._demands.get(type_, [])
