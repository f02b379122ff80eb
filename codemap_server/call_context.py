"""The context of one call: the state that it asks about, what else it may ask for, and what has to be said beside its answer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from codemap_core.config import BudgetLimits
from codemap_core.errors import IndexNotAvailableError, NotFoundError, StorageError
from codemap_core.hooks.capabilities import Capability, Offered
from codemap_core.model import FactSources
from codemap_core.toolkit.arguments import SnapshotArguments, open_snapshot
from codemap_server import notes
from codemap_server.call_times import CallTimes
from codemap_server.calls import CallControl
from codemap_server.capabilities import CallRepositories, offered
from codemap_server.notes import Note
from codemap_server.unseen import unseen

if TYPE_CHECKING:
    from codemap_core.hooks.tool import ToolResult
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.repository import Repository
    from codemap_server.composition import Composition


class ServerCallContext:
    """Implements ``ToolContext``, and what calls need beside it."""

    def __init__(self, composition: Composition, control: CallControl) -> None:
        self._composition: Final = composition
        self._control: Final = control
        self.follows_working_tree: Final = composition.live
        self.times: Final = CallTimes()
        self._repositories: Final = CallRepositories(composition, self.times)
        self._offered: Final[Mapping[Capability[Any], Any]] = offered(
            composition, self._repositories, self.times, control
        )
        self._live_notes: tuple[Note, ...] = ()
        self._working_tree: Snapshot | None = None
        """What shows the files as they were on disk when this call came."""
        self._held: Snapshot | None = None
        """What this call asks, where it was opened before its tool ran."""
        self._unsaved: Snapshot | None = None
        """What shows virtual files, while the call lasts."""

    @property
    def budgets(self) -> BudgetLimits:
        return self._composition.settings.budgets

    @property
    def cached_results(self) -> int:
        return self._composition.settings.cached_results

    @property
    def fact_sources(self) -> FactSources:
        return self._composition.host.fact_sources

    def close(self) -> None:
        """Ends what lasts for the call alone."""
        if self._unsaved is not None:
            self._unsaved.close()
            self._unsaved = None

    def root(self, repo_path: str) -> Path:
        return self._repositories.opened(repo_path).root

    def hold(self, arguments: SnapshotArguments) -> Snapshot:
        self._held = open_snapshot(self, arguments)
        return self._held

    def snapshot(
        self,
        repo_path: str = "",
        commit: str = "",
        workspace_id: str = "",
        committed: bool = False,
        unsaved: Mapping[str, str] | None = None,
    ) -> Snapshot:
        if self._held is not None:
            return self._held
        with self.times.looking_up():
            repository = self._repositories.opened(repo_path)
            if workspace_id and unsaved:
                self.close()
                with self.times.taking_up(in_lookup=True):
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
        with self.times.looking_up():
            return self._composition.snapshot(repository, sha)

    def _of_working_tree(self, repository: Repository) -> Snapshot | None:
        """The working tree as it is; null where there is no index that it could be compared with."""
        try:
            found = self._composition.working_tree(repository).snapshot(self._control)
        except IndexNotAvailableError:
            return None
        self._live_notes = found.notes
        self.times.was_taken_up(found.waited)
        snapshot: Snapshot = found.snapshot
        self._working_tree = None if found.notes else snapshot
        return snapshot

    def _index_first(self, repository: Repository, commit: str) -> None:
        def is_there() -> bool:
            return self._composition.is_current(repository.whole(), commit, "")

        with self.times.building():
            self._composition.builds.ensure(repository, commit, is_there, self._control)

    def ask(self, capability: Capability[Offered]) -> Offered:
        if capability not in self._offered:
            raise NotFoundError(
                f"This server does not offer {capability.title}, which the tool needs. Install a newer release of CodeMap."
            )
        found: Offered = self._offered[capability]
        return found

    def notes(self, result: ToolResult, file_paths: tuple[str, ...]) -> tuple[Note, ...]:
        snapshot: Snapshot = result.snapshot
        found = []
        if not snapshot.scope.is_whole:
            found.append(notes.of_part(snapshot.scope.label))
        if self.times.built is not None:
            found.append(notes.of_build(snapshot.commit_sha, self.times.built))
        repository = self._repositories.asked or self._composition.repository_of(snapshot)
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

    def check_cancelled(self) -> None:
        self._control.check_cancelled()

    def tokens_saved(self, snapshot: Snapshot, answer_files: tuple[str, ...], answer_characters: int) -> int:
        from codemap_core.queries.token_estimate import tokens_saved

        return tokens_saved(snapshot, answer_files, answer_characters)

    def record_savings(self, tokens: int) -> None:
        self._composition.record_savings(tokens)
