"""Which documents may be bound otherwise, or have other rows, in another state of the repository: decided from surfaces, without binding.

A lookup starts from a name that the text mentions and goes on through types. So for each document the types are followed that it can come
to: those it mentions, those in the heads of these and in the signatures of their members that it mentions, and so on. It is affected when
the head of one of these changed, or a member that it mentions, of one of these. What is missing is a name too: a document that mentions a
name that appears is affected. Types and members are told apart by simple names alone, which says too much at times and never too little.

Law: rows of a document that is not affected are equal in both states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Project
from codemap_core.model.surface import Surface
from codemap_core.pipeline.nearby import Unchanged, nearby, with_parts
from codemap_core.pipeline.surface_difference import (
    Difference,
    Flow,
    PartNames,
    State,
    as_compiled,
    changed_heads,
    changed_parts,
    declared_alike,
    first_parts,
    identified_otherwise,
    namespaces_changed,
    reshaped,
    said_to_projects,
    shapes_of,
)

_decode: Final = msgspec.msgpack.Decoder(Surface).decode


class Affected(Struct, frozen=True):
    """Units of both states that did not change, and may have other rows."""

    units: frozenset[UnitKey]
    continued: frozenset[str] = frozenset()
    """Paths of documents: those that did not change are affected too if they have the rows of partial symbols that these documents go on
    with. What is declared is the same in both states, so that the index of either tells which these are."""


def affected(before: State, after: State, changed: AbstractSet[UnitKey]) -> Affected:
    """``changed``: units of other contents, and those that only one of the states has."""
    unchanged = [key for key in after.surfaces if key not in changed]
    if any(key.project_path for key in before.surfaces) != any(key.project_path for key in after.surfaces):
        return Affected(frozenset(unchanged))
    try:
        old = {key: _decode(before.surfaces[key]) for key in changed if key in before.surfaces}
        new = {key: _decode(after.surfaces[key]) for key in changed if key in after.surfaces}
        if said_to_projects(before, old) == said_to_projects(after, new):
            # What few names tell is not worth reading all surfaces.
            others = Unchanged(after, unchanged)
            namespaces = namespaces_changed(old, new)
            if declared_alike(old, new) and not namespaces:
                if old.keys() == new.keys() and not changed_parts(old, new):
                    # Lines and documentation of declarations are all that others may show otherwise.
                    return Affected(frozenset(), _continued(old, new))
                return Affected(frozenset(with_parts(others, old, new)))
            near = nearby(others, old, new, others.declaring(namespaces))
            if near is not None:
                return Affected(frozenset(near))
        shown = {key: _decode(after.surfaces[key]) for key in unchanged}
    except msgspec.MsgspecError:  # one is missing or cannot be read
        return Affected(frozenset(unchanged))
    return Affected(frozenset(_of_everything(before, after, shown, old, new)))


def _continued(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> frozenset[str]:
    return frozenset(key.file_path for key in new) if changed_heads(old, new) else frozenset()


def _of_everything(
    before: State,
    after: State,
    shown: Mapping[UnitKey, Surface],
    old: Mapping[UnitKey, Surface],
    new: Mapping[UnitKey, Surface],
) -> set[UnitKey]:
    """As ``affected``. ``shown``: the surfaces of all other units."""
    found = _of_projects(before, after, shown, old, new)
    rest = {key: surface for key, surface in shown.items() if key not in found}
    found |= _of_parts(rest, old, new)
    difference = Difference(shown, old, new)
    if not difference.is_empty:
        units = {**shown, **new}
        flow = Flow(units.items(), after.projects)
        difference.follow_values(units, flow)
        candidates = _Candidates(flow, difference)
        found.update(key for key, surface in rest.items() if key not in found and candidates.has(key, surface))
    return found


def _of_parts(
    shown: Mapping[UnitKey, Surface], old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]
) -> set[UnitKey]:
    """Units that declare another part of a type that changed, or a type whose stable id depends on names that came or went."""
    parts = PartNames(changed_parts(old, new))
    places = reshaped(old, new)
    shared = shapes_of(shown) if places else {}
    shapes = {
        place
        for place, (before, after) in places.items()
        if identified_otherwise(before, after, shared.get(place, set()))
    }
    return first_parts(shown.items(), old, new) | {
        key
        for key, surface in shown.items()
        if any((key.project_path, name) in parts for name, _, _ in surface.parts)
        or any((key.project_path, shape) in shapes for shape, _ in surface.shapes)
    }


def _of_projects(
    before: State,
    after: State,
    shown: Mapping[UnitKey, Surface],
    old: Mapping[UnitKey, Surface],
    new: Mapping[UnitKey, Surface],
) -> set[UnitKey]:
    """Units of projects that are evaluated otherwise or whose files say something else to the whole project, and of those that see them."""
    own: set[str] = set()
    seen: set[str] = set()
    for path in before.projects.keys() | after.projects.keys():
        one, other = before.projects.get(path), after.projects.get(path)
        if one is None or other is None:
            seen.add(path)
        elif as_compiled(one) != as_compiled(other):
            (seen if _as_seen(one) != _as_seen(other) else own).add(path)
    for path in {key.project_path for key in (*old, *new)}:
        if _said(path, shown, old) != _said(path, shown, new):
            seen.add(path)
    own |= seen
    for state in (before, after):
        seeing: dict[str, list[str]] = defaultdict(list)
        for path, project in state.projects.items():
            for reference in project.sources_seen:
                seeing[reference].append(path)
        pending = list(seen)
        while pending:
            for path in seeing[pending.pop()]:
                if path not in own:
                    own.add(path)
                    pending.append(path)
    return {key for key in shown if key.project_path in own}


def _as_seen(project: Project) -> Project:
    """What of a project matters to those that reference it."""
    return Project(
        project_path=project.project_path,
        name="",
        assembly_name=project.assembly_name,
        sdk=project.sdk,
        project_references=project.project_references,
        packages=project.packages,
        left_out=project.left_out,
        package_projects=project.package_projects,
        usings=project.usings,
        transitive_references=project.transitive_references,
        private_references=project.private_references,
        reference_aliases=project.reference_aliases,
        internals_visible_to=project.internals_visible_to,
        target_framework=project.target_framework,
        lang_version=project.lang_version,
    )


def _said(
    project: str, shown: Mapping[UnitKey, Surface], others: Mapping[UnitKey, Surface]
) -> list[tuple[str, tuple[str, ...]]]:
    """What files say to their project, in path order."""
    return sorted(
        (key.file_path, surface.scope)
        for surfaces in (shown, others)
        for key, surface in surfaces.items()
        if surface.scope and key.project_path == project
    )


class _Candidates:
    """Finds the units that a difference concerns. Most are told to be none by their names alone."""

    def __init__(self, flow: Flow, difference: Difference) -> None:
        self._flow: Final = flow
        self._difference: Final = difference
        self._leading: Final = self._names_leading_to({*difference.types, *difference.members})
        self._members: Final = {name for names in difference.members.values() for name in names}
        self._is_implicit: Final = difference.is_implicit
        self._created: Final = difference.created

    def has(self, key: UnitKey, surface: Surface) -> bool:
        mentions = frozenset(surface.mentions.split("\n"))
        difference = self._difference
        if difference.is_everywhere:
            return True
        if not mentions.isdisjoint(difference.extensions) or not mentions.isdisjoint(difference.types):
            return True
        if not self._created.isdisjoint(self._flow.called_otherwise(key)):
            return True
        if not difference.types and not self._is_implicit and mentions.isdisjoint(self._members):
            return False
        if mentions.isdisjoint(self._leading) and self._flow.unnamed(key).isdisjoint(self._leading):
            return False
        types = self._flow.types(key, mentions)
        if not types.isdisjoint(difference.types):
            return True
        return any(
            is_implicit or name in mentions
            for container in types & difference.members.keys()
            for name, is_implicit in difference.members[container].items()
        )

    def _names_leading_to(self, targets: AbstractSet[str]) -> set[str]:
        """Every name through which a document can come to one of ``targets``."""
        heads_by_use: dict[str, list[str]] = defaultdict(list)
        for name, uses in self._flow.heads.items():
            for use in uses:
                heads_by_use[use].append(name)
        found = set(targets)
        pending = list(targets)
        while pending:
            for name in heads_by_use.get(pending.pop(), ()):
                if name not in found:
                    found.add(name)
                    pending.append(name)
        leading = set(found)
        for members in self._flow.members.values():
            leading.update(name for name, uses in members.items() if not uses.isdisjoint(found))
        leading.update(name for name, uses in self._flow.extensions.items() if not uses.isdisjoint(found))
        return leading
