"""The two extractors. What is handled by an inherited method, and when jobs of Quartz run, is concluded from all documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import column_of_link, display_type, fact, link, note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactRow, ReferenceRow
from codemap_core.model.bound import BoundDeclaration
from codemap_core.model.reference import SCHEDULES, SENDS
from codemap_plugins.handler import frameworks, functions, jobs, schedules, sends
from codemap_plugins.handler.frameworks import HANDLE_DERIVED
from codemap_plugins.handler.handlings import METHODS, Handling, handlings, members_by_type
from codemap_plugins.handler.kinds import HANDLER, JOB

_ENDINGS: Final = ("Handler", "Consumer")
_INTERESTS: Final = Interests(
    base_types=(*frameworks.BASES, frameworks.STATE_MACHINE, *jobs.BASES, *frameworks.OWN_BASES),
    type_endings=_ENDINGS,
    members=True,
    invocations=(*schedules.QUARTZ_CALLS, *schedules.HANGFIRE_CALLS, schedules.HANGFIRE_JOB),
)
_INHERITED: Final = "inherited"
_BASE: Final = "base"
_JOB: Final = "job"
_WHEN: Final = "when"
_HANDLED: Final = "handled"
_SENT: Final = "sent"


class HandlerFacts:
    name = "handler"
    language = "csharp"
    interests = replace(_INTERESTS, attributes=functions.ATTRIBUTES)
    kinds: tuple[str, ...] = (HANDLER.name, JOB.name)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        for handling in handlings(seen):
            row = _handler_fact(handling, seen)
            yield row if handling.method is not None else _inherited(row, seen)
        yield from _bases(seen)
        for job in jobs.jobs(seen):
            row = _job_fact(job, seen)
            yield _kept(_JOB, row) if job.framework == jobs.QUARTZ else row
        for each in schedules.scheduled(seen):
            if each.schedule:
                yield Note(_WHEN, seen.file_path, each.event.line, {"type": each.type_.id, "schedule": each.schedule})
        for found in schedules.hangfire_jobs(seen):
            yield _hangfire_fact(found, seen)
        yield from functions.function_facts(seen)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        bases = {note.data["type"]: note.data["method"] for note in notes if note.topic == _BASE}
        when: dict[str, str] = {}
        for note in notes:
            if note.topic == _WHEN:
                when.setdefault(note.data["type"], note.data["schedule"])
        for note in notes:
            if note.topic == _INHERITED:
                row, method = _row(note), _first(bases, note.data["bases"])
                yield replace(row, symbol_id=method) if method else row
            elif note.topic == _JOB:
                row = _row(note)
                schedule = when.get(row.detail["type_id"])
                yield row if schedule is None else replace(row, detail={**row.detail, "schedule": schedule})


class MessageLinks:
    """Links to handlers from the calls that send what they handle, and to the jobs that Quartz runs from where they are scheduled."""

    name = "handler_links"
    language = "csharp"
    interests = Interests(
        base_types=_INTERESTS.base_types,
        type_endings=_ENDINGS,
        members=True,
        invocations=(*sends.CALLS, *schedules.QUARTZ_CALLS),
    )
    roles: tuple[str, ...] = (SENDS, SCHEDULES)

    def extract(self, seen: Seen) -> Iterator[Note]:
        for handling in handlings(seen):
            own = handling.method.symbol_id if handling.method is not None else ""
            data = {
                "message": sends.key_of(handling.message),
                "method": own,
                "type": handling.type_.symbol_id,
                "bases": [] if own else list(seen.bases_of(handling.type_.symbol_id)),
                "certain": handling.confidence is Confidence.HIGH,
                "framework": handling.framework,
                "constraints": [sends.key_of(each) for each in handling.constraints],
            }
            yield Note(_HANDLED, seen.file_path, handling.type_.line_start, data)
        yield from _bases(seen)
        for job in jobs.jobs(seen):
            if job.framework == jobs.QUARTZ:
                runs = job.method.symbol_id if job.method is not None else job.type_.symbol_id
                yield Note(_JOB, seen.file_path, job.type_.line_start, {"type": job.type_.symbol_id, "method": runs})
        for each in schedules.scheduled(seen):
            place = {"from": each.event.enclosing, "column": column_of_link(each.event), "types": [each.type_.id]}
            yield Note(_WHEN, seen.file_path, each.event.line, place)
        for event in seen.events.values():
            if event.name in schedules.QUARTZ_CALLS or not sends.may_send(event):
                continue
            framework = sends.framework_of(event)
            sure = Confidence.HIGH if framework is not None else Confidence.MEDIUM
            for types, confidence in (
                (sends.sent_types(event), sure),
                (sends.likely_types(event, seen), Confidence.LOW),
            ):
                if types:
                    place = {
                        "from": event.enclosing,
                        "column": column_of_link(event),
                        "types": [sends.key_of(each) for each in types],
                        "bases": sends.bases_of(types, seen),
                        "framework": framework.name if framework is not None else "",
                        "confidence": confidence,
                    }
                    yield Note(_SENT, seen.file_path, event.line, place)

    def conclude(self, notes: Sequence[Note]) -> Iterator[ReferenceRow]:
        bases = {note.data["type"]: note.data["method"] for note in notes if note.topic == _BASE}
        handlers: dict[str, list[_Handler]] = {}
        open_handlers: list[_Handler] = []
        running: dict[str, str] = {}
        for note in notes:
            data = note.data
            if note.topic == _HANDLED:
                method = data["method"] or _first(bases, data["bases"]) or data["type"]
                handler = _Handler(method, data["framework"], data["certain"], frozenset(data["constraints"]))
                if handler.constraints:
                    open_handlers.append(handler)
                handlers.setdefault(data["message"], []).append(handler)
            elif note.topic == _JOB:
                running[data["type"]] = data["method"]
        for note in notes:
            if note.topic == _SENT:
                yield from _sent(note, handlers, open_handlers)
            elif note.topic == _WHEN:
                for type_id in note.data["types"]:
                    if type_id in running:
                        yield _link(note, SCHEDULES, running[type_id], Confidence.HIGH)


class _Handler(Struct, frozen=True):
    """``is_certain``: that ``method`` handles a message for the framework. ``constraints``: keys of the types that messages of every type
    derive from if it handles them."""

    method: str
    framework: str
    is_certain: bool
    constraints: frozenset[str]


def _sent(
    note: Note, handlers: Mapping[str, Sequence[_Handler]], open_handlers: Sequence[_Handler]
) -> Iterator[ReferenceRow]:
    """The links of one call: to what handles the types that it sends, to what handles their bases where the framework hands it every
    message that derives from them, and to what handles every type with such bases. A call that is known to be of another framework sends
    these none."""
    sent, framework = Confidence(note.data["confidence"]), note.data["framework"]
    unsure = Confidence.MEDIUM if sent is Confidence.HIGH else sent
    linked: set[str] = set()
    for message in note.data["types"]:
        for each in handlers.get(message, ()):
            linked.add(each.method)
            yield _link(note, SENDS, each.method, sent if each.is_certain else unsure)
    unsure = Confidence.MEDIUM if sent is Confidence.HIGH else Confidence.LOW
    for base in note.data["bases"]:
        for each in handlers.get(base, ()):
            is_handed = each.framework in HANDLE_DERIVED and framework in ("", each.framework)
            if is_handed and each.method not in linked:
                linked.add(each.method)
                yield _link(note, SENDS, each.method, unsure)
    satisfied = {*note.data["types"], *note.data["bases"]}
    for each in open_handlers:
        if framework in ("", each.framework) and each.constraints <= satisfied:
            yield _link(note, SENDS, each.method, Confidence.LOW)


def _handler_fact(handling: Handling, seen: Seen) -> FactRow:
    type_, method = handling.type_, handling.method
    message = display_type(handling.message)
    response = handling.response
    detail = {
        "request": message,
        "handler": type_.name,
        "framework": handling.framework,
        "request_id": handling.message.id or None,
        "handler_id": type_.symbol_id,
        "response_id": response.id or None if response is not None else None,
    }
    value = f"{message} → {type_.name}|{handling.framework}"
    return fact(seen, method or type_, HANDLER.name, value, detail, confidence=handling.confidence)


def _job_fact(job: jobs.Job, seen: Seen) -> FactRow:
    detail = {
        "framework": job.framework,
        "type_id": job.type_.symbol_id,
        "method_id": job.method.symbol_id if job.method is not None else None,
    }
    value = f"{job.type_.name}|{job.framework}"
    return fact(seen, job.method or job.type_, JOB.name, value, detail, confidence=job.confidence)


def _hangfire_fact(job: schedules.HangfireJob, seen: Seen) -> FactRow:
    detail = {
        "framework": jobs.HANGFIRE,
        "type_id": job.type_id or None,
        "method_id": job.method_id or None,
        "schedule": job.schedule,
        "call": job.event.name,
        "job_id": job.job_id,
    }
    return fact(seen, job.event, JOB.name, f"{job.display}|{jobs.HANGFIRE}", detail)


def _bases(seen: Seen) -> Iterator[Note]:
    """The handling methods of abstract types, which others inherit."""
    members: Mapping[str, Sequence[BoundDeclaration]] | None = None
    for each in seen.declarations:
        if "abstract" in each.modifiers and each.symbol_id.startswith("T:"):
            members = members_by_type(seen) if members is None else members
            own = members.get(each.symbol_id, ())
            method = next((method for method in own if method.name in METHODS), None)
            if method is not None:
                yield Note(_BASE, seen.file_path, each.line_start, {"type": each.symbol_id, "method": method.symbol_id})


def _inherited(row: FactRow, seen: Seen) -> Note:
    note = _kept(_INHERITED, row)
    note.data["bases"] = list(seen.bases_of(row.detail["handler_id"]))
    return note


def _kept(topic: str, row: FactRow) -> Note:
    """A row that is not finished."""
    return Note(topic, row.file_path, row.line_start, {"row": note_data(row)})


def _row(note: Note) -> FactRow:
    return read_note_data(note.data["row"], FactRow)


def _first(found: Mapping[str, str], types: Iterable[str]) -> str:
    return next((found[each] for each in types if each in found), "")


def _link(note: Note, role: str, to_symbol: str, confidence: Confidence) -> ReferenceRow:
    return link(role, note.data["from"], to_symbol, note.file_path, note.line, note.data["column"], confidence)
