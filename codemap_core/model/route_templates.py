"""Routes as they are asked for, matched against the templates of endpoints: ``POST /orders/5`` means ``POST /orders/{id:int}``.

A template is a route fact's value, ``VERB /segments``. Segments are compared ignoring case; a parameter takes any text that its
constraints allow (``route_constraints``), and an asked segment that is a parameter itself takes any parameter. Of several
templates the most literal one is meant, as routing has it: segment by segment a literal goes before a constrained parameter, that before
a free one, and that before a catch-all.
"""

from __future__ import annotations

import re
from collections.abc import Container
from enum import IntEnum
from typing import Final
from urllib.parse import unquote

from msgspec import Struct

from codemap_core.model.route_constraints import allows, may_allow

ANY: Final = "ANY"
"""The verb of an endpoint that answers to every verb."""
PAGE: Final = "PAGE"
"""The verb of a page, whose handlers say which verbs they answer."""
UNKNOWN: Final = re.compile(r"\{\?[^{}]*\}")
"""A hole, which stands for what is not known of a path."""
_VERBS: Final = "GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|TRACE|CONNECT|QUERY|ANY|HUB|GRPC|WCF|HEALTH|PAGE"
_ASKED: Final = re.compile(
    rf"(?:(?P<verb>{_VERBS})\s+|(?=/|[a-z]+://))(?:[a-z][a-z0-9+.-]*://[^/?#]*)?(?P<path>\S*)", re.IGNORECASE
)
_PARAMETER: Final = re.compile(
    r"\{(?P<star>\*{0,2})(?P<name>[^:=?{}]*)(?P<constraints>(?::\w+(?:\((?:[^()]|\([^()]*\))*\))?)*)(?P<rest>[?=][^{}]*)?\}"
)
_IN_BRACES: Final = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_SEGMENT: Final = re.compile(rf"(?:{_IN_BRACES}|[^/])+")
_PATH: Final = re.compile(rf"(?:{_IN_BRACES}|[^?#])*")
_DEFAULT: Final = re.compile(r"(\w+)=([^,]*)")
_CONVENTIONAL: Final = ("area", "controller", "action")
"""Parameters by which a convention names an action (MVC's reserved names of routes); each action is a route of its own."""


class Fit(IntEnum):
    """How a segment of a template fits that of a path, the best first."""

    LITERAL = 0
    LITERAL_IN_PART = 1
    CONSTRAINED = 2
    """A parameter whose constraints allow the value."""
    FREE = 3
    LEFT_OUT = 4
    """The path ends before a parameter that may be left out."""
    CATCH_ALL = 5


class AskedRoute(Struct, frozen=True):
    """``verb`` is upper-case, empty where none was given; ``path`` begins with ``/``."""

    verb: str
    path: str

    def __str__(self) -> str:
        return f"{self.verb} {self.path}".lstrip()


def parse_route(text: str) -> AskedRoute | None:
    """A route as a client may write it: with or without verb, host, query and final slash. Null for what is not one."""
    matched = _ASKED.fullmatch(text.strip())
    if matched is None:
        return None
    path = without_query(matched["path"])
    return AskedRoute((matched["verb"] or "").upper(), f"/{path.strip('/')}")


def without_query(address: str) -> str:
    """The address up to its query or fragment. A question mark in braces begins none: ``{id?}``, ``{?id}``."""
    matched = _PATH.match(address)
    return matched[0] if matched is not None else ""


def rank(asked: AskedRoute, route: str, *, any_value: bool = False) -> tuple[int, ...] | None:
    """How well a route fits, less is better; null if it does not. ``any_value``: whatever constraints say."""
    verb, _, template = route.partition(" ")
    if asked.verb and verb not in (asked.verb, ANY, PAGE):
        return None
    wanted, given = segments(asked.path), segments(template)
    if [each.lower() for each in wanted] == [each.lower() for each in given]:
        return (0, int(asked.verb != verb))
    if _is_conventional(template):
        return None
    found = _fits(wanted, given, any_value=any_value)
    return None if found is None else (1, *found, -1, int(asked.verb != verb))


