"""The project loader, as plug-ins are asked for it. Light to import: what evaluates projects is loaded when it is asked for the first ones,
which an index made from that of another commit often is not.
"""

from __future__ import annotations

from codemap_core.hooks.contracts import FileSet
from codemap_core.model import ProjectGraph
from codemap_plugins.dotnet.fingerprint import loader_fingerprint
from codemap_plugins.dotnet.solutions import SUFFIXES


class DotnetProjectLoader:
    """The ``ProjectLoader`` of .NET: MSBuild projects evaluated without MSBuild."""

    name = "dotnet"
    solution_suffixes = SUFFIXES

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same files would give other projects."""
        return loader_fingerprint()

    def load(self, files: FileSet, solution: str | None) -> ProjectGraph:
        """See ``ProjectLoader.load``."""
        from codemap_plugins.dotnet.loading import Loading

        return Loading(files).run(solution)

    def may_matter(self, path: str, content: bytes) -> bool:
        """See ``JudgesContents``: of source files, only those that may be projects themselves."""
        from codemap_plugins.dotnet.file_apps import may_be_file_app

        return not path.endswith(".cs") or may_be_file_app(content)
