"""What the texts that name actions and pages mean: links of the role ``routes_to`` to the methods that answer.

Names of controllers, actions, areas and pages are compared without case, as routing does. What is in the project of the text is meant
before what is in others, such as modules and their host; one application does not show the pages of another. The verb of the request and
the names of the values it carries choose among actions of one name; where none fits, or several do, all of them are meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import read_note_data
from codemap_core.hooks.extractors import Note
from codemap_core.model import Confidence, ReferenceRow, RefKind, ResolutionState
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.aspnet.endpoint_calls import ANY
from codemap_plugins.route.actions import Controllers, NamedAction
from codemap_plugins.route.addresses import ADDRESS, Address
from codemap_plugins.route.folders import page_name
from codemap_plugins.route.pages import PAGE, CodeBehind, PageHandler, PageNote, classes_behind, may_be_behind
from codemap_plugins.route.route_rows import Source

ROUTES_TO: Final = "routes_to"
"""The role of the links."""


def address_links(notes: Sequence[Note], controllers: Controllers) -> Iterator[ReferenceRow]:
    addresses = [(note, read_note_data(note.data, Address)) for note in notes if note.topic == ADDRESS]
    if not addresses:
        return
    actions, pages = Actions(controllers.named()), Pages(notes)
    for note, address in addresses:
        found = pages.of(address) if address.page else actions.of(address)
        for symbol_id in found.ids:
            yield ReferenceRow(
                kind=RefKind.LINK,
                role=ROUTES_TO,
                from_symbol=address.owner,
                to_symbol=symbol_id,
                to_name=parse_id(symbol_id).name,
                file_path=note.file_path,
                line=note.line,
                line_end=note.line,
                column=address.column,
                resolution_state=ResolutionState.RESOLVED,
                confidence=Confidence.HIGH if found.is_certain and len(found.ids) == 1 else Confidence.MEDIUM,
            )


class Destination(Struct, frozen=True):
    """Ids of the methods that a text means, or of the class of a page without one; none where that is not known."""

    ids: tuple[str, ...] = ()
    is_certain: bool = False


class Actions:
    """Actions of controllers by their names."""

    def __init__(self, named: Iterable[NamedAction]) -> None:
        self._by_name: Final[dict[tuple[str, str], list[NamedAction]]] = {}
        self._by_class: Final[dict[tuple[str, str], NamedAction]] = {}
        """One of each controller, by project and id."""
        for each in named:
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
        own = [each for each in found if each.project == address.project]
        found = own or [each for each in found if not (address.of_application and each.of_application)]
        if len({(each.project, each.controller_id) for each in found}) != 1:
            return Destination()  # nothing, or which of several is not known
        is_certain = address.is_certain and bool(own) and (area is not None or not found[0].area)
        found = [each for each in found if not address.verb or each.verbs & {address.verb, ANY}] or found
        values = {each.lower() for each in address.values}
        found = [each for each in found if values <= each.parameters] or found
        return Destination(tuple(dict.fromkeys(each.id for each in found)), is_certain)


class _Page(Struct, frozen=True):
    note: PageNote
    code: CodeBehind


class Pages:
    """Razor Pages by area and path, with the classes behind them."""

    def __init__(self, notes: Sequence[Note]) -> None:
        classes = list(may_be_behind(notes))
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
        own = [each for each in every if each.note.project == address.project]
        found = own or [each for each in every if not (address.of_application and each.note.of_application)]
        if len(found) != 1:
            return Destination()
        code = found[0].code
        handlers = [each for each in self._handlers(code) if each.name.lower() == address.handler.lower()]
        fitting = [each.id for each in handlers if not address.verb or each.verb == address.verb]
        ids = tuple(dict.fromkeys(fitting)) or (() if address.handler else (code.id,))
        return Destination(ids, address.is_certain and bool(own))

    def _handlers(self, code: CodeBehind) -> Iterator[PageHandler]:
        """Its own and those it inherits."""
        known: set[tuple[str, str]] = set()
        for each in (code, *(self._by_id[base] for base in code.bases if base in self._by_id)):
            new = [handler for handler in each.handlers if (handler.verb, handler.name.lower()) not in known]
            known.update((handler.verb, handler.name.lower()) for handler in new)
            yield from new
