"""What a throw throws, in which context, and whether that happens later.

A value's exception is its static type, which for a choice is the type that all of its values convert to (ECMA-334 §12.18). ``throw;``
throws what the nearest catch clause caught (§13.10.6).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence
from codemap_core.model.bound import (
    EVERYTHING,
    NOWHERE,
    BoundType,
    Event,
    EventKind,
    RegionKind,
    TypeForm,
    Value,
)
from codemap_core.model.fact import DOCUMENTED as _DOCUMENTED
from codemap_plugins.exception.caught import EXCEPTION_TYPE

_TASKS: Final = frozenset({"T:System.Threading.Tasks.Task`1", "T:System.Threading.Tasks.ValueTask`1"})


class Context(StrEnum):
    """How it is thrown."""

    NEW = "throw new"
    EXPRESSION = "throw expression"
    GUARD = "throw new (nameof guard)"
    """It is created with the name of a parameter or member."""
    RETHROW = "re-throw"
    FACTORY = "throw factory"
    VALUE = "throw value"
    HELPER = "throw helper"
    DOCUMENTED = _DOCUMENTED
    """A documentation comment says so."""


class Thrown(Struct, frozen=True):
    """``source``: the event whose lines the fact spans."""

    type: BoundType
    context: Context
    source: Event
    guessed: Confidence | None = None
    """Where the type is not what the compiler would say of the thrown expression."""

    @property
    def confidence(self) -> Confidence:
        if self.guessed is not None:
            return self.guessed
        return Confidence.HIGH if self.type.form is not TypeForm.UNRESOLVED else Confidence.LOW


def thrown_by(seen: Seen, event: Event) -> Thrown | None:
    """What a throw throws; null for null, and where its type is not known at all."""
    if not event.arguments:
        return Thrown(_caught_around(seen, event), Context.RETHROW, event)
    value = event.arguments[0].value
    if value.constant is not None and value.type is None:
        return None
    made = seen.origin(value) if not value.local else None
    if made is not None and made.kind is EventKind.CREATION and made.name != "with":
        type_ = made.type
        if type_ is None:
            return None
        if any(each.value.is_nameof and not each.value.local for each in made.arguments):
            context = Context.GUARD
        else:
            context = Context.EXPRESSION if event.in_expression else Context.NEW
        return Thrown(type_, context, made)
    static = _static_type(seen, value)
    if static is None:
        begun = _fluently_created(seen, made)
        return Thrown(begun, Context.FACTORY, event, Confidence.LOW) if begun is not None else None
    is_call = made is not None and made.kind is EventKind.INVOCATION
    if is_call and static.id in _TASKS and static.arguments:
        static = static.arguments[0]
    return Thrown(static, Context.FACTORY if is_call else Context.VALUE, event)


def _fluently_created(seen: Seen, made: Event | None) -> BoundType | None:
    """Of calls that were not found, one on the result of the other, what the first of them is called on if that is created there:
    ``throw new Lost(id).WithData("id", id)`` most likely throws what it creates."""
    while made is not None and made.kind is EventKind.INVOCATION and made.target is None and made.receiver is not None:
        if made.receiver.local:
            return None
        made = seen.origin(made.receiver)
    return made.type if made is not None and made.kind is EventKind.CREATION else None


def is_deferred(seen: Seen, event: Event) -> bool:
    """Whether it stands in a lambda: thrown when that runs, and to whom runs it."""
    regions = seen.document.regions
    at = event.region
    while at != NOWHERE:
        if regions[at].kind is RegionKind.LAMBDA:
            return True
        at = regions[at].parent
    return False


def _caught_around(seen: Seen, event: Event) -> BoundType:
    regions = seen.document.regions
    at = event.region
    while at != NOWHERE:
        region = regions[at]
        if region.kind is RegionKind.CATCH:
            caught = region.caught[0] if region.caught else EVERYTHING
            return caught if caught != EVERYTHING else EXCEPTION_TYPE
        at = region.parent
    return EXCEPTION_TYPE


def _static_type(seen: Seen, value: Value) -> BoundType | None:
    if value.type is not None:
        return value.type
    if value.constant is not None or not value.alternatives:
        return None
    types = []
    for each in value.alternatives:
        if each.constant is None:
            type_ = _static_type(seen, each)
            if type_ is None:
                return None
            types.append(type_)
    for candidate in types:
        if all(each == candidate or candidate.id in seen.bases_of(each.id) for each in types):
            return candidate
    return EXCEPTION_TYPE if types else None
