"""What the texts that name actions and pages mean: links of the role ``routes_to`` to the methods that answer.

Names of controllers, actions, areas and pages are compared without case, as routing does. What is in the project of the text is meant
before what is in others, such as modules and their host; one application does not show the pages of another. The verb of the request and
the names of the values it carries choose among actions of one name; where none fits, or several do, all of them are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import link, read_note_data
from codemap_core.hooks.extractors import Note
from codemap_core.model import Confidence, ReferenceRow
from codemap_plugins.aspnet.endpoint_calls import ANY
from codemap_plugins.route.actions import Controllers, NamedAction
from codemap_plugins.route.addresses import ADDRESS, Address
from codemap_plugins.route.folders import page_name
from codemap_plugins.route.named_routes import NAMED_ROUTE, NamedRoute
from codemap_plugins.route.pages import PAGE, CodeBehind, PageNote, answering, classes_behind
from codemap_plugins.route.route_rows import ROUTES_TO, Source, nearest


def address_links(
    notes: Sequence[Note], controllers: Controllers, behind: Sequence[tuple[str, CodeBehind]]
) -> Iterator[ReferenceRow]:
    """``behind``: as ``may_be_behind`` finds them."""
    addresses = [(note, read_note_data(note.data, Address)) for note in notes if note.topic == ADDRESS]
    if not addresses:
        return
    actions, pages = Actions(controllers.named, notes), Pages(notes, behind)
    for note, address in addresses:
        if address.route:
            found = actions.of_route(address)
        else:
            found = pages.of(address) if address.page else actions.of(address)
        is_sure = found.is_certain and len(found.ids) == 1
        confidence = Confidence.HIGH if is_sure else Confidence.MEDIUM
        for symbol_id in found.ids:
            yield link(ROUTES_TO, address.owner, symbol_id, note.file_path, note.line, address.column, confidence)


class Destination(Struct, frozen=True):
    """Ids of the methods that a text means, or of the class of a page without one; none where that is not known."""

    ids: tuple[str, ...] = ()
    is_certain: bool = False


class Actions:
    """Actions of controllers by their names, and by those of routes."""

    def __init__(self, named: Iterable[NamedAction], notes: Iterable[Note]) -> None:
        self._by_name: Final[dict[tuple[str, str], list[NamedAction]]] = {}
        self._by_class: Final[dict[tuple[str, str], NamedAction]] = {}
        """One of each controller, by project and id."""
        self._by_attribute: Final[dict[str, list[NamedAction]]] = {}
        self._routes: Final[dict[str, list[NamedRoute]]] = {}
        for note in notes:
            if note.topic == NAMED_ROUTE:
                route = read_note_data(note.data, NamedRoute)
                self._routes.setdefault(route.name.lower(), []).append(route)
        for each in named:
            for name in each.routes:
                self._by_attribute.setdefault(name, []).append(each)
            self._by_name.setdefault((each.controller.lower(), each.action.lower()), []).append(each)
            self._by_class.setdefault((each.project, each.controller_id), each)

    def of(self, address: Address) -> Destination:
        around = self._by_class.get((address.project, address.near))
        controller = address.controller or (around.controller if around is not None else "")
        area = around.area if address.area is None and around is not None else address.area
        found = self._by_name.get((controller.lower(), address.action.lower()), [])
        if area is None:
            found = [each for each in found if not each.area] or found
        else:
            found = [each for each in found if each.area.lower() == area.lower()]
        return self._one_of(address, nearest(address, found), is_area_known=area is not None)

    @staticmethod
    def _one_of(address: Address, found: Sequence[NamedAction], *, is_area_known: bool = True) -> Destination:
        """Those of the actions that fit best."""
        if len({(each.project, each.controller_id) for each in found}) != 1:
            return Destination()  # nothing, or which of several is not known
        is_certain = address.is_certain and (is_area_known or not found[0].area)
        found = [each for each in found if not address.verb or each.verbs & {address.verb, ANY}] or found
        values = {each.lower() for each in address.values}
        found = [each for each in found if values <= each.parameters] or found
        ids = tuple(dict.fromkeys(each.id for each in found))
        return Destination(ids, is_certain and found[0].project == address.project)

    def of_route(self, address: Address) -> Destination:
        """What the route of a name leads to; nothing where several routes have it."""
        name = address.route.lower()
        actions = nearest(address, self._by_attribute.get(name, ()))
        routes = nearest(address, self._routes.get(name, ()))
        if not routes:
            return self._one_of(address, actions)
        if actions or len({(each.area, each.controller, each.action) for each in routes}) != 1:
            return Destination()
        route = routes[0]
        meant = replace(
            address,
            project=route.project,
            of_application=route.of_application,
            area=route.area,
            controller=route.controller,
            action=route.action,
            is_certain=route.project == address.project,
        )
        return self.of(meant)


class _Page(Struct, frozen=True):
    note: PageNote
    code: CodeBehind

    @property
    def project(self) -> str:
        return self.note.project

    @property
    def of_application(self) -> bool:
        return self.note.of_application


class Pages:
    """Razor Pages by area and path, with the classes behind them."""

    def __init__(self, notes: Sequence[Note], classes: Sequence[tuple[str, CodeBehind]]) -> None:
        behind = classes_behind(classes)
        self._by_id: Final = {each.id: each for _, each in classes}
        self._pages: Final[dict[tuple[str, str], list[_Page]]] = {}
        for note in notes:
            code = behind.get(note.file_path) if note.topic == PAGE else None
            name = page_name(note.file_path) if code is not None else None
            if code is not None and name is not None:
                page = _Page(read_note_data(note.data, PageNote), code)
                if page.note.source is Source.PAGE:
                    self._pages.setdefault((name.area.lower(), name.path.lower()), []).append(page)

    def of(self, address: Address) -> Destination:
        every = self._pages.get(((address.area or "").lower(), address.page.lower()), [])
        found = nearest(address, every)
        if len(found) != 1:
            return Destination()
        ids = answering(found[0].code, self._by_id, address.verb, address.handler)
        return Destination(ids, address.is_certain and found[0].project == address.project)
