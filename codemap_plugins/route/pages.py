"""Razor Pages and routable components: the ``@page`` directives of ``.cshtml`` and ``.razor`` files, and ``[Route]`` on component classes.

Directives are read from the text. The class that owns the route of a component is its own; that of a page is the class behind it, of the
file of the same name with ``.cs`` added.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import FactRow, SymbolKind, Visibility
from codemap_core.model.bound import BoundAttribute, BoundDeclaration
from codemap_core.model.documentation_id import is_type_id
from codemap_plugins.aspnet.attribute_classes import AttributeClasses, AttributeUse, uses
from codemap_plugins.aspnet.guards import demands_in_razor, guard_of, guard_text
from codemap_plugins.route.attributes import FAMILIES
from codemap_plugins.route.folders import VIEW, page_path
from codemap_plugins.route.markup import Markup
from codemap_plugins.route.route_rows import Place, Source, is_of_application, route_row
from codemap_plugins.route.templates import combined, is_absolute

FILES: Final = ("*.cshtml", "*.razor")
PAGE_BASES: Final = ("PageModel", "ComponentBase")
"""What the classes behind pages and components derive from."""
PAGE: Final = "page"
CODE_BEHIND: Final = "code_behind"
"""Topics of notes."""
_VERB: Final = "PAGE"
_COMPONENT_ROUTE: Final = "T:Microsoft.AspNetCore.Components.RouteAttribute"
_FIRST_PAGE: Final = re.compile(r"\s*@page\b[ \t]*(?:\"([^\"]*)\")?")
_HANDLER: Final = re.compile(r"On(Get|Post|Put|Delete|Patch|Head|Options)((?:(?!Async$)[A-Z_]\w*?)?)(?:Async)?")
_COMPONENT_PAGE: Final = re.compile(r"^[ \t]*@page[ \t]+\"([^\"]*)\"", re.MULTILINE)


class PageNote(Struct, frozen=True, array_like=True):
    place: Place
    template: str
    source: Source
    authorize: str
    project: str
    of_application: bool
    """Its project is an application, not a library."""


class PageHandler(Struct, frozen=True, array_like=True):
    """A method that answers requests of a page: ``OnPostDeleteAsync`` is that of the verb ``POST`` and the name ``Delete``."""

    verb: str
    name: str
    id: str


class CodeBehind(Struct, frozen=True, array_like=True):
    """The class of a component, or one that a page may have behind it."""

    id: str
    attributes: tuple[AttributeUse, ...]
    bases: tuple[str, ...] = ()
    """Ids of base classes, nearest first."""
    handlers: tuple[PageHandler, ...] = ()
    is_abstract: bool = False


def page_notes(seen: Seen, markup: Markup) -> Iterator[Note]:
    """Of the directives of a page or component."""
    text, is_view = markup.text, seen.file_path.endswith(VIEW)
    guard = guard_text([demand for _, demand in demands_in_razor(text)]) if is_view else ""
    for start, template in _page(seen.file_path, text) if is_view else _components(text):
        line = markup.at(start).line
        source = Source.PAGE if is_view else Source.COMPONENT
        place, project = Place(seen.file_path, line, line, line), seen.document.project_path
        note = PageNote(place, template, source, guard, project, is_of_application(seen))
        yield Note(PAGE, seen.file_path, line, note_data(note))


def _page(file_path: str, text: str) -> Iterator[tuple[int, str]]:
    """A page begins with its directive; its template is relative to its path unless it is absolute."""
    match = _FIRST_PAGE.match(text)
    path = page_path(file_path)
    if match is None or path is None:
        return
    own = match[1] or ""
    start = match.start() + len(match[0]) - len(match[0].lstrip())
    yield start, combined((own,)) if is_absolute(own) else combined((path, own))


def _components(text: str) -> Iterator[tuple[int, str]]:
    for match in _COMPONENT_PAGE.finditer(text):
        yield match.start(), match[1]


def class_rows(seen: Seen) -> Iterator[FactRow | Note]:
    """Of classes: the routes of components, and what may stand behind a page."""
    handlers: dict[str, list[PageHandler]] = {}
    for each in seen.declarations:
        handler = _handler(each)
        if handler is not None:
            handlers.setdefault(each.container_id or "", []).append(handler)
    for each in seen.declarations:
        if not is_type_id(each.symbol_id):
            continue
        for attribute in each.attributes:
            if attribute.type.id == _COMPONENT_ROUTE and attribute.arguments:
                yield _component(seen, each, attribute)
        if any(base.name in PAGE_BASES for base in each.all_bases):
            data = CodeBehind(
                each.symbol_id,
                uses(seen, (*each.attributes, *each.attributes_elsewhere), FAMILIES),
                tuple(base.id for base in each.all_bases if base.id),
                tuple(handlers.get(each.symbol_id, ())),
                "abstract" in each.modifiers,
            )
            yield Note(CODE_BEHIND, seen.file_path, each.line_start, note_data(data))


def _handler(method: BoundDeclaration) -> PageHandler | None:
    """As ``DefaultPageHandlerMethodSelector`` of ASP.NET Core reads names."""
    match = _HANDLER.fullmatch(method.name) if method.kind is SymbolKind.METHOD else None
    if match is None or method.visibility is not Visibility.PUBLIC or "static" in method.modifiers:
        return None
    return PageHandler(match[1].upper(), match[2], method.symbol_id)


def _component(seen: Seen, declaration: BoundDeclaration, attribute: BoundAttribute) -> FactRow:
    template = text_with_holes(attribute.arguments[0].value, seen.document) or ""
    carried = uses(seen, (*declaration.attributes, *declaration.attributes_elsewhere), FAMILIES)
    classes = AttributeClasses()
    return route_row(
        Place(seen.file_path, attribute.line, attribute.line, attribute.line_end or attribute.line),
        declaration.symbol_id,
        _VERB,
        combined((template,)),
        Source.COMPONENT,
        handler=declaration.symbol_id,
        authorize=guard_of(classes.said(each) for each in carried),
    )


def may_be_behind(notes: Iterable[Note]) -> Iterator[tuple[str, CodeBehind]]:
    """Classes of pages and components, with the path that a page has whose class stands in such a file."""
    for note in notes:
        if note.topic == CODE_BEHIND:
            yield note.file_path.removesuffix(".cs"), read_note_data(note.data, CodeBehind)


def classes_behind(found: Iterable[tuple[str, CodeBehind]]) -> dict[str, CodeBehind]:
    """The one of each page: the first that is not just a base of others."""
    behind: dict[str, CodeBehind] = {}
    for path, code in found:
        if not code.is_abstract:
            behind.setdefault(path, code)
    return behind


def answering(code: CodeBehind, by_id: Mapping[str, CodeBehind], verb: str, name: str) -> tuple[str, ...]:
    """What answers requests of a page: ids of the methods of a verb and name, or of its class where there is none without a name. ``verb``:
    empty for any; ``name``: of the handler, empty for none; ``by_id``: what may be a base class."""
    handlers = [each for each in _handlers(code, by_id) if each.name.lower() == name.lower()]
    fitting = [each.id for each in handlers if not verb or each.verb == verb]
    return tuple(dict.fromkeys(fitting)) or (() if name else (code.id,))


def _handlers(code: CodeBehind, by_id: Mapping[str, CodeBehind]) -> Iterator[PageHandler]:
    """Its own and those it inherits."""
    known: set[tuple[str, str]] = set()
    for each in (code, *(by_id[base] for base in code.bases if base in by_id)):
        new = [handler for handler in each.handlers if (handler.verb, handler.name.lower()) not in known]
        known.update((handler.verb, handler.name.lower()) for handler in new)
        yield from new


def page_routes(
    notes: Iterable[Note], classes: AttributeClasses, found: Iterable[tuple[str, CodeBehind]]
) -> Iterator[FactRow]:
    """The routes that directives of pages and components say. ``found``: by ``may_be_behind``."""
    behind = classes_behind(found)
    for note in notes:
        if note.topic == PAGE:
            page = read_note_data(note.data, PageNote)
            code = behind.get(note.file_path)
            on_class = guard_of(classes.said(each) for each in code.attributes) if code is not None else ""
            yield route_row(
                page.place,
                code.id if code is not None else None,
                _VERB,
                combined((page.template,)),
                page.source,
                handler=code.id if code is not None else "",
                authorize=page.authorize or on_class,
            )
