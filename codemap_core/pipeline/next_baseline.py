"""The index of a commit made from that of another one: a copy whose documents are replaced where they differ.

When most documents would be bound again anyway, it is left to be built from scratch. ``build_from`` serves a build, which reads what the
earlier index says, and a process that knows it from before.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from codemap_core.config import Settings
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline.analyse import AnalysisTask
from codemap_core.pipeline.applied import apply
from codemap_core.pipeline.changes import Changes, Declined
from codemap_core.pipeline.comparison import changes_within
from codemap_core.pipeline.discover import work_tree
from codemap_core.pipeline.resident import Kept, Resident, Unedited
from codemap_core.pipeline.workers import Aside, Workers
from codemap_core.progress import ProgressCallback, Stage
from codemap_core.repository import CommitFiles, Repository
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.lock import BuildLock
from codemap_core.storage.reading.earlier_index import open_earlier
from codemap_core.storage.writing.baseline_copy import BaselineCopy

MOST = 0.6
"""Share of the documents that may be bound again; beyond it building from scratch takes less time."""
MOST_BESIDE = 300
"""Documents that are bound again where refreshes of workspaces wait meanwhile: about a second."""


def build_from(
    earlier: Path,
    lock: BuildLock,
    info: IndexInfo,
    files: CommitFiles,
    repository: Repository,
    host: PluginHost,
    settings: Settings,
    jobs: int,
    progress: ProgressCallback,
    check: Callable[[], None],
    analysers: Workers[AnalysisTask, bytes] | None = None,
    resident: Resident | None = None,
) -> tuple[IndexInfo, Changes] | Declined:
    """The index of ``files``, published, unless it should be built from scratch. ``analysers``: as ``Analysis`` has them. ``resident``:
    what a process keeps for which refreshes wait meanwhile.

    Raises: StorageError, CorruptIndexError, IndexNotAvailableError."""
    copy = BaselineCopy(lock, earlier)
    root = str(repository.root)
    with ExitStack() as undone:
        undone.callback(copy.discard)
        copying: list[Aside[None]] = []

        def begin() -> None:
            if not copying:
                copying.append(Aside(copy.make))
                undone.callback(copying[0].end)

        with open_earlier(earlier) as index:
            kept, most = None, MOST
            if resident is not None:
                kept = Kept(resident, None, Unedited.of(root, index.info))
                most = min(MOST, MOST_BESIDE / max(1, len(files.blobs)))
            changes = changes_within(
                most,
                index,
                files,
                host,
                settings,
                work_tree=work_tree(repository, settings),
                jobs=jobs,
                progress=progress,
                check=check,
                kept=kept,
                begin=begin,
                analysers=analysers,
            )
        if isinstance(changes, Declined):
            return changes
        check()
        progress(Stage.PUBLISH, 0, 0)
        copying[0].finish()
        with copy:
            info = copy.publish(apply(copy.editor, changes, info, progress))
    if kept is not None and kept.result is not None:
        kept.resident.remember_unedited(Unedited.of(root, info), kept.result)
    return info, changes
