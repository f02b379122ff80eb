"""Policies of Polly 7 and 8, resilience handlers of HTTP clients, retries of Entity Framework and of Hangfire's jobs, time-outs of Flurl's
requests, and loops that retry by hand, as facts: ``description|framework``.

A method counts when its declaring type is one of the library's. One that was not found counts, with low confidence, where its name is the
library's alone or it is called on a type of the library's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from codemap_core.facts import fact
from codemap_core.hooks.extractors import Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactKindInfo, FactRow
from codemap_core.model.bound import BoundType, Event, TypeForm
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.retry_policy import job_retries
from codemap_plugins.retry_policy.loops import WAITS, retry_loops
from codemap_plugins.retry_policy.methods import HANDLING, METHODS, PACKAGES, UNMISTAKABLE, Method, Sort

RETRY_POLICY: Final = FactKindInfo(
    name=FactKind.RETRY_POLICY,
    title="Retries and other resilience",
    value="description|framework",
    detail={
        "at": "line of the method's name or of the attribute; of a loop written by hand, of the loop",
        "method": "the method, or the attribute",
        "framework": "Polly, Resilience, EntityFramework, Hangfire, Flurl or HandWritten",
        "count": "the integer that is written as the first argument, whatever it means; of Hangfire's attribute the attempts",
        "catches": "of a loop written by hand, the exceptions after which it waits and goes on",
        "beyond": "true for Hangfire, Flurl and loops written by hand",
    },
)
_POLLY: Final = "T:Polly."
_FLURL: Final = "T:Flurl."


class RetryPolicies:
    name = "retry_policy"
    language = "csharp"
    interests = Interests(invocations=(*METHODS, *WAITS), attributes=job_retries.ATTRIBUTES)
    kinds: tuple[str, ...] = (FactKind.RETRY_POLICY.value,)

    def extract(self, seen: Seen) -> Iterator[FactRow]:
        for event in seen.events.values():
            method = METHODS.get(event.name)
            if method is not None and _is_policy(seen, event, method):
                yield _row(seen, event, method)
        yield from job_retries.job_retries(seen)
        yield from retry_loops(seen)


def _is_policy(seen: Seen, event: Event, method: Method) -> bool:
    if event.target is None:
        return _looks_like_policy(seen, event, method)
    container = container_of(event.target)
    match method.sort:
        case Sort.POLICY:
            return container.startswith(_POLLY) and _is_of_polly(event.type) and not _is_forwarded(event, container)
        case Sort.PIPELINE_BUILDER:
            return container.startswith(_POLLY)
        case Sort.REQUEST:
            return container.startswith(_FLURL)
    return event.external


def _looks_like_policy(seen: Seen, event: Event, method: Method) -> bool:
    """Of a method that was not found. Names that nothing else has count wherever what they are called on is not known either; strategies of
    Polly 8, whose names others have too, in projects that name its packages; the other ones behind the calls that say what a policy
    handles: ``HttpPolicyExtensions.HandleTransientHttpError().RetryAsync(3)``."""
    if method.sort in (Sort.HTTP_HANDLER, Sort.DATABASE):
        return True
    if method.sort is Sort.REQUEST:
        return False
    receiver = event.receiver.type if event.receiver is not None else None
    if event.receiver_type_id.startswith(_POLLY) or _is_of_polly(receiver):
        return True
    is_unknown = event.receiver is not None and (receiver is None or receiver.form is TypeForm.UNRESOLVED)
    if not is_unknown:
        return False
    if method.sort is Sort.PIPELINE_BUILDER:
        return _has_polly(seen)
    return event.name in UNMISTAKABLE or _handles(seen, event)


def _has_polly(seen: Seen) -> bool:
    packages = seen.project.packages if seen.project is not None else ()
    return any(each.id.lower().startswith(PACKAGES) for each in packages)


def _handles(seen: Seen, event: Event) -> bool:
    current = seen.origin(event.receiver)
    while current is not None:
        if current.name in HANDLING:
            return True
        current = seen.origin(current.receiver)
    return False


def _is_of_polly(type_: BoundType | None) -> bool:
    return type_ is not None and type_.id.startswith(_POLLY)


def _is_forwarded(event: Event, container: str) -> bool:
    """An overload of Polly's own calls another one: that makes no policy of its own."""
    caller = event.enclosing or ""
    return caller.startswith("M:Polly.") and parse_id(caller).name == event.name and container_of(caller) == container


def _row(seen: Seen, event: Event, method: Method) -> FactRow:
    count = _count(event) if method.has_count else None
    shown = f"({count})" if count is not None and method.shows_count else ""
    detail: dict[str, Any] = {
        "method": event.name,
        "framework": method.framework,
        "count": count,
        "beyond": method.is_beyond,
    }
    confidence = Confidence.LOW if event.target is None else None
    value = f"{method.description}{shown}|{method.framework}"
    return fact(seen, event, FactKind.RETRY_POLICY, value, detail, confidence=confidence)


def _count(event: Event) -> int | None:
    """The first argument where it is written as an integer: a name of a constant is none."""
    if not event.arguments:
        return None
    value = event.arguments[0].value
    constant = value.constant
    if constant is None or value.symbol_id or value.local or constant.type_id != "T:System.Int32":
        return None
    return constant.value if isinstance(constant.value, int) and constant.value >= 0 else None
