"""What facts say of a whole repository, for a reader who has never seen it: its endpoints with what each reaches, its data model, its
messages and jobs. Test projects are left out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.model import HOLE, FactKind, RefKind, SymbolKind, split_value
from codemap_core.model.documentation_id import container_of, is_type_id, parse_id
from codemap_core.model.special_types import KEYWORD_TYPES
from codemap_core.queries.facts.fact_listing import FactQuestion, list_endpoints
from codemap_core.queries.facts.past_tables import PastTables
from codemap_core.queries.plain_lines import called_name, short_name
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.trace.entry_points import entries_of_routes
from codemap_core.queries.trace.feature_trace import trace_feature
from codemap_core.queries.views.facts import EndpointInfo
from codemap_core.queries.views.trace import TraceNode, facts_said, marks_of
from codemap_core.storage.reading.fact_lookup import HANDLER, JOB, OwnedFact

TRACED: Final = 150
"""Endpoints whose traces are shown; of a larger repository the first ones."""
_TRACE_DEPTH: Final = 4
_TRACE_NODES: Final = 30
_MAPPING: Final = frozenset({"dbset", "to_table", "attribute"})
_SNAPSHOT: Final = "snapshot"
_SETS: Final = "dbset"
_MIGRATION: Final = "migration"
_FLUENT: Final = "fluent"
_RELATION: Final = "entity_relation"
_PLACES_SHOWN: Final = 12
_WORD: Final = re.compile(r"\w+")
_KEYWORDS: Final = frozenset(KEYWORD_TYPES)


class TraceLine(Struct, frozen=True):
    """One member that an endpoint reaches. ``said``: its facts, and what is unusual about how it is reached."""

    depth: int
    name: str
    said: str
    place: str


class EndpointOverview(Struct, frozen=True, kw_only=True):
    verb: str
    path: str
    handler: str
    authorization: str
    place: str
    trace: tuple[TraceLine, ...] = ()


class Column(Struct, frozen=True):
    """A property of an entity. ``target``: the index of the table whose entity its type names; -1 for none."""

    name: str
    type: str
    target: int = -1


class TableRelation(Struct, frozen=True):
    """``sort``: ``many-to-one``, ``foreign key``, … ``target``: the index of the other table; -1 where it is not listed."""

    sort: str
    to: str
    target: int = -1


class TableOverview(Struct, frozen=True, kw_only=True):
    """``entity``: the readable name of its type, empty where it is not declared here. ``use_count``: places that name the table."""

    name: str
    entity: str
    place: str
    columns: tuple[Column, ...]
    relations: tuple[TableRelation, ...]
    use_count: int


class NamedPlace(Struct, frozen=True, order=True):
    name: str
    place: str


class MessageOverview(Struct, frozen=True, kw_only=True):
    """``sender_count``: over all of them."""

    name: str
    framework: str
    handlers: tuple[NamedPlace, ...]
    senders: tuple[NamedPlace, ...]
    sender_count: int


class JobOverview(Struct, frozen=True, kw_only=True):
    name: str
    framework: str
    schedule: str
    place: str


class FactsOverview(Struct, frozen=True, kw_only=True):
    endpoints: tuple[EndpointOverview, ...]
    untraced_count: int
    """Endpoints that are listed without their trace, being too many."""
    tables: tuple[TableOverview, ...]
    messages: tuple[MessageOverview, ...]
    jobs: tuple[JobOverview, ...]


def facts_overview(snapshot: Snapshot) -> FactsOverview:
    endpoints = tuple(_endpoints(snapshot))
    return FactsOverview(
        endpoints=endpoints,
        untraced_count=max(0, len(endpoints) - TRACED),
        tables=tuple(_tables(snapshot)),
        messages=tuple(_messages(snapshot)),
        jobs=tuple(_jobs(snapshot)),
    )


# Endpoints


class _At(Struct):
    at: int = 0


def _endpoints(snapshot: Snapshot) -> Iterator[EndpointOverview]:
    question = FactQuestion(kind=FactKind.ROUTE, tests=False)
    total = snapshot.reader.fact_pages.totals.get(FactKind.ROUTE)
    listed = list_endpoints(snapshot, question, total.count if total is not None else 0, 0).endpoints
    paths = snapshot.reader.edges.paths
    entries = {
        (paths[fact.file_id], fact.value, msgspec.json.decode(fact.detail, type=_At).at): entry
        for fact, entry in entries_of_routes(snapshot)
    }
    for nth, each in enumerate(sorted(listed, key=_by_path)):
        entry = entries.get((each.file_path, f"{each.http_method} {each.route_path}", each.line))
        trace: tuple[TraceLine, ...] = ()
        if entry is not None and nth < TRACED:
            found = trace_feature(snapshot, entry, _TRACE_DEPTH, _TRACE_NODES)
            trace = tuple(line for node in found.nodes for line in _trace_lines(node))
        yield EndpointOverview(
            verb=each.http_method,
            path=each.route_path,
            handler=each.handler if each.handler else short_name(each.handler_symbol or ""),
            authorization=each.guard,
            place=f"{each.file_path}:{each.line}",
            trace=trace if len(trace) > 1 or any(line.said for line in trace) else (),
        )


def _by_path(endpoint: EndpointInfo) -> tuple[str, str, str, int]:
    return (endpoint.route_path.lower(), endpoint.http_method, endpoint.file_path, endpoint.line)


def _trace_lines(node: TraceNode) -> Iterator[TraceLine]:
    place = f"{node.file_path}:{node.line}" if node.line else ""
    said = "  ".join((*marks_of(node), *facts_said(node)))
    yield TraceLine(node.depth, called_name(node.symbol_id), said, place)
    for child in node.children:
        yield from _trace_lines(child)


# Tables


class _Mapping(Struct):
    source: str = ""
    entity: str = ""
    entity_id: str = ""


def _tables(snapshot: Snapshot) -> Iterator[TableOverview]:
    """By name; the first mapping of a table says which entity is stored in it. A name of which a piece is not known counts where a context
    has it as a set; one that migrations alone say with a schema does not count beside the same without. Dropped ones do not count."""
    dropped = snapshot.kept(PastTables).names
    uses: dict[str, list[tuple[OwnedFact, _Mapping]]] = {}
    names: dict[str, str] = {}
    for fact in _production(snapshot, FactKind.DB_TABLE):
        name, _ = split_value(fact.kind, fact.value)
        said = msgspec.json.decode(fact.detail, type=_Mapping)
        if said.source != _SNAPSHOT and name.lower() not in dropped:
            names.setdefault(name.lower(), name)
            uses.setdefault(name.lower(), []).append((fact, said))
    order = sorted(key for key, found in uses.items() if _is_known(key, [said.source for _, said in found], uses))
    entities: dict[str, int] = {}
    for nth, key in enumerate(order):
        for _, said in uses[key]:
            if said.entity_id and said.source in _MAPPING:
                entities.setdefault(said.entity_id, nth)
    stored = {nth: entity for entity, nth in reversed(entities.items())}
    columns = _columns(snapshot, entities)
    relations = _relations(snapshot, entities, order)
    for nth, key in enumerate(order):
        entity = stored.get(nth, "")
        declared = snapshot.reader.first_declarations([entity]).get(entity) if entity else None
        first = uses[key][0][0]
        yield TableOverview(
            name=names[key],
            entity=next((said.entity for _, said in uses[key] if said.entity_id == entity and said.entity), ""),
            place=f"{declared.file_path}:{declared.name_line}" if declared is not None else _place(snapshot, first),
            columns=columns.get(entity, ()),
            relations=relations.get(nth, ()),
            use_count=len(uses[key]),
        )


def _is_known(name: str, sources: Sequence[str], names: Container[str]) -> bool:
    if HOLE in name:
        return _SETS in sources
    bare = name.rpartition(".")[2]
    return bare == name or bare not in names or any(each != _MIGRATION for each in sources)


class _Related(Struct, rename={"source_name": "from"}):
    source_name: str = ""
    to: str = ""
    from_id: str = ""
    to_id: str = ""
    source: str = ""


def _relations(
    snapshot: Snapshot, entities: Mapping[str, int], names: Sequence[str]
) -> dict[int, tuple[TableRelation, ...]]:
    """By the index of a table; what its mapping says of another table before what migrations say."""
    by_name = {name.rpartition(".")[2]: nth for nth, name in enumerate(names)} | {
        name: nth for nth, name in enumerate(names)
    }
    found: dict[int, dict[str, TableRelation]] = {}
    said = [
        (msgspec.json.decode(fact.detail, type=_Related), split_value(fact.kind, fact.value)[1])
        for fact in _production(snapshot, _RELATION)
    ]
    for each, sort in sorted(said, key=lambda pair: pair[0].source != _FLUENT):
        own = entities.get(each.from_id, by_name.get(each.source_name.lower()))
        if own is not None and each.source != _SNAPSHOT:
            other = entities.get(each.to_id, by_name.get(each.to.lower(), -1))
            key = str(other) if other >= 0 else each.to
            found.setdefault(own, {}).setdefault(key, TableRelation(sort, each.to, other))
    return {nth: tuple(relations.values()) for nth, relations in found.items()}


def _columns(snapshot: Snapshot, entities: dict[str, int]) -> dict[str, tuple[Column, ...]]:
    """By entity, its properties; a property whose type names another entity leads to that one's table."""
    reader = snapshot.reader
    properties = {
        entity: [each for each in reader.members_of(entity) if each.kind is SymbolKind.PROPERTY and not each.is_static]
        for entity in entities
    }
    numbers = reader.edges.numbers_of([each.symbol_id for found in properties.values() for each in found])
    types = {number: entity for entity, number in reader.edges.numbers_of(entities).items()}
    targets: dict[int, str] = {}
    for edge in reader.edges.edges_from(numbers.values(), (RefKind.TYPE,)):
        if edge.target in types:
            targets.setdefault(edge.source, types[edge.target])
    return {
        entity: tuple(
            Column(each.name, _type_of(each.signature, each.name), entities.get(target, -1) if target else -1)
            for each in found
            for target in [targets.get(numbers.get(each.symbol_id, 0))]
        )
        for entity, found in properties.items()
    }


