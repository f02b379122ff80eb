"""Definitions of policies: those that are named, the one of what demands no other (``DefaultPolicy``), and the one of what demands nothing
(``FallbackPolicy``).
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model.bound import Argument, Event, EventKind
from codemap_core.model.documentation_id import container_of, type_id
from codemap_plugins.aspnet.guards import demands_built, demands_in

DEFAULT: Final = "DefaultPolicy"
FALLBACK: Final = "FallbackPolicy"
GENERAL_POLICIES: Final = (DEFAULT, FALLBACK)
"""Properties of the options, which hold a policy of no name."""
_NAMES: Final = "AddPolicy"
_SETS: Final = {f"Set{each}": each for each in GENERAL_POLICIES}
_NAMES_AND_SETS: Final = {f"Add{each}": each for each in GENERAL_POLICIES}
POLICY_CALLS: Final = (_NAMES, *_SETS, *_NAMES_AND_SETS)
"""Names of the calls that define."""
_OPTIONS: Final = frozenset(
    type_id(f"Microsoft.AspNetCore.Authorization.{name}") for name in ("AuthorizationOptions", "AuthorizationBuilder")
)


class Definition(Struct, frozen=True):
    """``name``: of a named policy, with holes; null for none. ``general``: the property that is set, empty for none. ``requires``: what is
    demanded; null where the policy is taken away."""

    name: str | None
    general: str
    requires: list[str] | None


def definition(seen: Seen, event: Event) -> Definition | None:
    """What an event defines; null for one that defines nothing. Other things have policies too."""
    is_assigned = event.kind is EventKind.ASSIGNMENT and event.name in GENERAL_POLICIES
    if not (is_assigned or event.name in POLICY_CALLS) or _container(event) not in _OPTIONS or not event.arguments:
        return None
    general = _SETS.get(event.name, event.name if event.name in GENERAL_POLICIES else "")
    if general:
        is_taken_away = event.arguments[0].value.constant is not None  # null
        return Definition(None, general, None if is_taken_away else _requires(seen, event.arguments))
    name = text_with_holes(event.arguments[0].value, seen.document) or ""
    return Definition(name, _NAMES_AND_SETS.get(event.name, ""), _requires(seen, event.arguments[1:]))


def _container(event: Event) -> str:
    receiver = event.receiver.type.id if event.receiver is not None and event.receiver.type is not None else ""
    return container_of(event.target) if event.target is not None else receiver


def _requires(seen: Seen, arguments: tuple[Argument, ...]) -> list[str]:
    """``policy => policy.RequireRole("A")``, ``new AuthorizationPolicyBuilder().RequireRole("A").Build()``, ``options.GetPolicy("Name")``,
    ``options.DefaultPolicy``."""
    found: list[str] = []
    for each in arguments:
        value = each.value
        if value.region >= 0:
            found += demands_in(seen, value.region)
        elif container_of(value.symbol_id) in _OPTIONS:
            found.append(value.symbol_id.rpartition(".")[2])
        else:
            found += demands_built(seen, value)
    return found
