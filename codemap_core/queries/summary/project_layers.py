"""Projects in layers, by the references between them: a project stands one layer above the highest one that it references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from codemap_core.model import Project


class LayeredProject(Struct, frozen=True):
    """``layer``: 0 for a project that references none. ``needs``: the projects that it references, without those that these reference
    in turn."""

    project: Project
    layer: int
    needs: tuple[Project, ...]


def layered(projects: Sequence[Project]) -> tuple[LayeredProject, ...]:
    """Those that nothing references first, then down; of one layer by name."""
    by_path = {each.project_path: each for each in projects}
    references = {
        path: tuple(each for each in project.project_references if each in by_path and each != path)
        for path, project in by_path.items()
    }
    layers: dict[str, int] = {}
    for path in sorted(by_path):
        _measure(path, references, layers)
    found = [
        LayeredProject(project, layers[path], tuple(by_path[each] for each in _nearest(path, references)))
        for path, project in by_path.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.layer, each.project.name, each.project.project_path)))


def _measure(path: str, references: Mapping[str, tuple[str, ...]], layers: dict[str, int]) -> None:
    """Without recursion: chains of projects may be long. A reference that closes a circle counts for nothing."""
    open_: list[str] = [path]
    while open_:
        current = open_[-1]
        waiting = [each for each in references[current] if each not in layers and each not in open_]
        if waiting:
            open_.append(waiting[0])
            continue
        open_.pop()
        layers[current] = max((layers[each] + 1 for each in references[current] if each in layers), default=0)


def _nearest(path: str, references: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    direct = references[path]
    implied = {below for each in direct for below in _below(each, references) if below != path}
    return tuple(each for each in direct if each not in implied)


def _below(path: str, references: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    seen: set[str] = set()
    frontier = list(references[path])
    while frontier:
        current = frontier.pop()
        if current not in seen:
            seen.add(current)
            yield current
            frontier += references[current]
