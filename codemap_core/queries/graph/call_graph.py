"""Who calls a member and what a member calls, level by level; through interfaces and base members too where that is asked for.

All of a graph is walked, and a page of its sequence is shown (``graph_walk``), so that totals are known and a cut can be continued. Types
have no callers: their members have. Symbols of libraries are leaves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import Confidence, RefKind, SymbolKind, SymbolRow
from codemap_core.model.counting import with_article
from codemap_core.model.documentation_id import is_type_id
from codemap_core.model.library_symbol import library_symbol_of
from codemap_core.queries.dispatch.member_slots import fillers_of_all, slots_of_all
from codemap_core.queries.excerpts import Place, excerpts
from codemap_core.queries.graph.graph_walk import Link, Step, Walk
from codemap_core.queries.graph.meant_declarations import MeantDeclarations, standpoint_in
from codemap_core.queries.names.declaring_projects import Standpoint, nearest_declarations
from codemap_core.queries.names.symbol_targets import Target
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.graph import (
    CallGraphNode,
    CallGraphResponse,
    CallSite,
    InterfaceImplementationHint,
    UnresolvedCall,
)
from codemap_core.storage.reading.edge_lookup import SLOT_KINDS, Edge, EdgeLookup, UnresolvedUse
from codemap_core.storage.schema.codes import CONFIDENCE_CODES, CONFIDENCES, REF_KINDS

CALLER_KINDS: Final = (
    RefKind.CALL,
    RefKind.INSTANTIATE,
    RefKind.METHOD_GROUP,
    RefKind.READ,
    RefKind.WRITE,
    RefKind.EVENT_SUBSCRIBE,
    RefKind.OPERATOR,
    RefKind.CTOR_INITIALIZER,
    RefKind.ATTRIBUTE,
)
"""The kinds of references that make a symbol a caller of a member; the member's kind decides which of them can occur."""
CALLEE_KINDS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER)
_MEMBERS_NAMED: Final = 5
_MANY_FILLERS: Final = 10
"""Members that fill one slot of a library, such as ``Object.ToString``: of more than these none is meant."""
_UNKNOWN_TYPE: Final = "?"
"""The mark of a type that is not known."""
_MEDIUM: Final = CONFIDENCE_CODES[Confidence.MEDIUM]
_LOW: Final = CONFIDENCE_CODES[Confidence.LOW]


def callers(
    snapshot: Snapshot,
    target: Target,
    depth: int = 1,
    limit_per_level: int = 20,
    follow_interface: bool = False,
    follow_links: bool = False,
    offset: int = 0,
) -> CallGraphResponse:
    """Symbols that call ``target``, those that call these, and so on; production code before tests. ``follow_interface``: those that
    call it through an interface or a base member too, at every level; else the hint counts those of the first. ``follow_links``: those
    from which a link leads to it too, such as a request or a message. Shown are the nodes behind the first ``offset``, at most
    ``limit_per_level`` of each level. Raises: InvalidArgumentError for a type."""
    _refuse_types(snapshot, target)
    edges = snapshot.reader.edges
    roots = _roots(edges, target)
    walk = Walk(roots, _production_first(edges))
    meant = MeantDeclarations(snapshot, walk)
    slots = slots_of_all(edges, roots)
    through: list[Edge] = []
    called_directly: set[int] = set()
    kinds = (*CALLER_KINDS, RefKind.LINK) if follow_links else CALLER_KINDS
    for level in range(1, depth + 1):
        frontier = _members(edges, walk.frontier()) if level > 1 else walk.frontier()
        if not frontier:
            break
        if follow_interface and level > 1:
            slots = slots_of_all(edges, frontier)
        fillers = _inverted(slots) if follow_interface else {}
        direct = edges.edges_to(frontier, kinds)
        if level == 1:
            direct = _of_projects(edges, direct, target)
        else:
            meant.reach(frontier)
            direct = meant.of(direct, lambda edge: edge.target)
        named = set(fillers).difference(frontier)
        virtual = edges.edges_to(named, CALLER_KINDS, only_virtual=True) if named else []
        steps = [Step(edge.source, edge.target, edge) for edge in direct]
        steps += [
            Step(edge.source, reached, edge, edge.target)
            for edge in (*direct, *virtual)
            if edge.is_virtual
            for reached in fillers.get(edge.target, ())
        ]
        if level == 1:
            through = virtual if follow_interface else _virtual_to(edges, slots, roots)
            called_directly = {edge.source for edge in direct}
        walk.add_level(steps)
    hint = _hint(edges, slots_of_all(edges, roots), through, called_directly, follow_interface)
    return _Answer(snapshot, target, walk, offset, limit_per_level, incoming=True).response(hint=hint)


