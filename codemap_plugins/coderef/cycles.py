"""Cycles of a graph: its strongly connected components (Tarjan), each shown by a shortest cycle through its least node."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence


def cycles(edges: Iterable[tuple[int, int]]) -> list[list[int]]:
    """One cycle of each component that has one, by its least node; a node that leads to itself is a cycle of one."""
    different = set(edges)
    reached = {target for _, target in different}
    graph: dict[int, list[int]] = {}
    for source, target in sorted(
        each for each in different if each[0] in reached
    ):  # what nothing leads to is on no cycle
        graph.setdefault(source, []).append(target)
        graph.setdefault(target, [])
    found = []
    for component in _components(graph):
        least = min(component)
        if len(component) > 1 or least in graph[least]:
            found.append(_shortest(graph, least, frozenset(component)))
    return sorted(found)


def _components(graph: Mapping[int, Sequence[int]]) -> list[list[int]]:
    found: list[list[int]] = []
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    for root in graph:
        if root in order:
            continue
        work = [(root, iter(graph[root]))]
        order[root] = low[root] = len(order)
        path.append(root)
        on_path.add(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in order:
                    order[target] = low[target] = len(order)
                    path.append(target)
                    on_path.add(target)
                    work.append((target, iter(graph[target])))
                    break
                if target in on_path:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    at = path.index(node)
                    component = path[at:]
                    del path[at:]
                    on_path.difference_update(component)
                    found.append(component)
    return found


def _shortest(graph: Mapping[int, Sequence[int]], start: int, component: frozenset[int]) -> list[int]:
    """From ``start`` back to before it."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while waiting:
        node = waiting.popleft()
        for target in graph[node]:
            if target == start:
                cycle = [node]
                while cycle[-1] != start:
                    cycle.append(came_from[cycle[-1]])
                return cycle[::-1]
            if target in component and target not in came_from:
                came_from[target] = node
                waiting.append(target)
    raise AssertionError("a component of several nodes has a cycle through each of them")
