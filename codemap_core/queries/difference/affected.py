"""Who is affected by what changed: members that refer to it, and tests from which calls lead to it.

Calls through an interface or a base member lead to what implements or overrides it, if that is declared in the repository. Messages lead to
what handles them, requests over HTTP to what answers them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec import Struct

from codemap_core.model import RefKind
from codemap_core.model.documentation_id import is_method_id, parse_id
from codemap_core.model.reference import RUNNING_ROLES
from codemap_core.queries.difference.views import ReachingTest
from codemap_core.queries.dispatch.member_slots import slots_of_all
from codemap_core.queries.graph.call_graph import CALLER_KINDS
from codemap_core.storage.reading.reader import IndexReader

USING_KINDS: Final = tuple(
    kind for kind in RefKind if kind not in (RefKind.IMPORT, RefKind.CREF, RefKind.NAMEOF, RefKind.LINK)
)
"""Kinds of references that a change of their target may break."""
_SHOWN: Final = 3


class Users(Struct, frozen=True):
    """Members that refer to a symbol from outside it."""

    count: int
    test_count: int
    first: tuple[str, ...]
    """Production code before tests."""


def users_of(reader: IndexReader, symbol_ids: Collection[str]) -> dict[str, Users]:
    """By id, for those that anything refers to."""
    numbers = reader.edges.numbers_of(symbol_ids)
    found: dict[int, dict[int, bool]] = {}
    tests = reader.edges.test_projects
    for edge in reader.edges.edges_to(numbers.values(), USING_KINDS):
        sources = found.setdefault(edge.target, {})
        sources[edge.source] = sources.get(edge.source, True) and edge.project_id in tests
    names = reader.edges.ids_of({source for sources in found.values() for source in sources})
    users = {}
    for symbol_id, number in numbers.items():
        outside = {
            names[source]: in_test
            for source, in_test in found.get(number, {}).items()
            if not is_within(names[source], symbol_id)
        }
        if outside:
            first = sorted(outside, key=lambda each: (outside[each], each))[:_SHOWN]
            users[symbol_id] = Users(len(outside), sum(outside.values()), tuple(first))
    return users


def is_within(symbol_id: str, container_id: str) -> bool:
    """Whether an id is that of a symbol or of something in it."""
    return symbol_id[2:] == container_id[2:] or symbol_id[2:].startswith(f"{container_id[2:]}.")


def reaching_tests(reader: IndexReader, symbol_ids: Iterable[str]) -> list[ReachingTest]:
    """The tests that lead to any of some symbols, nearest first, then by place: methods of test projects that nothing calls."""
    edges = reader.edges
    starts = set(edges.numbers_of(set(symbol_ids)).values())
    distances = dict.fromkeys(starts, 0)
    in_tests: set[int] = set()
    called: set[int] = set()
    frontier: Collection[int] = starts
    distance = 0
    while frontier:
        distance += 1
        slots = _declared(reader, {slot for found in slots_of_all(edges, frontier).values() for slot in found})
        reached = edges.edges_to(frontier, CALLER_KINDS)
        reached += edges.edges_to(slots.difference(frontier), CALLER_KINDS, only_virtual=True) if slots else []
        reached += edges.links_to(frontier, RUNNING_ROLES)
        called.update(edge.target for edge in reached if edge.source != edge.target)
        in_tests.update(edge.source for edge in reached if edge.project_id in edges.test_projects)
        frontier = {edge.source for edge in reached}.difference(distances)
        distances.update(dict.fromkeys(frontier, distance))
    ids = edges.ids_of(in_tests - called)
    return _tests(reader, {ids[number]: distances[number] for number in ids})


def _tests(reader: IndexReader, distances: Mapping[str, int]) -> list[ReachingTest]:
    methods = [each for each in distances if is_method_id(each) and not parse_id(each).is_constructor]
    rows = reader.first_declarations(methods)
    found = [
        ReachingTest(symbol_id=each, file_path=row.file_path, line=row.name_line, distance=distances[each])
        for each, row in rows.items()
    ]
    return sorted(found, key=lambda test: (test.file_path, test.line, test.symbol_id))


def _declared(reader: IndexReader, numbers: Collection[int]) -> set[int]:
    return set(reader.declared_names(numbers)) if numbers else set()
