"""What two states of a repository show otherwise: the names of types and members that are declared differently, and how documents come to
types. Read from the surfaces of the documents that changed, and of as many others as the caller hands over.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model import Project
from codemap_core.model.surface import ANY_NAMESPACE, Declared, Role, Surface, SurfaceOutline

NAME: Final = re.compile(r"[^\W\d]\w*")
TYPES: Final = frozenset({Role.TYPE, Role.PART})

Place = tuple[str, str]
"""A project, and the shape of some declarations in it."""


class State(Struct, frozen=True):
    """A repository as its surfaces show it. ``surfaces``: packed; empty bytes for a unit that shows none."""

    surfaces: Mapping[UnitKey, bytes]
    projects: Mapping[str, Project]


def as_compiled(project: Project) -> Project:
    """What of a project matters to its own files."""
    return replace(project, files=(), in_solution=False)


def said_to_projects(state: State, surfaces: Mapping[UnitKey, Surface]) -> tuple[object, ...]:
    """What projects are, and what files say to their whole project, as far as these units tell."""
    return (
        {path: as_compiled(project) for path, project in state.projects.items()},
        sorted((key, surface.scope) for key, surface in surfaces.items() if surface.scope),
    )


def declared_alike(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> bool:
    """Whether the same is declared, where parts of types and the order of files are left out."""
    return _entries(old) == _entries(new) and _placed(old) == _placed(new)


def _placed(surfaces: Mapping[UnitKey, Surface]) -> set[tuple[Place, str]]:
    return {((key.project_path, shape), name) for key, each in surfaces.items() for shape, name in each.shapes}


class PartNames:
    """Types and partial members of projects by their full names. Where other files decide in which namespace a type is, its name means
    those of all namespaces."""

    def __init__(self, names: AbstractSet[tuple[str, str]]) -> None:
        """``names``: (project, full name)."""
        self._names: Final = names
        self._ends: Final[dict[tuple[str, str], list[str]]] = {}
        """By project and the last part of the name."""
        for project, name in names:
            self._ends.setdefault((project, _last(name)), []).append(name)
        self._has_any_namespace: Final = any(name.startswith(ANY_NAMESPACE) for _, name in names)

    def __contains__(self, part: tuple[str, str]) -> bool:
        project, name = part
        if part in self._names:
            return True
        if not self._has_any_namespace and not name.startswith(ANY_NAMESPACE):
            return False
        return any(
            _may_mean(name, each) or _may_mean(each, name) for each in self._ends.get((project, _last(name)), ())
        )


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _may_mean(name: str, other: str) -> bool:
    return name.startswith(ANY_NAMESPACE) and other.endswith(name[len(ANY_NAMESPACE) - 1 :])


def changed_parts(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> set[tuple[str, str]]:
    """(project, full name) of each type of which a part is another one to all parts."""

    def parts(surfaces: Mapping[UnitKey, Surface]) -> set[tuple[UnitKey, str, int]]:
        return {(key, name, digest) for key, surface in surfaces.items() for name, digest, _ in surface.parts}

    return {(key.project_path, name) for key, name, _ in parts(old) ^ parts(new)}


def changed_heads(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> set[tuple[str, str]]:
    """(project, full name) of each type, or partial member, of which a part is another one to its own row."""

    def heads(surfaces: Mapping[UnitKey, Surface]) -> set[tuple[UnitKey, str, int]]:
        return {
            (key, name, digest)
            for key, surface in surfaces.items()
            for name, _, digest in (*surface.parts, *surface.partial_members)
        }

    return {(key.project_path, name) for key, name, _ in heads(old) ^ heads(new)}


def first_parts(
    shown: Iterable[tuple[UnitKey, Surface | SurfaceOutline]],
    old: Mapping[UnitKey, Surface],
    new: Mapping[UnitKey, Surface],
) -> set[UnitKey]:
    """Of the units ``shown``, those with the row of a type or partial member of which a part is another one to that row. What
    ``changed_parts`` names is left to it: of all other types there are the same parts before and after. The parts of a member are not told
    from those of another of its name, so that this is the first of each way to write one; of a type whose namespace other files decide,
    it is the first of each name."""
    changed = changed_heads(old, new)
    if not changed:
        return set()
    wanted = PartNames(changed)
    first: dict[tuple[str, str, int], tuple[bool, UnitKey]] = {}
    for key, surface in (*new.items(), *shown):
        for name, written in (
            *((name, 0) for name, _, _ in surface.parts),
            *(each[:2] for each in surface.partial_members),
        ):
            place = key.project_path, name, written
            order = (surface.later, key)
            if place[:2] in wanted and (place not in first or order < first[place]):
                first[place] = order
    return {key for _, key in first.values() if key not in new}


def reshaped(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> dict[Place, tuple[set[str], set[str]]]:
    """The names that have a shape before and after, where these are not the same."""
    before, after = shapes_of(old), shapes_of(new)
    return {
        place: (before.get(place, set()), after.get(place, set()))
        for place in before.keys() | after.keys()
        if before.get(place) != after.get(place)
    }


def shapes_of(surfaces: Mapping[UnitKey, Surface]) -> dict[Place, set[str]]:
    found: dict[Place, set[str]] = {}
    for place, name in _placed(surfaces):
        found.setdefault(place, set()).add(name)
    return found


def identified_otherwise(before: AbstractSet[str], after: AbstractSet[str], rest: AbstractSet[str]) -> bool:
    """Whether it changes that a single name has a shape. ``rest``: names that other documents have of it."""
    return (len(rest | before) == 1) != (len(rest | after) == 1)


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


class Difference:
    """What is declared otherwise: names of types and namespaces, members by container, and extension members."""

    def __init__(
        self,
        shown: Mapping[UnitKey, Surface | SurfaceOutline],
        old: Mapping[UnitKey, Surface],
        new: Mapping[UnitKey, Surface],
    ) -> None:
        self.types: Final = {
            name.rpartition(".")[2] for _, name in namespaces_changed(old, new) - declared_namespaces(shown)
        }
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

    @property
    def created(self) -> set[str]:
        """Containers of which constructors changed: members that are named like them."""
        return {container for container, names in self.members.items() if container in names}

    def names(self) -> set[str]:
        return {*self.types, *self.extensions, *(name for names in self.members.values() for name in names)}

    def _add(self, role: Role, name: str, container: str) -> None:
        if role in TYPES:
            self.types.add(name)
        elif role is Role.EXTENSION:
            self.extensions.add(name)
        elif role is Role.EVERYWHERE:
            self.is_everywhere = True
        else:
            names = self.members.setdefault(container, {})
            names[name] = names.get(name, False) or role is Role.IMPLICIT

    def follow_values(self, units: Mapping[UnitKey, Surface], flow: Flow | None = None) -> None:
        """Whatever takes its value from what changed has changed: in units that mention its name and, where ``flow`` is known, can come to
        its container."""
        pending = [(key, each) for key, surface in units.items() for each in surface.declared if each.values]
        reached: dict[UnitKey, AbstractSet[str]] = {}

        def comes_to(key: UnitKey, containers: AbstractSet[str]) -> bool:
            if flow is None and any(map(NAME.fullmatch, containers)):
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
            new = anywhere | fresh.keys()
            for key, each in pending:
                if new.isdisjoint(each.values):
                    left.append((key, each))
                elif not anywhere.isdisjoint(each.values) or any(
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


def namespaces_changed(old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> AbstractSet[tuple[str, str]]:
    """(project, namespace) that these units begin or cease to declare; others of the project may declare it, too."""
    return declared_namespaces(old) ^ declared_namespaces(new)


def declared_namespaces(surfaces: Mapping[UnitKey, Surface | SurfaceOutline]) -> set[tuple[str, str]]:
    """(project, namespace), with the namespaces around."""
    found = {(key.project_path, name) for key, surface in surfaces.items() for name in surface.namespaces}
    for project, name in tuple(found):
        while name := name.rpartition(".")[0]:
            found.add((project, name))
    return found


def called_otherwise(project: Project) -> set[str]:
    """Names of what the usings of a project have an alias for; its files create such a type, or apply it as an attribute, without any name
    of its own."""
    return set(NAME.findall(" ".join(using.partition("=")[2] for using in project.usings)))


class Flow:
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
                self._said[key.project_path].update(NAME.findall(text))
            for each in surface.declared:
                if not each.uses:
                    continue
                if each.role in TYPES:
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
            self._said[path].update(NAME.findall(" ".join(project.usings)))
        self._called_otherwise: Final = {path: called_otherwise(project) for path, project in projects.items()}

    def unnamed(self, key: UnitKey) -> set[str]:
        """Names that a unit need not mention to come to them: of its project's usings, and of what is used everywhere."""
        return self._everywhere | self._said.get(key.project_path, set())

    def called_otherwise(self, key: UnitKey) -> AbstractSet[str]:
        return self._called_otherwise.get(key.project_path, frozenset())

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
