"""What runs declarations that no code names, as facts say: requests, messages and jobs."""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct, structs

from codemap_core.model import FactKind, RefKind, split_value
from codemap_core.model.counting import counted
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.fact_lookup import HANDLER, JOB
from codemap_core.storage.reading.reference_lookup import Meaning

_KINDS: Final = (FactKind.ROUTE, HANDLER, JOB)


class _Entered(Struct, frozen=True):
    """The ids in the details of such facts: an endpoint's handler and its type, a message's, a job's."""

    handler: str = ""
    controller: str = ""
    handler_id: str = ""
    type_id: str = ""
    method_id: str = ""


def entered_ids(snapshot: Snapshot) -> frozenset[str]:
    """Ids of everything that a request, a message or a job leads to."""
    facts = snapshot.reader.facts.of_kinds(_KINDS)
    owners = {each.owner for each in facts if each.owner is not None and each.kind != FactKind.ROUTE}
    found = {*snapshot.reader.edges.ids_of(owners).values()}
    for each in facts:
        found.update(structs.astuple(msgspec.json.decode(each.detail, type=_Entered)))
    return frozenset(found)


def run_by_a_framework(snapshot: Snapshot, symbol_id: str) -> str:
    """What runs a member that no code calls, from the facts that it owns: ``It answers GET /orders.`` Empty where none says so."""
    answers: dict[str, None] = {}
    handles: dict[str, None] = {}
    for fact in snapshot.reader.facts_of(symbol_id):
        name, _ = split_value(fact.kind, fact.value)
        if fact.kind == FactKind.ROUTE and fact.detail.get("handler") == symbol_id:
            answers[name] = None
        elif fact.kind == HANDLER:
            handles[fact.detail.get("request") or name] = None
    both = (("answers", answers), ("handles", handles))
    return " ".join(f"It {verb} {', '.join(names)}." for verb, names in both if names)


class LeadingLinks(Struct, frozen=True):
    """Links to a member, as from a view to an action. ``said``: how many there are, as in ``2 links lead to it``. ``come_from_symbols``:
    some stand in a symbol, so that they can be followed."""

    said: str
    come_from_symbols: bool


def leading_links(
    snapshot: Snapshot, symbol_ids: tuple[str, ...], projects: tuple[str, ...] = ()
) -> LeadingLinks | None:
    """Null where there are none."""
    found = snapshot.reader.count_references(Meaning(symbol_ids, (), projects))
    count = sum(each.count for each in found if each.kind is RefKind.LINK)
    if not count:
        return None
    edges = snapshot.reader.edges
    come_from_symbols = bool(edges.edges_to(edges.numbers_of(symbol_ids).values(), (RefKind.LINK,)))
    return LeadingLinks(f"{counted(count, 'link')} {'leads' if count == 1 else 'lead'} to it", come_from_symbols)
