"""Texts that are put together from parts: strings that are concatenated or interpolated, with their holes."""

from __future__ import annotations

from typing import Final

from codemap_core.model.bound import BoundType, TextPart, TypeForm, Value
from codemap_plugins.csharp.binding import constants

STRING_ID: Final = "T:System.String"
TEXT: Final = BoundType(TypeForm.NAMED, "String", STRING_ID)
MAX_TEXT: Final = 1_000_000
_MAX_PARTS: Final = 1_000
"""Of a text: its characters, and the parts it is put together from. Locals that repeat each other double both with every line."""


def text_value(parts: tuple[TextPart, ...]) -> Value:
    """A text that the language does not fold; it is settled where only one value can be in each hole."""
    if len(parts) > _MAX_PARTS:
        return Value(type=TEXT)
    pieces = [part.text if part.text is not None else _settled_piece(part) for part in parts]
    whole = "".join(piece for piece in pieces if piece is not None)
    is_settled = None not in pieces and len(whole) <= MAX_TEXT
    return Value(type=TEXT, parts=parts, settled=constants.string(whole) if is_settled else None)


def _settled_piece(part: TextPart) -> str | None:
    hole = part.hole
    constant = (hole.constant or hole.settled) if hole is not None and not part.is_formatted else None
    if constant is None:
        return None
    if constant.type_id in constants.RANGES and isinstance(constant.value, int):
        return str(constant.value)
    return constants.text_of(constant)


def is_text(value: Value) -> bool:
    return bool(value.parts) or (value.type is not None and value.type.id == STRING_ID)


def parts_of(value: Value) -> tuple[TextPart, ...]:
    if value.parts:
        return value.parts
    text = constants.text_of(value.constant) if value.constant is not None else None
    return (TextPart(text),) if text is not None else (TextPart(hole=value),)


def joined_parts(parts: tuple[TextPart, ...]) -> tuple[TextPart, ...]:
    """Neighbouring texts as one."""
    joined: list[TextPart] = []
    for part in parts:
        if part.text is not None and joined and joined[-1].text is not None:
            joined[-1] = TextPart(joined[-1].text + part.text)
        else:
            joined.append(part)
    return tuple(joined)
