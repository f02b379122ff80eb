"""What an index says of its projects: how well each could be analysed, and how far the whole is understood."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from codemap_core.hooks.contracts import BindsLibraries
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import DocumentStatus, Project, ProjectGraph, SemanticLevel
from codemap_core.model.counting import counted
from codemap_core.storage.files.examine import ProjectDiagnostic

_ERRORS_NAMED: Final = 5
_BROKEN: Final = (DocumentStatus.FALLBACK, DocumentStatus.FAILED)


def project_diagnostics(
    host: PluginHost,
    graph: ProjectGraph,
    statuses: Mapping[str, DocumentStatus],
    symbols: Mapping[str, int],
    references: Mapping[str, int],
) -> tuple[ProjectDiagnostic, ...]:
    """Of each project of ``graph``. ``statuses``: by path of file; ``symbols`` and ``references``: how many rows a project gave, by its
    path."""
    problems: dict[str, list[str]] = {}
    for problem in graph.problems:
        problems.setdefault(problem.project_path, []).append(problem.message)
    failed: dict[str, int] = Counter()
    for project in graph.projects:
        broken = sum(statuses.get(path) in _BROKEN for path in project.files)
        if broken:
            problems.setdefault(project.project_path, []).append(
                f"{broken} of {counted(len(project.files), 'file')} {'has' if broken == 1 else 'have'} syntax errors"
            )
            failed[project.project_path] = broken
    bound = {project.project_path: _other_libraries(host, project) for project in graph.projects}
    return tuple(
        ProjectDiagnostic(
            project_name=project.name,
            compiled=not failed[project.project_path],
            symbol_count=symbols.get(project.project_path, 0),
            reference_count=references.get(project.project_path, 0),
            errors=tuple(problems.get(project.project_path, ())[:_ERRORS_NAMED]),
            framework=(project.target_framework or "") if bound[project.project_path] else "",
            libraries=bound[project.project_path],
        )
        for project in graph.projects
    )


def semantic_level(graph: ProjectGraph, diagnostics: tuple[ProjectDiagnostic, ...]) -> SemanticLevel:
    """``full``: every project without a syntax error; ``syntax_only``: no project compiles anything of the index."""
    if not any(project.files for project in graph.projects):
        return SemanticLevel.SYNTAX_ONLY
    return SemanticLevel.FULL if all(each.compiled for each in diagnostics) else SemanticLevel.PARTIAL


def _other_libraries(host: PluginHost, project: Project) -> str:
    """The framework of the platform's libraries that the project was bound against, where it is not its own; else empty."""
    own = (project.target_framework or "").partition("-")[0]
    for language in host.languages:
        if isinstance(language, BindsLibraries) and any(
            path.endswith(tuple(language.dialects)) for path in project.files
        ):
            return language.library_framework if own and own != language.library_framework else ""
    return ""
