"""Endpoints of FastEndpoints, and the groups they are in.

``Configure`` of an endpoint, or attributes of it, say verbs and routes. A group says in its constructor what goes before the routes of the
endpoints that name it; a group in another one goes behind that. The prefix of an application goes before all of it. As other files say
these, routes are concluded from notes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model import Confidence, FactRow
from codemap_core.model.bound import BoundAttribute, BoundDeclaration, BoundType, Event, EventKind, TypeForm
from codemap_core.model.documentation_id import container_of, parse_id
from codemap_plugins.aspnet.attribute_classes import AttributeClasses, uses
from codemap_plugins.aspnet.guards import GUARDS, demands_of
from codemap_plugins.route.fast_guards import (
    VERBS,
    Guards,
    guard_for,
    guards_of_attributes,
    guards_said,
    values,
    verb_of,
)
from codemap_plugins.route.fast_prefixes import Prefixes, Standing, override_of, standing_of
from codemap_plugins.route.route_rows import Place, Source, route_row
from codemap_plugins.route.templates import combined

CONFIGURE: Final = "Configure"
"""Where an endpoint says its routes, and what a group calls to say their prefix."""
GROUP_BASES: Final = ("Group", "SubGroup")
_FAST_ENDPOINTS: Final = "T:FastEndpoints."
_FAST_VERBS: Final = {verb.title(): verb for verb in VERBS}
_FAST_ATTRIBUTES: Final = {f"Http{name}": verb for name, verb in _FAST_VERBS.items()}
"""Attributes of an endpoint that say its routes in place of ``Configure``."""
_VERBS: Final = "Verbs"
_ROUTES: Final = "Routes"
_GROUP: Final = "Group"
_HANDLERS: Final = ("HandleAsync", "ExecuteAsync")
_CONSTRUCTOR: Final = "#ctor"
_ENDPOINT: Final = "fast endpoint"
_GROUP_NOTE: Final = "group of fast endpoints"
_MAX_DEPTH: Final = 8


class _Route(Struct, frozen=True, array_like=True):
    """A route of an endpoint as the endpoint says it. ``group``: id of the group it is in, else empty; ``group_name``: its simple name.
    ``guards``: what the endpoint itself says of callers. ``override``: what it has in place of the application's prefix."""

    place: Place
    owner: str | None
    verb: str
    template: str
    handler: str
    controller: str
    confidence: Confidence
    guards: Guards
    versions: str
    group: str
    group_name: str
    standing: Standing
    override: str | None = None
    beyond: bool = False

    def row(self, prefixes: Iterable[str], of_groups: Sequence[Guards]) -> FactRow:
        return route_row(
            self.place,
            self.owner,
            self.verb,
            combined((*prefixes, self.template)),
            Source.FAST_ENDPOINTS,
            handler=self.handler,
            controller=self.controller,
            confidence=self.confidence,
            authorize=guard_for(self.verb, (self.guards, *of_groups)),
            versions=self.versions,
            beyond=self.beyond,
        )


class _Group(Struct, frozen=True, array_like=True):
    """``parent``: id of the group that it is in, else empty."""

    id: str
    prefix: str
    parent: str
    parent_name: str
    guards: Guards
    override: str | None


def is_fast_endpoint(declaration: BoundDeclaration) -> bool:
    return "abstract" not in declaration.modifiers and any(
        base.id.startswith(_FAST_ENDPOINTS) or (base.form is TypeForm.UNRESOLVED and base.name.startswith("Endpoint"))
        for base in declaration.all_bases
        if base.name not in GROUP_BASES
    )


def is_group(declaration: BoundDeclaration) -> bool:
    return any(base.name in GROUP_BASES and _is_of_library(base) for base in declaration.all_bases)


def fast_endpoint(seen: Seen, endpoint: BoundDeclaration, members: Sequence[BoundDeclaration]) -> Iterator[Note]:
    handler = next((each.symbol_id for each in members if each.name in _HANDLERS), "")
    for each in (*_by_attributes(seen, endpoint, handler), *_by_calls(seen, endpoint, handler)):
        yield Note(_ENDPOINT, seen.file_path, each.place.at, note_data(each))


def group_note(seen: Seen, group: BoundDeclaration) -> Iterator[Note]:
    """What a group puts before the routes of its endpoints: ``Configure("admin", endpoint => endpoint.Roles("Admin"))``."""
    parent = next((each.arguments[0] for each in group.all_bases if each.name in GROUP_BASES and each.arguments), None)
    calls = [each for each in seen.document.events if _is_in(each, group.symbol_id, _CONSTRUCTOR)]
    for call in calls:
        if call.name == CONFIGURE and call.arguments:
            said = _Group(
                group.symbol_id,
                text_with_holes(call.arguments[0].value, seen.document) or "",
                parent.id if parent is not None else "",
                parent.name if parent is not None else "",
                guards_said(seen, calls),
                override_of(seen, calls),
            )
            yield Note(_GROUP_NOTE, seen.file_path, call.line, note_data(said))
            return


