"""The discover stage: the files of a commit, sorted into those a language analyses and other text, and the projects that compile them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import takewhile

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.contracts import (
    CompilesNamedFiles,
    FindsLibraries,
    FoundLibraries,
    JoinsProjects,
    LanguageFrontEnd,
    ReadsSolutions,
    UnitKey,
    front_ends_by_suffix,
)
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import Blob, Project, ProjectGraph, ProjectProblem, Solution
from codemap_core.model.project_folders import ProjectFolders
from codemap_core.pipeline.apart import asked_apart
from codemap_core.pipeline.file_questions import left_out
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.loaded_projects import load
from codemap_core.pipeline.recorded_files import RecordedFiles
from codemap_core.repository import MAX_SOURCE_SIZE, MAX_TEXT_SIZE, Repository, RepositoryFiles, language_of
from codemap_core.storage.sharing.unit_cache import UnitCache


def solution_suffixes(host: PluginHost) -> tuple[str, ...]:
    """Of the files that a loader knows as solutions; in lower case, with their dots."""
    return tuple(
        suffix
        for loader in host.project_loaders
        if isinstance(loader, ReadsSolutions)
        for suffix in loader.solution_suffixes
    )


def work_tree(repository: Repository, settings: Settings) -> str | None:
    """The argument of ``discover``: null where no libraries of this machine are wanted."""
    if not settings.machine_libraries:
        return None
    return "" if repository.is_bare else str(repository.root)


class Discovery(Struct, frozen=True):
    """What an index is made of.

    The index holds what lies in the indexed part of the commit. Projects elsewhere that projects in it reference, and files of its
    projects that lie outside an indexed folder, are ``declared``: analysed so that names mean what they mean in the whole
    repository, and left out of the index."""

    graph: ProjectGraph
    """Every project that what is indexed is compiled with, its files complete."""
    indexed: ProjectGraph
    """The projects that the index lists, with those of their files that it holds."""
    sources: tuple[tuple[Blob, str], ...]
    """(file, language name) of the files that a language analyses, in path order."""
    declared: tuple[tuple[Blob, str], ...]
    """The same of files that are declared alone."""
    texts: tuple[Blob, ...]
    """Files whose text is searched."""
    oversized: tuple[Blob, ...]
    """Files that are listed without their text."""
    compiled_by: Mapping[str, tuple[Project, ...]]
    """File path → the projects that compile it, in path order; where none does, those that do in another configuration."""
    silent: frozenset[UnitKey]
    """Units that are declared, and have no rows. Where several projects compile a file in another configuration alone, it is told for the
    nearest one, as properties that a whole repository shares put such files into hundreds of projects; the others see it all the same."""
    libraries: Mapping[str, FoundLibraries]
    """Language name → what it found on this machine."""
    failures: tuple[ExtractionFailure, ...] = ()
    """What front ends could not say of files."""
    loader_failures: tuple[ExtractionFailure, ...] = ()
    """Of loaders; the problems of the graph say them too."""

    @property
    def library_places(self) -> tuple[str, ...]:
        """Everything on this machine whose change may mean other libraries."""
        return tuple(sorted({place for found in self.libraries.values() for place in found.consulted}))

    def listed(self) -> Iterator[Blob]:
        """Every file that has a row, or would have one if it is not binary."""
        yield from (blob for blob, _ in self.sources)
        yield from self.texts
        yield from self.oversized


def discover(
    files: RepositoryFiles,
    host: PluginHost,
    solution: str,
    work_tree: str | None = None,
    cache: UnitCache | None = None,
) -> Discovery:
    """``solution``: path of a solution relative to the git root, or empty for every project. ``work_tree``: not null where libraries of
    this machine are looked for; then the root of the checkout, empty for a bare repository. ``cache``: where projects are kept as they were
    evaluated; null to evaluate them in any case.

    Raises: InvalidArgumentError when that is not a solution, or one without a project that can be read."""
    inside = frozenset(files.paths)
    graph, loader_failures = _load_projects(files, host, solution, inside, cache)
    libraries, problems = _find_libraries(host, graph.projects, work_tree) if work_tree is not None else ({}, ())
    graph = replace(graph, problems=(*graph.problems, *problems))
    compiled_by: dict[str, list[Project]] = {}
    for project in graph.projects:
        for path in project.files:
            compiled_by.setdefault(path, []).append(project)
    compiled_elsewhere = _compiled_elsewhere(graph, compiled_by)
    compiled_by.update(compiled_elsewhere)
    by_suffix = front_ends_by_suffix(host.languages)
    compiled_languages = {by_suffix.get(suffix_of(path)) for path in compiled_by} if solution else set()
    sources: list[tuple[Blob, str]] = []
    texts: list[Blob] = []
    oversized: list[Blob] = []
    named = _compiled_only(by_suffix)
    languages = {
        blob.path: by_suffix.get(suffix)
        for blob in files.blobs
        if (suffix := suffix_of(blob.path)) not in named or blob.path in compiled_by
    }
    out, failures = _left_out(host, languages)
    for blob in files.blobs:
        language = languages.get(blob.path)
        if language is not None and blob.path not in out:
            # A solution leaves out files that projects compile, and none of its own does; nothing else.
            if solution and blob.path not in compiled_by and language in compiled_languages:
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
    outside = [found for path in sorted(compiled_by) if path not in inside and (found := files.blob(path)) is not None]
    return Discovery(
        graph=graph,
        indexed=_indexed(graph, inside),
        sources=tuple(sources),
        declared=tuple(
            (blob, language.name)
            for blob in outside
            if (language := by_suffix.get(suffix_of(blob.path))) is not None and blob.size <= MAX_SOURCE_SIZE
        ),
        texts=tuple(texts),
        oversized=tuple(oversized),
        compiled_by={path: tuple(projects) for path, projects in compiled_by.items()},
        silent=frozenset(_told_elsewhere(compiled_elsewhere)),
        libraries=libraries,
        failures=failures,
        loader_failures=loader_failures,
    )


def _compiled_elsewhere(graph: ProjectGraph, compiled: Container[str]) -> dict[str, list[Project]]:
    """Files that projects compile in another configuration, and none in its own."""
    found: dict[str, list[Project]] = {}
    for project in graph.projects:
        for path, _ in project.left_out:
            if path not in compiled:
                found.setdefault(path, []).append(project)
    return found


def _told_elsewhere(compiled_by: Mapping[str, Sequence[Project]]) -> Iterator[UnitKey]:
    """The units of files, but those of the nearest project of each."""
    for path, projects in compiled_by.items():
        nearest = max(projects, key=lambda each: _folders_in_common(path, each.project_path))
        yield from (UnitKey(each.project_path, path) for each in projects if each is not nearest)


def _folders_in_common(one: str, other: str) -> int:
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _compiled_only(by_suffix: Mapping[str, LanguageFrontEnd]) -> AbstractSet[str]:
    """Suffixes of files that are of a language only where projects name them."""
    return {
        suffix
        for suffix, language in by_suffix.items()
        if isinstance(language, CompilesNamedFiles) and suffix in language.compiled_only
    }


def _joined(projects: Mapping[str, Project], files: RepositoryFiles, host: PluginHost) -> dict[str, Project]:
    """The projects, which have the files that belong to them without being named."""
    joining: dict[str, str] = {}
    for language in host.languages:
        if isinstance(language, JoinsProjects):
            joining.update(language.joining)
    if not joining:
        return dict(projects)
    named = {path for project in projects.values() for path in project.files}
    places = {*files.all_paths, *projects}
    folders = {
        suffix: ProjectFolders(path for path in places if suffix_of(path) == suffix) for suffix in joining.values()
    }
    further: dict[str, list[str]] = {}
    for path in files.all_paths:
        joined = joining.get(suffix_of(path))
        if joined is not None and path not in named:
            for project_path in folders[joined].around(path):
                further.setdefault(project_path, []).append(path)
    return {
        path: replace(each, files=tuple(sorted((*each.files, *further[path])))) if path in further else each
        for path, each in projects.items()
    }


def _left_out(
    host: PluginHost, languages: Mapping[str, LanguageFrontEnd | None]
) -> tuple[AbstractSet[str], tuple[ExtractionFailure, ...]]:
    """Files that the front ends of their suffixes do not want. ``languages``: those front ends, by path."""
    out: set[str] = set()
    failures: list[ExtractionFailure] = []
    for language in host.languages:
        paths = [path for path, found in languages.items() if found is language]
        found, faults = left_out(language, host.owner_of(language), paths)
        out |= found
        failures.extend(faults)
    return out, tuple(failures)


def sees_same_libraries(
    host: PluginHost, before: Sequence[Project], after: Sequence[Project], work_tree: str | None
) -> bool:
    """Whether all languages find the same folders of libraries on this machine for two states of projects. ``work_tree``: as for
    ``discover``."""
    if work_tree is None:
        return True
    (one, faults), (other, further) = (_find_libraries(host, each, work_tree) for each in (before, after))
    if faults or further:
        return False
    return all(one[language].folders == found.folders for language, found in other.items())


def _libraries_found(language: FindsLibraries, projects: Sequence[Project], work_tree: str) -> bytes:
    found = language.find_libraries(projects, work_tree)
    return msgspec.msgpack.encode(msgspec.convert(found, FoundLibraries, from_attributes=True))


def _find_libraries(
    host: PluginHost, projects: Sequence[Project], work_tree: str
) -> tuple[Mapping[str, FoundLibraries], tuple[ProjectProblem, ...]]:
    """What each language finds; one that raises finds nothing."""
    libraries: dict[str, FoundLibraries] = {}
    problems: list[ProjectProblem] = []
    for language in host.languages:
        if isinstance(language, FindsLibraries):
            ask = partial(_libraries_found, language, projects, work_tree)
            data, failure = asked_apart(host.owner_of(language), language.name, ask, "find_libraries")
            if failure is None:
                libraries[language.name] = found = msgspec.msgpack.decode(data, type=FoundLibraries)
                problems.extend(found.problems)
            else:
                problems.append(ProjectProblem("", f"libraries of this machine were not found: {failure}"))
    return libraries, tuple(problems)


def suffix_of(path: str) -> str:
    """In lower case, with its dot; empty for a name without one."""
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    return (dot + suffix).lower()


def _load_projects(
    files: RepositoryFiles, host: PluginHost, solution: str, inside: AbstractSet[str], cache: UnitCache | None
) -> tuple[ProjectGraph, tuple[ExtractionFailure, ...]]:
    """The graphs of all loaders together, without projects that have nothing to do with what is indexed; and what loaders failed at.
    Of two loaders that give the same project the one that sorts first is heard. Problems of no project are those of the repository: what
    of it could not be listed, and loaders that raise.

    Raises: as ``discover``."""
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
    failures: list[ExtractionFailure] = []
    for loader in host.project_loaders:
        loaded, failure = load(loader, host.owner_of(loader), files, solution, cache)
        if loaded is None:
            assert failure is not None
            failures.append(failure)
            problems.append(ProjectProblem("", f"project loader failed: {failure}"))
            continue
        if isinstance(files, RecordedFiles):
            files.read_paths.update(path for path, _ in loaded.read)
        for project in loaded.graph.projects:
            projects.setdefault(project.project_path, project)
        for each in loaded.graph.solutions:
            solutions.setdefault(each.path, each)
        problems.extend(loaded.graph.problems)
    if solution:
        _check_solution(files, solution, solutions, projects, problems, solution_suffixes(host))
    projects = _joined(projects, files, host)
    kept = _concerned(projects, inside)
    graph = ProjectGraph(
        tuple(projects[path] for path in sorted(kept)),
        tuple(solutions[path] for path in sorted(solutions)),
        tuple(problems),
    )
    return graph, tuple(failures)


def _check_solution(
    files: RepositoryFiles,
    solution: str,
    solutions: Mapping[str, Solution],
    projects: Mapping[str, Project],
    problems: Sequence[ProjectProblem],
    suffixes: tuple[str, ...],
) -> None:
    is_unusable = solution in solutions or any(each.project_path == solution for each in problems)
    if solution in solutions:
        if projects:
            return
        reason = "names no project that could be read"
    elif not files.exists(solution):
        reason = f"is not in {files.label}; paths are relative to the git root"
    elif said := [each.message for each in problems if each.project_path == solution]:
        reason = f"cannot be used as a solution: {said[0].rstrip('.')}"
    else:
        reason = "is not a solution"
    known = [path for path in files.all_paths if path.lower().endswith(suffixes) and path != solution]
    if not known:
        hint = f"This commit has no {'other ' if is_unusable else ''}solution."
    else:
        hint = f"Solutions here: {', '.join(known[:10])}{', …' if len(known) > 10 else ''}."
    raise InvalidArgumentError(f"{solution} {reason}. {hint}", solution=solution, solutions=known[:10])


def _concerned(projects: Mapping[str, Project], inside: AbstractSet[str]) -> set[str]:
    """Paths of the projects that lie in the indexed part or compile files of it, and of all that these reference."""
    pending = [path for path, project in projects.items() if _is_indexed(project, inside)]
    found: set[str] = set()
    while pending:
        path = pending.pop()
        if path not in found and path in projects:
            found.add(path)
            pending.extend(projects[path].sources_seen)
    return found


def _is_indexed(project: Project, inside: AbstractSet[str]) -> bool:
    return project.project_path in inside or any(path in inside for path in project.files)


def _indexed(graph: ProjectGraph, inside: AbstractSet[str]) -> ProjectGraph:
    """What of the graph the index lists."""
    kept = tuple(
        replace(project, files=tuple(path for path in project.files if path in inside))
        for project in graph.projects
        if _is_indexed(project, inside)
    )
    return replace(graph, projects=kept)
