"""Functions of Azure that something else than a request triggers: messages of queues, topics and hubs, timers, and the steps of durable
functions. Those that HTTP triggers are routes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from codemap_core.facts import fact, text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactRow, SymbolKind
from codemap_core.model.bound import BoundAttribute, BoundDeclaration
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.handler.kinds import HANDLER, JOB

ATTRIBUTES: Final = ("Function", "FunctionName")
"""Of methods that are functions."""
_FRAMEWORK: Final = "AzureFunctions"
_TRIGGER: Final = "Trigger"
_HTTP: Final = "HttpTrigger"
_TIMER: Final = "TimerTrigger"
_STEPS: Final = ("ActivityTrigger", "EntityTrigger", "OrchestrationTrigger")
"""Of durable functions, which are called by their names."""


def function_facts(seen: Seen) -> Iterator[FactRow]:
    for method in seen.declarations:
        if method.kind is SymbolKind.METHOD:
            function = next((each for each in method.attributes if _name(each) in ATTRIBUTES), None)
            trigger = _trigger_of(method) if function is not None else None
            if function is not None and trigger is not None:
                yield _fact(seen, method, function, trigger)


def _trigger_of(method: BoundDeclaration) -> BoundAttribute | None:
    triggers = (each for parameter in method.parameters for each in parameter.attributes)
    return next((each for each in triggers if _name(each).endswith(_TRIGGER) and _name(each) != _HTTP), None)


def _fact(seen: Seen, method: BoundDeclaration, function: BoundAttribute, trigger: BoundAttribute) -> FactRow:
    parts = parse_id(method.symbol_id).parts
    handler = ".".join(part.name for part in parts[-2:])
    texts = _texts(seen, trigger)
    name = next(iter(_texts(seen, function)), method.name)
    detail: dict[str, Any] = {"framework": _FRAMEWORK}
    if _name(trigger) == _TIMER:
        detail |= {"method_id": method.symbol_id, "schedule": next(iter(texts), None), "job_id": name}
        return fact(seen, method, JOB.name, f"{handler}|{_FRAMEWORK}", detail, confidence=Confidence.MEDIUM)
    said = name if _name(trigger) in _STEPS else "/".join(texts) or name
    detail |= {"request": said, "handler": handler, "handler_id": method.symbol_id}
    return fact(seen, method, HANDLER.name, f"{said} → {handler}|{_FRAMEWORK}", detail, confidence=Confidence.MEDIUM)


def _texts(seen: Seen, attribute: BoundAttribute) -> list[str]:
    """Positional arguments: the queue; the topic and the subscription."""
    found = (text_with_holes(each.value, seen.document) for each in attribute.arguments)
    return [text for text in found if text]


def _name(attribute: BoundAttribute) -> str:
    return attribute.type.name.removesuffix("Attribute")
