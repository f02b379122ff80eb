"""Addresses of the application that are written out: ``<a href="~/orders">``, ``<form action="/orders/@Id">``, ``Redirect("/orders")``.

They lead a reader on, so that they are links of the role ``routes_to``. A document leaves one note of all of them, and ``answers`` finds
what answers. An address that does not begin at the root of the application is relative to the one that shows it, which is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.facts import column_of_link, note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import Event, EventKind
from codemap_core.model.documentation_id import container_of
from codemap_plugins.route.address_texts import address_text
from codemap_plugins.route.addresses import ANY_VERB, GET
from codemap_plugins.route.markup import Markup, known_part
from codemap_plugins.route.requests import Request, Requests, says_something
from codemap_plugins.route.route_rows import is_of_application
from codemap_plugins.route.tag_helpers import verb_of

WRITTEN: Final = "written_addresses"
"""The topic of notes."""
_KEEP_VERB: Final = "PreserveMethod"
_PLAIN: Final = ("Redirect", "RedirectPermanent", "LocalRedirect", "LocalRedirectPermanent")
REDIRECTIONS: Final = (*_PLAIN, *(f"{each}{_KEEP_VERB}" for each in _PLAIN))
_PARAMETERS: Final = frozenset({"url", "localUrl", "location"})
_OF_LIBRARIES: Final = ("T:Microsoft.AspNetCore.", "T:System.Web.")
_ROOT: Final = ("/", "~/")
_OTHER_SITE: Final = "//"
_ATTRIBUTES: Final = {"a": "href", "form": "action", "button": "formaction", "input": "formaction"}
_MAY_HAVE: Final = re.compile(r"(?:href|action)\s*=\s*[\"']?~?/", re.IGNORECASE)


def redirection_notes(seen: Seen) -> Iterator[Note]:
    """Of the calls of a document."""
    made = (_redirection(seen, each) for each in seen.events.values() if each.name in REDIRECTIONS)
    yield from _note(seen, tuple(each for each in made if each is not None))


def written_notes(seen: Seen, markup: Markup) -> Iterator[Note]:
    """Of the markup of a view or page."""
    if _MAY_HAVE.search(markup.text) is not None:
        yield from _note(seen, tuple(_in_markup(markup)))


def _note(seen: Seen, made: tuple[Request, ...]) -> Iterator[Note]:
    if made:
        note = Requests(seen.document.project_path, made, is_of_application(seen))
        yield Note(WRITTEN, seen.file_path, made[0].line, note_data(note))


def _redirection(seen: Seen, event: Event) -> Request | None:
    if event.kind is not EventKind.INVOCATION or not event.arguments:
        return None
    if event.target is None:
        given = event.arguments[0].value if event.receiver is None else None
    elif event.external and container_of(event.target).startswith(_OF_LIBRARIES):
        given = next((each.value for each in event.arguments if each.parameter in _PARAMETERS), None)
    else:
        given = None
    path = address_text(given, seen.document)
    verb = ANY_VERB if event.name.endswith(_KEEP_VERB) else GET
    return _led(event.line, column_of_link(event), event.enclosing, verb, path, is_certain=event.external)


def _in_markup(markup: Markup) -> Iterator[Request]:
    for tag in markup.tags("/"):
        attribute = tag.attributes.get(_ATTRIBUTES.get(tag.name, ""))
        if attribute is not None:
            line, column = markup.at(attribute.offset)
            led = _led(line, column, None, verb_of(tag) or ANY_VERB, known_part(attribute.value), is_certain=True)
            if led is not None:
                yield led


def _led(line: int, column: int, owner: str | None, verb: str, path: str | None, *, is_certain: bool) -> Request | None:
    if path is None or not path.startswith(_ROOT) or path.startswith(_OTHER_SITE) or not says_something(path):
        return None
    return Request(line, column, owner, verb, path, is_certain and verb != ANY_VERB)
