"""Which symbols tests declare, and which they reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from codemap_core.queries.snapshot import Snapshot


def in_tests(snapshot: Snapshot, numbers: Collection[int]) -> frozenset[int]:
    """Those of ``numbers`` that test projects alone declare."""
    tests = snapshot.reader.edges.test_projects
    return snapshot.reader.edges.declared_only_in(numbers, tests) if tests else frozenset()


def reached_from(tests: Collection[int], uses: Iterable[tuple[int, int]]) -> frozenset[int]:
    """All that ``tests`` lead to over (user, used)."""
    used_by: dict[int, list[int]] = {}
    for user, used in uses:
        used_by.setdefault(user, []).append(used)
    found: set[int] = set()
    frontier = list(tests)
    while frontier:
        for used in used_by.get(frontier.pop(), ()):
            if used not in found:
                found.add(used)
                frontier.append(used)
    return frozenset(found)
