"""One registration, and the rows that it gives: ``IClock → UtcClock|Scoped``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.facts import column_of_link, display_type, fact, text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model import Confidence, FactKind, FactKindInfo, FactRow, ReferenceRow, RefKind, ResolutionState
from codemap_core.model.bound import NOWHERE, BoundDocument, BoundType, Event, TypeForm, Value

REGISTERS: Final = "registers"
"""The role of a link from the registering member to what it registers."""
SINGLETON: Final = "Singleton"
SCOPED: Final = "Scoped"
TRANSIENT: Final = "Transient"
LIFETIMES: Final = (SINGLETON, SCOPED, TRANSIENT)
"""As ``ServiceLifetime`` numbers them."""
_UNNAMED: Final = "{?}"
"""A type that neither its name nor an expression tells."""

DI_REGISTRATION: Final = FactKindInfo(
    name=FactKind.DI_REGISTRATION.value,
    title="Registrations",
    value="Service → Implementation|Lifetime",
    detail={
        "at": "line of the registering call's name",
        "service": "type that is asked for",
        "implementation": "type that answers; of a factory the type that all its returns share, else the service",
        "lifetime": "Singleton, Scoped or Transient",
        "method": "the registering call; of a descriptor what it is passed to",
        "form": "type, factory, instance or decorator",
        "key": "of keyed and named registrations",
        "service_id": "symbol id of the service's definition",
        "implementation_id": "symbol id of the implementation's definition",
        "beyond": "true for what is found by scanning and the like",
    },
)


class Form(StrEnum):
    """How an implementation is given."""

    TYPE = "type"
    FACTORY = "factory"
    INSTANCE = "instance"
    DECORATOR = "decorator"


class Named(Struct, frozen=True):
    """A type as rows name it. ``id``: of its definition; empty for what has none, such as a type parameter."""

    display: str
    id: str = ""
    is_certain: bool = True
    """The type was found, or is a type parameter."""
    type: BoundType | None = None


def named(type_: BoundType) -> Named:
    is_found = type_.form not in (TypeForm.UNRESOLVED, TypeForm.DYNAMIC)
    return Named(display_type(type_) or _UNNAMED, type_.id, is_found, type_)


def named_by(value: Value, document: BoundDocument) -> Named:
    """The type that a value of type ``System.Type`` means; with a hole where only running the program tells."""
    if value.type_operand is not None:
        return named(value.type_operand)
    return Named(text_with_holes(value, document) or _UNNAMED, is_certain=False)


class Place(Struct, frozen=True, array_like=True):
    """Where rows about a call stand. ``owner``: id of the symbol around it. ``line``, ``column``: of what follows its name, 1-based;
    ``line_start``, ``line_end``: of the whole call."""

    file_path: str
    owner: str | None
    line: int
    column: int
    line_start: int
    line_end: int


class Registered(Struct, frozen=True, kw_only=True):
    """What is registered, wherever it is said."""

    service: Named
    implementation: Named
    is_hidden: bool = False
    """The implementation is what a factory makes, and not written beside the service."""
    lifetime: str
    form: Form = Form.TYPE
    method: str = ""
    key: str | None = None
    is_hosted: bool = False
    is_beyond: bool = False
    """Found otherwise than by the calls that the contract lists."""

    @property
    def value(self) -> str:
        shown = "factory" if self.is_hidden else self.implementation.display
        hosted = "|HostedService" if self.is_hosted else ""
        return f"{self.service.display} → {shown}|{self.lifetime}{hosted}"

    @property
    def detail(self) -> dict[str, str | bool]:
        """Without the line."""
        said: dict[str, str | bool | None] = {
            "service": self.service.display,
            "implementation": self.implementation.display,
            "lifetime": self.lifetime,
            "method": self.method or None,
            "form": self.form.value,
            "key": self.key,
            "service_id": self.service.id or None,
            "implementation_id": self.implementation.id or None,
            "beyond": self.is_beyond or None,
        }
        return {key: value for key, value in said.items() if value is not None}

    def fact_at(self, place: Place, confidence: Confidence) -> FactRow:
        return FactRow(
            kind=FactKind.DI_REGISTRATION.value,
            value=self.value,
            detail={"at": place.line, **self.detail},
            symbol_id=place.owner,
            file_path=place.file_path,
            line_start=place.line_start,
            line_end=place.line_end,
            confidence=confidence,
        )

    def link_at(self, place: Place, confidence: Confidence) -> ReferenceRow | None:
        """Null where the implementation is not known: a factory that may give any type answers with the service."""
        implementation = self.implementation
        if not implementation.id or not implementation.is_certain:
            return None
        if self.is_hidden and implementation.id == self.service.id:
            return None
        return ReferenceRow(
            kind=RefKind.LINK,
            role=REGISTERS,
            from_symbol=place.owner,
            to_symbol=implementation.id,
            to_name=implementation.display,
            to_container_hint=self.service.display,
            file_path=place.file_path,
            line=place.line,
            column=place.column,
            line_end=place.line,
            resolution_state=ResolutionState.RESOLVED,
            confidence=confidence,
        )


class Registration(Registered, frozen=True, kw_only=True):
    """``event``: the registering call, at whose name the row stands. ``whole``: the event that spans the row, where that is another."""

    event: Event
    whole: Event | None = None
    key_type: BoundType | None = None
    """Where the key is ``typeof(T)``, the type."""
    lifetime_from: int = NOWHERE
    """Ordinal of the parameter of the member around the call that says the lifetime."""

    @property
    def confidence(self) -> Confidence:
        is_settled = self.lifetime in LIFETIMES or self.form is Form.DECORATOR
        is_certain = self.service.is_certain and self.implementation.is_certain and is_settled
        return self.event.confidence if is_certain else Confidence.LOW


def fact_of(registration: Registration, seen: Seen) -> FactRow:
    event = registration.event
    return fact(
        seen,
        registration.whole or event,
        FactKind.DI_REGISTRATION.value,
        registration.value,
        registration.detail,
        owner=event.enclosing,
        at=event.line,
        confidence=registration.confidence,
    )


def place_of(event: Event, seen: Seen) -> Place:
    row = fact(seen, event, FactKind.DI_REGISTRATION.value, "", {})
    return Place(seen.file_path, row.symbol_id, event.line, column_of_link(event), row.line_start, row.line_end)


def rows_of(found: Iterable[tuple[Registered, Place]], confidence: Confidence) -> Iterator[FactRow | ReferenceRow]:
    """Facts and links of what is found otherwise than by reading one call: at one place each service with what answers once, and one link
    to what is registered, under however many services."""
    given: set[tuple[Place, str]] = set()
    linked: set[tuple[Place, str]] = set()
    for registered, place in found:
        if (place, registered.value) not in given:
            given.add((place, registered.value))
            yield registered.fact_at(place, confidence)
        link = registered.link_at(place, confidence)
        if link is not None and (place, registered.implementation.id) not in linked:
            linked.add((place, registered.implementation.id))
            yield link
