"""What changed about projects, and which of them were moved: the file has another path, and the assembly the same name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from codemap_core.model import Project
from codemap_core.queries.difference.grouping import grouped
from codemap_core.queries.difference.symbols import Judge
from codemap_core.queries.difference.views import ChangeType, DetailChange, ProjectChange
from codemap_core.storage.reading.row_difference import Changed

_FIELDS: Final = (
    "name",
    "assembly_name",
    "sdk",
    "target_frameworks",
    "output_type",
    "project_references",
    "packages",
    "usings",
    "defines",
    "lang_version",
    "nullable",
)
"""What is told of a project; its files are told as symbols."""


def moved_projects(old: Iterable[Project], new: Iterable[Project]) -> dict[str, str]:
    """New paths by old ones, of projects whose assembly no other project of either revision makes that the other revision lacks."""
    before, after = ({each.project_path: each for each in side} for side in (old, new))
    gone = [each for path, each in before.items() if path not in after]
    came = grouped((each for path, each in after.items() if path not in before), lambda each: each.assembly_name)
    return {
        rows[0].project_path: came[name][0].project_path
        for name, rows in grouped(gone, lambda each: each.assembly_name).items()
        if len(rows) == len(came.get(name, ())) == 1
    }


def project_changes(
    changed: Changed[Project], moved: Mapping[str, str], judge: Judge | None
) -> Iterator[ProjectChange]:
    """By path. ``changed``: the rows that only one revision has; ``moved``: as ``moved_projects``."""
    before = {moved.get(each.project_path, each.project_path): each for each in changed.removed}
    after = {each.project_path: each for each in changed.added}
    for path in sorted(before.keys() | after.keys()):
        left, right = before.get(path), after.get(path)
        if left is None or right is None:
            yield ProjectChange(change_type=ChangeType.ADDED if left is None else ChangeType.REMOVED, project_path=path)
            continue
        details = tuple(_details(left, right, moved))
        is_moved = left.project_path != path
        if details or is_moved:
            yield ProjectChange(
                change_type=ChangeType.MOVED if is_moved else ChangeType.CHANGED,
                project_path=path,
                from_project_path=left.project_path if is_moved else None,
                details=details,
                breaks=judge.breaks_of_project(left, right) if judge is not None else (),
            )


def _details(left: Project, right: Project, moved: Mapping[str, str]) -> Iterator[DetailChange]:
    for name in _FIELDS:
        before, after = getattr(left, name), getattr(right, name)
        if name == "project_references":
            before = tuple(sorted(moved.get(each, each) for each in before))
            after = tuple(sorted(after))
        if before != after:
            yield _setting(name, before, after)


def _setting(name: str, before: object, after: object) -> DetailChange:
    if isinstance(before, tuple) and isinstance(after, tuple):
        lost, gained = _missing(before, after), _missing(after, before)
        if lost or gained:
            return DetailChange(name, lost, gained, listed=True)
        return DetailChange(name, ", ".join(map(str, before)), ", ".join(map(str, after)))
    return DetailChange(name, str(before or ""), str(after or ""))


def _missing(values: Collection[object], others: Collection[object]) -> str:
    return ", ".join(str(each) for each in values if each not in others)
