"""The analyse stage: every distinct content once, in worker processes, through the unit cache.

Files of equal bytes and relevant settings share one unit, across paths, projects, commits and worktrees. A file that makes the analyser
raise is reported as ``failed`` and has no unit; the run goes on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from codemap_core.hooks.contracts import (
    AnalysedDocument,
    AnalysisSettings,
    LanguageFrontEnd,
    PacksUnits,
    UnitKey,
    front_ends_by_suffix,
)
from codemap_core.hooks.manager import PluginHost
from codemap_core.hooks.registry import Owner
from codemap_core.model import Blob, DocumentRow, DocumentStatus, Problem, Project
from codemap_core.model.document import ANALYSER_FAILED
from codemap_core.pipeline.cached_analysis import CachedAnalysis, decode_cached
from codemap_core.pipeline.discover import Discovery, suffix_of
from codemap_core.pipeline.file_questions import generated, relevant_settings
from codemap_core.pipeline.guard import (
    PLUGIN_FAULTS,
    ExtractionFailure,
    RowError,
    failure,
    failure_of,
    plugin_call,
)
from codemap_core.pipeline.later_units import MOST, LaterUnits
from codemap_core.pipeline.text_files import text_documents
from codemap_core.pipeline.workers import Workers
from codemap_core.repository import DECODING, MAX_SOURCE_SIZE, DecodedText, RepositoryFiles, decode_text, language_of
from codemap_core.storage.sharing.unit_cache import UnitCache

_settings: Final = msgspec.msgpack.Encoder()
BATCH_BYTES: Final = 192 * 1024
_FEW_BYTES: Final = 4 * BATCH_BYTES
"""Not worth several processes."""
DEFAULT_SECONDS: Final = 20.0


class AnalysisTask(Struct, frozen=True):
    """One content to analyse, in UTF-8. ``key``: what the result is cached under. ``packed``: the unit is wanted as it is kept, see
    ``PacksUnits``."""

    key: bytes
    language: str
    content: bytes
    settings: AnalysisSettings
    packed: bool = True


class AnalysedUnit(Struct, frozen=True):
    """``key``: what the unit is cached under. ``surface``: encoded; empty where the analyser gives none."""

    key: bytes
    surface: bytes


class AnalysisCounts(Struct):
    """How the units of a run came about."""

    analysed: int = 0
    cached: int = 0
    failed: int = 0


class _Analyser(Struct, frozen=True):
    """A front end, whose it is, how long it may take for one file where it is not built in, and the same front end where it packs units:
    to ask every file whether it does costs more than much of what is done with it."""

    front_end: LanguageFrontEnd
    owner: Owner
    seconds: float
    packing: PacksUnits | None


_analysers: dict[str, _Analyser] = {}


def _analysers_of(host: PluginHost, seconds: float) -> dict[str, _Analyser]:
    return {
        each.name: _Analyser(each, host.owner_of(each), seconds, each if isinstance(each, PacksUnits) else None)
        for each in host.languages
    }


def start_analysers(host: PluginHost, seconds: float, check: Callable[[], None]) -> Workers[AnalysisTask, bytes]:
    """A process that loads the parsers of all languages, for an ``Analysis`` that will be made. Whoever starts it stops it. ``seconds``: as
    there."""
    analysers = _analysers_of(host, seconds)
    workers: Workers[AnalysisTask, bytes] = Workers(
        _analyse_batch, _crashed, 1, initialise=_make_ready, arguments=(analysers, sorted(analysers)), check=check
    )
    workers.start()
    return workers


def _use_analysers(analysers: Mapping[str, _Analyser]) -> None:
    _analysers.clear()
    _analysers.update(analysers)


def _make_ready(analysers: Mapping[str, _Analyser], languages: Sequence[str]) -> None:
    """A worker started ahead of its first file loads the parsers meanwhile: it analyses an empty one."""
    _use_analysers(analysers)
    for name in languages:
        analyser = analysers[name]
        if analyser.owner.built_in:
            dialect = next(iter(analyser.front_end.dialects.values()))
            with suppress(*PLUGIN_FAULTS):  # the first file shows what is wrong
                analyser.front_end.analyse(b"", AnalysisSettings(dialect=dialect))


def _analyse_batch(tasks: Sequence[AnalysisTask]) -> list[bytes]:
    return [_analyse_one(task) for task in tasks]


def _analyse_one(task: AnalysisTask) -> bytes:
    analyser = _analysers[task.language]
    front_end, owner, packing = analyser.front_end, analyser.owner, analyser.packing
    try:
        with plugin_call(owner, analyser.seconds):
            found: object = front_end.analyse(task.content, task.settings)
            if not isinstance(found, AnalysedDocument):
                raise RowError(f"the analyser returned {type(found).__name__}, not an AnalysedDocument")
            data = msgspec.msgpack.encode(
                CachedAnalysis(
                    packing.packed(found.unit) if task.packed and packing is not None else found.unit,
                    found.line_count,
                    found.status,
                    found.problems,
                    found.generated,
                    found.text,
                    msgspec.msgpack.encode(found.surface) if found.surface is not None else b"",
                )
            )
            if not owner.built_in:
                decode_cached(data)
            return data
    except PLUGIN_FAULTS as error:  # an analyser's fault is that file's failure
        return _failure(failure_of(owner, front_end.name, "", error).message)


def _failure(message: str) -> bytes:
    return msgspec.msgpack.encode(
        CachedAnalysis(b"", 0, DocumentStatus.FAILED, (Problem(ANALYSER_FAILED, message),), False)
    )


def _crashed(task: AnalysisTask) -> bytes:
    return _failure("the analyser ended its process on this file")


class Analysis:
    """Analyses the sources of a commit. ``units`` fills while ``documents`` is consumed."""

    def __init__(
        self,
        host: PluginHost,
        cache: UnitCache | None,
        jobs: int,
        check: Callable[[], None],
        seconds: float = DEFAULT_SECONDS,
        here: bool = False,
        later: LaterUnits | None = None,
        started: Workers[AnalysisTask, bytes] | None = None,
    ) -> None:
        """``seconds``: how long a front end that is not built in may take for one file. ``here``: a few files of front ends that are built
        in are analysed in this process. ``later``: takes what need not be cached at once. ``started``: by ``start_analysers``."""
        self._here: Final = here
        self._languages: Final = {language.name: language for language in host.languages}
        self._analysers: Final = _analysers_of(host, seconds)
        self._cache: Final = cache
        self._jobs: Final = jobs
        self._check: Final = check
        self.units: dict[str, dict[UnitKey, bytes]] = {language: {} for language in self._languages}
        """Language → units, for each project that compiles a file."""
        self.analysed: dict[UnitKey, AnalysedUnit] = {}
        """What else is known of each unit, whatever its language."""
        self.counts: Final = AnalysisCounts()
        self.statuses: dict[str, DocumentStatus] = {}
        self.failures: Final[list[ExtractionFailure]] = []
        """What front ends could not say of files, in whose rows it is not said."""
        self.faults: Final[list[ExtractionFailure]] = []
        """Files that were not analysed, in whose rows it is said."""
        self._generated: Final[set[str]] = set()
        self._ahead = started
        self._begun: tuple[Sequence[tuple[Blob, str]], Iterator[_Group]] | None = None
        """Sources, and the groups of them."""
        self._later: Final = later

    def start(self, blobs: Iterable[Blob]) -> None:
        """Starts the workers ahead of ``documents``, for what may turn out to be sources among ``blobs``, so that they load the parsers
        while projects are read. ``stop`` is due where ``documents`` is not asked for."""
        languages = {suffix: each.name for suffix, each in front_ends_by_suffix(self._languages.values()).items()}
        sources = [blob for blob in blobs if suffix_of(blob.path) in languages and blob.size <= MAX_SOURCE_SIZE]
        if sources and not self._here:
            _use_analysers(self._analysers)
            size = sum(blob.size for blob in sources)
            found = sorted({languages[suffix_of(blob.path)] for blob in sources})
            self._ahead = self._ahead or self._workers(size, _make_ready, (self._analysers, found))
            self._ahead.start(self._worth(size))

    def begin(self, files: RepositoryFiles, discovery: Discovery) -> None:
        """Sends some sources to the workers that were started, ahead of ``documents`` of the same sources; where others are asked for
        then, it was in vain."""
        if self._ahead is not None and discovery.sources:
            groups = self._prepared(files, discovery)
            first = next(groups)
            self._ahead.send_ahead([first.fresh])
            self._begun = _analysed(discovery), chain((first,), groups)

    def stop(self) -> None:
        """Ends workers that were started ahead and never used."""
        if self._ahead is not None:
            self._ahead.stop()

    def texts(self, files: RepositoryFiles, blobs: Sequence[Blob]) -> Iterator[DocumentRow]:
        """The document rows of files that no language analyses."""
        return text_documents(files, blobs, self._cache)

    def cache_rest(self) -> None:
        """What has not been cached yet is from now on, by another process; whoever made ``later`` finishes that."""
        if self._later is not None:
            self._later.begin()

    def documents(
        self,
        files: RepositoryFiles,
        discovery: Discovery,
        progress: Callable[[int, int], None],
        meanwhile: Callable[[], None] = lambda: None,
    ) -> Generator[DocumentRow, None, None]:
        """The document rows of all sources in path order. Declared files become units and have no row. ``meanwhile``: as ``Workers.run``
        has it."""
        total = len(discovery.sources) + len(discovery.declared)
        declared = frozenset(blob.path for blob, _ in discovery.declared)
        done = 0
        for name, analyser in self._analysers.items():
            paths = [blob.path for blob, language in discovery.sources if language == name]
            found, faults = generated(analyser.front_end, analyser.owner, paths)
            self._generated.update(found)
            self.failures.extend(faults)
        for group in self._groups(files, discovery, meanwhile):
            yield from self._rows(group, discovery, declared)
            done += len(group.files)
            progress(done, total)
        for blob in discovery.oversized:
            problem = Problem("too_large", f"{blob.size:,} bytes: listed, not analysed")
            yield _skipped_row(blob, discovery.compiled_by.get(blob.path, ()), (problem,))

    def _groups(self, files: RepositoryFiles, discovery: Discovery, meanwhile: Callable[[], None]) -> Iterator[_Group]:
        """Batches of files with their results, in path order."""
        _use_analysers(self._analysers)
        size = sum(blob.size for blob, _ in _analysed(discovery))
        languages = {name for _, name in _analysed(discovery)}
        here = self._here and size <= _FEW_BYTES and all(self._analysers[name].owner.built_in for name in languages)
        workers, self._ahead = self._ahead or self._workers(size, _use_analysers, (self._analysers,), here), None
        begun, self._begun = self._begun, None
        if begun is not None and begun[0] == _analysed(discovery):
            groups = begun[1]
        else:
            groups = self._prepared(files, discovery)
            if begun is not None:
                workers.stop()
        pending: list[_Group] = []
        later = self._later if size <= MOST else None

        def batches() -> Iterator[list[AnalysisTask]]:
            for group in groups:
                pending.append(group)
                yield group.fresh

        known: dict[bytes, CachedAnalysis] = {}
        for results in workers.run(batches(), meanwhile):
            group = pending.pop(0)
            self.counts.cached += len(group.cached)
            self.counts.analysed += len(group.fresh)
            for key, data in group.cached.items():
                known[key] = decode_cached(data)
            store: dict[bytes, bytes] = {}
            for task, data in zip(group.fresh, results, strict=True):
                found = known[task.key] = decode_cached(data)
                if found.status is DocumentStatus.FAILED:
                    self.counts.failed += 1
                elif later is not None and not task.packed:
                    later.add(task.key, task.language, found)
                else:
                    store[task.key] = data
            if self._cache is not None and store:
                self._cache.put_many(store)
            group.known = known
            yield group

    def _prepared(self, files: RepositoryFiles, discovery: Discovery) -> Iterator[_Group]:
        """Batches of files, with what is cached of them and what is not."""
        taken: set[bytes] = set()
        later = self._later if sum(blob.size for blob, _ in _analysed(discovery)) <= MOST else None

        def ordered(task: AnalysisTask) -> AnalysisTask:
            return replace(task, packed=False) if later is not None and later.takes(task.language) else task

        for group in self._read(files, discovery):
            fresh: dict[bytes, AnalysisTask] = {}
            for task in group.tasks():
                if task.key not in taken:
                    fresh[task.key] = task
            taken.update(fresh)
            group.cached = self._cache.get_many(fresh) if self._cache is not None and fresh else {}
            group.fresh = [ordered(task) for key, task in fresh.items() if key not in group.cached]
            yield group

    def _worth(self, size: int) -> int:
        """Processes that are worth their start to analyse this number of bytes."""
        return self._jobs if size > _FEW_BYTES else 1

    def _workers(
        self, size: int, initialise: Callable[..., None], arguments: tuple[Any, ...], here: bool = False
    ) -> Workers[AnalysisTask, bytes]:
        """``size``: bytes to analyse."""
        return Workers(
            _analyse_batch,
            _crashed,
            self._worth(size),
            initialise=initialise,
            arguments=arguments,
            check=self._check,
            here=here,
        )

    def _read(self, files: RepositoryFiles, discovery: Discovery) -> Iterator[_Group]:
        languages = {blob.path: name for blob, name in _analysed(discovery)}
        blobs = {blob.path: blob for blob, _ in _analysed(discovery)}
        contents: list[tuple[str, bytes]] = []
        size = 0
        for path, content in files.read_many(languages):
            contents.append((path, content))
            size += len(content)
            if size >= BATCH_BYTES:
                yield self._group(contents, languages, blobs, discovery)
                contents, size = [], 0
        if contents:
            yield self._group(contents, languages, blobs, discovery)

    def _group(
        self,
        contents: Sequence[tuple[str, bytes]],
        languages: Mapping[str, str],
        blobs: Mapping[str, Blob],
        discovery: Discovery,
    ) -> _Group:
        decoded = {path: decode_text(content) for path, content in contents}
        uses: dict[str, list[tuple[UnitKey, AnalysisTask]]] = {path: [] for path in decoded}
        for name in dict.fromkeys(languages[path] for path, _ in contents):
            language, owner = self._languages[name], self._analysers[name].owner
            asked: list[tuple[UnitKey, bytes, AnalysisSettings]] = []
            for path, text in decoded.items():
                if languages[path] == name and not text.is_binary:
                    for project in discovery.compiled_by.get(path, (None,)):
                        key = UnitKey(project.project_path if project is not None else "", path)
                        asked.append((key, text.source, all_settings(language, path, project)))
            files = [(key.file_path, content, settings) for key, content, settings in asked]
            found, faults = relevant_settings(language, owner, files)
            self.failures.extend(faults)
            for (key, content, _), relevant in zip(asked, found, strict=True):
                unit_key = cache_key(blobs[key.file_path].blob_id, language, relevant)
                uses[key.file_path].append((key, AnalysisTask(unit_key, name, content, relevant)))
        group = _Group()
        for path, content in contents:
            group.add(blobs[path], content, decoded[path], uses[path])
        return group

    def _rows(self, group: _Group, discovery: Discovery, declared: AbstractSet[str]) -> Iterator[DocumentRow]:
        for blob, content, decoded, uses in group.files:
            if decoded.is_binary:
                if blob.path not in declared:
                    self.statuses[blob.path] = DocumentStatus.SKIPPED
                    projects = discovery.compiled_by.get(blob.path, ())
                    yield _skipped_row(blob, projects, decoded.problems, hashlib.sha256(content).hexdigest())
                continue
            first = group.known[uses[0][1].key]
            language = self._languages[uses[0][1].language]
            for key, task in uses:
                known = group.known[task.key]
                if known.unit:
                    self.units[language.name][key] = known.unit
                self.analysed[key] = AnalysedUnit(task.key, known.surface)
            if blob.path in declared:
                continue
            self.statuses[blob.path] = first.status
            text = first.text if first.text is not None else decoded.text
            problems = decoded.problems + first.problems
            if first.status is DocumentStatus.FAILED:
                owner = self._analysers[language.name].owner
                faults = [failure(owner, language.name, blob.path, each.message) for each in first.problems]
                self.faults.extend(faults)
                problems = (*decoded.problems, *(Problem(ANALYSER_FAILED, str(each)) for each in faults))
            yield DocumentRow(
                file_path=blob.path,
                sha256=hashlib.sha256(content).hexdigest(),
                blob_id=blob.blob_id,
                language=language.name,
                projects=tuple(p.project_path for p in discovery.compiled_by.get(blob.path, ())),
                line_count=first.line_count,
                size=blob.size,
                generated=first.generated or blob.path in self._generated,
                status=first.status,
                problems=problems,
                text=text if first.status is not DocumentStatus.SKIPPED else None,
            )


class _Group:
    """Files read together, and what is known of them."""

    def __init__(self) -> None:
        self.files: list[tuple[Blob, bytes, DecodedText, list[tuple[UnitKey, AnalysisTask]]]] = []
        self.fresh: list[AnalysisTask] = []
        self.cached: Mapping[bytes, bytes] = {}
        self.known: Mapping[bytes, CachedAnalysis] = {}

    def add(self, blob: Blob, content: bytes, decoded: DecodedText, uses: list[tuple[UnitKey, AnalysisTask]]) -> None:
        """A binary file has no ``uses``."""
        self.files.append((blob, content, decoded, uses))

    def tasks(self) -> Iterator[AnalysisTask]:
        for _, _, _, uses in self.files:
            for _, task in uses:
                yield task


def _analysed(discovery: Discovery) -> tuple[tuple[Blob, str], ...]:
    return discovery.sources + discovery.declared


def all_settings(language: LanguageFrontEnd, path: str, project: Project | None) -> AnalysisSettings:
    """What a project, or none, says of a file, and the dialect that its suffix says."""
    dialect = language.dialects[suffix_of(path)]
    if project is None:
        return AnalysisSettings(dialect=dialect, file_path=path)
    folder = project.project_path.rpartition("/")[0]
    within = path.removeprefix(f"{folder}/") if folder else path
    condition = next((each for left_out, each in project.left_out if left_out == path), "")
    return AnalysisSettings(project.defines, project.lang_version, dialect, within, project.root_namespace, condition)


def cache_key(blob_id: str, language: LanguageFrontEnd, settings: AnalysisSettings) -> bytes:
    """What the unit of a content is cached under: the content, what reads it, and all that its settings say."""
    parts = (blob_id, DECODING, language.name, language.fingerprint)
    return hashlib.sha256("\0".join(parts).encode() + b"\0" + _settings.encode(settings)).digest()


def _skipped_row(
    blob: Blob, projects: Sequence[Project], problems: tuple[Problem, ...], sha256: str = ""
) -> DocumentRow:
    """A source that is listed, not analysed."""
    return DocumentRow(
        file_path=blob.path,
        sha256=sha256,
        blob_id=blob.blob_id,
        language=language_of(blob.path),
        projects=tuple(p.project_path for p in projects),
        line_count=0,
        size=blob.size,
        status=DocumentStatus.SKIPPED,
        problems=problems,
    )
