"""Requests that code makes over HTTP: ``client.GetAsync($"/orders/{id}")``, ``new HttpRequestMessage(HttpMethod.Post, "/orders")``.

A document leaves one note of all of them; ``answers`` finds what answers. Of an address the path is kept, with holes for what is not
known. A method of the repository's own that is called as one of ``HttpClient``, and takes an address by the name of its parameter, is taken
for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, note_data, text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE
from codemap_core.model.bound import NOWHERE, Argument, Event, EventKind, Value
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_core.model.route_templates import UNKNOWN
from codemap_plugins.route.address_texts import address_text
from codemap_plugins.route.addresses import ANY_VERB
from codemap_plugins.route.route_tree import path_segments

MADE: Final = "requests_made"
"""The topic of notes."""
_VERBS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("GetAsync", "GetStringAsync", "GetStreamAsync", "GetByteArrayAsync"), "GET"),
    **dict.fromkeys(("GetFromJsonAsync", "GetFromJsonAsAsyncEnumerable"), "GET"),
    **dict.fromkeys(("PostAsync", "PostAsJsonAsync"), "POST"),
    **dict.fromkeys(("PutAsync", "PutAsJsonAsync"), "PUT"),
    **dict.fromkeys(("PatchAsync", "PatchAsJsonAsync"), "PATCH"),
    **dict.fromkeys(("DeleteAsync", "DeleteFromJsonAsync"), "DELETE"),
    "CreateRequest": ANY_VERB,
}
_CHECKED: Final[Mapping[str, str]] = {f"{verb.title()}And": verb for verb in ("GET", "POST", "PUT", "PATCH", "DELETE")}
"""What calls begin with that make a request and check its answer: ``GetAndDeserializeAsync`` of Ardalis.HttpClientTestExtensions."""
REQUEST_CALLS: Final = (*_VERBS, *(f"{each}*" for each in _CHECKED))
_CLIENTS: Final = frozenset(
    {
        "T:System.Net.Http.HttpClient",
        "T:System.Net.Http.HttpClientExtensions",
        "T:System.Net.Http.Json.HttpClientJsonExtensions",
        "T:Microsoft.AspNetCore.TestHost.TestServer",
    }
)
_EXTENSIONS: Final = "T:Ardalis.HttpClientTestExtensions."
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
_ABSOLUTE: Final = re.compile(r"(?:[A-Za-z][\w+.-]*:)?//(?P<host>(?:\{\?[^{}]*\}|[^/?#])*)(?P<rest>.*)", re.DOTALL)
_OPAQUE: Final = re.compile(r"[A-Za-z][\w+.-]*:")
_THIS_MACHINE: Final = "127.0.0.1"
_REPLACE: Final = "M:System.String.Replace("
_FORMAT: Final = "M:System.String.Format(System.String,"
_PLACEHOLDER: Final = re.compile(r"\{\d+[^{}]*\}")
_MOST_ADDRESSES: Final = 8
"""Of one request."""
_MOST_CALLS: Final = 8
"""One after another, that make an address."""


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
    made: tuple[Request, ...]
    of_application: bool = False
    """The project is an application, not a library."""


def request_notes(seen: Seen) -> Iterator[Note]:
    has_messages = any(each.target in _MESSAGES.values() for each in seen.events.values())
    initialised = _initialised(seen.document.events) if has_messages else {}
    made = (each for index, event in seen.events.items() for each in _requests(seen, event, initialised.get(index, ())))
    yield from made_notes(seen, made)


def made_notes(seen: Seen, made: Iterable[Request]) -> Iterator[Note]:
    """One note of the requests that a document makes in one way; none where it makes none."""
    every = tuple(made)
    if every:
        yield Note(MADE, seen.file_path, every[0].line, note_data(Requests(seen.document.project_path, every)))


def _requests(seen: Seen, event: Event, initialised: Sequence[Argument]) -> Iterator[Request]:
    called = _verb_of_call(event.name) if event.kind is EventKind.INVOCATION else None
    if called is not None:
        address, verb, column = _address_of_call(event), called, column_of_link(event)
    elif event.kind is EventKind.CREATION and event.target in _MESSAGES.values():
        given = {each.parameter: each.value for each in (*event.arguments, *initialised)}
        address = next((value for name, value in given.items() if name in _ADDRESSES), None)
        verb, column = _verb(given.get(_METHOD)), event.column
    else:
        return
    texts = dict.fromkeys(_texts(seen, address))
    is_certain = event.external and verb != ANY_VERB and len(texts) == 1
    for text in texts:
        path = path_of_address(text)
        if path is not None and says_something(path):
            yield Request(event.line, column, event.enclosing, verb, path, is_certain)


def _verb_of_call(name: str) -> str | None:
    """Null for a call that makes no request."""
    if name in _VERBS:
        return _VERBS[name]
    return next((verb for begin, verb in _CHECKED.items() if name.startswith(begin)), None)


def _address_of_call(event: Event) -> Value | None:
    """What a call is given as the address; null where it makes no request, as far as is known."""
    if event.target is None:
        return event.arguments[0].value if event.arguments else None
    container = container_of(event.target)
    if event.external and container not in _CLIENTS and not container.startswith(_EXTENSIONS):
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
    return parse_id(named).name.upper() if named.startswith(_METHODS) else ANY_VERB


def _texts(seen: Seen, value: Value | None) -> Iterator[str]:
    """Those that an address may be."""
    if value is not None:
        for each in value.alternatives[:_MOST_ADDRESSES] or (value,):
            text = _text(seen, each)
            if text:
                yield text


def _text(seen: Seen, value: Value | None, depth: int = 0) -> str | None:
    """The text of an address; also of what makes one of another text that is known."""
    made_by = seen.origin(value)
    if made_by is None or made_by.target is None or depth > _MOST_CALLS:
        return address_text(value, seen.document)
    given = [each.value for each in made_by.arguments]
    if made_by.target == _URI:
        named = (each.value for each in made_by.arguments if each.parameter in _URI_TEXTS)
        return _text(seen, next(named, None), depth + 1)
    if made_by.target.startswith(_REPLACE) and given:
        text, replaced = _text(seen, made_by.receiver, depth + 1), text_of(given[0])
        return text.replace(replaced, f"{HOLE}}}") if text and replaced else None
    if made_by.target.startswith(_FORMAT) and given:
        text = text_of(given[0])
        return _PLACEHOLDER.sub(f"{HOLE}}}", text) if text is not None else None
    return address_text(value, seen.document)


def says_something(path: str) -> bool:
    """Whether a segment of a path is written, or the path is that of the root."""
    found = path_segments(path)
    return not found or any(HOLE not in each for each in found)


def path_of_address(address: str) -> str | None:
    """Null for an address of another site: a host with a dot, which no test server and no service of an application has. A host that is
    not known, and what an address begins with that is not, stay as a hole."""
    absolute = _ABSOLUTE.fullmatch(address)
    if absolute is None:
        return None if _OPAQUE.match(address) is not None else address
    rest, host = absolute["rest"], UNKNOWN.sub("", absolute["host"])
    name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
    if "." in name and name != _THIS_MACHINE:
        return None
    return rest if host == absolute["host"] else f"{HOLE}}}{rest}"
