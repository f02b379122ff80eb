"""A walk from some symbols over edges, level by level, and the one fair sequence in which its nodes are shown.

Invariants: a node is reached once, at its least distance, and has one parent: the first node of the level before that leads to it. In the
sequence a node stands behind its parent, and levels and branches take turns, so that the beginning of it shows something of each. What
leads to any of the symbols that the walk begins with, such as overloads asked for together, is one branch. The sequence depends on the
edges alone, not on how much of it is shown. A link is told with that of its two nodes which stands later in the sequence, so that the
pages of it have every link once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from msgspec import Struct

from codemap_core.storage.reading.edge_lookup import Edge

FOLLOWED: Final = 1000
"""Nodes of a level from which the walk goes on."""


class Step(NamedTuple):
    """``edge`` leads from ``origin`` to ``node``. ``via``: the member that the place names instead of the one that may run."""

    node: int
    origin: int
    edge: Edge
    via: int | None = None


class Link(Struct):
    """All steps between two nodes: the first place, and how many there are. What other configurations alone compile comes after all else,
    and makes no difference to the confidence of that."""

    edge: Edge
    via: int | None
    confidence: int
    count: int = 1
    is_virtual: bool = False


class Walk:
    """``order``: sorts the edges that leave one node."""

    def __init__(self, roots: Sequence[int], order: Callable[[Edge], Any]) -> None:
        self.roots: Final = tuple(roots)
        self.links: Final[dict[int, dict[int, Link]]] = {}
        """By node, then by where it is reached from; parents first."""
        self.levels: Final[list[list[int]]] = []
        self.is_partial = False
        """A level was too large to be followed whole."""
        self._order: Final = order
        self._depths: Final = dict.fromkeys(self.roots, 0)
        self._children: Final[dict[int, list[int]]] = {}

    def frontier(self) -> Sequence[int]:
        """The nodes from which the next level is reached."""
        if not self.levels:
            return self.roots
        last = self.levels[-1]
        return last[:FOLLOWED]

    def add_level(self, steps: Iterable[Step]) -> None:
        if self.levels and len(self.levels[-1]) > FOLLOWED:
            self.is_partial = True
        ranks = (
            {number: rank for rank, number in enumerate(self.levels[-1])}
            if self.levels
            else dict.fromkeys(self.roots, 0)
        )
        level: list[int] = []
        depth = len(self.levels) + 1
        for step in sorted(steps, key=lambda each: (ranks[each.origin], self._order(each.edge), each.via is not None)):
            if step.node not in self._depths:
                self._depths[step.node] = depth
                self._children.setdefault(step.origin, []).append(step.node)
                level.append(step.node)
            self._link(step)
        self.levels.append(level)

    def add_links(self, steps: Iterable[Step]) -> None:
        """Further edges between nodes that are reached; no node is."""
        for step in sorted(steps, key=lambda each: (self._order(each.edge), each.via is not None)):
            if step.node in self._depths:
                self._link(step)

    def _link(self, step: Step) -> None:
        links = self.links.setdefault(step.node, {})
        link = links.get(step.origin)
        is_virtual = bool(step.edge.is_virtual) and step.via is None
        if link is None:
            links[step.origin] = Link(step.edge, step.via, step.edge.confidence, is_virtual=is_virtual)
            return
        link.count += 1
        link.is_virtual |= is_virtual
        if link.edge.condition is not None and step.edge.condition is None:
            link.edge, link.via, link.confidence = step.edge, step.via, step.edge.confidence
        elif link.edge.condition is not None or step.edge.condition is None:
            link.confidence = max(link.confidence, step.edge.confidence)

    def depth_of(self, node: int) -> int:
        return self._depths[node]

    def has_reached(self, node: int) -> bool:
        return node in self._depths

    def parent_of(self, node: int) -> int | None:
        """Null for a root."""
        return None if node in self.roots else next(iter(self.links[node]))

    def children_of(self, node: int) -> Sequence[int]:
        """The nodes whose parent it is, in order."""
        return self._children.get(node, ())

    @property
    def total(self) -> int:
        return sum(map(len, self.levels))

    def page(self, offset: int, limit_per_level: int) -> list[int]:
        """Nodes of the sequence behind the first ``offset``, until a level has given ``limit_per_level`` of them."""
        shown: list[int] = []
        taken = [0] * (len(self.levels) + 1)
        for node in self._sequence[offset:]:
            depth = self._depths[node]
            if taken[depth] == limit_per_level:
                break
            taken[depth] += 1
            shown.append(node)
        return shown

    def links_to(self, node: int) -> dict[int, Link]:
        """By where they come from, those that lead to ``node`` from a node that stands before it in the sequence, or from itself; its
        parent's first."""
        place = self._places[node]
        return {origin: link for origin, link in self.links.get(node, {}).items() if self._places[origin] <= place}

    def links_back(self, node: int) -> dict[int, Link]:
        """By where they lead, those that leave ``node`` for a node that stands before it in the sequence."""
        place = self._places[node]
        return {each: link for each, link in self._leaving.get(node, {}).items() if self._places[each] < place}

    @cached_property
    def _sequence(self) -> list[int]:
        return self.sequence()

    @cached_property
    def _places(self) -> dict[int, int]:
        """Where each node stands in the sequence, roots before it."""
        return {node: place for place, node in enumerate((*self.roots, *self._sequence))}

    @cached_property
    def _leaving(self) -> dict[int, dict[int, Link]]:
        leaving: dict[int, dict[int, Link]] = {}
        for node, links in self.links.items():
            for origin, link in links.items():
                leaving.setdefault(origin, {})[node] = link
        return leaving

    def sequence(self) -> list[int]:
        """In rounds, of which each gives one node of every level; a branch that has given none yet comes first."""
        new: list[deque[deque[int]]] = [deque() for _ in range(len(self.levels) + 2)]
        begun: list[deque[deque[int]]] = [deque() for _ in new]
        found: list[int] = []
        if self.levels and self.levels[0]:
            new[1].append(deque(self.levels[0]))
        while any(new) or any(begun):
            for depth, (branches, waiting) in enumerate(zip(new, begun, strict=True)):
                if not branches and not waiting:
                    continue
                branch = (branches or waiting).popleft()
                node = branch.popleft()
                if branch:
                    waiting.append(branch)
                found.append(node)
                if node in self._children:
                    new[depth + 1].append(deque(self._children[node]))
        return found
