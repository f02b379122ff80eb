"""Which projects a file belongs to that none names, such as a view or a settings file: those whose folder is nearest around it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final


class ProjectFolders:
    """``projects``: paths of all projects."""

    def __init__(self, projects: Iterable[str]) -> None:
        by_folder: defaultdict[str, list[str]] = defaultdict(list)
        for path in projects:
            by_folder[path.rpartition("/")[0]].append(path)
        self._by_folder: Final = {folder: tuple(paths) for folder, paths in by_folder.items()}

    def around(self, path: str) -> tuple[str, ...]:
        """Paths of the projects in the innermost folder around a file that has any."""
        folder = path
        while folder:
            folder = folder.rpartition("/")[0]
            if folder in self._by_folder:
                return self._by_folder[folder]
        return ()
