"""Places on this machine that decided which libraries an index was bound against: lock files of restores, folders of packages. The index
keeps the state each was in, so that what was restored, installed or removed since is noticed without looking for libraries again."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping


def place_states(places: Iterable[str]) -> dict[str, str]:
    """Absolute path → its state: when it changed last, empty for what is not there."""
    return {place: _state(place) for place in places}


def changed_place(states: Mapping[str, str]) -> str | None:
    """The first place that is in another state now."""
    return next((place for place in sorted(states) if _state(place) != states[place]), None)


def give_the_same(states: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Whether the same libraries are found in these places: those that only one of them names are not there."""
    return all(states.get(place, "") == others.get(place, "") for place in states.keys() | others.keys())


def _state(place: str) -> str:
    try:
        status = os.stat(place)  # noqa: PTH116 - there are hundreds of them, and a Path takes longer than the system does
    except (OSError, ValueError):
        return ""
    return f"{status.st_mtime_ns}:{status.st_size}"
