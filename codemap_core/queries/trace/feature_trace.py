"""The trace of a feature, page by page: what a walk found, as a tree.

Nodes are shown in one sequence: first those that lead to facts about the outside world (tables, settings, messages, …), then those with
exceptions and logs, then the rest, each fairly over levels and branches. The sequence does not depend on how much of it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from codemap_core.model import CATCH, Confidence, FactKind
from codemap_core.model.documentation_id import readable_name
from codemap_core.queries.dispatch.implementations import Basis
from codemap_core.queries.names.declaring_projects import nearest_declarations
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.trace.entry_points import Entry
from codemap_core.queries.trace.feature_walk import FeatureWalk
from codemap_core.queries.views.trace import EFFECT, FeatureTraceResponse, TraceNode
from codemap_core.storage.reading.edge_lookup import SLOT_KINDS
from codemap_core.storage.schema.codes import CONFIDENCES, REF_KINDS

_QUIET: Final = frozenset({CATCH, FactKind.EXCEPTION.value, FactKind.LOG.value})
"""Kinds that say less of a feature than the others."""
_LOUD_WEIGHT: Final = 2


def trace_feature(snapshot: Snapshot, entry: Entry, depth: int, limit: int, offset: int = 0) -> FeatureTraceResponse:
    """The trace from ``entry`` over ``depth`` levels of calls; ``limit`` nodes of it behind the first ``offset``."""
    found = FeatureWalk(snapshot, entry, depth)
    walk = found.walk
    weights = _weights(found)
    sequence = sorted(walk.sequence(), key=lambda node: -weights[node])
    page = _Page(
        snapshot, found, {node: rank for rank, node in enumerate(sequence[offset : offset + limit], start=offset + 1)}
    )
    counts: dict[str, set[str]] = {}
    for said in found.annotations.values():
        for each in said:
            if each.kind != EFFECT:
                counts.setdefault(each.kind, set()).add(each.value)
    first = entry.symbol_ids[0]
    return FeatureTraceResponse(
        entry_point=first,
        entry_point_name=page.name_of(found.roots[0]) if found.roots else readable_name(first),
        entry_point_route=entry.routes[0].value if entry.routes else None,
        nodes=page.nodes(),
        root_count=len(found.roots),
        total_nodes_traversed=len(found.roots) + walk.total,
        depth=depth,
        truncated=offset + limit < len(sequence),
        total_is_minimum=walk.is_partial,
        annotation_counts={kind: len(values) for kind, values in sorted(counts.items())},
        unresolved_count=len(found.unresolved),
        leads_further_count=len(found.further),
    )


def _weights(found: FeatureWalk) -> dict[int, int]:
    """By node: 2 where it or what is below it has a fact about the outside world or handles a message, 1 for other facts, else 0."""
    weights: dict[int, int] = {}
    for level in (*reversed(found.walk.levels), found.roots):
        for node in level:
            kinds = {each.kind for each in found.annotations.get(node, ())}
            own = _LOUD_WEIGHT if kinds - _QUIET or found.handles(node) else int(bool(kinds))
            weights[node] = max([own, *(weights[child] for child in found.walk.children_of(node))])
    return weights


class _Page:
    """Nodes of one page. ``ranks``: of those that are shown, the entry points left out."""

    def __init__(self, snapshot: Snapshot, found: FeatureWalk, ranks: Mapping[int, int]) -> None:
        self._found: Final = found
        self._walk: Final = found.walk
        self._ranks: Final = ranks
        self._is_first: Final = not ranks or min(ranks.values()) == 1
        shown = [*found.roots, *ranks]
        self._also: Final = self._links_elsewhere(frozenset(shown))
        links = [link for node in ranks for link in self._walk.links[node].values()]
        named = {*shown, *(link.via for link in links if link.via is not None)}
        named |= {each for others in self._also.values() for each in others}
        named |= {parent for node in ranks if (parent := self._walk.parent_of(node)) is not None}
        self._ids: Final = snapshot.reader.edges.ids_of(named)
        self._symbols: Final = nearest_declarations(
            snapshot, {self._ids[node]: found.standpoint(node) for node in shown}
        )

    def nodes(self) -> tuple[TraceNode, ...]:
        """The entry points on the first page, and what hangs below nodes of earlier ones."""
        roots = [self._node(root) for root in self._found.roots] if self._is_first else []
        begun = {*self._ranks, *(self._found.roots if self._is_first else ())}
        orphans = [node for node in self._ranks if self._walk.parent_of(node) not in begun]
        return (*roots, *(self._node(node, is_orphan=True) for node in orphans))

    def name_of(self, node: int) -> str:
        symbol = self._symbols.get(self._ids[node])
        return readable_name(self._ids[node]) if symbol is None else symbol.fully_qualified_name

    def _line(self, node: int, declared: int) -> int:
        """Of an endpoint whose body is a lambda, where that is mapped."""
        part = self._found.part
        return part.line_start if part is not None and node in self._found.roots else declared

    def _links_elsewhere(self, shown: frozenset[int]) -> dict[int, list[int]]:
        """By a node that is shown, the nodes that it leads to and that stand under another."""
        found: dict[int, list[int]] = {}
        for node, links in self._walk.links.items():
            parent = self._walk.parent_of(node)
            for origin in links:
                if origin in shown and origin not in (parent, node):
                    found.setdefault(origin, []).append(node)
        return found

    def _node(self, node: int, *, is_orphan: bool = False) -> TraceNode:
        symbol_id = self._ids[node]
        symbol = self._symbols.get(symbol_id)
        parent = self._walk.parent_of(node)
        link = None if parent is None else self._walk.links[node][parent]
        basis = None if parent is None else self._found.bases.get((parent, node))
        confidence = Confidence.HIGH if link is None else CONFIDENCES[link.confidence]
        if basis in (Basis.ONE_OF_SEVERAL, Basis.MADE_HERE) and confidence is Confidence.HIGH:
            confidence = Confidence.MEDIUM
        return TraceNode(
            symbol_id=symbol_id,
            stable_id="" if symbol is None else symbol.stable_id,
            display_name=self.name_of(node),
            depth=self._walk.depth_of(node),
            annotations=self._found.annotations.get(node, ()),
            children=tuple(self._node(child) for child in self._walk.children_of(node) if child in self._ranks),
            file_path="" if symbol is None else symbol.file_path,
            line=self._line(node, 0 if symbol is None else symbol.name_line),
            called_at=0 if link is None or REF_KINDS[link.edge.kind] in SLOT_KINDS else link.edge.line,
            via=None if link is None or link.via is None else self._ids[link.via],
            basis=basis,
            implementation_count=self._found.too_many.get(node, 0),
            leads_further=node in self._found.further,
            also=tuple(sorted(self._ids[each] for each in self._also.get(node, ()))),
            parent=self._ids[parent] if is_orphan and parent is not None else None,
            confidence=confidence,
            rank=self._ranks.get(node, 0),
        )
