"""Endpoints that are mapped by calls: minimal APIs, fallbacks, hubs, services, health checks and conventional routes.

Each call leaves a note with the trail of what it is done to; a route needs all files, because a group may have been handed to the method
that maps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import Beginning, Journey, Journeys, Trail, Trails, is_within, subject_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactRow
from codemap_core.model.bound import NOWHERE, Event, EventKind, Value
from codemap_plugins.aspnet.attribute_classes import AttributeClasses, uses
from codemap_plugins.aspnet.endpoint_calls import BUILDERS, MapCall, branch_prefixes, group_prefix, map_call, passes_on
from codemap_plugins.aspnet.guards import GUARDS, demands_of, guard_text
from codemap_plugins.route.classic import convention_note
from codemap_plugins.route.conventions import Conventions, ResultMarks
from codemap_plugins.route.general_demands import general_notes
from codemap_plugins.route.mapped_types import DemandsOfTypes
from codemap_plugins.route.marks import Mark, marked, texts_of
from codemap_plugins.route.own_conventions import OwnConventions
from codemap_plugins.route.route_rows import Place, Source, route_row
from codemap_plugins.route.templates import combined

ENDPOINT: Final = "endpoint"
"""The topic of notes on calls that map."""
RESULT_MARKS: Final = "result_marks"
"""The topic of notes on conventions that are put on what a method gives."""
_GROUP_TYPE: Final = "RouteGroupBuilder"
_MAPPED_WHOLE: Final = frozenset({Source.HUB, Source.GRPC, Source.MINIMAL})
"""Sources whose handler has attributes that hold for the endpoint."""


class EndpointNote(Struct, frozen=True, array_like=True):
    """A call that maps. ``trails``: of what it is done to; ``marks``: conventions put on the endpoint itself; ``is_given``: it is what its
    method gives, so that callers put conventions on it too."""

    place: Place
    owner: str | None
    source: Source
    verbs: tuple[str, ...]
    template: str
    handler: str
    confidence: Confidence
    trails: tuple[Trail, ...]
    marks: tuple[str, ...] = ()
    beyond: bool = False
    defaults: str = ""
    is_given: bool = False


def endpoint_notes(seen: Seen) -> Iterator[Note]:
    """What one document maps, and what it hands on to others that map."""
    if not seen.events:
        return
    conventions = Conventions(seen)

    def adds(event: Event) -> tuple[str, ...] | None:
        return _added(seen, conventions, event)

    def opens(value: Value) -> tuple[str, ...]:
        return marked(Mark.PREFIX, branch_prefixes(seen, value))

    trails = Trails(seen, BUILDERS, adds, conventions.of_parameter, opens)
    given: frozenset[tuple[int, int]] | None = None
    for event in seen.events.values():
        convention = convention_note(seen, event)
        if convention is not None:
            yield convention
        call = map_call(seen, event)
        if call is not None:
            given = _given(seen) if given is None else given
            note = _endpoint_note(seen, call, trails, conventions, (event.line, event.column) in given)
            yield Note(ENDPOINT, seen.file_path, event.line, note_data(note))
    yield from general_notes(seen, conventions, trails)
    yield from conventions.own_notes()
    for line, marks in conventions.on_results():
        yield Note(RESULT_MARKS, seen.file_path, line, note_data(marks))
    yield from trails.notes()


def _given(seen: Seen) -> frozenset[tuple[int, int]]:
    """The lines and columns of calls whose result a member gives, or what further calls made of it: ``=> app.MapGet(…).WithName("x")``."""
    found: set[tuple[int, int]] = set()
    for event in seen.document.events:
        if event.kind is EventKind.RETURN and event.region == NOWHERE and event.arguments:
            current = seen.origin(event.arguments[0].value)
            while current is not None and (current.line, current.column) not in found:
                found.add((current.line, current.column))
                current = seen.origin(subject_of(current))
    return frozenset(found)


def _endpoint_note(seen: Seen, call: MapCall, trails: Trails, conventions: Conventions, is_given: bool) -> EndpointNote:
    event = call.event
    return EndpointNote(
        Place(seen.file_path, event.line, event.line_start, event.line_end),
        event.enclosing,
        Source(call.source.value),
        call.verbs,
        call.template,
        call.handler,
        event.confidence if call.is_bound else Confidence.LOW,
        trails.of(subject_of(event), event.enclosing),
        (*conventions.of(event), *_of_function(seen, call.function)),
        call.beyond,
        ", ".join(f"{name}={text}" for name, text in call.defaults),
        is_given,
    )


def _of_function(seen: Seen, region: int) -> tuple[str, ...]:
    """What the attributes of a lambda or local function demand."""
    attributes = seen.document.regions[region].attributes if region != NOWHERE else ()
    said = (AttributeClasses().said(each) for each in uses(seen, attributes, GUARDS))
    return marked(Mark.GUARD, (demand for each in said for demand in demands_of(each)))


def _added(seen: Seen, conventions: Conventions, event: Event) -> tuple[str, ...] | None:
    """A group adds its prefix; what the library, or something that did not bind, does to a builder passes it on."""
    prefix = group_prefix(seen, event)
    if prefix is not None:
        return (*marked(Mark.PREFIX, (prefix,)), *conventions.of(event))
    return () if passes_on(event) else None


def endpoint_routes(
    notes: Sequence[Note], journeys: Journeys, classes: AttributeClasses, own: OwnConventions
) -> Iterator[FactRow]:
    """The routes of all documents."""
    demands = DemandsOfTypes(notes, classes)
    groups = MarkedResults(notes, journeys)
    for note in notes:
        if note.topic == ENDPOINT:
            endpoint = read_note_data(note.data, EndpointNote)
            found = dict.fromkeys(
                (way, groups.of(endpoint, trail)) for trail in endpoint.trails for way in journeys.of(trail)
            )
            of_handler = marked(Mark.GUARD, demands.of(endpoint.handler)) if endpoint.source in _MAPPED_WHOLE else ()
            for way, marks in found:
                yield from _rows(endpoint, way, own.expanded((*way.added, *marks, *of_handler, *endpoint.marks)))


class MarkedResults:
    """Conventions that callers put on what a method gives, the endpoint that it maps or a group: they hold for that endpoint, or those that
    it maps on this group, if all of its callers put them."""

    def __init__(self, notes: Iterable[Note], journeys: Journeys) -> None:
        self._journeys: Final = journeys
        self._marks: Final[dict[str, list[tuple[str, ...]]]] = {}
        for note in notes:
            if note.topic == RESULT_MARKS:
                data = read_note_data(note.data, ResultMarks)
                self._marks.setdefault(data.method, []).append(data.marks)

    def of(self, endpoint: EndpointNote, trail: Trail) -> tuple[str, ...]:
        """``trail``: of what the endpoint is mapped on."""
        method = endpoint.owner
        put = self._marks.get(method or "")
        if method is None or not put or self._journeys.calls_of(method) > len(put) or len(set(put)) > 1:
            return ()
        is_given = endpoint.is_given or any(is_within(trail, each) for each in self._journeys.given_by(method))
        return put[0] if is_given else ()


def _rows(endpoint: EndpointNote, way: Journey, marks: tuple[str, ...]) -> Iterator[FactRow]:
    prefix = texts_of(Mark.PREFIX, way.added)
    confidence = endpoint.confidence
    if way.beginning is not Beginning.START and way.type == _GROUP_TYPE:
        prefix.insert(0, f"{{?{way.name}}}")
    elif way.is_guess:
        confidence = Confidence.LOW
    elif way.beginning is Beginning.UNKNOWN and confidence is Confidence.HIGH:
        confidence = Confidence.MEDIUM
    template = endpoint.template
    if endpoint.source is not Source.GRPC:
        template = combined((*prefix, template))
    for verb in endpoint.verbs:
        yield route_row(
            endpoint.place,
            endpoint.owner,
            verb,
            template,
            endpoint.source,
            handler=endpoint.handler,
            confidence=confidence,
            authorize=guard_text(texts_of(Mark.GUARD, marks)),
            beyond=endpoint.beyond,
            defaults=endpoint.defaults,
            versions=", ".join(dict.fromkeys(texts_of(Mark.VERSION, marks))),
        )
