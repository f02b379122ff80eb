"""Routes that have a name and lead to one action: ``MapControllerRoute("Cart", "cart", new { controller = "Cart", action = "Show" })``, and
calls of that form of the repository's own. Names that attributes give are in ``actions``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import Event, EventKind, Value
from codemap_plugins.aspnet.endpoint_calls import ENDPOINT_CALLS, ROUTE_VALUES
from codemap_plugins.route.route_rows import is_of_application

NAMED_ROUTE: Final = "named_route"
"""The topic of notes."""
_MAP: Final = ENDPOINT_CALLS.removesuffix("*")
_NAME: Final = "name"
_DEFAULTS: Final = "defaults"
_AREA_NAME: Final = "areaName"
_UNBOUND: Final = ""


class NamedRoute(Struct, frozen=True, array_like=True):
    """Names are as written; ``area`` is empty for none."""

    name: str
    project: str
    of_application: bool
    area: str
    controller: str
    action: str


def named_route_notes(seen: Seen) -> Iterator[Note]:
    for event in seen.events.values():
        if event.kind is EventKind.INVOCATION and event.name.startswith(_MAP):
            name, values = _given(event)
            area, controller, action = (text_of(values.get(each)) or "" for each in ROUTE_VALUES)
            if name and controller and action:
                project = seen.document.project_path
                route = NamedRoute(name, project, is_of_application(seen), area, controller, action)
                yield Note(NAMED_ROUTE, seen.file_path, event.line, note_data(route))


def _given(event: Event) -> tuple[str, dict[str, Value]]:
    """The name and the defaults of a route; where the call was not bound its first text is the name."""
    name, values = "", dict[str, Value]()
    for argument in event.arguments:
        if argument.parameter == _NAME or (argument.parameter == _UNBOUND and not name):
            name = text_of(argument.value) or name
        elif argument.parameter == _AREA_NAME:
            values[ROUTE_VALUES[0]] = argument.value
        if argument.parameter in (_DEFAULTS, _UNBOUND):
            values.update((member.lower(), value) for member, value in argument.value.members)
    return name, values
