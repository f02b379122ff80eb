"""What changes a workspace by way of the pipeline: bringing its edits up to date, and moving it to another commit.

Invariant: after each step the workspace has the rows of a cold index of its commit with its edits. A step is visible as a whole or not at
all, whenever the process ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct, structs

from codemap_core.config import Settings
from codemap_core.errors import CancelledError, IndexNotAvailableError, NotFoundError
from codemap_core.hooks.manager import PluginHost
from codemap_core.pipeline.applied import apply
from codemap_core.pipeline.baseline import index_fingerprint
from codemap_core.pipeline.changes import Changes
from codemap_core.pipeline.comparison import find_changes, make_ready
from codemap_core.pipeline.discover import work_tree
from codemap_core.pipeline.resident import Kept, Resident, StateKey, Unedited
from codemap_core.progress import ProgressCallback, never_cancelled, unreported
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.queries.snapshot import normalise_path
from codemap_core.repository import (
    CommitFiles,
    Edit,
    EditedFiles,
    Repository,
    changed_paths,
    edit_of,
    read_edits,
    with_contents,
)
from codemap_core.storage.files.examine import examine_baseline
from codemap_core.storage.files.library_places import give_the_same
from codemap_core.storage.files.lock import BuildLock
from codemap_core.storage.reading.earlier_index import EarlierIndex
from codemap_core.storage.reading.reader import IndexReader
from codemap_core.storage.workspace_file import (
    ReplacedFile,
    WorkspaceHead,
    WorkspaceState,
    edited_workspace,
    new_workspace,
    open_workspace,
    read_workspace,
)

_COPY_FILES: Final = 12
"""So many files are taken up in the time in which an index is copied."""


class Refreshed(Struct, frozen=True, kw_only=True):
    """A refresh. ``revision`` is that of before where nothing changed."""

    workspace_id: str
    commit_sha: str
    revision: int
    files_reindexed: int
    """Files that changed since the last refresh."""
    symbols_updated: int
    """Symbols of these files, and those that they had."""
    documents_replaced: int
    """Documents whose rows were written: these files, and others that depend on them."""
    changed_files: tuple[str, ...] = ()
    """Those that changed since the last refresh, sorted."""
    failures: tuple[str, ...] = ()
    """What plug-ins failed for in this refresh, and how."""


class UnsavedChanges(Struct, frozen=True):
    """``revision``: of the workspace that ``changes`` are against."""

    revision: int
    changes: Changes


class Refresher:
    """Refreshes workspaces of one working tree."""

    def __init__(
        self,
        repository: Repository,
        host: PluginHost,
        settings: Settings,
        *,
        jobs: int | None = None,
        progress: ProgressCallback = unreported,
        cancelled: Callable[[], bool] = never_cancelled,
        resident: Resident | None = None,
    ) -> None:
        """``resident``: what is kept from one refresh to the next."""
        self._resident: Final = resident
        self._repository: Final = repository
        self._host: Final = host
        self._settings: Final = settings
        self._jobs: Final = jobs
        self._progress: Final = progress
        self._cancelled: Final = cancelled
        self._workspaces: Final = Workspaces(settings, repository)

    def refresh(self, workspace_id: str, paths: Sequence[str] | None = None) -> Refreshed:
        """Takes up ``paths``, relative to the git root, as they are on disk now: edited, new or deleted. Null: whatever of the working tree
        differs from the workspace's commit. What was taken up before and is not listed stays as it is.

        Raises: NotFoundError, InvalidArgumentError, IndexNotAvailableError, StorageError, CancelledError."""
        self._workspaces.get(workspace_id)
        with self._workspaces.locked(workspace_id, self._wait) as lock:
            state = self._workspaces.own(self._workspaces.get(workspace_id))
            commit = self._existing(state)
            if state.info.fingerprint != index_fingerprint(self._host, self._settings):
                return self._remade(lock, state, commit, paths)
            return self._brought_up_to_date(lock, state, commit, paths)

    def unsaved(self, workspace_id: str, texts: Mapping[str, str]) -> UnsavedChanges:
        """What files, relative to the git root, would change in a workspace if they held these texts. Nothing is written.

        Raises: as ``refresh``."""
        path = self._workspaces.existing(workspace_id)
        index, state = open_workspace(path)
        with index:
            commit = self._existing(self._workspaces.own(state))
            if state.info.fingerprint != index_fingerprint(self._host, self._settings):
                raise IndexNotAvailableError(
                    f"The workspace {workspace_id!r} was made by another release or with other plug-ins: call index.refresh_overlay first.",
                    workspace_id=workspace_id,
                )
            with self._commit_files(commit) as committed:
                edits = edits_taken_up(self._repository, state, committed, index)
                for file_path, text in texts.items():
                    content = text.encode("utf-8", "surrogatepass")
                    edits[self._relative(file_path)] = edit_of(self._repository, content)
                changes = self._changes(index, committed, edits, self._kept(path, state))
        # What the rows came from matters to the next refresh alone, and there is none.
        return UnsavedChanges(state.revision, structs.replace(changes, records=(), conclusions={}))

    def make_ready(self, workspace_id: str, hurried: Callable[[], bool]) -> None:
        """Makes what the first refresh of a workspace will need, without changing anything that can be seen. Where much has changed since
        its last one, nothing is made. ``hurried``: whether somebody waits for its end. Raises: as ``refresh``."""
        path = self._workspaces.existing(workspace_id)
        index, state = open_workspace(path)
        with index:
            commit = self._existing(self._workspaces.own(state))
            kept = self._kept(path, state)
            if (
                kept is None
                or kept.generation is not None
                or state.info.fingerprint != index_fingerprint(self._host, self._settings)
            ):
                return
            with self._commit_files(commit) as committed:
                files = EditedFiles(committed, edits_taken_up(self._repository, state, committed, index))
                place = work_tree(self._repository, self._settings)
                make_ready(index, files, self._host, self._settings, kept, place, self._check, hurried)
        if kept.result is not None:
            kept.resident.remember(self._state_key(path, state, state.revision), kept.result, kept.unedited)

    def rebase(self, workspace_id: str, commit: str) -> Refreshed:
        """Moves a workspace to a full commit id. Files that it showed otherwise are taken up as they are on disk now.

        Raises: as ``refresh``."""
        self._workspaces.get(workspace_id)
        with self._workspaces.locked(workspace_id, self._wait) as lock:
            return self._remade(lock, self._workspaces.own(self._workspaces.get(workspace_id)), commit, ())

    def _remade(self, lock: BuildLock, state: WorkspaceState, commit: str, paths: Sequence[str] | None) -> Refreshed:
        """A new workspace from the index of ``commit``, with the edits of the old one and ``paths`` taken up."""
        baseline = self._workspaces.baseline(commit, state.info.solution)
        found = examine_baseline(baseline, index_fingerprint(self._host, self._settings))
        if not found.is_ready:
            root = str(self._repository.root)
            raise IndexNotAvailableError(
                f"The index of commit {commit[:12]} is not current ({found.problem}), so the workspace cannot be brought up to date. Call "
                f"index.ensure_baseline with repo_path {root!r} and commit_sha {commit!r}, then repeat this call.",
                repo_path=root,
                commit_sha=commit,
            )
        known = [each.path for each in state.replaced]
        wanted = None if paths is None or state.follows else [*known, *paths]
        with new_workspace(lock, baseline, _head_after(state)) as path:
            return self._refreshed(path, read_workspace(path), commit, wanted, known)

    def _brought_up_to_date(
        self, lock: BuildLock, state: WorkspaceState, commit: str, paths: Sequence[str] | None
    ) -> Refreshed:
        """From what the workspace shows, or from its commit's index, whichever is nearer."""
        with self._commit_files(commit) as committed:
            index, _ = open_workspace(lock.path)
            with index:
                edits = self._edits(state, committed, paths, [each.path for each in state.replaced], index)
                changed = _changed(state, edits)
                if not changed:
                    return _nothing(state)
                had = EarlierIndex.read_by(index).count_symbols(changed)
                baseline = self._nearer(state, commit, edits, changed)
                if baseline is not None:  # they are taken up into another index, when this one is closed
                    edits = with_contents(edits)
                kept = self._kept(lock.path, state)
                changes = self._changes(index, committed, edits, kept) if baseline is None else None
            if changes is not None:
                return self._published(lock.path, state, changes, edits, changed, kept, had)
            assert baseline is not None
            with new_workspace(lock, baseline, _head_after(state)) as path:
                fresh = read_workspace(path)
                index, _ = open_workspace(path)
                with index:
                    had += EarlierIndex.read_by(index).count_symbols(set(changed) - edits.keys())
                    if not edits:
                        return _unedited(fresh, changed, had)
                    kept = self._kept(path, fresh)
                    changes = self._changes(index, committed, edits, kept)
                return self._published(path, fresh, changes, edits, changed, kept, had)

    def _nearer(
        self, state: WorkspaceState, commit: str, edits: Mapping[str, Edit | None], changed: Sequence[str]
    ) -> Path | None:
        """The index of the commit, where copying it and taking up all edits takes less than going on from what the workspace shows."""
        if len(changed) <= len(edits) + _COPY_FILES:
            return None
        try:
            baseline = self._workspaces.baseline(commit, state.info.solution)
        except IndexNotAvailableError:
            return None
        found = examine_baseline(baseline, state.info.fingerprint)
        if not found.is_ready or found.info is None:
            return None
        return baseline if give_the_same(found.info.library_places, state.info.library_places) else None

    def _refreshed(
        self, path: Path, state: WorkspaceState, commit: str, paths: Sequence[str] | None, known: Sequence[str]
    ) -> Refreshed:
        """``known``: paths that need not exist to be listed."""
        index, _ = open_workspace(path)
        kept = self._kept(path, state)
        with self._commit_files(commit) as committed, index:
            edits = self._edits(state, committed, paths, known, index)
            changed = _changed(state, edits)
            if not changed:
                return _nothing(state)
            had = EarlierIndex.read_by(index).count_symbols(changed)
            changes = self._changes(index, committed, edits, kept)
        return self._published(path, state, changes, edits, changed, kept, had)

    def _published(
        self,
        path: Path,
        state: WorkspaceState,
        changes: Changes,
        edits: Mapping[str, Edit | None],
        changed: Sequence[str],
        kept: Kept | None,
        had: int,
    ) -> Refreshed:
        """``had``: symbols that ``changed`` had, and those they have by another way than ``changes``."""
        done = publish(path, changes, edits, changed, had, self._progress)
        if kept is not None and kept.result is not None:
            kept.resident.remember(self._state_key(path, state, done.revision), kept.result)
        return done

    def _kept(self, path: Path, state: WorkspaceState) -> Kept | None:
        if self._resident is None:
            return None
        unedited = Unedited.of(state.root, state.info) if not state.replaced else None
        return Kept(self._resident, self._state_key(path, state, state.revision), unedited)

    def _state_key(self, path: Path, state: WorkspaceState, revision: int) -> StateKey:
        """``path``: where the workspace is now; one that is made keeps its number when it takes its place."""
        return self._workspaces.path(state.workspace_id), path.stat().st_ino, revision

    @contextmanager
    def _commit_files(self, commit: str) -> Iterator[CommitFiles]:
        if self._resident is None:
            with CommitFiles(self._repository, commit) as files:
                yield files
        else:
            with self._resident.commit_files(self._repository, commit) as files:
                yield files

    def _changes(
        self, index: IndexReader, committed: CommitFiles, edits: Mapping[str, Edit | None], kept: Kept | None
    ) -> Changes:
        return find_changes(
            index,
            EditedFiles(committed, edits),
            self._host,
            self._settings,
            work_tree=work_tree(self._repository, self._settings),
            jobs=self._jobs,
            progress=self._progress,
            check=self._check,
            kept=kept,
        )

    def _existing(self, state: WorkspaceState) -> str:
        """The commit of a workspace. Raises: NotFoundError when the repository has lost it."""
        commit = state.info.commit_sha
        if self._repository.is_head(commit):
            return commit
        try:
            return self._repository.resolve_commit(commit)
        except NotFoundError as error:
            raise NotFoundError(
                f"Commit {commit[:12]}, which workspace {state.workspace_id!r} is on, is not in {self._repository.root} any more. Call "
                "workspace.rebase, which moves the workspace to HEAD and keeps its edits.",
                commit=commit,
                workspace_id=state.workspace_id,
            ) from error

    def _edits(
        self,
        state: WorkspaceState,
        committed: CommitFiles,
        paths: Sequence[str] | None,
        known: Sequence[str],
        index: IndexReader,
    ) -> dict[str, Edit | None]:
        if paths is None:
            return read_edits(self._repository, changed_paths(self._repository, state.info.commit_sha), committed)
        listed = self._listed(paths, known, committed)
        edits = edits_taken_up(self._repository, state, committed, index, without=listed)
        edits.update(read_edits(self._repository, sorted(listed), committed))
        return edits

    def _listed(self, paths: Iterable[str], known: Sequence[str], committed: CommitFiles) -> frozenset[str]:
        """Raises: NotFoundError for a file that is neither on disk, nor in the commit, nor known."""
        listed = frozenset(self._relative(each) for each in paths)
        for path in sorted(listed):
            if path not in known and committed.blob(path) is None and not (self._repository.root / path).is_file():
                raise NotFoundError(
                    f"File '{path}' is neither in the working tree nor in {committed.label}. Paths are relative to the root "
                    f"{self._repository.root}.",
                    file_path=path,
                )
        return listed

    def _relative(self, path: str) -> str:
        given = Path(path.strip())
        if given.is_absolute() and given.is_relative_to(self._repository.root):
            path = given.relative_to(self._repository.root).as_posix()
        return normalise_path(path)

    def _check(self) -> None:
        if self._cancelled():
            raise CancelledError("The refresh was cancelled; the workspace is as it was before.")

    def _wait(self, seconds: float) -> None:
        self._check()
        self._progress("waiting for another process that changes this workspace", int(seconds), 0)