def _type_of(signature: str, name: str) -> str:
    """The type in a property's signature: what stands before its name, less the modifiers."""
    head = signature.partition("{")[0].rstrip()
    words = head.removesuffix(name).rstrip().split(" ")
    while words and words[0] in _MODIFIERS:
        words.pop(0)
    return " ".join(words)


_MODIFIERS: Final = frozenset(
    {"public", "internal", "protected", "private", "virtual", "override", "sealed", "abstract", "required", "new"}
    | {"static", "readonly", "ref", "unsafe", "extern", "partial"}
)


# Messages and jobs


class _Handling(Struct):
    request: str = ""
    request_id: str = ""
    framework: str = ""


def _messages(snapshot: Snapshot) -> Iterator[MessageOverview]:
    """By name; messages of the same name are told apart by their ids. Where one method handles several, as a generic base class does, who
    sends one of them names it."""
    edges = snapshot.reader.edges
    handled: dict[tuple[str, str], list[tuple[OwnedFact, _Handling]]] = {}
    for fact in _production(snapshot, HANDLER):
        said = msgspec.json.decode(fact.detail, type=_Handling)
        handled.setdefault((said.request, said.request_id), []).append((fact, said))
    methods = {fact.owner for found in handled.values() for fact, _ in found if fact.owner is not None}
    senders: dict[int, dict[int, str]] = {}
    for edge in edges.edges_to(methods, (RefKind.LINK,)):
        if edge.project_id not in edges.test_projects:
            senders.setdefault(edge.target, {}).setdefault(edge.source, f"{edges.paths[edge.file_id]}:{edge.line}")
    owners = Counter(owner for found in handled.values() for owner in {fact.owner for fact, _ in found})
    shared = {owner for owner, count in owners.items() if count > 1}
    named_by = _names_used(snapshot, {source for owner in shared for source in senders.get(owner or 0, ())})
    ids = edges.ids_of({*methods, *(source for found in senders.values() for source in found)})
    for (name, _), found in sorted(handled.items(), key=lambda item: (item[0][0].lower(), item[0][1])):
        words = {word for word in _WORD.findall(name) if word not in _KEYWORDS}
        sent = {
            source: place
            for fact, _ in found
            for source, place in senders.get(fact.owner or 0, {}).items()
            if fact.owner not in shared or words <= named_by[source]
        }
        named = sorted(NamedPlace(short_name(ids[source]), place) for source, place in sent.items())
        yield MessageOverview(
            name=name,
            framework=", ".join(dict.fromkeys(said.framework for _, said in found if said.framework)),
            handlers=tuple(
                NamedPlace(short_name(ids.get(fact.owner or 0, "")), _place(snapshot, fact)) for fact, _ in found
            ),
            senders=tuple(named[:_PLACES_SHOWN]),
            sender_count=len(named),
        )


