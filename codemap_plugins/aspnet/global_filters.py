"""Filters that demand something of the callers of all controllers: ``options.Filters.Add(new AuthorizeFilter(policy))`` of ASP.NET Core,
for its pages too, and ``filters.Add(new AuthorizeAttribute())`` of ASP.NET MVC 5 and Web API 2.

A filter is taken for a global one where it is made in a lambda or method that is handed the options, or the collection, of the filters.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind, RegionKind
from codemap_core.model.documentation_id import is_method_id, parse_id
from codemap_plugins.aspnet.guards import AUTHENTICATED, demands_of_creation, demands_of_value

FILTER_CREATIONS: Final = ("AuthorizeFilter", "AuthorizeAttribute")
"""Classes of which one that is made is read here."""
_FILTER, _ATTRIBUTE = FILTER_CREATIONS
_OPTIONS: Final = "MvcOptions"
OPTIONS_CALLS: Final = ("AddControllers", "AddControllersWithViews", "AddMvc", "AddMvcCore", "AddMvcOptions")
"""Calls that hand over the options of MVC."""
_CONFIGURES: Final = "Configure"


class Framework(StrEnum):
    """The one whose controllers a filter is for."""

    CORE = "core"
    """Of ASP.NET Core, and its Razor Pages."""
    MVC = "mvc"
    API = "api"


_COLLECTIONS: Final = {
    "GlobalFilterCollection": Framework.MVC,
    "HttpFilterCollection": Framework.API,
    "HttpConfiguration": Framework.API,
}


class GlobalFilter(Struct, frozen=True):
    framework: Framework
    demands: tuple[str, ...]


def global_filter(seen: Seen, number: int) -> GlobalFilter | None:
    """Of the event of this index; null for one that makes no filter, or makes it for something else."""
    event = seen.document.events[number]
    if event.kind is not EventKind.CREATION or event.name not in FILTER_CREATIONS:
        return None
    framework = _framework_of(seen, event)
    if framework is None or (framework is Framework.CORE) is not (event.name == _FILTER):
        return None
    demands = demands_of_creation(seen, number) if event.name == _ATTRIBUTE else _of_filter(seen, event)
    return GlobalFilter(framework, tuple(demands))


def _of_filter(seen: Seen, event: Event) -> list[str]:
    """``new AuthorizeFilter()``, or one with the name of a policy or with a policy."""
    return demands_of_value(seen, event.arguments[0].value) if event.arguments else [AUTHENTICATED]


def _framework_of(seen: Seen, event: Event) -> Framework | None:
    region = event.region
    while region != NOWHERE:
        around = seen.document.regions[region]
        if around.kind is RegionKind.LAMBDA and around.event != NOWHERE:
            taker = seen.document.events[around.event]
            takes_options = taker.name in OPTIONS_CALLS or (
                taker.name == _CONFIGURES and any(each.name == _OPTIONS for each in taker.type_arguments)
            )
            return Framework.CORE if takes_options else None
        region = around.parent
    if event.enclosing is None or not is_method_id(event.enclosing):
        return None
    names = [each.rpartition(".")[2] for each in parse_id(event.enclosing).parameters or ()]
    if _OPTIONS in names:
        return Framework.CORE
    return next((_COLLECTIONS[each] for each in names if each in _COLLECTIONS), None)
