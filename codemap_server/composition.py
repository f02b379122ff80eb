"""The composition root: the only place that wires settings, plug-ins, repositories and indexes together.

Everything heavy (git, the database) is imported when the first call needs it. Repositories and open indexes are kept
and shared by all calls of the process; both are safe to use from several threads.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import structs

from codemap_core.config import BudgetLimits, IndexScope, Settings
from codemap_core.errors import (
    CancelledError,
    CodeMapError,
    IndexNotAvailableError,
    InvalidArgumentError,
    NotFoundError,
    StorageError,
)
from codemap_core.hooks.contracts import MemberComplexity
from codemap_core.hooks.manager import PluginHost
from codemap_core.model import FactSources, PlaceExplanation
from codemap_server import notes
from codemap_server.calls import CallControl
from codemap_server.index_process import IndexProcess
from codemap_server.notes import Note
from codemap_server.open_indexes import OpenIndexes
from codemap_server.shared_builds import SharedBuilds
from codemap_server.unseen import unseen

if TYPE_CHECKING:
    from codemap_core.hooks.tool import ToolResult, WorkspaceActions
    from codemap_core.pipeline.complexity import ComplexityOfFiles
    from codemap_core.queries.indexes.baselines import Baselines
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.repository import BaselineReport, IndexStatus, RepositoryStatus, StoredIndexStatus
    from codemap_core.repository import Repository
    from codemap_core.storage.files.examine import Examination
    from codemap_server.checked_out import CheckedOutFiles
    from codemap_server.working_tree import WorkingTree

SAVINGS_INTERVAL: Final = 30.0
"""Seconds between two updates of the running total of saved tokens."""

_log = logging.getLogger(__name__)


class Composition:
    """``start``: the folder the process stands for; the repository around it, if any, is the one that calls without
    ``repo_path`` mean."""

    def __init__(self, settings: Settings, host: PluginHost, start: Path) -> None:
        self.settings = settings
        self.auto_index = settings.auto_index
        """Build the index that a question lacks before it is answered."""
        self.builds = SharedBuilds()
        self.index_process = IndexProcess()
        self.live = False
        """Questions that name no commit see the working tree as it is."""
        self._working_trees: dict[Path, WorkingTree] = {}
        self.host = host
        self._start = start
        self._lock = threading.RLock()
        self._repositories: dict[str, Repository] = {}
        self.indexes = OpenIndexes(settings, host)
        self._checked_out: dict[Path, CheckedOutFiles] = {}
        self._heads: dict[Path, tuple[bytes, str]] = {}
        """By git directory: what HEAD was like when it was last resolved, and to which commit."""
        self._unsaved_tokens = 0
        self._saved_at = time.monotonic()

    def new_context(self, control: CallControl) -> ServerCallContext:
        return ServerCallContext(self, control)

    def close(self) -> None:
        self._write_savings()
        for tree in self._working_trees.values():
            tree.close()
        for files in self._checked_out.values():
            files.close()
        self.index_process.close()
        self.indexes.close()

    def record_savings(self, tokens: int) -> None:
        """Adds to the running total, which is written now and then and at the end."""
        with self._lock:
            self._unsaved_tokens += tokens
            due = time.monotonic() - self._saved_at > SAVINGS_INTERVAL
        if due:
            self._write_savings()

    def _write_savings(self) -> None:
        from codemap_core.storage.savings import add_savings

        with self._lock:
            tokens, self._unsaved_tokens = self._unsaved_tokens, 0
            self._saved_at = time.monotonic()
        if tokens:
            try:
                add_savings(self.settings.savings_file, tokens)
            except StorageError as error:
                _log.warning("the running total of saved tokens was not written: %s", error.message)

    @cached_property
    def complexity(self) -> ComplexityOfFiles:
        from codemap_core.pipeline.complexity import ComplexityOfFiles

        return ComplexityOfFiles(self.host, self.settings)

    def repository(self, repo_path: str) -> Repository:
        """The repository around ``repo_path``. Empty: the one this process stands in, else the only one that was used.

        Raises: InvalidArgumentError, NotFoundError."""
        from codemap_core.repository import Repository

        if not repo_path:
            return self._default_repository()
        with self._lock:
            known = self._repositories.get(repo_path)
        if known is None or not known.root.exists():
            known = Repository.open(repo_path)
            with self._lock:
                self._repositories[repo_path] = known
        return known

    def _default_repository(self) -> Repository:
        start = str(self._start)
        if self._start != Path.home():
            try:
                return self.repository(start)
            except (InvalidArgumentError, NotFoundError):
                pass
        with self._lock:
            used = {repository.root: repository for repository in self._repositories.values()}
        if len(used) == 1:
            return next(iter(used.values()))
        known = f" Known: {', '.join(str(root) for root in sorted(used))}." if used else ""
        raise InvalidArgumentError(
            f"Say which repository: {start} is not in one, so pass repo_path, the path of a folder in one.{known}"
        )

    def resolve_commit(self, repository: Repository, commit: str) -> str:
        """The full id of what a client wrote; HEAD when it wrote nothing. Raises: as ``Repository.resolve_commit``."""
        state = repository.head_state() if commit.strip() in ("", "HEAD") else None
        if state is None:
            return repository.resolve_commit(commit)
        key = repository.git_dir
        with self._lock:
            known = self._heads.get(key)
        if known is None or known[0] != state:
            known = (state, repository.head_commit())
            with self._lock:
                self._heads[key] = known
        return known[1]

    def snapshot(self, repository: Repository, commit: str) -> Snapshot:
        """As ``OpenIndexes.of_commit``."""
        return self.indexes.of_commit(repository, commit)

    def working_tree(self, repository: Repository) -> WorkingTree:
        """What follows the edits of a repository's working tree."""
        from codemap_server.working_tree import WorkingTree

        with self._lock:
            known = self._working_trees.get(repository.root)
            if known is None:
                known = WorkingTree(self.settings, repository.whole(), self.indexes, self.index_process)
                self._working_trees[repository.root] = known
        return known

    def prepare(self) -> Path:
        """Loads what the first question about the repository that this process stands in needs; the file of its index.

        Raises: CodeMapError when there is none."""
        repository = self.repository("")
        if self.live and not repository.is_bare:
            snapshot: Snapshot = self.working_tree(repository).snapshot(CallControl()).snapshot
        else:
            snapshot = self.snapshot(repository, self.resolve_commit(repository, ""))
        self.checked_out(repository).working_copy.prepare(snapshot)
        snapshot.reader.prepare()
        return snapshot.reader.path

    def is_current(self, repository: Repository, commit: str, solution: str) -> bool:
        """Whether the index of a full commit id, of the folder and solution asked for, exists as this program would build it."""
        from codemap_core.pipeline import baseline_path

        return self.examine(baseline_path(repository, self.settings, commit, solution)).is_ready

    def examine(self, path: Path) -> Examination:
        """Whether this release, with these plug-ins, can use an index file."""
        from codemap_core.pipeline import index_fingerprint
        from codemap_core.storage.files.examine import examine_baseline

        return examine_baseline(path, index_fingerprint(self.host, self.settings))

    def checked_out(self, repository: Repository) -> CheckedOutFiles:
        """The checked-out files of a repository, with what this process knows of them."""
        from codemap_server.checked_out import CheckedOutFiles

        with self._lock:
            known = self._checked_out.get(repository.root)
            if known is None:
                known = self._checked_out[repository.root] = CheckedOutFiles(repository)
            return known

    def repository_of(self, snapshot: Snapshot) -> Repository | None:
        """The repository that a snapshot was taken of, as far as this process has opened it."""
        with self._lock:
            return next((each for each in self._repositories.values() if each.repo_id == snapshot.repo_id), None)


