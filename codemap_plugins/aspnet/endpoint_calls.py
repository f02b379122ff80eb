"""The calls that map endpoints on an ``IEndpointRouteBuilder`` of ASP.NET Core: which they are, their verbs, template and handler, and the
groups that they are mapped on.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.facts.carried import subject_of
from codemap_core.facts.texts import text_of, text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind, RegionKind, TypeForm, Value
from codemap_core.model.documentation_id import container_of, is_method_id, parse_id

ANY: Final = "ANY"
"""The verb of an endpoint that answers to all."""
BUILDERS: Final = (
    "IEndpointRouteBuilder",
    "RouteGroupBuilder",
    "WebApplication",
    "IVersionedEndpointRouteBuilder",
    "VersionedEndpointRouteBuilder",
)
"""Types on which routes are mapped: ``IEndpointRouteBuilder`` and those of the framework that implement it."""
GROUP: Final = "MapGroup"
"""The call that gives a group of routes with a prefix."""
_PIPELINES: Final = "T:Microsoft.AspNetCore.Builder."
_BRANCHES: Final = "T:Microsoft.AspNetCore.Builder.MapExtensions"
_ENDPOINTS: Final = "T:Microsoft.AspNetCore.Builder.EndpointRouteBuilderExtensions"
_VERBS: Final = {
    "MapGet": "GET",
    "MapPost": "POST",
    "MapPut": "PUT",
    "MapDelete": "DELETE",
    "MapPatch": "PATCH",
    "MapHead": "HEAD",
    "MapOptions": "OPTIONS",
}
_METHODS: Final = "MapMethods"
_PATTERN: Final = "pattern"
_TEMPLATE: Final = "template"
_PATTERN_NAMES: Final = frozenset({_PATTERN, _TEMPLATE, "route", "routeTemplate", "path", "url", "endpoint"})
"""What a wrapper of the repository's own may call its template."""
_DEFAULTS: Final = "defaults"
_AREA_NAME: Final = "areaName"
ROUTE_VALUES: Final = ("area", "controller", "action")
"""The values of a route by which MVC names an action."""
_HANDLERS: Final = frozenset({"handler", "requestDelegate"})
"""The parameters of library calls that take what handles a request."""
_HTTP_METHODS: Final = "P:Microsoft.AspNetCore.Http.HttpMethods."
_HTTP_METHOD_FIELDS: Final = "F:Microsoft.AspNetCore.Http.HttpMethods."


class Mapped(StrEnum):
    """What a call maps."""

    MINIMAL = "minimal"
    HEALTH = "health"
    HUB = "hub"
    GRPC = "grpc"
    CONVENTIONAL = "conventional"


class Mapping(Struct, frozen=True):
    """What a library's call maps. ``verb`` is empty where the call says it; ``template`` is what it has without a pattern."""

    source: Mapped
    verb: str = ANY
    template: str = ""


MAPPINGS: Final = {
    **{name: Mapping(Mapped.MINIMAL, verb) for name, verb in _VERBS.items()},
    "Map": Mapping(Mapped.MINIMAL),
    _METHODS: Mapping(Mapped.MINIMAL, ""),
    "MapFallback": Mapping(Mapped.MINIMAL, template="{*path:nonfile}"),
    "MapForwarder": Mapping(Mapped.MINIMAL),
    "MapConnections": Mapping(Mapped.MINIMAL),
    "MapConnectionHandler": Mapping(Mapped.MINIMAL),
    "MapHealthChecks": Mapping(Mapped.HEALTH, "HEALTH"),
    "MapHub": Mapping(Mapped.HUB, "HUB"),
    "MapGrpcService": Mapping(Mapped.GRPC, "GRPC"),
    "MapControllerRoute": Mapping(Mapped.CONVENTIONAL),
    "MapAreaControllerRoute": Mapping(Mapped.CONVENTIONAL),
    "MapDynamicControllerRoute": Mapping(Mapped.CONVENTIONAL),
    "MapDefaultControllerRoute": Mapping(Mapped.CONVENTIONAL, template="{controller=Home}/{action=Index}/{id?}"),
}


_ROUTES: Final = frozenset({"MapRoute", "MapAreaRoute"})
_OLD_ROUTES: Final = frozenset({"MapRoute", "MapHttpRoute"})
"""On the table of routes of ASP.NET MVC 5 and Web API 2."""
_ROUTE_BUILDER: Final = "IRouteBuilder"
_NO_ENDPOINTS: Final = (
    *(
        "MapControllers",
        "MapRazor",
        "MapBlazor",
        "MapFallbackTo",
        "MapOpenApi",
        "MapSwagger",
        "MapIdentityApi",
        "MapStatic",
    ),
    *("MapDynamicPage", "MapAdditional", GROUP),
)
"""Beginnings of the names of library calls that map nothing with a pattern of its own."""
ENDPOINT_CALLS: Final = "Map*"
"""How the calls are named that may map: those of ``MAPPINGS``, and others of libraries that are given a pattern."""


