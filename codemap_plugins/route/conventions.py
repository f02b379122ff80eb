"""What is said of an endpoint or a group after it is mapped: who may call it, and in which versions it exists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts.carried import subject_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind, RegionKind, Value
from codemap_plugins.aspnet.attribute_classes import ALLOW
from codemap_plugins.aspnet.endpoint_calls import ENDPOINT_CALLS, GROUP, MAPPINGS, is_builder
from codemap_plugins.aspnet.guards import REQUIRE, demands_of_call, demands_of_metadata
from codemap_plugins.route.marks import Mark, marked
from codemap_plugins.route.own_conventions import is_of_own, is_put_on, mark_of_call, puts_note

_MAP: Final = ENDPOINT_CALLS.removesuffix("*")
_VERSIONS: Final = ("HasApiVersion", "MapToApiVersion", "HasDeprecatedApiVersion")
CONTROLLERS: Final = "MapControllers"
PAGES: Final = "MapRazorPages"
COMPONENTS: Final = "MapRazorComponents"
"""Calls of the framework that map all controllers, pages or components."""
_WHOLE: Final = frozenset({CONTROLLERS, PAGES, COMPONENTS})
_UNSURE: Final = frozenset({RegionKind.BRANCH, RegionKind.LOOP, RegionKind.CATCH})
_METADATA: Final = "WithMetadata"
CONVENTIONS: Final = (REQUIRE, ALLOW, _METADATA, *_VERSIONS)
"""Names of the calls that are read here."""


class ResultMarks(Struct, frozen=True, array_like=True):
    """Conventions that are put on what a method of the repository's own gives: a group with all its endpoints."""

    method: str
    marks: tuple[str, ...]


class Conventions:
    """Of one document: marks of the calls that map an endpoint or a group, put on them in a chain or in a statement of its own."""

    def __init__(self, seen: Seen) -> None:
        self._seen: Final = seen
        self._marks: Final[dict[tuple[int, int], tuple[str, ...]]] = {}
        self._results: Final[dict[tuple[int, int], ResultMarks]] = {}
        self._parameters: Final[dict[tuple[str, int], tuple[str, ...]]] = {}
        self._own: Final[dict[str, tuple[str, ...]]] = {}
        self._unsure: Final[set[tuple[int, int]]] = set()
        for event in seen.events.values():
            if event.kind is EventKind.INVOCATION and event.name in CONVENTIONS:
                self._put(event, _marks_of(seen, event))
            elif is_of_own(event):
                self._put(event, mark_of_call(seen, event))

    def of(self, event: Event) -> tuple[str, ...]:
        return self._marks.get((event.line, event.column), ())

    def are_sure_of(self, event: Event) -> bool:
        """Whether everything that is put on a call runs whenever the call does."""
        return (event.line, event.column) not in self._unsure

    def of_parameter(self, method: str, ordinal: int) -> tuple[str, ...]:
        """What the body of a method puts on its parameter itself."""
        return self._parameters.get((method, ordinal), ())

    def on_results(self) -> Iterator[tuple[int, ResultMarks]]:
        """With the line of the call whose result it is."""
        for (line, _), marks in self._results.items():
            yield line, marks

    def own_notes(self) -> Iterator[Note]:
        """What the methods of the document put on what they are given."""
        for method, marks in self._own.items():
            yield puts_note(self._seen, 1, method, marks)

    def _put(self, event: Event, marks: tuple[str, ...]) -> None:
        """On the call that maps what the convention is put on, on what a method gives, or on a parameter."""
        if not marks:
            return
        value = subject_of(event)
        current = self._seen.origin(value)
        while current is not None and current.name != GROUP and current.name not in MAPPINGS:
            if is_of_own(current):
                value = subject_of(current)
                current = self._seen.origin(value)
                continue
            if current.target is not None and not current.external:
                key = (current.line, current.column)
                before = self._results.get(key)
                self._results[key] = ResultMarks(current.target, (*(before.marks if before else ()), *marks))
                return
            if current.name in _WHOLE:
                break
            if current.name.startswith(_MAP):
                return  # what is not known
            value = current.receiver
            current = self._seen.origin(value)
        if current is not None:
            key = (current.line, current.column)
            self._marks[key] = (*self._marks.get(key, ()), *marks)
            if not is_sure(self._seen, event, current.region):
                self._unsure.add(key)
        elif is_builder(value) and value is not None and value.parameter != NOWHERE and value.region == NOWHERE:
            parameter = (event.enclosing or "", value.parameter)
            self._parameters[parameter] = (*self._parameters.get(parameter, ()), *marks)
        elif is_put_on(value) and event.enclosing and is_sure(self._seen, event):
            self._own[event.enclosing] = (*self._own.get(event.enclosing, ()), *marks)


def is_sure(seen: Seen, event: Event, around: int = NOWHERE) -> bool:
    """Whether an event happens whenever its member, or what stands in the region ``around``, does."""
    within: set[int] = set()
    while around != NOWHERE:
        within.add(around)
        around = seen.document.regions[around].parent
    region = event.region
    while region != NOWHERE and region not in within:
        if seen.document.regions[region].kind in _UNSURE:
            return False
        region = seen.document.regions[region].parent
    return True


def _marks_of(seen: Seen, event: Event) -> tuple[str, ...]:
    if event.name in (REQUIRE, ALLOW):
        return marked(Mark.GUARD, demands_of_call(seen, event))
    if event.name == _METADATA:
        return marked(Mark.GUARD, demands_of_metadata(seen, event))
    numbers = [_number(each.value) for each in event.arguments]
    known = [each for each in numbers if each]
    return marked(Mark.VERSION, (".".join(known),) if known else ())


def _number(value: Value) -> str:
    constant = value.constant
    return str(constant.value) if constant is not None and constant.value is not None else ""
