"""Finds the assemblies of the Unity engine in the editor's folder, and those that the editor has compiled of packages in the checkout.

The editor of each version lies where Unity Hub puts it by default, or in the folder that the user has chosen in the Hub. Nothing is
executed. Every function answers with what exists and is silent about what does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from codemap_core.config import REFERENCES_VARIABLE
from codemap_core.hooks.contracts import FoundLibraries
from codemap_core.model import Project, ProjectProblem

_ENGINE: Final = "UnityEngine"
"""The package by which a project names the version of its editor."""
_VERSION: Final = re.compile(r"\d[\w.]*")
_SERIES: Final = re.compile(r"\d+\.\d+")
"""What a package outside all projects names."""
_MANAGED: Final = (
    "Editor/Data/Managed",
    "Unity.app/Contents/Managed",
    "Unity.app/Contents/Resources/Scripting/Managed",
)
"""Below the folder of a version: on Windows and Linux, on macOS, and there in later versions."""
_HUBS: Final = (
    "/Applications/Unity/Hub/Editor",
    "C:/Program Files/Unity/Hub/Editor",
    "/opt/unity/editors",
    "/opt/Unity/Hub/Editor",
)
_CHOSEN: Final = "UnityHub/secondaryInstallPath.json"
_MAX_CHOSEN: Final = 1 << 16
_COMPILED: Final = "Library/ScriptAssemblies"
_WITHOUT_ENGINE: Final = (
    "types of the engine are not known until it is, or until CODEMAP_REFERENCES names a folder with their assemblies"
)
_WITHOUT_PACKAGES: Final = "types of packages are not known until the project has been opened in the editor once"
_TOPS: Final = ("assets", "packages")


def engine_libraries(
    projects: Iterable[Project], work_tree: str, environment: Mapping[str, str], home: Path | None
) -> FoundLibraries:
    """For those projects that name the engine; the problems are that it, or what the editor compiles of packages, is not there.
    ``work_tree``: root of the checkout, empty for none; ``home``: null where the user has none."""
    used = {
        (package.version or "", _root_of(project))
        for project in projects
        for package in project.packages
        if package.id == _ENGINE
    }
    hubs = tuple(_hubs(environment, home)) if used else ()
    found: dict[Path, None] = {}
    consulted: set[Path] = set()
    problems: dict[str, None] = {}
    for version, root in sorted(used):
        engine = _engine(hubs, version) if _VERSION.fullmatch(version) else []
        found.update(dict.fromkeys(engine))
        if _VERSION.fullmatch(version):
            consulted.update(hub if _SERIES.fullmatch(version) else hub / version for hub in hubs)
            if not engine:
                problems[f"Unity {version} is not installed here; {_WITHOUT_ENGINE}"] = None
        compiled = Path(work_tree, root, _COMPILED)
        if work_tree and not _SERIES.fullmatch(version):
            consulted.add(compiled)
            if compiled.is_dir():
                found[compiled] = None
            elif engine:
                problems[f"{compiled} is missing; {_WITHOUT_PACKAGES}"] = None
    is_given = bool(environment.get(REFERENCES_VARIABLE))
    said = () if is_given else tuple(ProjectProblem("", problem) for problem in problems)
    return FoundLibraries(tuple(map(str, found)), tuple(map(str, consulted)), said)


def _engine(hubs: Iterable[Path], version: str) -> list[Path]:
    """``UnityEngine`` holds the engine's modules and, since 2020, those of the editor, which lay beside that folder before."""
    for hub in hubs:
        for managed in (_installed(hub, version) / each for each in _MANAGED):
            modules = managed / _ENGINE
            if modules.is_dir():
                return [modules] if any(modules.glob("UnityEditor*.dll")) else [modules, managed]
    return []


def _installed(hub: Path, version: str) -> Path:
    """The folder of an editor; for a package, which works with its series and every later one, the newest that is there."""
    if not _SERIES.fullmatch(version):
        return hub / version
    try:
        names = [each.name for each in hub.iterdir() if _VERSION.fullmatch(each.name)]
    except OSError:
        names = []
    return hub / max(names, key=_numbers, default=version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version)))


def _root_of(project: Project) -> str:
    """The folder of the Unity project: that above ``Assets`` or ``Packages``, or else of the project file."""
    parts = PurePosixPath(project.project_path).parts[:-1]
    tops = [number for number, part in enumerate(parts) if part.lower() in _TOPS]
    return "/".join(parts[: tops[0]] if tops else parts)


def _hubs(environment: Mapping[str, str], home: Path | None) -> Iterator[Path]:
    settings = [Path(environment["APPDATA"])] if environment.get("APPDATA") else []
    if home is not None:
        yield home / "Unity" / "Hub" / "Editor"
        settings += [home / ".config", home / "Library" / "Application Support"]
    yield from map(Path, _HUBS)
    for folder in settings:
        chosen = _chosen(folder / _CHOSEN)
        if chosen is not None:
            yield chosen


def _chosen(path: Path) -> Path | None:
    """The folder of editors that the user has chosen in the Hub."""
    try:
        with path.open("rb") as file:
            read = msgspec.json.decode(file.read(_MAX_CHOSEN))
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
    return Path(read) if isinstance(read, str) and Path(read).is_absolute() else None
