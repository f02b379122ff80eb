"""Which index answers for a commit: the one of the whole commit when there is one, whatever folder is asked about; else one of a part
of it that has something to do with that folder, and then the answer says which part it is of.

An index of a folder does not answer for a folder beside it. Nothing here looks at how an index was made: an old one answers until it is
built again.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from codemap_core.config import WHOLE_COMMIT, IndexScope, Settings
from codemap_core.repository import Repository
from codemap_core.storage.files.examine import Examination, examine_baseline


class StoredIndex(Struct, frozen=True):
    """An index file of a commit."""

    path: Path
    commit_sha: str
    scope: IndexScope


def choose_index(settings: Settings, repository: Repository, commit: str) -> StoredIndex | None:
    """The index of a full commit id that answers for the folder which the repository was opened at: of the whole commit; else of the
    largest indexed folder that holds it, or of the folder itself; else of a solution; else, of the folders in it that are indexed, the
    one indexed last."""
    whole = settings.baseline_file(repository.repo_id, commit)
    if whole.is_file():
        return StoredIndex(whole, commit, WHOLE_COMMIT)
    ranked = [(_rank(each, repository.subtree), each) for each in stored_indexes(settings, repository, commit)]
    fitting = [(rank, each) for rank, each in ranked if rank is not None]
    return min(fitting, key=lambda pair: pair[0])[1] if fitting else None


def stored_indexes(settings: Settings, repository: Repository, commit: str) -> tuple[StoredIndex, ...]:
    """Every index of a full commit id whose scope can be read, that of the whole commit first."""
    whole = settings.baseline_file(repository.repo_id, commit)
    found = [StoredIndex(whole, commit, WHOLE_COMMIT)] if whole.is_file() else []
    for path in sorted(whole.parent.glob(f"{commit}-*.db")):
        info = _examined(path).info
        if info is not None:
            found.append(StoredIndex(path, commit, IndexScope(info.subtree, info.solution)))
    return tuple(found)


def indexed_commits(settings: Settings, repository: Repository) -> tuple[str, ...]:
    """Full ids of the commits that have an index of any scope, newest index first."""
    folder = settings.baseline_file(repository.repo_id, "0").parent
    files = sorted(folder.glob("*.db"), key=lambda path: -path.stat().st_mtime_ns)
    return tuple(dict.fromkeys(path.stem.partition("-")[0] for path in files))


def nearest_indexed(settings: Settings, repository: Repository, commit: str) -> tuple[str, int] | None:
    """(commit, distance) of the nearest ancestor of ``commit`` with an index of the whole commit, among the last thousand."""
    known = {
        each
        for each in indexed_commits(settings, repository)
        if settings.baseline_file(repository.repo_id, each).is_file()
    }
    if not known:
        return None
    ancestors = enumerate(repository.ancestors(commit, 1_000))
    return next(((each, distance) for distance, each in ancestors if distance and each in known), None)


def _rank(index: StoredIndex, folder: str) -> tuple[int, int, str] | None:
    """The less, the better it answers for ``folder``; null where it cannot."""
    scope = index.scope
    if _holds(scope.subtree, folder):
        return (2 if scope.solution else 1, len(scope.subtree), scope.digest)
    if _holds(folder, scope.subtree):
        return (3, -index.path.stat().st_mtime_ns, scope.digest)
    return None


def _holds(folder: str, other: str) -> bool:
    return not folder or other == folder or other.startswith(f"{folder}/")


def _examined(path: Path) -> Examination:
    status = path.stat()
    return _examined_once(path, (status.st_ino, status.st_size, status.st_mtime_ns))


@lru_cache(maxsize=256)
def _examined_once(path: Path, identity: tuple[int, int, int]) -> Examination:
    return examine_baseline(path)
