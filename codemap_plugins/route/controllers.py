"""Controllers and their actions as one document declares them: what is noted of each, for ``actions`` to join over all files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import RefKind, SymbolKind, Visibility
from codemap_core.model.bound import BoundDeclaration, BoundType, TypeForm
from codemap_core.model.documentation_id import is_type_id, parse_id
from codemap_plugins.aspnet.attribute_classes import AttributeUse, is_attribute_class, passed_on, uses
from codemap_plugins.route.attributes import FAMILIES, HELD, MVC
from codemap_plugins.route.classic import Classic, classic_of
from codemap_plugins.route.route_rows import Place, is_of_application

CONTROLLER: Final = "controller"
ACTION: Final = "action"
PASSED_ON: Final = "passed_on"
"""Topics of notes."""
_CONTROLLER_BASE: Final = f"T:{MVC}ControllerBase"
_ODATA: Final = "T:Microsoft.AspNetCore.OData.Routing.Controllers.ODataController"
_CLASSES: Final = frozenset({SymbolKind.CLASS, SymbolKind.RECORD})
_RESULTS: Final = frozenset({f"T:{MVC}IActionResult", f"T:{MVC}ActionResult", f"T:{MVC}ActionResult`1"})
_RESULT: Final = "T:Microsoft.AspNetCore.Http.IResult"
_TASKS: Final = frozenset({"T:System.Threading.Tasks.Task`1", "T:System.Threading.Tasks.ValueTask`1"})
_FRAMEWORK: Final = ("M:System.Object.", f"M:{MVC}")
_HANDLERS: Final = frozenset({"Handle", "HandleAsync"})


class ControllerNote(Struct, frozen=True, array_like=True):
    """A class that may be a controller, or a base of some. ``bases``: ids of its base classes, nearest first; ``attributes``: of all its
    parts, then of its base classes, each with the class that carries it."""

    id: str
    project: str
    name: str
    bases: tuple[str, ...]
    attributes: tuple[AttributeUse, ...]
    is_routable: bool
    """A class that can be instantiated, public, neither nested nor generic."""
    derives: bool
    """From ``ControllerBase``."""
    is_odata: bool = False
    classic: Classic | None = None
    """Of ASP.NET MVC 5 or Web API 2."""
    of_application: bool = False
    """Its project is an application, not a library."""


class ActionNote(Struct, frozen=True, array_like=True):
    """A method that may be an action. ``overrides``: ids, nearest first; ``endpoint``: a method of an endpoint library whose base class did
    not bind."""

    id: str
    project: str
    container: str
    name: str
    place: Place
    attributes: tuple[AttributeUse, ...]
    overrides: tuple[str, ...] = ()
    gives_result: bool = False
    is_abstract: bool = False
    endpoint: bool = False
    parameters: tuple[str, ...] = ()


def controller_notes(seen: Seen) -> Iterator[Note]:
    members: dict[str, list[BoundDeclaration]] = {}
    for each in seen.declarations:
        if not is_type_id(each.symbol_id) and each.container_id is not None:
            members.setdefault(each.container_id, []).append(each)
    types: set[str] = set()
    for each in seen.declarations:
        if not is_type_id(each.symbol_id):
            continue
        own = members.get(each.symbol_id, [])
        if is_attribute_class(each, FAMILIES):
            for passed in passed_on(seen, each, own, FAMILIES, HELD):
                yield Note(PASSED_ON, seen.file_path, each.line_start, note_data(passed))
        elif each.kind in _CLASSES and _may_be_controller(each):
            types.add(each.symbol_id)
            yield Note(CONTROLLER, seen.file_path, each.line_start, note_data(_controller(seen, each)))
    for container, methods in members.items():
        for method in methods:
            action = _action(seen, method, container, container in types)
            if action is not None:
                yield Note(ACTION, seen.file_path, action.place.at, note_data(action))


def _may_be_controller(declaration: BoundDeclaration) -> bool:
    if any(each.id == _CONTROLLER_BASE for each in declaration.all_bases) or declaration.name.endswith("Controller"):
        return True
    carried = (*declaration.attributes, *declaration.attributes_elsewhere)
    return any(
        f"T:{MVC}{name}Attribute" in (each.type.id, *each.base_ids)
        for each in carried
        for name in ("Controller", "ApiController", "Route")
    )


def _controller(seen: Seen, declaration: BoundDeclaration) -> ControllerNote:
    bases = tuple(each.id for each in declaration.all_bases if each.id)
    is_nested = declaration.container_id is not None
    is_open = bool(parse_id(declaration.symbol_id).parts[-1].arity)
    return ControllerNote(
        declaration.symbol_id,
        seen.document.project_path,
        declaration.name,
        bases,
        uses(seen, (*declaration.attributes, *declaration.attributes_elsewhere), FAMILIES),
        not ({"abstract", "static"} & {*declaration.modifiers})
        and declaration.visibility is Visibility.PUBLIC
        and not is_nested
        and not is_open,
        _CONTROLLER_BASE in bases,
        _ODATA in bases,
        classic_of(seen, declaration),
        is_of_application(seen),
    )


def _action(seen: Seen, method: BoundDeclaration, container: str, of_controller: bool) -> ActionNote | None:
    if method.kind is not SymbolKind.METHOD or method.visibility is not Visibility.PUBLIC:
        return None
    parsed = parse_id(method.symbol_id)
    if "static" in method.modifiers or parsed.parts[-1].arity or (parsed.name == "Dispose" and not parsed.parameters):
        return None
    attributes = uses(seen, (*method.attributes, *method.attributes_elsewhere), FAMILIES)
    if not of_controller and not attributes:
        return None
    is_endpoint = bool(attributes) and method.name in _HANDLERS and _has_unbound_base(seen, container)
    if any(each.startswith(_FRAMEWORK) for each in method.overrides):
        return None
    return ActionNote(
        method.symbol_id,
        seen.document.project_path,
        container,
        method.name,
        Place(seen.file_path, method.line or method.line_start, method.line_start, method.line_end),
        attributes,
        method.overrides,
        method.type is not None and _gives_result(method.type),
        "abstract" in method.modifiers,
        is_endpoint,
        tuple(each.name for each in method.parameters),
    )


def _gives_result(type_: BoundType) -> bool:
    if type_.form is not TypeForm.NAMED:
        return False
    if type_.id in _TASKS and type_.arguments:
        return _gives_result(type_.arguments[0])
    return type_.id in _RESULTS or type_.id == _RESULT


def _has_unbound_base(seen: Seen, type_: str) -> bool:
    """Whether a name in the header of a type did not bind: its base is not known."""
    return any(
        each.kind is RefKind.TYPE and each.from_symbol == type_ and each.to_symbol is None
        for each in seen.document.references
    )
