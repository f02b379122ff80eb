"""The discover stage: the files of a commit, sorted into those a language analyses and other text, and the projects that compile them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from codemap_core.config import Settings
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.contracts import Language
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import Blob, Project, ProjectGraph, ProjectProblem, Solution
from codemap_core.workspace import MAX_SOURCE_SIZE, MAX_TEXT_SIZE, CommitFiles, Repository, language_of

SOLUTION_SUFFIXES: Final = (".sln", ".slnx", ".slnf")


def work_tree(repository: Repository, settings: Settings) -> str | None:
    """``Universe.work_tree`` of a run."""
    if not settings.machine_libraries:
        return None
    return "" if repository.is_bare else str(repository.root)


class Discovery(Struct, frozen=True):
    """What an index is made of. ``sources``: files of an analysed language; ``texts``: files whose text is searched; ``oversized``: files
    listed without their text."""

    graph: ProjectGraph
    sources: tuple[tuple[Blob, str], ...]
    """(file, language name), in path order."""
    texts: tuple[Blob, ...]
    oversized: tuple[Blob, ...]
    compiled_by: Mapping[str, tuple[Project, ...]]
    """File path → the projects that compile it, in path order."""


def discover(files: CommitFiles, host: PluginHost, solution: str) -> Discovery:
    """``solution``: path of a solution relative to the git root, or empty for every project.

    Raises: InvalidArgumentError when there is no such solution."""
    if solution:
        _check_solution(files, solution)
    graph = _load_projects(files, host, solution or None)
    compiled_by: dict[str, list[Project]] = {}
    for project in graph.projects:
        for path in project.files:
            compiled_by.setdefault(path, []).append(project)
    by_suffix: dict[str, Language] = {suffix: language for language in host.languages for suffix in language.suffixes}
    sources: list[tuple[Blob, str]] = []
    texts: list[Blob] = []
    oversized: list[Blob] = []
    for blob in files.blobs:
        language = by_suffix.get(_suffix(blob.path))
        if language is not None:
            if solution and blob.path not in compiled_by:
                continue
            if blob.size > MAX_SOURCE_SIZE:
                oversized.append(blob)
            else:
                sources.append((blob, language.name))
        elif blob.size > MAX_TEXT_SIZE:
            if language_of(blob.path) != "text":
                oversized.append(blob)
        else:
            texts.append(blob)
    return Discovery(
        graph=graph,
        sources=tuple(sources),
        texts=tuple(texts),
        oversized=tuple(oversized),
        compiled_by={path: tuple(projects) for path, projects in compiled_by.items()},
    )


def _suffix(path: str) -> str:
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    return (dot + suffix).lower()


def _check_solution(files: CommitFiles, solution: str) -> None:
    if files.exists(solution):
        return
    known = [path for path in files.all_paths if path.lower().endswith(SOLUTION_SUFFIXES)]
    hint = f" This commit has: {', '.join(known[:10])}." if known else " This commit has no solution file."
    raise InvalidArgumentError(f"The commit has no solution {solution!r}; paths are relative to the git root.{hint}")


def _load_projects(files: CommitFiles, host: PluginHost, solution: str | None) -> ProjectGraph:
    """The graphs of all loaders together. Of two loaders that give the same project the one that sorts first is heard. Problems of no
    project are those of the repository: what of it could not be listed, and loaders that raise."""
    projects: dict[str, Project] = {}
    solutions: dict[str, Solution] = {}
    problems = [ProjectProblem("", problem.message) for problem in files.skipped.problems]
    if files.skipped.submodules:
        count = files.skipped.submodules
        problems.append(
            ProjectProblem(
                "",
                f"{count:,} {'submodule is' if count == 1 else 'submodules are'} not part of this index; "
                "what projects import or compile from there is missing",
            )
        )
    for loader in host.project_loaders:
        try:
            graph = loader.load(files, solution)
        except Exception as error:  # a plug-in's fault must not end the run
            problems.append(ProjectProblem("", f"project loader {loader.name} failed: {type(error).__name__}: {error}"))
            continue
        for project in graph.projects:
            projects.setdefault(project.project_path, project)
        for each in graph.solutions:
            solutions.setdefault(each.path, each)
        problems.extend(graph.problems)
    inside = set(files.paths)
    kept = tuple(_within(projects[path], inside) for path in sorted(projects) if _concerns(projects[path], inside))
    return ProjectGraph(kept, tuple(solutions[path] for path in sorted(solutions)), tuple(problems))


def _concerns(project: Project, inside: set[str]) -> bool:
    return project.project_path in inside or any(path in inside for path in project.files)


def _within(project: Project, inside: Sequence[str] | set[str]) -> Project:
    """The project with the files that the indexed subtree holds."""
    kept = tuple(path for path in project.files if path in inside)
    if len(kept) == len(project.files):
        return project
    from msgspec.structs import replace

    return replace(project, files=kept)
