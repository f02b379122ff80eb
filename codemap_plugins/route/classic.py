"""Controllers of ASP.NET MVC 5 and Web API 2, which run on .NET Framework alone: by attributes, and by the routes that are mapped by
convention.

Their assemblies are seldom at hand, so what is told here is known by names: a base class that was not found and is called ``Controller`` or
``ApiController``, in a project for .NET Framework. A method's ``[Route]`` stands behind the ``[RoutePrefix]`` of its class; a class's
``[Route]`` holds for the methods without one. Without either, an action is reached by the conventions of its project, if it maps any
that leave the controller open; what the registration of an area maps is for the controllers of that area, and nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from codemap_core.facts import note_data, read_note_data
from codemap_core.facts.texts import text_of
from codemap_core.hooks.extractors import Note, Seen
from codemap_core.model.bound import BoundDeclaration, Event, TypeForm
from codemap_plugins.aspnet.attribute_classes import Said
from codemap_plugins.aspnet.endpoint_calls import ANY, old_route_pattern
from codemap_plugins.route.attributes import is_provider, template_of, verbs_of
from codemap_plugins.route.templates import action_name, combined, controller_name, is_absolute

CONVENTION: Final = "classic_convention"
"""The topic of notes on routes that are mapped by convention."""
_FRAMEWORK: Final = re.compile(r"net[1-4]\d+|v[1-4]\..*")
"""Target frameworks that are .NET Framework."""
_VERB_PREFIXES: Final = ("Get", "Post", "Put", "Delete", "Patch", "Head", "Options")
"""Beginnings of the names of Web API's actions: the verbs that they answer to; others answer to POST."""
_POST: Final = "POST"
_PREFIX: Final = "RoutePrefix"
_AREA: Final = "RouteArea"
_PARAMETER: Final = re.compile(r"\{\*?(\w+)[^}]*\}")
_AREA_OF_NAMESPACE: Final = re.compile(r"\.Areas\.(\w+)\.")


class Classic(StrEnum):
    """Which of the two a controller belongs to."""

    MVC = "mvc"
    API = "api"


_CALLS: Final = {"MapRoute": Classic.MVC, "MapHttpRoute": Classic.API}
_BASES: Final = {"Controller": Classic.MVC, "AsyncController": Classic.MVC, "ApiController": Classic.API}


class Convention(Struct, frozen=True, array_like=True):
    """A template that leaves the controller open, of a project's calls of ``MapRoute`` and ``MapHttpRoute``."""

    project: str
    classic: Classic
    area: str
    template: str


class Way(Struct, frozen=True):
    """A route of an action."""

    verb: str
    template: str


def classic_of(seen: Seen, declaration: BoundDeclaration) -> Classic | None:
    """Null for any other class."""
    project = seen.project
    if project is None or not _FRAMEWORK.fullmatch(project.target_framework or ""):
        return None
    unknown = [each.name.rpartition(".")[2] for each in declaration.all_bases if each.form is TypeForm.UNRESOLVED]
    return next((_BASES[name] for name in unknown if name in _BASES), None)


def convention_note(seen: Seen, event: Event) -> Note | None:
    """Of a call of ``MapRoute`` or ``MapHttpRoute`` that was not bound."""
    classic = _CALLS.get(event.name)
    if event.target is not None or classic is None:
        return None
    pattern = old_route_pattern(event)
    template = text_of(pattern)
    if template is None or "{controller}" not in template:
        return None
    said = Convention(seen.document.project_path, classic, area_of(event.enclosing or ""), template)
    return Note(CONVENTION, seen.file_path, event.line, note_data(said))


def area_of(symbol_id: str) -> str:
    """By the namespace ``….Areas.Admin.…``; empty for what is in none."""
    match = _AREA_OF_NAMESPACE.search(symbol_id)
    return match[1] if match is not None else ""


def conventions(notes: Iterable[Note]) -> Mapping[tuple[str, Classic, str], Sequence[str]]:
    """Templates by project and area, in the order of the calls."""
    found: dict[tuple[str, Classic, str], list[str]] = {}
    for each in notes:
        if each.topic == CONVENTION:
            said = read_note_data(each.data, Convention)
            found.setdefault((said.project, said.classic, said.area), []).append(said.template)
    return found


def ways(
    classic: Classic,
    name: str,
    of_class: Sequence[Said],
    of_action: Sequence[Said],
    method: str,
    parameters: Sequence[str],
    templates: Sequence[str],
) -> Iterator[Way]:
    """``name``, ``of_class``: of the controller; ``parameters``: names of those of the action; ``templates``: of the conventions of
    its area."""
    action = next((each.text("name", "") for each in of_action if each.family == "ActionName"), None)
    tokens = {"controller": controller_name(name), "action": action or action_name(method)}
    verbs = tuple(dict.fromkeys(verb for each in of_action for verb in verbs_of(each) or ()))
    verbs = verbs or ((_verb_of(method),) if classic is Classic.API else (ANY,))
    routes = _routes(of_action) or _routes(of_class)
    if routes:
        prefix = combined(_prefixes(of_class))
        found = [combined((each,)) if is_absolute(each) else combined((prefix, each)) for each in routes]
    else:
        fitting = [each for each in templates if classic is Classic.API or "{action}" in each]
        found = [_without_tail(each, parameters) for each in fitting[:1]]
    for template in found:
        filled = _filled(template, tokens)
        for verb in verbs:
            yield Way(verb, filled)


def _routes(said: Iterable[Said]) -> list[str]:
    return [text for each in said if is_provider(each) and (text := template_of(each)) is not None]


def _prefixes(said: Iterable[Said]) -> Iterator[str]:
    """That of the area, and that of the class."""
    texts = {each.family: each.text("prefix", "AreaPrefix", "areaName", "") or "" for each in said}
    for family in (_AREA, _PREFIX):
        yield texts.get(family, "")


def _verb_of(method: str) -> str:
    return next((each.upper() for each in _VERB_PREFIXES if method.startswith(each)), _POST)


def _without_tail(template: str, parameters: Sequence[str]) -> str:
    """Without the parameters at the end that the action does not take: conventions have them optional."""
    segments = template.strip("/").split("/")
    known = {each.lower() for each in parameters}
    while segments:
        match = _PARAMETER.fullmatch(segments[-1])
        if match is None or match[1].lower() in ("controller", "action", *known):
            break
        segments.pop()
    return "/".join(segments)


def _filled(template: str, tokens: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        return tokens.get(match[1].lower(), match[0])

    return _PARAMETER.sub(value, template)
