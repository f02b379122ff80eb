"""Who calls a member and what a member calls, level by level.

A node is reached once, at its least depth. The nodes stand in one order: in rounds, of which each takes the next few of every level, so
that a cut shows something of all levels; within a level by place, symbols of libraries last. All edges between nodes that are shown are
told. Types have no callers: their members have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import Confidence, RefKind, SymbolRow
from codemap_core.model.documentation_id import readable_name
from codemap_core.model.library_symbol import kind_of
from codemap_core.queries.excerpts import excerpts
from codemap_core.queries.references import slots_of_all
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.symbol_targets import Target
from codemap_core.queries.views_graph import CallGraphNode, CallGraphResponse, CallSite, InterfaceImplementationHint
from codemap_core.storage.reference_lookup import EdgeRow

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
"""What makes a symbol a caller of a member; which of them can occur, the member's kind decides."""
CALLEE_KINDS: Final = (RefKind.CALL, RefKind.INSTANTIATE, RefKind.CTOR_INITIALIZER)
_MEMBERS_NAMED: Final = 5


def callers(
    snapshot: Snapshot,
    target: Target,
    depth: int = 1,
    limit_per_level: int = 20,
    offset: int = 0,
    follow_interface: bool = False,
) -> CallGraphResponse:
    """Symbols that call ``target``, those that call these, and so on: one round of ``limit_per_level`` nodes of each level, after
    ``offset`` nodes. ``follow_interface``: those that call it through an interface or a
    base type too, at every level; else the hint counts those of the first. Raises: InvalidArgumentError for a type."""
    _refuse_types(snapshot, target)
    graph = _Graph(snapshot, target)
    for level in range(1, depth + 1):
        frontier = [each for each in graph.frontier if not each.startswith("T:")]
        named: dict[str, list[str]] = {each: [each] for each in frontier}  # by the member that a call names
        if follow_interface:
            for each, slots in slots_of_all(snapshot, frontier).items():
                for slot in slots:
                    named.setdefault(slot, []).append(each)
        direct = snapshot.reader.edges_to(frontier, CALLER_KINDS)
        virtual = snapshot.reader.virtual_edges_to(set(named).difference(frontier), CALLER_KINDS)
        steps = [(edge.from_symbol, reached, edge) for edge in (*direct, *virtual) for reached in named[edge.to_symbol]]
        if not graph.add_level(level, steps):
            break
    return graph.response(_hint(snapshot, target, follow_interface), limit_per_level, offset, incoming=True)


def callees(
    snapshot: Snapshot,
    target: Target,
    depth: int = 1,
    limit_per_level: int = 20,
    offset: int = 0,
    kinds: Sequence[RefKind] = (),
) -> CallGraphResponse:
    """What ``target`` calls, what that calls, and so on, as ``callers`` gives it; symbols of libraries are leaves. A creation calls the
    constructor if that is declared, else it stands for the type. Raises: InvalidArgumentError for a type."""
    _refuse_types(snapshot, target)
    graph = _Graph(snapshot, target)
    for level in range(1, depth + 1):
        frontier = [each for each in graph.frontier if not each.startswith("T:")]
        edges = snapshot.reader.edges_from(frontier, tuple(kinds) or CALLEE_KINDS)
        steps = [(edge.to_symbol, edge.from_symbol, edge) for edge in edges]
        if not graph.add_level(level, steps):
            break
    return graph.response(None, limit_per_level, offset, incoming=False)


_Step = tuple[str, str, EdgeRow]
"""The node reached, the node it was reached from, and the edge that says so."""


