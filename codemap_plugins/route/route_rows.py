"""What every route is made of, whatever declares it, and the row that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, Protocol, TypeVar

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
    WCF = "wcf"
    WEB_FORM = "webform"


class Place(Struct, frozen=True, array_like=True):
    """Where a route stands: lines are 1-based, ``at`` is that of its token."""

    file_path: str
    at: int
    line_start: int
    line_end: int

    @property
    def first_line(self) -> int:
        """Of what it spans; the start and the end may be 0, where they are not known."""
        return self.line_start or self.at

    @property
    def last_line(self) -> int:
        return self.line_end or self.first_line


def is_of_application(seen: Seen) -> bool:
    """Whether the project of a document is an application, not a library."""
    return seen.project is not None and seen.project.is_application


class _InProject(Protocol):
    """``of_application``: the project is an application, not a library."""

    @property
    def project(self) -> str: ...
    @property
    def of_application(self) -> bool: ...


_T = TypeVar("_T", bound=_InProject)


def nearest(place: _InProject, every: Sequence[_T]) -> list[_T]:
    """Those in the project of a place; else those in others, but not from one application to another."""
    own = [each for each in every if each.project == place.project]
    return own or [each for each in every if not (place.of_application and each.of_application)]


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
        line_start=place.first_line,
        line_end=place.last_line,
        confidence=confidence,
    )