def callees(
    snapshot: Snapshot,
    target: Target,
    depth: int = 1,
    limit_per_level: int = 20,
    kinds: Sequence[RefKind] = (),
    follow_interface: bool = False,
    unresolved: bool = False,
    offset: int = 0,
) -> CallGraphResponse:
    """What ``target`` calls, what that calls, and so on; first-party symbols before those of libraries, then in the order of the source.
    A creation calls the constructor if that is declared, else it stands for the type. ``follow_interface``: what may run in place of an
    interface or virtual member that is called, too; else its implementations are counted. ``unresolved``: names that could not be
    resolved are nodes. Of a member without a body the first level are its implementations. Raises: InvalidArgumentError for a type."""
    _refuse_types(snapshot, target)
    edges = snapshot.reader.edges
    wanted = tuple(kinds) or CALLEE_KINDS
    roots = _roots(edges, target)
    walk = Walk(roots, _source_order(edges))
    meant = MeantDeclarations(snapshot, walk)
    missing = edges.unresolved_from(roots, wanted, edges.project_numbers(target.projects))
    fillers = {each for found in fillers_of_all(edges, roots).values() for each in found}
    lacks_body = False
    unknown: dict[int, UnresolvedUse] = {}
    for level in range(1, depth + 1):
        frontier = _members(edges, walk.frontier()) if level > 1 else walk.frontier()
        if not frontier:
            break
        found = edges.edges_from(frontier, wanted, conditional=True)
        if level == 1:
            found = _of_projects(edges, found, target)
        else:
            meant.reach(frontier)
            found = meant.of(found, lambda edge: edge.source)
        steps = [Step(edge.target, edge.source, edge) for edge in found]
        if level == 1 and not found and not missing:
            lacks_body = target.is_external or _is_bodiless(snapshot, target)
            steps = _implementations(edges, roots) if lacks_body and fillers else []
        elif follow_interface:
            steps += _dispatched(edges, found)
        if unresolved:
            steps += _unresolved_steps(missing if level == 1 else edges.unresolved_from(frontier, wanted), unknown)
        walk.add_level(steps)
    answer = _Answer(snapshot, target, walk, offset, limit_per_level, incoming=False, unknown=unknown)
    return answer.response(missing=missing, lacks_body=lacks_body, implementation_count=len(fillers))


