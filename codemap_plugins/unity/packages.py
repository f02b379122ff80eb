"""Packages of a Unity project and their versions: what its manifest and lock file name, and what lies in its folder ``Packages``.
Unity Manual, "Project manifest", "Lock files" and "Embedded dependencies". Reads through ``FileSet`` alone."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

import msgspec

from codemap_core.hooks.contracts import FileSet


def packages_of_project(files: FileSet, root: str) -> dict[str, str]:
    """Name → version of each package of the Unity project in the folder ``root``, empty where only a place is written. What is embedded
    wins over what was locked, and that over what the manifest asks for."""
    folder = posixpath.join(root, "Packages")
    found = _texts(read_json(files, f"{folder}/manifest.json").get("dependencies"))
    locked = read_json(files, f"{folder}/packages-lock.json").get("dependencies")
    if isinstance(locked, dict):
        found |= _texts({name: entry.get("version") for name, entry in locked.items() if isinstance(entry, dict)})
    return {name: version if version[:1].isdigit() else "" for name, version in found.items()}


def package_manifests(files: FileSet) -> dict[str, str]:
    """Folder → path of the ``package.json`` in it, of those beside or above assembly definitions."""
    folders = {posixpath.dirname(path) for path in files.all_paths if path.endswith((".asmdef", ".asmref"))}
    around: set[str] = set()
    for folder in folders:
        while folder not in around:
            around.add(folder)
            folder = posixpath.dirname(folder)
    manifests = ((folder, posixpath.join(folder, "package.json")) for folder in sorted(around))
    return {folder: path for folder, path in manifests if files.exists(path)}


def read_json(files: FileSet, path: str) -> Mapping[str, Any]:
    """Empty where there is no such file, or it is something else."""
    try:
        read = msgspec.json.decode(files.read(path).removeprefix(b"\xef\xbb\xbf"))
    except (KeyError, msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return read if isinstance(read, dict) else {}


def _texts(read: object) -> dict[str, str]:
    if not isinstance(read, dict):
        return {}
    return {name: value for name, value in read.items() if isinstance(name, str) and isinstance(value, str)}
