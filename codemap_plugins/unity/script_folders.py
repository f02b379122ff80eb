"""Which assembly a script is compiled into, by the folders it lies in. Unity Manual, "Special folder names", "Special folders and script
compilation order" and "Assembly definitions".

A script belongs to the nearest assembly definition, or reference to one, in the folders around it. The other scripts of a project's
``Assets`` belong to one of four assemblies that the engine makes; those of packages to none. Pure; no IO.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Mapping
from enum import Enum
from typing import Final

_ASSETS: Final = "assets"
_PACKAGES: Final = "packages"
_FIRST_FOLDERS: Final = frozenset({"plugins", "standard assets", "pro standard assets"})
_NOT_COMPILED: Final = "streamingassets"
_EDITOR: Final = "editor"


class Predefined(Enum):
    """The assemblies of scripts without a definition, in the order in which they are compiled: each sees those before it."""

    FIRST_PASS = "Assembly-CSharp-firstpass"
    EDITOR_FIRST_PASS = "Assembly-CSharp-Editor-firstpass"
    PLAIN = "Assembly-CSharp"
    EDITOR = "Assembly-CSharp-Editor"

    @property
    def is_for_editor(self) -> bool:
        return self in (Predefined.EDITOR_FIRST_PASS, Predefined.EDITOR)

    @property
    def seen(self) -> tuple[Predefined, ...]:
        """Those whose types it may use: none that is for the editor, unless it is for the editor itself."""
        before = tuple(Predefined)[: tuple(Predefined).index(self)]
        return tuple(each for each in before if self.is_for_editor or not each.is_for_editor)


def root_of(path: str, roots: Collection[str]) -> str | None:
    """The Unity project a file lies in, the innermost; null for none."""
    folder = path
    while folder:
        folder = posixpath.dirname(folder)
        if folder in roots:
            return folder
    return None


def is_compiled(path: str, root: str | None) -> bool:
    """Whether the engine sees the file at all: hidden files and folders it does not, of a project only ``Assets`` and ``Packages``, and no
    scripts that are copied to the player as they are."""
    within = _within(path, root)
    if any(part.startswith(".") or part.endswith("~") or part.lower() == "cvs" for part in within):
        return False
    if root is None:
        return True
    top = within[0].lower()
    return top == _PACKAGES or (top == _ASSETS and len(within) > 1 and within[1].lower() != _NOT_COMPILED)


def owner_of(path: str, owners: Mapping[str, str], root: str | None) -> str | None:
    """The definition whose folder is nearest around a script: the path that ``owners`` has for that folder; null for none."""
    folder = path
    while folder and folder != root:
        folder = posixpath.dirname(folder)
        if folder in owners:
            return owners[folder]
    return None


def predefined_of(path: str, root: str) -> Predefined | None:
    """The assembly of a script without a definition; null for what lies in a package."""
    top, *folders = (part.lower() for part in _within(path, root)[:-1])
    if top != _ASSETS:
        return None
    is_first = bool(folders) and folders[0] in _FIRST_FOLDERS
    if _EDITOR in folders:
        return Predefined.EDITOR_FIRST_PASS if is_first else Predefined.EDITOR
    return Predefined.FIRST_PASS if is_first else Predefined.PLAIN


def _within(path: str, root: str | None) -> list[str]:
    return path.removeprefix(f"{root}/" if root else "").split("/")
