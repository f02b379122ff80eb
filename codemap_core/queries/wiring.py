"""What facts say about what runs: routes, handlers of messages, and services that stand for tables. Worked out once for an index."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from codemap_core.model import FactKind
from codemap_core.queries.messages import Handler, handlers_by_made_type
from codemap_core.queries.stored_entities import EntityServices
from codemap_core.queries.surrounding import Surrounding
from codemap_core.storage.fact_lookup import OwnedFact

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot


class RouteDetail(Struct):
    """``handler``: an id, ``lambda``, or the name of a local function; empty where there is none. ``authorize``: who may call it."""

    handler: str = ""
    authorize: str = ""


class Wiring:
    """Of one snapshot, which does not change."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot: Final = snapshot

    @cached_property
    def routes(self) -> tuple[tuple[OwnedFact, RouteDetail], ...]:
        """All routes by place."""
        found = self._snapshot.reader.facts.of_kinds([FactKind.ROUTE])
        return tuple((fact, msgspec.json.decode(fact.detail, type=RouteDetail)) for fact in found)

    @cached_property
    def handlers(self) -> dict[int, tuple[Handler, ...]]:
        """As ``handlers_by_made_type``."""
        return handlers_by_made_type(self._snapshot)

    @cached_property
    def surrounding(self) -> Surrounding:
        return Surrounding(self._snapshot)

    @cached_property
    def entity_services(self) -> EntityServices:
        return EntityServices(self._snapshot)
