"""Generic methods of the repository that register their type arguments: what each call of one registers.

``static void AddRepository<T, TImpl>(this IServiceCollection services) => services.AddScoped<IRepository<T>, TImpl>();`` registers
``TImpl``; the call ``services.AddRepository<Order, Orders>()`` registers ``Orders``. A method that calls such a method with its own type
parameters is one too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from codemap_core.facts import display_type, fact
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import Confidence, FactKind, FactRow
from codemap_core.model.bound import NOWHERE, BoundType, Event, EventKind, TypeForm
from codemap_plugins.di_registration.extractor import INTERESTS, registrations
from codemap_plugins.di_registration.registration import Form, Registered, Registration, named

_TEMPLATE: Final = "template"
_CALL: Final = "call"
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


class WrappedFacts:
    """Facts that are beyond the calls which name their types."""

    name = "di_registration_wrappers"
    language = "csharp"
    interests = Interests(
        invocations=INTERESTS.invocations,
        creations=INTERESTS.creations,
        carried_types=("IServiceCollection", "*Builder"),
    )
    kinds: tuple[str, ...] = (FactKind.DI_REGISTRATION.value,)

    def extract(self, seen: Seen) -> Iterator[Note]:
        for each in registrations(seen):
            template = _template(each)
            if template is not None:
                data = {"method": each.event.enclosing, "template": to_builtins(template)}
                yield Note(_TEMPLATE, seen.file_path, each.event.line, data)
        for event in seen.events.values():
            if event.kind is EventKind.INVOCATION and not event.external and event.type_arguments and event.target:
                yield Note(_CALL, seen.file_path, event.line, _call(event, seen))

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow]:
        templates: dict[str, list[Template]] = {}
        for note in notes:
            if note.topic == _TEMPLATE:
                templates.setdefault(note.data["method"], []).append(convert(note.data["template"], Template))
        calls: dict[str, list[Note]] = {}
        for note in notes:
            if note.topic == _CALL:
                calls.setdefault(note.data["method"], []).append(note)
        fresh: Mapping[str, Sequence[Template]] = templates
        for _ in range(_ROUNDS):
            further: dict[str, list[Template]] = {}
            for method, registered in fresh.items():
                for note in calls.get(method, ()):  # few of all calls: only their types are decoded
                    types = convert(note.data["types"], tuple[BoundType, ...])
                    for template in registered:
                        closed = _closed(template, types)
                        if _is_open(closed.service) or _is_open(closed.implementation):
                            further.setdefault(note.data["owner"], []).append(closed)
                        else:
                            yield _row(note, closed)
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
    )


def _call(event: Event, seen: Seen) -> dict[str, Any]:
    row = fact(seen, event, FactKind.DI_REGISTRATION.value, "", {})
    return {
        "method": event.target,
        "types": to_builtins(event.type_arguments),
        "name": event.name,
        "owner": event.enclosing or "",
        "lines": [row.line_start, row.line_end],
    }


def _is_open(type_: BoundType) -> bool:
    is_parameter = type_.form is TypeForm.TYPE_PARAMETER and type_.ordinal != NOWHERE
    return is_parameter or any(_is_open(each) for each in type_.arguments)


def _closed(template: Template, types: Sequence[BoundType]) -> Template:
    return replace(
        template,
        service=_substituted(template.service, types),
        implementation=_substituted(template.implementation, types),
        key_type=_substituted(template.key_type, types) if template.key_type is not None else None,
    )


def _substituted(type_: BoundType, types: Sequence[BoundType]) -> BoundType:
    if type_.form is TypeForm.TYPE_PARAMETER:
        return types[type_.ordinal] if 0 <= type_.ordinal < len(types) else type_
    if not type_.arguments:
        return type_
    return replace(type_, arguments=tuple(_substituted(each, types) for each in type_.arguments))


def _row(note: Note, template: Template) -> FactRow:
    registered = Registered(
        service=named(template.service),
        implementation=named(template.implementation),
        is_hidden=template.is_hidden,
        lifetime=template.lifetime,
        form=template.form,
        method=note.data["name"],
        key=f"typeof({display_type(template.key_type)})" if template.key_type is not None else template.key,
        is_hosted=template.is_hosted,
        is_beyond=True,
    )
    line_start, line_end = note.data["lines"]
    return FactRow(
        kind=FactKind.DI_REGISTRATION.value,
        value=registered.value,
        detail={"at": note.line, **registered.detail},
        symbol_id=note.data["owner"] or None,
        file_path=note.file_path,
        line_start=line_start,
        line_end=line_end,
        confidence=Confidence.MEDIUM,
    )
