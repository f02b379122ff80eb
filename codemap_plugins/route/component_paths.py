"""Addresses of components, written out: ``Navigation.NavigateTo($"orders/{id}")``, ``<NavLink href="orders">``. They are links of the role
``routes_to`` to the component whose route matches.

An address is relative to the base of the application. What is not known of it stands for a value, and matches a parameter of a route alone;
where nothing of it is known it is not followed. Of several routes that match, the one with more literal segments at the beginning is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, link, note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE, Confidence, ReferenceRow
from codemap_core.model.bound import EventKind
from codemap_core.model.documentation_id import container_of, is_type_id
from codemap_plugins.route.address_texts import address_text
from codemap_plugins.route.folders import COMPONENT_FILE
from codemap_plugins.route.markup import Markup, known_part
from codemap_plugins.route.pages import PAGE, CodeBehind, PageNote, classes_behind
from codemap_plugins.route.route_rows import ROUTES_TO, is_of_application
from codemap_plugins.route.route_tree import RouteTree, path_segments

PATH: Final = "component_path"
"""The topic of notes."""
NAVIGATE: Final = "NavigateTo"
"""The call that navigates."""
_MANAGER: Final = "T:Microsoft.AspNetCore.Components.NavigationManager"
_URI: Final = "uri"
_HREF: Final = re.compile(r"<(?:a|[A-Z][\w.]*)\s[^<>]*?\b[hH]ref\s*=\s*(?:\"([^\"]{0,2000})\"|'([^']{0,2000})')")
_ELSEWHERE: Final = re.compile(r"[A-Za-z][\w+.-]*:|//|#")
"""What an address of another site, or of a place on the same page, begins with."""


class PathNote(Struct, frozen=True, array_like=True):
    column: int
    owner: str | None
    project: str
    of_application: bool
    sees: tuple[str, ...]
    """Projects that its project references."""
    path: str
    """With ``{?}`` for what is not known."""


class _Route(Struct, frozen=True):
    component: str
    project: str
    of_application: bool


def path_notes(seen: Seen) -> Iterator[Note]:
    """Of the calls of a document."""
    for event in seen.events.values():
        if event.name != NAVIGATE or event.kind is not EventKind.INVOCATION or event.target is None:
            continue
        uri = next((each.value for each in event.arguments if each.parameter == _URI), None)
        path = address_text(uri, seen.document)
        if path is not None and container_of(event.target) == _MANAGER:
            yield from _note(seen, path, event.line, column_of_link(event), event.enclosing)


def href_notes(seen: Seen, markup: Markup) -> Iterator[Note]:
    """Of the markup of a component."""
    owner = next((each.symbol_id for each in seen.declarations if is_type_id(each.symbol_id)), None)
    for match in _HREF.finditer(markup.text):
        group = match.lastindex or 0
        line, column = markup.at(match.start(group))
        yield from _note(seen, known_part(match[group]), line, column, owner)


def _note(seen: Seen, path: str, line: int, column: int, owner: str | None) -> Iterator[Note]:
    if _ELSEWHERE.match(path) is None:
        sees = seen.project.project_references if seen.project is not None else ()
        note = PathNote(column, owner, seen.document.project_path, is_of_application(seen), sees, path)
        yield Note(PATH, seen.file_path, line, note_data(note))


def component_links(notes: Sequence[Note], behind: Sequence[tuple[str, CodeBehind]]) -> Iterator[ReferenceRow]:
    """``behind``: as ``may_be_behind`` finds them."""
    every = [(note, read_note_data(note.data, PathNote)) for note in notes if note.topic == PATH]
    if not every:
        return
    routes = _Routes(notes, behind)
    for note, said in every:
        found = routes.of(said)
        if found is not None:
            is_sure = found.project == said.project and HOLE not in said.path
            confidence = Confidence.HIGH if is_sure else Confidence.MEDIUM
            yield link(ROUTES_TO, said.owner, found.component, note.file_path, note.line, said.column, confidence)


class _Routes:
    """Those that directives of components say."""

    def __init__(self, notes: Sequence[Note], classes: Sequence[tuple[str, CodeBehind]]) -> None:
        self._tree: Final = RouteTree[_Route]()
        behind = classes_behind(classes)
        for note in notes:
            is_component = note.topic == PAGE and note.file_path.endswith(COMPONENT_FILE)
            code = behind.get(note.file_path) if is_component else None
            if code is not None:
                page = read_note_data(note.data, PageNote)
                self._tree.add(page.template, _Route(code.id, page.project, page.of_application))

    def of(self, said: PathNote) -> _Route | None:
        path = path_segments(said.path)
        if path and all(HOLE in each for each in path):
            return None
        matching = self._tree.best(path, lambda each: each.project == said.project).answers
        matching = matching or self._tree.best(path, partial(_is_in_sight, said)).answers
        found = {each.component: each for each in matching}
        return next(iter(found.values())) if len(found) == 1 else None


def _is_in_sight(said: PathNote, route: _Route) -> bool:
    """One application does not show the components of another that it does not reference."""
    return (
        route.project == said.project
        or route.project in said.sees
        or not (said.of_application and route.of_application)
    )