class MapCall(Struct, frozen=True):
    """A call that maps: ``verbs`` in the order of the call, ``template`` its own, with holes. ``beyond``: a call of another library, known
    only by the pattern that it is given."""

    event: Event
    source: Mapped
    verbs: tuple[str, ...]
    template: str
    handler: str = ""
    function: int = NOWHERE
    """The region of the lambda or local function that handles it."""
    is_bound: bool = True
    beyond: bool = False
    defaults: tuple[tuple[str, str], ...] = ()
    """Of a conventional route, what it says of ``area``, ``controller`` and ``action`` beside the template."""


def map_call(seen: Seen, event: Event) -> MapCall | None:
    """What an event maps; null where it maps nothing. A call of the framework on something older than endpoint routing is beyond."""
    if event.kind is not EventKind.INVOCATION or _is_inside_wrapper(event):
        return None
    mapping = MAPPINGS.get(event.name)
    if mapping is None:
        return _other_call(seen, event)
    if event.target is not None and not event.external:
        return _wrapper_call(seen, event) if event.name in _VERBS and is_builder(subject_of(event)) else None
    if not _maps_routes(event):
        return None
    is_old = event.target is not None and container_of(event.target) != _ENDPOINTS and not is_builder(subject_of(event))
    template = mapping.template
    pattern = _pattern(event)
    if pattern is not None:
        template = _template(seen, pattern)
    handler = handler_of(seen, event) if mapping.source is Mapped.MINIMAL else ""
    if mapping.source in (Mapped.HUB, Mapped.GRPC) and event.type_arguments:
        handler = event.type_arguments[0].id
        template = event.type_arguments[0].name if mapping.source is Mapped.GRPC else template
    verbs = tuple(_methods(seen, event)) if event.name == _METHODS else (mapping.verb,)
    is_bound, defaults = event.target is not None, _defaults(event, mapping.source)
    return MapCall(event, mapping.source, verbs, template, handler, _function(event), is_bound, is_old, defaults)


def group_prefix(seen: Seen, event: Event) -> str | None:
    """The prefix of the group that a call gives; null for a call that gives none."""
    if (
        event.name != GROUP
        or event.kind is not EventKind.INVOCATION
        or (event.target is not None and not event.external)
    ):
        return None
    prefix = next((each.value for each in event.arguments if each.parameter in ("prefix", "")), None)
    return _template(seen, prefix) if prefix is not None else ""


def branch_prefixes(seen: Seen, value: Value) -> tuple[str, ...]:
    """The paths of the branches of a pipeline that a lambda's parameter belongs to, the outermost first:
    ``app.Map("/admin", admin => admin.UseEndpoints(endpoints => …))``."""
    found: list[str] = []
    while value.region != NOWHERE and value.parameter != NOWHERE:
        region = seen.document.regions[value.region]
        taker = seen.document.events[region.event] if region.event != NOWHERE else None
        if taker is None or taker.target is None or not container_of(taker.target).startswith(_PIPELINES):
            break
        if container_of(taker.target) == _BRANCHES:
            path = next((each.value for each in taker.arguments if each.parameter == "pathMatch"), None)
            found.insert(0, _template(seen, path) if path is not None else "")
        subject = subject_of(taker)
        while subject is not None and (before := seen.origin(subject)) is not None and before.external:
            subject = subject_of(before)
        if subject is None:
            break
        value = subject
    return tuple(found)


def passes_on(event: Event) -> bool:
    """Whether a call gives what it is done to: what the library, or something that did not bind, does to a builder."""
    if event.kind is not EventKind.INVOCATION or (event.target is not None and not event.external):
        return False
    return is_builder(subject_of(event)) if event.target is not None else event.receiver is not None


def is_builder(value: Value | None) -> bool:
    return value is not None and value.type is not None and value.type.name in BUILDERS


def _maps_routes(event: Event) -> bool:
    """Whether a call of the library, or one that did not bind, is done to what routes are mapped on."""
    subject = subject_of(event)
    if event.target is not None:
        container = container_of(event.target)
        if event.name == "Map":
            return container == _ENDPOINTS
        return container.startswith("T:Microsoft.AspNetCore.") or is_builder(subject)
    if subject is None or (not event.arguments and not event.type_arguments):
        return False
    is_open = subject.type is None or subject.type.form is TypeForm.UNRESOLVED
    return is_builder(subject) or (is_open and event.name != "Map")


def _is_inside_wrapper(event: Event) -> bool:
    """Whether it stands in the body of a method that is itself named like a verb: a call of that method is the route."""
    if event.enclosing is None or "(" not in event.enclosing:
        return False
    parsed = parse_id(event.enclosing)
    first = parsed.parameters[0] if parsed.parameters else ""
    return parsed.name in _VERBS and first.rpartition(".")[2] in BUILDERS


