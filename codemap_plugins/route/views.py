"""Which views actions, pages, view components and other views show: facts of the kind ``view``, and links of the role ``renders`` from what
shows a view component to the method of it that is called.

A name is looked for where ASP.NET Core does; what stands in a class that several controllers inherit is looked for by each of them. What
is not found there, as with other search paths, is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from codemap_core.facts import link, read_note_data
from codemap_core.hooks.extractors import Note
from codemap_core.model import Confidence, FactRow, ReferenceRow
from codemap_plugins.route.actions import Controllers, NamedAction
from codemap_plugins.route.folders import VIEW
from codemap_plugins.route.route_rows import nearest
from codemap_plugins.route.showing import SHOWN, VIEW_COMPONENT, VIEW_FILE, How, Shown, ViewComponent
from codemap_plugins.route.view_files import (
    FoundView,
    Origin,
    ViewFile,
    ViewFiles,
    in_project,
    places_of_controller,
    places_of_view,
)

VIEW_FACT: Final = "view"
RENDERS: Final = "renders"
_DEFAULT: Final = "Default"
_CODE_BEHIND: Final = ".cs"


def shown_views(notes: Sequence[Note], controllers: Controllers) -> Iterator[FactRow | ReferenceRow]:
    every = [read_note_data(note.data, Shown) for note in notes if note.topic == SHOWN]
    if not every:
        return
    views, components = _Views(notes, controllers), _Components(notes)
    for shown in every:
        if shown.how is How.COMPONENT:
            yield from _links(shown, components.named(shown))
            continue
        component = components.around(shown)
        found = views.of_component(shown, component) if component is not None else views.of(shown)
        paths = {each.path: each for each in found}
        for path, each in paths.items():
            is_sure = shown.is_bound and each.is_own and len(paths) == 1
            detail = {"at": shown.place.at, "path": path, "how": shown.how.value}
            yield FactRow(
                kind=VIEW_FACT,
                value=path if shown.how is How.VIEW else f"{path}|{shown.how.value}",
                detail={**detail, "name": shown.name} if shown.name else detail,
                symbol_id=shown.owner,
                file_path=shown.place.file_path,
                line_start=shown.place.first_line,
                line_end=shown.place.last_line,
                confidence=Confidence.HIGH if is_sure else Confidence.MEDIUM,
            )


def _links(shown: Shown, components: Sequence[ViewComponent]) -> Iterator[ReferenceRow]:
    if len(components) == 1:
        target, place = components[0].method or components[0].id, shown.place
        confidence = Confidence.HIGH if components[0].project == shown.project else Confidence.MEDIUM
        yield link(RENDERS, shown.owner, target, place.file_path, place.at, shown.column, confidence)


class _Components:
    """View components by their names, which tags write in lower case with dashes."""

    def __init__(self, notes: Sequence[Note]) -> None:
        self._by_name: Final[dict[str, list[ViewComponent]]] = {}
        self._by_id: Final[dict[tuple[str, str], ViewComponent]] = {}
        for note in notes:
            if note.topic == VIEW_COMPONENT:
                component = read_note_data(note.data, ViewComponent)
                self._by_name.setdefault(component.name.lower(), []).append(component)
                self._by_id.setdefault((component.project, component.id), component)

    def named(self, shown: Shown) -> list[ViewComponent]:
        name = shown.name.lower()
        return nearest(shown, self._by_name.get(name) or self._by_name.get(name.replace("-", ""), []))

    def around(self, shown: Shown) -> ViewComponent | None:
        return self._by_id.get((shown.project, shown.near))


class _Views:
    def __init__(self, notes: Sequence[Note], controllers: Controllers) -> None:
        self._files: Final = ViewFiles(read_note_data(note.data, ViewFile) for note in notes if note.topic == VIEW_FILE)
        self._by_class: Final[dict[str, list[NamedAction]]] = {}
        """Actions of controllers by the id of their class and of its base classes."""
        for action in controllers.named:
            note = controllers.types[action.project, action.controller_id]
            for each in (note.id, *note.bases):
                self._by_class.setdefault(each, []).append(action)

    def of(self, shown: Shown) -> list[FoundView]:
        place = in_project(shown.place.file_path, shown.project)
        if not shown.near or place.endswith(VIEW + _CODE_BEHIND):
            origin = Origin(shown.project, shown.of_application)
            found = self._files.find(origin, places_of_view(shown.name, place)) if shown.name else None
            return [found] if found is not None else []
        actions = self._by_class.get(shown.near, ())
        if not shown.name:
            actions = [each for each in actions if each.id == shown.owner]
        looked = {
            (each.project, each.of_application, each.area, each.controller, shown.name or each.action)
            for each in actions
        }
        every = (
            self._files.find(Origin(project, of_application), places_of_controller(name, area, controller))
            for project, of_application, area, controller, name in sorted(looked)
        )
        return [each for each in every if each is not None]

    def of_component(self, shown: Shown, component: ViewComponent) -> list[FoundView]:
        origin = Origin(shown.project, shown.of_application)
        if "/" in shown.name:
            found = self._files.find(origin, places_of_controller(shown.name, "", ""))
        else:
            found = self._files.of_component(origin, component.name, shown.name or _DEFAULT)
        return [found] if found is not None else []
