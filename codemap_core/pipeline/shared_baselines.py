"""Indexes taken from the shared cache in place of building them, and given to it.

An index from the cache is examined like one that is found on the disk, and beyond that compared with the commit that it is said to be of.
What does not pass is not used: this machine builds the index itself, and what was damaged in the cache is replaced by it. A cache that
cannot be reached costs a remark and never a build.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from codemap_core.config import SHARED_CACHE_READ_ONLY_VARIABLE, WHOLE_COMMIT, IndexScope, Settings
from codemap_core.errors import InvalidArgumentError, StorageError
from codemap_core.pipeline.cached_analysis import is_cached_analysis
from codemap_core.progress import ProgressCallback, Stage
from codemap_core.repository import CommitFiles, Repository
from codemap_core.storage.data_directory import remember_repository
from codemap_core.storage.files.durable_files import put_in_place, temporary_file, unwritable
from codemap_core.storage.files.examine import (
    Examination,
    IndexInfo,
    check_pages,
    examine_baseline,
)
from codemap_core.storage.files.lock import BuildLock, lock_if_free
from codemap_core.storage.sharing.object_store import open_store
from codemap_core.storage.sharing.shared_cache import DamagedEntryError, SharedCache, SharedIndex
from codemap_core.storage.sharing.unit_cache import UnitCache
from codemap_core.storage.sharing.unit_pack import pack_units, unpack_units
from codemap_core.storage.writing.foreign_index import uncommitted_file, unusual_schema

_ANCESTORS: Final = 200
"""Commits before the one to be indexed that are looked for in the cache."""
"""Stages, as progress names them."""


def shared_cache(settings: Settings) -> SharedCache | None:
    """The cache of the settings, if they name one. Raises: InvalidArgumentError when it cannot be used here, StorageError."""
    if not settings.shared_cache:
        return None
    return SharedCache(open_store(settings.shared_cache))


class SharedBaselines:
    """The shared indexes of one repository, as one run uses them. ``problem``: what could not be taken over or shared, and why, in words
    for the user; empty where all went well. Trouble with the cache is never raised."""

    def __init__(
        self,
        repository: Repository,
        settings: Settings,
        fingerprint: str,
        progress: ProgressCallback,
        check: Callable[[], None],
    ) -> None:
        """``check`` raises to stop."""
        self._repository: Final = repository
        self._settings: Final = settings
        self._fingerprint: Final = fingerprint
        self._progress: Final = progress
        self._check: Final = check
        self._cache: SharedCache | None = None
        self._is_damaged = False
        self.problem = ""
        with self._remarked():
            self._cache = shared_cache(settings)

    @property
    def location(self) -> str:
        """Where the cache is, as messages may show it; empty where it cannot be used."""
        return self._cache.location if self._cache is not None else ""

    def pull(self, lock: BuildLock, commit: str, scope: IndexScope) -> Examination | None:
        """Puts the shared index of a commit in place, with the analysed files that it was made from; null where there is none that this
        program would build here, or none that is good. Raises: what ``check`` raises."""
        cache = self._cache
        if cache is None:
            return None
        found: Examination | None = None
        with self._remarked():
            entry = cache.find(self._repository.repo_id, commit, scope, self._fingerprint)
            if entry is not None:
                found = self._taken(cache, entry, lock.path)
        return found

    def pull_earlier(self, path: Path, commit: str) -> None:
        """Takes over the shared index of the nearest commit before ``commit``, whose index will be made at ``path``, unless a nearer one is
        indexed here: building continues it then. Raises: as ``pull``."""
        cache = self._cache
        if cache is None or self._repository.subtree:
            return
        shared: frozenset[str] = frozenset()
        with self._remarked():
            shared = cache.commits(self._repository.repo_id)
        for earlier in self._repository.ancestors(commit, _ANCESTORS)[1:] if shared else ():
            place = path.with_name(f"{earlier}.db")
            if place.exists() and examine_baseline(place, self._fingerprint).is_ready:
                return
            if earlier in shared:
                with lock_if_free(place) as is_mine:
                    if is_mine and self.pull(BuildLock(place), earlier, WHOLE_COMMIT) is not None:
                        return

    def push(self, path: Path, info: IndexInfo, *, again: bool = False) -> bool:
        """Shares a complete index, unless it is shared already; says whether it was shared now. ``again``: also in place of one that is
        there."""
        cache = self._cache
        if cache is None or self._settings.shared_cache_read_only:
            return False
        scope = IndexScope(info.subtree, info.solution)
        again = again or self._is_damaged
        done = False
        with self._remarked(f" The index is not shared; {SHARED_CACHE_READ_ONLY_VARIABLE}=1 does without that."):
            if again or cache.find(info.repo_id, info.commit_sha, scope, info.fingerprint) is None:
                if unusual_schema(path):
                    raise StorageError(
                        "It was upgraded from an older release: codemap index --rebuild makes one to share."
                    )
                with TemporaryDirectory(prefix="codemap-") as temporary:
                    cache.store(info, path, self._packed(path, Path(temporary) / "units"), self._copied(Stage.PUSH))
                done = True
        return done

    def _taken(self, cache: SharedCache, entry: SharedIndex, place: Path) -> Examination | None:
        temporary = temporary_file(place)
        try:
            cache.fetch(entry, entry.index, temporary, self._copied(Stage.PULL))
            found = examine_baseline(temporary, self._fingerprint)
            wrong = self._what_is_wrong(temporary, entry, found)
            if wrong:
                raise DamagedEntryError(f"it is not what it says: {wrong}")
            put_in_place(temporary, place)
        except DamagedEntryError as error:
            self._is_damaged = True
            what = f"The shared index of commit {entry.commit_sha[:12]} in {cache.location}"
            self.problem = f"{what} is not used, as {error.message}."
            if not self._settings.shared_cache_read_only:
                cache.forget(entry)
            return None
        except OSError as error:
            raise unwritable(place, error) from error
        finally:
            temporary.unlink(missing_ok=True)
        remember_repository(place, self._repository.root)
        self._take_units(cache, entry)
        return found

    def _what_is_wrong(self, path: Path, entry: SharedIndex, found: Examination) -> str:
        """Why an index cannot be taken for what its entry says; empty if it can. What its rows say beyond that is the word of who
        shared it."""
        info = found.info
        if not found.is_ready or info is None:
            return found.problem or found.state.value
        said = (info.repo_id, info.commit_sha, info.subtree, info.solution)
        if said != (entry.repo_id, entry.commit_sha, entry.subtree, entry.solution):
            return "it is the index of something else"
        unusual = unusual_schema(path) or check_pages(path)
        if unusual:
            return unusual
        with CommitFiles(self._repository.whole(), entry.commit_sha) as files:
            committed = {(blob.path, blob.blob_id) for blob in files.blobs}
        return uncommitted_file(path, committed)

    def _take_units(self, cache: SharedCache, entry: SharedIndex) -> None:
        """Without them, building from the index analyses again what it needs."""
        if entry.units is None:
            return
        units = UnitCache.open(self._settings.cache_directory, entry.repo_id)
        if units is None:
            return
        try:
            with self._remarked(), TemporaryDirectory(prefix="codemap-") as temporary:
                pack = Path(temporary) / "units"
                cache.fetch(entry, entry.units, pack, self._copied(Stage.PULL))
                unpack_units(pack, units, is_cached_analysis)
        finally:
            units.close()

    def _packed(self, path: Path, target: Path) -> Path | None:
        units = UnitCache.open(self._settings.cache_directory, self._repository.repo_id)
        if units is None:
            return None
        try:
            return target if pack_units(path, units, target) else None
        finally:
            units.close()

    def _copied(self, stage: Stage) -> Callable[[int, int], None]:
        def copied(done: int, total: int) -> None:
            self._check()
            self._progress(stage, done, total)

        return copied

    @contextmanager
    def _remarked(self, consequence: str = "") -> Iterator[None]:
        """Trouble with the cache ends its use in this run."""
        try:
            yield
        except (StorageError, InvalidArgumentError) as error:
            self._cache = None
            self.problem = self.problem or error.message + consequence
