"""The shapes of what is said of a repository and its indexes: status, size, quality, a build."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from codemap_core.model import Confidence, SemanticLevel
from codemap_core.model.counting import counted
from codemap_core.queries.views.workspaces import WorkspaceSummary
from codemap_core.storage.files.examine import IndexInfo, ProjectDiagnostic

_PROJECTS_SHOWN: Final = 20


class FileFailure(Struct, frozen=True):
    """The problem with one file: a fault of CodeMap or a plug-in, or its first syntax error."""

    file_path: str
    message: str


class OtherLibraries(Struct, frozen=True):
    """Projects that were bound against the platform's libraries of another target framework than their own: members that theirs lacks are
    found, and an overload that it lacks may be chosen."""

    framework: str
    libraries: str
    project_count: int


class IndexQuality(Struct, frozen=True, kw_only=True):
    """The gaps of an index, counted."""

    files_by_status: dict[str, int]
    failure_count: int
    """Files on which an analyser or an extractor failed."""
    failures: tuple[FileFailure, ...]
    """The first of them."""
    syntax_errors: tuple[FileFailure, ...]
    """The first files with syntax errors, with the first error and its line, which counts from 1."""
    repository_problems: tuple[str, ...]
    """Problems of the whole repository: names that cannot be read, submodules, faults of project loaders. The first of them."""
    project_problems: tuple[FileFailure, ...]
    """The first problem of the first projects that could not be read as they are meant: an import, a condition, a reference."""
    problem_project_count: int
    """Such projects."""
    unresolved_count: int
    """In files that a project compiles; in all files where no project compiles any."""
    unresolved_share: float
    """Of all references there, 0 to 1."""
    unresolved_by_reason: dict[str, int]
    """The most frequent reasons, most frequent first."""
    other_libraries: tuple[OtherLibraries, ...] = ()
    """By framework, those of most projects first."""
    skipped: tuple[FileFailure, ...] = ()
    """The first files that are listed without their text, with why: their size, NUL bytes, a pointer of Git LFS."""
    left_out_unresolved_count: int = 0
    """Further unresolved references, in files that no project compiles: templates, snapshots, what projects take out."""
    left_out_file_count: int = 0
    """Those files."""

    @property
    def left_out_said(self) -> str:
        return left_out_said(self.left_out_unresolved_count, self.left_out_file_count)


def left_out_said(unresolved: int, files: int) -> str:
    """That there are further unresolved references in files that no project compiles, if there are any."""
    return f"{unresolved:,} more in {counted(files, 'file')} that no project compiles" if unresolved else ""


class IndexSize(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The contents of an index."""

    project_count: int
    file_count: int
    symbol_count: int
    reference_count: int
    semantic_level: SemanticLevel
    project_diagnostics: tuple[ProjectDiagnostic, ...] = ()
    """The first projects with problems."""

    @staticmethod
    def of(info: IndexInfo) -> IndexSize:
        """The contents of an index, and the projects that have problems."""
        return IndexSize(
            project_count=info.project_count,
            file_count=info.file_count,
            symbol_count=info.symbol_count,
            reference_count=info.reference_count,
            semantic_level=info.semantic_level,
            project_diagnostics=tuple(each for each in info.project_diagnostics if not each.compiled or each.errors)[
                :_PROJECTS_SHOWN
            ],
        )

    def __str__(self) -> str:
        parts = (
            counted(self.project_count, "project"),
            counted(self.file_count, "file"),
            counted(self.symbol_count, "symbol"),
            counted(self.reference_count, "reference"),
        )
        return ", ".join(parts)


class IndexStats(IndexSize, frozen=True, omit_defaults=True, kw_only=True):
    """A build (contract 6.2)."""

    elapsed_seconds: float
    confidence: Confidence = Confidence.HIGH
    analysed_files: int = 0
    """Files that were not in the cache of analysed contents; ``cached_files`` were."""
    cached_files: int = 0
    bound_files: int | None = None
    """Files that were bound again where the rows of all others were taken over from the index of another commit; null where none were."""
    replaced: str | None = None
    """Why an index of the commit that was there had to give way."""


