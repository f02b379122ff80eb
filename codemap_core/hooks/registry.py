"""What a hook is handed, and how the registrations of all plug-ins become one sorted list.

Invariant: the outcome depends on the set of registrations alone, never on the order in which plug-ins were loaded.
Everything is collected first; then, where two registrations claim the same thing (a name, a file suffix, a tool name),
the one of the built-in plug-in is kept, otherwise that of the plug-in whose name sorts first. The other is rejected
whole and reported, naming both owners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, Protocol, TypeVar

from msgspec import Struct


class Named(Protocol):
    """Everything that can be registered has a name, unique within its extension point."""

    @property
    def name(self) -> str: ...


ItemT = TypeVar("ItemT", bound=Named)


class Owner(Struct, frozen=True):
    """A plug-in as the owner of registrations. ``distribution`` is empty for one that was handed in by the program
    itself."""

    name: str
    distribution: str = ""
    version: str = ""
    built_in: bool = False

    def __str__(self) -> str:
        return f"{self.name} (of {self.distribution} {self.version})" if self.distribution else self.name

    @property
    def precedence(self) -> tuple[bool, str, str]:
        """Sorts first what keeps a disputed name."""
        return (not self.built_in, self.name, self.distribution)


class PluginProblem(Struct, frozen=True, order=True):
    """What is wrong with a plug-in, and what to do about it. Never fatal."""

    plugin: str
    distribution: str
    message: str


class Registry(Generic[ItemT]):
    """The registrations of one plug-in for one extension point."""

    def __init__(self, owner: Owner, point: str) -> None:
        self._owner = owner
        self._point = point
        self._items: list[ItemT] = []

    @property
    def owner(self) -> str:
        """Name of the plug-in whose registrations these are."""
        return self._owner.name

    def add(self, item: ItemT) -> None:
        """Offers ``item``. It is checked after the hook has returned; an invalid one is reported and left out."""
        self._items.append(item)

    def registrations(self) -> tuple[Registration[ItemT], ...]:
        return tuple(Registration(self._owner, self._point, item) for item in self._items)


class Registration(Struct, Generic[ItemT], frozen=True):
    owner: Owner
    point: str
    """``languages``, ``fact_extractors``…"""
    item: ItemT

    def problem(self, message: str) -> PluginProblem:
        return PluginProblem(self.owner.name, self.owner.distribution, message)


class Resolution(Struct, Generic[ItemT], frozen=True):
    """The registrations that hold, by name, and why others do not."""

    accepted: tuple[Registration[ItemT], ...]
    problems: tuple[PluginProblem, ...]

    @property
    def items(self) -> tuple[ItemT, ...]:
        return tuple(registration.item for registration in self.accepted)


def resolve(
    registrations: Iterable[Registration[ItemT]], claims: Callable[[ItemT], Iterable[str]]
) -> Resolution[ItemT]:
    """Settles who gets what. ``claims``: what an item needs for itself alone, in words fit for a message: ``name
    csharp``, ``suffix .cs``."""
    holders: dict[str, Registration[ItemT]] = {}
    accepted: list[Registration[ItemT]] = []
    problems: list[PluginProblem] = []
    for registration in sorted(registrations, key=lambda each: (each.owner.precedence, each.item.name)):
        wanted = tuple(claims(registration.item))
        taken = next((claim for claim in wanted if claim in holders), None)
        if taken is None:
            holders.update(dict.fromkeys(wanted, registration))
            accepted.append(registration)
            continue
        holder = holders[taken]
        problems.append(
            registration.problem(
                f"{registration.point}: {registration.item.name!r} of plug-in {registration.owner} is left out, "
                f"because its {taken} already belongs to {holder.item.name!r} of plug-in {holder.owner}. "
                "Block one of the two with CODEMAP_BLOCK_PLUGINS or uninstall it."
            )
        )
    accepted.sort(key=lambda registration: registration.item.name)
    return Resolution(tuple(accepted), tuple(sorted(problems)))
