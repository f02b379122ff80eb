"""What a Unity project says of all its scripts: the version of its editor, the player's settings, arguments of the compiler. Reads through
``FileSet`` alone; what is missing or unreadable, such as settings that are stored in binary, says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from codemap_core.hooks.contracts import FileSet
from codemap_plugins.unity.packages import packages_of_project
from codemap_plugins.unity.symbols import input_symbols

VERSION_FILE: Final = "ProjectSettings/ProjectVersion.txt"
_SETTINGS_FILE: Final = "ProjectSettings/ProjectSettings.asset"
_VERSION: Final = re.compile(rb"^m_EditorVersion:[ \t]*(\S+)", re.MULTILINE)
_DEFINES: Final = re.compile(rb"^  scriptingDefineSymbols:[ \t]*\r?\n((?:    .*\r?\n)*)", re.MULTILINE)
_STANDALONE: Final = re.compile(rb"^    (?:Standalone|1):[ \t]*(.*?)[ \t]*\r?$", re.MULTILINE)
_INPUT: Final = re.compile(rb"^  activeInputHandler:[ \t]*(\d)", re.MULTILINE)
_UNSAFE: Final = re.compile(rb"^  allowUnsafeCode:[ \t]*1", re.MULTILINE)
_ARGUMENT_FILES: Final = ("csc.rsp", "mcs.rsp")
_ARGUMENT: Final = re.compile(
    r"(?<!\S)[-/](define|d|langversion|unsafe|nullable)(?:[:+]\"?([^\s\"]*)\"?)?", re.IGNORECASE
)


class CompilerArguments(Struct, frozen=True):
    """Of a file ``csc.rsp``, beside an assembly definition or in ``Assets``."""

    defines: tuple[str, ...] = ()
    lang_version: str = ""
    allow_unsafe: bool = False
    nullable: bool = False


class ProjectSettings(Struct, frozen=True):
    """``version`` as it is written, empty where nothing says it. ``packages``: name → version, empty for an unknown one."""

    version: str
    packages: Mapping[str, str]
    defines: tuple[str, ...] = ()
    allow_unsafe: bool = False
    arguments: CompilerArguments = CompilerArguments()


def read_settings(files: FileSet, root: str) -> ProjectSettings:
    """Of the Unity project in a folder."""
    version = _VERSION.search(_read(files, posixpath.join(root, VERSION_FILE)))
    player = _read(files, posixpath.join(root, _SETTINGS_FILE))
    block = _DEFINES.search(player)
    written = _STANDALONE.search(block[1]) if block is not None else None
    handling = _INPUT.search(player)
    return ProjectSettings(
        version=version[1].decode("utf-8", "replace") if version is not None else "",
        packages=packages_of_project(files, root),
        defines=(*_symbols(written), *input_symbols(int(handling[1]) if handling is not None else 0)),
        allow_unsafe=_UNSAFE.search(player) is not None,
        arguments=read_arguments(files, posixpath.join(root, "Assets")) or CompilerArguments(),
    )


def read_arguments(files: FileSet, folder: str) -> CompilerArguments | None:
    """Null where the folder has none."""
    path = next((each for name in _ARGUMENT_FILES if files.exists(each := posixpath.join(folder, name))), None)
    if path is None:
        return None
    lines = _read(files, path).decode("utf-8-sig", "replace").splitlines()
    found = [match for line in lines if not line.lstrip().startswith("#") for match in _ARGUMENT.finditer(line)]
    said = [(match[1].lower(), match[2] or "") for match in found]
    return CompilerArguments(
        defines=tuple(one for key, value in said if key in ("define", "d") for one in re.split(r"[;,]", value) if one),
        lang_version=next((value for key, value in said if key == "langversion"), ""),
        allow_unsafe=any(key == "unsafe" for key, _ in said),
        nullable=any(key == "nullable" and value.lower() in ("", "enable", "annotations") for key, value in said),
    )


def _symbols(written: re.Match[bytes] | None) -> tuple[str, ...]:
    if written is None:
        return ()
    return tuple(one for each in written[1].decode("utf-8", "replace").split(";") if (one := each.strip()))


def _read(files: FileSet, path: str) -> bytes:
    try:
        return files.read(path)
    except KeyError:
        return b""
