"""Which documents a small difference concerns, found by the names that they mention, without reading all surfaces.

Whoever comes to what changed mentions its name, or the name of something that leads there: a type whose head uses it, a member or an
extension whose signature does. So those are read that mention one of these names, from which follow further names, until there are none.
Who mentions a member counts as one that comes to its type, so that more may be found than ``dependencies`` finds, never less.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Final

import msgspec
from msgspec import Struct

from codemap_core.hooks.contracts import UnitKey
from codemap_core.model.surface import Declared, Role, Surface, SurfaceOutline
from codemap_core.pipeline.surface_difference import (
    NAME,
    TYPES,
    Difference,
    PartNames,
    Place,
    State,
    called_otherwise,
    changed_heads,
    changed_parts,
    declared_namespaces,
    first_parts,
    identified_otherwise,
    reshaped,
)

SHARE: Final = 0.005
"""Of all units: so few are bound again sooner than all surfaces are read to see whether they must be."""
SOURCES: Final = 400
"""How many surfaces are read for that."""
_FEW: Final = 4
"""Names that are sought one after another, as that takes less time than listing all names of a unit."""


class _Mentions(Struct, frozen=True, array_like=True, gc=False):
    """A ``Surface`` of which the names that it mentions are read alone."""

    mentions: str


_decode: Final = msgspec.msgpack.Decoder(Surface).decode
_decode_outline: Final = msgspec.msgpack.Decoder(SurfaceOutline).decode
_decode_mentions: Final = msgspec.msgpack.Decoder(_Mentions).decode


class Unchanged:
    """The units of a state that are what they were. Raises: msgspec.MsgspecError where one cannot be read."""

    def __init__(self, state: State, units: Iterable[UnitKey]) -> None:
        self.state: Final = state
        self.units: Final = tuple(units)
        self._outlines: Final[dict[str, Sequence[tuple[UnitKey, SurfaceOutline]]]] = {}

    @cached_property
    def _of_projects(self) -> Mapping[str, Sequence[UnitKey]]:
        found: dict[str, list[UnitKey]] = {}
        for key in self.units:
            found.setdefault(key.project_path, []).append(key)
        return found

    def read(self, unit: UnitKey) -> Surface:
        return _decode(self.state.surfaces[unit])

    def mentioning(self, names: AbstractSet[str]) -> list[UnitKey]:
        """Those that mention one of the names; where these are few, perhaps some that do not."""
        surfaces = self.state.surfaces
        if len(names) <= _FEW:
            encoded = [name.encode() for name in names]
            return [key for key in self.units if any(name in surfaces[key] for name in encoded)]
        return [
            key
            for key in self.units
            if surfaces[key] and not names.isdisjoint(_decode_mentions(surfaces[key]).mentions.split("\n"))
        ]

    def outlines(self, project: str) -> Sequence[tuple[UnitKey, SurfaceOutline]]:
        """Those of a project that show anything."""
        found = self._outlines.get(project)
        if found is None:
            surfaces = self.state.surfaces
            units = self._of_projects.get(project, ())
            found = [(key, _decode_outline(surfaces[key])) for key in units if surfaces[key]]
            self._outlines[project] = found
        return found

    def declaring(self, namespaces: AbstractSet[tuple[str, str]]) -> Mapping[UnitKey, SurfaceOutline]:
        """Units that declare one of these, (project, namespace); for each that any declares there is one."""
        found: dict[UnitKey, SurfaceOutline] = {}
        for project, name in sorted(namespaces):
            if (project, name) in declared_namespaces(found):
                continue
            for key, outline in self.outlines(project):
                if (project, name) in declared_namespaces({key: outline}):
                    found[key] = outline
                    break
        return found


def with_parts(unchanged: Unchanged, old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]) -> set[UnitKey]:
    """Units whose rows hold something of a part that is another one."""
    changed = changed_parts(old, new)
    parts = PartNames(changed)
    projects = {project for project, _ in changed | changed_heads(old, new)}
    shown = [each for project in sorted(projects) for each in unchanged.outlines(project)]
    found = {key for key, outline in shown if any((key.project_path, name) in parts for name, _, _ in outline.parts)}
    return found | first_parts(shown, old, new)


def nearby(
    unchanged: Unchanged,
    old: Mapping[UnitKey, Surface],
    new: Mapping[UnitKey, Surface],
    declaring: Mapping[UnitKey, SurfaceOutline],
) -> set[UnitKey] | None:
    """As ``dependencies.affected``, where nothing is said otherwise to whole projects; null where more must be read. ``declaring``: units
    that declare the namespaces which the others begin or cease to declare, one for each that any does."""
    difference = Difference(declaring, old, new)
    near: dict[UnitKey, Surface] = {}
    leading = _Leading(unchanged.state, new)
    sought: set[str] = set()
    aliased = {name for project in unchanged.state.projects.values() for name in called_otherwise(project)}
    while True:
        if not aliased.isdisjoint(difference.created):
            return None
        if difference.is_everywhere or _is_implicit(difference) or not leading.follow(difference.types, near):
            return None
        names = _sought(difference) | leading.names
        if names <= sought:
            break
        further = [key for key in unchanged.mentioning(names - sought) if key not in near]
        if len(near) + len(further) > SOURCES:
            return None
        near.update((key, unchanged.read(key)) for key in further)
        sought |= names
        difference.follow_values({**near, **new})
    found = {key for key, surface in near.items() if _concerns(difference, leading.names, surface)}
    found |= with_parts(unchanged, old, new) | _identified_otherwise(unchanged, old, new)
    return None if len(found) > SHARE * len(unchanged.units) else found


class _Leading:
    """The names through which a document can come to some types. ``names``: those that were found so far."""

    def __init__(self, state: State, new: Mapping[UnitKey, Surface]) -> None:
        self._new: Final = new
        self._everywhere: Final = {
            name for project in state.projects.values() for name in NAME.findall(" ".join(project.usings))
        }
        """What some document need not mention to come to it."""
        self._types: Final[set[str]] = set()
        self.names: Final[set[str]] = set()

    def follow(self, types: AbstractSet[str], near: Mapping[UnitKey, Surface]) -> bool:
        """Adds what leads to ``types``, as far as the units that were read tell; whether these are names that must be mentioned."""
        self._types.update(types)
        units = (*near.values(), *self._new.values())
        declared = [each for surface in units for each in surface.declared if each.uses]
        count = -1
        while count != len(self._types):
            count = len(self._types)
            for each in declared:
                if not self._types.isdisjoint(each.uses) and not self._lead(each):
                    return False
        self.names.update(self._types)
        said = (name for surface in units for text in surface.scope for name in NAME.findall(text))
        return self._types.isdisjoint(self._everywhere) and self._types.isdisjoint(said)

    def _lead(self, declared: Declared) -> bool:
        if declared.role is Role.EVERYWHERE:
            return False
        if declared.role in TYPES:
            self._types.add(declared.name)
        elif declared.role is Role.IMPLICIT:
            self._types.add(declared.container)
        else:
            self.names.add(declared.name)
        return True


def _members(difference: Difference) -> Iterator[tuple[str, Mapping[str, bool]]]:
    """Containers and members, where the container itself is not another one: whoever comes to that is concerned anyway."""
    for container, names in difference.members.items():
        if container not in difference.types:
            yield container, names


def _is_implicit(difference: Difference) -> bool:
    return any(any(names.values()) for _, names in _members(difference))


def _sought(difference: Difference) -> set[str]:
    """Names of which whoever is concerned mentions one, except for those that lead to types."""
    found = {*difference.types, *difference.extensions}
    for container, names in _members(difference):
        found.update(names if NAME.fullmatch(container) else (container,))
    return found


def _concerns(difference: Difference, leading: AbstractSet[str], surface: Surface) -> bool:
    mentions = frozenset(surface.mentions.split("\n"))
    if not mentions.isdisjoint(leading) or not mentions.isdisjoint(difference.extensions):
        return True
    return any(
        not mentions.isdisjoint(names) and (container in mentions or NAME.fullmatch(container) is not None)
        for container, names in _members(difference)
    )


def _identified_otherwise(
    unchanged: Unchanged, old: Mapping[UnitKey, Surface], new: Mapping[UnitKey, Surface]
) -> set[UnitKey]:
    """Units that declare a type whose stable id depends on names that came or went: not where there are several before and after."""
    return {
        unit
        for place, (before, after) in reshaped(old, new).items()
        if min(len(before), len(after)) < 2
        for unit in _of_shape(unchanged, place, before, after)
    }


def _of_shape(
    unchanged: Unchanged, place: Place, before: AbstractSet[str], after: AbstractSet[str]
) -> Iterable[UnitKey]:
    """Units that have declarations of a shape, where it changes that a single name has it. Two names among them end the search: then it
    never was so."""
    project, wanted = place
    names: set[str] = set()
    units: set[UnitKey] = set()
    for key, outline in unchanged.outlines(project):
        for shape, name in outline.shapes:
            if shape == wanted:
                names.add(name)
                units.add(key)
        if len(names) > 1:
            return ()
    return units if identified_otherwise(before, after, names) else ()
