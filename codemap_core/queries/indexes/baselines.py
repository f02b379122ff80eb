"""The indexed commits of one repository, and removing those that are not needed (contract: ``index.list_baselines``, ``index.cleanup``,
``index.remove_repo``).

A commit counts once, with the indexes of all parts of it that were indexed. Nothing is removed in a dry run, nor what a build uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct

from codemap_core.config import Settings
from codemap_core.errors import NotFoundError
from codemap_core.model.counting import size_in_words
from codemap_core.queries.indexes.workspaces import Workspaces
from codemap_core.repository import Repository
from codemap_core.storage.data_directory import IndexFile, Reason, Removal, index_files, remove
from codemap_core.storage.files.beside import size_on_disk


class BaselineInfo(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One indexed commit. ``created_at``: of its newest index, ISO 8601, UTC; ``size_bytes``: of all its indexes."""

    commit_sha: str
    created_at: str
    size_bytes: int
    is_current_head: bool = False
    is_active_workspace_base: bool = False
    parts: tuple[str, ...] = ()
    """What is indexed of it, where that is not the whole."""

    def __str__(self) -> str:
        marks = [
            name
            for name, is_so in (("HEAD", self.is_current_head), ("base of a workspace", self.is_active_workspace_base))
            if is_so
        ]
        said = [size_in_words(self.size_bytes), self.created_at, *marks, *(f"only {part}" for part in self.parts)]
        return f"{self.commit_sha[:12]}  {', '.join(said)}"


class BaselineList(Struct, frozen=True, kw_only=True):
    """Newest first. ``current_head`` is null before the first commit."""

    repo_id: str
    current_head: str | None
    baselines: tuple[BaselineInfo, ...]
    total_size_bytes: int

    def lines(self) -> Iterator[str]:
        yield from map(str, self.baselines)


class Cleanup(Struct, frozen=True, kw_only=True):
    """What was removed; in a dry run, what would be."""

    baselines_removed: int
    bytes_reclaimed: int
    removed_commits: tuple[str, ...]
    kept_commits: tuple[str, ...]
    dry_run: bool

    def lines(self) -> Iterator[str]:
        for title, commits in (
            ("removed" if not self.dry_run else "would be removed", self.removed_commits),
            ("kept", self.kept_commits),
        ):
            if commits:
                yield f"{title}: {_short(commits)}"


class RemovedRepository(Struct, frozen=True, kw_only=True):
    """Everything of a repository that was removed, the edits of its workspaces included; in a dry run, what would be."""

    repo_id: str
    baselines_removed: int
    workspaces_removed: int
    bytes_freed: int
    removed_commits: tuple[str, ...]
    dry_run: bool

    def lines(self) -> Iterator[str]:
        if self.removed_commits:
            yield f"{'would be removed' if self.dry_run else 'removed'}: {_short(self.removed_commits)}"


def _short(commits: Sequence[str]) -> str:
    return ", ".join(commit[:12] for commit in commits)


class Baselines:
    """Those of a repository, as they are when it is made."""

    def __init__(self, settings: Settings, repository: Repository) -> None:
        self._settings: Final = settings
        self._repo_id: Final = repository.repo_id
        self._head: Final = _head_of(repository)
        folder = settings.baseline_file(repository.repo_id, "0").parent
        self._files: Final = [each for each in index_files(settings) if each.path.parent == folder]
        self._bases: Final = {each.info.commit_sha for each in Workspaces(settings, repository).list()}

    def listed(self) -> BaselineList:
        found = tuple(self._info(commit) for commit in self._commits())
        return BaselineList(
            repo_id=self._repo_id,
            current_head=self._head or None,
            baselines=found,
            total_size_bytes=sum(each.size_bytes for each in found),
        )

    def cleanup(self, keep_count: int, older_than_days: int | None, *, dry_run: bool) -> Cleanup:
        """Removes commits that are not HEAD, not the base of a workspace, not among the ``keep_count`` newest, and made before
        ``older_than_days`` where that is given. Raises: StorageError."""
        commits = self._commits()
        before = None if older_than_days is None else datetime.now(UTC) - timedelta(days=older_than_days)
        candidates = [
            commit
            for commit in commits[keep_count:]
            if commit != self._head
            and commit not in self._bases
            and (before is None or self._newest(commit).made_at < before)
        ]
        gone, freed = self._remove([each for each in self._files if each.commit_sha in candidates], dry_run=dry_run)
        removed = tuple(commit for commit in candidates if commit in gone)
        return Cleanup(
            baselines_removed=len(removed),
            bytes_reclaimed=freed,
            removed_commits=removed,
            kept_commits=tuple(commit for commit in commits if commit not in gone),
            dry_run=dry_run,
        )

    def remove_repository(self, *, dry_run: bool) -> RemovedRepository:
        """Removes every index of the repository and its workspaces, whatever they are used for. Raises: StorageError."""
        overlays = sorted(self._settings.overlay_file(self._repo_id, "x").parent.glob("*.db"))
        gone, freed = self._remove(self._files, dry_run=dry_run)
        removals = [Removal(path, size_on_disk(path), Reason.UNWANTED) for path in overlays]
        removed = removals if dry_run else remove(removals)
        return RemovedRepository(
            repo_id=self._repo_id,
            baselines_removed=len(gone),
            workspaces_removed=len(removed),
            bytes_freed=freed + sum(each.size for each in removed),
            removed_commits=tuple(commit for commit in self._commits() if commit in gone),
            dry_run=dry_run,
        )

    def _commits(self) -> list[str]:
        """Newest index first."""
        ordered = sorted(self._files, key=lambda each: (-each.made_at.timestamp(), each.commit_sha))
        return list(dict.fromkeys(each.commit_sha for each in ordered))

    def _newest(self, commit: str) -> IndexFile:
        return max((each for each in self._files if each.commit_sha == commit), key=lambda each: each.made_at)

    def _info(self, commit: str) -> BaselineInfo:
        files = [each for each in self._files if each.commit_sha == commit]
        labels = [each.scope.label for each in files if each.scope is not None]
        return BaselineInfo(
            commit_sha=commit,
            created_at=self._newest(commit).made_at.isoformat(timespec="seconds"),
            size_bytes=sum(each.size for each in files),
            is_current_head=commit == self._head,
            is_active_workspace_base=commit in self._bases,
            parts=() if "" in labels else tuple(labels),
        )

    def _remove(self, files: Sequence[IndexFile], *, dry_run: bool) -> tuple[frozenset[str], int]:
        """The commits of which nothing is left, and the bytes that were freed."""
        removals = [Removal(each.path, each.size, Reason.UNWANTED) for each in files if not each.in_use]
        removed = tuple(removals) if dry_run else remove(removals)
        gone = {each.path for each in removed}
        left = {each.commit_sha for each in files if each.path not in gone}
        return frozenset(each.commit_sha for each in files) - left, sum(each.size for each in removed)


def _head_of(repository: Repository) -> str:
    """The commit that is checked out; empty before the first one."""
    try:
        return repository.head_commit()
    except NotFoundError:
        return ""