class _Answer:
    """One page of a walk as a view."""

    def __init__(
        self,
        snapshot: Snapshot,
        target: Target,
        walk: Walk,
        offset: int,
        limit_per_level: int,
        *,
        incoming: bool,
        unknown: dict[int, UnresolvedUse] | None = None,
    ) -> None:
        self._snapshot: Final = snapshot
        self._edges: Final = snapshot.reader.edges
        self._target: Final = target
        self._walk: Final = walk
        self._incoming: Final = incoming
        self._unknown: Final = unknown or {}
        self._page: Final = walk.page(offset, limit_per_level)
        self._shown: Final = {*walk.roots, *self._page}
        self._is_first: Final = offset == 0
        ends = {end for node in self._shown for end in (*walk.links_to(node), *walk.links_back(node))}
        vias = {link.via for node in self._shown for link in self._links_of(node) if link.via is not None}
        known = {each for each in {*self._shown, *ends, *vias} if each not in self._unknown}
        self._ids: Final = self._edges.ids_of(known)
        self._is_cut: Final = offset + len(self._page) < walk.total

    def response(
        self,
        hint: InterfaceImplementationHint | None = None,
        missing: Sequence[UnresolvedUse] = (),
        lacks_body: bool = False,
        implementation_count: int = 0,
    ) -> CallGraphResponse:
        symbols = nearest_declarations(
            self._snapshot,
            {self._ids[each]: self._standpoint(each) for each in self._shown if each not in self._unknown},
        )
        self._libraries = self._snapshot.reader.library_symbols(
            self._ids[each] for each in self._shown if each not in self._unknown and self._ids[each] not in symbols
        )
        self._fillers = self._fillers_of_page()
        self._conditions = self._edges.conditions(link.edge for node in self._shown for link in self._links_of(node))
        places = [self._place(link) for node in self._shown for link in self._links_of(node)]
        lines = excerpts(self._snapshot, places)
        outgoing: dict[int, list[str]] = {}
        for node in self._shown:
            for origin in self._walk.links.get(node, ()):
                if origin in self._shown:
                    outgoing.setdefault(origin, []).append(self._id(node))
        ordered = (*self._walk.roots, *self._page)
        return CallGraphResponse(
            root=self._target.symbol_id,
            nodes=tuple(self._node(each, symbols, outgoing.get(each, ()), lines) for each in ordered),
            root_count=len(self._walk.roots),
            total_nodes_found=self._walk.total,
            total_is_minimum=self._walk.is_partial,
            nodes_by_level=tuple(len(level) for level in self._walk.levels if level),
            truncated=self._is_cut,
            interface_implementation_hint=hint,
            unresolved_count=len(missing),
            unresolved_nodes=len(self._unknown),
            unresolved_calls=_unresolved_calls(self._edges, missing),
            lacks_body=lacks_body,
            implementation_count=implementation_count,
        )

    def _standpoint(self, node: int) -> Standpoint | None:
        """Where the reference stands that a node is reached by; of what was asked for, its own declaration."""
        if node in self._walk.roots:
            return None if self._target.symbol is None else Standpoint.of(self._target.symbol)
        return standpoint_in(self._walk, self._edges, node)

    def _links_of(self, node: int) -> list[Link]:
        """Those that are told with a node."""
        return [*self._walk.links_to(node).values(), *self._walk.links_back(node).values()]

    def _id(self, node: int) -> str:
        use = self._unknown.get(node)
        return self._ids[node] if use is None else f"!:{_spelt(use)}"

    def _place(self, link: Link) -> Place:
        return self._edges.paths[link.edge.file_id], link.edge.line

    def _node(
        self, number: int, symbols: dict[str, SymbolRow], edges_to: Iterable[str], lines: dict[Place, str]
    ) -> CallGraphNode:
        symbol_id, use = self._id(number), self._unknown.get(number)
        symbol = symbols.get(symbol_id)
        fillers = self._fillers.get(number, ())
        name: str
        kind: SymbolKind | None
        if use is not None:
            name, kind = _spelt(use), None
        elif symbol is not None:
            name, kind = symbol.fully_qualified_name, symbol.kind
        else:
            library = self._libraries.get(symbol_id) or library_symbol_of(symbol_id)
            name, kind = library.fully_qualified_name, library.kind
        is_told = number not in self._walk.roots or self._is_first
        return CallGraphNode(
            symbol_id=symbol_id,
            display_name=name,
            kind=kind,
            depth=self._walk.depth_of(number),
            file_path=None if symbol is None else symbol.file_path,
            line=0 if symbol is None else symbol.name_line,
            edges_to=tuple(sorted(edges_to)),
            external=symbol is None and use is None,
            call_sites=self._sites(number, lines) if is_told else (),
            implementation_count=len(fillers),
            sole_implementation=self._ids[fillers[0]] if len(fillers) == 1 else None,
            unresolved_reason=None if use is None else use.reason or "unknown",
        )

    def _sites(self, number: int, lines: dict[Place, str]) -> tuple[CallSite, ...]:
        towards = [
            self._site(each, link, lines, is_caller=not self._incoming)
            for each, link in self._walk.links_to(number).items()
        ]
        back = [
            self._site(each, link, lines, is_caller=self._incoming)
            for each, link in self._walk.links_back(number).items()
        ]
        return (*towards, *back)

    def _site(self, other: int, link: Link, lines: dict[Place, str], *, is_caller: bool) -> CallSite:
        """``is_caller``: the other node calls the one that this is told with."""
        edge = link.edge
        return CallSite(
            from_symbol=self._id(other) if is_caller else None,
            to_symbol=None if is_caller else self._id(other),
            kind=REF_KINDS[edge.kind],
            file_path=self._edges.paths[edge.file_id],
            line=edge.line,
            column=edge.column,
            excerpt=lines.get(self._place(link)),
            count=link.count,
            via=None if link.via is None else self._ids[link.via],
            confidence=CONFIDENCES[link.confidence if link.via is None else max(link.confidence, _MEDIUM)],
            condition=None if edge.condition is None else self._conditions[edge.condition],
        )

    def _fillers_of_page(self) -> dict[int, tuple[int, ...]]:
        """The members that may run in place of the callees that are called virtually."""
        if self._incoming:
            return {}
        external = {
            node
            for node in self._page
            for link in self._walk.links_to(node).values()
            if link.edge.external and not link.via
        }
        called = [node for node in self._page if any(link.is_virtual for link in self._walk.links_to(node).values())]
        found = {
            node: fillers
            for node, fillers in fillers_of_all(self._edges, called).items()
            if self._shown.isdisjoint(fillers) and not (node in external and len(fillers) > _MANY_FILLERS)
        }
        self._ids.update(self._edges.ids_of({fillers[0] for fillers in found.values() if fillers}))
        return found


