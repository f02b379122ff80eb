"""Conventions of Razor Pages that say who may call a page, or the pages of a folder:
``options.Conventions.AuthorizeFolder("/Admin", "Read")`` (``PageConventionCollectionExtensions`` of ASP.NET Core).
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.facts.texts import text_of
from codemap_core.model.bound import Event
from codemap_core.model.documentation_id import container_of, type_id
from codemap_plugins.aspnet.attribute_classes import ALLOW
from codemap_plugins.aspnet.guards import ANONYMOUS, AUTHENTICATED

_PAGES: Final = {
    "AuthorizePage": False,
    "AuthorizeFolder": True,
    "AuthorizeAreaPage": False,
    "AuthorizeAreaFolder": True,
    "AllowAnonymousToPage": False,
    "AllowAnonymousToFolder": True,
    "AllowAnonymousToAreaPage": False,
    "AllowAnonymousToAreaFolder": True,
}
"""Whether each is for a folder."""
PAGE_CONVENTIONS: Final = tuple(_PAGES)
"""Names of the calls that are read here."""
_EXTENSIONS: Final = type_id("Microsoft.Extensions.DependencyInjection.PageConventionCollectionExtensions")


class PageConvention(Struct, frozen=True):
    """``area``: empty for none. ``path``: of the page or folder, ``/Admin``, the root empty; null where it is not known."""

    demand: str
    area: str | None
    path: str | None
    is_folder: bool


def page_convention(event: Event) -> PageConvention | None:
    """What a call says; null for another."""
    if event.name not in _PAGES or event.target is None or container_of(event.target) != _EXTENSIONS:
        return None
    texts = {each.parameter: text_of(each.value) for each in event.arguments}
    path = texts.get("folderPath") or texts.get("pageName")
    policy = texts.get("policy")
    demand = ANONYMOUS if event.name.startswith(ALLOW) else f"policy:{policy}" if policy else AUTHENTICATED
    return PageConvention(
        demand, texts.get("areaName", ""), path.rstrip("/") if path is not None else None, _PAGES[event.name]
    )
