"""What every route is made of, whatever declares it, and the row that it becomes."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.hooks.extractors import Seen
from codemap_core.model import HOLE, Confidence, FactKind, FactRow
from codemap_core.model.bound import Event
from codemap_core.model.documentation_id import container_of, is_type_id
from codemap_plugins.route.templates import combined, route_value

ROUTES_TO: Final = "routes_to"
"""The role of links to what answers."""


class Source(StrEnum):
    """What declares a route; ``detail["source"]``."""

    CONTROLLER = "controller"
    MINIMAL = "minimal"
    CONVENTIONAL = "conventional"
    HUB = "hub"
    GRPC = "grpc"
    HEALTH = "health"
    COMPONENT = "component"
    FAST_ENDPOINTS = "fastendpoints"
    PAGE = "page"
    ODATA = "odata"
    FUNCTION = "function"
    WOLVERINE = "wolverine"


class Place(Struct, frozen=True, array_like=True):
    """Where a route stands: lines are 1-based, ``at`` is that of its token."""

    file_path: str
    at: int
    line_start: int
    line_end: int


def is_of_application(seen: Seen) -> bool:
    """Whether the project of a document is an application, not a library."""
    return seen.project is not None and seen.project.is_application


def class_around(event: Event) -> str:
    """Id of the type in whose member or header an event stands; empty for none."""
    enclosing = event.enclosing or ""
    return enclosing if not enclosing or is_type_id(enclosing) else container_of(enclosing)


def route_row(
    place: Place,
    owner: str | None,
    verb: str,
    template: str,
    source: Source,
    *,
    value_template: str | None = None,
    handler: str = "",
    controller: str = "",
    confidence: Confidence = Confidence.HIGH,
    authorize: str = "",
    versions: str = "",
    defaults: str = "",
    beyond: bool = False,
) -> FactRow:
    """``template``: as it is matched, tokens replaced; ``value_template``: as it is shown, where that differs in case. A template with a
    hole is at most of medium confidence."""
    detail: dict[str, str | int | bool] = {"at": place.at, "verb": verb, "template": template, "source": source.value}
    for key, text in (
        ("handler", handler),
        ("controller", controller),
        ("authorize", authorize),
        ("versions", versions),
        ("defaults", defaults),
    ):
        if text:
            detail[key] = text
    if beyond:
        detail["beyond"] = True
    if HOLE in template and confidence is Confidence.HIGH:
        confidence = Confidence.MEDIUM
    return FactRow(
        kind=FactKind.ROUTE,
        value=route_value(verb, combined((template if value_template is None else value_template,))),
        detail=detail,
        symbol_id=owner,
        file_path=place.file_path,
        line_start=place.line_start or place.at,
        line_end=place.line_end or place.line_start or place.at,
        confidence=confidence,
    )
