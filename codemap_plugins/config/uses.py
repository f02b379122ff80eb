"""Uses of keys: what each document reads, left as notes, because the section that it reads from may have been handed to it by another.

void Add(IConfiguration configuration) => Load(configuration.GetSection("Mail"));      // Mail|GetSection
string Load(IConfigurationSection section) => section["Host"];                         // Mail:Host|IConfiguration indexer
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.carried import Journey, Journeys, Trail, Trails
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import HOLE, Confidence
from codemap_core.model.bound import Event
from codemap_plugins.config.bindings import binding_notes
from codemap_plugins.config.reads import (
    BEYOND,
    INDEXERS,
    SECTION_TYPE,
    SECTIONS,
    TYPES,
    Pattern,
    Read,
    becomes,
    read_of,
    written,
)
from codemap_plugins.config.wrappers import Calls, Parameters, call_notes, parameters_in, through

USE: Final = "use"
"""The topic of notes on reads."""


class UseNote(Struct, frozen=True, array_like=True):
    """A read. ``key``: what it adds to the sections that ``trails`` lead to; the whole key where there are none."""

    file_path: str
    line: int
    line_start: int
    line_end: int
    owner: str | None
    pattern: Pattern
    key: str
    trails: tuple[Trail, ...] = ()
    is_write: bool = False
    confidence: Confidence = Confidence.HIGH
    is_beyond: bool = False
    """No rule of the contract covers it."""
    parameters: Parameters = ()
    """Those of ``owner`` that the key is put together from."""


class Use(Struct, frozen=True):
    """A read with its whole key, which may have holes. ``method``: of a read through a method of the repository's own, that method;
    ``is_settled``: a key with holes, which all callers of such a method fill."""

    note: UseNote
    key: str
    method: str = ""
    is_settled: bool = False

    @property
    def is_known(self) -> bool:
        return is_known(self.key)


def is_known(key: str) -> bool:
    return HOLE not in key


def use_notes(seen: Seen) -> Iterator[Note]:
    """What one document reads, binds, and hands on to others that read."""
    if not seen.events:
        return
    reads = {number: read for number, event in seen.events.items() if (read := read_of(seen, event)) is not None}
    sections = {number for number, read in reads.items() if read.pattern in SECTIONS}

    def adds(event: Event) -> tuple[str, ...] | None:
        read = read_of(seen, event)
        return (read.key,) if read is not None and read.pattern in SECTIONS else None

    trails = Trails(seen, TYPES, adds)
    taken = becomes(seen, sections, reads.__contains__) if sections else {}
    assigned = written(seen) if reads else frozenset()
    for number, read in reads.items():
        pattern = taken.get(number, read.pattern)
        if pattern is not None:
            is_write = pattern in INDEXERS and (read.event.line, read.event.column) in assigned
            data = _note(seen, read, pattern, trails, is_write)
            yield Note(USE, seen.file_path, read.event.line, note_data(data))
    yield from binding_notes(seen, trails)
    yield from call_notes(seen, trails)
    yield from trails.notes()


def _note(seen: Seen, read: Read, pattern: Pattern, trails: Trails, is_write: bool) -> UseNote:
    event = read.event
    confidence = event.confidence if read.is_bound else Confidence.LOW
    return UseNote(
        seen.file_path,
        event.line,
        event.line_start or event.line,
        event.line_end or event.line,
        event.enclosing,
        pattern,
        read.key,
        trails.of(read.subject, event.enclosing) if read.subject is not None else (),
        is_write,
        confidence,
        read.pattern in BEYOND,
        parameters_in(read.written),
    )


def whole_keys(key: str, trails: Iterable[Trail], journeys: Journeys) -> tuple[str, ...]:
    """A key under each section that it can be read from; one of several configurations that nothing is known of is a whole one too."""
    ways = dict.fromkeys(way for trail in trails for way in journeys.of(replace(trail, is_alternative=False)))
    return tuple(dict.fromkeys(_under(way, key) for way in ways)) or (key,)


def _under(way: Journey, key: str) -> str:
    """A value that began as a section stands under something that is not known; any other configuration is the whole."""
    outer = (f"{{?{way.name}}}",) if way.type == SECTION_TYPE else ()
    return ":".join((*outer, *way.added, *((key,) if key else ())))


def uses_of(notes: Iterable[Note], journeys: Journeys) -> tuple[Use, ...]:
    """The uses in all documents, those through methods of the repository's own included."""
    every = list(notes)
    calls = Calls(every)
    found: dict[Use, None] = {}
    for note in every:
        if note.topic == USE:
            use = read_note_data(note.data, UseNote)
            is_settled = calls.all_fill(use.owner, use.parameters)
            for key in whole_keys(use.key, use.trails, journeys):
                found[Use(use, key, is_settled=is_settled)] = None
            found.update((each, None) for each in _through_calls(use, calls, journeys))
    return tuple(found)


def _through_calls(use: UseNote, calls: Calls, journeys: Journeys) -> Iterator[Use]:
    for call, key in calls.reading(use.owner, use.key, use.parameters):
        place = replace(
            use,
            file_path=call.file_path,
            line=call.line,
            line_start=call.line_start,
            line_end=call.line_end,
            owner=call.owner,
            is_beyond=True,
        )
        for whole in whole_keys(key, through(call, use.trails), journeys):
            yield Use(place, whole, method=call.name)
