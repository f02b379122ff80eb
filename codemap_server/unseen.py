"""Where what a question has not found may be: in another HEAD, or in files that the index asked does not show as they are on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap_server import notes
from codemap_server.notes import Note

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.working_copy import WorkingCopy
    from codemap_core.repository import Repository


def unseen(snapshot: Snapshot, working_copy: WorkingCopy, repository: Repository, head: str) -> list[Note]:
    """``head``: the full id of HEAD. Asks git."""
    if snapshot.workspace_id is None and head != snapshot.commit_sha:
        return [notes.of_another_head(head, snapshot.commit_sha)]
    changed = repository.changed_files()
    if snapshot.workspace_id is not None:
        changed = _not_taken_up(snapshot, working_copy, repository, changed)
    return [notes.of_uncommitted(changed)] if changed else []


def _not_taken_up(
    snapshot: Snapshot, working_copy: WorkingCopy, repository: Repository, changed: tuple[str, ...]
) -> tuple[str, ...]:
    """Those of the changed files that a workspace does not show as they are on disk."""
    changed = tuple(path for path in changed if path not in snapshot.unsaved)
    known = snapshot.reader.contents.of(changed)
    new = {path for path in changed if path not in known and (repository.root / path).is_file()}
    differing = working_copy.differing(snapshot, changed)
    return tuple(path for path in changed if path in new or path in differing)
