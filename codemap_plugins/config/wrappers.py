"""Methods of the repository's own that are handed a configuration and a key: what their callers read through them.

static string Required(this IConfiguration settings, string name) => settings[name] ?? throw …;    // {?name}|IConfiguration indexer
settings.GetSection("Mail").Required("Host");                                                      // Mail:Host|Required
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import Beginning, Trail, Trails
from codemap_core.facts.texts import text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind, Value
from codemap_plugins.config.reads import STRING, type_id_of

Parameters = tuple[tuple[str, int], ...]
"""Names of parameters with their ordinals."""
CALL: Final = "call"
"""The topic of notes on calls that hand over a configuration and a text."""


class CallNote(Struct, frozen=True, array_like=True):
    """A call of ``method``. ``texts`` and ``given``: what it hands to parameters, by ordinal; a text is null where it is not known."""

    method: str
    name: str
    file_path: str
    line: int
    line_start: int
    line_end: int
    owner: str | None
    texts: tuple[tuple[int, str | None], ...]
    given: tuple[tuple[int, tuple[Trail, ...]], ...]


def call_notes(seen: Seen, trails: Trails) -> Iterator[Note]:
    """Calls of a document that may read through a method of the repository's own."""
    for event in seen.events.values():
        if event.kind is not EventKind.INVOCATION or event.external or event.target is None:
            continue
        texts = tuple(
            (each.ordinal, text_of(each.value))
            for each in event.arguments
            if each.ordinal != NOWHERE and type_id_of(each.value) == STRING
        )
        given = tuple((ordinal, trails.of(value, event.enclosing)) for ordinal, value in _given(event, trails))
        if texts and given:
            data = CallNote(
                event.target,
                event.name,
                seen.file_path,
                event.line,
                event.line_start or event.line,
                event.line_end or event.line,
                event.enclosing,
                texts,
                given,
            )
            yield Note(CALL, seen.file_path, event.line, note_data(data))


def _given(event: Event, trails: Trails) -> Iterator[tuple[int, Value]]:
    if event.is_extension and event.receiver is not None and trails.is_carried(event.receiver):
        yield 0, event.receiver
    for each in event.arguments:
        if each.ordinal != NOWHERE and trails.is_carried(each.value):
            yield each.ordinal, each.value


def parameters_in(value: Value | None) -> Parameters:
    """The parameters of the enclosing member that a text is put together from."""
    if value is None:
        return ()
    holes = [part.hole for part in value.parts if part.hole is not None] if value.parts else [value]
    return tuple(
        (hole.local, hole.parameter)
        for hole in holes
        if hole.local and hole.parameter != NOWHERE and hole.region == NOWHERE and not hole.constructor
    )


class Calls:
    """The calls of all documents."""

    def __init__(self, notes: Iterable[Note]) -> None:
        self._of: Final[dict[str, dict[CallNote, None]]] = {}
        for note in notes:
            if note.topic == CALL:
                data = read_note_data(note.data, CallNote)
                self._of.setdefault(data.method, {})[data] = None

    def reading(self, method: str | None, key: str, parameters: Parameters) -> Iterator[tuple[CallNote, str]]:
        """The calls of a method that fill the parameters in a key which it reads, each with the key."""
        for call in self._of.get(method or "", ()):
            texts = _texts(call, parameters)
            if texts and None not in texts.values():
                filled = key
                for name, text in texts.items():
                    filled = filled.replace(f"{{?{name}}}", text or "")
                yield call, filled

    def all_fill(self, method: str | None, parameters: Parameters) -> bool:
        """A method has calls, and none hands a text that is not known to one of the parameters."""
        calls = self._of.get(method or "", {})
        return bool(calls) and bool(parameters) and not any(None in _texts(each, parameters).values() for each in calls)


def _texts(call: CallNote, parameters: Parameters) -> dict[str, str | None]:
    texts = dict(call.texts)
    return {name: texts.get(ordinal) for name, ordinal in parameters}


def through(call: CallNote, trails: Iterable[Trail]) -> tuple[Trail, ...]:
    """Where a method reads from, as one call of it has it."""
    given = dict(call.given)
    found: list[Trail] = []
    for trail in trails:
        if trail.beginning is Beginning.PARAMETER and trail.symbol == call.method and trail.ordinal in given:
            found += (replace(each, added=(*each.added, *trail.added)) for each in given[trail.ordinal])
        else:
            found.append(trail)
    return tuple(found)
