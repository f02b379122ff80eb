"""What goes before the routes of all endpoints of FastEndpoints: the prefix that an application gives to the library,
``app.UseFastEndpoints(c => c.Endpoints.RoutePrefix = "api")``, and what an endpoint has in its place (``RoutePrefixOverride``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind
from codemap_plugins.route.fast_guards import values
from codemap_plugins.route.route_rows import is_of_application, nearest

STARTS: Final = ("UseFastEndpoints", "MapFastEndpoints")
"""The calls that start the library in an application, and take what configures it."""
PREFIX: Final = "RoutePrefix"
"""The property that is assigned to."""
_OVERRIDE: Final = "RoutePrefixOverride"
_NOTE: Final = "prefix of fast endpoints"


class _Prefix(Struct, frozen=True, array_like=True):
    text: str
    project: str
    of_application: bool


class Standing(Struct, frozen=True, array_like=True):
    """Where an endpoint stands: the path of its project, and whether that is an application."""

    project: str
    of_application: bool


def standing_of(seen: Seen) -> Standing:
    return Standing(seen.document.project_path, is_of_application(seen))


def prefix_notes(seen: Seen) -> Iterator[Note]:
    """What one document gives to the library."""
    for event in seen.events.values():
        if event.kind is EventKind.ASSIGNMENT and event.name == PREFIX and _configures(seen, event):
            text = text_with_holes(event.arguments[0].value, seen.document) if event.arguments else None
            said = _Prefix(text or "", seen.document.project_path, is_of_application(seen))
            yield Note(_NOTE, seen.file_path, event.line, note_data(said))


def _configures(seen: Seen, event: Event) -> bool:
    """Whether it stands in a lambda that is given to a call which starts the library."""
    region = event.region
    while region != NOWHERE:
        around = seen.document.regions[region]
        if around.event != NOWHERE and seen.document.events[around.event].name in STARTS:
            return True
        region = around.parent
    return False


def override_of(seen: Seen, calls: Iterable[Event]) -> str | None:
    """What an endpoint or a group has in place of the prefix; null where it says nothing."""
    said = next((value for each in calls if each.name == _OVERRIDE for value in values(each)), None)
    return text_with_holes(said, seen.document) if said is not None else None


class Prefixes:
    """What all documents give to the library."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._all: Final = [read_note_data(each.data, _Prefix) for each in notes if each.topic == _NOTE]

    def before(self, standing: Standing, override: str | None) -> list[str]:
        """What goes before the routes of an endpoint: several where applications differ, of none an empty text. Nothing is overridden where
        there is no prefix."""
        texts = dict.fromkeys(each.text.strip("/") for each in nearest(standing, self._all))
        return [(override if override is not None else each) if each else "" for each in texts] or [""]