def edits_taken_up(
    repository: Repository,
    state: WorkspaceState,
    committed: CommitFiles,
    index: IndexReader,
    without: frozenset[str] = frozenset(),
) -> dict[str, Edit | None]:
    """What a workspace, open as ``index``, shows otherwise than its commit, except for the files ``without``. Contents are read when they
    are asked for, as long as ``index`` is open."""
    edits: dict[str, Edit | None] = {}
    for each in state.replaced:
        if each.path in without:
            continue
        if each.blob_id is None:
            edits[each.path] = None
            continue
        read = partial(_taken_up, repository, committed, index, each)
        edits[each.path] = Edit(each.blob_id, each.size, read)
    return edits


def _taken_up(repository: Repository, committed: CommitFiles, index: IndexReader, file: ReplacedFile) -> bytes | None:
    """What a file held when it was taken up: what it holds on disk, or where that has moved on, its text."""
    edit = read_edits(repository, [file.path], committed).get(file.path)
    if edit is not None and edit.blob_id == file.blob_id:
        return edit.read()
    text = index.file_text(file.path)
    return None if text is None else text.encode("utf-8", "surrogatepass")


def _changed(state: WorkspaceState, edits: Mapping[str, Edit | None]) -> list[str]:
    """Paths that a workspace shows otherwise than ``edits`` have them, sorted."""
    before = {each.path: each.blob_id for each in state.replaced}
    now = {each: None if edit is None else edit.blob_id for each, edit in edits.items()}
    return sorted(each for each in before.keys() | now.keys() if _differs(each, before, now))


