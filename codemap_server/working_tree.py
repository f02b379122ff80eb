"""``serve --live``: an index that follows a working tree by itself. A question sees the files as they are on disk, without a call
before it.

Whether something has changed is told by a look at the tree (``tree_looks``). The index process then takes the changes up into a workspace
of the tree's own, all in one batch: those files that look otherwise where no file came or went, else what git says has changed. Where
nothing is edited, the index of HEAD answers.

Invariant: an answer shows the tree as it was when the question came, or later; where that would take too long, it shows an earlier state
and says so.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from codemap_core.config import Settings
from codemap_core.errors import CancelledError, CodeMapError, IndexNotAvailableError
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess, ReadyRequest, Request
from codemap_server.notes import Note, of_edits_not_shown
from codemap_server.open_indexes import OpenIndexes
from codemap_server.tree_looks import Seen, TreeLooks

if TYPE_CHECKING:
    from codemap_core.queries.indexes.workspaces import Workspaces
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository

PATIENCE: Final = 20.0
"""Seconds from the beginning of an update for which questions wait for it."""
_AFTERWARDS: Final = 1.0
"""Seconds that a question waits for an update which has taken longer than that."""
_FEW: Final = 12
"""Files that are taken up in less time than it takes to see whether nothing is edited any more."""
_AGAIN_AFTER: Final = 10.0
"""Seconds after which it is tried again to take up what could not be."""
_POLL: Final = 0.05
_AHEAD_SECONDS: Final = 900.0
"""How long after the last question edits are taken up before somebody asks."""
_LOOKS_APART: Final = 1.0
"""Seconds between two looks when nobody asks; longer where a look is expensive."""
_LOOK_SHARE: Final = 50
"""A look may take one part of this many of the time."""

_log = logging.getLogger(__name__)


def _names_in(folder: str) -> frozenset[str]:
    """Empty for a folder that cannot be read."""
    try:
        return frozenset(each.name for each in Path(folder).iterdir())
    except OSError:
        return frozenset()


class Shown(Struct, frozen=True):
    """Where the answer is: in the index of a commit, or in the tree's workspace where ``commit`` is empty."""

    commit: str


class _Left(Struct, frozen=True):
    """How an update left the workspace. ``revision``: as ``Workspaces.revision``."""

    revision: tuple[int, int]
    names: Mapping[str, frozenset[str]]
    """What each folder with an indexed file holds, ignored files too."""


class _Failed(Struct, frozen=True):
    """Why an update failed, when, and what was there then. ``at``: 0 where it costs nothing to try it again."""

    because: str
    at: float
    seen: Seen


class Followed(Struct, frozen=True):
    """What a question sees, what its reader has to know, and the seconds for which it waited."""

    snapshot: Any
    """A ``Snapshot``."""
    notes: tuple[Note, ...]
    waited: float


