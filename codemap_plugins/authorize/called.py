"""Demands that calls put on endpoints and groups of minimal APIs and on pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import Beginning, Journey, Journeys, Trail, Trails, subject_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import FactRow
from codemap_core.model.bound import NOWHERE, Event, EventKind
from codemap_core.model.documentation_id import container_of, type_id
from codemap_plugins.aspnet.attribute_classes import ALLOW, AttributeClasses, uses
from codemap_plugins.aspnet.endpoint_calls import (
    BUILDERS,
    ENDPOINT_CALLS,
    MapCall,
    branch_prefixes,
    group_prefix,
    map_call,
    passes_on,
)
from codemap_plugins.aspnet.guards import (
    GUARDS,
    REQUIRE,
    demands_of,
    demands_of_call,
)
from codemap_plugins.aspnet.page_conventions import PAGE_CONVENTIONS, PageConvention, page_convention
from codemap_plugins.authorize.guarded import Place, demand_row, display_name, place_of

CALL: Final = "call"
"""The topic of notes on calls that demand something."""
CALLS: Final = (REQUIRE, ALLOW, *PAGE_CONVENTIONS, ENDPOINT_CALLS)
"""Names of the calls that are read here."""
_BUILDER_CALLS: Final = type_id("Microsoft.AspNetCore.Builder.AuthorizationEndpointConventionBuilderExtensions")
_GROUP_TYPE: Final = "RouteGroupBuilder"
_MAP: Final = ENDPOINT_CALLS.removesuffix("*")


class CallNote(Struct, frozen=True, array_like=True):
    """Demands on what is mapped. ``verbs`` and ``template``: of an endpoint, mapped on what ``trails`` lead to; without ``verbs`` they lead
    to a group. ``named``: how the guarded thing is called where nothing leads to it, ``guarded`` its id."""

    place: Place
    demands: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    template: str = ""
    trails: tuple[Trail, ...] = ()
    named: str = ""
    guarded: str = ""


def call_notes(seen: Seen) -> Iterator[FactRow | Note]:
    """What calls of one document demand, and the groups that it hands to other documents."""
    if not seen.events:
        return

    def adds(event: Event) -> tuple[str, ...] | None:
        prefix = group_prefix(seen, event)
        return (prefix,) if prefix is not None else () if passes_on(event) else None

    trails = Trails(seen, BUILDERS, adds, opens=partial(branch_prefixes, seen))
    for event in seen.events.values():
        if event.kind is not EventKind.INVOCATION:
            continue
        if event.name in (REQUIRE, ALLOW):
            if event.receiver is not None and (event.target is None or container_of(event.target) == _BUILDER_CALLS):
                note = _call(seen, event, trails)
                yield Note(CALL, seen.file_path, event.line, note_data(note))
        elif event.name.startswith(_MAP):
            yield from _of_function(seen, event, trails)
        elif (convention := page_convention(event)) is not None:
            yield demand_row(place_of(seen, event), convention.demand, _pages(convention))
    yield from trails.notes()


def _call(seen: Seen, event: Event, trails: Trails) -> CallNote:
    place, demands = place_of(seen, event), tuple(demands_of_call(seen, event))
    current = seen.origin(event.receiver)
    while current is not None:
        call: MapCall | None = map_call(seen, current)
        if call is not None:
            found = trails.of(subject_of(current), current.enclosing)
            return CallNote(place, demands, call.verbs, call.template, found, guarded=_handler(call))
        before = subject_of(current)
        if group_prefix(seen, current) is not None:
            given = tuple(_added(trail, current, seen) for trail in trails.of(before, current.enclosing))
            return CallNote(place, demands, trails=given, named=f"{current.name}()")
        if current.target is not None and not current.external and trails.is_carried(event.receiver):
            return CallNote(
                place, demands, trails=trails.of(event.receiver, event.enclosing), named=f"{current.name}()"
            )
        if current.name.startswith(_MAP) or (current.target is not None and not current.external):
            return CallNote(place, demands, named=f"{current.name}()")
        current = seen.origin(before)
    if trails.is_carried(event.receiver):
        return CallNote(place, demands, trails=trails.of(event.receiver, event.enclosing), named=_enclosing(event))
    return CallNote(place, demands, named=_enclosing(event), guarded=event.enclosing or "")


def _of_function(seen: Seen, event: Event, trails: Trails) -> Iterator[Note]:
    """The attributes of a lambda or local function that handles an endpoint demand for its route."""
    call = map_call(seen, event)
    if call is None or call.function == NOWHERE:
        return
    for attribute in seen.document.regions[call.function].attributes:
        for use in uses(seen, (attribute,), GUARDS):
            line = attribute.line or event.line
            place = Place(seen.file_path, line, line, attribute.line_end or line, event.enclosing)
            demands = tuple(demands_of(AttributeClasses().said(use)))
            found = trails.of(subject_of(event), event.enclosing)
            note = CallNote(place, demands, call.verbs, call.template, found, guarded=_handler(call))
            yield Note(CALL, seen.file_path, line, note_data(note))


def _added(trail: Trail, group: Event, seen: Seen) -> Trail:
    return Trail(
        trail.beginning,
        trail.symbol,
        trail.ordinal,
        (*trail.added, group_prefix(seen, group) or ""),
        trail.given,
        trail.name,
        trail.type,
        trail.is_alternative,
    )


def _handler(call: MapCall) -> str:
    return call.handler if call.handler[1:2] == ":" else ""


def _enclosing(event: Event) -> str:
    return display_name(event.enclosing) if event.enclosing else ""


def _pages(convention: PageConvention) -> str:
    """``/Admin/*``, of an area ``/Back/Stock``."""
    area = f"/{convention.area}" if convention.area else ""
    path = f"{area}{convention.path or ''}"
    return f"{path}/*" if convention.is_folder else path or "/"


def call_rows(notes: Iterable[Note]) -> Iterator[FactRow]:
    """What the calls of all documents demand."""
    every = list(notes)
    journeys = Journeys(every)
    for note in every:
        if note.topic == CALL:
            data = read_note_data(note.data, CallNote)
            ways = dict.fromkeys(way for trail in data.trails for way in journeys.of(trail))
            names = [name for way in ways for name in _guarded(data, way)] or [data.named]
            for demand in data.demands:
                for name in dict.fromkeys(names):
                    yield demand_row(data.place, demand, name, data.guarded)


def _guarded(data: CallNote, way: Journey) -> Iterator[str]:
    """``GET /orders/{id}``, or ``/orders/*`` for a group; nothing where a group is not known."""
    is_open = way.beginning is not Beginning.START and way.type == _GROUP_TYPE
    begun = (f"{{?{way.name}}}",) if is_open else ()
    pieces = (*begun, *way.added, data.template)
    path = "/".join(piece.strip("/") for piece in pieces if piece.strip("/"))
    if not data.verbs:
        if way.beginning is Beginning.START or way.added:
            yield f"/{path}/*" if path else "/*"
        return
    for verb in data.verbs:
        yield f"{verb} /{path}"
