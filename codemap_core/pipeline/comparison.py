"""An index compared with a state of its repository's files: what must be analysed, bound and concluded again, and the ``Changes`` that come
of it.

``find_changes`` is what the next baseline, an overlay and a question about unsaved files have in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar

from msgspec.structs import replace

from codemap_core.config import Settings
from codemap_core.hooks.contracts import FoundLibraries, LanguageFrontEnd, UnitKey, Universe
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import DocumentRow, DocumentStatus, LibrarySymbolRow
from codemap_core.model.document import EXTRACTOR_FAILED
from codemap_core.pipeline.ahead import AnalysisAhead, FetchedUnits
from codemap_core.pipeline.analyse import AnalysedUnit, Analysis, AnalysisTask
from codemap_core.pipeline.changes import Changes, Declined
from codemap_core.pipeline.conclusions import (
    conclude,
    digests_after,
    doubted,
    said_of_replaced,
    said_otherwise,
)
from codemap_core.pipeline.diagnostics import project_diagnostics, semantic_level
from codemap_core.pipeline.extract import Described, Documents, Extractors, LibraryRequest, Tables, load_ahead
from codemap_core.pipeline.extraction import DocumentRows, without_parts
from codemap_core.pipeline.garbage import seldom_collected
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.records import record_of
from codemap_core.pipeline.resident import Discovered, Generation, Kept, discovered, next_generation, rows_after
from codemap_core.pipeline.reuse import (
    Reuse,
    Standing,
    narrowed,
    read_previous,
    sees_other_libraries,
    to_analyse,
    with_present_versions,
)
from codemap_core.pipeline.row_groups import RowsByDocument, problems_of, with_failures
from codemap_core.pipeline.unit_supply import UnitSupply
from codemap_core.pipeline.warm_up import warm_up_projects
from codemap_core.pipeline.workers import Aside, Workers, default_jobs
from codemap_core.progress import ProgressCallback, Stage, unchecked, unreported
from codemap_core.repository import RepositoryFiles
from codemap_core.storage.files.library_places import give_the_same
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.storage.writing.document_records import DocumentRecord

if TYPE_CHECKING:  # it takes long to import
    from codemap_core.storage.reading.reader import IndexReader

_Found = TypeVar("_Found")
_REPORTED_AFTER: Final = 32
"""Documents that were bound."""


def find_changes(
    index: IndexReader,
    files: RepositoryFiles,
    host: PluginHost,
    settings: Settings,
    *,
    work_tree: str | None = None,
    jobs: int | None = None,
    progress: ProgressCallback = unreported,
    check: Callable[[], None] = unchecked,
    kept: Kept | None = None,
) -> Changes:
    """What separates ``index`` from ``files``, for the same part of the repository: the subtree that ``files`` show, and the solution of
    the index. ``work_tree``: as for ``discover``. ``check`` raises to stop. ``kept``: of a process that does this again and again.

    The index must be current: of the same fingerprint as ``host`` and ``settings`` give. Raises: CorruptIndexError."""
    earlier = EarlierIndex.read_by(index)
    found = changes_within(
        1, earlier, files, host, settings, work_tree=work_tree, jobs=jobs, progress=progress, check=check, kept=kept
    )
    assert isinstance(found, Changes)
    return found


def make_ready(
    index: IndexReader,
    files: RepositoryFiles,
    host: PluginHost,
    settings: Settings,
    kept: Kept,
    work_tree: str | None,
    check: Callable[[], None],
    hurried: Callable[[], bool],
) -> None:
    """Makes what ``find_changes`` will need to compare ``index``, which shows ``files``, with whatever comes next; ``kept.result`` is null
    where it does not show them. ``hurried``: whether what is of use and not needed is left out. Raises: as ``find_changes``."""
    earlier = EarlierIndex.read_by(index)
    cache = UnitCache.open(settings.cache_directory, earlier.info.repo_id)
    try:
        found = discovered(files, host, earlier.info.solution, work_tree, None, cache)
        check()
        with seldom_collected():
            jobs = default_jobs()
            run = _Run(earlier, files, host, settings, found, cache, jobs, unreported, check, kept, work_tree)
            run.make_ready(hurried)
    finally:
        if cache is not None:
            cache.close()


def changes_within(
    most: float,
    index: EarlierIndex,
    files: RepositoryFiles,
    host: PluginHost,
    settings: Settings,
    *,
    work_tree: str | None,
    jobs: int | None,
    progress: ProgressCallback,
    check: Callable[[], None],
    kept: Kept | None = None,
    begin: Callable[[], None] | None = None,
    analysers: Workers[AnalysisTask, bytes] | None = None,
) -> Changes | Declined:
    """As ``find_changes``, unless a larger share of the sources than ``most`` would be bound again. ``begin``: called when it is
    likely that this is not declined, and again when it is known. ``analysers``: as ``Analysis`` has them."""
    progress(Stage.DISCOVER, 0, 0)
    generation = kept.generation if kept is not None else None
    known = generation.discovered if generation is not None else None
    cache = UnitCache.open(settings.cache_directory, index.info.repo_id)
    jobs = jobs or default_jobs()
    ahead = None
    try:
        if kept is None:
            seconds = settings.extractor_seconds
            ahead = AnalysisAhead(index, files, Analysis(host, cache, jobs, check, seconds, started=analysers))
            if begin is not None and ahead.share <= most / 2:
                begin()
        found = discovered(files, host, index.info.solution, work_tree, known, cache)
        check()
        if ahead is not None and ahead.share <= most:
            ahead.begin(files, found.discovery)
        with seldom_collected():
            run = _Run(index, files, host, settings, found, cache, jobs, progress, check, kept, work_tree, ahead)
            try:
                return run.changes(most, begin)
            finally:
                run.stop()
    finally:
        if ahead is not None:
            ahead.analysis.stop()
        if cache is not None:
            cache.close()


class _Run:
    """One comparison of an index with a state."""

    def __init__(
        self,
        index: EarlierIndex,
        files: RepositoryFiles,
        host: PluginHost,
        settings: Settings,
        found: Discovered,
        cache: UnitCache | None,
        jobs: int,
        progress: ProgressCallback,
        check: Callable[[], None],
        kept: Kept | None,
        work_tree: str | None,
        ahead: AnalysisAhead | None = None,
    ) -> None:
        discovery = found.discovery
        self._index: Final = index
        self._files: Final = files
        self._host: Final = host
        self._settings: Final = settings
        self._discovery: Final = discovery
        self._units: Final = FetchedUnits(cache) if cache is not None else None
        self._jobs: Final = jobs
        self._progress: Final = progress
        self._check: Final = check
        self._discovered: Final = found
        # What a part of a repository takes from outside it is not recorded: nothing of it can be kept.
        self._resident: Final = kept if not discovery.declared else None
        generation = kept.generation if kept is not None else None
        layout = found.layout
        if generation is not None and give_the_same(generation.discovered.places, found.places):
            previous = generation.previous
            self._standing: Standing = generation.standing
            self._rows_before = generation.rows
            self._suspects = None if found.changed is None else found.changed | generation.standing.unsettled
        else:
            documents = ahead.documents if ahead is not None else None
            previous = read_previous(index, discovery, found.places, documents)
            self._standing = Standing.of(previous, layout)
            self._rows_before = {}
            self._suspects = None
        self._previous: Final = with_present_versions(previous, discovery, host, work_tree)
        here = self._resident is not None
        analysis = ahead.analysis if ahead is not None else None
        self._analysis: Final = analysis or Analysis(host, cache, jobs, check, settings.extractor_seconds, here)
        self._layout: Final = layout
        self._rows: Final = RowsByDocument()
        self._replaced: Final[dict[str, DocumentRow]] = {}
        self._kept: dict[str, DocumentRow] = {}
        """Documents of the index that keep their contents; some are replaced nevertheless."""
        self._records: Final[dict[UnitKey, DocumentRecord]] = {}
        self._libraries: Final[list[LibrarySymbolRow]] = []
        self._libraries_again: tuple[str, ...] | None = None
        """As in ``Changes``."""
        self._failures: Final[list[ExtractionFailure]] = []
        self._symbols: Counter[str] = Counter()
        self._references: Counter[str] = Counter()
        self._given: Final[dict[UnitKey, DocumentRows]] = {}  # by units on which nothing failed
        self._supplied: UnitSupply | None = None
        self._asides: Final[list[Aside[Any]]] = []
        self._bound = 0

    def changes(self, most: float, begin: Callable[[], None] | None) -> Changes | Declined:
        self._analyse(begin is not None, most)  # a refresh is asked for far too often to try again what fails
        reuse = self._reuse(most)
        if len(reuse.extracted) > most * len(reuse.units):
            return Declined(self._analysis.counts.analysed)
        if sees_other_libraries(self._previous, self._discovery):
            self._libraries_again = self._index.referred_libraries()
            reuse.extract_every_language()
        elif not self._layout.listed >= self._previous.documents.keys() and self._undeclared():
            reuse.extract_every_language()  # one that binds nothing would not be asked about libraries
        if begin is not None:
            begin()
        documents = self._documents()
        extractors = self._extractors()
        self._extract_files(extractors, documents, self._replaced.keys() & self._layout.texts)
        self._extract(extractors, documents, reuse, reuse.extracted)
        texts = self._layout.texts & self._kept.keys()
        before = self._previous.conclusions
        doubtful = doubted(reuse, self._records, texts, before, self._index.info.unsettled)
        extractors.remember(reuse.notes(texts, doubtful))
        concluded = conclude(extractors, documents, doubtful)
        self._failures.extend(chain.from_iterable(each.failures for each in concluded.values()))
        digests = digests_after(before, concluded)
        # Documents that would be taken over, and own other rows now that were concluded.
        others = said_otherwise(before, digests, doubtful) & (self._kept.keys() - self._replaced.keys())
        if others:
            again = self._extractors()  # the notes of these documents are known
            self._extract(again, documents, reuse, reuse.extract_also(others))
            self._extract_files(again, documents, others & self._layout.texts)
        said = said_of_replaced(self._replaced.keys(), concluded, before, self._index.concluded)
        for each in said.values():
            self._rows.add_concluded(each)
        self._check()
        symbols, references = reuse.counts()
        unsettled = tuple(sorted(label for label, each in concluded.items() if each.failures))
        changes = replace(
            self._result(symbols + self._symbols, references + self._references),
            conclusions=said,
            unsettled=unsettled,
        )
        if self._resident is not None:
            rows = rows_after(self._rows_before, self._replaced.keys() | {*changes.deleted}, self._given)
            found = self._discovered
            self._resident.result = next_generation(changes, reuse, self._kept, self._records, digests, found, rows)
        return changes

    def stop(self) -> None:
        """Ends what is left of other processes."""
        for aside in self._asides:
            aside.end()

    def make_ready(self, hurried: Callable[[], bool]) -> None:
        """Makes tables. ``hurried``: as for the function."""
        self._analyse(retries=False, most=0)
        reuse = self._reuse(most=0)
        if reuse.extracted or self._replaced or self._resident is None:
            return
        if not hurried():
            load_ahead(self._host, set(self._layout.languages.values()))
        documents = self._documents()
        supply = self._supply(reuse)
        for front_end, units in supply.units(set(reuse.units)):
            _, fault = supply.tables(front_end, self._host.owner_of(front_end), self._universe(front_end, units))
            if fault is not None:
                return
            universe = self._universe(front_end, units)
            warm_up_projects(self._extractors, front_end, universe, documents, supply.tables, self._check, hurried)
        self._resident.result = Generation(self._previous, self._discovered, self._standing)

    def _reuse(self, most: float) -> Reuse:
        """``most``: as for ``changes``."""
        analysed = dict(self._analysis.analysed)
        reuse = Reuse(self._previous, self._standing, self._discovery, self._layout, analysed, self._replaced.keys())
        if self._resident is None and 0 < len(reuse.extracted) <= most * len(reuse.units):
            finding = self._aside(reuse.affected)
            self._declare_ahead(reuse)
            affected = finding.finish()
        else:
            affected = reuse.affected()
        reuse.extract_affected(affected, self._index.first_declaring)
        return reuse

    def _aside(self, work: Callable[[], _Found]) -> Aside[_Found]:
        """Ended with the run, whatever becomes of that."""
        aside = Aside(work)
        self._asides.append(aside)
        return aside

    def _declare_ahead(self, reuse: Reuse) -> None:
        """Makes the tables that what has changed needs, which serve for all that is bound if it needs no others."""
        supply = self._supply(reuse)
        for front_end, units in supply.units(reuse.needed()):
            if not reuse.extracted.isdisjoint(units):
                supply.tables(front_end, self._host.owner_of(front_end), self._universe(front_end, units))

    def _supply(self, reuse: Reuse) -> UnitSupply:
        if self._supplied is None:
            kept = self._resident.resident if self._resident is not None else None
            self._supplied = UnitSupply(
                self._host, self._files, self._discovered, reuse, self._analysis, self._units, kept
            )
        return self._supplied

    def _analyse(self, retries: bool, most: float) -> None:
        """Analyses what may be new. ``most``: as for ``changes``."""
        discovery = self._discovery
        if self._suspects is not None and self._previous.records:
            discovery = narrowed(discovery, self._suspects)
        wanted = to_analyse(self._previous, discovery, retries)
        sources = {blob.path: language for blob, language in wanted.sources}
        are_few = len(sources) <= most * len(self._discovery.sources)
        found = self._analysis.documents(
            self._files,
            wanted,
            lambda done, total: self._progress(Stage.ANALYSE, done, total),
            lambda: self._make_ready_to_bind(sources) if are_few else None,
        )
        for document in chain(found, self._analysis.texts(self._files, wanted.texts)):
            self._replaced[document.file_path] = document
        self._kept = {**self._previous.documents}
        for path in (*(blob.path for blob in wanted.listed()), *(self._kept.keys() - self._layout.listed)):
            self._kept.pop(path, None)

    def _make_ready_to_bind(self, sources: Mapping[str, str]) -> None:
        """Loads what binding some files will take, whatever their analysis finds: programs, and the units of other files that they see.
        ``sources``: languages, by path."""
        load_ahead(self._host, set(sources.values()))
        if self._units is not None and self._resident is None:
            self._units.fetch_seen(sources, self._discovery, self._previous.records)

    def _documents(self) -> Documents:
        return Documents.of(self._files, self._line_count_of, self._discovery.compiled_by)

    def _line_count_of(self, path: str) -> int | None:
        row = self._replaced.get(path)
        row = row if row is not None and row.text is not None else self._kept.get(path)
        return None if row is None or row.status is DocumentStatus.SKIPPED else row.line_count

    def _extractors(self) -> Extractors:
        # Where one ends this process, another process does the same without what this one had.
        here = self._resident is not None
        return Extractors(self._host, self._jobs, self._settings.extractor_seconds, self._check, here, awaited=True)

    def _extract(
        self, extractors: Extractors, documents: Documents, reuse: Reuse, wanted: AbstractSet[UnitKey]
    ) -> None:
        """Binds units and collects their rows."""
        if not wanted:
            return
        self._replace({unit.file_path for unit in wanted})
        # A table that is kept holds every unit of its language, so that it serves whatever is asked next.
        needed = reuse.needed() if self._resident is None else self._layout.of_same_languages(reuse.units, wanted)
        supply = self._supply(reuse)
        for front_end, units in supply.units(needed):
            asked = wanted & units.keys()
            if asked:
                keys, kept = reuse.keys(front_end.name), self._resident
                known = kept.rows(front_end.name, keys, self._discovered, asked) if kept is not None else {}
                self._bind(extractors, front_end, documents, units, asked, known, supply.tables)

    def _bind(
        self,
        extractors: Extractors,
        front_end: LanguageFrontEnd,
        documents: Documents,
        units: Mapping[UnitKey, bytes],
        wanted: AbstractSet[UnitKey],
        known: Mapping[UnitKey, DocumentRows],
        tables: Tables,
    ) -> None:
        """``known``: what units would give that need not be bound."""

        def described(known_of_libraries: Callable[[], Described]) -> None:
            symbols, faults = known_of_libraries()
            self._libraries.extend(symbols)
            self._failures.extend(faults)

        self._progress(Stage.DECLARE, 0, len(wanted))
        found = extractors.of_language(
            front_end,
            self._universe(front_end, units),
            documents,
            lambda: self._progress(Stage.BIND, 0, len(wanted)),
            LibraryRequest(self._undeclared, described),
            known={**dict.fromkeys(self._discovery.silent, DocumentRows()), **known},
            only=wanted,
            tables=tables,
        )
        present = self._kept.keys() | self._replaced.keys()
        self._bound += len({unit.file_path for unit in wanted - known.keys()})
        for number, (unit, given) in enumerate(found, 1):
            if number % _REPORTED_AFTER == 0:
                self._progress(Stage.BIND, number, len(wanted))
            self._rows.add(replace(given, symbols=tuple(without_parts(given.symbols, present))), self._replaced.keys())
            self._failures.extend(given.failures)
            if not given.failures:
                self._given[unit] = given
            self._symbols[unit.project_path] += len(given.symbols)
            self._references[unit.project_path] += len(given.references)
            if unit in wanted and not self._discovery.declared:
                self._records[unit] = record_of(given, self._unit_of(unit), extractors.labels)

    def _universe(self, front_end: LanguageFrontEnd, units: Mapping[UnitKey, bytes]) -> Universe:
        return Universe(
            graph=self._discovery.graph,
            units=units,
            reference_folders=(
                *self._settings.reference_folders,
                *self._discovery.libraries.get(front_end.name, FoundLibraries()).folders,
            ),
            cache_folder=str(self._settings.cache_directory / "metadata"),
        )

    def _undeclared(self) -> list[str]:
        """Ids that are needed and no row declares, and that the index says nothing of, or nothing that still holds. What rows that are
        kept need may have been declared before, and be a library's now."""
        if self._libraries_again is not None:
            return sorted({*self._rows.undeclared(), *self._libraries_again})
        kept = self._kept.keys() - self._replaced.keys()
        gone = self._index.needed_of(self._previous.documents.keys() - kept) - self._rows.declared()
        return self._index.not_known(sorted(self._rows.undeclared() | gone), kept)

    def _unit_of(self, unit: UnitKey) -> AnalysedUnit:
        analysed = self._analysis.analysed.get(unit)
        if analysed is not None:
            return analysed
        record = self._previous.records[unit]
        return AnalysedUnit(record.key, record.surface)

    def _extract_files(self, extractors: Extractors, documents: Documents, paths: AbstractSet[str]) -> None:
        """Extracts from files of no language."""
        self._replace(paths)
        for unit, given in extractors.of_files(Universe(self._discovery.graph, {}), documents, sorted(paths)):
            self._rows.add(given, self._replaced.keys())
            self._failures.extend(given.failures)
            self._records[unit] = record_of(given, None, extractors.labels)

    def _replace(self, paths: AbstractSet[str]) -> None:
        """Documents of the index are replaced by themselves: they keep their contents, and may have other rows."""
        wanted = paths - self._replaced.keys()
        texts = self._index.texts(wanted)
        for path in wanted:
            row = self._kept[path]
            own = tuple(problem for problem in row.problems if problem.code != EXTRACTOR_FAILED)
            self._replaced[path] = replace(row, text=texts.get(path), problems=own)

    def _result(self, symbols: Counter[str], references: Counter[str]) -> Changes:
        indexed = self._discovery.indexed
        statuses = {path: row.status for path, row in self._kept.items()}
        statuses.update((path, row.status) for path, row in self._replaced.items())
        counted = Counter(status for path, status in statuses.items() if path in self._layout.languages)
        diagnostics = project_diagnostics(self._host, indexed, statuses, symbols, references)
        present = self._kept.keys() | self._replaced.keys()
        failures = (*self._discovery.failures, *self._analysis.failures, *self._failures)
        return Changes(
            documents=tuple(
                self._rows.of(with_failures(self._replaced[path], failures)) for path in sorted(self._replaced)
            ),
            deleted=tuple(sorted(path for path in self._previous.documents if path not in present)),
            libraries=tuple(self._libraries),
            libraries_again=self._libraries_again,
            graph=replace(indexed, problems=(*indexed.problems, *problems_of(failures))),
            diagnostics=diagnostics,
            semantic_level=semantic_level(indexed, diagnostics),
            failures=(*self._analysis.faults, *failures),
            records=tuple((unit.file_path, unit.project_path, each) for unit, each in sorted(self._records.items())),
            library_places=self._discovered.places,
            statuses={status.value: count for status, count in counted.items()},
            analysed=self._analysis.counts.analysed,
            cached=self._analysis.counts.cached + sum(path in self._layout.languages for path in self._kept),
            bound=self._bound,
        )
