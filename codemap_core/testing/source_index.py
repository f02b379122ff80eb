"""Rows of sources given as text: the stages from analyse to conclude, without git, without a database, in one process.

What a spec or a plug-in's own tests index. The rows are those that a commit with the same files would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import LanguageFrontEnd, UnitKey, Universe
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import (
    DocumentStatus,
    FactRow,
    LibrarySymbolRow,
    Problem,
    Project,
    ProjectGraph,
    ReferenceRow,
    RelationRow,
    SymbolRow,
)
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_core.pipeline.analyse import all_settings
from codemap_core.pipeline.discover import suffix_of
from codemap_core.pipeline.extract import Documents, Extractors, LibraryRequest
from codemap_core.pipeline.extraction import DocumentRows
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.row_checks import Extracted
from codemap_core.progress import unchecked
from codemap_core.repository import decode_text

SECONDS: Final = 20.0


class SourceFiles:
    """A ``FileSet`` of files in memory."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._paths = tuple(sorted(files))

    @property
    def paths(self) -> Sequence[str]:
        return self._paths

    @property
    def all_paths(self) -> Sequence[str]:
        return self._paths

    def exists(self, path: str) -> bool:
        return path in self._files

    def read(self, path: str) -> bytes:
        return self._files[path]


class SourceIndex(Struct, frozen=True, kw_only=True):
    """Rows in source order: by file, then by place."""

    graph: ProjectGraph
    symbols: tuple[SymbolRow, ...] = ()
    references: tuple[ReferenceRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    facts: tuple[FactRow, ...] = ()
    libraries: tuple[LibrarySymbolRow, ...] = ()
    statuses: Mapping[str, DocumentStatus] = {}
    problems: Mapping[str, tuple[Problem, ...]] = {}


class _Rows:
    """Collects rows; an extractor's fault is an error."""

    def __init__(self) -> None:
        self.symbols: list[SymbolRow] = []
        self.references: list[ReferenceRow] = []
        self.relations: list[RelationRow] = []
        self.facts: list[FactRow] = []
        self.libraries: list[LibrarySymbolRow] = []

    def add(self, rows: DocumentRows) -> None:
        self.symbols += rows.symbols
        self.references += rows.references
        self.relations += rows.relations
        for _, each in rows.further:
            self.add_extracted(each)
        _check(rows.failures)

    def add_extracted(self, rows: Extracted) -> None:
        self.symbols += rows.symbols
        self.references += rows.references
        self.facts += rows.facts

    def add_libraries(self, rows: Iterable[LibrarySymbolRow], failures: Iterable[ExtractionFailure]) -> None:
        _check(failures)
        self.libraries += rows

    def undeclared(self) -> set[str]:
        """Ids of symbols that are referred to and not declared."""
        referred = {each for row in self.references for each in (row.to_symbol, row.constructor) if each is not None}
        referred |= {row.to_symbol for row in self.relations}
        return {each for each in referred - {row.symbol_id for row in self.symbols} if each.startswith(ID_PREFIXES)}


def index_sources(
    files: Mapping[str, str | bytes],
    host: PluginHost,
    reference_folders: Sequence[str] = (),
    seconds: float = SECONDS,
) -> SourceIndex:
    """Indexes files by path with what ``host`` provides. ``reference_folders``: as ``Universe`` has them; ``seconds``: how long an
    extractor may take for one file. Raises: AssertionError when something of a plug-in failed."""
    sources = SourceFiles({path: text.encode() if isinstance(text, str) else text for path, text in files.items()})
    graph = _projects(sources, host)
    compiled_by: dict[str, list[Project]] = {}
    for project in graph.projects:
        for path in project.files:
            compiled_by.setdefault(path, []).append(project)
    rows = _Rows()
    statuses: dict[str, DocumentStatus] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    line_counts: dict[str, int] = {}
    documents = Documents(line_counts, lambda path: decode_text(sources.read(path))[0], compiled_by)
    extractors = Extractors(host, 1, seconds, unchecked, here=True)
    analysed: list[tuple[LanguageFrontEnd, dict[UnitKey, bytes]]] = []
    for language in host.languages:
        units: dict[UnitKey, bytes] = {}
        for path in sources.paths:
            if suffix_of(path) not in language.dialects:
                continue
            content = sources.read(path)
            for owner in compiled_by.get(path) or (None,):
                settings = all_settings(language, path, owner)
                relevant = language.relevant_settings(content, settings)
                document = language.analyse(content, replace(relevant, dialect=settings.dialect))
                units[UnitKey(owner.project_path if owner else "", path)] = document.unit
                statuses[path], problems[path] = document.status, document.problems
                line_counts[path] = document.line_count
        analysed.append((language, units))
    texts = [path for path in sources.paths if path not in statuses]
    for path in texts:
        text = documents.text_of(path)
        line_counts[path] = text.count("\n") + (1 if text and not text.endswith("\n") else 0)
    for language, units in analysed:
        if units:
            libraries = LibraryRequest(rows.undeclared, rows.add_libraries)
            universe = Universe(graph, units, tuple(reference_folders))
            for _, found in extractors.of_language(language, universe, documents, unchecked, libraries):
                rows.add(found)
    for _, found in extractors.of_files(Universe(graph, {}), documents, texts):
        rows.add(found)
    for _, concluded, failures in extractors.conclusions(documents):
        _check(failures)
        rows.add_extracted(concluded)
    return SourceIndex(
        graph=graph,
        symbols=tuple(
            sorted(rows.symbols, key=lambda s: (s.file_path, s.name_line, s.name_column, s.symbol_id, s.project))
        ),
        references=tuple(
            sorted(rows.references, key=lambda r: (r.file_path, r.line, r.column, r.kind, r.to_symbol or "", r.project))
        ),
        relations=tuple(sorted(rows.relations, key=lambda r: r.file_path)),
        facts=tuple(sorted(rows.facts, key=lambda f: (f.file_path, f.line_start, f.kind, f.value))),
        libraries=tuple(rows.libraries),
        statuses=statuses,
        problems=problems,
    )


def _check(failures: Iterable[ExtractionFailure]) -> None:
    said = [f"{each.file_path}: {each}" if each.file_path else str(each) for each in failures]
    assert not said, "\n".join(said)


def _projects(sources: SourceFiles, host: PluginHost) -> ProjectGraph:
    graphs: Iterable[ProjectGraph] = [loader.load(sources, None) for loader in host.project_loaders]
    projects = {project.project_path: project for graph in graphs for project in graph.projects}
    return ProjectGraph(tuple(projects[path] for path in sorted(projects)))
