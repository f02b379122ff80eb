"""Addresses of components, written out: ``Navigation.NavigateTo($"orders/{id}")``, ``<NavLink href="orders">``. They are links of the role
``routes_to`` to the component whose route matches.

An address is relative to the base of the application. What is not known of it stands for a value, and matches a parameter of a route alone;
where nothing of it is known it is not followed. Of several routes that match, the one with more literal segments at the beginning is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, link, note_data, read_note_data, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE, Confidence, ReferenceRow
from codemap_core.model.bound import EventKind
from codemap_core.model.documentation_id import container_of, is_type_id
from codemap_plugins.route.folders import COMPONENT_FILE
from codemap_plugins.route.markup import Markup
from codemap_plugins.route.pages import PAGE, CodeBehind, PageNote, classes_behind
from codemap_plugins.route.route_rows import ROUTES_TO, is_of_application

PATH: Final = "component_path"
"""The topic of notes."""
NAVIGATE: Final = "NavigateTo"
"""The call that navigates."""
_MANAGER: Final = "T:Microsoft.AspNetCore.Components.NavigationManager"
_URI: Final = "uri"
_HREF: Final = re.compile(r"<(?:a|[A-Z][\w.]*)\s[^<>]*?\b[hH]ref\s*=\s*(?:\"([^\"]{0,2000})\"|'([^']{0,2000})')")
_EXPRESSION: Final = re.compile(r"@(?:\([^()]*(?:\([^()]*\)[^()]*)*\)|[\w.]+(?:\([^()]*\))?)")
_ELSEWHERE: Final = re.compile(r"[A-Za-z][\w+.-]*:|//|#")
"""What an address of another site, or of a place on the same page, begins with."""
_PARAMETER: Final = re.compile(r"\{(\*{0,2})(\w+)(?::(\w+)[^}?]*)?(\??)\}")
_BEHIND_PATH: Final = re.compile(r"[?#](?![^{]*\})")
"""What begins a query or a fragment, and not what is unknown."""
_MOST_SEGMENTS: Final = 40
"""Of the template of a route, which is not followed where it has more."""
_NUMBERS: Final = frozenset({"int", "long"})
_NUMBER: Final = re.compile(r"-?\d+")


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
    segments: tuple[str, ...]
    component: str
    project: str
    of_application: bool


def path_notes(seen: Seen) -> Iterator[Note]:
    """Of the calls of a document."""
    for event in seen.events.values():
        if event.name != NAVIGATE or event.kind is not EventKind.INVOCATION or event.target is None:
            continue
        uri = next((each.value for each in event.arguments if each.parameter == _URI), None)
        path = text_with_holes(uri, seen.document)
        if path is not None and container_of(event.target) == _MANAGER:
            yield from _note(seen, path, event.line, column_of_link(event), event.enclosing)


def href_notes(seen: Seen, markup: Markup) -> Iterator[Note]:
    """Of the markup of a component."""
    owner = next((each.symbol_id for each in seen.declarations if is_type_id(each.symbol_id)), None)
    for match in _HREF.finditer(markup.text):
        group = match.lastindex or 0
        line, column = markup.at(match.start(group))
        yield from _note(seen, _EXPRESSION.sub(f"{HOLE}}}", match[group]), line, column, owner)


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


class _Node:
    """Routes by their segments: where a path goes on with a literal, or with the value of a parameter."""

    def __init__(self) -> None:
        self.literals: Final[dict[str, _Node]] = {}
        self.parameters: Final[dict[str, _Node]] = {}
        """By the segment as it is written."""
        self.routes: Final[list[_Route]] = []

    def add(self, route: _Route) -> None:
        node = self
        for segment in route.segments:
            children, key = (node.parameters, segment) if _is_parameter(segment) else (node.literals, segment.lower())
            node = children.setdefault(key, _Node())
        node.routes.append(route)

    def matching(self, path: Sequence[str]) -> Iterator[_Route]:
        if not path:
            yield from self.routes
        else:
            literal = self.literals.get(path[0].lower())
            if literal is not None:
                yield from literal.matching(path[1:])
        for segment, node in self.parameters.items():
            parameter = _PARAMETER.fullmatch(segment)
            if parameter is None:
                continue
            if parameter[1]:
                yield from node.routes
            elif not path:
                yield from node.matching(path) if parameter[4] else ()
            elif parameter[3] not in _NUMBERS or HOLE in path[0] or _NUMBER.fullmatch(path[0]) is not None:
                yield from node.matching(path[1:])


class _Routes:
    """Those that directives of components say."""

    def __init__(self, notes: Sequence[Note], classes: Sequence[tuple[str, CodeBehind]]) -> None:
        self._root: Final = _Node()
        behind = classes_behind(classes)
        for note in notes:
            is_component = note.topic == PAGE and note.file_path.endswith(COMPONENT_FILE)
            code = behind.get(note.file_path) if is_component else None
            if code is not None:
                page = read_note_data(note.data, PageNote)
                segments = _segments(page.template)
                if len(segments) <= _MOST_SEGMENTS:
                    self._root.add(_Route(segments, code.id, page.project, page.of_application))

    def of(self, said: PathNote) -> _Route | None:
        segments = _segments(_BEHIND_PATH.split(said.path, maxsplit=1)[0])
        if segments and all(HOLE in each for each in segments):
            return None
        matching = [each for each in self._root.matching(segments) if _is_in_sight(said, each)]
        matching = [each for each in matching if each.project == said.project] or matching
        best = min((_rank(each) for each in matching), default=())
        found = {each.component: each for each in matching if _rank(each) == best}
        return next(iter(found.values())) if len(found) == 1 else None


def _rank(route: _Route) -> tuple[bool, ...]:
    """Less for what is meant rather."""
    return tuple(map(_is_parameter, route.segments))


def _is_in_sight(said: PathNote, route: _Route) -> bool:
    """One application does not show the components of another that it does not reference."""
    return (
        route.project == said.project
        or route.project in said.sees
        or not (said.of_application and route.of_application)
    )


def _segments(path: str) -> tuple[str, ...]:
    return tuple(each for each in path.removeprefix("~").split("/") if each not in ("", "."))


def _is_parameter(segment: str) -> bool:
    return _PARAMETER.fullmatch(segment) is not None
