"""The extractor of routes and of the links to what answers them: what it asks for, and who reads which part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from codemap_core.facts.carried import Journeys
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.hooks.interests import Interests
from codemap_core.model import FactKind, FactKindInfo, FactRow, ReferenceRow
from codemap_core.model.bound import IN_MARKUP
from codemap_core.model.reference import REQUESTS
from codemap_plugins.aspnet.endpoint_calls import BUILDERS, ENDPOINT_CALLS
from codemap_plugins.aspnet.global_filters import FILTER_CREATIONS, OPTIONS_CALLS
from codemap_plugins.aspnet.guards import ATTRIBUTES
from codemap_plugins.aspnet.page_conventions import PAGE_CONVENTIONS
from codemap_plugins.aspnet.policies import FALLBACK, POLICY_CALLS
from codemap_plugins.route.actions import Controllers, attribute_classes, controller_routes
from codemap_plugins.route.addresses import CALLS, address_notes
from codemap_plugins.route.answers import answer_notes, request_links
from codemap_plugins.route.attributes import HELD, PROVIDER_BASES, PROVIDERS
from codemap_plugins.route.component_paths import NAVIGATE, component_links, href_notes, path_notes
from codemap_plugins.route.controllers import controller_notes
from codemap_plugins.route.conventions import CONVENTIONS
from codemap_plugins.route.declared_requests import REQUEST_ATTRIBUTES, declared_request_notes
from codemap_plugins.route.destinations import address_links
from codemap_plugins.route.endpoints import endpoint_notes, endpoint_routes
from codemap_plugins.route.fast_endpoints import CONFIGURE, fast_endpoint_routes
from codemap_plugins.route.fast_prefixes import PREFIX, STARTS, prefix_notes
from codemap_plugins.route.folders import COMPONENT_FILE, VIEW
from codemap_plugins.route.general_demands import GeneralDemands
from codemap_plugins.route.libraries import LIBRARY_ATTRIBUTES, LIBRARY_BASES, ODATA_PREFIX, library_rows
from codemap_plugins.route.mapped_types import GUARD_ATTRIBUTES, mapped_type_notes
from codemap_plugins.route.markup import Markup
from codemap_plugins.route.named_routes import named_route_notes
from codemap_plugins.route.own_conventions import CONVENTION_BUILDERS, OwnConventions
from codemap_plugins.route.pages import FILES, PAGE_BASES, class_rows, may_be_behind, page_notes, page_routes
from codemap_plugins.route.requests import REQUEST_CALLS, REQUEST_CREATIONS, request_notes
from codemap_plugins.route.route_rows import ROUTES_TO, Source
from codemap_plugins.route.script_requests import LANGUAGE, SCRIPT_CALLS, script_request_notes
from codemap_plugins.route.service_contracts import CONTRACT_ATTRIBUTES, operation_rows
from codemap_plugins.route.showing import (
    SHOWING_CALLS,
    VIEW_COMPONENT_NAME,
    How,
    call_notes,
    component_notes,
    markup_notes,
)
from codemap_plugins.route.sight import FACTORY, declaring_note, reference_note, starts_an_application
from codemap_plugins.route.tag_helpers import tag_helper_notes
from codemap_plugins.route.views import RENDERS, VIEW_FACT, shown_views
from codemap_plugins.route.web_forms import FORM_BASE, FORM_FILES, form_notes, form_routes
from codemap_plugins.route.written_addresses import REDIRECTIONS, redirection_notes, written_notes

ROUTE: Final = FactKindInfo(
    name=FactKind.ROUTE,
    title="Routes",
    value="VERB /template",
    detail={
        "at": "line of the method's name, the call's name or the attribute",
        "verb": "an HTTP method, or ANY, HUB, GRPC, WCF, HEALTH, PAGE",
        "template": "what requests match, tokens replaced, without outer slashes",
        "handler": "id of the method or type that handles it; lambda, or the name of a local function",
        "controller": "id of the controller",
        "source": f"what declares it: {', '.join(each.value for each in Source)}",
        "authorize": "who may call it: anonymous, authenticated, policy:Name, roles:A,B, claim:Name, requirement:Type, filter:Use, "
        "and for FastEndpoints permission:A,B, scope:A,B",
        "authorize_by": "what demands that of many endpoints at once, where the route itself demands nothing: MapControllers, "
        "MapRazorPages, AuthorizeFolder and its like, AuthorizeFilter, FallbackPolicy",
        "versions": "API versions in which it exists",
        "defaults": "of a conventional route, the area, controller and action that its call names beside the template",
        "beyond": "true for what only names or conventions of libraries tell",
    },
)
VIEWS: Final = FactKindInfo(
    name=VIEW_FACT,
    title="Views",
    value="path; path|partial, path|layout",
    detail={
        "at": "line of the call's name, or of the name in the markup",
        "path": "the file that is shown",
        "how": f"as what: {', '.join(each.value for each in How)}",
        "name": "the name as it is written, where it is",
    },
)


class Routes:
    name = "route"
    language = ""
    interests = Interests(
        invocations=(
            ENDPOINT_CALLS,
            *CONVENTIONS,
            *PAGE_CONVENTIONS,
            *POLICY_CALLS,
            *OPTIONS_CALLS,
            ODATA_PREFIX,
            CONFIGURE,
            *STARTS,
            *CALLS,
            NAVIGATE,
            IN_MARKUP,
            *SHOWING_CALLS,
            *REQUEST_CALLS,
            *SCRIPT_CALLS,
            *REDIRECTIONS,
        ),
        creations=(*REQUEST_CREATIONS, *FILTER_CREATIONS, *ATTRIBUTES),
        carried_types=(*BUILDERS, *CONVENTION_BUILDERS),
        attributes=(
            *PROVIDERS,
            "ApiController",
            "Controller",
            VIEW_COMPONENT_NAME,
            *GUARD_ATTRIBUTES,
            *LIBRARY_ATTRIBUTES,
            *REQUEST_ATTRIBUTES,
            *CONTRACT_ATTRIBUTES,
        ),
        base_types=(
            "ControllerBase",
            *PROVIDER_BASES,
            *PAGE_BASES,
            VIEW_COMPONENT_NAME,
            *LIBRARY_BASES,
            FACTORY,
            FORM_BASE,
        ),
        type_endings=("Controller", VIEW_COMPONENT_NAME),
        members=True,
        bodies=(CONFIGURE, *HELD),
        assignments=(*HELD, PREFIX, FALLBACK),
        files=(*FILES, *FORM_FILES),
        unowned=True,
    )
    kinds: tuple[str, ...] = (FactKind.ROUTE.value, VIEW_FACT)
    roles: tuple[str, ...] = (ROUTES_TO, RENDERS, REQUESTS)

    def extract(self, seen: Seen) -> Iterator[FactRow | Note]:
        says_something = False
        for each in _said(seen):
            yield each
            says_something = True
            if isinstance(each, FactRow):
                yield from answer_notes(each)
        if says_something:
            yield declaring_note(seen)

    def conclude(self, notes: Sequence[Note]) -> Iterator[FactRow | ReferenceRow]:
        classes = attribute_classes(notes)
        controllers = Controllers(notes, classes)
        behind = list(may_be_behind(notes))
        journeys, own = Journeys(notes), OwnConventions(notes)
        general = GeneralDemands(notes, journeys, own, controllers)
        said = chain(
            endpoint_routes(notes, journeys, classes, own),
            controller_routes(controllers, notes),
            page_routes(notes, classes, behind),
        )
        routes = [*map(general.guarding, said), *fast_endpoint_routes(notes), *form_routes(notes)]
        yield from routes
        yield from address_links(notes, controllers, behind)
        yield from component_links(notes, behind)
        yield from request_links(notes, routes, behind)
        yield from shown_views(notes, controllers)


def _said(seen: Seen) -> Iterator[FactRow | Note]:
    """What one document says."""
    if seen.language == LANGUAGE:
        yield from script_request_notes(seen)
        return
    says_references = starts_an_application(seen)
    for each in chain(endpoint_notes(seen), request_notes(seen), declared_request_notes(seen)):
        says_references = True
        yield each
    if says_references:
        yield reference_note(seen)
    yield from controller_notes(seen)
    yield from mapped_type_notes(seen)
    yield from class_rows(seen)
    yield from library_rows(seen)
    yield from prefix_notes(seen)
    yield from operation_rows(seen)
    yield from form_notes(seen)
    yield from address_notes(seen)
    yield from path_notes(seen)
    yield from redirection_notes(seen)
    yield from named_route_notes(seen)
    yield from call_notes(seen)
    yield from component_notes(seen)
    if seen.text is not None and seen.file_path.endswith((VIEW, COMPONENT_FILE)):
        markup = Markup(seen.text)
        yield from page_notes(seen, markup)
        if seen.file_path.endswith(COMPONENT_FILE):
            yield from href_notes(seen, markup)
        if seen.file_path.endswith(VIEW):
            yield from tag_helper_notes(seen, markup)
            yield from written_notes(seen, markup)
            yield from markup_notes(seen, markup)
