"""``ensure_baseline``: the stages in order, from a commit to a published index.

discover → analyse → declare → bind → extract → publish. The index appears complete or not at all; a second process that wants the same
one waits and finds it; cancelling, an error or a kill leaves what was there before.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from codemap_core.config import IndexScope, Settings
from codemap_core.errors import CancelledError, IndexNotAvailableError
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline.analyse import Analysis, AnalysisTask, start_analysers
from codemap_core.pipeline.diagnostics import project_diagnostics, semantic_level
from codemap_core.pipeline.discover import discover, work_tree
from codemap_core.pipeline.extract import load_ahead
from codemap_core.pipeline.garbage import seldom_collected
from codemap_core.pipeline.guard import ExtractionFailure
from codemap_core.pipeline.later_units import LaterUnits
from codemap_core.pipeline.stages import Stages
from codemap_core.pipeline.workers import Workers, default_jobs
from codemap_core.progress import ProgressCallback, Stage, never_cancelled, unreported
from codemap_core.repository import CommitFiles, Repository, StartedListing, start_listing
from codemap_core.storage.data_directory import make_data_directory, remember_repository
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.examine import Examination, IndexInfo, IndexState, examine_baseline
from codemap_core.storage.files.library_places import place_states
from codemap_core.storage.files.lock import BuildLock, build_lock
from codemap_core.storage.files.nearest import known_sizes, nearest_baseline
from codemap_core.storage.files.provenance import Provenance
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.version import __version__

if TYPE_CHECKING:
    from codemap_core.pipeline.shared_baselines import SharedBaselines

FORMAT: Final = 7
"""Raise it when the same input would give other rows, or records beside them, although no plug-in changed."""


class BaselineResult(Struct, frozen=True, kw_only=True):
    path: Path
    info: IndexInfo
    already_existed: bool
    """It was not built now: it was there, or came from the shared cache."""
    elapsed_seconds: float
    replaced: str = ""
    """Why an index that was there was built again; empty when there was none."""
    analysed_files: int = 0
    """Distinct contents parsed in this run; the others came from the cache."""
    cached_files: int = 0
    skipped_symlinks: int = 0
    bound_files: int | None = None
    """How many files were bound again; the rows of all others were taken over from the index of another commit. Null where none were."""
    statuses: dict[str, int] = {}
    failures: tuple[ExtractionFailure, ...] = ()
    from_cache: bool = False
    """It came from the shared cache."""
    cache_problem: str = ""
    """What went wrong with the shared cache, for the user; empty: nothing."""


def index_fingerprint(host: PluginHost, settings: Settings) -> str:
    """An encoded ``Provenance``: other text whenever this program would extract other rows."""
    return Provenance(
        release=__version__,
        rows=FORMAT,
        plugins=host.fingerprints(),
        libraries=_libraries_digest(settings),
    ).encode()


def _libraries_digest(settings: Settings) -> str:
    parts = [f"machine:{settings.machine_libraries}"]
    for folder in settings.reference_folders:
        parts.append(folder)
        try:
            with os.scandir(folder) as entries:
                parts.extend(
                    sorted(
                        f"{e.name}:{e.stat().st_size}:{e.stat().st_mtime_ns}"
                        for e in entries
                        if e.name.lower().endswith(".dll")
                    )
                )
        except OSError:
            parts.append("missing")
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def baseline_path(repository: Repository, settings: Settings, commit: str, solution: str = "") -> Path:
    """Where the index of a full commit id is, for the folder that the repository was opened at."""
    return settings.baseline_file(repository.repo_id, commit, IndexScope(repository.subtree, solution))


def ensure_baseline(
    repository: Repository,
    host: PluginHost,
    settings: Settings,
    *,
    commit: str = "",
    solution: str = "",
    jobs: int | None = None,
    rebuild: bool = False,
    retry: bool = False,
    progress: ProgressCallback = unreported,
    cancelled: Callable[[], bool] = never_cancelled,
) -> BaselineResult:
    """Builds the index of a commit unless it exists. ``commit``: anything git resolves, empty for HEAD; ``solution``: path relative to
    the git root, empty for all projects; ``jobs``: worker processes, null for one per processor. ``retry``: where it exists, what plug-ins
    failed for is tried again; of an index of a part of the repository, everything is.

    Raises: NotFoundError, InvalidArgumentError, StorageError, CancelledError; nothing is published then."""
    started = time.monotonic()
    sha = repository.resolve_commit(commit)
    path = baseline_path(repository, settings, sha, solution)

    def check() -> None:
        if cancelled():
            raise CancelledError("Indexing was cancelled; nothing was changed.")

    with ExitStack() as opened:
        listing, analysers = None, None
        if rebuild or retry or not path.exists():  # git and a worker are busy while plug-ins are loaded
            listing = start_listing(repository, sha, known_sizes(path))
            opened.callback(listing.end)
            analysers = start_analysers(host, settings.extractor_seconds, check)
            opened.callback(analysers.stop)
        fingerprint = index_fingerprint(host, settings)
        found = examine_baseline(path, fingerprint)
        again = rebuild or retry
        if found.is_ready and not again:
            return _existing(path, found, started)
        if found.state is IndexState.OTHER_SCHEMA and not rebuild:
            from codemap_core.storage.migrate import SchemaName, refuse_newer

            refuse_newer(path, SchemaName.BASELINE)

        def waiting(seconds: float) -> None:
            check()
            progress("waiting for another process that indexes this commit", int(seconds), 0)

        make_data_directory(settings)
        with build_lock(path, waiting) as lock:
            found = examine_baseline(path, fingerprint)
            if found.is_ready and not again:
                return _existing(path, found, started)
            shared = _shared(repository, settings, fingerprint, progress, check)
            if shared is not None and not again:
                pulled = shared.pull(lock, sha, IndexScope(repository.subtree, solution))
                if pulled is not None:
                    return replace(_existing(path, pulled, started), from_cache=True, cache_problem=shared.problem)
                shared.pull_earlier(path, sha)
            info = IndexInfo(
                repo_id=repository.repo_id,
                commit_sha=sha,
                fingerprint=fingerprint,
                subtree=repository.subtree,
                solution=solution,
            )
            earlier = path if found.is_ready and retry and not rebuild else None
            common = (repository, host, settings, sha, solution, jobs or default_jobs(), progress, check)
            build = _Build(*common, earlier=earlier, from_scratch=rebuild, listing=listing, analysers=analysers)
            with seldom_collected():
                info = build.run(lock, info)
            remember_repository(path, repository.root)
        if shared is not None:
            shared.push(path, info, again=again)
        return BaselineResult(
            path=path,
            info=info,
            already_existed=False,
            elapsed_seconds=time.monotonic() - started,
            replaced=_reason(found),
            analysed_files=build.analysed,
            cached_files=build.cached,
            skipped_symlinks=build.symlinks,
            bound_files=build.bound,
            statuses=dict(build.statuses),
            failures=tuple(build.failures),
            cache_problem=shared.problem if shared is not None else "",
        )


def _shared(
    repository: Repository,
    settings: Settings,
    fingerprint: str,
    progress: ProgressCallback,
    check: Callable[[], None],
) -> SharedBaselines | None:
    if not settings.shared_cache:
        return None
    from codemap_core.pipeline.shared_baselines import SharedBaselines

    return SharedBaselines(repository, settings, fingerprint, progress, check)


def _existing(path: Path, found: Examination, started: float) -> BaselineResult:
    assert found.info is not None
    return BaselineResult(path=path, info=found.info, already_existed=True, elapsed_seconds=time.monotonic() - started)


def _reason(found: Examination) -> str:
    return "" if found.state in (IndexState.MISSING, IndexState.READY) else found.problem or found.state.value


class _Build:
    """One run over all stages. Holds what the result reports."""

    def __init__(
        self,
        repository: Repository,
        host: PluginHost,
        settings: Settings,
        commit: str,
        solution: str,
        jobs: int,
        progress: ProgressCallback,
        check: Callable[[], None],
        *,
        earlier: Path | None,
        from_scratch: bool,
        listing: StartedListing | None,
        analysers: Workers[AnalysisTask, bytes] | None,
    ) -> None:
        """``earlier``: the index to make it from; null to find the nearest one. ``from_scratch``: none is used. ``listing``: of the
        commit's files, where it has begun. ``analysers``: as ``Analysis`` has them."""
        self._analysers: Final = analysers
        self._listing: Final = listing
        self._earlier: Final = earlier
        self._from_scratch: Final = from_scratch
        self._repository: Final = repository
        self._host: Final = host
        self._settings: Final = settings
        self._commit: Final = commit
        self._solution: Final = solution
        self._jobs: Final = jobs
        self._progress: Final = progress
        self._check: Final = check
        self.analysed = 0
        self.cached = 0
        self.symlinks = 0
        self.bound: int | None = None
        self.statuses: Counter[str] = Counter()
        self.failures: list[ExtractionFailure] = []

    def run(self, lock: BuildLock, info: IndexInfo) -> IndexInfo:
        self._progress(Stage.DISCOVER, 0, 0)
        with ExitStack() as opened:
            files = opened.enter_context(CommitFiles(self._repository, self._commit, self._listing))
            self.symlinks = files.skipped.symlinks
            taken_over = self._take_over(lock, info, files)
            if taken_over is not None:
                return taken_over
            open_cache = partial(UnitCache.open, self._settings.cache_directory, self._repository.repo_id)
            cache = open_cache()
            later = None
            if cache is not None:
                opened.callback(cache.close)
                later = LaterUnits(self._host, open_cache)
                opened.callback(later.finish)
            seconds = self._settings.extractor_seconds
            analysis = Analysis(
                self._host, cache, self._jobs, self._check, seconds, later=later, started=self._analysers
            )
            opened.callback(analysis.stop)
            analysis.start(files.blobs)
            place = work_tree(self._repository, self._settings)
            known = None if self._from_scratch else cache
            discovery = discover(files, self._host, self._solution, place, known)
            info = replace(info, library_places=place_states(discovery.library_places))
            self._check()
            stages = self._stages(analysis)
            opened.callback(stages.stop)
            documents = stages.analysed(files, discovery)
            opened.callback(documents.close)  # ends the workers when nothing can be written
            # Workers analyse from the first row on, while the database, what writes it and what binds and extracts are loaded here.
            first = list(islice(documents, 1))
            from codemap_core.storage.writing.writer import BaselineWriter

            load_ahead(self._host, {language for _, language in discovery.sources})

            writer = opened.enter_context(BaselineWriter.create(lock, info))
            stages.fill(writer, files, discovery, chain(first, documents))
            self._count(analysis)
            self.failures += stages.failures
            self._check()
            diagnostics = project_diagnostics(
                self._host, discovery.indexed, analysis.statuses, stages.symbols, stages.references
            )
            return writer.publish(semantic_level(discovery.indexed, diagnostics), diagnostics)

    def _stages(self, analysis: Analysis) -> Stages:
        return Stages(
            self._host,
            analysis,
            self._jobs,
            self._settings.extractor_seconds,
            self._progress,
            self._check,
            reference_folders=self._settings.reference_folders,
            cache_folder=str(self._settings.cache_directory / "metadata"),
        )

    def _take_over(self, lock: BuildLock, info: IndexInfo, files: CommitFiles) -> IndexInfo | None:
        """The index made from an earlier one, where that is possible and wanted."""
        if self._from_scratch or self._solution or self._repository.subtree:
            return None
        earlier = self._earlier or nearest_baseline(
            lock.path, info.fingerprint, {(blob.path, blob.blob_id) for blob in files.blobs}
        )
        if earlier is None:
            return None
        from codemap_core.pipeline.changes import Declined
        from codemap_core.pipeline.next_baseline import build_from

        common = (self._repository, self._host, self._settings, self._jobs, self._progress, self._check)
        try:
            found = build_from(earlier, lock, info, files, *common, self._analysers)
        except (CorruptIndexError, IndexNotAvailableError):  # the other one is of no use; this one is made without it
            return None
        if isinstance(found, Declined):
            self.analysed = found.analysed
            return None
        info, changes = found
        self.analysed, self.cached, self.bound = changes.analysed, changes.cached, changes.bound
        self.failures += changes.failures
        self.statuses.update(changes.statuses)
        return info

    def _count(self, analysis: Analysis) -> None:
        self.cached = analysis.counts.cached - self.analysed  # what declining to take over has analysed is cached now
        self.analysed += analysis.counts.analysed
        self.statuses.update(status.value for status in analysis.statuses.values())
