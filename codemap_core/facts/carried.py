"""Values that are handed on through a program: groups of routes, sections of a configuration. What one began as, and what each call on the
way has added to it, is followed through chains, locals, lambdas, local functions, fields and properties, the results of methods, and from
a parameter to every caller, over all files.

    var api = app.MapGroup("/api");  api.MapGroup("v1").MapOrders();     // in one file
    static void MapOrders(this RouteGroupBuilder g) => g.MapGet("/x");   // in another: g began as app, with "/api" and "v1" added

``Trails`` reads one document and leaves notes of what crosses its border; ``Journeys`` joins all of them. A kind of facts says which types
are carried, which it also asks for with ``Interests.carried_types``, and what a call adds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts.note_data import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import RefKind
from codemap_core.model.bound import NOWHERE, Argument, Event, EventKind, Region, RegionKind, TypeForm, Value
from codemap_core.model.documentation_id import parse_id

_MAX_DEPTH: Final = 40
_MAX_TRAILS: Final = 300
"""What one value may come from, calls within calls counted; code that passes more is written to be expensive."""
_MAX_CALLS: Final = 100
"""Calls within calls that one way leads through."""
_MAX_STEPS: Final = 20_000
"""Steps to all ways of one value."""
_MAX_WAYS: Final = 2_000
"""Ways that lead to one parameter or member; those beyond are not told apart for anybody."""
_FILLING: Final = frozenset({RefKind.IMPLEMENTATION, RefKind.OVERRIDE})


class Beginning(StrEnum):
    """What a value began as."""

    START = "start"
    """Something that is made here, or that the library hands out: nothing was added before."""
    PARAMETER = "parameter"
    """A parameter of a member."""
    RESULT = "result"
    """What a member declared in source gives."""
    MEMBER = "member"
    """A field or property."""
    UNKNOWN = "unknown"


class Trail(Struct, frozen=True, array_like=True):
    """Where a value comes from. ``symbol``: the member of a parameter or result, or the field or property; ``ordinal``: of the parameter;
    ``added``: by calls since, oldest first; ``given``: what a call of the member hands to its parameters, for a result; ``name`` and
    ``type``: what the beginning is called and the simple name of its type; ``is_alternative``: one of several that the value may be."""

    beginning: Beginning
    symbol: str = ""
    ordinal: int = NOWHERE
    added: tuple[str, ...] = ()
    given: tuple[tuple[int, tuple[Trail, ...]], ...] = ()
    name: str = ""
    type: str = ""
    is_alternative: bool = False


class Journey(Struct, frozen=True):
    """A trail with all files known. ``beginning`` is ``START``, or what could not be followed any further: a ``PARAMETER`` without a caller
    in source, ``UNKNOWN`` for the rest; ``name`` and ``type`` as there. ``is_guess``: a call on the way did not bind, and is taken for one
    of the only method of that name."""

    beginning: Beginning
    added: tuple[str, ...] = ()
    name: str = ""
    type: str = ""
    is_guess: bool = False


class CarriedNote(Struct, frozen=True, array_like=True):
    """What crosses the border of a document: a parameter ``ordinal`` of ``symbol`` is given these, the member ``symbol`` gives or holds
    them (``ordinal`` ``NOWHERE``); or, without trails, the member ``filled_by`` fills the slot ``symbol``, and without a slot it is one
    that takes such values. A method that did not bind is its name alone."""

    symbol: str
    ordinal: int = NOWHERE
    trails: tuple[Trail, ...] = ()
    filled_by: str = ""


CARRIED: Final = "carried"
"""The topic of notes that ``Trails`` leaves."""
Adds = Callable[[Event], tuple[str, ...] | None]
"""What a call adds to the value that it is done to: texts, nothing where it passes the value on, null where a value begins with it."""

Begins = Callable[[str, int], tuple[str, ...]]
"""What statements of a member's body add to its parameter of that ordinal, wherever in the body it is used."""

Opens = Callable[[Value], tuple[str, ...]]
"""What the library has added to a parameter of a lambda that it hands to it."""