def _other_call(seen: Seen, event: Event) -> MapCall | None:
    """A call of a library that says ``Map`` and is given a pattern: ``MapMetrics("/metrics")``; and routes from before endpoints."""
    if event.target is None and event.name in _OLD_ROUTES:
        return _old_route(seen, event)
    is_other = event.target is not None and event.external and not event.name.startswith(_NO_ENDPOINTS)
    if not is_other or not event.name.startswith("Map"):
        return None
    subject = subject_of(event)
    if (
        event.name in _ROUTES
        and subject is not None
        and subject.type is not None
        and subject.type.name == _ROUTE_BUILDER
    ):
        template = next((each.value for each in event.arguments if each.parameter == _TEMPLATE), None)
        if template is None:
            return None
        defaults = _defaults(event, Mapped.CONVENTIONAL)
        return MapCall(event, Mapped.CONVENTIONAL, (ANY,), _template(seen, template), beyond=True, defaults=defaults)
    if not is_builder(subject):
        return None
    named = next((each.value for each in event.arguments if each.parameter in _PATTERN_NAMES), None)
    if named is None or text_of(named) is None:
        return None
    return MapCall(event, Mapped.MINIMAL, (ANY,), _template(seen, named), handler_of(seen, event), beyond=True)


def _old_route(seen: Seen, event: Event) -> MapCall | None:
    """``routes.MapRoute("name", "template", …)`` whose library is not known."""
    pattern = old_route_pattern(event)
    if pattern is None:
        return None
    template, defaults = _template(seen, pattern), _defaults(event, Mapped.CONVENTIONAL)
    return MapCall(event, Mapped.CONVENTIONAL, (ANY,), template, is_bound=False, beyond=True, defaults=defaults)


def old_route_pattern(event: Event) -> Value | None:
    """What a call of ``MapRoute`` or ``MapHttpRoute`` that was not bound is given as template: by name, else as the second text."""
    named = [each.value for each in event.arguments if each.parameter in ("url", "routeTemplate")]
    texts = [each.value for each in event.arguments if text_of(each.value) is not None]
    return next(iter(named or texts[1:]), None)


def _defaults(event: Event, source: Mapped) -> tuple[tuple[str, str], ...]:
    """``defaults: new { controller = "Blog" }`` and the area of ``MapAreaControllerRoute``, as far as they are constant."""
    if source is not Mapped.CONVENTIONAL:
        return ()
    given: dict[str, Value] = {}
    for argument in event.arguments:
        if argument.parameter == _AREA_NAME:
            given[ROUTE_VALUES[0]] = argument.value
        elif argument.parameter in (_DEFAULTS, ""):
            given.update((name.lower(), value) for name, value in argument.value.members)
    texts = ((name, text_of(given.get(name))) for name in ROUTE_VALUES)
    return tuple((name, text) for name, text in texts if text)


def _wrapper_call(seen: Seen, event: Event) -> MapCall:
    """A method of the repository's own that is named like a verb, rule map_wrapper."""
    named = next((each.value for each in event.arguments if each.parameter in _PATTERN_NAMES), None)
    if named is None:
        named = next((each.value for each in event.arguments if text_of(each.value) is not None), None)
    template = _template(seen, named) if named is not None else ""
    return MapCall(event, Mapped.MINIMAL, (_VERBS[event.name],), template, handler_of(seen, event), _function(event))


def _pattern(event: Event) -> Value | None:
    named = next((each.value for each in event.arguments if each.parameter in (_PATTERN, _TEMPLATE)), None)
    if named is not None or event.target is not None:
        return named
    return next((each.value for each in event.arguments if text_of(each.value) is not None or each.value.parts), None)


def _template(seen: Seen, value: Value) -> str:
    """The text of a pattern; of a ``RoutePattern`` what it is parsed from."""
    event = seen.origin(value)
    if event is not None and event.name == "Parse" and event.arguments:
        value = event.arguments[0].value
    return text_with_holes(value, seen.document) or ""


def _methods(seen: Seen, event: Event) -> Iterator[str]:
    """The verbs that ``MapMethods`` is given."""
    given = next((each.value for each in event.arguments if each.parameter == "httpMethods"), None)
    if given is None and event.target is None and len(event.arguments) > 1:
        given = event.arguments[1].value
    elements = given.elements if given is not None else ()
    for element in elements:
        yield _method(element) or ANY
    if not elements:
        yield ANY


def _method(value: Value) -> str | None:
    """``"GET"`` or ``HttpMethods.Get``."""
    for prefix in (_HTTP_METHODS, _HTTP_METHOD_FIELDS):
        if value.symbol_id.startswith(prefix):
            return value.symbol_id.removeprefix(prefix).upper()
    text = text_of(value)
    return text.upper() if text is not None else None


def _function(event: Event) -> int:
    values = (each.value for each in event.arguments if not event.external or each.parameter in _HANDLERS)
    return next((each.region for each in values if each.region != NOWHERE and each.parameter == NOWHERE), NOWHERE)


def handler_of(seen: Seen, event: Event) -> str:
    """The method that is passed, ``lambda``, or the name of a local function; empty where none of them is."""
    for each in event.arguments:
        value = each.value
        if event.external and each.parameter not in _HANDLERS:
            continue
        if value.region != NOWHERE and value.parameter == NOWHERE:
            region = seen.document.regions[value.region]
            return "lambda" if region.kind is RegionKind.LAMBDA else region.name
        if is_method_id(value.symbol_id):
            return value.symbol_id
    return ""
