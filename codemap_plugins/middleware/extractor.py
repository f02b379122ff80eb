"""Calls that put a request pipeline together, in their order: ``Method|pos:N[|terminal]``.

A call counts when what it is called on is an ``IApplicationBuilder`` or an ``IEndpointRouteBuilder``, whatever declares the method: one
that was not found takes its place in the order as well. Where the type of what it is called on was not found either, the name that such
a builder usually has tells (confidence low).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from codemap_core.facts import fact, text_of
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKind, FactKindInfo, FactRow
from codemap_core.model.bound import NOWHERE, Event, RegionKind, TypeForm
from codemap_core.model.documentation_id import container_of, parse_id

MIDDLEWARE: Final = FactKindInfo(
    name=FactKind.MIDDLEWARE,
    title="Request pipelines",
    value="Method|pos:N[|terminal]",
    detail={
        "at": "line of the method's name",
        "name": "the method",
        "position": "its number among the calls of the same member, from 1",
        "terminal": "true for Map… and Run",
        "depth": "how many lambdas it stands in",
        "type": "the class of UseMiddleware",
        "branch": "the path of the Map whose lambda it stands in, or UseWhen or MapWhen",
        "conditional": "true where it stands in a part of an if, a switch or the like",
        "beyond": "true where the name of what it is called on is all that tells",
        "method_id": "the method, where the repository declares it: what it adds is found under it",
    },
    shown=("type",),
)
_PREFIXES: Final = ("Use", "Map")
_ROUTES: Final = frozenset({"MapGet", "MapPost", "MapPut", "MapDelete", "MapPatch"})
_RUN: Final = "Run"
_RUN_EXTENSIONS: Final = "T:Microsoft.AspNetCore.Builder.RunExtensions"
_BUILDERS: Final = frozenset(
    {"T:Microsoft.AspNetCore.Builder.IApplicationBuilder", "T:Microsoft.AspNetCore.Routing.IEndpointRouteBuilder"}
)
_CONDITIONS: Final = frozenset({"UseWhen", "MapWhen"})
_USUAL_NAMES: Final = frozenset({"app", "application", "applicationbuilder", "endpoints", "endpointroutebuilder"})
"""Of builders, in lower case and without an underscore before them."""


class Pipelines:
    name = "middleware"
    language = "csharp"
    interests = Interests(invocations=("Use*", "Map*", _RUN))
    kinds: tuple[str, ...] = (FactKind.MIDDLEWARE.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        positions: Counter[str | None] = Counter()
        for event in seen.events.values():
            if _is_of_pipeline(seen, event):
                positions[event.enclosing] += 1
                yield _row(seen, event, positions[event.enclosing], is_guessed=_is_guessed(event))


def _is_of_pipeline(seen: Seen, event: Event) -> bool:
    if event.name in _ROUTES:
        return False
    if event.name == _RUN:
        return event.target is not None and container_of(event.target) == _RUN_EXTENSIONS
    return event.name.startswith(_PREFIXES) and _is_on_builder(seen, event)


def _is_on_builder(seen: Seen, event: Event) -> bool:
    subject = event.receiver
    if subject is None and event.is_extension and event.arguments:
        subject = event.arguments[0].value
    if subject is None:
        return False
    if subject.type is not None and subject.type.id:
        return subject.type.id in _BUILDERS or not _BUILDERS.isdisjoint(seen.bases_of(subject.type.id))
    if event.target is None:
        return _is_guessed(event)
    return event.is_extension and _extended(event.target) in _BUILDERS


def _is_guessed(event: Event) -> bool:
    """Neither the method nor the type of what it is called on was found, and that is named like a builder."""
    value = event.receiver
    if event.target is not None or value is None or (value.type is not None and value.type.form is TypeForm.NAMED):
        return False
    name = value.local or value.unbound_name or (parse_id(value.symbol_id).name if value.symbol_id else "")
    return name.lower().lstrip("_") in _USUAL_NAMES


def _extended(method: str) -> str:
    """The id of the type that an extension method extends: what a type parameter is taken for."""
    parameters = parse_id(method).parameters
    return f"T:{parameters[0]}" if parameters else ""


def _row(seen: Seen, event: Event, position: int, *, is_guessed: bool) -> FactRow:
    is_terminal = event.name == _RUN or event.name.startswith("Map")
    depth, branch, is_conditional = _around(seen, event.region)
    detail: dict[str, Any] = {
        "name": event.name,
        "position": position,
        "terminal": is_terminal,
        "depth": depth,
        "type": _middleware_type(event),
        "branch": branch,
        "conditional": is_conditional,
        "method_id": event.target if not event.external else None,
        "beyond": is_guessed,
    }
    value = f"{event.name}|pos:{position}{'|terminal' if is_terminal else ''}"
    return fact(seen, event, FactKind.MIDDLEWARE, value, detail)


def _around(seen: Seen, region: int) -> tuple[int, str | None, bool]:
    """How many lambdas are around a place, the innermost branch of the pipeline, and whether the place need not be reached."""
    depth, branch, is_conditional = 0, None, False
    while region != NOWHERE:
        around = seen.document.regions[region]
        if around.kind is RegionKind.LAMBDA:
            depth += 1
            if branch is None and around.event != NOWHERE:
                branch = _branch(seen.document.events[around.event])
        is_conditional = is_conditional or around.kind is RegionKind.BRANCH
        region = around.parent
    return depth, branch, is_conditional


def _branch(event: Event) -> str | None:
    """The path of ``Map``; of a branch by a condition, the method."""
    if event.name == "Map":
        return next((text for each in event.arguments if (text := text_of(each.value)) is not None), None)
    return event.name if event.name in _CONDITIONS else None


def _middleware_type(event: Event) -> str | None:
    if event.name != "UseMiddleware":
        return None
    if event.type_arguments:
        return event.type_arguments[0].name
    operands = (each.value.type_operand for each in event.arguments)
    return next((each.name for each in operands if each is not None), None)