def fast_endpoint_routes(notes: Sequence[Note]) -> Iterator[FactRow]:
    """Of the endpoints of all documents."""
    before_all = Prefixes(notes)
    groups: dict[str, _Group] = {}
    by_name: dict[str, list[_Group]] = {}
    routes: list[_Route] = []
    for note in notes:
        if note.topic == _GROUP_NOTE:
            group = read_note_data(note.data, _Group)
            if groups.setdefault(group.id, group) is group:
                by_name.setdefault(parse_id(group.id).name, []).append(group)
        elif note.topic == _ENDPOINT:
            routes.append(read_note_data(note.data, _Route))
    for route in routes:
        so_named = by_name.get(route.group_name, ()) if not route.group else ()
        group_id = so_named[0].id if len(so_named) == 1 else route.group
        around = list(_around(groups, group_id, route.group_name))
        prefixes = [each.prefix for each in reversed(around)]
        overrides = (each for each in (route.override, *(group.override for group in around)) if each is not None)
        for prefix in before_all.before(route.standing, next(overrides, None)):
            yield route.row((prefix, *prefixes), [each.guards for each in around])


def _around(groups: Mapping[str, _Group], group_id: str, name: str) -> Iterator[_Group]:
    """A group and those that it is in, innermost first; one that has no source is a hole."""
    for _ in range(_MAX_DEPTH):
        if not name:
            return
        group = groups.get(group_id) or _Group(group_id, f"{{?{name}}}", "", "", Guards(), None)
        yield group
        group_id, name = group.parent, group.parent_name


def _is_of_library(type_: BoundType) -> bool:
    return type_.form is TypeForm.UNRESOLVED or type_.id.startswith(_FAST_ENDPOINTS)


def _is_in(event: Event, type_id: str, member: str) -> bool:
    """Whether it is a call in that member of the type."""
    owner = event.enclosing
    if event.kind is not EventKind.INVOCATION or owner is None:
        return False
    return container_of(owner) == type_id and parse_id(owner).name == member


def _by_calls(seen: Seen, endpoint: BoundDeclaration, handler: str) -> Iterator[_Route]:
    calls = [
        each
        for each in seen.events.values()
        if _is_in(each, endpoint.symbol_id, CONFIGURE)
        and (each.target is None or container_of(each.target).startswith(_FAST_ENDPOINTS))
    ]
    said = [verb_of(value) for each in calls if each.name == _VERBS for value in values(each)]
    versions = ", ".join(_number(each) for each in calls if each.name == "Version" and each.arguments)
    group = next((each.type_arguments[0] for each in calls if each.name == _GROUP and each.type_arguments), None)
    guards, standing, override = guards_said(seen, calls), standing_of(seen), override_of(seen, calls)
    for call in calls:
        verbs = [_FAST_VERBS[call.name]] if call.name in _FAST_VERBS else said if call.name == _ROUTES else []
        for verb in verbs:
            for value in values(call):
                template = text_with_holes(value, seen.document)
                if value.region < 0 and template is not None:
                    yield _Route(
                        place=Place(seen.file_path, call.line, call.line_start, call.line_end),
                        owner=call.enclosing,
                        verb=verb,
                        template=template,
                        handler=handler,
                        controller=endpoint.symbol_id,
                        confidence=call.confidence,
                        guards=guards,
                        versions=versions,
                        group=group.id if group is not None else "",
                        group_name=group.name if group is not None else "",
                        standing=standing,
                        override=override,
                    )


def _by_attributes(seen: Seen, endpoint: BoundDeclaration, handler: str) -> Iterator[_Route]:
    """``[HttpGet("/orders"), AllowAnonymous]`` on the endpoint."""
    group = next((_group_of(each) for each in endpoint.attributes if _name_of(each) == _GROUP), None)
    for attribute in endpoint.attributes:
        verb = _FAST_ATTRIBUTES.get(_name_of(attribute))
        if verb is None or not _is_of_library(attribute.type):
            continue
        classes = AttributeClasses()
        said = (classes.said(use) for use in uses(seen, endpoint.attributes, GUARDS))
        guards = guards_of_attributes(demand for each in said for demand in demands_of(each))
        for value in (
            each for argument in attribute.arguments for each in (argument.value.elements or (argument.value,))
        ):
            template = text_with_holes(value, seen.document)
            if template is not None:
                yield _Route(
                    place=Place(seen.file_path, attribute.line, attribute.line_start, attribute.line_end),
                    owner=endpoint.symbol_id,
                    verb=verb,
                    template=template,
                    handler=handler,
                    controller=endpoint.symbol_id,
                    confidence=Confidence.HIGH,
                    guards=guards,
                    versions="",
                    group=group.id if group is not None else "",
                    group_name=group.name if group is not None else "",
                    standing=standing_of(seen),
                    beyond=True,
                )


def _group_of(attribute: BoundAttribute) -> BoundType | None:
    """Of ``[Group<Admin>]``. An attribute that was not found has no type arguments but as it is written."""
    if attribute.type.arguments:
        return attribute.type.arguments[0]
    written = attribute.name.partition("<")[2].removesuffix(">").rpartition(".")[2]
    return BoundType(TypeForm.UNRESOLVED, written) if written else None


def _name_of(attribute: BoundAttribute) -> str:
    return attribute.type.name.removesuffix("Attribute")


def _number(event: Event) -> str:
    constant = event.arguments[0].value.constant
    return str(constant.value) if constant is not None else ""
