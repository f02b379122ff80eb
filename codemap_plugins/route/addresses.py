"""Texts that name an action of a controller, a page or a route: ``RedirectToAction("Show", "Orders")``, ``Url.Page("./Edit")``,
``Url.RouteUrl("Cart")``.

Each leaves a note; ``destinations`` finds what they name. Those in the markup of views are read in ``tag_helpers``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from codemap_core.facts import column_of_link, note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import Event, EventKind, Value
from codemap_core.model.documentation_id import container_of
from codemap_plugins.route.folders import (
    VIEW,
    absolute_page,
    area_of_file,
    controller_of_view,
    is_shared,
    page_name,
)
from codemap_plugins.route.route_rows import class_around, is_of_application

ADDRESS: Final = "address"
"""The topic of notes."""
GET: Final = "GET"
POST: Final = "POST"
ANY_VERB: Final = ""


class Address(Struct, frozen=True, array_like=True):
    """What a text names: an action; the handler of a page or what a route leads to where ``page`` or ``route`` is not empty. Names are as
    written."""

    column: int
    project: str
    of_application: bool
    """The project is an application, not a library."""
    owner: str | None
    """The symbol that the text stands in."""
    verb: str
    """Of the request that follows; empty where any may."""
    area: str | None = None
    """Empty for none, null where it is that of ``near`` or not known."""
    controller: str = ""
    """Empty for the controller ``near``."""
    action: str = ""
    page: str = ""
    """Absolute."""
    route: str = ""
    """The name of a route."""
    handler: str = ""
    """Of a page: ``Delete`` for ``OnPostDelete``; empty for the one without a name."""
    near: str = ""
    """Id of the class that the text stands in; empty in markup."""
    is_certain: bool = True
    """The controller is written, or is the class around the text; not what the folder of a view says."""
    values: tuple[str, ...] = ()
    """Names of the further values that the text is given, as far as they are written."""


class Stands(Struct, frozen=True):
    """Where a text stands, and what else is known before it is read."""

    seen: Seen
    column: int
    owner: str | None
    verb: str
    values: tuple[str, ...] = ()


class _Call(Struct, frozen=True):
    """``texts``: what the first texts of a call are that was not bound, by position; what is empty is neither."""

    verb: str
    texts: tuple[str, ...] = ("action", "controller")
    receivers: tuple[str, ...] = ()
    """What such a call is done to, by a part of the name of its type, which unbound is the name it has; empty for a method of a controller
    or page itself."""


_PAGE_TEXTS: Final = ("page", "handler")
_ROUTE_TEXTS: Final = ("route",)
_HELPERS: Final = ("Html", "Ajax")
_GENERATOR: Final = ("LinkGenerator",)
_CALLS: Final[Mapping[str, _Call]] = {
    **dict.fromkeys(
        ("RedirectToAction", "RedirectToActionPermanent", "CreatedAtAction", "AcceptedAtAction"), _Call(GET)
    ),
    **dict.fromkeys(("RedirectToActionPreserveMethod", "RedirectToActionPermanentPreserveMethod"), _Call(ANY_VERB)),
    "Action": _Call(ANY_VERB, receivers=("Url", *_HELPERS)),
    "ActionLink": _Call(GET, ("", "action", "controller"), _HELPERS),
    "RenderAction": _Call(ANY_VERB, receivers=_HELPERS),
    "BeginForm": _Call(POST, receivers=_HELPERS),
    **dict.fromkeys(("GetPathByAction", "GetUriByAction"), _Call(ANY_VERB, (), _GENERATOR)),
    **dict.fromkeys(("RedirectToPage", "RedirectToPagePermanent"), _Call(GET, _PAGE_TEXTS)),
    **dict.fromkeys(
        ("RedirectToPagePreserveMethod", "RedirectToPagePermanentPreserveMethod"), _Call(ANY_VERB, _PAGE_TEXTS)
    ),
    **dict.fromkeys(("Page", "PageLink"), _Call(ANY_VERB, _PAGE_TEXTS, ("Url",))),
    **dict.fromkeys(("GetPathByPage", "GetUriByPage"), _Call(ANY_VERB, (), _GENERATOR)),
    **dict.fromkeys(
        ("RedirectToRoute", "RedirectToRoutePermanent", "CreatedAtRoute", "AcceptedAtRoute"), _Call(GET, _ROUTE_TEXTS)
    ),
    **dict.fromkeys(
        ("RedirectToRoutePreserveMethod", "RedirectToRoutePermanentPreserveMethod"), _Call(ANY_VERB, _ROUTE_TEXTS)
    ),
    **dict.fromkeys(("RouteUrl", "Link"), _Call(ANY_VERB, _ROUTE_TEXTS, ("Url",))),
    "RouteLink": _Call(GET, ("", "route"), _HELPERS),
    "BeginRouteForm": _Call(POST, _ROUTE_TEXTS, _HELPERS),
    **dict.fromkeys(("GetPathByName", "GetUriByName", "GetPathByRouteValues"), _Call(ANY_VERB, (), _GENERATOR)),
}
CALLS: Final = tuple(_CALLS)
_PARAMETERS: Final = {
    "action": "action",
    "actionName": "action",
    "controller": "controller",
    "controllerName": "controller",
    "page": "page",
    "pageName": "page",
    "handler": "handler",
    "pageHandler": "handler",
    "routeName": "route",
    "endpointName": "route",
}
"""What the parameters of these methods take."""
_ROUTE_NAMES: Final = frozenset({"area", *_PARAMETERS.values()})
_VALUES: Final = frozenset({"values", "routeValues", ""})
"""Parameters that take further values of the route, among which area, controller and action may be."""
_OF_LIBRARIES: Final = ("T:Microsoft.AspNetCore.", "T:System.Web.Mvc.")
_CODE_BEHIND: Final = ".cs"
_EMPTY: Final = "F:System.String.Empty"
_METHOD: Final = "method"
_GET_METHOD: Final = "F:Microsoft.AspNetCore.Mvc.Rendering.FormMethod.Get"


def address_notes(seen: Seen) -> Iterator[Note]:
    """Of the calls of a document."""
    for event in seen.events.values():
        call = _CALLS.get(event.name)
        if call is not None and event.kind is EventKind.INVOCATION and _is_of_library(event, call):
            address = _address(seen, event, call)
            if address is not None:
                yield Note(ADDRESS, seen.file_path, event.line, note_data(address))


def _is_of_library(event: Event, call: _Call) -> bool:
    """Whether it is a method of ASP.NET, or looks like one and was not bound."""
    if event.target is not None:
        container = container_of(event.target)
        is_of_helper = not call.receivers or any(each in container.rpartition(".")[2] for each in call.receivers)
        return event.external and is_of_helper and container.startswith(_OF_LIBRARIES)
    receiver = event.receiver
    if receiver is None:
        return not call.receivers
    name = receiver.unbound_name or receiver.symbol_id.rpartition(".")[2]
    return name in call.receivers


def _address(seen: Seen, event: Event, call: _Call) -> Address | None:
    given, values = _given(event, call)
    texts = {name: text_of(value) or "" for name, value in given.items()}
    if any(not texts[name] and not _is_empty(value) for name, value in given.items()):
        return None  # a text that is not known
    verb = GET if call.verb == POST and _submits_by_get(event) else call.verb
    stands = Stands(seen, column_of_link(event), event.enclosing, verb, tuple(values))
    area = texts.get("area")
    if texts.get("route"):
        return route_address(stands, texts["route"])
    if call.texts == _PAGE_TEXTS or "page" in given:
        return page_address(stands, area, texts.get("page", ""), texts.get("handler", ""))
    near = "" if seen.document.is_unowned else class_around(event)
    return action_address(stands, area, texts.get("controller", ""), texts.get("action", ""), near)


def page_address(stands: Stands, area: str | None, page: str, handler: str) -> Address | None:
    """``area``: null where none is written; ``page``: as written, empty for the page itself. Null where that is not known."""
    path = stands.seen.file_path
    own = page_name(path.removesuffix(_CODE_BEHIND)) if path.endswith((VIEW, VIEW + _CODE_BEHIND)) else None
    near = own if own is not None and not is_shared(path) else None
    named = absolute_page(page, near) if page else near.path if near is not None else None
    if named is None:
        return None
    if area is None:
        area = own.area if own is not None else area_of_file(path)
    return _with(stands, area=area, page=named, handler=handler)


def action_address(
    stands: Stands, area: str | None, controller: str, action: str, near: str = "", *, is_certain: bool = True
) -> Address | None:
    """``area``: null where none is written; ``near``: id of the class around the text. In a view, where there is none, the controller
    of its folder is meant unless the text names one. Null where the controller or the action is not known."""
    path = stands.seen.file_path
    named = controller or ("" if near else controller_of_view(path))
    if not action or not (named or near):
        return None
    if area is None and not near:
        area = area_of_file(path) or None
    is_certain = is_certain and bool(controller or near)
    return _with(stands, area=area, controller=named, action=action, near=near, is_certain=is_certain)


def route_address(stands: Stands, name: str) -> Address | None:
    return _with(stands, route=name) if name else None


def _with(stands: Stands, **named: Any) -> Address:
    seen = stands.seen
    return Address(
        stands.column,
        seen.document.project_path,
        is_of_application(seen),
        stands.owner,
        stands.verb,
        values=stands.values,
        **named,
    )


def _given(event: Event, call: _Call) -> tuple[dict[str, Value], list[str]]:
    """What is given as action, controller, area, page and handler, and the names of further values."""
    found: dict[str, Value] = {}
    values: list[str] = []
    for position, argument in enumerate(event.arguments):
        name = _PARAMETERS.get(argument.parameter, "")
        if not argument.parameter and event.target is None and position < len(call.texts):
            name = call.texts[position] if text_of(argument.value) is not None or position < 1 else ""
        if name:
            found[name] = argument.value
        elif argument.parameter in _VALUES:
            for member, value in argument.value.members:
                if member.lower() in _ROUTE_NAMES:
                    found.setdefault(member.lower(), value)
                else:
                    values.append(member)
    return found, values


def _submits_by_get(event: Event) -> bool:
    return any(each.parameter == _METHOD and each.value.symbol_id == _GET_METHOD for each in event.arguments)


def _is_empty(value: Value) -> bool:
    """Null or a text without letters."""
    return value.symbol_id == _EMPTY or (value.constant is not None and not value.constant.value)
