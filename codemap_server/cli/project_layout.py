"""Places the boxes of a directed graph in columns, so that edges lead from left to right and cross little; deterministic.

Sugiyama's method: edges that a longer way implies are left out, each node stands in the column behind the longest way to what it
references, long edges to one target share a place in every column that they pass, and columns are sorted by the middle of their neighbours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

_SWEEPS: Final = 12
_ROW: Final = 1.0
"""Between two boxes of a column; a passing edge takes half of it."""


class Box(Struct, frozen=True):
    """A node's place: ``column`` counts from the left, ``row`` from the top, in heights of a box."""

    name: str
    column: int
    row: float


class Edge(Struct, frozen=True):
    """``points``: (column, row) of its ends and of what it passes between."""

    source: str
    target: str
    points: tuple[tuple[int, float], ...]


class Layout(Struct, frozen=True):
    boxes: tuple[Box, ...]
    edges: tuple[Edge, ...]
    """Direct references that no longer way implies."""
    columns: int
    rows: float


class _Place(Struct, eq=False):
    """A box, or where an edge passes a column."""

    column: int
    name: str = ""
    row: float = 0.0


def layout(references: Mapping[str, Sequence[str]]) -> Layout:
    """``references``: by name what each node leads to; all names are keys. What leads nowhere stands at the right."""
    targets = _without_cycles(references)
    columns = _columns(targets)
    drawn = {name: _essential(name, targets) for name in targets}
    alone = [name for name in targets if not drawn[name] and not any(name in each for each in drawn.values())]
    places = {name: _Place(columns[name], name) for name in targets if name not in alone}
    by_column: dict[int, list[_Place]] = defaultdict(list)
    for place in places.values():
        by_column[place.column].append(place)
    left: dict[_Place, list[_Place]] = defaultdict(list)
    right: dict[_Place, list[_Place]] = defaultdict(list)
    chains: list[tuple[str, str, list[_Place]]] = []
    lanes: dict[tuple[str, int], _Place] = {}
    for name, place in places.items():
        for target in drawn[name]:
            passed = []
            for between in range(place.column + 1, places[target].column):
                if (target, between) not in lanes:
                    lanes[target, between] = _Place(between)
                    by_column[between].append(lanes[target, between])
                passed.append(lanes[target, between])
            chain = [place, *passed, places[target]]
            chains.append((name, target, chain))
            for one, next_one in pairwise(chain):
                right[one].append(next_one)
                left[next_one].append(one)
    ordered = [by_column[column] for column in sorted(by_column)]
    _sort(ordered, left, right)
    _spread(ordered, left, right)
    top = min((place.row for column in ordered for place in column), default=0.0)
    for column in ordered:
        for place in column:
            place.row -= top
    height = max((place.row + _ROW for column in ordered for place in column), default=0.0)
    width = max(len(ordered), 1)
    boxes = [Box(place.name, place.column, place.row) for place in places.values()]
    begin = height + _ROW if alone and places else height
    across = max(width, 4)
    boxes += [Box(name, at % across, begin + at // across * _ROW) for at, name in enumerate(alone)]
    edges = [Edge(one, other, tuple((each.column, each.row) for each in chain)) for one, other, chain in chains]
    rows = begin + -(-len(alone) // across) * _ROW if alone else height
    return Layout(tuple(boxes), tuple(edges), across if alone else width, rows)


def _without_cycles(references: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The graph without the edges that close a cycle, which projects rarely have and this cannot draw."""
    targets: dict[str, tuple[str, ...]] = {}
    open_names: set[str] = set()

    def visit(name: str) -> None:
        open_names.add(name)
        kept = []
        for target in sorted(set(references[name])):
            if target in open_names or target not in references:
                continue
            if target not in targets:
                visit(target)
            kept.append(target)
        open_names.discard(name)
        targets[name] = tuple(kept)

    for name in sorted(references):
        if name not in targets:
            visit(name)
    return {name: targets[name] for name in sorted(targets)}


def _columns(targets: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """By name the column, so that every edge leads to the right, and what nothing references stands close to what it references."""
    depth: dict[str, int] = {}

    def depth_of(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((depth_of(target) for target in targets[name]), default=-1)
        return depth[name]

    last = max((depth_of(name) for name in targets), default=0)
    return {name: last - depth[name] for name in targets}


def _essential(name: str, targets: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Targets that cannot be reached through another one."""
    implied: set[str] = set()
    waiting = [further for target in targets[name] for further in targets[target]]
    while waiting:
        each = waiting.pop()
        if each not in implied:
            implied.add(each)
            waiting.extend(targets[each])
    return tuple(target for target in targets[name] if target not in implied)


def _sort(
    columns: list[list[_Place]], left: Mapping[_Place, list[_Place]], right: Mapping[_Place, list[_Place]]
) -> None:
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        neighbours = left if forward else right
        for column in columns if forward else reversed(columns):
            position = {place: float(at) for each in columns for at, place in enumerate(each)}
            column.sort(
                key=lambda place: _middle([position[each] for each in neighbours.get(place, ())], position[place])
            )


def _spread(
    columns: list[list[_Place]], left: Mapping[_Place, list[_Place]], right: Mapping[_Place, list[_Place]]
) -> None:
    """Rows: first packed, then each column is drawn towards its neighbours as far as its order and its distances allow."""
    for column in columns:
        row = 0.0
        for place in column:
            place.row = row
            row += _height(place)
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wanted = [
                _middle([each.row for each in (*left.get(place, ()), *right.get(place, ()))], place.row)
                for place in column
            ]
            _settle(column, wanted)


def _settle(column: list[_Place], wanted: list[float]) -> None:
    """Rows nearest to the wanted ones that keep order and distances: runs of places that push each other share the mean."""
    runs: list[tuple[float, int, float]] = []  # mean of where the run begins, its places, its height
    for place, row in zip(column, wanted, strict=True):
        begin, count, height = row, 1, _height(place)
        while runs and runs[-1][0] + runs[-1][2] > begin:
            before, number, size = runs.pop()
            begin = (before * number + (begin - size) * count) / (number + count)
            count, height = number + count, size + height
        runs.append((begin, count, height))
    at = 0
    for begin, count, _ in runs:
        row = begin
        for place in column[at : at + count]:
            place.row = row
            row += _height(place)
        at += count


def _height(place: _Place) -> float:
    return _ROW if place.name else _ROW / 2


def _middle(values: list[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
