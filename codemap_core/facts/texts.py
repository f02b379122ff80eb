"""The text that a bound value holds: folded constants, values that only one constant can have, and texts put together from them.

A text is whole or it is none: ``text_of`` is null as soon as one piece is not known, for which ``text_with_holes`` writes ``{?name}``.
"""

from __future__ import annotations

from codemap_core.model.bound import NOWHERE, BoundDocument, Constant, Value
from codemap_core.model.documentation_id import parse_id
from codemap_core.model.special_types import INTEGER_IDS, TEXT_ID


def text_of(value: Value | None) -> str | None:
    """The one text that a value can hold. Null for what is not a text, for null, and for a text that is not known as a whole."""
    constant = _constant(value)
    if constant is not None:
        return constant.value if constant.type_id == TEXT_ID and isinstance(constant.value, str) else None
    if value is None or not value.parts:
        return None
    pieces = [
        part.text if part.text is not None else None if part.is_formatted else _piece(part.hole) for part in value.parts
    ]
    return "".join(piece for piece in pieces if piece is not None) if None not in pieces else None


def text_with_holes(value: Value | None, document: BoundDocument | None = None) -> str | None:
    """The text of a value, with ``{?name}`` for each piece that is not known: the name of a local, a parameter or a member, and of a
    call with ``()``, which ``document`` tells. Null where there is no value, and for null."""
    if value is None:
        return None
    constant = _constant(value)
    return None if constant is not None and constant.value is None else _with_holes(value, document)


def _with_holes(value: Value | None, document: BoundDocument | None) -> str:
    constant = _constant(value)
    if constant is not None:
        known = _text(constant)
        return known if known is not None else _hole(value, document)
    if value is None or not value.parts:
        return _hole(value, document)
    return "".join(
        part.text
        if part.text is not None
        else _hole(part.hole, document)
        if part.is_formatted
        else _with_holes(part.hole, document)
        for part in value.parts
    )


def _constant(value: Value | None) -> Constant | None:
    return (value.constant or value.settled) if value is not None else None


def _piece(hole: Value | None) -> str | None:
    """What a value adds to a text: nothing for null, digits for a whole number, as in every culture for those that are not negative."""
    constant = _constant(hole)
    return _text(constant) if constant is not None else text_of(hole)


def _text(constant: Constant) -> str | None:
    value = constant.value
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "True" if value else "False"
    return str(value) if constant.type_id in INTEGER_IDS else None


def _hole(value: Value | None, document: BoundDocument | None) -> str:
    return f"{{?{_name(value, document)}}}"


def _name(value: Value | None, document: BoundDocument | None) -> str:
    if value is None:
        return ""
    if value.local or value.unbound_name:
        return value.local or value.unbound_name
    if value.symbol_id:
        return parse_id(value.symbol_id).name
    if value.origin != NOWHERE and document is not None:
        made_by = document.events[value.origin]
        return f"{made_by.name}()"
    return ""