def _roots(edges: EdgeLookup, target: Target) -> list[int]:
    numbers = edges.numbers_of(target.symbol_ids)
    return [numbers[each] for each in target.symbol_ids if each in numbers]


def _of_projects(edges: EdgeLookup, found: list[Edge], target: Target) -> list[Edge]:
    """Those that concern the one of several symbols of the same id that was asked for."""
    if not target.projects:
        return found
    numbers = edges.project_numbers(target.projects)
    return [edge for edge in found if edge.project_id in numbers]


def _members(edges: EdgeLookup, numbers: Sequence[int]) -> list[int]:
    """Without types, which neither call nor are called, and without names that were not resolved."""
    ids = edges.ids_of([each for each in numbers if each > 0])
    return [each for each in numbers if each in ids and not is_type_id(ids[each])]


def _production_first(edges: EdgeLookup) -> Callable[[Edge], Any]:
    tests, ranks = edges.test_projects, edges.path_ranks
    return lambda edge: (edge.project_id in tests, ranks[edge.file_id], edge.line, edge.column, edge.kind)


def _source_order(edges: EdgeLookup) -> Callable[[Edge], Any]:
    ranks = edges.path_ranks
    return lambda edge: (edge.external, ranks[edge.file_id], edge.line, edge.column, edge.kind)


def _inverted(slots: dict[int, tuple[int, ...]]) -> dict[int, list[int]]:
    """By a slot, the members that fill it."""
    fillers: dict[int, list[int]] = {}
    for member, found in slots.items():
        for slot in found:
            fillers.setdefault(slot, []).append(member)
    return fillers


def _virtual_to(edges: EdgeLookup, slots: dict[int, tuple[int, ...]], roots: Collection[int]) -> list[Edge]:
    named = {slot for found in slots.values() for slot in found}.difference(roots)
    return edges.edges_to(named, CALLER_KINDS, only_virtual=True) if named else []


def _dispatched(edges: EdgeLookup, found: Sequence[Edge]) -> list[Step]:
    """From virtual calls to what may run in place of the member that is named."""
    virtual = [edge for edge in found if edge.is_virtual]
    fillers = fillers_of_all(edges, {edge.target for edge in virtual})
    return [
        Step(each, edge.source, edge, edge.target)
        for edge in virtual
        if not (edge.external and len(fillers[edge.target]) > _MANY_FILLERS)
        for each in fillers[edge.target]
    ]


