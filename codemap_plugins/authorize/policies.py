"""Rows of the definitions of policies. Where it is not known what endpoint a general policy is for, its definition alone is told."""

from __future__ import annotations

from collections.abc import Iterator

from codemap_core.hooks.extractors import Seen
from codemap_core.model import FactRow
from codemap_plugins.aspnet.guards import guard_text
from codemap_plugins.aspnet.policies import definition
from codemap_plugins.authorize.guarded import DEFINITION, demand_row, place_of


def policy_rows(seen: Seen) -> Iterator[FactRow]:
    """What one document defines."""
    for event in seen.events.values():
        defined = definition(seen, event)
        if defined is None or defined.requires is None:
            continue
        place, requires = place_of(seen, event), guard_text(defined.requires)
        if defined.name is None:
            yield demand_row(place, defined.general, DEFINITION, requires=requires)
            continue
        yield demand_row(place, f"policy:{defined.name}", DEFINITION, requires=requires)
        if defined.general:
            yield demand_row(place, defined.general, DEFINITION, requires=f"policy:{defined.name}")
