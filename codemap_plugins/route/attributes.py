"""Attributes as routes need them: which template and verbs one provides, and what else it says of a controller or an action."""

from __future__ import annotations

from typing import Final

from codemap_core.model.documentation_id import type_id
from codemap_plugins.aspnet.attribute_classes import Families, Said
from codemap_plugins.aspnet.guards import DEMANDS, GUARDS

MVC: Final = "Microsoft.AspNetCore.Mvc."
_OLD: Final = ("System.Web.Http.", "System.Web.Mvc.")
_VERSIONING: Final = ("Asp.Versioning.", MVC)
_VERBS: Final = {
    "HttpGet": "GET",
    "HttpPost": "POST",
    "HttpPut": "PUT",
    "HttpDelete": "DELETE",
    "HttpPatch": "PATCH",
    "HttpHead": "HEAD",
    "HttpOptions": "OPTIONS",
}
_MARKERS: Final = ("ActionName", "NonAction", "NonController", "Controller", "ApiController", "Area")
PROVIDERS: Final = ("Route", "HttpMethod", "AcceptVerbs", *_VERBS)
"""Names of the attributes that say routes, without their suffix."""
_TEMPLATE: Final = "Template"
_METHODS: Final = "Methods"
FAMILIES: Final[Families] = {
    **{type_id(f"{MVC}{name}Attribute"): name for name in (*_VERBS, "AcceptVerbs", "Route", *_MARKERS)},
    type_id(f"{MVC}Routing.HttpMethodAttribute"): "HttpMethod",
    type_id(f"{MVC}Routing.IRouteTemplateProvider"): _TEMPLATE,
    type_id(f"{MVC}Routing.IActionHttpMethodProvider"): _METHODS,
    **{type_id(f"{space}{name}Attribute"): name for space in _OLD for name in ("RoutePrefix", "RouteArea")},
    **GUARDS,
    **{
        type_id(f"{space}{name}Attribute"): name
        for space in _VERSIONING
        for name in ("ApiVersion", "MapToApiVersion", "ApiVersionNeutral")
    },
}
PROVIDER_BASES: Final = (
    *(f"{name}Attribute" for name in PROVIDERS),
    "IRouteTemplateProvider",
    "IActionHttpMethodProvider",
    "AreaAttribute",
    "AuthorizeAttribute",
    "TypeFilterAttribute",
    "ServiceFilterAttribute",
)
"""What attribute classes derive from whose constructors are followed."""
HELD: Final = ("Template", "HttpMethods", *DEMANDS)
"""Properties in which an attribute class says its template, its verbs and what it demands itself."""
_UNNAMED: Final = ""
"""The parameter of an attribute whose class did not bind."""


def is_provider(said: Said) -> bool:
    """Whether an attribute says a template or verbs (``IRouteTemplateProvider``, ``IActionHttpMethodProvider``)."""
    return said.family in PROVIDERS or said.family in (_TEMPLATE, _METHODS)


def template_of(said: Said) -> str | None:
    names = ("Template",) if said.family in (_TEMPLATE, _METHODS) else ("template", "Template")
    text = said.text(*names, "Route")
    return text if text is not None or said.is_bound else said.text(_UNNAMED)


def verbs_of(said: Said) -> tuple[str, ...] | None:
    """Null for an attribute that says none; empty where they are not known."""
    verb = _VERBS.get(said.family)
    if verb is not None:
        return (verb,)
    named = (said.texts.get(each) for each in ("httpMethods", "methods", "method", "HttpMethods"))
    methods = next((each for each in named if each), ())
    if methods or said.family in ("HttpMethod", "AcceptVerbs", _METHODS):
        return tuple(each.upper() for each in methods)
    return None