class Trails:
    """Of one document. ``types``: simple names of the types that are carried."""

    def __init__(
        self, seen: Seen, types: Iterable[str], adds: Adds, begins: Begins | None = None, opens: Opens | None = None
    ) -> None:
        self._seen: Final = seen
        self._begins: Final = begins
        self._opens: Final = opens
        self._types: Final = frozenset(types)
        self._adds: Final = adds
        self._parameters: Final[set[str]] = set()
        self._depth = 0
        self._made = 0
        self._inside: Final[set[tuple[int, int]]] = set()
        """Local functions that are being followed, with the ordinal of a parameter."""
        self._open: Final[set[str]] = set()
        """Variables whose alternatives are being followed."""

    def of(self, value: Value | None, enclosing: str | None) -> tuple[Trail, ...]:
        """Where a value comes from that stands in a body of ``enclosing``: several where a local function has several calls, none of what
        leads back to itself."""
        if self._depth == 0:
            self._made = 0
        self._made += 1
        if value is None or self._depth > _MAX_DEPTH or self._made > _MAX_TRAILS:
            return (Trail(Beginning.UNKNOWN),)
        self._depth += 1
        try:
            event = self._seen.origin(value)
            if event is not None:
                return self._of_event(event)
            if value.alternatives:
                return self._of_alternatives(value, enclosing)
            return self._of_name(value, enclosing)
        finally:
            self._depth -= 1

    def notes(self) -> Iterator[Note]:
        """What this document hands on, fills and gives. Last: it says which slots matter by what was followed before."""
        for event in self._seen.document.events:
            if event.kind is EventKind.RETURN:
                yield from self._returned(event)
            elif not event.external:
                yield from self._handed_on(event) if event.target is not None else self._handed_to_name(event)
        yield from self._filled()

    def is_carried(self, value: Value | None) -> bool:
        return value is not None and value.type is not None and value.type.name in self._types

    # Where a value comes from

    def _of_event(self, event: Event) -> tuple[Trail, ...]:
        added = self._adds(event)
        if added is not None:
            return tuple(
                replace(trail, added=(*trail.added, *added)) for trail in self.of(subject_of(event), event.enclosing)
            )
        if event.kind is EventKind.INVOCATION and event.target is not None and not event.external:
            given = tuple((ordinal, self.of(value, event.enclosing)) for ordinal, value in self._given(event))
            return (Trail(Beginning.RESULT, event.target, given=given, name=f"{event.name}()", type=_type(event)),)
        if event.kind is EventKind.INVOCATION and event.target is None:
            local = self._function_named(event.name, event.region)
            if local is not None:
                return self._of_function(local)
        return (Trail(Beginning.START, name=event.name, type=_type(event)),)

    def _of_alternatives(self, value: Value, enclosing: str | None) -> tuple[Trail, ...]:
        """A variable that is given what was made of itself adds nothing by that."""
        if value.local and value.local in self._open:
            return ()
        opened = {value.local} if value.local else set()
        self._open.update(opened)
        trails = [
            replace(trail, is_alternative=True)
            for each in value.alternatives
            if not _is_null(each)
            for trail in self.of(each, enclosing)
        ]
        self._open.difference_update(opened)
        return tuple(dict.fromkeys(trails))

    def _of_name(self, value: Value, enclosing: str | None) -> tuple[Trail, ...]:
        type_ = value.type.name if value.type is not None else ""
        if value.symbol_id:
            return (Trail(Beginning.MEMBER, value.symbol_id, name=parse_id(value.symbol_id).name, type=type_),)
        if value.parameter == NOWHERE:
            return (Trail(Beginning.UNKNOWN, name=value.local, type=type_),)
        if value.region != NOWHERE:
            return self._of_parameter_of(value, type_)
        if value.constructor:
            return (Trail(Beginning.PARAMETER, value.constructor, value.parameter, name=value.local, type=type_),)
        if enclosing is None or "(" not in enclosing:
            return (Trail(Beginning.START, name=value.local, type=type_),)
        self._parameters.add(enclosing)
        added = self._begins(enclosing, value.parameter) if self._begins is not None else ()
        return (Trail(Beginning.PARAMETER, enclosing, value.parameter, added, name=value.local, type=type_),)

    def _of_parameter_of(self, value: Value, type_: str) -> tuple[Trail, ...]:
        """A parameter of a lambda is what the library hands to it; that of a local function what its calls give."""
        regions = self._seen.document.regions
        region = regions[value.region]
        if region.kind is RegionKind.LAMBDA:
            taker = self._seen.document.events[region.event] if region.event != NOWHERE else None
            beginning = Beginning.START if taker is not None and taker.external else Beginning.UNKNOWN
            added = self._opens(value) if self._opens is not None else ()
            return (Trail(beginning, added=added, name=value.local, type=type_),)
        key = (value.region, value.parameter)
        trails = (
            trail
            for event in self._seen.document.events
            if event.target is None and event.name == region.name and self._sees(event.region, value.region)
            for trail in self.of(_at(event.arguments, value.parameter), event.enclosing)
        )
        return self._followed(key, trails, Trail(Beginning.UNKNOWN, name=value.local, type=type_))

    def _function_named(self, name: str, region: int) -> int | None:
        """The region of the local function that a call names."""
        for index, each in enumerate(self._seen.document.regions):
            if each.kind is RegionKind.LOCAL_FUNCTION and each.name == name and self._sees(region, index):
                return index
        return None

    def _of_function(self, region: int) -> tuple[Trail, ...]:
        """What a local function gives."""
        key = (region, NOWHERE)
        trails = (
            trail
            for event in self._seen.document.events
            if event.kind is EventKind.RETURN and event.region == region and event.arguments
            for trail in self.of(event.arguments[0].value, event.enclosing)
        )
        return self._followed(key, trails, Trail(Beginning.UNKNOWN))

    def _followed(self, key: tuple[int, int], trails: Iterator[Trail], otherwise: Trail) -> tuple[Trail, ...]:
        """Trails each once, drawn while ``key`` is being followed; none where it is already."""
        if key in self._inside:
            return ()
        self._inside.add(key)
        found = tuple(dict.fromkeys(trails))
        self._inside.remove(key)
        return found or (otherwise,)

    def _sees(self, region: int, function: int) -> bool:
        """Whether a place in ``region`` is inside what a local function stands in."""
        regions: Sequence[Region] = self._seen.document.regions
        outer = regions[function].parent
        while region not in (outer, NOWHERE):
            region = regions[region].parent
        return region == outer

    # What crosses the border

    def _given(self, event: Event) -> Iterator[tuple[int, Value]]:
        """The carried values among what a call gives, with the parameters they are given to."""
        if event.is_extension and event.receiver is not None and self._may_be_carried(event.receiver, event.enclosing):
            yield 0, event.receiver
        for each in event.arguments:
            if each.ordinal != NOWHERE and self._may_be_carried(each.value, event.enclosing):
                yield each.ordinal, each.value

    def _may_be_carried(self, value: Value, enclosing: str | None) -> bool:
        """By its type; where that is not known, because something was added to it on the way."""
        if value.type is not None and value.type.form is not TypeForm.UNRESOLVED:
            return self.is_carried(value)
        return value.origin != NOWHERE and any(trail.added for trail in self.of(value, enclosing))

    def _handed_to_name(self, event: Event) -> Iterator[Note]:
        """A call that did not bind may be one of an extension method, of the only one of its name: something to which texts were added is
        handed to it, of a type that is not known."""
        if event.kind is not EventKind.INVOCATION or event.receiver is None or self._adds(event):
            return
        trails = tuple(each for each in self.of(event.receiver, event.enclosing) if each.added)
        if trails:
            yield self._note(event, CarriedNote(event.name, 0, trails))

    def _handed_on(self, event: Event) -> Iterator[Note]:
        target = event.constructor if event.kind is EventKind.CREATION else event.target
        if target is None:
            return
        if event.kind is EventKind.ASSIGNMENT:
            if self.is_carried(event.arguments[0].value if event.arguments else None):
                yield self._note(event, CarriedNote(target, NOWHERE, self._argument(event)))
            return
        for ordinal, value in self._given(event):
            yield self._note(event, CarriedNote(target, ordinal, self.of(value, event.enclosing)))

    def _returned(self, event: Event) -> Iterator[Note]:
        value = event.arguments[0].value if event.arguments else None
        if event.region == NOWHERE and event.enclosing and self.is_carried(value):
            yield self._note(event, CarriedNote(event.enclosing, NOWHERE, self._argument(event)))

    def _argument(self, event: Event) -> tuple[Trail, ...]:
        return self.of(event.arguments[0].value, event.enclosing)

    def _filled(self) -> Iterator[Note]:
        if not self._parameters:
            return
        for method in sorted(self._parameters):
            yield Note(CARRIED, self._seen.file_path, 1, note_data(CarriedNote("", filled_by=method)))
        for each in self._seen.document.references:
            if each.kind not in _FILLING or each.from_symbol not in self._parameters:
                continue
            if each.to_symbol and not each.external:
                data = CarriedNote(each.to_symbol, filled_by=each.from_symbol)
                yield Note(CARRIED, self._seen.file_path, each.line, note_data(data))

    def _note(self, event: Event, data: CarriedNote) -> Note:
        return Note(CARRIED, self._seen.file_path, event.line, note_data(data))


