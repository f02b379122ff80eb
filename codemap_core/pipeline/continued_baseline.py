"""The next baseline made by a process that already knows the index of an earlier commit, as the one that refreshes workspaces does.

It does what takes little, and leaves everything else to ``ensure_baseline`` in a process of its own: refreshes wait meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from codemap_core.config import Settings
from codemap_core.errors import CancelledError, IndexNotAvailableError
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import Blob
from codemap_core.pipeline.baseline import BaselineResult, baseline_path, index_fingerprint
from codemap_core.pipeline.changes import Declined
from codemap_core.pipeline.next_baseline import build_from
from codemap_core.pipeline.resident import Resident
from codemap_core.pipeline.workers import default_jobs
from codemap_core.progress import ProgressCallback, never_cancelled, unreported
from codemap_core.repository import Repository
from codemap_core.storage.data_directory import remember_repository
from codemap_core.storage.errors import CorruptIndexError
from codemap_core.storage.files.examine import IndexInfo, IndexState, examine_baseline
from codemap_core.storage.files.lock import build_lock_if_free
from codemap_core.storage.files.nearest import nearest_baseline


def continue_baseline(
    repository: Repository,
    host: PluginHost,
    settings: Settings,
    resident: Resident,
    commit: str,
    *,
    progress: ProgressCallback = unreported,
    cancelled: Callable[[], bool] = never_cancelled,
) -> BaselineResult | None:
    """As ``ensure_baseline`` for the whole of a full commit id, where ``resident`` knows the repository, from the index of another commit.
    Null, and nothing is changed, where it does not, where too much is to be bound again, where another process builds the same, and where
    a shared cache is to be asked.

    Raises: as ``ensure_baseline``."""
    if settings.shared_cache or repository.subtree or not resident.has_seen(repository):
        return None
    started = time.monotonic()
    path = baseline_path(repository, settings, commit)
    fingerprint = index_fingerprint(host, settings)

    def check() -> None:
        if cancelled():
            raise CancelledError("Indexing was cancelled; nothing was changed.")

    with build_lock_if_free(path) as lock:
        if lock is None or examine_baseline(path, fingerprint).state is not IndexState.MISSING:
            return None
        with resident.commit_files(repository, commit) as files:
            earlier = _earlier(resident, repository, settings, path, fingerprint, files.blobs)
            if earlier is None:
                return None
            info = IndexInfo(repo_id=repository.repo_id, commit_sha=commit, fingerprint=fingerprint)
            common = (files, repository, host, settings, default_jobs(), progress, check)
            try:
                found = build_from(earlier, lock, info, *common, resident=resident)
            except (CorruptIndexError, IndexNotAvailableError):  # the earlier one is gone, or of no use
                return None
            if isinstance(found, Declined):
                return None
        info, changes = found
        remember_repository(path, repository.root)
        return BaselineResult(
            path=path,
            info=info,
            already_existed=False,
            elapsed_seconds=time.monotonic() - started,
            analysed_files=changes.analysed,
            cached_files=changes.cached,
            skipped_symlinks=files.skipped.symlinks,
            bound_files=changes.bound,
            statuses=dict(changes.statuses),
            failures=tuple(changes.failures),
        )


def _earlier(
    resident: Resident,
    repository: Repository,
    settings: Settings,
    path: Path,
    fingerprint: str,
    files: Sequence[Blob],
) -> Path | None:
    """The index of another commit: one that is known, which need not be read, or the one that shares most files with those at ``path``."""
    known = resident.nearest_unedited(str(repository.root), fingerprint, files)
    if known is not None:
        earlier = baseline_path(repository, settings, known.commit_sha)
        if earlier.exists():
            return earlier
    return nearest_baseline(path, fingerprint, {(blob.path, blob.blob_id) for blob in files})
