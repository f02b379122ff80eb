"""Projects as numbers of the index, and which of them see each other by references over any number of steps."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def projects_below(references: Mapping[int, Collection[int]], projects: Collection[int]) -> frozenset[int]:
    """``projects`` and what they reference. ``references``: by project, what it references itself."""
    found: set[int] = set()
    waiting = list(projects)
    while waiting:
        current = waiting.pop()
        if current not in found:
            found.add(current)
            waiting += references.get(current, ())
    return frozenset(found)


def related_projects(references: Mapping[int, Collection[int]], projects: Collection[int]) -> frozenset[int]:
    """``projects``, what they reference and what references them."""
    users: dict[int, list[int]] = {}
    for user, needed in references.items():
        for each in needed:
            users.setdefault(each, []).append(user)
    return projects_below(references, projects) | projects_below(users, projects)
