"""What shows views: ``View()`` and ``PartialView("Row")`` of controllers, partial views, layouts and view components, in C# and in markup.

Each leaves a note; ``views`` finds which file is meant. A view component is a class: of it a note says how it is called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import SymbolKind, Visibility
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, Event, EventKind, Value
from codemap_core.model.documentation_id import container_of, is_type_id, parse_id
from codemap_core.model.special_types import TEXT_ID
from codemap_plugins.route.markup import Markup
from codemap_plugins.route.route_rows import Place, class_around, is_of_application
from codemap_plugins.route.view_files import ViewFile

VIEW_FILE: Final = "view_file"
SHOWN: Final = "shown"
VIEW_COMPONENT: Final = "view_component"
"""Topics of notes."""
VIEW_COMPONENT_NAME: Final = "ViewComponent"
"""The ending of names, the base class and the attribute of view components."""


class How(StrEnum):
    """How a view is shown; behind the bar of a fact's value."""

    VIEW = "view"
    PARTIAL = "partial"
    LAYOUT = "layout"
    COMPONENT = "component"


class Shown(Struct, frozen=True, array_like=True):
    """Something that shows a view, or a view component."""

    place: Place
    column: int
    """Where a link to a component stands."""
    owner: str | None
    project: str
    of_application: bool
    how: How
    name: str
    """As written; empty for the view that is named like the action, or ``Default`` of a component."""
    near: str
    """Id of the class around; empty in markup."""
    is_bound: bool = True


class ViewComponent(Struct, frozen=True, array_like=True):
    id: str
    name: str
    method: str
    """That is called; empty where it is inherited."""
    project: str
    of_application: bool


_PARTIAL_CALLS: Final = ("Partial", "PartialAsync", "RenderPartial", "RenderPartialAsync")
_CALLS: Final[Mapping[str, How]] = {
    "View": How.VIEW,
    "PartialView": How.VIEW,
    **dict.fromkeys(_PARTIAL_CALLS, How.PARTIAL),
    VIEW_COMPONENT_NAME: How.COMPONENT,
    "InvokeAsync": How.COMPONENT,
}
SHOWING_CALLS: Final = tuple(_CALLS)
_NAMES: Final = frozenset({"viewName", "partialViewName", "componentName", "name"})
_OF_LIBRARY: Final = "T:Microsoft.AspNetCore.Mvc."
_INVOKED: Final = ("Invoke", "InvokeAsync")
_HELPER: Final = "Html"
_PARTIAL_TAG: Final = re.compile(r"<partial\s[^>]*?\bname\s*=\s*[\"']([^\"'@]+)[\"']")
_LAYOUT: Final = re.compile(r"^[^\n/]*?\bLayout\s*=\s*\"([^\"]+)\"", re.MULTILINE)
_COMPONENT_TAG: Final = re.compile(r"<vc:([a-z][\w-]*)")


def call_notes(seen: Seen) -> Iterator[Note]:
    """Of the calls of a document."""
    for event in seen.events.values():
        how = _CALLS.get(event.name)
        name = _name_given(event, how) if how is not None and event.kind is EventKind.INVOCATION else None
        if how is None or name is None:
            continue
        place = Place(seen.file_path, event.line, event.line_start, event.line_end)
        near = "" if seen.document.is_unowned else class_around(event)
        is_bound = event.target is not None
        yield _note(seen, place, column_of_link(event), event.enclosing, how, name, near, is_bound=is_bound)


def markup_notes(seen: Seen, markup: Markup) -> Iterator[Note]:
    """Of a view or page."""
    file = ViewFile(seen.file_path, seen.document.project_path, is_of_application(seen))
    yield Note(VIEW_FILE, seen.file_path, 1, note_data(file))
    for pattern, how in ((_PARTIAL_TAG, How.PARTIAL), (_LAYOUT, How.LAYOUT), (_COMPONENT_TAG, How.COMPONENT)):
        for match in pattern.finditer(markup.text):
            line, column = markup.at(match.start(1))
            yield _note(seen, Place(seen.file_path, line, line, line), column, None, how, match[1], "")


def component_notes(seen: Seen) -> Iterator[Note]:
    """Of the classes of a document that are view components (``ViewComponentConventions`` of ASP.NET Core)."""
    methods = {each.container_id: each.symbol_id for each in seen.declarations if each.name in _INVOKED}
    for each in seen.declarations:
        if not is_type_id(each.symbol_id) or each.kind is not SymbolKind.CLASS or not _is_component(each):
            continue
        name = _named(each) or each.name.removesuffix(VIEW_COMPONENT_NAME) or each.name
        method = methods.get(each.symbol_id, "")
        data = ViewComponent(each.symbol_id, name, method, seen.document.project_path, is_of_application(seen))
        yield Note(VIEW_COMPONENT, seen.file_path, each.line_start, note_data(data))


def _note(
    seen: Seen,
    place: Place,
    column: int,
    owner: str | None,
    how: How,
    name: str,
    near: str,
    *,
    is_bound: bool = True,
) -> Note:
    project = seen.document.project_path
    shown = Shown(place, column, owner, project, is_of_application(seen), how, name, near, is_bound)
    return Note(SHOWN, seen.file_path, place.at, note_data(shown))


def _is_component(declaration: BoundDeclaration) -> bool:
    if declaration.visibility is not Visibility.PUBLIC or "abstract" in declaration.modifiers:
        return False
    if parse_id(declaration.symbol_id).parts[-1].arity:
        return False
    return (
        bool(_marks(declaration))
        or declaration.name.endswith(VIEW_COMPONENT_NAME)
        or any(each.id == f"{_OF_LIBRARY}{VIEW_COMPONENT_NAME}" for each in declaration.all_bases)
    )


def _marks(declaration: BoundDeclaration) -> list[BoundAttribute]:
    return [each for each in declaration.attributes if each.type.name.startswith(VIEW_COMPONENT_NAME)]


def _named(declaration: BoundDeclaration) -> str:
    """The name that its attribute says; empty for none."""
    given = (argument for attribute in _marks(declaration) for argument in attribute.named_arguments)
    return next((text_of(each.value) or "" for each in given if each.parameter == "Name"), "")


def _name_given(event: Event, how: How) -> str | None:
    """The name that a call says, empty for none; null for another call, and where the name is not known."""
    if event.target is not None:
        if not event.external or not container_of(event.target).startswith(_OF_LIBRARY):
            return None
        value = next((each.value for each in event.arguments if each.parameter in _NAMES), None)
        return _text(value) if value is not None or how is How.VIEW else None
    first = event.arguments[0].value if event.arguments else None
    if how is How.VIEW:  # what is no text is the model
        is_text = first is not None and first.type is not None and first.type.id == TEXT_ID
        return None if event.receiver is not None else _text(first) if is_text else ""
    receiver = event.receiver
    is_helper = receiver is not None and receiver.unbound_name == _HELPER
    return _text(first) if how is How.PARTIAL and is_helper and first is not None else None


def _text(value: Value | None) -> str | None:
    """Empty for null; null for what is not known."""
    if value is None or (value.constant is not None and value.constant.value is None):
        return ""
    return text_of(value)
