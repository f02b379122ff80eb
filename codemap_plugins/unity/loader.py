"""The project loader, as plug-ins are asked for it. Light to import: what loads projects is imported where there are any."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from codemap_core.hooks.contracts import FileSet
from codemap_core.model import ProjectGraph
from codemap_core.source_digest import source_digest

_ROOT: Final = Path(__file__).parent
_MARKS: Final = (".asmdef", "ProjectSettings/ProjectVersion.txt")


class UnityProjectLoader:
    """The ``ProjectLoader`` of the Unity engine: the assemblies that it makes of scripts."""

    name = "unity"

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same files would give other projects."""
        return _fingerprint()

    def load(self, files: FileSet, solution: str | None) -> ProjectGraph:
        """See ``ProjectLoader.load``. No solution names these projects, so that none is loaded with one."""
        if solution or not any(path.endswith(_MARKS) for path in files.all_paths):
            return ProjectGraph()
        from codemap_plugins.unity.loading import Loading

        return Loading(files).run()


@cache
def _fingerprint() -> str:
    return source_digest(_ROOT, _ROOT.glob("*.py"))
