"""Calls that log and methods that ``[LoggerMessage]`` generates, as facts: ``template|Level``.

A call belongs to the library whose type declares its method. Where no overload was found, the type it is called on tells; a logger of the
repository's own that copies the methods of ``ILogger`` is taken at its word (confidence medium).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from codemap_core.facts import fact, text_of, text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactKindInfo, FactRow
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, Event, EventKind, TypeForm, Value
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.log.event_ids import held_numbers, integer, number_of, numbered, unnumbered
from codemap_plugins.log.frameworks import (
    BY_DECLARING_TYPE,
    FRAMEWORKS,
    METHODS,
    MICROSOFT,
    UNKNOWN_LEVEL,
    Framework,
)

LOG: Final = FactKindInfo(
    name=FactKind.LOG,
    title="Log messages",
    value="template|Level",
    detail={
        "at": "line of the method's name or of the attribute",
        "template": "the message template",
        "level": "Trace, Debug, Information, Warning, Error, Critical, or Unknown",
        "framework": "Microsoft.Extensions.Logging, Serilog or NLog",
        "event_id": "number of the event",
        "interpolated": "the template is an interpolated string, as its source has it",
        "beyond": "true for loggers of the repository's own",
    },
)
_ATTRIBUTE: Final = "T:Microsoft.Extensions.Logging.LoggerMessageAttribute"
_EVENT_ID: Final = "eventId"
_LEVELS: Final = frozenset({"level", "logLevel"})
_STATE: Final = "state"
"""The parameter of ``ILogger.Log<TState>`` that its formatter makes a text of."""


class LogCalls:
    name = "log"
    language = "csharp"
    interests = Interests(invocations=METHODS, creations=("EventId",), attributes=("LoggerMessage",))
    kinds: tuple[str, ...] = (FactKind.LOG.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        for declaration in seen.declarations:
            for attribute in declaration.attributes:
                if attribute.type.id == _ATTRIBUTE:
                    yield _generated(seen, declaration, attribute)
        for event in seen.events.values():
            if event.kind is EventKind.CREATION:
                yield from held_numbers(seen, event)
                continue
            row = _call(seen, event)
            if row is None:
                continue
            member = _member_with_id(event) if "event_id" not in row.detail else ""
            yield row if not member else unnumbered(row, member, event.line)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        yield from numbered(notes)


def _call(seen: Seen, event: Event) -> FactRow | None:
    if event.target is not None:
        container = container_of(event.target)
        framework = BY_DECLARING_TYPE.get(container)
        confidence = event.confidence
        if framework is None and container in MICROSOFT.loggers and event.name in MICROSOFT.levelled:
            framework = MICROSOFT
        if framework is None and _is_own_logger(event, container):
            return _own_call(seen, event)
    else:
        framework, confidence = _framework_of_receiver(event), Confidence.LOW
    if framework is None or not (event.name in framework.levels or event.name in framework.levelled):
        return None
    template = _template(event, framework)
    if template is None:
        return None
    level = framework.levels.get(event.name) or _level(event, framework)
    return _row(seen, event, framework, template, level, _event_id(seen, event), confidence=confidence)


def _own_call(seen: Seen, event: Event) -> FactRow | None:
    """Of a logger of the repository's own: the first text is the template."""
    template = next((each.value for each in event.arguments if _is_text(each.value)), None)
    if template is None:
        return None
    level = MICROSOFT.levels[event.name]
    number = _event_id(seen, event)
    return _row(seen, event, MICROSOFT, template, level, number, confidence=Confidence.MEDIUM, is_beyond=True)


def _is_own_logger(event: Event, container: str) -> bool:
    """A type of the repository's own whose methods are named like those of ``ILogger``."""
    return (
        not event.external
        and event.receiver is not None
        and event.name in MICROSOFT.levels
        and "Logger" in parse_id(container).name
    )


def _framework_of_receiver(event: Event) -> Framework | None:
    """Of a call whose overload was not found: by the type it is called on; a type that was not found either is told by its name where
    the method is one of ``ILogger``'s."""
    type_ = event.receiver.type if event.receiver is not None else None
    type_id = type_.id if type_ is not None else event.receiver_type_id
    for framework in FRAMEWORKS:
        if type_id and (type_id in framework.loggers or type_id in framework.declaring):
            return framework
    if event.receiver is None or event.name not in MICROSOFT.levels:
        return None
    is_unknown = type_ is None or type_.form is TypeForm.UNRESOLVED
    return MICROSOFT if is_unknown else None


def _template(event: Event, framework: Framework) -> Value | None:
    """The argument for the template; of an overload that was not found, the first text."""
    for argument in event.arguments:
        if argument.parameter in framework.templates:
            return argument.value
    if event.target is not None:
        return next((each.value for each in event.arguments if each.parameter == _STATE), None)
    return next((each.value for each in event.arguments if _is_text(each.value)), None)


def _is_text(value: Value) -> bool:
    return text_of(value) is not None or bool(value.parts)


def _level(event: Event, framework: Framework) -> str:
    """The level that an argument says; where no overload was found, the first argument."""
    given = next((each.value for each in event.arguments if each.parameter in _LEVELS), None)
    if given is None and event.target is None and event.arguments:
        given = event.arguments[0].value
    return _level_name(given, framework) if given is not None else UNKNOWN_LEVEL


def _level_name(value: Value, framework: Framework) -> str:
    constant = value.constant or value.settled
    key = constant.value if constant is not None else value.symbol_id
    if not isinstance(key, (int, str)):
        return UNKNOWN_LEVEL
    return framework.level_names.get(key, UNKNOWN_LEVEL)


def _event_id(seen: Seen, event: Event) -> int | None:
    argument = next((each for each in event.arguments if each.parameter == _EVENT_ID), None)
    return number_of(seen, argument.value) if argument is not None else None


def _member_with_id(event: Event) -> str:
    """The field or property whose value is the event's id."""
    return next((each.value.symbol_id for each in event.arguments if each.parameter == _EVENT_ID), "")


def _generated(seen: Seen, declaration: BoundDeclaration, attribute: BoundAttribute) -> FactRow:
    """Of a method whose body a source generator writes."""
    given = {each.parameter.lower(): each.value for each in (*attribute.arguments, *attribute.named_arguments)}
    level = given.get("level")
    number = given.get("eventid")
    return _row(
        seen,
        declaration,
        MICROSOFT,
        given.get("message"),
        _level_name(level, MICROSOFT) if level is not None else UNKNOWN_LEVEL,
        integer(number) if number is not None else None,
        at=attribute.line,
    )


def _row(
    seen: Seen,
    source: Event | BoundDeclaration,
    framework: Framework,
    template: Value | None,
    level: str,
    event_id: int | None,
    *,
    at: int = 0,
    confidence: Confidence | None = None,
    is_beyond: bool = False,
) -> FactRow:
    """A null template is the empty one, which ``[LoggerMessage]`` has unless it says another."""
    is_interpolated = template is not None and bool(template.written)
    known = template.written if template is not None and is_interpolated else text_of(template) if template else ""
    detail: dict[str, Any] = {
        "template": known,
        "level": level,
        "framework": framework.name,
        "event_id": event_id,
        "interpolated": is_interpolated,
        "beyond": is_beyond,
    }
    text = known if known is not None else text_with_holes(template, seen.document)
    if known is None and confidence in (None, Confidence.HIGH):
        confidence = Confidence.MEDIUM
    return fact(seen, source, FactKind.LOG, f"{text or ''}|{level}", detail, at=at, confidence=confidence)