def conventional_path(asked: AskedRoute, route: str, defaults: str = "") -> str:
    """The path of the action that a convention leads to, with the values that are asked for or its own; empty where ``route`` does not fit,
    or is not a convention. ``defaults``: values beside the template, ``controller=Blog, action=Show``."""
    _, _, template = route.partition(" ")
    wanted, given = segments(asked.path), segments(template)
    values = {**dict.fromkeys(_CONVENTIONAL, ""), **dict(_DEFAULT.findall(defaults))}
    is_convention = bool(defaults) or _is_conventional(template)
    if not is_convention or _fits(wanted, given, optional={name for name, value in values.items() if value}) is None:
        return ""
    for position, segment in enumerate(given):
        parameter = _PARAMETER.fullmatch(segment)
        if parameter is not None and (name := parameter["name"].lower()) in values:
            own = (parameter["rest"] or "").lstrip("=?")
            values[name] = wanted[position] if position < len(wanted) else own or values[name]
    return "".join(f"/{value}" for value in values.values() if value)


def _is_conventional(template: str) -> bool:
    return any(each["name"].lower() in _CONVENTIONAL for each in _PARAMETER.finditer(template))


def segments(path: str) -> list[str]:
    """Split at slashes, of which those in braces are part of a segment; empty ones are left out."""
    return _SEGMENT.findall(path)


def _fits(
    wanted: list[str], given: list[str], *, any_value: bool = False, optional: Container[str] = ()
) -> list[Fit] | None:
    """How each segment of the template fits. ``optional``: parameters that may be left out whatever the template says."""
    ranks: list[Fit] = []
    for position, segment in enumerate(given):
        parameter = _PARAMETER.fullmatch(segment)
        if parameter is not None and parameter["star"]:
            return [*ranks, Fit.CATCH_ALL]
        if position >= len(wanted):
            if parameter is None or not (parameter["rest"] or parameter["name"].lower() in optional):
                return None
            ranks.append(Fit.LEFT_OUT)
            continue
        fit = _segment_fits(wanted[position], segment, parameter, any_value=any_value)
        if fit is None:
            return None
        ranks.append(fit)
    return ranks if len(wanted) <= len(given) else None


def without_names(segment: str) -> str:
    """A segment of a template whose parameters have no names: what it fits does not depend on them."""
    return _PARAMETER.sub(lambda each: f"{{{each['star']}{each['constraints']}{each['rest'] or ''}}}", segment)


def segment_fits(wanted: str, segment: str) -> Fit | None:
    """How well a segment of a template, which is not a catch-all, fits one of a path; null if it does not."""
    return _segment_fits(wanted, segment, _PARAMETER.fullmatch(segment), any_value=False)


def partly_known_fits(wanted: str, segment: str) -> Fit | None:
    """The same for a segment of a path that has holes: null where what is known of it cannot be in such a segment."""
    known = UNKNOWN.sub("", wanted)
    parameter = _PARAMETER.fullmatch(segment)
    if not known:
        return Fit.FREE
    if parameter is not None:
        return Fit.FREE if all(may_allow(each, unquote(known)) for each in _constraints(parameter)) else None
    asked, given = UNKNOWN.split(wanted.lower()), _PARAMETER.split(segment.lower())
    is_begun = asked[0].startswith(given[0]) or given[0].startswith(asked[0])
    is_ended = asked[-1].endswith(given[-1]) or given[-1].endswith(asked[-1])
    return Fit.FREE if is_begun and is_ended else None


def is_catch_all(segment: str) -> bool:
    """Whether a segment of a template takes the rest of a path."""
    parameter = _PARAMETER.fullmatch(segment)
    return parameter is not None and bool(parameter["star"])


def may_be_left_out(segment: str) -> bool:
    """Whether a path may end before a segment of a template, as it is optional or has a default."""
    parameter = _PARAMETER.fullmatch(segment)
    return parameter is not None and bool(parameter["rest"])


def _segment_fits(wanted: str, segment: str, parameter: re.Match[str] | None, *, any_value: bool) -> Fit | None:
    if parameter is not None:
        constraints = _constraints(parameter)
        is_met = any_value or _PARAMETER.fullmatch(wanted) is not None
        if not is_met and not all(allows(each, unquote(wanted)) for each in constraints):
            return None
        return Fit.CONSTRAINED if constraints else Fit.FREE
    if wanted.lower() == segment.lower():
        return Fit.LITERAL
    if "{" not in segment:
        return None
    pattern = ""
    end = 0
    for each in _PARAMETER.finditer(segment):
        pattern += re.escape(segment[end : each.start()]) + ".+"
        end = each.end()
    pattern += re.escape(segment[end:])
    return Fit.LITERAL_IN_PART if re.fullmatch(pattern, wanted, re.IGNORECASE) else None


def _constraints(parameter: re.Match[str]) -> list[str]:
    return parameter["constraints"].removeprefix(":").split(":") if parameter["constraints"] else []