class WorkingTree:
    """One working tree that an index follows. ``repository`` is opened at its root. Safe to use from several threads."""

    def __init__(self, settings: Settings, repository: Repository, indexes: OpenIndexes, process: IndexProcess) -> None:
        from codemap_core.queries.indexes.workspaces import Workspaces

        self._settings: Final = settings
        self._repository: Final = repository
        self._indexes: Final = indexes
        self._process: Final = process
        self._workspaces: Final[Workspaces] = Workspaces(settings, repository)
        self._lock: Final = threading.Lock()
        self._worker: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="working-tree")
        self._update: Future[None] | None = None
        self._began = 0.0
        """When the update under way did."""
        self._stopping: Final = threading.Event()
        self._asked_at = 0.0
        self._watcher: threading.Thread | None = None
        self._looks: Final = TreeLooks(repository)
        self._seen: Seen | None = None
        """What the state shown was made from; null before the first."""
        self._shown: Shown | None = None
        self._left: _Left | None = None
        """Null where the workspace is not what ``_seen`` was."""
        self._stage = ""
        """How far the update under way is; empty where nobody knows."""
        self._failed: _Failed | None = None
        """The last update, unless it succeeded."""
        self._is_ready = False
        """The index process was asked to get ready."""
        self._hurried: Final = threading.Event()
        """An update waits for that."""

    def close(self) -> None:
        self._stopping.set()
        self._worker.shutdown(wait=False, cancel_futures=True)
        self._looks.close()

    def snapshot(self, control: CallControl) -> Followed:
        """The tree as it is now, or the last state that was taken up, or else HEAD, and a note why. Raises: IndexNotAvailableError when
        no commit is indexed that the tree could be compared with; CancelledError."""
        self._asked_at = time.monotonic()
        self._watch()
        problem = ""
        started = time.perf_counter()
        waited = 0.0
        if self._seen is None or self._looks.look() != self._seen:
            problem = self._await(self._start(), control)
            waited = time.perf_counter() - started
        try:
            snapshot = self._open(self._shown or self._last_known())
        except IndexNotAvailableError as error:
            raise IndexNotAvailableError(problem or error.message, **error.details) from error
        except CodeMapError:  # it was deleted behind our back: made again from what is on disk
            self._seen = None
            problem = self._await(self._start(), control)
            snapshot = self._open(self._shown or self._last_known())
        if not problem:
            self._get_ready()
        return Followed(snapshot, (of_edits_not_shown(problem),) if problem else (), waited)

    def _open(self, shown: Shown) -> Snapshot:
        if shown.commit:
            return self._indexes.of_commit(self._repository, shown.commit)
        return self._indexes.of_workspace(self._repository, self._workspaces.following_id)

    def _last_known(self) -> Shown:
        """What is shown as long as nothing of the tree was taken up by this server: the index of HEAD, the workspace as another server left
        it, or the index of the nearest commit. Raises: NotFoundError."""
        from codemap_core.queries.indexes.which_index import choose_index, nearest_indexed

        head = self._repository.head_commit()
        if choose_index(self._settings, self._repository, head) is not None:
            return Shown(head)
        if self._workspaces.path(self._workspaces.following_id).exists():
            return Shown("")
        nearest = nearest_indexed(self._settings, self._repository, head)
        return Shown(nearest[0] if nearest is not None else head)

    def _await(self, update: Future[None] | None, control: CallControl) -> str:
        """Why the newest state is not shown; empty when it is. Raises: CancelledError. ``update``: null where it has just failed."""
        until = max(self._began + PATIENCE, time.monotonic() + _AFTERWARDS)
        while update is not None and not wait([update], timeout=_POLL).done:
            if control.cancelled.is_set():
                raise CancelledError("The call was cancelled while edits of the working tree were taken up.")
            control.progress("taking up edits of the working tree", int(time.monotonic() - self._asked_at), 0)
            if time.monotonic() > until:
                stage = f", now at: {self._stage}" if self._stage else ""
                return f"taking them up takes longer than {PATIENCE:.0f} s and goes on{stage}"
        failed = self._failed
        return failed.because if failed is not None else ""

    def _start(self) -> Future[None] | None:
        """The update under way, or a new one; null where the same has just failed."""
        with self._lock:
            if self._update is not None and not self._update.done():
                return self._update
            failed = self._failed
            if (
                failed is not None
                and failed.at
                and time.monotonic() - failed.at < _AGAIN_AFTER
                and failed.seen == self._looks.look()
            ):
                return None
            self._began = time.monotonic()
            self._update = self._worker.submit(self._try_to_catch_up)
            self._hurried.set()
            return self._update

    def _try_to_catch_up(self) -> None:
        """Whatever goes wrong, questions are answered from the state before."""
        try:
            self._bring_up_to_date()
        except CodeMapError as error:
            lacks_index = isinstance(error, IndexNotAvailableError)  # which answers say themselves, or mend
            level = logging.DEBUG if lacks_index or self._stopping.is_set() else logging.WARNING
            _log.log(level, "edits of %s were not taken up: %s", self._repository.root, error)
            self._failed = self._failure(error.message, is_cheap=lacks_index)
        except Exception as error:
            _log.exception("edits of %s were not taken up", self._repository.root)
            self._failed = self._failure(f"taking them up failed ({error})", is_cheap=False)
        else:
            self._failed = None
        finally:
            self._stage = ""

    def _failure(self, because: str, *, is_cheap: bool) -> _Failed:
        if not is_cheap and not self._looks.places:
            with suppress(CodeMapError):
                self._follow(self._open(self._last_known()))
        return _Failed(because, 0.0 if is_cheap else time.monotonic(), self._looks.look())

    def _get_ready(self) -> None:
        """Has the index process prepared for the first edit, once."""
        with self._lock:
            if self._is_ready or self._stopping.is_set():
                return
            self._is_ready = True
            self._hurried.clear()
            self._worker.submit(self._prepare)

    def _prepare(self) -> None:
        """Nothing that anybody asks for depends on it."""
        seen, shown = self._seen, self._shown
        if seen is None or shown is None or self._looks.look() != seen:
            return
        name = self._workspaces.following_id
        try:
            if shown.commit:
                self._make_workspace(name, shown.commit)
            self._process.make_ready(ReadyRequest(str(self._repository.root), name), self._control(), self._hurried)
            left = self._leave()
            if self._looks.look() == seen == self._seen:
                self._left = left
        except Exception as error:
            _log.debug("nothing was prepared for edits: %s", error)

    def _make_workspace(self, name: str, commit: str) -> None:
        """One that shows an indexed commit, whatever it showed before. Raises: as ``Workspaces.create``, and what a refresh raises."""
        from codemap_core.errors import NotFoundError

        try:
            base = self._workspaces.get(name).info.commit_sha
        except NotFoundError:
            self._workspaces.create(name, commit, follows=True, wait=self._check)
        else:
            moved = commit if base != commit else ""
            self._process.refresh(Request(str(self._repository.root), name, moved), self._control())

    def _control(self) -> CallControl:
        return CallControl(self._note_stage, self._stopping)

    def _note_stage(self, stage: str, done: int, total: int) -> None:
        self._stage = f"{stage} ({done:,} of {total:,})" if total else stage

    def _bring_up_to_date(self) -> None:
        """Until what was taken up is what is there."""
        while not self._stopping.is_set():
            seen = self._looks.look()
            edited = self._edited(seen)
            if edited is not None:
                self._shown = self._with_edits(edited)
                self._seen = seen
                return
            self._left = None
            self._shown = self._state_now()
            if not self._follow(self._open(self._shown)):
                left = self._leave()
                if self._looks.look() == seen:
                    self._seen, self._left = seen, left
                    return

    def _edited(self, seen: Seen) -> tuple[str, ...] | None:
        """Paths of the files that look otherwise than when the workspace was made what it is. Null where that does not say everything:
        files came or went, HEAD or what git ignores is another one, or somebody else has changed the workspace."""
        left, before = self._left, self._seen
        if left is None or before is None or len(before.stats) != len(seen.stats):
            return None
        if before.head is None or before.head != seen.head:
            return None
        edited = []
        start = len(str(self._repository.root)) + 1
        for place, one, other in zip(self._looks.places, before.stats, seen.stats, strict=True):
            if one == other:
                continue
            if place in left.names:
                if _names_in(place) != left.names[place]:
                    return None
            elif other is None or place.endswith(("/.gitignore", "/.gitattributes")):
                return None
            else:
                edited.append(place[start:])
        try:
            unchanged = self._workspaces.revision(self._workspaces.following_id) == left.revision
        except CodeMapError:
            return None
        return tuple(edited) if unchanged else None

    def _with_edits(self, edited: tuple[str, ...]) -> Shown:
        """Raises: as ``_state_now``."""
        name = self._workspaces.following_id
        left, self._left = self._left, None
        assert left is not None
        if len(edited) > _FEW and (commit := self._taken_back(edited)):
            self._is_ready = False  # the workspace still shows the edits
            return Shown(commit)
        request = Request(str(self._repository.root), name, file_paths=edited)
        done = self._process.refresh(request, self._control())
        revision = self._workspaces.revision(name)
        state = self._workspaces.get(name)
        if revision[1] == state.revision == done.revision:
            self._left = _Left(revision, left.names)
        return Shown("") if state.replaced else Shown(state.info.commit_sha)

    def _taken_back(self, edited: Sequence[str]) -> str:
        """The commit whose index answers, where everything that the workspace shows otherwise is as committed again; empty elsewhere.
        Raises: as ``Workspaces.get``."""
        from codemap_core.queries.indexes.which_index import choose_index
        from codemap_core.repository import CommitFiles, read_edits

        state = self._workspaces.get(self._workspaces.following_id)
        commit = state.info.commit_sha
        if not {each.path for each in state.replaced} <= {*edited}:
            return ""
        if commit != self._repository.head_commit() or choose_index(self._settings, self._repository, commit) is None:
            return ""
        with CommitFiles(self._repository, commit) as committed:
            return "" if read_edits(self._repository, edited, committed) else commit

    def _leave(self) -> _Left | None:
        if self._shown is None:
            return None
        try:
            revision = self._workspaces.revision(self._workspaces.following_id)
            state = self._workspaces.get(self._workspaces.following_id)
        except CodeMapError:
            return None  # there is none
        if self._shown.commit and state.replaced:
            return None  # nobody has brought the workspace up to date
        if state.info.commit_sha != self._repository.head_commit():
            return None  # it moves to HEAD as soon as that is indexed
        return _Left(revision, {folder: _names_in(folder) for folder in self._looks.folders})

    def _state_now(self) -> Shown:
        """Raises: IndexNotAvailableError, and what a refresh raises."""
        from codemap_core.errors import NotFoundError
        from codemap_core.queries.indexes.which_index import choose_index, nearest_indexed
        from codemap_core.repository import CommitFiles, changed_paths, read_edits

        head = self._repository.head_commit()
        is_indexed = choose_index(self._settings, self._repository, head) is not None
        if is_indexed:
            with CommitFiles(self._repository, head) as committed:
                if not read_edits(self._repository, changed_paths(self._repository, head), committed):
                    return Shown(head)
        name, root = self._workspaces.following_id, str(self._repository.root)
        try:
            base = self._workspaces.get(name).info.commit_sha
        except NotFoundError:
            nearest = None if is_indexed else nearest_indexed(self._settings, self._repository, head)
            if not is_indexed and nearest is None:
                self._workspaces.baseline(head)  # says how to build it
            base = head if nearest is None else nearest[0]
            self._workspaces.create(name, base, follows=True, wait=self._check)
        moved = head if is_indexed and base != head else ""
        self._process.refresh(Request(root, name, moved), self._control())
        return Shown("")

    def _check(self, _seconds: float) -> None:
        if self._stopping.is_set():
            raise CancelledError("The server is ending.")

    def _follow(self, snapshot: Snapshot) -> bool:
        """Looks from now on at the files of a snapshot, and at the folders where others may come; whether these are other ones. Raises:
        as ``untracked_folders``."""
        from codemap_core.repository import untracked_folders

        paths: Sequence[str] = snapshot.reader.file_paths()
        root = str(self._repository.root)
        folders = {root, *(f"{root}/{folder}" for folder in untracked_folders(self._repository))}
        for path in paths:
            folder = path.rpartition("/")[0]
            while folder and f"{root}/{folder}" not in folders:
                folders.add(f"{root}/{folder}")
                folder = folder.rpartition("/")[0]
        return self._looks.follow(tuple(sorted(folders)), tuple(f"{root}/{path}" for path in paths))

    def _watch(self) -> None:
        """Takes edits up before the next question comes, as long as questions come."""
        with self._lock:
            if self._watcher is None or not self._watcher.is_alive():
                self._watcher = threading.Thread(target=self._look_ahead, name="look-ahead", daemon=True)
                self._watcher.start()

    def _look_ahead(self) -> None:
        pause = _LOOKS_APART
        before: Seen | None = None
        while not self._stopping.wait(pause) and time.monotonic() - self._asked_at < _AHEAD_SECONDS:
            started = time.monotonic()
            now = self._looks.look()
            if self._seen is not None and now != self._seen and now == before:  # edited, and quiet since the last look
                update = self._start()
                if update is not None:
                    wait([update])
            before = now
            pause = max(_LOOKS_APART, _LOOK_SHARE * (time.monotonic() - started))
