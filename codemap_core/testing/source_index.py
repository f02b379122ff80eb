"""Rows of sources given as text: the stages from analyse to extract, without git, without a database, in one process.

What a spec or a plug-in's own tests index. The rows are those that a commit with the same files would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from codemap_core.hooks.contracts import AnalysisSettings, UnitKey, Universe
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
from codemap_core.pipeline.extract import ExtractionFailure, LibraryRequest, extract


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


def index_sources(
    files: Mapping[str, str | bytes], host: PluginHost, reference_folders: Sequence[str] = ()
) -> SourceIndex:
    """Indexes files by path with what ``host`` provides. ``reference_folders``: as ``Universe`` has them. Raises: AssertionError when an
    extractor raised for a file."""
    sources = SourceFiles({path: text.encode() if isinstance(text, str) else text for path, text in files.items()})
    graph = _projects(sources, host)
    compiled_by: dict[str, list[Project]] = {}
    for project in graph.projects:
        for path in project.files:
            compiled_by.setdefault(path, []).append(project)
    symbols: list[SymbolRow] = []
    references: list[ReferenceRow] = []
    relations: list[RelationRow] = []
    facts: list[FactRow] = []
    statuses: dict[str, DocumentStatus] = {}
    problems: dict[str, tuple[Problem, ...]] = {}
    libraries: list[LibrarySymbolRow] = []

    def known(rows: Iterable[LibrarySymbolRow], faults: Iterable[ExtractionFailure]) -> None:
        assert not tuple(faults), f"an extractor raised: {faults}"
        libraries.extend(rows)

    for language in host.languages:
        units: dict[UnitKey, bytes] = {}
        for path in sources.paths:
            if not path.lower().endswith(language.suffixes):
                continue
            content = sources.read(path)
            for owner in compiled_by.get(path) or (None,):
                settings = AnalysisSettings(owner.defines, owner.lang_version) if owner else AnalysisSettings()
                document = language.analyse(content, language.relevant_settings(content, settings))
                units[UnitKey(owner.project_path if owner else "", path)] = document.unit
                statuses[path], problems[path] = document.status, document.problems
        if not units:
            continue
        rows = extract(
            Universe(graph, units, tuple(reference_folders)),
            [e for e in host.symbol_extractors if e.language == language.name],
            [e for e in host.reference_extractors if e.language == language.name],
            [e for e in host.fact_extractors if e.language == language.name],
            jobs=1,
            check=_nothing,
            declared=_nothing,
            libraries=LibraryRequest(lambda: _undeclared(symbols, references, relations), known),
        )
        for _, found in rows:
            assert not found.failures, f"an extractor raised: {found.failures}"
            symbols.extend(found.symbols)
            references.extend(found.references)
            relations.extend(found.relations)
            facts.extend(found.facts)
    symbols.sort(key=lambda s: (s.file_path, s.name_line, s.name_column, s.symbol_id, s.project))
    references.sort(key=lambda r: (r.file_path, r.line, r.column, r.kind, r.to_symbol or "", r.project))
    facts.sort(key=lambda f: (f.file_path, f.line_start, f.kind, f.value))
    relations.sort(key=lambda r: r.file_path)
    return SourceIndex(
        graph=graph,
        symbols=tuple(symbols),
        references=tuple(references),
        relations=tuple(relations),
        facts=tuple(facts),
        libraries=tuple(libraries),
        statuses=statuses,
        problems=problems,
    )


def _undeclared(
    symbols: Iterable[SymbolRow], references: Iterable[ReferenceRow], relations: Iterable[RelationRow]
) -> set[str]:
    """Ids of symbols that are referred to and not declared."""
    referred = {each for row in references for each in (row.to_symbol, row.constructor) if each is not None}
    referred |= {row.to_symbol for row in relations}
    return {each for each in referred - {row.symbol_id for row in symbols} if each.startswith(ID_PREFIXES)}


def _nothing() -> None:
    return None


def _projects(sources: SourceFiles, host: PluginHost) -> ProjectGraph:
    graphs: Iterable[ProjectGraph] = [loader.load(sources, None) for loader in host.project_loaders]
    projects = {project.project_path: project for graph in graphs for project in graph.projects}
    return ProjectGraph(tuple(projects[path] for path in sorted(projects)))