class BaselineReport(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The result of ``index.ensure_baseline`` (contract 6.2). ``stats`` is null where nothing had to be built."""

    commit_sha: str
    already_existed: bool
    stats: IndexStats | None = None
    from_cache: bool = False
    """It was taken from the shared cache."""
    cache_problem: str | None = None
    """What went wrong with the shared cache; the index is good nevertheless."""
    part: str = ""
    """The folder or solution that the index covers; empty for the whole commit."""

    def lines(self) -> Iterator[str]:
        if self.stats is not None:
            files = counted(self.stats.analysed_files, "file")
            bound = "" if self.stats.bound_files is None else f", {self.stats.bound_files:,} bound again"
            cached = f"{self.stats.cached_files:,} cached"
            yield f"{self.stats}, in {self.stats.elapsed_seconds:.1f} s ({files} analysed, {cached}{bound})"
            yield from _problem_lines(self.stats.project_diagnostics)
        if self.cache_problem is not None:
            yield self.cache_problem


class FactCount(Struct, frozen=True):
    """``title``: what a plug-in calls the kind, or the kind itself."""

    kind: str
    title: str
    count: int

    @property
    def said(self) -> str:
        """``catch clauses 6``, within a sentence: abbreviations at the beginning of a title stay as they are."""
        starts_a_word = not self.title[1:2].isupper()
        return f"{self.title[:1].lower() if starts_a_word else self.title[:1]}{self.title[1:]} {self.count:,}"


class IndexStatus(IndexSize, frozen=True, omit_defaults=True, kw_only=True):
    """The index that answers for HEAD."""

    is_current: bool
    """Made by this release with these plug-ins; another one still answers until it is rebuilt."""
    not_current_because: str | None = None
    created_at: str
    """ISO 8601, UTC."""
    scope: str | None = None
    """The part of the commit that it covers, in words; null for the whole."""
    subtree: str | None = None
    solution: str | None = None
    quality: IndexQuality
    facts: tuple[FactCount, ...] = ()
    """By kind."""


class StoredIndexStatus(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An index of HEAD or of a part of it."""

    is_whole: bool
    is_current: bool
    subtree: str | None = None
    solution: str | None = None


class RepositoryStatus(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The answer of ``repo.status`` (contract 6.1)."""

    repo_id: str
    root: str
    subtree: str | None = None
    """The folder that was asked about, where it is not the root."""
    current_commit_sha: str
    branch_name: str
    is_clean: bool
    baseline_index_exists: bool
    """Of the whole of HEAD."""
    indexes: tuple[StoredIndexStatus, ...] = ()
    """Every index of HEAD, that of the whole first."""
    workspaces: tuple[WorkspaceSummary, ...] = ()
    """By id."""
    indexed_commits: tuple[str, ...] = ()
    """Newest index first, the first ten."""
    index_problem: str | None = None
    """Why the index of HEAD cannot be read."""
    index: IndexStatus | None = None

    def _is_described(self, stored: StoredIndexStatus) -> bool:
        """It is the index that answers."""
        index = self.index
        return index is not None and (index.subtree, index.solution) == (stored.subtree, stored.solution)

    def lines(self) -> Iterator[str]:
        yield f"{self.root} on {self.branch_name}, {'clean' if self.is_clean else 'with uncommitted edits'}"
        if self.index_problem:
            yield self.index_problem
        if self.index is not None:
            yield f"{self.index}; semantic level {self.index.semantic_level.value}"
            if self.index.facts:
                yield f"facts: {', '.join(each.said for each in self.index.facts)}"
            yield from _quality_lines(self.index.quality)
            yield from _problem_lines(self.index.project_diagnostics)
        for each in self.indexes:
            if not each.is_whole and not self._is_described(each):
                yield f"also indexed: {each.subtree or each.solution}"
        for workspace in self.workspaces:
            if not workspace.follows_working_tree:  # brought up to date by the next question, whatever it shows now
                yield f"workspace {workspace}"
        others = [commit[:12] for commit in self.indexed_commits if commit != self.current_commit_sha]
        if others:
            yield f"other indexed commits: {', '.join(others)}"


def _quality_lines(quality: IndexQuality) -> Iterator[str]:
    if quality.unresolved_count or quality.left_out_said:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in quality.unresolved_by_reason.items())
        count = f"{counted(quality.unresolved_count, 'reference')} ({quality.unresolved_share:.1%})"
        said = ": ".join(filter(None, [count, reasons]))
        yield f"unresolved: {'; '.join(filter(None, [said, quality.left_out_said]))}"
    for each in quality.other_libraries:
        projects = counted(each.project_count, "project")
        are = "is" if each.project_count == 1 else "are"
        yield f"{projects} of {each.framework} {are} bound against the libraries of {each.libraries}, which may have more members"
    if quality.failure_count:
        yield f"failed: {counted(quality.failure_count, 'file')}; codemap index --retry tries again"
    for failure in (*quality.failures, *quality.syntax_errors):
        yield f"{failure.file_path}: {failure.message}"
    yield from quality.repository_problems


def _problem_lines(diagnostics: tuple[ProjectDiagnostic, ...]) -> Iterator[str]:
    for each in diagnostics:
        yield f"{each.project_name}: {'; '.join(each.errors) or 'not analysed'}"
