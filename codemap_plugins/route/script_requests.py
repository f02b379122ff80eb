"""Requests that TypeScript makes: ``this.http.get(`/orders/${id}`)``, ``fetch("/orders", { method: "POST" })``.

The notes are those of ``requests``. Which object is asked is not known, as libraries have no source here: a call is taken for a request by
its name, where it is given an address, which has a slash in it or stands behind one. What is handed a function is a server's or a mock's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from codemap_core.facts import column_of_link, text_of, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE
from codemap_core.model.bound import Event, TypeForm, Value
from codemap_plugins.route.address_texts import address_text
from codemap_plugins.route.addresses import ANY_VERB
from codemap_plugins.route.requests import Request, made_notes, path_of_address, says_something

LANGUAGE: Final = "typescript"
_VERBS: Final = ("get", "post", "put", "patch", "delete", "head")
_FETCHES: Final = ("*fetch", "*Fetch", "fetch*", "axios", "ajax", "*Request", "*request")
SCRIPT_CALLS: Final = (*_VERBS, *_FETCHES)
_METHOD: Final = ("method", "type")
_URL: Final = ("url", "uri", "path")
_BASE: Final = ("baseURL", "baseUrl", "prefixUrl")
_PLACEHOLDER: Final = re.compile(r"\{\w+\}")
"""In the text of a generated client, whose value is put in afterwards."""


def script_request_notes(seen: Seen) -> Iterator[Note]:
    yield from made_notes(seen, (each for event in seen.events.values() for each in _requests(event)))


def _requests(event: Event) -> Iterator[Request]:
    given = [each.value for each in event.arguments]
    if not given or any(_is_function(each) for each in given):
        return
    if event.name in _VERBS:
        verb, address = event.name.upper(), given[0]
    else:
        verb, address = _asked(given)
    base = _member(event.receiver, _BASE) if event.receiver is not None else None
    for each in address.alternatives or (address,):
        text = address_text(each)
        path = _path(text, text_with_holes(base) if base is not None else None) if text else None
        if path is not None and says_something(path):
            yield Request(event.line, column_of_link(event), event.enclosing, verb, path, False)


def _asked(given: list[Value]) -> tuple[str, Value]:
    """Of ``fetch(address, options)``, ``request(verb, address)`` and ``request(options)`` the verb, empty where it is not known, and the
    address."""
    first = text_of(given[0])
    if first is not None and first.lower() in _VERBS and len(given) > 1:
        return first.upper(), given[1]
    options = given[1] if len(given) > 1 else given[0]
    address = _member(given[0], _URL) or given[0]
    method = _member(options, _METHOD)
    if method is None:
        is_known = len(given) == 1 or bool(options.members)
        return ("GET" if is_known else ANY_VERB), address
    return (text_of(method) or ANY_VERB).upper(), address


def _member(value: Value, names: tuple[str, ...]) -> Value | None:
    held: Mapping[str, Value] = dict(value.members)
    return next((held[name] for name in names if name in held), None)


def _is_function(value: Value) -> bool:
    return value.type is not None and value.type.form is TypeForm.NAMED


def _path(text: str, base: str | None) -> str | None:
    """Null for what is not an address, or is one of another site."""
    if base is not None and "//" not in text:
        text = f"{base.rstrip('/')}/{text.lstrip('/')}"
    if "/" not in text:
        return None
    return path_of_address(_PLACEHOLDER.sub(f"{HOLE}}}", text))
