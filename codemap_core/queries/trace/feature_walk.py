"""The members that a request reaches: from an entry point down through calls, implementations and handlers, with what facts say of each.

The walk is that of a call graph, level by level, each level a few statements whatever its width. A call through an interface leads to
what is registered for it, or to the implementations there are (``dispatch``); a message that is sent, or made here and handled somewhere,
leads to its handlers, and a request over HTTP to what answers it. Members of libraries are not nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from codemap_core.model import Confidence, FactKind, RefKind, split_value
from codemap_core.model.documentation_id import container_of, is_type_id, parse_id
from codemap_core.model.reference import REQUESTS, SENDS
from codemap_core.queries.dispatch.implementations import Basis, Dispatch, Dispatcher
from codemap_core.queries.dispatch.messages import handlers_by_made_type
from codemap_core.queries.dispatch.surrounding import Surrounding
from codemap_core.queries.facts.entity_calls import tables_called_for
from codemap_core.queries.facts.routes import RouteDetail, only_maps
from codemap_core.queries.facts.side_effects import Doing, Effect, LibraryEffects, sending_places
from codemap_core.queries.facts.stored_entities import ReachedTable, tables_reached
from codemap_core.queries.facts.thrown_exceptions import passes_on
from codemap_core.queries.graph.graph_walk import Step, Walk
from codemap_core.queries.graph.meant_declarations import MeantDeclarations, standpoint_in
from codemap_core.queries.names.declaring_projects import Standpoint, files_of_others, nearest_declarations
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.trace.entry_points import Entry
from codemap_core.queries.views.trace import EFFECT, TraceAnnotation
from codemap_core.storage.reading.edge_lookup import SLOT_KINDS, Edge
from codemap_core.storage.reading.fact_lookup import OwnedFact
from codemap_core.storage.schema.codes import CONFIDENCE_CODES, REF_KINDS

CALLS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER, RefKind.METHOD_GROUP)
AUTHORIZE: Final = "authorize"
"""The kind of facts about who may call; those of a type hold for its endpoints."""


class FeatureWalk:
    """``annotations``: by node, of those that have any. ``bases``: by parent and node, why the node is taken for what the call of an
    interface or base member runs. ``too_many``: by a member that is called, its implementations that were not followed. ``further``: nodes
    of the last level that call others beyond it. ``unresolved``: calls of the nodes whose target is not known."""

    def __init__(self, snapshot: Snapshot, entry: Entry, depth: int) -> None:
        self._snapshot: Final = snapshot
        self._edges: Final = snapshot.reader.edges
        self._facts: Final = snapshot.reader.facts
        self._entry: Final = entry
        self._depth: Final = depth
        self.part: Final = entry.part
        numbers = self._edges.numbers_of(entry.symbol_ids)
        self.roots: Final = [numbers[each] for each in entry.symbol_ids if each in numbers]
        self.walk: Final = Walk(self.roots, self._order())
        self._meant: Final = MeantDeclarations(snapshot, self.walk)
        self.bases: Final[dict[tuple[int, int], Basis]] = {}
        self.too_many: Final[dict[int, int]] = {}
        self.further: Final[set[int]] = set()
        self._handlers: Final = snapshot.kept(handlers_by_made_type)
        self._surrounding: Final = snapshot.kept(Surrounding)
        declared = nearest_declarations(snapshot, dict.fromkeys(entry.symbol_ids, entry.seen_from)).values()
        others = files_of_others(snapshot, declared)
        self._elsewhere: Final = (
            {number for number, path in self._edges.paths.items() if path in others} if others else ()
        )
        """The files that declare other members by the ids of the entry point."""
        projects = self._edges.project_numbers({each.project for each in declared})
        self._dispatcher: Final = Dispatcher(snapshot, projects)
        self._called: Final[dict[int, set[int]]] = {}
        """By node, the members that it calls and that others may run for, including those of libraries."""
        self._library_calls: Final[list[Edge]] = []
        self._interface_calls: Final[list[Edge]] = []
        self._made: Final[set[int]] = set()
        """Constructors and types that nodes create through."""
        self._around: Final[dict[int, str]] = {}
        """The members that run around handlers, by what they are called."""
        self._carrying: Final[dict[int, set[int]]] = {}
        """By the handler of a message that carries others, the types of those."""
        self._passed_on: Final[dict[int, list[Edge]]] = {}
        """By the handler of a message that carries others, where it sends those on: edges to their types."""
        self._left_to_others: Final[dict[int, set[int]]] = {}
        """By what makes messages, the types of those that the handler of another one sends on."""
        self._declaring: Final[dict[int, int | None]] = {}
        """By node, the project that declares it."""
        self._mapping: Final[set[int]] = set()
        """What maps a route that a request leads to, and does not handle it."""
        self._registering: Final[dict[int, frozenset[int | None]]] = {}
        """By node, the projects that register what leads to it; of handlers, the project that declares it."""
        self._follow()
        missing = self._edges.unresolved_from(
            [*self.roots, *(node for level in self.walk.levels for node in level)], CALLS
        )
        self.unresolved: Final = [
            use for use in missing if not (use.source in self.roots and use.file_id in self._elsewhere)
        ]
        self.annotations: Final = self._find_annotations()

    def handles(self, node: int) -> bool:
        """Whether it is reached as the handler of a message."""
        parent = self.walk.parent_of(node)
        return parent is not None and self.walk.links[node][parent].via is not None and (parent, node) not in self.bases

    def standpoint(self, node: int) -> Standpoint | None:
        """What tells which of several declarations of a node is meant."""
        return self._entry.seen_from if node in self.roots else standpoint_in(self.walk, self._edges, node)

    def _order(self) -> Callable[[Edge], Any]:
        ranks = self._edges.path_ranks
        return lambda edge: (ranks[edge.file_id], edge.line, edge.column, edge.kind)

    def _follow(self) -> None:
        for level in range(self._depth + 1):
            frontier = self.walk.frontier()
            if not frontier:
                return
            steps = self._steps(frontier, is_first=level == 0)
            if level < self._depth:
                self.walk.add_level(steps)
            else:
                self.walk.add_links(steps)
                self.further.update(step.origin for step in steps if not self.walk.has_reached(step.node))

    def _steps(self, frontier: Sequence[int], *, is_first: bool) -> list[Step]:
        frontier = [each for each in frontier if each not in self._mapping]
        found = self._edges.edges_from(frontier, CALLS)
        sent = self._edges.links_from(frontier, (SENDS,))
        requested = self._requested(frontier)
        made = self._edges.edges_between(frontier, self._handlers, (RefKind.INSTANTIATE,)) if self._handlers else []
        self._place_in_projects(frontier)
        if is_first:
            found, sent, made, requested = (self._within(each) for each in (found, sent, made, requested))
        else:
            self._meant.reach(frontier)
            found, sent, made, requested = (
                self._meant.of(each, lambda edge: edge.source) for each in (found, sent, made, requested)
            )
        carried = self._carried(made)
        passed_on = [edge for node in frontier for edge in self._passed_on.get(node, ())]
        left = {(edge.source, edge.target) for edge in made if edge.target in self._left_to_others.get(edge.source, ())}
        steps = self._calls(found)
        steps += self._messages(
            sent, [edge for edge in (*made, *carried, *passed_on) if (edge.source, edge.target) not in left]
        )
        steps += [Step(edge.target, edge.source, edge) for edge in requested]
        if is_first and not steps:
            steps = self._implementations(frontier)
        return steps

    def _within(self, edges: Iterable[Edge]) -> list[Edge]:
        """Those in the bodies of the members that are meant, of the first level."""
        return [edge for edge in edges if self._is_meant(edge.file_id, edge.line)]

    def _is_meant(self, file_id: int, line: int) -> bool:
        """Whether a place in a root is in what is traced."""
        part = self._entry.part
        return file_id not in self._elsewhere and (part is None or part.holds(file_id, line))

    def _requested(self, frontier: Sequence[int]) -> list[Edge]:
        """From requests over HTTP to what answers them. Where that has no id of its own, what maps it is reached and not followed, as it
        may map others too."""
        found = self._edges.links_from(frontier, (REQUESTS,))
        targets = self._edges.ids_of({edge.target for edge in found})
        for edge in found:
            self.bases.setdefault((edge.source, edge.target), Basis.REQUESTED)
        self._mapping.update(number for number, each in targets.items() if only_maps(self._snapshot, each))
        return found

    def _calls(self, found: Sequence[Edge]) -> list[Step]:
        virtual = [edge for edge in found if edge.is_virtual]
        self._library_calls.extend(edge for edge in found if edge.external and REF_KINDS[edge.kind] is RefKind.CALL)
        self._interface_calls.extend(edge for edge in virtual if not edge.external)
        for edge in virtual:
            self._called.setdefault(edge.source, set()).add(edge.target)
        dispatched = self._dispatcher.look_up(
            {edge.target for edge in virtual}, {edge.target for edge in virtual if edge.external}
        )
        ids = self._edges.ids_of({edge.target for edge in found})
        if not self._around.keys().isdisjoint(edge.source for edge in virtual):
            found = [edge for edge in found if not (edge.is_virtual and self._is_decorated(edge, ids[edge.target]))]
        self._made.update(edge.target for edge in found if REF_KINDS[edge.kind] is RefKind.INSTANTIATE)
        steps = []
        for edge in found:
            if is_type_id(ids[edge.target]):
                continue  # no constructor is declared, and nothing of ours runs
            chosen = dispatched.get(edge.target) if edge.is_virtual else None
            if chosen is not None:
                dispatched_to = self._dispatch(edge, chosen)
                steps += dispatched_to
                if dispatched_to and not chosen.runs_itself:
                    continue
            if not edge.external:
                steps.append(Step(edge.target, edge.source, edge))
        return steps

    def _place_in_projects(self, nodes: Sequence[int]) -> None:
        """Says where nodes are declared; those that no registration led to run where what leads to them does."""
        declared = self._snapshot.reader.declared_names(nodes)
        for node in nodes:
            self._declaring[node] = declared[node].project_id if node in declared else None
            parent = self.walk.parent_of(node)
            if node not in self._registering and parent is not None:
                own = frozenset({self._declaring[node]})
                is_apart = self.handles(node) or self.bases.get((parent, node)) is Basis.REQUESTED
                self._registering[node] = own if is_apart else self._registering.get(parent, frozenset())

    def _is_decorated(self, edge: Edge, target: str) -> bool:
        """Whether it leads from a decorator to what that runs around, which stands beside it."""
        return parse_id(target).name == self._around.get(edge.source)

    def _dispatch(self, edge: Edge, chosen: Dispatch) -> list[Step]:
        members, basis = chosen.members, chosen.basis
        carried = self._carrying.get(edge.source, ())
        of_message = self._naming(members or [each for each, _ in chosen.unfollowed], carried) if carried else ()
        if of_message and basis is Basis.ONE_OF_SEVERAL:
            members, basis = of_message, Basis.FOR_MESSAGE
        elif chosen.registrars:
            source = edge.source
            kept = self._dispatcher.within(chosen, self._declaring.get(source), self._registering.get(source, ()))
            members = tuple(kept)
            for each, projects in kept.items():
                self._registering.setdefault(each, projects)
        elif chosen.unfollowed:
            made = self._types_made()
            members, basis = tuple(each for each, type_ in chosen.unfollowed if type_ in made), Basis.MADE_HERE
            if not members:
                self.too_many[edge.target] = chosen.total
        for each in members:
            self.bases.setdefault((edge.source, each), basis)
        return [Step(each, edge.source, edge, edge.target) for each in members]

    def _types_made(self) -> frozenset[int]:
        """What the members that are reached so far create."""
        ids = self._edges.ids_of(self._made).values()
        types = {each if is_type_id(each) else container_of(each) for each in ids}
        return frozenset(self._edges.numbers_of(types).values())

    def _naming(self, members: Collection[int], carried: Collection[int]) -> tuple[int, ...]:
        """Those of ``members`` whose types name one of some messages, as a type argument of their base for example."""
        containers = {number: container_of(each) for number, each in self._edges.ids_of(members).items()}
        types = self._edges.numbers_of(set(containers.values()))
        naming = {edge.source for edge in self._edges.edges_between(types.values(), carried, (RefKind.TYPE,))}
        return tuple(each for each in members if types.get(containers[each]) in naming)

    def _messages(self, sent: Sequence[Edge], made: Sequence[Edge]) -> list[Step]:
        """From where a message is sent to its handlers; also from where one is made, as it will be sent by what it is given to."""
        messages = {each.method: each.message for each in self._facts.handlings}
        steps = [step for edge in sent for step in self._handled(edge.target, edge, messages.get(edge.target))]
        known = {(step.origin, step.node) for step in steps}
        for edge in made:
            for handler in self._handlers[edge.target]:
                if (edge.source, handler.method) not in known and handler.method != edge.source:
                    doubt = max(edge.confidence, CONFIDENCE_CODES[handler.confidence])
                    likely = edge._replace(confidence=doubt)
                    steps += self._handled(handler.method, likely, handler.message)
        return steps

    def _handled(self, method: int, edge: Edge, message: int | None) -> Iterator[Step]:
        """To the handler of a message; before it, where no handler of the trace had that yet, to what runs around it."""
        if message is not None:
            for each, project in self._surrounding.of(method, message, self._dispatcher.near):
                if each not in self._around:
                    self._registering.setdefault(each, frozenset({project}))
                    self._around[each] = parse_id(self._edges.ids_of([each])[each]).name
                    self.bases.setdefault((edge.source, each), Basis.AROUND)
                    yield Step(each, edge.source, edge, message)
        yield Step(method, edge.source, edge, message)

    def _carried(self, made: Sequence[Edge]) -> list[Edge]:
        """Messages that are the first type argument of one that is made, as in ``new Once<Order>(order)``: likely to be sent on by what
        handles that one. Those that a handler of it is seen to send on are left for it."""
        if not made:
            return []
        ids = self._edges.ids_of({edge.target for edge in made})
        behind = {
            (edge.source, edge.file_id, edge.line, edge.column + len(parse_id(ids[edge.target]).name) + 1): edge.target
            for edge in made
        }
        named = self._edges.edges_between({edge.source for edge in made}, self._handlers, (RefKind.TYPE,))
        carried = []
        for edge in named:
            carrying = behind.get((edge.source, edge.file_id, edge.line, edge.column))
            if carrying is not None:
                likely = edge._replace(confidence=CONFIDENCE_CODES[Confidence.LOW])
                wrappers = {each.method for each in self._handlers[carrying]}
                for each in wrappers:
                    self._carrying.setdefault(each, set()).add(edge.target)
                places = sending_places(self._snapshot, wrappers)
                for place in places:
                    self._passed_on.setdefault(place.source, []).append(
                        place._replace(target=edge.target, confidence=likely.confidence)
                    )
                if places:
                    self._left_to_others.setdefault(edge.source, set()).add(edge.target)
                else:
                    carried.append(likely)
        return carried

    def _implementations(self, roots: Sequence[int]) -> list[Step]:
        """From entry points without a body to the declarations that give them one."""
        dispatched = self._dispatcher.look_up(roots, ())
        filling: dict[int, Edge] = {}
        for edge in self._edges.edges_from(
            {each for found in dispatched.values() for each in found.members}, SLOT_KINDS
        ):
            filling.setdefault(edge.source, edge)
        steps = []
        for root, chosen in dispatched.items():
            for member in chosen.members:
                self.bases.setdefault((root, member), chosen.basis)
                steps.append(Step(member, root, filling[member], root))
        return steps

    # Facts

    def _find_annotations(self) -> dict[int, tuple[TraceAnnotation, ...]]:
        nodes = [*self.roots, *(node for level in self.walk.levels for node in level)]
        found: dict[int, list[TraceAnnotation]] = {node: [] for node in nodes}
        demands = [each for fact in self._entry.routes for each in _demanded(fact)]
        for root in self.roots:
            found[root] += [_annotation(fact, fact.line_start) for fact in self._entry.routes]
            found[root] += demands
        catching_all = self._snapshot.meanings.root_exceptions
        for fact in (*self._of_entry_types(), *self._facts.of_owners(nodes)):
            if passes_on(fact, catching_all):
                continue
            owner = fact.owner or 0
            node = owner if owner in found else self.roots[0]
            if not self._meant.holds(node, fact.project_id):
                continue
            if node in self.roots:
                is_elsewhere = not self._is_meant(fact.file_id, fact.line_start)
                if is_elsewhere or (demands and fact.kind == AUTHORIZE):
                    continue
            found[node].append(_annotation(fact, fact.line_start))
        reached = self._facts.reached_from(nodes)
        ids = self._edges.ids_of({each.fact.owner for each in reached if each.fact.owner is not None})
        for each in reached:
            if each.reader in self.roots and not self._is_meant(each.file_id, each.line):
                continue
            found[each.reader].append(_annotation(each.fact, each.line, ids[each.fact.owner or 0]))
        for source, line, effect in self._effects():
            if source in found:
                found[source].append(TraceAnnotation(kind=EFFECT, value=str(effect), line=line))
        for called in tables_called_for(self._snapshot, self._library_calls):
            if called.call.source in found:
                found[called.call.source].append(_table(called.table))
        for node, tables in tables_reached(self._snapshot, nodes, self._called, self.unresolved).items():
            found[node] += [_table(each) for each in tables]
        return {node: tuple(_unrepeated(annotations)) for node, annotations in found.items() if annotations}

    def _effects(self) -> list[tuple[int, int, Effect]]:
        """What calls of libraries do, as (member, line, effect); of a message that leads to its handlers, the handlers are said instead."""
        targets = self._edges.ids_of({edge.target for edge in self._library_calls})
        library = self._snapshot.kept(LibraryEffects)
        effects = {number: library.of_call(target) for number, target in targets.items()}
        sending = {origin for node, links in self.walk.links.items() if self.handles(node) for origin in links}
        found = [
            (edge.source, edge.line, effect)
            for edge in sorted(self._library_calls, key=self._order())
            if (effect := effects[edge.target]) is not None
        ]
        inherited = library.of_inherited(self._snapshot, self._interface_calls)
        found += [
            (edge.source, edge.line, inherited[edge.target])
            for edge in sorted(self._interface_calls, key=self._order())
            if edge.target in inherited
        ]
        found += [
            (use.source, use.line, effect) for use in self.unresolved if (effect := library.of_use(use)) is not None
        ]
        return [each for each in found if not (each[2].doing is Doing.SENDS_BY and each[0] in sending)]

    def _of_entry_types(self) -> list[OwnedFact]:
        """Who may call an endpoint, where the type that declares it says that."""
        if not self._entry.routes:
            return []
        types = self._edges.numbers_of({container_of(each) for each in self._entry.symbol_ids})
        return [fact for fact in self._facts.of_owners(types.values()) if fact.kind == AUTHORIZE]


def _annotation(fact: OwnedFact, line: int, through: str | None = None) -> TraceAnnotation:
    display, _ = split_value(fact.kind, fact.value)
    return TraceAnnotation(
        kind=fact.kind, value=display, confidence=Confidence(fact.confidence), line=line, through=through
    )


def _demanded(route: OwnedFact) -> Iterator[TraceAnnotation]:
    """Who may call an endpoint, groups and types around it included."""
    authorize = msgspec.json.decode(route.detail, type=RouteDetail).authorize
    if authorize:
        yield TraceAnnotation(
            kind=AUTHORIZE, value=authorize, confidence=Confidence(route.confidence), line=route.line_start
        )


def _table(reached: ReachedTable) -> TraceAnnotation:
    return TraceAnnotation(
        kind=FactKind.DB_TABLE,
        value=reached.table,
        confidence=reached.confidence,
        line=reached.line,
        through=reached.through,
    )


def _unrepeated(annotations: Iterable[TraceAnnotation]) -> Iterable[TraceAnnotation]:
    """Each value of a kind once, at its first place."""
    first: dict[tuple[str, str], TraceAnnotation] = {}
    for each in annotations:
        first.setdefault((each.kind, each.value), each)
    return first.values()