def _head_after(state: WorkspaceState) -> WorkspaceHead:
    """Of a workspace that takes the place of another one."""
    return WorkspaceHead(
        workspace_id=state.workspace_id, root=state.root, follows=state.follows, revision=state.revision + 1
    )


def _differs(path: str, before: Mapping[str, str | None], now: Mapping[str, str | None]) -> bool:
    return (path in before) != (path in now) or before.get(path) != now.get(path)


def _nothing(state: WorkspaceState) -> Refreshed:
    return Refreshed(
        workspace_id=state.workspace_id,
        commit_sha=state.info.commit_sha,
        revision=state.revision,
        files_reindexed=0,
        symbols_updated=0,
        documents_replaced=0,
    )


def _unedited(state: WorkspaceState, changed: Sequence[str], symbols: int) -> Refreshed:
    """A refresh after which a workspace shows its commit as it is."""
    return Refreshed(
        workspace_id=state.workspace_id,
        commit_sha=state.info.commit_sha,
        revision=state.revision,
        files_reindexed=len(changed),
        symbols_updated=symbols,
        documents_replaced=len(changed),
        changed_files=tuple(changed),
    )


def publish(
    path: Path,
    changes: Changes,
    edits: Mapping[str, Edit | None],
    changed: Sequence[str],
    had: int,
    progress: ProgressCallback,
) -> Refreshed:
    """Writes changes into a workspace. The caller holds its lock. ``had``: symbols that ``changed`` had. Raises: StorageError."""
    with edited_workspace(path) as edit:
        state = edit.state
        touched = frozenset(changed)
        info = apply(edit.editor, changes, state.info, progress)
        updated = had + sum(len(each.symbols) for each in changes.documents if each.document.file_path in touched)
        replaced = [
            ReplacedFile(each, None if found is None else found.blob_id, 0 if found is None else found.size)
            for each, found in sorted(edits.items())
        ]
        revision = edit.publish(info, replaced, len(changed), updated)
    return Refreshed(
        workspace_id=state.workspace_id,
        commit_sha=state.info.commit_sha,
        revision=revision,
        files_reindexed=len(changed),
        symbols_updated=updated,
        documents_replaced=len(changes.documents) + len(changes.deleted),
        changed_files=tuple(changed),
        failures=tuple(dict.fromkeys(each.said for each in changes.failures)),
    )
