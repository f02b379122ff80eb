"""The repository as MSBuild sees a disk: folders, files whatever the case of their names, absolute paths.

Project evaluation thinks in absolute paths; a commit has none. The git root stands at ``ROOT``, a folder name no
project can mean by accident, and nothing outside it exists. Backslashes are separators everywhere, as MSBuild has it
on every platform.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final

from codemap_core.hooks.contracts import FileSet

ROOT: Final = "/_"


@lru_cache(maxsize=65536)
def absolute(folder: str, path: str) -> str:
    """``path`` as written in a project, made absolute against ``folder`` and normalised."""
    normal = posixpath.normpath(posixpath.join(folder, path.replace("\\", "/")))
    return normal[1:] if normal.startswith("//") else normal


def folder_of(path: str) -> str:
    return path.rpartition("/")[0]


def relative(path: str) -> str | None:
    """An absolute path relative to the git root; empty for the root itself; null outside it."""
    if path.startswith(ROOT + "/"):
        return path[len(ROOT) + 1 :]
    return "" if path == ROOT else None


class RepositoryTree:
    """Every file of a commit, found by name and by folder. Reads nothing until asked to."""

    def __init__(self, files: FileSet) -> None:
        self._files = files
        self.paths: Sequence[str] = files.all_paths

    @cached_property
    def _by_folded_path(self) -> dict[str, str]:
        return {path.casefold(): path for path in reversed(self.paths)}

    @cached_property
    def _folders(self) -> dict[str, str]:
        folders = {"": ""}
        for path in self.paths:
            folder = folder_of(path)
            while folder and folder.casefold() not in folders:
                folders[folder.casefold()] = folder
                folder = folder_of(folder)
        return folders

    def file(self, path: str) -> str | None:
        """The file, relative to the git root, that an absolute path means: exactly, else whatever the case of its
        letters."""
        inside = relative(path)
        if not inside:
            return None
        return inside if self._files.exists(inside) else self._by_folded_path.get(inside.casefold())

    def folder(self, path: str) -> str | None:
        """The folder, relative to the git root, that an absolute path means, in its true spelling."""
        inside = relative(path)
        return None if inside is None else self._folders.get(inside.casefold())

    def exists(self, path: str) -> bool:
        return self.file(path) is not None or self.folder(path) is not None

    def read(self, path: str) -> bytes:
        """A file by its path relative to the git root. Raises: KeyError."""
        return self._files.read(path)

    def below(self, folder: str) -> Sequence[str]:
        """Every file in a folder (relative to the git root) and in those below it, sorted."""
        if not folder:
            return self.paths
        return self.paths[bisect_left(self.paths, folder + "/") : bisect_left(self.paths, folder + "0")]

    def above(self, folder: str, name: str) -> str | None:
        """The nearest file ``name`` in ``folder`` (absolute) or a folder above it, as an absolute path."""
        while folder.startswith(ROOT):
            candidate = absolute(folder, name)
            found = self.file(candidate)
            if found is not None:
                return f"{ROOT}/{found}"
            folder = folder_of(folder)
        return None
