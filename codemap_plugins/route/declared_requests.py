"""Requests that methods of interfaces declare, whose bodies Refit or RestEase make: ``[Get("/orders/{id}")] Task<Order> Find(int id);``.

The notes are those of ``requests``. Where the package is not at hand, its attributes are known by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.facts import text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE, SymbolKind
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, TypeForm
from codemap_plugins.route.requests import Request, made_notes, path_of_address, says_something

_VERBS: Final = {each.title(): each for each in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")}
REQUEST_ATTRIBUTES: Final = tuple(_VERBS)
_PACKAGES: Final = ("T:Refit.", "T:RestEase.")
_PARAMETER: Final = re.compile(r"\{[^{}?]*\}")


def declared_request_notes(seen: Seen) -> Iterator[Note]:
    methods = (each for each in seen.declarations if each.kind is SymbolKind.METHOD)
    yield from made_notes(seen, (request for method in methods for request in _requests(method)))


def _requests(declaration: BoundDeclaration) -> Iterator[Request]:
    for attribute in declaration.attributes:
        verb = _verb(attribute)
        text = text_with_holes(attribute.arguments[0].value) if verb and attribute.arguments else None
        path = path_of_address(_PARAMETER.sub(f"{HOLE}}}", text)) if text else None
        if path is not None and says_something(path):
            is_certain = attribute.type.form is TypeForm.NAMED
            yield Request(attribute.line, 1, declaration.symbol_id, verb, path, is_certain)


def _verb(attribute: BoundAttribute) -> str:
    """Empty for other attributes."""
    type_ = attribute.type
    if type_.form is not TypeForm.UNRESOLVED and not type_.id.startswith(_PACKAGES):
        return ""
    return _VERBS.get(type_.name.removesuffix("Attribute"), "")
