"""The stages of a whole state, each file once: its documents, then their rows, handed to what keeps them.

A new index is filled from here, and so are the rows that a test of a plug-in sees. ``comparison`` runs these stages over what has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Protocol

from msgspec.structs import replace

from codemap_core.hooks.contracts import FoundLibraries, LanguageFrontEnd, UnitKey, Universe
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
    SymbolRow,
)
from codemap_core.model.document import EXTRACTOR_FAILED
from codemap_core.pipeline.analyse import AnalysedUnit, Analysis
from codemap_core.pipeline.conclusions import said_of
from codemap_core.pipeline.discover import Discovery
from codemap_core.pipeline.extract import Described, Documents, Extractors, LibraryRequest
from codemap_core.pipeline.extraction import DocumentRows, without_parts
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.records import record_of
from codemap_core.pipeline.row_checks import Extracted
from codemap_core.progress import ProgressCallback, Stage
from codemap_core.repository import RepositoryFiles
from codemap_core.storage.writing.document_records import DocumentRecord


class RowKeeper(Protocol):
    """What takes the rows: projects first, then documents, then everything that they own."""

    def add_projects(self, graph: ProjectGraph) -> None: ...

    def add_documents(self, rows: Iterable[DocumentRow]) -> None: ...

    def add_symbols(self, rows: Iterable[SymbolRow]) -> None: ...

    def add_references(self, rows: Iterable[ReferenceRow]) -> None: ...

    def add_relations(self, rows: Iterable[RelationRow]) -> None: ...

    def add_facts(self, rows: Iterable[FactRow]) -> None: ...

    def add_library_symbols(self, rows: Iterable[LibrarySymbolRow]) -> None: ...

    def add_problems(self, file_path: str, problems: Iterable[Problem]) -> None: ...

    def add_project_problems(self, problems: Iterable[ProjectProblem]) -> None: ...

    def add_record(self, file_path: str, project_path: str, record: DocumentRecord) -> None: ...

    def add_conclusions(self, extractor: str, said: Mapping[str, bytes], *, failed: bool) -> None: ...

    def settle(self) -> None:
        """All rows have come but those of conclusions, library symbols and problems. Further calls do nothing."""
        ...

    def undeclared_ids(self) -> Iterable[str]:
        """Ids that the rows so far refer to and none declares."""
        ...


class Stages:
    """One run. ``symbols`` and ``references`` count by project, and ``failures`` has what plug-ins failed at, once ``fill`` is done."""

    def __init__(
        self,
        host: PluginHost,
        analysis: Analysis,
        jobs: int,
        seconds: float,
        progress: ProgressCallback,
        check: Callable[[], None],
        *,
        reference_folders: Sequence[str],
        cache_folder: str,
        here: bool = False,
    ) -> None:
        """``seconds``, ``here``: as ``Analysis`` and ``Extractors`` have them; the folders as ``Universe`` has them, without those that
        front ends find."""
        self._host: Final = host
        self._analysis: Final = analysis
        self._extractors: Final = Extractors(host, jobs, seconds, check, here)
        self._progress: Final = progress
        self._reference_folders: Final = tuple(reference_folders)
        self._cache_folder: Final = cache_folder
        self._here: Final = here
        self._described: Final[list[Callable[[], Described]]] = []
        """Of each language, what gives what is known of the symbols of libraries."""
        self._line_counts: Final[dict[str, int]] = {}
        self._paths: Final[set[str]] = set()
        self.symbols: Final[Counter[str]] = Counter()
        self.references: Final[Counter[str]] = Counter()
        self.failures: Final[list[ExtractionFailure]] = []

    def analysed(self, files: RepositoryFiles, discovery: Discovery) -> Generator[DocumentRow, None, None]:
        """The documents of sources, for ``fill``; closing it ends the workers."""
        return self._analysis.documents(
            files, discovery, lambda done, total: self._progress(Stage.ANALYSE, done, total)
        )

    def fill(
        self, keeper: RowKeeper, files: RepositoryFiles, discovery: Discovery, documents: Iterable[DocumentRow]
    ) -> None:
        keeper.add_projects(discovery.indexed)
        keeper.add_documents(self._counted(documents))
        self.failures.extend(self._analysis.faults)
        self._add_failures(keeper, (*discovery.failures, *self._analysis.failures))
        asked = Documents.of(files, self._line_counts.get, discovery.compiled_by)
        texts = _Once(partial(self._add_texts, keeper, files, discovery, asked))
        for front_end in self._host.languages:
            units = self._analysis.units[front_end.name]
            if units:
                self._extract(front_end, self._universe(front_end, units, discovery), asked, keeper, discovery, texts)
            units.clear()
        texts()
        if self._extractors.concludes_here():
            keeper.settle()
        for label, concluded, failures in self._extractors.conclusions(asked):
            self._add_extracted(keeper, concluded)
            self._add_failures(keeper, failures)
            keeper.add_conclusions(label, said_of(concluded), failed=bool(failures))
        self._progress(Stage.PUBLISH, 0, 0)
        keeper.settle()
        for described in self._described:
            symbols, failures = described()
            keeper.add_library_symbols(symbols)
            self._add_failures(keeper, failures)

    def stop(self) -> None:
        """Ends the processes that a run which failed has left."""
        self._extractors.stop()

    def _add_texts(self, keeper: RowKeeper, files: RepositoryFiles, discovery: Discovery, documents: Documents) -> None:
        """Files of no language, and what extractors say of them: before any row of a language, whose front end is asked about the symbols
        of libraries that all rows refer to."""
        self._analysis.cache_rest()
        keeper.add_documents(self._counted(self._analysis.texts(files, discovery.texts)))
        nothing = Universe(discovery.graph, {})
        for unit, rows in self._extractors.of_files(nothing, documents, (blob.path for blob in discovery.texts)):
            self._add(keeper, rows)
            self._add_record(keeper, unit, rows, None)

    def _counted(self, rows: Iterable[DocumentRow]) -> Iterator[DocumentRow]:
        """The rows; their paths and lines are remembered."""
        for row in rows:
            self._paths.add(row.file_path)
            if row.text is not None:
                self._line_counts[row.file_path] = row.line_count
            yield row

    def _universe(self, front_end: LanguageFrontEnd, units: Mapping[UnitKey, bytes], discovery: Discovery) -> Universe:
        found = discovery.libraries.get(front_end.name, FoundLibraries()).folders
        return Universe(discovery.graph, units, (*self._reference_folders, *found), self._cache_folder)

    def _extract(
        self,
        front_end: LanguageFrontEnd,
        universe: Universe,
        documents: Documents,
        keeper: RowKeeper,
        discovery: Discovery,
        texts: Callable[[], None],
    ) -> None:
        """``texts``: adds what must precede all rows; while the workers bind, where there are workers."""
        outside = frozenset(blob.path for blob, _ in discovery.declared)

        total = sum(unit.file_path not in outside for unit in universe.units)
        self._progress(Stage.DECLARE, 0, total)
        rows = self._extractors.of_language(
            front_end,
            universe,
            documents,
            lambda: self._progress(Stage.BIND, 0, total),
            LibraryRequest(keeper.undeclared_ids, self._described.append, aside=not self._here),
            outside,
            dict.fromkeys(discovery.silent, DocumentRows()),
            meanwhile=texts,
        )
        for done, (unit, found) in enumerate(rows, 1):
            texts()
            symbols = tuple(without_parts(found.symbols, self._paths))
            self._add(keeper, replace(found, symbols=symbols))
            analysed = self._analysis.analysed.get(unit)
            if not outside and analysed is not None:  # what a part of a commit takes from outside it is not recorded
                self._add_record(keeper, unit, found, analysed)
            self.symbols[unit.project_path] += len(found.symbols)
            self.references[unit.project_path] += len(found.references)
            if done % 64 == 0 or done == total:
                self._progress(Stage.BIND, done, total)

    def _add(self, keeper: RowKeeper, found: DocumentRows) -> None:
        keeper.add_symbols(found.symbols)
        keeper.add_references(found.references)
        keeper.add_relations(found.relations)
        for _, further in found.further:
            self._add_extracted(keeper, further)
        self._add_failures(keeper, found.failures)

    def _add_record(self, keeper: RowKeeper, unit: UnitKey, found: DocumentRows, analysed: AnalysedUnit | None) -> None:
        keeper.add_record(unit.file_path, unit.project_path, record_of(found, analysed, self._extractors.labels))

    @staticmethod
    def _add_extracted(keeper: RowKeeper, found: Extracted) -> None:
        keeper.add_symbols(found.symbols)
        keeper.add_references(found.references)
        keeper.add_facts(found.facts)

    def _add_failures(self, keeper: RowKeeper, failures: Iterable[ExtractionFailure]) -> None:
        for failure in failures:
            if failure.file_path:
                keeper.add_problems(failure.file_path, (Problem(EXTRACTOR_FAILED, str(failure)),))
            elif failure not in self.failures:
                keeper.add_project_problems((ProjectProblem("", failure.said),))
            self.failures.append(failure)


class _Once:
    """Work that is done when it is called for the first time."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._work: Callable[[], None] | None = work

    def __call__(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            work()