def _implementations(edges: EdgeLookup, roots: Sequence[int]) -> list[Step]:
    """From members without a body to the declarations that give them one."""
    steps: list[Step] = []
    for root in roots:
        reached, frontier = {root}, [root]
        while frontier:
            found = edges.edges_to(frontier, SLOT_KINDS)
            steps += [Step(edge.source, root, edge) for edge in found if edge.source not in reached]
            frontier = list({edge.source for edge in found}.difference(reached))
            reached.update(frontier)
    return steps


def _is_bodiless(snapshot: Snapshot, target: Target) -> bool:
    """Whether a member that calls nothing is abstract or declared by an interface."""
    symbol = target.symbol
    if symbol is None or "abstract" in symbol.modifiers:
        return symbol is not None
    container = nearest_declarations(
        snapshot, {symbol.container_id: Standpoint.of(symbol)} if symbol.container_id else {}
    )
    return any(each.kind is SymbolKind.INTERFACE for each in container.values())


def _unresolved_steps(missing: Sequence[UnresolvedUse], unknown: dict[int, UnresolvedUse]) -> list[Step]:
    """Names as nodes with numbers below zero; ``unknown`` gets those that are new."""
    numbers = {_spelt(use): number for number, use in unknown.items()}
    steps = []
    for use in missing:
        number = numbers.setdefault(_spelt(use), -len(numbers) - 1)
        unknown.setdefault(number, use)
        edge = Edge(use.source, number, use.kind, use.file_id, use.line, use.column, _LOW, 0, 0, None)
        steps.append(Step(number, use.source, edge))
    return steps


def _spelt(use: UnresolvedUse) -> str:
    return use.name if use.container_hint in (None, _UNKNOWN_TYPE) else f"{use.container_hint}.{use.name}"


def _unresolved_calls(edges: EdgeLookup, missing: Sequence[UnresolvedUse]) -> tuple[UnresolvedCall, ...]:
    counts = Counter((use.container_hint, use.name, use.reason) for use in missing)
    first: dict[tuple[str | None, str, str | None], UnresolvedUse] = {}
    for use in sorted(missing, key=lambda each: (edges.path_ranks[each.file_id], each.line, each.column)):
        first.setdefault((use.container_hint, use.name, use.reason), use)
    return tuple(
        UnresolvedCall(
            name=use.name,
            container_hint=None if use.container_hint == _UNKNOWN_TYPE else use.container_hint,
            reason=use.reason,
            count=counts[key],
            file_path=edges.paths[use.file_id],
            line=use.line,
        )
        for key, use in first.items()
    )


def _hint(
    edges: EdgeLookup,
    slots: dict[int, tuple[int, ...]],
    through: Sequence[Edge],
    called_directly: Collection[int],
    followed: bool,
) -> InterfaceImplementationHint | None:
    named = tuple(dict.fromkeys(slot for found in slots.values() for slot in found))
    if not named:
        return None
    additional = len({edge.source for edge in through}.difference(called_directly))
    if followed:
        retry = "Those are included."
    elif additional:
        retry = "Call graph.callers again with follow_interface=true to include them."
    else:
        retry = "Nothing calls them."
    ids = edges.ids_of(named)
    return InterfaceImplementationHint(
        implements=tuple(ids[each] for each in named),
        additional_callers_via_interface=additional,
        included=followed,
        retry_hint=retry,
    )


def _refuse_types(snapshot: Snapshot, target: Target) -> None:
    if not target.is_type:
        return
    members = [
        member.symbol_id
        for member in snapshot.reader.members_of(target.symbol_id)
        if not member.is_type and "(" in member.symbol_id
    ][:_MEMBERS_NAMED]
    kind = target.kind.value if target.kind is not None else "type"
    instead = f" Or ask for one of its members: {', '.join(members)}." if members else ""
    raise InvalidArgumentError(
        f"{target.display_name} is {with_article(kind)}, and types are not called: refs.find with kind='type' or 'instantiate' "
        f"says where it is used, types.hierarchy what derives from it.{instead}",
        symbol_id=target.symbol_id,
        candidates=members,
    )