class ServerCallContext:
    """The capabilities of one call; implements ``ToolContext``."""

    def __init__(self, composition: Composition, control: CallControl) -> None:
        self._composition = composition
        self._control = control
        self.follows_working_tree: Final = composition.live
        self.lookup_seconds = 0.0
        self._repository: Repository | None = None
        """The one that this call asks about."""
        self.built_seconds: float | None = None
        """How long this question waited for an index that was built for it; null when there was one."""
        self.refreshed_seconds = 0.0
        """How long this call waited for edits to be taken up."""
        self._live_notes: tuple[Note, ...] = ()
        self._working_tree: Snapshot | None = None
        """What shows the files as they were on disk when this call came."""
        self._unsaved: Snapshot | None = None
        """What shows virtual files, while the call lasts."""

    @property
    def budgets(self) -> BudgetLimits:
        return self._composition.settings.budgets

    @property
    def fact_sources(self) -> FactSources:
        return self._composition.host.fact_sources

    def close(self) -> None:
        """Ends what lasts for the call alone."""
        if self._unsaved is not None:
            self._unsaved.close()
            self._unsaved = None

    def snapshot(
        self,
        repo_path: str = "",
        commit: str = "",
        workspace_id: str = "",
        committed: bool = False,
        unsaved: Mapping[str, str] | None = None,
    ) -> Snapshot:
        with self._looking_up():
            repository = self._composition.repository(repo_path)
            self._repository = repository
            if workspace_id and unsaved:
                self.close()
                with self._taking_up(in_lookup=True):
                    self._unsaved = self._composition.indexes.with_unsaved(
                        repository.whole(), workspace_id, unsaved, self._composition.index_process, self._control
                    )
                return self._unsaved
            if workspace_id:
                return self._composition.indexes.of_workspace(repository, workspace_id)
            if self._composition.live and not (commit or committed or repository.is_bare):
                shown = self._of_working_tree(repository)
                if shown is not None:
                    return shown
            sha = self._composition.resolve_commit(repository, commit)
            try:
                return self._composition.snapshot(repository, sha)
            except (IndexNotAvailableError, StorageError):
                if not self._composition.auto_index:
                    raise
        self._index_first(repository, sha)
        with self._looking_up():
            return self._composition.snapshot(repository, sha)

    def _of_working_tree(self, repository: Repository) -> Snapshot | None:
        """The working tree as it is; null where there is no index that it could be compared with."""
        try:
            found = self._composition.working_tree(repository).snapshot(self._control)
        except IndexNotAvailableError:
            return None
        self._live_notes = found.notes
        self.refreshed_seconds += found.waited
        self.lookup_seconds -= found.waited
        snapshot: Snapshot = found.snapshot
        self._working_tree = None if found.notes else snapshot
        return snapshot

    def _index_first(self, repository: Repository, commit: str) -> None:
        started = time.perf_counter()

        def is_there() -> bool:
            return self._composition.is_current(repository.whole(), commit, "")

        self._composition.builds.ensure(repository, commit, is_there, self._control)
        self.built_seconds = time.perf_counter() - started

    def repository(self, repo_path: str = "") -> Repository:
        with self._looking_up():
            self._repository = self._composition.repository(repo_path)
            return self._repository

    def workspaces(self, repo_path: str = "") -> WorkspaceActions:
        from codemap_server.workspace_actions import ServerWorkspaces

        with self._looking_up():
            repository = self._composition.repository(repo_path).whole()

        def resolve(commit: str) -> str:
            return self._composition.resolve_commit(repository, commit)

        return ServerWorkspaces(
            self._composition.settings,
            repository,
            resolve,
            self._composition.index_process,
            self._control,
            self._taking_up,
        )

    def baselines(self, repo_path: str = "") -> Baselines:
        from codemap_core.queries.indexes.baselines import Baselines

        return Baselines(self._composition.settings, self.repository(repo_path).whole())

    def ensure_baseline(self, repo_path: str, commit: str, solution: str) -> BaselineReport:
        from codemap_core.queries.views.repository import BaselineReport
        from codemap_server.build_process import BuildRequest, build, solution_inside

        with self._looking_up():
            repository = self._composition.repository(repo_path)
            sha = self._composition.resolve_commit(repository, commit)
            solution = solution_inside(repository, solution)
            whole_is_current = not solution and self._composition.is_current(repository.whole(), sha, "")
            if whole_is_current or self._composition.is_current(repository, sha, solution):
                part = "" if whole_is_current else IndexScope(repository.subtree, solution).label
                return BaselineReport(commit_sha=sha, already_existed=True, part=part)
        start = time.perf_counter()
        try:
            return build(BuildRequest(str(repository.root / repository.subtree), sha, solution), self._control)
        finally:
            self.built_seconds = time.perf_counter() - start

    def repository_status(self, repo_path: str) -> RepositoryStatus:
        from codemap_core.queries.indexes.which_index import indexed_commits
        from codemap_core.queries.indexes.workspaces import Workspaces
        from codemap_core.queries.views.repository import RepositoryStatus
        from codemap_core.queries.views.workspaces import WorkspaceSummary

        with self._looking_up():
            repository = self._composition.repository(repo_path)
            commit = repository.head_commit()
        workspaces = Workspaces(self._composition.settings, repository).list()
        status = RepositoryStatus(
            repo_id=repository.repo_id,
            root=str(repository.root),
            subtree=repository.subtree or None,
            current_commit_sha=commit,
            branch_name=repository.branch_name,
            is_clean=repository.is_clean(),
            baseline_index_exists=False,
            indexes=self._indexes(repository, commit),
            workspaces=tuple(WorkspaceSummary.of(each, commit) for each in workspaces),
            indexed_commits=tuple(indexed_commits(self._composition.settings, repository)[:10]),
        )
        try:
            snapshot = self._composition.snapshot(repository, commit)
            index = self._index_status(snapshot)
        except IndexNotAvailableError:
            return status
        except CodeMapError as error:
            return structs.replace(status, index_problem=error.message)
        return structs.replace(status, baseline_index_exists=snapshot.scope.is_whole, index=index)

    def _index_status(self, snapshot: Snapshot) -> IndexStatus:
        from codemap_core.queries.indexes.repository import facts_of, quality_of
        from codemap_core.queries.views.repository import IndexSize, IndexStatus

        info = snapshot.reader.info
        found = self._composition.examine(snapshot.reader.path)
        return IndexStatus(
            **structs.asdict(IndexSize.of(info)),
            is_current=found.is_ready,
            not_current_because=found.problem or None,
            created_at=info.created_at,
            scope=snapshot.scope.label or None,
            subtree=info.subtree or None,
            solution=info.solution or None,
            quality=quality_of(snapshot),
            facts=facts_of(snapshot, self._composition.host.fact_kinds),
        )

    def _indexes(self, repository: Repository, commit: str) -> tuple[StoredIndexStatus, ...]:
        """Every index of a commit, that of the whole commit first."""
        from codemap_core.queries.indexes.which_index import stored_indexes
        from codemap_core.queries.views.repository import StoredIndexStatus

        return tuple(
            StoredIndexStatus(
                is_whole=each.scope.is_whole,
                is_current=self._composition.examine(each.path).is_ready,
                subtree=each.scope.subtree or None,
                solution=each.scope.solution or None,
            )
            for each in stored_indexes(self._composition.settings, repository, commit)
        )

    def notes(self, result: ToolResult, file_paths: tuple[str, ...]) -> tuple[Note, ...]:
        snapshot: Snapshot = result.snapshot
        found = []
        if not snapshot.scope.is_whole:
            found.append(notes.of_part(snapshot.scope.label))
        if self.built_seconds is not None:
            found.append(notes.of_build(snapshot.commit_sha, self.built_seconds))
        repository = self._repository or self._composition.repository_of(snapshot)
        found += self._live_notes
        if repository is not None and snapshot.workspace is not None and not snapshot.workspace.follows:
            head = self._composition.resolve_commit(repository, "")
            if head != snapshot.commit_sha:
                found.append(notes.of_stale_workspace(snapshot.workspace.workspace_id, head, snapshot.commit_sha))
        if repository is not None:
            found += unseen(
                result,
                file_paths,
                self._composition.checked_out(repository),
                lambda: self._composition.resolve_commit(repository, ""),
                shows_working_tree=snapshot is self._working_tree,
            )
        return tuple(found)

    def explain(
        self, snapshot: Snapshot, file_path: str, line: int, column: int, name: str, project: str
    ) -> Sequence[PlaceExplanation]:
        from codemap_server.explain_process import ExplainRequest, explain

        repository = self._composition.repository_of(snapshot)
        if repository is None:
            raise NotFoundError("The repository of this index is not known to the server: pass repo_path.")
        request = ExplainRequest(
            folder=str(repository.root),
            commit=snapshot.commit_sha,
            file_path=file_path,
            line=line,
            column=column,
            name=name,
            project=project,
            workspace_id=snapshot.workspace_id or "",
        )
        return explain(request, self._control)

    def complexities(
        self, snapshot: Snapshot, file_paths: Collection[str], new_files: int
    ) -> Mapping[str, Mapping[tuple[int, int], MemberComplexity]]:
        return self._composition.complexity.of_files(snapshot.reader, file_paths, new_files, self.check_cancelled)

    def check_cancelled(self) -> None:
        if self._control.cancelled.is_set():
            raise CancelledError("The call was cancelled.")

    def tokens_saved(self, snapshot: Snapshot, answer_files: tuple[str, ...], answer_characters: int) -> int:
        from codemap_core.queries.token_estimate import tokens_saved

        return tokens_saved(snapshot, answer_files, answer_characters)

    def record_savings(self, tokens: int) -> None:
        self._composition.record_savings(tokens)

    @contextmanager
    def _taking_up(self, in_lookup: bool = False) -> Iterator[None]:
        """``in_lookup``: inside ``_looking_up``, which does not count this time."""
        start = time.perf_counter()
        try:
            yield
        finally:
            taken = time.perf_counter() - start
            self.refreshed_seconds += taken
            self.lookup_seconds -= taken if in_lookup else 0.0

    @contextmanager
    def _looking_up(self) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.lookup_seconds += time.perf_counter() - start
