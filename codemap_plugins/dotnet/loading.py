"""A run of the project loader: finds solutions, projects and file-based apps, evaluates each once for its primary target
framework."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from codemap_core.hooks.contracts import FileSet
from codemap_core.model import Project, ProjectGraph, ProjectProblem, Solution
from codemap_plugins.dotnet.documents import Documents
from codemap_plugins.dotnet.evaluation import Evaluation
from codemap_plugins.dotnet.file_apps import parse_file_app
from codemap_plugins.dotnet.frameworks import primary_framework
from codemap_plugins.dotnet.own_packages import OwnPackages
from codemap_plugins.dotnet.package_usings import PassedOnUsings
from codemap_plugins.dotnet.project_model import build_project, split_frameworks
from codemap_plugins.dotnet.project_xml import Element, InvalidXmlError
from codemap_plugins.dotnet.repository_tree import ROOT, RepositoryTree, absolute, folder_of
from codemap_plugins.dotnet.solutions import SUFFIXES, InvalidSolutionError, solution_projects

_PROJECT_SUFFIX: Final = ".csproj"
_MAX_PROBLEMS: Final = 20
"""Problems kept for one project; the rest repeat the same causes."""
_MAX_LOOSE_FILES: Final = 5000
"""Source files without a project that are read to see whether they are file-based apps, those nearest to the root first. Repositories
with more have no project files at all (Unity and the like)."""


class Loading:
    """One run over one commit."""

    def __init__(self, files: FileSet) -> None:
        self._files = files
        self._tree = RepositoryTree(files)
        self._documents = Documents(self._tree)
        self._problems: dict[str, list[str]] = {}
        self._projects: dict[str, Project] = {}
        self._own_packages = OwnPackages()
        self._passed_on_usings = PassedOnUsings()
        self._solution_of: dict[str, str] = {}

    def run(self, chosen: str | None) -> ProjectGraph:
        every = [
            one for path in self._files.all_paths if path.lower().endswith(SUFFIXES) if (one := self._solution(path))
        ]
        for solution in sorted(every, key=lambda one: (one.path != chosen, one.path.count("/"), one.path)):
            for project in solution.projects:
                self._solution_of.setdefault(project, solution.path)
        if chosen is not None:
            solutions = [solution for solution in every if solution.path == chosen]
        else:
            indexed = frozenset(self._files.paths)
            solutions = [solution for solution in every if solution.path in indexed]
        named = [path for solution in solutions for path in solution.projects]
        if chosen is None:
            named += [path for path in self._files.paths if path.lower().endswith(_PROJECT_SUFFIX)]
            named += self._projects_above()
        self._evaluate_with_references(named)
        if chosen is None:
            self._find_file_apps()
        problems = (ProjectProblem(path, text) for path, texts in sorted(self._problems.items()) for text in texts)
        projects = (self._projects[path] for path in sorted(self._projects))
        complete = (
            replace(
                each,
                package_projects=self._own_packages.behind(each),
                usings=self._passed_on_usings.of(each, self._projects),
            )
            for each in projects
        )
        return ProjectGraph(tuple(complete), tuple(solutions), tuple(problems))

    def _report(self, path: str) -> Callable[[str], None]:
        known = self._problems.setdefault(path, [])

        def report(message: str) -> None:
            if message not in known and len(known) < _MAX_PROBLEMS:
                known.append(message)

        return report

    def _solution(self, path: str) -> Solution | None:
        try:
            base, written = solution_projects(path, self._files.read(path))
        except (InvalidSolutionError, KeyError) as error:
            self._report(path)(f"cannot read the solution: {error}")
            return None
        folder = folder_of(absolute(folder_of(f"{ROOT}/{path}"), base)) if base else folder_of(f"{ROOT}/{path}")
        found = (self._tree.file(absolute(folder, one)) for one in written)
        projects = dict.fromkeys(one for one in found if one and one.lower().endswith(_PROJECT_SUFFIX))
        return Solution(path, tuple(projects))

    def _evaluate_with_references(self, paths: Iterable[str]) -> None:
        pending = list(paths)
        while pending:
            path = pending.pop()
            if path in self._projects or not path.lower().endswith(_PROJECT_SUFFIX):
                continue
            project = self._evaluate(path, None)
            if project is not None:
                self._projects[path] = project
                pending.extend(project.project_references)

    def _evaluate(self, path: str, root: Element | None) -> Project | None:
        report = self._report(path)
        full_path = f"{ROOT}/{path}"
        solution = self._solution_properties(path)
        if root is None:
            try:
                root = self._documents.read(full_path)
            except InvalidXmlError as error:
                report(f"cannot read the project: {error}")
                return None

        def evaluate(given: Mapping[str, str]) -> Evaluation:
            return Evaluation(self._documents, full_path, given, report, root=root, solution=solution)

        evaluation = evaluate({})
        frameworks = split_frameworks(evaluation.properties.get("TargetFrameworks"))
        if evaluation.properties.is_true("IsCrossTargetingBuild"):
            self._problems[path] = []
            report = self._report(path)
            evaluation = evaluate({"TargetFramework": primary_framework(frameworks) or ""})
        evaluation.read_items()
        project = build_project(self._tree, path, evaluation, frameworks, in_solution=path in self._solution_of)
        self._own_packages.add(project, evaluation)
        self._passed_on_usings.add(project, evaluation)
        return project

    def _projects_above(self) -> list[str]:
        """Projects in the folders above an indexed folder, which may compile its files."""
        inside = self._files.paths
        if not inside or len(inside) == len(self._files.all_paths):
            return []
        folder = posixpath.commonpath([folder_of(inside[0]), folder_of(inside[-1])])
        above = {""}
        while folder:
            above.add(folder)
            folder = folder_of(folder)
        return [
            path
            for path in self._files.all_paths
            if path.lower().endswith(_PROJECT_SUFFIX) and folder_of(path) in above
        ]

    def _solution_properties(self, project: str) -> Mapping[str, str]:
        solution = self._solution_of.get(project)
        if solution is None:
            return {}
        full_path = f"{ROOT}/{solution}"
        name = solution.rpartition("/")[2]
        stem, _, suffix = name.rpartition(".")
        return {
            "SolutionDir": folder_of(full_path) + "/",
            "SolutionPath": full_path,
            "SolutionFileName": name,
            "SolutionName": stem,
            "SolutionExt": "." + suffix,
        }

    def _find_file_apps(self) -> None:
        compiled = {path for project in self._projects.values() for path in project.files}
        loose = [path for path in self._files.paths if path.endswith(".cs") and path not in compiled]
        for path in sorted(loose, key=lambda one: (one.count("/"), one))[:_MAX_LOOSE_FILES]:
            try:
                app = parse_file_app(path.rpartition("/")[2], self._files.read(path))
            except KeyError:
                continue
            project = self._evaluate(path, app) if app is not None else None
            if project is not None:
                self._projects[path] = project
                self._evaluate_with_references(project.project_references)
