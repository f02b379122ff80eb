"""What is installed beside this program: entry points and versions, from the ``*.dist-info`` folders on the path.

Says what ``importlib.metadata`` says, which is not imported for it: with the readers of mail, archives and tables that it needs, that takes
longer than a commit takes to be found. Where distributions may lie elsewhere than in folders, it is asked after all.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

if TYPE_CHECKING:  # it takes long to import
    from importlib.metadata import EntryPoint

_SUFFIXES: Final = (".dist-info", ".egg-info")
_METADATA: Final = ("METADATA", "PKG-INFO")
_ENTRY_POINTS: Final = "entry_points.txt"


class InstalledEntry(Struct, frozen=True):
    """An entry point. ``distribution`` and ``version``: whose it is; empty where nobody says."""

    name: str
    value: str
    distribution: str = ""
    version: str = ""

    @classmethod
    def of(cls, entry: EntryPoint) -> InstalledEntry:
        if entry.dist is None:
            return cls(entry.name, entry.value)
        return cls(entry.name, entry.value, entry.dist.name, entry.dist.version)

    def load(self) -> Any:
        """The module or object that ``value`` names. Raises: whatever importing it raises."""
        module, _, path = self.value.partition("[")[0].partition(":")
        found: Any = import_module(module.strip())
        for name in path.strip().split(".") if path else ():
            found = getattr(found, name)
        return found


def installed_entries(group: str) -> list[InstalledEntry]:
    """The entry points of a group, of every distribution that is found first under its name."""
    if not _are_all_in_folders():
        from importlib.metadata import entry_points

        return [InstalledEntry.of(entry) for entry in entry_points(group=group)]
    found: list[InstalledEntry] = []
    for folder in _folders():
        listed = list(_entries(_text_of(folder / _ENTRY_POINTS), group))
        if listed:
            distribution, version = _described(folder)
            found += [InstalledEntry(name, value, distribution, version) for name, value in listed]
    return found


def installed_version(distribution: str) -> str:
    """Raises: PackageNotFoundError where it is not installed."""
    if _are_all_in_folders():
        for folder in _folders():
            if _key_of(folder.name) == _normalised(distribution) and (version := _described(folder)[1]):
                return version
    from importlib.metadata import version as version_of

    return version_of(distribution)


def _are_all_in_folders() -> bool:
    others = (each for each in sys.meta_path if each is not PathFinder and hasattr(each, "find_distributions"))
    archives = (place for place in sys.path if place.endswith(".egg") or Path(place).is_file())
    return next(others, None) is None and next(archives, None) is None


def _folders() -> Iterator[Path]:
    """Of the metadata of each distribution."""
    seen: set[str] = set()
    for place in sys.path:
        try:
            with os.scandir(place or ".") as listed:
                names = [each.name for each in listed]
        except OSError:
            continue
        for name in names:
            if name.lower().endswith(_SUFFIXES) and (key := _key_of(name)) not in seen:
                seen.add(key)
                yield Path(place, name)


def _key_of(folder: str) -> str:
    return _normalised(folder.rpartition(".")[0].partition("-")[0])


def _normalised(distribution: str) -> str:
    return re.sub(r"[-_.]+", "_", distribution).lower()


def _text_of(path: Path) -> str:
    """Nothing where there is no such file."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _entries(text: str, wanted: str) -> Iterator[tuple[str, str]]:
    group = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            group = line[1:-1]
        elif group == wanted and line and not line.startswith("#"):
            name, _, value = line.partition("=")
            yield name.strip(), value.strip()


def _described(folder: Path) -> tuple[str, str]:
    """The name and the version that a distribution gives itself."""
    text = next(filter(None, (_text_of(folder / name) for name in _METADATA)), "")
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line:  # what follows is the description
            break
        name, _, value = line.partition(":")
        fields.setdefault(name.lower(), value.strip())
    return fields.get("name", ""), fields.get("version", "")
