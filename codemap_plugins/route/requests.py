"""Requests that code makes over HTTP: ``client.GetAsync($"/orders/{id}")``, ``new HttpRequestMessage(HttpMethod.Post, "/orders")``.

A document leaves one note of all of them; ``answers`` finds what answers. Of an address the path is kept, with holes for what is not
known. A method of the repository's own that is called as one of ``HttpClient``, and takes an address by the name of its parameter, is taken
for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, note_data, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE
from codemap_core.model.bound import NOWHERE, Argument, Event, EventKind, Value
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.route.route_tree import path_segments

MADE: Final = "requests_made"
"""The topic of notes."""
_ANY_VERB: Final = ""
_VERBS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("GetAsync", "GetStringAsync", "GetStreamAsync", "GetByteArrayAsync"), "GET"),
    **dict.fromkeys(("GetFromJsonAsync", "GetFromJsonAsAsyncEnumerable"), "GET"),
    **dict.fromkeys(("PostAsync", "PostAsJsonAsync"), "POST"),
    **dict.fromkeys(("PutAsync", "PutAsJsonAsync"), "PUT"),
    **dict.fromkeys(("PatchAsync", "PatchAsJsonAsync"), "PATCH"),
    **dict.fromkeys(("DeleteAsync", "DeleteFromJsonAsync"), "DELETE"),
    "CreateRequest": _ANY_VERB,
}
REQUEST_CALLS: Final = tuple(_VERBS)
_CLIENTS: Final = frozenset(
    {
        "T:System.Net.Http.HttpClient",
        "T:System.Net.Http.HttpClientExtensions",
        "T:System.Net.Http.Json.HttpClientJsonExtensions",
        "T:Microsoft.AspNetCore.TestHost.TestServer",
    }
)
_MESSAGES: Final = {
    "HttpRequestMessage": "T:System.Net.Http.HttpRequestMessage",
    "RestRequest": "T:RestSharp.RestRequest",
}
_URI: Final = "T:System.Uri"
REQUEST_CREATIONS: Final = (*_MESSAGES, "Uri")
_METHOD: Final = "method"
_REQUEST_URI: Final = "requestUri"
_ADDRESSES: Final = frozenset(
    {_REQUEST_URI, "requestUrl", "uri", "url", "path", "route", "endpoint", "address", "resource"}
)
"""Names of parameters that take an address."""
_PROPERTIES: Final = {"Method": _METHOD, "RequestUri": _REQUEST_URI}
_URI_TEXTS: Final = frozenset({"uriString", "relativeUri"})
_METHODS: Final = ("P:System.Net.Http.HttpMethod.", "F:RestSharp.Method.")
_ABSOLUTE: Final = re.compile(r"(?:[A-Za-z][\w+.-]*:)?//(?P<host>[^/?#]*)(?P<rest>.*)", re.DOTALL)
_OPAQUE: Final = re.compile(r"[A-Za-z][\w+.-]*:")
_THIS_MACHINE: Final = "127.0.0.1"
_MOST_ADDRESSES: Final = 8
"""Of one request."""


class Request(Struct, frozen=True, array_like=True):
    line: int
    column: int
    owner: str | None
    verb: str
    """Empty where it is not known."""
    path: str
    """Without a host; it begins with a hole where that is not known."""
    is_certain: bool
    """It is made by a client that is known, by this verb and to this address."""


class Requests(Struct, frozen=True, array_like=True):
    """Those of a document."""

    project: str
    sees: tuple[str, ...]
    """Projects that its project references."""
    made: tuple[Request, ...]


def request_notes(seen: Seen) -> Iterator[Note]:
    has_messages = any(each.target in _MESSAGES.values() for each in seen.events.values())
    initialised = _initialised(seen.document.events) if has_messages else {}
    made = tuple(
        each for index, event in seen.events.items() for each in _requests(seen, event, initialised.get(index, ()))
    )
    if made:
        sees = tuple(seen.project.project_references) if seen.project is not None else ()
        note = Requests(seen.document.project_path, sees, made)
        yield Note(MADE, seen.file_path, made[0].line, note_data(note))


def _requests(seen: Seen, event: Event, initialised: Sequence[Argument]) -> Iterator[Request]:
    if event.kind is EventKind.INVOCATION and event.name in _VERBS:
        address, verb, column = _address_of_call(event), _VERBS[event.name], column_of_link(event)
    elif event.kind is EventKind.CREATION and event.target in _MESSAGES.values():
        given = {each.parameter: each.value for each in (*event.arguments, *initialised)}
        address = next((value for name, value in given.items() if name in _ADDRESSES), None)
        verb, column = _verb(given.get(_METHOD)), event.column
    else:
        return
    texts = dict.fromkeys(_texts(seen, address))
    is_certain = event.external and verb != _ANY_VERB and len(texts) == 1
    for text in texts:
        path = _path(text)
        if path is not None and _says_something(path):
            yield Request(event.line, column, event.enclosing, verb, path, is_certain)


def _address_of_call(event: Event) -> Value | None:
    """What a call is given as the address; null where it makes no request, as far as is known."""
    if event.target is None:
        return event.arguments[0].value if event.arguments else None
    if event.external and container_of(event.target) not in _CLIENTS:
        return None
    return next((each.value for each in event.arguments if each.parameter in _ADDRESSES), None)


def _initialised(events: Sequence[Event]) -> dict[int, list[Argument]]:
    """By the event that creates a message, what its initialiser sets, as the constructor would be given it."""
    found: dict[int, list[Argument]] = {}
    for event in events:
        parameter = _PROPERTIES.get(event.name) if event.kind is EventKind.ASSIGNMENT else None
        if parameter is not None and event.initializes != NOWHERE and event.arguments:
            found.setdefault(event.initializes, []).append(Argument(event.arguments[0].value, parameter))
    return found


def _verb(method: Value | None) -> str:
    named = method.symbol_id if method is not None else ""
    return parse_id(named).name.upper() if named.startswith(_METHODS) else _ANY_VERB


def _texts(seen: Seen, value: Value | None) -> Iterator[str]:
    """Those that an address may be."""
    if value is None:
        return
    for each in value.alternatives[:_MOST_ADDRESSES] or (value,):
        made_by = seen.origin(each)
        if made_by is not None and made_by.target == _URI:
            given = next((each.value for each in made_by.arguments if each.parameter in _URI_TEXTS), None)
            text = text_with_holes(given, seen.document)
        else:
            text = text_with_holes(each, seen.document)
        if text:
            yield text


def _says_something(path: str) -> bool:
    """Whether a segment of a path is written, or the path is that of the root."""
    found = path_segments(path)
    return not found or any(HOLE not in each for each in found)


def _path(address: str) -> str | None:
    """Null for an address of another site: a host with a dot, which no test server and no service of an application has. A host that is
    not known, and what an address begins with that is not, stay as a hole."""
    absolute = _ABSOLUTE.fullmatch(address)
    if absolute is None:
        return None if _OPAQUE.match(address) is not None else address
    host, rest = absolute["host"], absolute["rest"]
    if HOLE in host:
        return f"{HOLE}}}{rest}"
    name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
    return rest if "." not in name or name == _THIS_MACHINE else None
