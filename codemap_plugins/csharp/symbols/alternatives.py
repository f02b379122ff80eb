"""The alternative of a project: the same project with the text compiled that its symbols leave out, wherever its files have some.

It stands beside the project in the table, under a path of its own, and sees the alternatives of what the project sees; only alternatives
see it. So what such text names is found as the compiler would find it with other symbols: declarations of the one branch of an ``#if`` are
there, and those of the other are not. What the text refers to is declared by the project, too, as ids say nothing of symbols.

All such text is taken together, whatever its conditions: what is found in it need not hold in any one configuration.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from codemap_core.hooks.contracts import UnitKey
from codemap_plugins.csharp.unit import alternative_of, has_alternative

_MARK: Final = "\0"
"""Behind the path of a project: no path holds it."""


def alternative_path(project: str) -> str:
    return project + _MARK


def alternative_key(key: UnitKey) -> UnitKey:
    return UnitKey(key.project_path + _MARK, key.file_path)


def own_key(key: UnitKey) -> UnitKey | None:
    """The file's own key for one of an alternative; null for any other."""
    path = key.project_path
    return UnitKey(path[:-1], key.file_path) if path.endswith(_MARK) else None


def is_alternative(project: str) -> bool:
    return project.endswith(_MARK)


class AlternativeUnits(Mapping[UnitKey, bytes]):
    """The units of an index with those of alternatives: a file's own one where it has an alternative, else the file's."""

    def __init__(self, units: Mapping[UnitKey, bytes]) -> None:
        self._units: Final = units

    def __getitem__(self, key: UnitKey) -> bytes:
        own = own_key(key)
        if own is None:
            return self._units[key]
        unit = self._units[own]
        return alternative_of(unit) or unit

    def shared(self, key: UnitKey) -> UnitKey | None:
        """For a unit of an alternative that is the file's: the file's own key."""
        own = own_key(key)
        return None if own is None or has_alternative(self._units[own]) else own

    def __iter__(self) -> Iterator[UnitKey]:
        return iter(self._units)

    def __len__(self) -> int:
        return len(self._units)


class Alternatives:
    """Which projects of a table have an alternative, and the units of all.

    Those have one whose files have some such text, and of those that they see, each that sees one itself: a type of an alternative is not
    the project's, so what is seen together must be of one kind."""

    def __init__(self, units: Mapping[UnitKey, bytes], visible: Mapping[str, AbstractSet[str]]) -> None:
        """``visible``: by the path of a project, those of itself and all that it sees."""
        self.units = AlternativeUnits(units)
        self._visible: Final = visible
        self._counts: dict[str, int] = _counts(units)
        self._projects: frozenset[str] = self._of(self._counts)

    def has(self, project: str) -> bool:
        return project in self._projects

    def seen(self, projects: AbstractSet[str]) -> frozenset[str]:
        """The alternatives of projects, and those that have none."""
        return frozenset(alternative_path(each) if each in self._projects else each for each in projects)

    def keys(self, keys: Iterable[UnitKey]) -> list[UnitKey]:
        """Units, in order, and then those of the alternatives of their projects."""
        own = sorted(keys)
        return own + [alternative_key(key) for key in own if key.project_path in self._projects]

    def stay(self, units: Mapping[UnitKey, bytes], changed: AbstractSet[UnitKey]) -> bool:
        """Whether the same projects have one where ``changed`` units are other ones."""
        return self._of(self._counts_of(units, changed)) == self._projects

    def follow(self, units: Mapping[UnitKey, bytes], changed: AbstractSet[UnitKey]) -> None:
        self._counts = self._counts_of(units, changed)
        self.units = AlternativeUnits(units)

    def _of(self, counts: Mapping[str, int]) -> frozenset[str]:
        seen = {each for path in counts for each in self._visible[path]}
        return frozenset(path for path in seen if not counts.keys().isdisjoint(self._visible[path]))

    def _counts_of(self, units: Mapping[UnitKey, bytes], changed: AbstractSet[UnitKey]) -> dict[str, int]:
        found = Counter(self._counts)
        found.subtract(_counts({key: self.units[key] for key in changed if key in self.units}))
        found.update(_counts({key: units[key] for key in changed if key in units}))
        return {path: count for path, count in found.items() if count}


def _counts(units: Mapping[UnitKey, bytes]) -> dict[str, int]:
    """By the path of each project whose files have text that its symbols leave out, how many of them do."""
    return Counter(key.project_path for key, unit in units.items() if has_alternative(unit))
