"""Who may call: what the authorization of ASP.NET Core demands, as texts.

``policy:Name``, ``roles:A,B``, ``claim:Name=A``, ``requirement:Type``, ``filter:Use``, ``authenticated`` or ``anonymous``. It is said by
attributes, filters of the repository's own among them, by the calls ``RequireAuthorization`` and ``AllowAnonymous`` of endpoints and
groups, and in Razor files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from codemap_core.facts.carried import subject_of
from codemap_core.facts.texts import text_of, text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import NOWHERE, Event, EventKind, Value
from codemap_core.model.documentation_id import type_id
from codemap_plugins.aspnet.attribute_classes import ALLOW, AUTHORIZATION_FILTER, FILTER_FACTORY, Families, Said

ANONYMOUS: Final = "anonymous"
AUTHENTICATED: Final = "authenticated"
_SPACE: Final = "Microsoft.AspNetCore.Authorization."
_MVC: Final = "Microsoft.AspNetCore.Mvc."
_CLASSIC: Final = ("System.Web.Mvc", "System.Web.Http")
"""Where MVC and Web API from before ASP.NET Core have their attributes."""
_AUTHORIZE: Final = "Authorize"
_BETWEEN: Final = "; "
_POLICY: Final = type_id(f"{_SPACE}AuthorizationPolicy")
FILTER: Final = "filter"
"""The sort of a demand that nothing more is known of than the filter which makes it."""
DEMANDS: Final = ("Policy", "Roles")
"""Properties in which an attribute class says what it demands."""
GUARDS: Final[Families] = {
    type_id(f"{_SPACE}AuthorizeAttribute"): _AUTHORIZE,
    type_id(f"{_SPACE}AllowAnonymousAttribute"): ALLOW,
    type_id(f"{_SPACE}IAllowAnonymous"): ALLOW,
    type_id(f"{_SPACE}IAuthorizeData"): _AUTHORIZE,
    type_id(f"{_MVC}Filters.IAuthorizationFilter"): AUTHORIZATION_FILTER,
    type_id(f"{_MVC}Filters.IAsyncAuthorizationFilter"): AUTHORIZATION_FILTER,
    type_id(f"{_MVC}TypeFilterAttribute"): FILTER_FACTORY,
    type_id(f"{_MVC}ServiceFilterAttribute"): FILTER_FACTORY,
    **{type_id(f"{each}.AuthorizeAttribute"): _AUTHORIZE for each in _CLASSIC},
    **{type_id(f"{each}.AllowAnonymousAttribute"): ALLOW for each in _CLASSIC},
    type_id("System.Web.Mvc.IAuthorizationFilter"): AUTHORIZATION_FILTER,
    type_id("System.Web.Http.Filters.IAuthorizationFilter"): AUTHORIZATION_FILTER,
}
"""The families of attributes that say who may call."""
ATTRIBUTES: Final = ("AuthorizeAttribute", "AllowAnonymousAttribute")
"""Attribute classes of the framework of which an object may be handed to an endpoint."""
REQUIRE: Final = "RequireAuthorization"
"""The calls that say it of an endpoint or a group: this and ``ALLOW``."""
_AUTHENTICATES: Final = "RequireAuthenticatedUser"
_BUILDING: Final = frozenset(
    {_AUTHENTICATES, "RequireRole", "RequireClaim", "GetPolicy", "AddAuthenticationSchemes", "Build"}
)
"""Calls on the builder of a policy, or for one, of which it is known what they demand."""
_RAZOR: Final = re.compile(
    r"^[ \t]*@attribute[ \t]*\[[ \t]*(?:[\w.]+\.)?(Authorize|AllowAnonymous)(?:Attribute)?\b(?:\(((?:[^()\]]|\([^()]*\))*)\))?",
    re.MULTILINE,
)
_RAZOR_ARGUMENT: Final = re.compile(r"(?:[ \t]*(\w+)[ \t]*=(?!=))?((?:\"[^\"]*\"|[^\",])+)")
_RAZOR_TEXT: Final = re.compile(r"\"([^\"]*)\"|nameof\([ \t]*(?:[\w.]+\.)?(\w+)[ \t]*\)")


def demands_of(said: Said) -> list[str]:
    """Of one attribute of the families of ``GUARDS``; none of another. The framework has no ``[Authorize<T>]``: where neither a policy nor
    roles are named, ``T`` is the requirement that such a class of the repository's own makes (``IAuthorizationRequirementData``)."""
    if said.family == ALLOW:
        return [ANONYMOUS]
    is_filter = said.family == FILTER_FACTORY and said.text("type") == AUTHORIZATION_FILTER
    if is_filter or said.family == AUTHORIZATION_FILTER:
        return [f"{FILTER}:{said.written.removesuffix('()')}"]
    if said.family != _AUTHORIZE:
        return []
    policy = said.text("Policy", "policy") or (None if said.is_bound else said.text(""))
    roles = said.text("Roles", "roles")
    if said.types and not policy and not roles:
        return [f"requirement:{each}" for each in said.types]
    return _demands(policy, roles)


def demands_of_call(seen: Seen, event: Event) -> list[str]:
    """Of a call of ``RequireAuthorization`` or ``AllowAnonymous``: policies by their names, attributes, and policies built in place."""
    if event.name == ALLOW:
        return [ANONYMOUS]
    found = [text for each in event.arguments for text in demands_of_value(seen, each.value)]
    return found or [AUTHENTICATED]


