"""Who may call an endpoint of FastEndpoints: what it says itself, and what the groups that it is in add to that.

Every call adds: roles, permissions, scopes and claims to lists of which a caller needs one, and after ``…All`` each of them; policies each
for itself. ``AllowAnonymous`` opens the endpoint whatever else is said, and for some verbs only where it names them. An endpoint of which
nothing is said is for authenticated callers (FastEndpoints documentation, *Security*).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import Event, Value
from codemap_core.model.documentation_id import parse_id
from codemap_plugins.aspnet.attribute_classes import ALLOW
from codemap_plugins.aspnet.guards import ANONYMOUS, AUTHENTICATED, demands_in, guard_text

VERBS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY")
_EVERY: Final = "*"
_UNKNOWN: Final = "?"
_ONE_OF: Final = {"Roles": "roles", "Permissions": "permission", "Scopes": "scope", "Claims": "claim"}
"""Calls that add to a list of which a caller needs one, and the sort of demand that such a list is."""
_EACH_OF: Final = {"PermissionsAll": "permission", "ScopesAll": "scope", "ClaimsAll": "claim", "Policies": "policy"}
"""Calls of which a caller needs everything that they name."""
_POLICY: Final = "Policy"
"""The call whose lambda builds a policy."""
_ACCESS: Final = "AccessControl"
"""The call that makes a permission, which it demands where it is told to (``Apply.ToThisEndpoint``)."""
_APPLIES: Final = "ToThisEndpoint"


class Guards(Struct, frozen=True, array_like=True):
    """``demands``: what callers need, each for itself. ``one_of``: by their sorts, names of which a caller needs one. ``open_to_all``: the
    verbs that everybody may use, ``*`` for all of them and ``?`` for one that is not known."""

    demands: tuple[str, ...] = ()
    one_of: tuple[tuple[str, str], ...] = ()
    open_to_all: tuple[str, ...] = ()


def guards_said(seen: Seen, calls: Iterable[Event]) -> Guards:
    """What calls say of callers."""
    demands: list[str] = []
    one_of: list[tuple[str, str]] = []
    open_to_all: list[str] = []
    for call in calls:
        if call.name == ALLOW:
            named = [verb_of(value) for value in values(call)]
            open_to_all += [each if each in VERBS else _UNKNOWN for each in named] or [_EVERY]
        elif call.name in _ONE_OF:
            one_of += [(_ONE_OF[call.name], name) for name in _names(seen, call)]
        elif call.name in _EACH_OF:
            demands += [f"{_EACH_OF[call.name]}:{name}" for name in _names(seen, call)]
        elif call.name == _POLICY:
            demands += [each for value in values(call) for each in demands_in(seen, value.region)]
        elif call.name == _ACCESS and any(_applies(value) for value in values(call)):
            one_of += [("permission", name) for name in _names(seen, call)[:1]]
    return Guards(tuple(demands), tuple(one_of), tuple(open_to_all))


def guards_of_attributes(demands: Iterable[str]) -> Guards:
    """What attributes say, whose demands these are."""
    every = tuple(demands)
    return Guards(every, (), (_EVERY,)) if ANONYMOUS in every else Guards(every)


def guard_for(verb: str, said: Iterable[Guards]) -> str:
    """Who may use a verb; empty where that is not known."""
    every = list(said)
    opened = {each for one in every for each in one.open_to_all}
    if opened & {_EVERY, verb}:
        return ANONYMOUS
    if _UNKNOWN in opened:
        return ""
    lists: dict[str, dict[str, None]] = {}
    for sort, name in (each for one in every for each in one.one_of):
        lists.setdefault(sort, {})[name] = None
    demands = [each for one in every for each in one.demands]
    return guard_text([*demands, *(f"{sort}:{','.join(names)}" for sort, names in lists.items())]) or AUTHENTICATED


def values(event: Event) -> Iterator[Value]:
    """Of its arguments; of an array that is written out, those in it."""
    for each in event.arguments:
        yield from each.value.elements or (each.value,)


def verb_of(value: Value) -> str:
    """``Http.GET`` or ``"GET"``."""
    if value.symbol_id:
        return parse_id(value.symbol_id).name.upper()
    if value.unbound_name in VERBS:
        return value.unbound_name
    return (text_with_holes(value) or "").upper()


def _names(seen: Seen, call: Event) -> list[str]:
    """What a call names, with holes for what is not known."""
    texts = (text_with_holes(value, seen.document) for value in values(call))
    return [text for text in texts if text]


def _applies(value: Value) -> bool:
    return _APPLIES in (value.unbound_name, value.symbol_id.rpartition(".")[2])
