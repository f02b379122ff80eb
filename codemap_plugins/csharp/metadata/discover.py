"""Finds folders of assemblies that .NET and NuGet left on this machine, for ``reference_folders.library_types``.

Nothing is executed and nothing is downloaded: well-known places, the lock file of a restore (``obj/project.assets.json``)
and the manifests of unpacked packages are read. Every function answers with what exists and is silent about what does
not; order is precedence. A lock file lies in the checkout, so nothing it names counts outside NuGet's own folders.

The places consulted are those whose change may mean other libraries: lock files, the folders of packages that projects name, and the
folders of reference packs, there or not. What lies inside the folder of one version never changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from codemap_core.hooks.contracts import FoundLibraries
from codemap_core.model import Project
from codemap_plugins.csharp.metadata.unity_editor import engine_libraries

_REFERENCE_PACKS = ("Microsoft.NETCore.App.Ref", "Microsoft.AspNetCore.App.Ref", "Microsoft.WindowsDesktop.App.Ref")
_DOTNET_PLACES = (
    "/usr/share/dotnet",
    "/usr/lib/dotnet",
    "/usr/lib64/dotnet",
    "/usr/local/share/dotnet",
    "C:/Program Files/dotnet",
)
_DEPENDENCY = re.compile(
    rb"<dependency\b[^<>]*?\bid\s*=\s*[\"']([\w.-]+)[\"'](?:[^<>]*?\bversion\s*=\s*[\"'][\[(]?([\w.+-]+))?"
)
_MAX_MANIFEST = 1 << 20
_MAX_LOCK_FILE = 1 << 26
_MAX_PACKAGES = 4000
_NET = re.compile(r"net(\d+)\.(\d+)(?:-([a-z]+)[\d.]*)?$")
_PACKAGE_ID = re.compile(r"[A-Za-z0-9_][\w.-]*")
_NETCOREAPP = re.compile(r"netcoreapp(\d+)\.(\d+)$")
_NETSTANDARD = re.compile(r"netstandard(\d+)\.(\d+)$")
_NETFRAMEWORK = re.compile(r"net(\d)(\d)(\d?)$")


def machine_libraries(
    projects: Sequence[Project], work_tree: str, environment: Mapping[str, str], home: Path | None
) -> FoundLibraries:
    """Folders of the assemblies that these projects were, or would be, compiled against: what their restore chose,
    the reference packs of their frameworks, their packages and what those need, the engine of Unity projects.
    ``work_tree``: root of the checkout, empty for none; ``home``: null where the user has none."""
    roots = package_roots(environment, home)
    found: dict[Path, None] = {}
    consulted: set[Path] = set()
    unrestored: list[Project] = []
    for project in projects:
        restored: list[Path] = []
        if work_tree:
            lock_file = Path(work_tree, project.project_path).parent / "obj" / "project.assets.json"
            consulted.add(lock_file)
            restored = restored_folders(lock_file, roots)
        found.update(dict.fromkeys(restored))
        if not restored:
            unrestored.append(project)
    frameworks = sorted({project.target_framework for project in projects if project.target_framework})
    for root in _dotnet_places(environment, home):
        consulted.update(root / "packs" / pack for pack in _REFERENCE_PACKS)
        for framework in frameworks:
            found.update(dict.fromkeys(reference_pack_folders(root, framework)))
    for project in unrestored:
        packages = [(package.id, package.version) for package in project.packages]
        folders, named = _package_closure(roots, packages, project.target_framework or "")
        found.update(dict.fromkeys(folders))
        consulted.update(root / name for root in _package_places(environment, home) for name in named)
    engine = engine_libraries(projects, work_tree, environment, home)
    found.update(dict.fromkeys(map(Path, engine.folders)))
    consulted.update(map(Path, engine.consulted))
    return FoundLibraries(
        folders=tuple(str(folder) for folder in found if any(_assemblies(folder))),
        consulted=tuple(sorted(map(str, consulted))),
        problems=engine.problems,
    )


def _assemblies(folder: Path) -> Iterable[Path]:
    """Packages that a framework has taken in hold an empty file ``_._`` instead."""
    return folder.glob("*.dll")


def _package_closure(
    roots: Sequence[Path], packages: Sequence[tuple[str, str | None]], target_framework: str
) -> tuple[list[Path], set[str]]:
    """Folders of these packages and of all that their manifests name; the names of all of them, in lower case."""
    found: list[Path] = []
    waiting = list(packages)
    seen: set[str] = set()
    while waiting and len(seen) < _MAX_PACKAGES:
        name, version = waiting.pop()
        if name.lower() in seen or not _PACKAGE_ID.fullmatch(name):
            continue
        seen.add(name.lower())
        folder = package_version(roots, name, version)
        if folder is None:
            continue
        assemblies = _framework_folder(folder, target_framework)
        if assemblies is not None:
            found.append(assemblies)
        waiting.extend(_dependencies(folder / f"{name.lower()}.nuspec"))
    return found, seen


def _dependencies(manifest: Path) -> list[tuple[str, str | None]]:
    """Packages that a ``.nuspec`` names, for whichever framework."""
    try:
        with manifest.open("rb") as file:
            content = file.read(_MAX_MANIFEST)
    except OSError:
        return []
    return [(name.decode(), version.decode() if version else None) for name, version in _DEPENDENCY.findall(content)]


def _dotnet_places(environment: Mapping[str, str], home: Path | None) -> list[Path]:
    """Folders .NET may be installed in."""
    named = [environment["DOTNET_ROOT"]] if environment.get("DOTNET_ROOT") else []
    places = [Path(place) for place in (*named, *_DOTNET_PLACES)]
    return [*places, *([home / ".dotnet"] if home is not None else [])]


def reference_pack_folders(root: Path, target_framework: str) -> list[Path]:
    """The newest reference packs under ``<root>/packs`` for a target framework (``net8.0``)."""
    target = target_framework.partition("-")[0]
    found = []
    for pack in _REFERENCE_PACKS:
        versions = sorted(_subfolders(root / "packs" / pack), key=lambda folder: _version(folder.name), reverse=True)
        folders = (version / "ref" / target for version in versions)
        found.extend(_existing(folders)[:1])
    return found


def package_roots(environment: Mapping[str, str], home: Path | None) -> list[Path]:
    """NuGet's folders of unpacked packages."""
    return _existing(_package_places(environment, home))