def demands_of_metadata(seen: Seen, event: Event) -> list[str]:
    """Of the attributes that a call of ``WithMetadata`` is given."""
    found: list[str] = []
    for each in (value for argument in event.arguments for value in (argument.value.elements or (argument.value,))):
        made = seen.origin(each)
        if made is not None and made.kind is EventKind.CREATION and made.name in ATTRIBUTES:
            found += [ANONYMOUS] if made.name == ATTRIBUTES[1] else demands_of_creation(seen, each.origin)
    return found


def demands_of_value(seen: Seen, value: Value) -> list[str]:
    """Of the name of a policy, an attribute that is made, a policy that is built, or a lambda that builds one; of all of them in an array.
    What is not known is a policy whose name is a hole."""
    found: list[str] = []
    for each in value.elements or (value,):
        made = seen.origin(each)
        if text_of(each) is None and made is not None and made.kind is EventKind.CREATION:
            found += demands_of_creation(seen, each.origin)
        elif each.region >= 0 and each.parameter == NOWHERE:
            found += (demand for demand in demands_in(seen, each.region) if demand != AUTHENTICATED)
        elif made is not None and made.kind is EventKind.INVOCATION and _is_policy(each):
            found += demands_built(seen, each) or _named(seen, each)
        else:
            found += _named(seen, each)
    return found


def _named(seen: Seen, value: Value) -> list[str]:
    text = text_with_holes(value, seen.document)
    return [f"policy:{text}"] if text else []


def _is_policy(value: Value) -> bool:
    return value.type is not None and value.type.id == _POLICY


def demands_of_creation(seen: Seen, creation: int) -> list[str]:
    """Of an attribute that is made by the event of this index: ``new AuthorizeAttribute("Name") { Roles = "A" }``."""
    texts = {each.parameter: text_of(each.value) for each in seen.document.events[creation].arguments}
    for event in seen.document.events:
        if event.initializes == creation and event.arguments:
            texts[event.name.lower()] = text_of(event.arguments[0].value)
    return _demands(texts.get("policy"), texts.get("roles"))


def demands_in(seen: Seen, region: int) -> list[str]:
    """What a policy demands that a lambda builds: ``policy => policy.RequireRole("A")``."""
    return _demanded([each for each in seen.document.events if each.region == region])


def demands_built(seen: Seen, value: Value) -> list[str]:
    """What a policy demands that a chain of calls builds, or that is looked up by its name: ``options.GetPolicy("Name")``."""
    calls: list[Event] = []
    current = seen.origin(value)
    while current is not None:
        calls.insert(0, current)
        current = seen.origin(subject_of(current))
    return _demanded(calls)


def _demanded(building: Sequence[Event]) -> list[str]:
    """Being authenticated alone is not told where something else is demanded that is not known."""
    calls = [each for each in building if each.kind is EventKind.INVOCATION]
    found = [demand for each in calls for demand in _built(each)]
    if all(each.name in _BUILDING for each in calls):
        return found
    return [each for each in found if each != AUTHENTICATED]


def _built(event: Event) -> Iterator[str]:
    """One call on the builder of a policy."""
    values = [each for argument in event.arguments for each in (argument.value.elements or (argument.value,))]
    texts = [text for text in map(text_of, values) if text is not None]
    if event.name == _AUTHENTICATES:
        yield AUTHENTICATED
    elif event.name == "RequireRole" and texts:
        yield f"roles:{','.join(texts)}"
    elif event.name == "RequireClaim" and texts:
        yield f"claim:{texts[0]}" + (f"={','.join(texts[1:])}" if len(texts) > 1 else "")
    elif event.name == "GetPolicy" and texts:
        yield f"policy:{texts[0]}"


def demands_in_razor(text: str) -> Iterator[tuple[int, str]]:
    """Of the ``@attribute`` directives of a page (``.cshtml``) or of imports, each with its offset."""
    for match in _RAZOR.finditer(text):
        if match[1] == ALLOW:
            yield match.start(), ANONYMOUS
            continue
        found = {name: _razor_text(value.strip()) for name, value in _RAZOR_ARGUMENT.findall(match[2] or "")}
        for demand in _demands(found.get("Policy") or found.get(""), found.get("Roles")):
            yield match.start(), demand


def _razor_text(expression: str) -> str:
    """What an argument in a page says, which nothing binds: a text, a name, else a hole."""
    known = _RAZOR_TEXT.fullmatch(expression)
    return known[1] or known[2] or "" if known is not None else f"{{?{expression}}}"


def _demands(policy: str | None, roles: str | None) -> list[str]:
    found = [f"policy:{policy}"] if policy else []
    if roles:
        found.append(f"roles:{','.join(role.strip() for role in roles.split(','))}")
    return found or [AUTHENTICATED]


def guard_text(demands: Sequence[str]) -> str:
    """All demands on one endpoint as one text; empty for none. Being open to everybody overrides whatever is demanded but filters, which
    run all the same; a policy or role implies being authenticated, a filter does not."""
    every = list(dict.fromkeys(demands))
    filters = [each for each in every if each.startswith(f"{FILTER}:")]
    others = [each for each in every if each not in filters]
    if ANONYMOUS in others:
        others = [ANONYMOUS]
    elif len(others) > 1:
        others = [each for each in others if each != AUTHENTICATED]
    return _BETWEEN.join((*others, *filters))


def joined_guards(guard: str, demands: Sequence[str]) -> str:
    """What ``guard_text`` gave, with further demands."""
    return guard_text([*filter(None, guard.split(_BETWEEN)), *demands])


def guard_of(said: Iterable[Said]) -> str:
    """What all attributes together demand."""
    return guard_text([demand for each in said for demand in demands_of(each)])
