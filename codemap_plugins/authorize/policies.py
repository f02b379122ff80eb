"""Definitions of policies: those that are named, the one of what demands no other (``DefaultPolicy``), and the one of what demands nothing
(``FallbackPolicy``). The last two hold for endpoints that no row names, so that their definitions alone are told.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.facts.texts import text_with_holes
from codemap_core.hooks.extractors import Seen
from codemap_core.model import FactRow
from codemap_core.model.bound import Argument, Event, EventKind
from codemap_core.model.documentation_id import container_of, type_id
from codemap_plugins.aspnet.guards import demands_built, demands_in, guard_text
from codemap_plugins.authorize.guarded import DEFINITION, demand_row, place_of

GENERAL: Final = ("DefaultPolicy", "FallbackPolicy")
"""Properties of the options, which hold a policy of no name."""
_NAMES: Final = "AddPolicy"
_SETS: Final = {f"Set{each}": each for each in GENERAL}
_NAMES_AND_SETS: Final = {f"Add{each}": each for each in GENERAL}
CALLS: Final = (_NAMES, *_SETS, *_NAMES_AND_SETS)
"""Names of the calls that define."""
_OPTIONS: Final = frozenset(
    type_id(f"Microsoft.AspNetCore.Authorization.{name}") for name in ("AuthorizationOptions", "AuthorizationBuilder")
)


def policy_rows(seen: Seen) -> Iterator[FactRow]:
    """What one document defines; other things have policies too."""
    for event in seen.events.values():
        is_assigned = event.kind is EventKind.ASSIGNMENT and event.name in GENERAL
        if (is_assigned or event.name in CALLS) and _container(event) in _OPTIONS and event.arguments:
            yield from _definitions(seen, event)


def _container(event: Event) -> str:
    receiver = event.receiver.type.id if event.receiver is not None and event.receiver.type is not None else ""
    return container_of(event.target) if event.target is not None else receiver


def _definitions(seen: Seen, event: Event) -> Iterator[FactRow]:
    place = place_of(seen, event)
    general = _SETS.get(event.name, event.name if event.name in GENERAL else "")
    if general:
        given = event.arguments[0].value
        if given.constant is None:  # null demands nothing
            yield demand_row(place, general, DEFINITION, requires=_requires(seen, event.arguments))
        return
    name = text_with_holes(event.arguments[0].value, seen.document) or ""
    yield demand_row(place, f"policy:{name}", DEFINITION, requires=_requires(seen, event.arguments[1:]))
    if event.name in _NAMES_AND_SETS:
        yield demand_row(place, _NAMES_AND_SETS[event.name], DEFINITION, requires=f"policy:{name}")


def _requires(seen: Seen, arguments: tuple[Argument, ...]) -> str:
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
    return guard_text(found)
