"""Rows of the filters that demand something of the callers of all controllers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from codemap_core.hooks.extractors import Seen
from codemap_core.model import FactRow
from codemap_plugins.aspnet.global_filters import Framework, global_filter
from codemap_plugins.authorize.guarded import demand_row, place_of

_NAMES: Final = {
    Framework.CORE: "all controllers and pages",
    Framework.MVC: "all controllers of MVC",
    Framework.API: "all controllers of Web API",
}


def filter_rows(seen: Seen) -> Iterator[FactRow]:
    """What one document makes."""
    for number, event in seen.events.items():
        found = global_filter(seen, number)
        if found is not None:
            for demand in found.demands:
                yield demand_row(place_of(seen, event), demand, _NAMES[found.framework])
