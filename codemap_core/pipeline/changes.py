"""What of an index changes with the files: the documents whose rows another state of the repository replaces, the ones it no longer has,
and what the index as a whole then says.

``find_changes`` is what the next baseline, an overlay and a question about unsaved files have in common. Invariants: an index whose
documents ``documents`` replace and ``deleted`` hide has the rows of a cold index of ``files``; rows are owned by documents, and a document
is replaced whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.hooks.contracts import FoundLibraries, ProgressCallback, Universe
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import (
    DocumentRow,
    FactRow,
    LibrarySymbolRow,
    Problem,
    ProjectGraph,
    ProjectProblem,
    ReferenceRow,
    RelationRow,
    SemanticLevel,
    SymbolRow,
)
from codemap_core.model.document import EXTRACTOR_FAILED
from codemap_core.model.documentation_id import ID_PREFIXES
from codemap_core.pipeline.analyse import Analysis, text_documents
from codemap_core.pipeline.diagnostics import project_diagnostics, semantic_level
from codemap_core.pipeline.discover import discover
from codemap_core.pipeline.extract import Documents, Extractors, LibraryRequest
from codemap_core.pipeline.extraction import DocumentRows, without_parts
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.row_checks import Extracted
from codemap_core.pipeline.workers import default_jobs
from codemap_core.repository import RepositoryFiles, decode_text
from codemap_core.storage.examine import ProjectDiagnostic
from codemap_core.storage.reader import IndexReader
from codemap_core.storage.unit_cache import UnitCache


class ReplacedDocument(Struct, frozen=True, kw_only=True):
    """A document of the new state with all of its rows, those that were concluded too; rows that two projects repeat stand twice."""

    document: DocumentRow
    symbols: tuple[SymbolRow, ...] = ()
    references: tuple[ReferenceRow, ...] = ()
    relations: tuple[RelationRow, ...] = ()
    facts: tuple[FactRow, ...] = ()


class Changes(Struct, frozen=True, kw_only=True):
    """The way from an index to another state of its repository."""

    documents: tuple[ReplacedDocument, ...]
    """In path order: those that are new, and those of the index that have other rows or other contents."""
    deleted: tuple[str, ...]
    """Paths of documents of the index that the new state does not have, sorted."""
    libraries: tuple[LibrarySymbolRow, ...]
    """What is known of symbols that rows of ``documents`` refer to and no row of these declares. Some may be declared elsewhere."""
    graph: ProjectGraph
    """Projects and solutions that the new state lists, all of them, with their problems."""
    diagnostics: tuple[ProjectDiagnostic, ...]
    semantic_level: SemanticLevel
    failures: tuple[ExtractionFailure, ...] = ()


class _Rows:
    """Rows of documents by path."""

    def __init__(self) -> None:
        self.symbols: dict[str, list[SymbolRow]] = {}
        self.references: dict[str, list[ReferenceRow]] = {}
        self.relations: dict[str, list[RelationRow]] = {}
        self.facts: dict[str, list[FactRow]] = {}

    def add(self, found: DocumentRows) -> None:
        for symbol in found.symbols:
            self.symbols.setdefault(symbol.file_path, []).append(symbol)
        for reference in found.references:
            self.references.setdefault(reference.file_path, []).append(reference)
        for relation in found.relations:
            self.relations.setdefault(relation.file_path, []).append(relation)
        for _, further in found.further:
            self.add_extracted(further)

    def add_extracted(self, found: Extracted) -> None:
        for symbol in found.symbols:
            self.symbols.setdefault(symbol.file_path, []).append(symbol)
        for reference in found.references:
            self.references.setdefault(reference.file_path, []).append(reference)
        for fact in found.facts:
            self.facts.setdefault(fact.file_path, []).append(fact)

    def undeclared(self) -> set[str]:
        """Ids that rows refer to and none of them declares."""
        referred: set[str | None] = set()
        for rows in self.references.values():
            for row in rows:
                referred.update((row.from_symbol, row.to_symbol, row.constructor))
        for relations in self.relations.values():
            for relation in relations:
                referred.update((relation.from_symbol, relation.to_symbol))
        for facts in self.facts.values():
            referred.update(fact.symbol_id for fact in facts)
        declared = {row.symbol_id for rows in self.symbols.values() for row in rows}
        return {each for each in referred if each is not None and each not in declared and each.startswith(ID_PREFIXES)}

    def of(self, document: DocumentRow) -> ReplacedDocument:
        path = document.file_path
        return ReplacedDocument(
            document=document,
            symbols=tuple(self.symbols.get(path, ())),
            references=tuple(self.references.get(path, ())),
            relations=tuple(self.relations.get(path, ())),
            facts=tuple(self.facts.get(path, ())),
        )


def _silent(_stage: str, _done: int, _total: int) -> None:
    return None


def _nothing() -> None:
    return None


def find_changes(
    index: IndexReader,
    files: RepositoryFiles,
    host: PluginHost,
    settings: Settings,
    *,
    work_tree: str | None = None,
    jobs: int | None = None,
    progress: ProgressCallback = _silent,
    check: Callable[[], None] = _nothing,
) -> Changes:
    """What separates ``index`` from ``files``, for the same part of the repository: the subtree that ``files`` show, and the solution of
    the index. ``work_tree``: as for ``discover``. ``check`` raises to stop.

    The index must be current: of the same fingerprint as ``host`` and ``settings`` give. Raises: CorruptIndexError."""
    progress("discover", 0, 0)
    discovery = discover(files, host, index.info.solution, work_tree)
    check()
    rows = _Rows()
    documents: dict[str, DocumentRow] = {}
    failures: list[ExtractionFailure] = []
    cache = UnitCache.open(settings.cache_directory)
    try:
        analysis = Analysis(host, cache, jobs or default_jobs(), check, settings.extractor_seconds)
        for document in analysis.documents(files, discovery, lambda done, total: progress("analyse", done, total)):
            documents[document.file_path] = document
        for document in text_documents(files, discovery.texts):
            documents[document.file_path] = document
    finally:
        if cache is not None:
            cache.close()
    line_counts = {path: each.line_count for path, each in documents.items() if each.text is not None}
    of_all = Documents(line_counts, lambda path: decode_text(files.read(path))[0], discovery.compiled_by)
    extractors = Extractors(host, jobs or default_jobs(), settings.extractor_seconds, check)
    outside = frozenset(blob.path for blob, _ in discovery.declared)
    libraries: list[LibrarySymbolRow] = []
    symbols: Counter[str] = Counter()
    references: Counter[str] = Counter()

    def known(described: Iterable[LibrarySymbolRow], faults: Iterable[ExtractionFailure]) -> None:
        libraries.extend(described)
        failures.extend(faults)

    for front_end in host.languages:
        units = analysis.units[front_end.name]
        if not units:
            continue
        universe = Universe(
            graph=discovery.graph,
            units=units,
            reference_folders=(
                *settings.reference_folders,
                *discovery.libraries.get(front_end.name, FoundLibraries()).folders,
            ),
            cache_folder=str(settings.cache_directory / "metadata"),
        )
        total = sum(unit.file_path not in outside for unit in units)
        progress("declare", 0, total)
        found = extractors.of_language(
            front_end,
            universe,
            of_all,
            lambda total=total: progress("bind", 0, total),  # type: ignore[misc]
            LibraryRequest(rows.undeclared, known),
            outside,
        )
        for unit, given in found:
            kept = tuple(without_parts(given.symbols, documents.keys()))
            rows.add(replace(given, symbols=kept))
            failures.extend(given.failures)
            symbols[unit.project_path] += len(given.symbols)
            references[unit.project_path] += len(given.references)
    for given in extractors.of_files(Universe(discovery.graph, {}), of_all, (blob.path for blob in discovery.texts)):
        rows.add(given)
        failures.extend(given.failures)
    for concluded, faults in extractors.conclusions(of_all):
        rows.add_extracted(concluded)
        failures.extend(faults)
    check()
    graph = replace(discovery.indexed, problems=(*discovery.indexed.problems, *_problems(failures)))
    diagnostics = project_diagnostics(host, discovery.indexed, analysis.statuses, symbols, references)
    return Changes(
        documents=tuple(rows.of(_with_failures(documents[path], failures)) for path in sorted(documents)),
        deleted=tuple(path for path in index.file_paths() if path not in documents),
        libraries=tuple(libraries),
        graph=graph,
        diagnostics=diagnostics,
        semantic_level=semantic_level(discovery.indexed, diagnostics),
        failures=tuple(failures),
    )


def _problems(failures: Iterable[ExtractionFailure]) -> tuple[ProjectProblem, ...]:
    """Of the repository: failures that no document has."""
    return tuple(
        dict.fromkeys(
            ProjectProblem("", f"{each.extractor} ({each.plugin}) failed: {each.message}")
            for each in failures
            if not each.file_path
        )
    )


def _with_failures(document: DocumentRow, failures: Iterable[ExtractionFailure]) -> DocumentRow:
    further = [Problem(EXTRACTOR_FAILED, str(each)) for each in failures if each.file_path == document.file_path]
    return replace(document, problems=tuple(dict.fromkeys((*document.problems, *further)))) if further else document
