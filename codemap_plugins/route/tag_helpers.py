"""What the tag helpers of ASP.NET Core say of actions and pages: ``<form asp-controller="Orders" asp-action="Show">``,
``<form asp-page="./Edit" asp-page-handler="Delete">`` (``AnchorTagHelper``, ``FormTagHelper``, ``FormActionTagHelper``)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from codemap_core.facts import note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import IN_MARKUP
from codemap_plugins.route.addresses import (
    ADDRESS,
    ANY_VERB,
    GET,
    POST,
    Address,
    Stands,
    action_address,
    page_address,
    route_address,
)
from codemap_plugins.route.markup import Attribute, Markup, Tag

_ACTION: Final = "asp-action"
_CONTROLLER: Final = "asp-controller"
_PAGE: Final = "asp-page"
_HANDLER: Final = "asp-page-handler"
_AREA: Final = "asp-area"
_ROUTE: Final = "asp-route"
_NAMING: Final = (_ACTION, _PAGE, _HANDLER, _ROUTE)
"""The attributes where a link stands, the first that a tag has."""
_VERBS: Final = {"a": GET, "form": POST, "button": ANY_VERB, "input": ANY_VERB}
"""The tags that have them. What a button submits is sent as its form says. Others are of tag helpers that nobody knows."""
_MARK: Final = "asp-"
"""What the names of all of them begin with."""
_VALUE: Final = "asp-route-"
_ALONE: Final = 2
"""Arguments of what stands for an expression, where no more text is with it."""


def tag_helper_notes(seen: Seen, markup: Markup) -> Iterator[Note]:
    """Of a view or page."""
    if not any(each in markup.text for each in _NAMING):
        return
    known = _Texts(seen, markup)
    for tag in markup.tags(_MARK):
        named = next((tag.attributes[each] for each in _NAMING if each in tag.attributes), None)
        if named is None:
            continue
        line, column = markup.at(named.offset)
        address = _address(seen, tag, column, known.of)
        if address is not None:
            yield Note(ADDRESS, seen.file_path, line, note_data(address))


def verb_of(tag: Tag) -> str | None:
    """The verb of the request that follows from a link, a form or what submits one; empty where any may, null for other tags."""
    method = tag.attributes.get("method")
    verb = _VERBS.get(tag.name)
    return GET if verb == POST and method is not None and method.value.strip().upper() == GET else verb


class _Texts:
    """What attributes say, in expressions too: ``asp-area="@Areas.Back"``."""

    def __init__(self, seen: Seen, markup: Markup) -> None:
        self._offset_of: Final = markup.byte_offset
        self._by_offset: Final[dict[int, str]] = {}
        for event in seen.events.values():
            if event.name == IN_MARKUP and len(event.arguments) == _ALONE:
                place, text = event.arguments[0].value.constant, text_of(event.arguments[1].value)
                if place is not None and isinstance(place.value, int) and text is not None:
                    self._by_offset[place.value] = text

    def of(self, attribute: Attribute) -> str | None:
        """Null for what is not a text, or not known."""
        if "@" not in attribute.value:
            return attribute.value.strip()
        return self._by_offset.get(self._offset_of(attribute.offset)) if self._by_offset else None


def _address(seen: Seen, tag: Tag, column: int, text_of_: Callable[[Attribute], str | None]) -> Address | None:
    texts: dict[str, str] = {}
    for name in (_ACTION, _CONTROLLER, _AREA, _PAGE, _HANDLER, _ROUTE):
        attribute = tag.attributes.get(name)
        if attribute is not None:
            known = text_of_(attribute)
            if known is None:
                return None
            texts[name] = known
    verb = verb_of(tag)
    is_known = verb is not None
    verb = verb or ANY_VERB
    values = tuple(name.removeprefix(_VALUE) for name in tag.attributes if name.startswith(_VALUE))
    stands = Stands(seen, column, None, verb, values)
    area = texts.get(_AREA)
    if _ACTION in texts:
        return action_address(stands, area, texts.get(_CONTROLLER, ""), texts[_ACTION], is_certain=is_known)
    if _ROUTE in texts:
        return route_address(stands, texts[_ROUTE])
    return page_address(stands, area, texts.get(_PAGE, ""), texts.get(_HANDLER, "")) if is_known else None
