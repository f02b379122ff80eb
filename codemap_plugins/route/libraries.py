"""Endpoints of libraries with a way of their own: modules of Carter with a base path, conventions of OData, functions of Azure that HTTP
triggers, and endpoints of Wolverine. FastEndpoints are in ``fast_endpoints``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import CARRIED, Beginning, CarriedNote, Trail
from codemap_core.facts.texts import text_of, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactRow, SymbolKind
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, EventKind
from codemap_core.model.documentation_id import container_of, is_type_id
from codemap_plugins.aspnet.endpoint_calls import ANY
from codemap_plugins.route.controllers import ActionNote, ControllerNote
from codemap_plugins.route.fast_endpoints import (
    GROUP_BASES,
    fast_endpoint,
    group_note,
    is_fast_endpoint,
    is_group,
)
from codemap_plugins.route.fast_guards import values
from codemap_plugins.route.marks import Mark, marked
from codemap_plugins.route.route_rows import Place, Source, route_row
from codemap_plugins.route.templates import combined, controller_name

LIBRARY_BASES: Final = ("Endpoint*", "BaseEndpoint", *GROUP_BASES, "CarterModule")
"""What endpoints, groups of them and modules derive from; ``Endpoint*`` is every form of FastEndpoints' base class."""
_WOLVERINE: Final = {
    f"Wolverine{verb.title()}": verb for verb in ("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS")
}
_FUNCTION: Final = ("Function", "FunctionName")
LIBRARY_ATTRIBUTES: Final = (*_FUNCTION, *_WOLVERINE)
"""Attributes of methods that are endpoints."""
_TRIGGER: Final = "HttpTrigger"
_FUNCTION_PREFIX: Final = "api"
"""What every function's route begins with unless the host is configured otherwise."""
ODATA_PREFIX: Final = "AddRouteComponents"
"""The call that gives the routes of an OData model their prefix."""
_CARTER: Final = "CarterModule"
_ADD_ROUTES: Final = "AddRoutes(Microsoft.AspNetCore.Routing.IEndpointRouteBuilder)"
_ODATA_VERBS: Final = {"Get": "GET", "Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE"}


_UNKNOWN_PREFIX: Final = "{?prefix}"


class ODataPrefix(Struct, frozen=True, array_like=True):
    """``project``: path of the project whose code gives the prefix."""

    text: str
    project: str


def library_rows(seen: Seen) -> Iterator[FactRow | Note]:
    """What one document says of endpoints and modules of libraries."""
    members: dict[str, list[BoundDeclaration]] = {}
    for each in seen.declarations:
        if each.container_id is not None and not is_type_id(each.symbol_id):
            members.setdefault(each.container_id, []).append(each)
    for each in seen.declarations:
        if not is_type_id(each.symbol_id):
            continue
        if is_fast_endpoint(each):
            yield from fast_endpoint(seen, each, members.get(each.symbol_id, ()))
        elif is_group(each):
            yield from group_note(seen, each)
        elif any(base.name == _CARTER for base in each.all_bases):
            yield from _carter_module(seen, each)
    for each in seen.declarations:
        if each.kind is SymbolKind.METHOD:
            yield from _method_rows(seen, each)
    for event in seen.events.values():
        if event.name == ODATA_PREFIX and event.kind is EventKind.INVOCATION:
            text = next((text for text in map(text_of, values(event)) if text is not None), "")
            yield Note(
                ODATA_PREFIX,
                seen.file_path,
                event.line,
                note_data(ODataPrefix(text, seen.document.project_path)),
            )


# Methods with attributes


def _method_rows(seen: Seen, method: BoundDeclaration) -> Iterator[FactRow]:
    """``[WolverineGet("/x")]``, and ``[Function("Name")]`` with a parameter that is an ``[HttpTrigger]``."""
    for attribute in method.attributes:
        name = attribute.type.name.removesuffix("Attribute")
        texts = [text for text in (text_with_holes(each.value, seen.document) for each in attribute.arguments) if text]
        if name in _WOLVERINE and texts:
            yield _of_method(seen, method, _WOLVERINE[name], texts[0], Source.WOLVERINE)
        elif name in _FUNCTION:
            for parameter in method.parameters:
                for trigger in parameter.attributes:
                    if trigger.type.name.removesuffix("Attribute") == _TRIGGER:
                        yield from _function(seen, method, trigger, texts[0] if texts else method.name)


def _function(seen: Seen, method: BoundDeclaration, trigger: BoundAttribute, name: str) -> Iterator[FactRow]:
    said = [value for each in trigger.arguments for value in (each.value.elements or (each.value,))]
    verbs = [text.upper() for text in map(text_of, said) if text is not None]
    route = next((text_of(each.value) for each in trigger.named_arguments if each.parameter == "Route"), None)
    for verb in verbs or [ANY]:
        yield _of_method(seen, method, verb, f"{_FUNCTION_PREFIX}/{route or name}", Source.FUNCTION)


def _of_method(seen: Seen, method: BoundDeclaration, verb: str, template: str, source: Source) -> FactRow:
    return route_row(
        Place(seen.file_path, method.line or method.line_start, method.line_start, method.line_end),
        method.symbol_id,
        verb,
        combined((template,)),
        source,
        handler=method.symbol_id,
        confidence=Confidence.MEDIUM,
        beyond=True,
    )


# Carter


def _carter_module(seen: Seen, module: BoundDeclaration) -> Iterator[Note]:
    """The base path of a module goes before everything that it adds."""
    for event in seen.events.values():
        if event.name != "base" or event.enclosing is None or not event.arguments:
            continue
        if module.symbol_id not in (event.enclosing, container_of(event.enclosing)):
            continue
        path = text_with_holes(event.arguments[0].value, seen.document) or ""
        trail = Trail(Beginning.START, added=marked(Mark.PREFIX, (path,)))
        given = CarriedNote(f"M:{module.symbol_id[2:]}.{_ADD_ROUTES}", 0, (trail,))
        yield Note(CARRIED, seen.file_path, event.line, note_data(given))


# OData


class ODataPrefixes:
    """What the routes of a project's models begin with. Which of several models a controller belongs to, is not known."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._by_project: Final[dict[str, set[str]]] = {}
        for each in notes:
            if each.topic == ODATA_PREFIX:
                said = read_note_data(each.data, ODataPrefix)
                self._by_project.setdefault(said.project, set()).add(said.text)
        self._all: Final = {text for texts in self._by_project.values() for text in texts}

    def of(self, project: str) -> str:
        """Of a project's own models; where it has none, of those that others have."""
        texts = self._by_project.get(project, self._all)
        return next(iter(texts), "") if len(texts) < 2 else _UNKNOWN_PREFIX


def odata_rows(controller: ControllerNote, action: ActionNote, prefix: str) -> Iterator[FactRow]:
    """An action without a template in an OData controller: the entity set is the controller, the parameter ``key`` one entity of it."""
    verb = next((each for name, each in _ODATA_VERBS.items() if action.name.startswith(name)), None)
    entity_set = controller_name(controller.name)
    if verb is None or action.name not in (*_ODATA_VERBS, *(f"{name}{entity_set}" for name in _ODATA_VERBS)):
        return
    path = f"{entity_set}({{key}})" if "key" in action.parameters else entity_set
    yield route_row(
        action.place,
        action.id,
        verb,
        combined((prefix, path)),
        Source.ODATA,
        handler=action.id,
        controller=controller.id,
        confidence=Confidence.MEDIUM,
        beyond=True,
    )
