"""Capabilities: what a tool may ask its server for beside the index that it answers from, each under a key that says its type.

    context.ask(WORKSPACES).of(arguments.repo_path).list()

A tool says what it needs where it needs it, so a server that offers more changes nothing for the tools that there are, and a context for
tests offers what those tests ask for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from codemap_core.hooks.contracts import MemberComplexity
from codemap_core.model import PlaceExplanation

if TYPE_CHECKING:
    from codemap_core.queries.indexes.baselines import Baselines
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.repository import BaselineReport, RepositoryStatus
    from codemap_core.queries.views.workspaces import (
        CreatedWorkspace,
        DeletedWorkspace,
        RefreshedOverlay,
        ResetWorkspace,
        WorkspaceList,
        WorkspaceSummary,
    )
    from codemap_core.repository import Repository

Offered = TypeVar("Offered")


class Capability(Generic[Offered]):
    """The key of one capability: equal to nothing but itself. ``title`` names it in messages."""

    def __init__(self, title: str) -> None:
        self.title: Final = title

    def __repr__(self) -> str:
        return f"Capability({self.title!r})"


class Repositories(Protocol):
    """Repositories on this machine. Empty ``repo_path``: the only one that this server knows."""

    def repository(self, repo_path: str = "") -> Repository:
        """Where the files of a repository are. Raises: InvalidArgumentError (none or several), NotFoundError."""
        ...

    def status(self, repo_path: str = "") -> RepositoryStatus:
        """What is checked out, and which indexes and workspaces there are. Raises: as ``repository``."""
        ...


class Indexes(Protocol):
    """Stored indexes."""

    def baselines(self, repo_path: str = "") -> Baselines:
        """The indexed commits of a repository. Raises: as ``Repositories.repository``."""
        ...


class Builds(Protocol):
    """Making indexes."""

    def ensure_baseline(self, repo_path: str = "", commit: str = "", solution: str = "") -> BaselineReport:
        """Builds the index if it does not exist; sends progress to the client; honours cancellation. Raises: as
        ``Repositories.repository``; CancelledError, StorageError."""
        ...


class WorkspaceActions(Protocol):
    """What can be done with the workspaces of a repository's working tree. Everything may raise InvalidArgumentError and StorageError."""

    def create(self, workspace_id: str, commit: str, solution: str) -> CreatedWorkspace:
        """Does nothing where there is one. Raises: IndexNotAvailableError."""
        ...

    def reset(self, workspace_id: str) -> ResetWorkspace:
        """Raises: NotFoundError, IndexNotAvailableError."""
        ...

    def delete(self, workspace_id: str) -> DeletedWorkspace: ...

    def list(self) -> WorkspaceList: ...

    def get(self, workspace_id: str) -> WorkspaceSummary:
        """Raises: NotFoundError."""
        ...

    def rebase(self, workspace_id: str, commit: str) -> WorkspaceSummary:
        """``commit``: empty for HEAD. Honours cancellation. Raises: NotFoundError, IndexNotAvailableError, CancelledError."""
        ...

    def refresh(self, workspace_id: str, file_paths: Sequence[str]) -> RefreshedOverlay:
        """``file_paths``: none for whatever has changed. Raises: as ``rebase``."""
        ...


class Workspaces(Protocol):
    """Workspaces of repositories."""

    def of(self, repo_path: str = "") -> WorkspaceActions:
        """Raises: as ``Repositories.repository``."""
        ...


class Explanations(Protocol):
    """Binding again, to tell why."""

    def explain(
        self, snapshot: Snapshot, file_path: str, line: int, column: int, name: str, project: str
    ) -> Sequence[PlaceExplanation]:
        """What the names of a line of the snapshot's commit are bound to, in each project that compiles the file or in ``project``: at
        ``column``, or wherever ``name`` stands, or all of them. Takes seconds; honours cancellation. Raises: InvalidArgumentError,
        NotFoundError for a place that is not there; CancelledError also when it takes too long."""
        ...


class Complexities(Protocol):
    """Measures of code that indexes do not hold."""

    def of_files(
        self, snapshot: Snapshot, file_paths: Collection[str], new_files: int
    ) -> Mapping[str, Mapping[tuple[int, int], MemberComplexity]]:
        """Of the members of some files of a snapshot, by path and by line and column of their names. Files whose language is not measured
        are left out, and so are those beyond the first ``new_files`` of which indexing has left no unit in the cache: analysing one
        takes tens of milliseconds. Honours cancellation."""
        ...


REPOSITORIES: Final = Capability[Repositories]("repositories")
INDEXES: Final = Capability[Indexes]("stored indexes")
BUILDS: Final = Capability[Builds]("builds of indexes")
WORKSPACES: Final = Capability[Workspaces]("workspaces")
EXPLANATIONS: Final = Capability[Explanations]("explanations of bindings")
COMPLEXITIES: Final = Capability[Complexities]("complexities")
