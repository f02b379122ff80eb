"""Calls that say when a job runs: of Quartz, by what they build, and of Hangfire, whose jobs are the calls in a lambda."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts import display_type, text_of, text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, Event, EventKind, Value
from codemap_core.model.documentation_id import container_of, parse_id

QUARTZ_CALLS: Final = ("AddJob", "AddTrigger", "ScheduleJob")
HANGFIRE_CALLS: Final = ("AddOrUpdate", "ContinueJobWith", "Enqueue", "Schedule")
HANGFIRE_JOB: Final = "FromExpression"
"""Makes a job of Hangfire that one of these calls is given."""
_HANGFIRE: Final = "M:Hangfire."
_QUARTZ: Final = "M:Quartz."
_INTERVAL: Final = "WithIntervalIn"


class Scheduled(Struct, frozen=True):
    """A job of Quartz: the type that runs, and when, where that is known."""

    event: Event
    type_: BoundType
    schedule: str | None


class HangfireJob(Struct, frozen=True):
    """``method_id`` and ``type_id`` are empty where the call in the lambda was not bound."""

    event: Event
    display: str
    type_id: str
    method_id: str
    schedule: str | None
    job_id: str | None


def scheduled(seen: Seen) -> Iterator[Scheduled]:
    """The jobs that a document gives to Quartz."""
    document = seen.document
    events = [each for each in seen.events.values() if each.name in QUARTZ_CALLS and _is_of(each, _QUARTZ, seen)]
    when = dict(pair for each in events if each.name == "AddTrigger" for pair in _triggers(each, document))
    for event in events:
        match event.name:
            case "AddJob":
                type_ = _type_of(event)
                if type_ is not None:
                    yield Scheduled(event, type_, when.get(_key(_inside(event, document), "WithIdentity")))
            case "ScheduleJob":
                yield from _with_its_trigger(event, document)


def _with_its_trigger(event: Event, document: BoundDocument) -> Iterator[Scheduled]:
    """``ScheduleJob<T>(trigger => …)``, or ``ScheduleJob(job, trigger)`` with what was built before."""
    type_ = _type_of(event)
    if type_ is not None:
        yield Scheduled(event, type_, _schedule(_inside(event, document), document))
        return
    built = [list(_chain(argument.value, document)) for argument in event.arguments]
    found = next((of for chain in built for link in chain if (of := _type_of(link)) is not None), None)
    if found is not None:
        yield Scheduled(event, found, next((when for chain in built if (when := _schedule(chain, document))), None))


def _triggers(event: Event, document: BoundDocument) -> Iterator[tuple[str, str]]:
    inside = _inside(event, document)
    key, schedule = _key(inside, "ForJob"), _schedule(inside, document)
    if key and schedule:
        yield key, schedule


def _type_of(event: Event) -> BoundType | None:
    """``AddJob<CleanUp>``, ``JobBuilder.Create<CleanUp>``, ``Create(typeof(CleanUp))``."""
    if event.type_arguments:
        return event.type_arguments[0]
    return next((each.value.type_operand for each in event.arguments if each.value.type_operand is not None), None)


def _key(events: list[Event], name: str) -> str:
    """What the first argument of a call says: a text, or the variable or member that holds the key."""
    for event in events:
        if event.name == name and event.arguments:
            value = event.arguments[0].value
            return text_of(value) or value.local or value.symbol_id
    return ""


def _schedule(events: list[Event], document: BoundDocument) -> str | None:
    for event in events:
        if event.name == "WithCronSchedule" and event.arguments:
            return text_with_holes(event.arguments[0].value, document)
    for event in events:
        if event.name == "WithSimpleSchedule":
            events = [*events, *_inside(event, document)]
    for event in events:
        number = event.arguments[0].value.constant if event.arguments else None
        if event.name.startswith(_INTERVAL) and number is not None:
            return f"every {number.value} {event.name.removeprefix(_INTERVAL).lower()}"
    return None


def _inside(event: Event, document: BoundDocument) -> list[Event]:
    """The events of the lambdas that a call is given."""
    regions = {each.value.region for each in event.arguments if each.value.region != NOWHERE}
    return [each for each in document.events if _is_within(each.region, regions, document)] if regions else []


def _is_within(region: int, outer: set[int], document: BoundDocument) -> bool:
    while region != NOWHERE:
        if region in outer:
            return True
        region = document.regions[region].parent
    return False


def _chain(value: Value | None, document: BoundDocument) -> Iterator[Event]:
    """What made a value, and what that was done to, from the last call to the first."""
    while value is not None and value.origin != NOWHERE:
        event = document.events[value.origin]
        yield event
        value = event.receiver


def hangfire_jobs(seen: Seen) -> Iterator[HangfireJob]:
    for event in seen.events.values():
        if event.name in HANGFIRE_CALLS:
            taking = _taking_lambda(event, seen)
            called = _called(taking, seen.document)
            if called is not None and (_is_of(event, _HANGFIRE, seen) or _is_shaped_as_job(event, taking, called)):
                yield _hangfire_job(event, taking, called, seen.document)


def _taking_lambda(event: Event, seen: Seen) -> Event:
    """The call itself, or that of ``Job.FromExpression(…)`` which it is given."""
    made = (seen.origin(each.value) for each in event.arguments)
    return next((each for each in made if each is not None and each.name == HANGFIRE_JOB), event)


def _is_shaped_as_job(event: Event, taking: Event, called: Event) -> bool:
    """``AddOrUpdate<CleanUp>("clean", job => job.Run(), …)``: where nothing is known of what it is called on, this is a job without a
    package that says so, as a project has it from another one that it references."""
    on, job = event.receiver, called.receiver
    is_unknown = event.target is None and taking.target is None and (on is None or on.type is None or not on.type.id)
    lambdas = {each.value.region for each in taking.arguments if each.value.region != NOWHERE}
    is_of_parameter = job is not None and job.parameter == 0 and job.region in lambdas
    return is_unknown and len(taking.type_arguments) == 1 and is_of_parameter


def _hangfire_job(event: Event, taking: Event, called: Event, document: BoundDocument) -> HangfireJob:
    type_ = taking.type_arguments[0] if taking.type_arguments else None
    if called.target is not None:
        type_id = container_of(called.target)
        owner = parse_id(type_id).name
    else:
        type_id = type_.id if type_ is not None else ""
        owner = display_type(type_) if type_ is not None else ""
    by_name = {each.parameter: each.value for each in event.arguments}
    texts = [text for each in event.arguments if (text := text_of(each.value)) is not None]
    job_id = text_of(by_name.get("recurringJobId")) or (texts[0] if event.name == "AddOrUpdate" and texts else None)
    return HangfireJob(
        event,
        f"{owner}.{called.name}" if owner else called.name,
        type_id,
        called.target or "",
        _cron(event, document),
        job_id,
    )


def _called(event: Event, document: BoundDocument) -> Event | None:
    """The call that a lambda consists of."""
    regions = {each.value.region for each in event.arguments if each.value.region != NOWHERE}
    for each in document.events:
        if each.kind is EventKind.RETURN and each.region in regions:
            origin = each.arguments[0].value.origin
            return document.events[origin] if origin != NOWHERE else None
    return None


def _cron(event: Event, document: BoundDocument) -> str | None:
    """Of a recurring job: a cron expression, or ``Cron.Daily``."""
    if event.name != "AddOrUpdate":
        return None
    texts = []
    for each in event.arguments:
        value = each.value
        made = document.events[value.origin] if value.origin != NOWHERE else None
        if made is not None and (made.target or "").startswith("M:Hangfire.Cron."):
            return f"Cron.{made.name}"
        if value.symbol_id.startswith("M:Hangfire.Cron."):
            return f"Cron.{parse_id(value.symbol_id).name}"
        if each.parameter == "cronExpression":
            return text_with_holes(value, document)
        text = text_of(value)
        if text is not None:
            texts.append(text)
    return texts[-1] if len(texts) > 1 else None


def _is_of(event: Event, namespace: str, seen: Seen) -> bool:
    """Declared by a library; where a call was not bound, the project names it and nothing is known of what it is called on."""
    if event.target is not None:
        return event.target.startswith(namespace)
    library = namespace.removeprefix("M:").removesuffix(".")
    names_it = seen.project is not None and any(
        each.id.lower().startswith(library.lower()) for each in seen.project.packages
    )
    receiver = event.receiver.type if event.receiver is not None else None
    return names_it and (receiver is None or not receiver.id)
