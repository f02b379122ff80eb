"""Which documents may be bound otherwise, or have other rows, in another state of the repository: decided from surfaces, without binding.

A lookup starts from a name that the text mentions and goes on through types. So for each document the types are followed that it can come
to: those it mentions, those in the heads of these and in the signatures of their members that it mentions, and so on. It is affected when
the head of one of these changed, or a member that it mentions, of one of these. What is missing is a name too: a document that mentions a
name that appears is affected. Types and members are told apart by simple names alone, which says too much at times and never too little.

Law: rows of a document that is not affected are equal in both states.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Project
from codemap_core.model.surface import Declared, Role, Surface

_decode: Final = msgspec.msgpack.Decoder(Surface).decode
_NAME: Final = re.compile(r"[^\W\d]\w*")
_NEAR_SHARE: Final = 0.005
"""Of all units: so few are bound again sooner than all surfaces are read to see whether they must be."""
_NEAR_SOURCES: Final = 400
"""How many surfaces are read for that."""
_TYPES: Final = frozenset({Role.TYPE, Role.PART})


class State(Struct, frozen=True):
    """A repository as its surfaces show it. ``surfaces``: encoded; empty bytes for a unit that shows none."""

    surfaces: Mapping[UnitKey, bytes]
    projects: Mapping[str, Project]


def affected(before: State, after: State, changed: AbstractSet[UnitKey]) -> set[UnitKey]:
    """Units of both states that are not ``changed``, and may have other rows. ``changed``: those of other contents, and those that only one
    of the states has."""
    unchanged = [key for key in after.surfaces if key not in changed]
    if any(key.project_path for key in before.surfaces) != any(key.project_path for key in after.surfaces):
        return set(unchanged)
    old = _decoded(before.surfaces, (key for key in changed if key in before.surfaces))
    new = _decoded(after.surfaces, (key for key in changed if key in after.surfaces))
    if old is None or new is None:
        return set(unchanged)
    if _shown(before, old) == _shown(after, new):
        # What only bodies and lines tell apart is not worth reading all surfaces.
        shown = _decoded(after.surfaces, _naming(after, unchanged, _names_of_parts(old, new)))
        return set(unchanged) if shown is None else _of_parts(shown, old, new)
    near = _near(before, after, unchanged, old, new)
    if near is not None:
        return near
    shown = _decoded(after.surfaces, unchanged)
    if shown is None:
        return set(unchanged)
    found = _of_projects(before, after, shown, old, new)
    rest = {key: surface for key, surface in shown.items() if key not in found}
    found |= _of_parts(rest, old, new)
    difference = _Difference(shown, old, new)
    if not difference.is_empty:
        units = {**shown, **new}
        flow = _Flow(units.items(), after.projects)
        difference.follow_values(units, flow)
        candidates = _Candidates(flow, difference)
        found.update(key for key, surface in rest.items() if key not in found and candidates.has(key, surface))
    return found


def _near(
    before: State,
    after: State,
    unchanged: list[UnitKey],
    old: Mapping[UnitKey, Surface],
    new: Mapping[UnitKey, Surface],
) -> set[UnitKey] | None:
    """As ``affected`` where members alone are declared otherwise and few units mention their names: these, without a look at how they could
    come to them. Null where more must be read."""
    if _around(before, old) != _around(after, new):
        return None
    difference = _Difference({}, old, new)
    near: dict[UnitKey, Surface] = {}
    known: set[str] = set()
    while not known >= (names := difference.names() | _names_of_parts(old, new)):
        if difference.types or difference.is_everywhere or difference.is_implicit:
            return None
        further = _naming(after, unchanged, names - known)
        if len(further) > _NEAR_SOURCES:
            return None
        shown = _decoded(after.surfaces, (key for key in further if key not in near))
        if shown is None:
            return None
        near |= shown
        known = names
        difference.follow_values({**near, **new})
    named = difference.names()
    found = {key for key, surface in near.items() if not named.isdisjoint(surface.mentions.split("\n"))}
    return None if len(found) > _NEAR_SHARE * len(unchanged) else found | _of_parts(near, old, new)


def _around(state: State, surfaces: Mapping[UnitKey, Surface]) -> tuple[object, ...]:
    """What of ``_shown`` is more than the heads of types and their members."""
    shown = _shown(state, surfaces)
    return (shown[0], *shown[2:])


def _names_of_parts(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> set[str]:
    return {part[2] for part in _parts(old) ^ _parts(new)}


def _shown(state: State, surfaces: Mapping[UnitKey, Surface]) -> tuple[object, ...]:
    """Everything that projects and these units show, parts of types left out."""
    return (
        {path: _as_compiled(project) for path, project in state.projects.items()},
        _entries(surfaces),
        _declaring(surfaces),
        {(key.project_path, *shape) for key, surface in surfaces.items() for shape in surface.shapes},
        sorted((key, surface.scope) for key, surface in surfaces.items() if surface.scope),
    )


def _naming(state: State, units: Iterable[UnitKey], names: Iterable[str]) -> list[UnitKey]:
    """Units in whose surface one of the names occurs."""
    encoded = [name.encode() for name in names]
    return [key for key in units if any(name in state.surfaces[key] for name in encoded)]


def _decoded(surfaces: Mapping[UnitKey, bytes], keys: Iterable[UnitKey]) -> dict[UnitKey, Surface] | None:
    """Null when one of them is missing or cannot be read."""
    try:
        return {key: _decode(surfaces[key]) for key in keys}
    except msgspec.MsgspecError:
        return None


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
        elif _as_compiled(one) != _as_compiled(other):
            (seen if _as_seen(one) != _as_seen(other) else own).add(path)
    for path in {key.project_path for key in (*old, *new)}:
        if _said(path, shown, old) != _said(path, shown, new):
            seen.add(path)
    own |= seen
    for state in (before, after):
        seeing: dict[str, list[str]] = defaultdict(list)
        for path, project in state.projects.items():
            for reference in project.project_references:
                seeing[reference].append(path)
        pending = list(seen)
        while pending:
            for path in seeing[pending.pop()]:
                if path not in own:
                    own.add(path)
                    pending.append(path)
    return {key for key in shown if key.project_path in own}


def _as_compiled(project: Project) -> Project:
    return replace(project, files=(), in_solution=False)


def _as_seen(project: Project) -> Project:
    """What of a project matters to those that reference it."""
    return Project(
        project_path=project.project_path,
        name="",
        assembly_name=project.assembly_name,
        project_references=project.project_references,
        packages=project.packages,
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


def _of_parts(
    shown: Mapping[UnitKey, Surface], old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]
) -> set[UnitKey]:
    """Units that declare another part of a type that changed, or a type whose stable id depends on names that came or went."""
    parts = _parts(old) ^ _parts(new)
    names = {(project, name) for project, _, name, _ in parts}
    concerned = {(key.project_path, shape) for each in (old, new) for key, s in each.items() for shape, _ in s.shapes}
    shapes: set[tuple[str, str]] = set()
    if concerned:
        shared = _shapes(shown, concerned)
        before, after = _shapes(old, concerned), _shapes(new, concerned)
        for place in concerned:
            rest = shared.get(place, set())
            if (len(rest | before.get(place, set())) == 1) != (len(rest | after.get(place, set())) == 1):
                shapes.add(place)
    return {
        key
        for key, surface in shown.items()
        if any((key.project_path, name) in names for name, _ in surface.parts)
        or any((key.project_path, shape) in shapes for shape, _ in surface.shapes)
    }


def _parts(surfaces: Mapping[UnitKey, Surface]) -> set[tuple[str, str, str, int]]:
    return {(key.project_path, key.file_path, *part) for key, surface in surfaces.items() for part in surface.parts}


def _shapes(
    surfaces: Mapping[UnitKey, Surface], wanted: AbstractSet[tuple[str, str]]
) -> dict[tuple[str, str], set[str]]:
    found: dict[tuple[str, str], set[str]] = {}
    for key, surface in surfaces.items():
        for shape, name in surface.shapes:
            place = (key.project_path, shape)
            if place in wanted:
                found.setdefault(place, set()).add(name)
    return found


_Entry = tuple[str, Role, str, str, int, str]


def _entries(surfaces: Mapping[UnitKey, Surface]) -> Counter[_Entry]:
    """How often each project declares what."""
    return Counter(
        (
            key.project_path,
            each.role,
            each.name,
            each.container,
            each.digest,
            key.file_path if each.role is Role.PART else "",
        )
        for key, surface in surfaces.items()
        for each in surface.declared
    )


class _Difference:
    """What is declared otherwise: names of types and namespaces, members by container, and extension members."""

    def __init__(
        self, shown: Mapping[UnitKey, Surface], old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]
    ) -> None:
        self.types: Final = set(_namespaces(shown, old, new))
        self.members: Final[dict[str, dict[str, bool]]] = {}
        """By container: names, and whether they are also used without being named."""
        self.extensions: Final[set[str]] = set()
        self.is_everywhere = False
        """Something changed that any file may use without naming it."""
        before, after = _entries(old), _entries(new)
        for _, role, name, container, _, _ in (before - after) | (after - before):
            self._add(role, name, container)

    @property
    def is_implicit(self) -> bool:
        """Some of the members are used without being named."""
        return any(any(names.values()) for names in self.members.values())

    @property
    def is_empty(self) -> bool:
        return not (self.types or self.members or self.extensions or self.is_everywhere)

    def names(self) -> set[str]:
        return {*self.types, *self.extensions, *(name for names in self.members.values() for name in names)}

    def _add(self, role: Role, name: str, container: str) -> None:
        if role in _TYPES:
            self.types.add(name)
        elif role is Role.EXTENSION:
            self.extensions.add(name)
        elif role is Role.EVERYWHERE:
            self.is_everywhere = True
        else:
            names = self.members.setdefault(container, {})
            names[name] = names.get(name, False) or role is Role.IMPLICIT

    def follow_values(self, units: Mapping[UnitKey, Surface], flow: _Flow | None = None) -> None:
        """Whatever takes its value from what changed has changed: in units that mention its name and, where ``flow`` is known, can come to
        its container."""
        pending = [(key, each) for key, surface in units.items() for each in surface.declared if each.values]
        reached: dict[UnitKey, AbstractSet[str]] = {}

        def comes_to(key: UnitKey, containers: AbstractSet[str]) -> bool:
            if flow is None and any(map(_NAME.fullmatch, containers)):
                return True
            if key not in reached:
                mentions = frozenset(units[key].mentions.split("\n"))
                reached[key] = mentions if flow is None else flow.types(key, mentions)
            return not containers.isdisjoint(reached[key])

        anywhere = {*self.types, *self.extensions}
        fresh: dict[str, set[str]] = defaultdict(set)
        """Members that others may take their values from, with their containers; only what the last round has found."""
        for container, names in self.members.items():
            for name in names:
                fresh[name].add(container)
        while anywhere or fresh:
            followed: list[Declared] = []
            left: list[tuple[UnitKey, Declared]] = []
            for key, each in pending:
                if not anywhere.isdisjoint(each.values) or any(
                    name in fresh and comes_to(key, fresh[name]) for name in each.values
                ):
                    followed.append(each)
                else:
                    left.append((key, each))
            pending = left
            known = {*self.types, *self.extensions}
            anywhere, fresh = set(), defaultdict(set)
            for each in followed:
                is_member = each.role in (Role.MEMBER, Role.IMPLICIT)
                if is_member and each.name not in self.members.get(each.container, ()):
                    fresh[each.name].add(each.container)
                elif not is_member and each.name not in known:
                    anywhere.add(each.name)
                self._add(each.role, each.name, each.container)


def _namespaces(
    shown: Mapping[UnitKey, Surface], old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]
) -> Iterator[str]:
    """Last names of namespaces that a project begins or ceases to have."""
    before, after = _declaring(old), _declaring(new)
    if before != after:
        rest = _declaring(shown)
        for _, name in (before ^ after) - rest:
            yield name.rpartition(".")[2]


def _declaring(surfaces: Mapping[UnitKey, Surface]) -> set[tuple[str, str]]:
    """(project, namespace), with the namespaces around."""
    found = {(key.project_path, name) for key, surface in surfaces.items() for name in surface.namespaces}
    for project, name in tuple(found):
        while name := name.rpartition(".")[0]:
            found.add((project, name))
    return found


class _Flow:
    """Which types a document can come to."""

    def __init__(self, shown: Iterable[tuple[UnitKey, Surface]], projects: Mapping[str, Project]) -> None:
        self.heads: Final[dict[str, set[str]]] = defaultdict(set)
        """Type → what its head uses, and the signatures of what code uses of it without naming it."""
        self.members: Final[dict[str, dict[str, set[str]]]] = defaultdict(dict)
        """Container → name of a member → what its signatures use."""
        self.extensions: Final[dict[str, set[str]]] = defaultdict(set)
        self._everywhere: Final[set[str]] = set()
        self._said: Final[dict[str, set[str]]] = defaultdict(set)
        for key, surface in shown:
            for text in surface.scope:
                self._said[key.project_path].update(_NAME.findall(text))
            for each in surface.declared:
                if not each.uses:
                    continue
                if each.role in _TYPES:
                    self.heads[each.name].update(each.uses)
                elif each.role is Role.EXTENSION:
                    self.extensions[each.name].update(each.uses)
                elif each.role is Role.EVERYWHERE:
                    self._everywhere.update(each.uses)
                elif each.role is Role.IMPLICIT:
                    self.heads[each.container].update(each.uses)
                else:
                    self.members[each.container].setdefault(each.name, set()).update(each.uses)
        for path, project in projects.items():
            self._said[path].update(_NAME.findall(" ".join(project.usings)))

    def unnamed(self, key: UnitKey) -> set[str]:
        """Names that a unit need not mention to come to them: of its project's usings, and of what is used everywhere."""
        return self._everywhere | self._said.get(key.project_path, set())

    def types(self, key: UnitKey, mentions: AbstractSet[str]) -> set[str]:
        """Names of all types that a unit of these mentions can come to; other names too."""
        found = {*mentions, *self.unnamed(key)}
        for name in self.extensions.keys() & mentions:
            found |= self.extensions[name]
        pending = list(found)
        while pending:
            name = pending.pop()
            reached = self.heads.get(name)
            if reached is not None:
                further = reached - found
                found |= further
                pending += further
            of_members = self.members.get(name)
            if of_members is not None:
                for member in of_members.keys() & mentions:
                    further = of_members[member] - found
                    if further:
                        found |= further
                        pending += further
        return found


class _Candidates:
    """Finds the units that a difference concerns. Most are told to be none by their names alone."""

    def __init__(self, flow: _Flow, difference: _Difference) -> None:
        self._flow: Final = flow
        self._difference: Final = difference
        self._leading: Final = self._names_leading_to({*difference.types, *difference.members})
        self._members: Final = {name for names in difference.members.values() for name in names}
        self._is_implicit: Final = difference.is_implicit

    def has(self, key: UnitKey, surface: Surface) -> bool:
        mentions = frozenset(surface.mentions.split("\n"))
        difference = self._difference
        if difference.is_everywhere:
            return True
        if not mentions.isdisjoint(difference.extensions) or not mentions.isdisjoint(difference.types):
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
