"""The capabilities that this server offers to tools, each made for one call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from msgspec import structs

from codemap_core.config import IndexScope
from codemap_core.errors import CodeMapError, IndexNotAvailableError, NotFoundError
from codemap_core.hooks.capabilities import (
    BUILDS,
    COMPLEXITIES,
    EXPLANATIONS,
    INDEXES,
    REPOSITORIES,
    WORKSPACES,
    Capability,
)
from codemap_core.hooks.contracts import MemberComplexity
from codemap_core.model import PlaceExplanation
from codemap_server.call_times import CallTimes
from codemap_server.calls import CallControl

if TYPE_CHECKING:
    from codemap_core.hooks.capabilities import WorkspaceActions
    from codemap_core.queries.indexes.baselines import Baselines
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.repository import BaselineReport, IndexStatus, RepositoryStatus, StoredIndexStatus
    from codemap_core.repository import Repository
    from codemap_server.composition import Composition


class CallRepositories:
    """Implements ``Repositories``."""

    def __init__(self, composition: Composition, times: CallTimes) -> None:
        self._composition: Final = composition
        self._times: Final = times
        self.asked: Repository | None = None
        """The one that the call asks about."""

    def repository(self, repo_path: str = "") -> Repository:
        with self._times.looking_up():
            return self.opened(repo_path)

    def opened(self, repo_path: str) -> Repository:
        """As ``repository``, for who measures the time himself."""
        self.asked = self._composition.repository(repo_path)
        return self.asked

    def status(self, repo_path: str = "") -> RepositoryStatus:
        from codemap_core.queries.indexes.which_index import indexed_commits
        from codemap_core.queries.indexes.workspaces import Workspaces
        from codemap_core.queries.views.repository import RepositoryStatus
        from codemap_core.queries.views.workspaces import WorkspaceSummary

        settings = self._composition.settings
        with self._times.looking_up():
            repository = self._composition.repository(repo_path)
            commit = repository.head_commit()
        workspaces = Workspaces(settings, repository).list()
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
            indexed_commits=tuple(indexed_commits(settings, repository)[:10]),
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


class CallIndexes:
    """Implements ``Indexes``."""

    def __init__(self, composition: Composition, repositories: CallRepositories) -> None:
        self._composition: Final = composition
        self._repositories: Final = repositories

    def baselines(self, repo_path: str = "") -> Baselines:
        from codemap_core.queries.indexes.baselines import Baselines

        return Baselines(self._composition.settings, self._repositories.repository(repo_path).whole())


class CallBuilds:
    """Implements ``Builds``."""

    def __init__(self, composition: Composition, times: CallTimes, control: CallControl) -> None:
        self._composition: Final = composition
        self._times: Final = times
        self._control: Final = control

    def ensure_baseline(self, repo_path: str = "", commit: str = "", solution: str = "") -> BaselineReport:
        from codemap_core.queries.views.repository import BaselineReport
        from codemap_server.build_process import solution_inside

        with self._times.looking_up():
            repository = self._composition.repository(repo_path)
            sha = self._composition.resolve_commit(repository, commit)
            solution = solution_inside(repository, solution)
            whole_is_current = not solution and self._composition.is_current(repository.whole(), sha, "")
            if whole_is_current or self._composition.is_current(repository, sha, solution):
                part = "" if whole_is_current else IndexScope(repository.subtree, solution).label
                return BaselineReport(commit_sha=sha, already_existed=True, part=part)
        with self._times.building():
            return self._composition.builds.build(repository, sha, solution, self._control)


class CallWorkspaces:
    """Implements ``Workspaces``."""

    def __init__(self, composition: Composition, times: CallTimes, control: CallControl) -> None:
        self._composition: Final = composition
        self._times: Final = times
        self._control: Final = control

    def of(self, repo_path: str = "") -> WorkspaceActions:
        from codemap_server.workspace_actions import ServerWorkspaces

        composition = self._composition
        with self._times.looking_up():
            repository = composition.repository(repo_path).whole()

        def resolve(commit: str) -> str:
            return composition.resolve_commit(repository, commit)

        return ServerWorkspaces(
            composition.settings, repository, resolve, composition.index_process, self._control, self._times.taking_up
        )


class CallExplanations:
    """Implements ``Explanations``: in a process of its own."""

    def __init__(self, composition: Composition, control: CallControl) -> None:
        self._composition: Final = composition
        self._control: Final = control

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
            unsaved=dict(snapshot.unsaved),
        )
        return explain(request, self._control)


class CallComplexities:
    """Implements ``Complexities``."""

    def __init__(self, composition: Composition, control: CallControl) -> None:
        self._composition: Final = composition
        self._control: Final = control

    def of_files(
        self, snapshot: Snapshot, file_paths: Collection[str], new_files: int
    ) -> Mapping[str, Mapping[tuple[int, int], MemberComplexity]]:
        measures = self._composition.complexity
        return measures.of_files(snapshot.reader, file_paths, new_files, self._control.check_cancelled)


def offered(
    composition: Composition, repositories: CallRepositories, times: CallTimes, control: CallControl
) -> Mapping[Capability[Any], Any]:
    """What a tool gets for each key that it may ask for."""
    return {
        REPOSITORIES: repositories,
        INDEXES: CallIndexes(composition, repositories),
        BUILDS: CallBuilds(composition, times, control),
        WORKSPACES: CallWorkspaces(composition, times, control),
        EXPLANATIONS: CallExplanations(composition, control),
        COMPLEXITIES: CallComplexities(composition, control),
    }