def _names_used(snapshot: Snapshot, members: Collection[int]) -> dict[int, set[str]]:
    """Simple names of the types that members mention, or whose constructors they call."""
    edges = snapshot.reader.edges.edges_from(members, (RefKind.TYPE, RefKind.INSTANTIATE))
    ids = snapshot.reader.edges.ids_of({edge.target for edge in edges})
    found: dict[int, set[str]] = {member: set() for member in members}
    for edge in edges:
        target = ids[edge.target]
        found[edge.source].add(parse_id(target if is_type_id(target) else container_of(target)).name)
    return found


class _Scheduled(Struct):
    schedule: str = ""


def _jobs(snapshot: Snapshot) -> Iterator[JobOverview]:
    for fact in _production(snapshot, JOB):
        name, framework = split_value(fact.kind, fact.value)
        schedule = msgspec.json.decode(fact.detail, type=_Scheduled).schedule
        yield JobOverview(name=name, framework=framework, schedule=schedule, place=_place(snapshot, fact))


def _production(snapshot: Snapshot, kind: str) -> list[OwnedFact]:
    tests = snapshot.reader.edges.test_projects
    return [fact for fact in snapshot.reader.facts.of_kinds([kind]) if fact.project_id not in tests]


def _place(snapshot: Snapshot, fact: OwnedFact) -> str:
    return f"{snapshot.reader.edges.paths[fact.file_id]}:{fact.line_start}"
