"""The SQL that a bound value holds: as far as it is known, with holes for the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from codemap_core.facts import text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import BoundType, Event, EventKind, Value
from codemap_plugins.db_table.sql_tables import is_statement

_PLACE: Final = re.compile(r"\{(\d{1,3})(?:[,:][^{}]*)?\}")
_FORMAT: Final = "M:System.String.Format("
_CONCAT: Final = "M:System.String.Concat("
_TRIMMED: Final = (
    "M:System.String.Trim(",
    "M:System.String.TrimStart(",
    "M:System.String.TrimEnd(",
    "M:System.String.ToString",
)
_DEEPEST: Final = 8


def sql_texts(seen: Seen, value: Value) -> tuple[str, ...]:
    """Every text that a value may hold, with ``{?name}`` for what is not known; none where nothing of it is. Of what a method makes of a
    statement, the statement."""
    return tuple(dict.fromkeys(_texts(seen, value, 0)))


def _texts(seen: Seen, value: Value, depth: int) -> Iterator[str]:
    for each in value.alternatives or (value,):
        text = _text(seen, each, depth)
        if text is not None:
            yield text
        elif depth < _DEEPEST:
            yield from _handed_over(seen, each, depth)


def _handed_over(seen: Seen, value: Value, depth: int) -> Iterator[str]:
    """Statements that the method which made a text was given: ``Paged(sql)``, ``sql.Replace(a, b)``."""
    made_by = seen.origin(value)
    if made_by is None or made_by.kind is not EventKind.INVOCATION or not _is_text(made_by.type):
        return
    given = [each.value for each in made_by.arguments]
    for each in given if made_by.receiver is None else (made_by.receiver, *given):
        if _is_text(each.type):
            yield from (text for text in _texts(seen, each, depth + 1) if is_statement(text))


def _is_text(type_: BoundType | None) -> bool:
    return type_ is not None and type_.id == "T:System.String"


def _text(seen: Seen, value: Value, depth: int) -> str | None:
    """``string.Format`` and ``string.Concat`` are carried out."""
    made_by = seen.origin(value)
    if made_by is not None and made_by.target is not None and depth < _DEEPEST:
        if made_by.target.startswith(_FORMAT):
            return _formatted(seen, made_by, depth)
        if made_by.target.startswith(_CONCAT):
            return "".join(_piece(seen, each.value, depth) for each in made_by.arguments)
        if made_by.target.startswith(_TRIMMED) and made_by.receiver is not None:
            return _text(seen, made_by.receiver, depth + 1)
    is_known = value.constant is not None or value.settled is not None or bool(value.parts)
    return text_with_holes(value, seen.document) if is_known else None


def _piece(seen: Seen, value: Value, depth: int) -> str:
    text = _text(seen, value, depth + 1)
    return text if text is not None else text_with_holes(value, seen.document) or ""


def _formatted(seen: Seen, event: Event, depth: int) -> str | None:
    texts = [each for each in event.arguments if each.parameter == "format"]
    if not texts:
        return None
    template = _text(seen, texts[0].value, depth + 1)
    if template is None:
        return None
    values = [each.value for each in event.arguments if each.parameter not in ("format", "provider")]
    if len(values) == 1 and values[0].elements:
        values = list(values[0].elements)

    def put_in(match: re.Match[str]) -> str:
        number = int(match[1])
        return _piece(seen, values[number], depth) if number < len(values) else match[0]

    return _PLACE.sub(put_in, template)
