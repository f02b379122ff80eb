"""The text of an address that code puts together, up to a query that is there or not: ``$"/orders/{(full ? "?full=1" : "")}"``."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from codemap_core.facts import text_with_holes
from codemap_core.model.bound import BoundDocument, TextPart, Value

_QUERY: Final = "?"
_BEHIND_PATH: Final = (_QUERY, "#")
_NOTHING: Final = TextPart("")


def address_text(value: Value | None, document: BoundDocument | None = None) -> str | None:
    """As ``text_with_holes`` gives it."""
    return text_with_holes(_before_query(value, document) if value is not None else None, document)


def _before_query(value: Value, document: BoundDocument | None) -> Value:
    for position, part in enumerate(value.parts):
        if part.hole is not None and _may_be_query(part.hole, document):
            return replace(value, parts=(*value.parts[:position], _NOTHING))
    return value


def _may_be_query(value: Value, document: BoundDocument | None) -> bool:
    """Whether it is a query or nothing, so that it cannot be a segment of a path."""
    texts = [text_with_holes(each, document) or "" for each in value.alternatives]
    is_query = any(each.startswith(_QUERY) for each in texts)
    return is_query and all(not each or each.startswith(_BEHIND_PATH) for each in texts)