def _package_places(environment: Mapping[str, str], home: Path | None) -> list[Path]:
    """Where NuGet would unpack packages."""
    named = environment.get("NUGET_PACKAGES")
    if named:
        return [Path(named)]
    return [home / ".nuget" / "packages"] if home is not None else []


def package_version(roots: Iterable[Path], package: str, version: str | None) -> Path | None:
    """The folder of an unpacked package. ``version``: null, or one that is not there, means the highest."""
    if not _PACKAGE_ID.fullmatch(package):
        return None
    for root in roots:
        versions = {folder.name.lower(): folder for folder in _subfolders(root / package.lower())}
        if versions:
            return versions.get((version or "").lower()) or max(versions.values(), key=lambda path: _version(path.name))
    return None


def _framework_folder(folder: Path, target_framework: str) -> Path | None:
    for kind in ("ref", "lib"):
        frameworks = {path.name.lower(): path for path in _subfolders(folder / kind)}
        nearest = nearest_framework(target_framework, frameworks)
        if nearest is not None:
            return frameworks[nearest]
    return None


def restored_folders(assets: Path, allowed: Sequence[Path]) -> list[Path]:
    """Folders of the assemblies that a restore chose: ``targets/*/*/compile`` of ``obj/project.assets.json``. Empty
    when the file is missing or is something else. ``allowed``: the package folders that it may name."""
    try:
        if not assets.is_file() or assets.stat().st_size > _MAX_LOCK_FILE:
            return []
        content = msgspec.json.decode(assets.read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return []
    content = _mapping(content)
    roots = [root for root in map(Path, _mapping(content.get("packageFolders"))) if root in allowed]
    libraries = _mapping(content.get("libraries"))
    found: dict[Path, None] = {}
    for target in _mapping(content.get("targets")).values():
        for library, entry in _mapping(target).items():
            path = _mapping(libraries.get(library)).get("path")
            for name in _mapping(_mapping(entry).get("compile")):
                inside = _inside(path, name)
                if inside is not None:
                    found.update(dict.fromkeys(_existing(root / inside.parent for root in roots)[:1]))
    return list(found)


def nearest_framework(target: str, available: Iterable[str]) -> str | None:
    """Of the available target frameworks the one NuGet would take for ``target``: the highest compatible of the nearest
    family."""
    wanted = _family(target)
    best: tuple[tuple[int, ...], str] | None = None
    for name in available:
        offered = _family(name)
        if wanted is None or offered is None:
            continue
        rank = _compatibility(wanted, offered)
        if rank is not None and (best is None or rank > best[0]):
            best = rank, name
    return best[1] if best else None


_Family = tuple[str, tuple[int, ...], str]


def _family(name: str) -> _Family | None:
    """(family, version, platform) of a target framework moniker."""
    text = name.lower()
    for family, pattern in (("netstandard", _NETSTANDARD), ("net", _NETCOREAPP), ("net", _NET)):
        found = pattern.match(text)
        if found is not None and not (pattern is _NET and int(found[1]) < 5):
            return family, (int(found[1]), int(found[2])), (found[3] or "") if pattern is _NET else ""
    found = _NETFRAMEWORK.match(text)
    return ("netframework", tuple(int(digit or 0) for digit in found.groups()), "") if found else None


def _compatibility(wanted: _Family, offered: _Family) -> tuple[int, ...] | None:
    """Rank of an offered framework, higher is nearer; null when it cannot be used."""
    family, version, platform = wanted
    if offered[0] == family and offered[1] <= version and offered[2] in ("", platform):
        return 1, *offered[1], int(bool(offered[2]))
    highest = {"net": (2, 1) if version >= (3, 0) else (2, 0), "netframework": (2, 0)}.get(family)
    if offered[0] == "netstandard" and highest is not None and offered[1] <= highest:
        return 0, *offered[1]
    return None


def _inside(path: Any, name: Any) -> PurePosixPath | None:
    """``path/name`` of a lock file, if it is an assembly inside its package folder."""
    if not isinstance(path, str) or not isinstance(name, str) or not name.lower().endswith(".dll"):
        return None
    joined = PurePosixPath(path, name)
    return None if joined.is_absolute() or ".." in joined.parts else joined


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _version(name: str) -> tuple[tuple[int, ...], bool, str]:
    """Order of package versions: by numbers, then releases after their previews."""
    release, dash, label = name.partition("-")
    return tuple(int(part) for part in re.findall(r"\d+", release)), not dash, label


def _subfolders(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:
        return []


def _existing(folders: Iterable[Path]) -> list[Path]:
    return [folder for folder in folders if folder.is_dir()]
