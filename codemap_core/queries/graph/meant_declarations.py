"""Which edges and facts of a walk are of the declarations that it has reached, where other projects declare the same ids.

What several projects declare is one node of a walk, as they share its id. It stands for the declaration that is meant where the walk came
from: what the other projects refer to in theirs, and what in them refers to it, is not part of the walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from codemap_core.queries.graph.graph_walk import Walk
from codemap_core.queries.names.declaring_projects import Standpoint, nearest_declarations, projects_of_others
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.reading.edge_lookup import Edge, EdgeLookup


def standpoint_in(walk: Walk, edges: EdgeLookup, node: int) -> Standpoint:
    """Where the first reference stands that leads to a node which the walk did not begin with."""
    return Standpoint.at(edges, next(iter(walk.links[node].values())).edge)


class MeantDeclarations:
    """Of one walk, level by level. What it begins with is left to who began it."""

    def __init__(self, snapshot: Snapshot, walk: Walk) -> None:
        self._snapshot: Final = snapshot
        self._edges: Final = snapshot.reader.edges
        self._walk: Final = walk
        self._others: Final[dict[int, frozenset[int | None]]] = {}
        """By node that several declare, the projects that declare another symbol of its id; null for files that no project compiles."""

    def reach(self, nodes: Iterable[int]) -> None:
        """Decides which declarations of ``nodes`` are meant, by the places that lead to them."""
        several = self._edges.declared_by_several([each for each in nodes if each not in self._walk.roots])
        if not several:
            return
        ids = self._edges.ids_of(several)
        seen_from = {ids[each]: standpoint_in(self._walk, self._edges, each) for each in several}
        meant = nearest_declarations(self._snapshot, seen_from)
        others = projects_of_others(self._snapshot, meant.values())
        for number in several:
            paths = others.get(ids[number], frozenset())
            compiled: frozenset[int | None] = self._edges.project_numbers(paths)
            self._others[number] = compiled | {None} if "" in paths else compiled

    def of(self, edges: list[Edge], node_of: Callable[[Edge], int]) -> list[Edge]:
        """Those that are of the declarations meant; ``node_of`` gives the end that has been reached."""
        return [edge for edge in edges if self.holds(node_of(edge), edge.project_id)] if self._others else edges

    def holds(self, node: int, project_id: int | None) -> bool:
        """Whether a row about a node that stands in a project is of the declaration that is meant."""
        return project_id not in self._others.get(node, ())
