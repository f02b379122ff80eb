"""Packages that projects of a repository make and others of them name: the projects behind package references.

A project makes the package of its ``PackageId``, which is its assembly's name where none is written (NuGet's ``pack`` targets), unless it
makes none (``IsPackable``) or one without its assembly (``IncludeBuildOutput``). One that compiles nothing still gives what it references,
as a package does that consists of dependencies. A reference may keep what a package holds from the
compiler (``IncludeAssets``, ``ExcludeAssets``) or from names without an extern alias (``Aliases``).
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from codemap_core.model import Project
from codemap_plugins.dotnet.evaluation import Evaluation
from codemap_plugins.dotnet.item_expressions import Item


class OwnPackages:
    """What the projects of one repository make and take."""

    def __init__(self) -> None:
        self._makers: Final[defaultdict[str, list[str]]] = defaultdict(list)
        """Id of a package, in lower case → paths of the projects that make it."""
        self._kept_away: Final[dict[str, frozenset[str]]] = {}
        """Path of a project → ids, in lower case, of packages it names whose types its files cannot name."""

    def add(self, project: Project, evaluation: Evaluation) -> None:
        path, properties = project.project_path, evaluation.properties
        is_without_assembly = properties.get("IncludeBuildOutput").lower() == "false"
        gives_nothing = is_without_assembly and (bool(project.files) or not project.project_references)
        is_unpacked = properties.get("IsPackable").lower() == "false" or properties.is_true("DevelopmentDependency")
        if not gives_nothing and not is_unpacked:
            self._makers[(properties.get("PackageId") or project.assembly_name).lower()].append(path)
        references = evaluation.items.of("PackageReference")
        self._kept_away[path] = frozenset(each.spec.lower() for each in references if not _is_compiled_against(each))

    def behind(self, project: Project) -> tuple[str, ...]:
        """Paths of the other projects that alone make a package which this one names, sorted."""
        kept_away = self._kept_away.get(project.project_path, frozenset())
        ids = {package.id.lower() for package in project.packages} - kept_away
        makers = (self._makers.get(each, ()) for each in ids)
        return tuple(sorted({each[0] for each in makers if len(each) == 1} - {project.project_path}))


def _is_compiled_against(reference: Item) -> bool:
    included = reference.words("IncludeAssets") or {"all"}
    hidden = reference.words("ExcludeAssets") & {"all", "compile"}
    return bool(included & {"all", "compile"}) and not hidden and not reference.value("Aliases").strip()
