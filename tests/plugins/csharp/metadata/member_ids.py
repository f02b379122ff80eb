"""The ids of all members of a library type, for comparing them with others."""

from __future__ import annotations

from collections.abc import Iterator

from codemap_plugins.csharp.metadata.doc_ids import event_id, field_id, method_id, property_id
from codemap_plugins.csharp.metadata.surface import TypeSurface


def member_ids(surface: TypeSurface) -> Iterator[str]:
    """In the order of the surface."""
    name = surface.name
    for method in surface.methods:
        yield method_id(name, method)
    for member in surface.properties:
        yield property_id(name, member)
    for field in surface.fields:
        yield field_id(name, field)
    for event in surface.events:
        yield event_id(name, event)