class Journeys:
    """What all documents together say of carried values."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._given: Final[dict[tuple[str, int], list[Trail]]] = {}
        self._slots: Final[dict[str, list[str]]] = {}
        self._calls_of: Final[Counter[str]] = Counter()
        self._known: Final[dict[tuple[str, int], tuple[Journey, ...]]] = {}
        self._open: Final[set[tuple[str, int]]] = set()
        self._was_cut = False
        self._depth = 0
        self._steps = 0
        self._named: Final[dict[str, set[str]]] = {}
        for note in notes:
            if note.topic != CARRIED:
                continue
            data = read_note_data(note.data, CarriedNote)
            if data.filled_by and not data.symbol:
                self._named.setdefault(parse_id(data.filled_by).name, set()).add(data.filled_by)
            elif data.filled_by:
                self._slots.setdefault(data.filled_by, []).append(data.symbol)
            else:
                self._given.setdefault((data.symbol, data.ordinal), []).extend(data.trails)
                self._calls_of[data.symbol] += data.ordinal != NOWHERE

    def of(self, trail: Trail) -> tuple[Journey, ...]:
        """Each way in which a value can have come about, once; none only of what leads back to itself."""
        self._steps = 0
        return self._ways(trail)

    def _ways(self, trail: Trail) -> tuple[Journey, ...]:
        match trail.beginning:
            case Beginning.UNKNOWN if trail.is_alternative:
                return ()
            case Beginning.START | Beginning.UNKNOWN:
                return (Journey(trail.beginning, trail.added, trail.name, trail.type),)
            case Beginning.RESULT:
                before = self._gives(trail)
            case _:
                before = self._holds(trail.symbol, trail.ordinal)
        if before is None or (not before and trail.is_alternative):
            return ()
        if not before:
            beginning = Beginning.PARAMETER if trail.beginning is Beginning.PARAMETER else Beginning.UNKNOWN
            return (Journey(beginning, trail.added, trail.name, trail.type),)
        return tuple(replace(each, added=(*each.added, *trail.added)) for each in before)

    def given_by(self, method: str) -> tuple[Trail, ...]:
        """What a method gives, in the terms of its own body."""
        return tuple(dict.fromkeys(self._given.get((method, NOWHERE), ())))

    def calls_of(self, method: str) -> int:
        """How many carried values all calls of a method together hand to it."""
        return self._calls_of[method]

    def _holds(self, symbol: str, ordinal: int) -> tuple[Journey, ...] | None:
        """What a parameter is given by every caller, those of the slot that its method fills too; what a member is assigned. Null for what
        leads back to what is being found out: what is found meanwhile may lack something, and is not remembered."""
        key = (symbol, ordinal)
        if key in self._known:
            return self._known[key]
        if key in self._open or not self._goes_on():
            self._was_cut = True
            return None
        before, self._was_cut = self._was_cut, False
        self._open.add(key)
        found: dict[Journey, None] = {}
        trails = [
            (each == symbol, trail)
            for each in (symbol, *self._slots.get(symbol, ()))
            for trail in dict.fromkeys(self._given.get((each, ordinal), ()))
        ]
        for is_own, trail in trails:
            ways = self._ways(trail)
            found.update((way, None) for way in ways if is_own or way.beginning is not Beginning.UNKNOWN)
        if not trails and ordinal == 0:
            found.update((replace(way, is_guess=True), None) for way in self._by_name(symbol))
        self._open.remove(key)
        journeys = tuple(found)[:_MAX_WAYS]
        if not self._was_cut or not self._open:
            self._known[key] = journeys
        leads_back = self._was_cut and bool(self._open) and not journeys
        self._was_cut = bool(self._open) and (self._was_cut or before)
        return None if leads_back else journeys

    def _goes_on(self) -> bool:
        """Counts a step; false once there were too many."""
        self._steps += 1
        return self._steps <= _MAX_STEPS

    def _by_name(self, symbol: str) -> Iterator[Journey]:
        """What calls that did not bind hand to a method, if it is the only one of its name."""
        name = parse_id(symbol).name
        if len(self._named.get(name, ())) == 1:
            for trail in dict.fromkeys(self._given.get((name, 0), ())):
                yield from self._ways(trail)

    def _gives(self, call: Trail) -> tuple[Journey, ...] | None:
        """What a call gives, with what it hands to the parameters; a method that says nothing passes on what it is called on. Null while
        that is being found out."""
        given = dict(call.given)
        if self._depth > _MAX_CALLS or not self._goes_on():
            self._was_cut = True
            return None
        self._depth += 1
        returned = [
            trail
            for each in dict.fromkeys(self._given.get((call.symbol, NOWHERE), ()))
            for trail in _with_given(each, call.symbol, given)
        ]
        found = dict.fromkeys(journey for trail in returned or given.get(0, ()) for journey in self._ways(trail))
        self._depth -= 1
        return tuple(found)


def _with_given(trail: Trail, method: str, given: Mapping[int, tuple[Trail, ...]]) -> tuple[Trail, ...]:
    """A trail in a body of ``method`` as one call of it has it: its parameters are what that call gives."""
    if trail.beginning is Beginning.PARAMETER and trail.symbol == method and trail.ordinal in given:
        return tuple(replace(each, added=(*each.added, *trail.added)) for each in given[trail.ordinal])
    if trail.beginning is Beginning.RESULT:
        inner = tuple(
            (ordinal, tuple(each for held in trails for each in _with_given(held, method, given)))
            for ordinal, trails in trail.given
        )
        return (replace(trail, given=inner),)
    return (trail,)


def is_within(trail: Trail, other: Trail) -> bool:
    """Whether a value is another one, or was made from it by calls since."""
    begun, added = replace(trail, added=()), trail.added
    return begun == replace(other, added=()) and added[: len(other.added)] == other.added


def _is_null(value: Value) -> bool:
    return value.constant is not None and value.constant.value is None


def subject_of(event: Event) -> Value | None:
    """What a call is done to: its receiver, or the first argument of an extension method that is called as a static one."""
    if event.receiver is not None:
        return event.receiver
    return next((each.value for each in event.arguments if each.ordinal == 0), None)


def _at(arguments: Sequence[Argument], ordinal: int) -> Value | None:
    return arguments[ordinal].value if 0 <= ordinal < len(arguments) else None


def _type(event: Event) -> str:
    return event.type.name if event.type is not None else ""
