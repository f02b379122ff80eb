"""Generic methods of the repository that register their type arguments: what each call of one registers.

``static void AddRepository<T, TImpl>(this IServiceCollection services) => services.AddScoped<IRepository<T>, TImpl>();`` registers
``TImpl``; the call ``services.AddRepository<Order, Orders>()`` registers ``Orders``. A method that calls such a method with its own type
parameters is one too.

Most generic calls of a repository are of methods that register nothing. So that concluding costs what it finds, the calls of one method in
a document are noted together, as a text that is read where the method turns out to register something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.facts import column_of_link, display_type, note_data, read_note_data
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactRow, ReferenceRow
from codemap_core.model.bound import NOWHERE, BoundType, Event, EventKind, TypeForm, Value
from codemap_plugins.di_registration.containers import RECEIVERS
from codemap_plugins.di_registration.extractor import INTERESTS, registrations
from codemap_plugins.di_registration.registration import (
    REGISTERS,
    Form,
    Place,
    Registered,
    Registration,
    named,
    rows_of,
)
from codemap_plugins.di_registration.services import known_lifetime

_LIFETIME: Final = "T:Microsoft.Extensions.DependencyInjection.ServiceLifetime"
_TEMPLATE: Final = "template"
_CALLS: Final = "calls"
_NOTED_TOGETHER: Final = 500
"""Calls of one method in one note, which may only be so long."""
_ROUNDS: Final = 4
"""How many methods that call each other are followed."""


class Template(Struct, frozen=True):
    """What a generic method registers, in terms of its type parameters."""

    service: BoundType
    implementation: BoundType
    is_hidden: bool
    lifetime: str
    form: Form
    key: str | None
    key_type: BoundType | None
    is_hosted: bool
    lifetime_from: int
    """Ordinal of the parameter that says the lifetime; ``NOWHERE`` for none."""


class Call(Struct, frozen=True, array_like=True):
    """A call of a generic method."""

    name: str
    types: tuple[BoundType, ...]
    owner: str
    """Id of the symbol that it stands in; empty for none."""
    line: int
    column: int
    """Behind the name, 1-based."""
    line_start: int
    line_end: int
    lifetimes: tuple[tuple[int, str], ...] = ()
    """What is handed to parameters, by their ordinals, where it is a lifetime that is constant."""


class WrappedRegistrations:
    """Registrations that are beyond the calls which name their types."""

    name = "di_registration_wrappers"
    language = "csharp"
    interests = Interests(
        invocations=INTERESTS.invocations,
        creations=INTERESTS.creations,
        carried_types=("IServiceCollection", "*Builder", *RECEIVERS),
    )
    kinds: tuple[str, ...] = (FactKind.DI_REGISTRATION.value,)
    roles: tuple[str, ...] = (REGISTERS,)

    def extract(self, seen: Seen) -> Iterator[Note]:
        for each in registrations(seen):
            template = _template(each)
            if template is not None:
                data = {"method": each.event.enclosing, "template": note_data(template)}
                yield Note(_TEMPLATE, seen.file_path, each.event.line, data)
        calls: dict[str, list[Call]] = {}
        for event in seen.events.values():
            # What a call on a type that was not found means is not sure enough.
            if event.kind is not EventKind.INVOCATION or event.external or event.confidence is Confidence.LOW:
                continue
            if event.type_arguments and event.target:
                calls.setdefault(event.target, []).append(_call(event))
        for method, found in calls.items():
            for first in range(0, len(found), _NOTED_TOGETHER):
                some = found[first : first + _NOTED_TOGETHER]
                data = {"method": method, "calls": note_data(some)}
                yield Note(_CALLS, seen.file_path, some[0].line, data)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow | ReferenceRow]:
        return rows_of(_registered(notes), Confidence.MEDIUM)


def _registered(notes: Sequence[Note]) -> Iterator[tuple[Registered, Place]]:
    templates: dict[str, list[Template]] = {}
    for note in notes:
        if note.topic == _TEMPLATE:
            templates.setdefault(note.data["method"], []).append(read_note_data(note.data["template"], Template))
    calls: dict[str, list[Note]] = {}
    for note in notes:
        if note.topic == _CALLS:
            calls.setdefault(note.data["method"], []).append(note)
    fresh: Mapping[str, Sequence[Template]] = templates
    for _ in range(_ROUNDS):
        further: dict[str, list[Template]] = {}
        for method, of_method in fresh.items():
            for note in calls.get(method, ()):
                for call in read_note_data(note.data["calls"], tuple[Call, ...]):
                    for template in of_method:
                        closed = _closed(template, call)
                        if _is_open(closed.service) or _is_open(closed.implementation):
                            further.setdefault(call.owner, []).append(closed)
                        else:
                            yield _by_call(call, closed), _place(call, note.file_path)
        fresh = further


def _template(registration: Registration) -> Template | None:
    """Null for what names no type parameter of the method that it stands in."""
    service, implementation = registration.service.type, registration.implementation.type
    if service is None or implementation is None or registration.event.enclosing is None:
        return None
    if not _is_open(service) and not _is_open(implementation):
        return None
    return Template(
        service,
        implementation,
        registration.is_hidden,
        registration.lifetime,
        registration.form,
        registration.key,
        registration.key_type,
        registration.is_hosted,
        registration.lifetime_from,
    )


def _call(event: Event) -> Call:
    owner = event.enclosing or ""
    column = column_of_link(event)
    lifetimes = tuple(
        (each.ordinal, known_lifetime(each.value)) for each in event.arguments if _is_lifetime(each.value)
    )
    return Call(
        event.name, event.type_arguments, owner, event.line, column, event.line_start, event.line_end, lifetimes
    )


def _is_lifetime(value: Value) -> bool:
    return value.constant is not None and value.constant.type_id == _LIFETIME


def _is_open(type_: BoundType) -> bool:
    is_parameter = type_.form is TypeForm.TYPE_PARAMETER and type_.ordinal != NOWHERE
    return is_parameter or any(_is_open(each) for each in type_.arguments)


def _closed(template: Template, call: Call) -> Template:
    """What a call registers; a lifetime that it does not say stays open."""
    lifetime = dict(call.lifetimes).get(template.lifetime_from)
    return replace(
        template,
        service=_substituted(template.service, call.types),
        implementation=_substituted(template.implementation, call.types),
        key_type=_substituted(template.key_type, call.types) if template.key_type is not None else None,
        lifetime=lifetime or template.lifetime,
        lifetime_from=NOWHERE,
    )


def _substituted(type_: BoundType, types: Sequence[BoundType]) -> BoundType:
    if type_.form is TypeForm.TYPE_PARAMETER:
        return types[type_.ordinal] if 0 <= type_.ordinal < len(types) else type_
    if not type_.arguments:
        return type_
    return replace(type_, arguments=tuple(_substituted(each, types) for each in type_.arguments))


def _by_call(call: Call, template: Template) -> Registered:
    return Registered(
        service=named(template.service),
        implementation=named(template.implementation),
        is_hidden=template.is_hidden,
        lifetime=template.lifetime,
        form=template.form,
        method=call.name,
        key=f"typeof({display_type(template.key_type)})" if template.key_type is not None else template.key,
        is_hosted=template.is_hosted,
        is_beyond=True,
    )


def _place(call: Call, file_path: str) -> Place:
    return Place(file_path, call.owner or None, call.line, call.column, call.line_start, call.line_end)
