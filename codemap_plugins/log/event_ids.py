"""Numbers of log events: of an ``EventId`` that is made where the event is logged, or once in a member of any file.

static readonly EventId Full = new(3, nameof(Full));        // in one file
logger.LogWarning(Events.Full, "Shelf {Shelf} is full");    // in another: event 3
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from codemap_core.facts import note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import FactRow
from codemap_core.model.bound import NOWHERE, Event, EventKind, Value

_TYPE: Final = "T:Microsoft.Extensions.Logging.EventId"
_NUMBER: Final = "number"
"""The topic of notes on members that hold an id: member, number."""
_ROW: Final = "row"
"""The topic of notes on rows whose number a member holds: member, row."""


def number_of(seen: Seen, value: Value) -> int | None:
    """Of an ``EventId``: a number that converts to one, or what one is created with."""
    created = seen.origin(value)
    if created is not None and created.kind is EventKind.CREATION and created.target == _TYPE:
        return _created_with(created)
    return integer(value)


def integer(value: Value) -> int | None:
    constant = value.constant or value.settled
    if constant is None or isinstance(constant.value, bool) or not isinstance(constant.value, int):
        return None
    return constant.value


def _created_with(event: Event) -> int | None:
    given = next((each.value for each in event.arguments if each.parameter == "id"), None)
    return integer(given) if given is not None else None


def held_numbers(seen: Seen, event: Event) -> Iterator[Note]:
    """The number of an id that is created for a field or property."""
    number = _created_with(event) if event.target == _TYPE else None
    if number is not None and event.enclosing and event.enclosing[:2] in ("F:", "P:") and event.region == NOWHERE:
        yield Note(_NUMBER, seen.file_path, event.line, [event.enclosing, number])


def unnumbered(row: FactRow, member: str, line: int) -> Note:
    """A row whose number ``member`` may hold."""
    return Note(_ROW, row.file_path, line, [member, note_data(row)])


def numbered(notes: Sequence[Note]) -> Iterator[FactRow]:
    """The rows that were left, with their numbers where one member holds one."""
    numbers: dict[str, set[int]] = {}
    for note in notes:
        if note.topic == _NUMBER:
            member, number = note.data
            numbers.setdefault(member, set()).add(number)
    for note in notes:
        if note.topic == _ROW:
            member, data = note.data
            row = read_note_data(data, FactRow)
            held = numbers.get(member, set())
            detail: dict[str, Any] = (
                {**row.detail, "event_id": next(iter(held))} if len(held) == 1 else dict(row.detail)
            )
            yield replace(row, detail=detail)