class _Graph:
    def __init__(self, snapshot: Snapshot, target: Target) -> None:
        self._snapshot: Final = snapshot
        self._target: Final = target
        self._depths: Final[dict[str, int]] = dict.fromkeys(target.symbol_ids, 0)
        self._levels: Final[list[list[str]]] = []
        self._steps: Final[dict[tuple[str, str], tuple[EdgeRow, int]]] = {}
        self.frontier: list[str] = list(target.symbol_ids)

    def add_level(self, level: int, steps: Sequence[_Step]) -> bool:
        """Whether there is anything to go on from."""
        for node, origin, edge in steps:
            known = self._steps.get((node, origin))
            self._steps[node, origin] = (edge, edge.count) if known is None else (known[0], known[1] + edge.count)
        ordered = sorted(steps, key=lambda step: step[2].external)
        self.frontier = [node for node in dict.fromkeys(node for node, _, _ in ordered) if node not in self._depths]
        self._levels.append(self.frontier)
        self._depths.update(dict.fromkeys(self.frontier, level))
        return bool(self.frontier)

    def response(
        self, hint: InterfaceImplementationHint | None, limit_per_level: int, offset: int, *, incoming: bool
    ) -> CallGraphResponse:
        rounds = range(0, max(map(len, self._levels)), limit_per_level)
        order = [each for start in rounds for level in self._levels for each in level[start : start + limit_per_level]]
        page = order[offset : offset + limit_per_level * len(self._levels)]
        shown = {each: self._depths[each] for each in (*self._target.symbol_ids, *page)}
        symbols = self._snapshot.reader.first_declarations(shown)
        steps = {pair: step for pair, step in self._steps.items() if pair[0] in shown}
        lines = excerpts(self._snapshot, [(edge.file_path, edge.line) for edge, _ in steps.values()])
        edges_to: dict[str, list[str]] = {}
        sites: dict[str, list[CallSite]] = {}
        for (node, origin), (edge, count) in steps.items():
            edges_to.setdefault(origin, []).append(node)
            site = _site(edge, origin, count, lines.get((edge.file_path, edge.line)), incoming=incoming)
            sites.setdefault(node, []).append(site)
        nodes = [
            self._node(symbol_id, depth, symbols.get(symbol_id), edges_to.get(symbol_id, []), sites.get(symbol_id, []))
            for symbol_id, depth in shown.items()
        ]
        return CallGraphResponse(
            root=self._target.symbol_id,
            nodes=tuple(nodes),
            total_nodes_found=len(order),
            truncated=offset + len(page) < len(order),
            interface_implementation_hint=hint,
        )

    @staticmethod
    def _node(
        symbol_id: str, depth: int, symbol: SymbolRow | None, edges_to: list[str], sites: list[CallSite]
    ) -> CallGraphNode:
        node = CallGraphNode(
            symbol_id=symbol_id,
            display_name=readable_name(symbol_id) if symbol is None else symbol.fully_qualified_name,
            kind=kind_of(symbol_id) if symbol is None else symbol.kind,
            depth=depth,
            edges_to=tuple(sorted(edges_to)),
            external=symbol is None,
            call_sites=tuple(sorted(sites, key=lambda site: (site.file_path, site.line, site.column))),
        )
        return node if symbol is None else replace(node, file_path=symbol.file_path, line=symbol.name_line)


def _site(edge: EdgeRow, origin: str, count: int, line: str | None, *, incoming: bool) -> CallSite:
    via = edge.to_symbol if incoming and edge.to_symbol != origin else None
    return CallSite(
        from_symbol=None if incoming else origin,
        to_symbol=origin if incoming else None,
        kind=edge.kind,
        file_path=edge.file_path,
        line=edge.line,
        column=edge.column,
        excerpt=line,
        count=count,
        via=via,
        confidence=edge.confidence if via is None else max(edge.confidence, Confidence.MEDIUM, key=_doubt),
    )


def _doubt(confidence: Confidence) -> int:
    return tuple(Confidence).index(confidence)


def _hint(snapshot: Snapshot, target: Target, followed: bool) -> InterfaceImplementationHint | None:
    slots = tuple(dict.fromkeys(slot for each in slots_of_all(snapshot, target.symbol_ids).values() for slot in each))
    if not slots:
        return None
    direct = {edge.from_symbol for edge in snapshot.reader.edges_to(target.symbol_ids, CALLER_KINDS)}
    through = {edge.from_symbol for edge in snapshot.reader.virtual_edges_to(slots, CALLER_KINDS)}
    additional = len(through - direct)
    if followed:
        retry = "Those are included."
    elif additional:
        retry = "Call graph.callers again with follow_interface=true to include them."
    else:
        retry = "Nothing calls them."
    return InterfaceImplementationHint(implements=slots, additional_callers_via_interface=additional, retry_hint=retry)


def _refuse_types(snapshot: Snapshot, target: Target) -> None:
    if not target.is_type:
        return
    members = [
        member.symbol_id
        for member in snapshot.reader.members_of(target.symbol_id)
        if not member.kind.is_type and "(" in member.symbol_id
    ][:_MEMBERS_NAMED]
    kind = target.kind.value if target.kind is not None else "type"
    instead = f" Or ask for one of its members: {', '.join(members)}." if members else ""
    raise InvalidArgumentError(
        f"{target.display_name} is a {kind}, and types are not called: refs.find with kind='type' or 'instantiate' says where it is "
        f"used, types.hierarchy what derives from it.{instead}",
        symbol_id=target.symbol_id,
        candidates=members,
    )
