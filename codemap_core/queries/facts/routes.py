"""The routes of an index, with what their facts say of who handles and who may call them."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from codemap_core.model import FactKind
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_lookup import OwnedFact


class RouteDetail(Struct):
    """``handler``: an id, ``lambda``, or the name of a local function; empty where there is none. ``authorize``: who may call it.
    ``defaults``: of a convention, ``controller=Blog, action=Show``, what its template does not say."""

    handler: str = ""
    authorize: str = ""
    defaults: str = ""


def only_maps(snapshot: Snapshot, symbol_id: str) -> bool:
    """Whether a symbol maps endpoints and handles none of them: lambdas in it do."""
    routes = [each for each in snapshot.reader.facts_of(symbol_id) if each.kind == FactKind.ROUTE]
    return bool(routes) and all(each.detail.get("handler") != symbol_id for each in routes)


def all_routes(snapshot: Snapshot) -> tuple[tuple[OwnedFact, RouteDetail], ...]:
    """By place."""
    found = snapshot.reader.facts.of_kinds([FactKind.ROUTE])
    return tuple((fact, msgspec.json.decode(fact.detail, type=RouteDetail)) for fact in found)
