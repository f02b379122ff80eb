"""What an answer does not show of the files on disk: edits of the files that it is about, and where what was not found may be: in another
HEAD, or in files that the index asked does not show as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from codemap_server import notes
from codemap_server.notes import Note

if TYPE_CHECKING:
    from codemap_core.hooks.tool import ToolResult
    from codemap_core.queries.indexes.working_copy import WorkingCopy
    from codemap_core.queries.snapshot import Snapshot
    from codemap_server.checked_out import CheckedOutFiles


def unseen(
    result: ToolResult,
    file_paths: Iterable[str],
    files: CheckedOutFiles,
    head: Callable[[], str],
    *,
    shows_working_tree: bool,
) -> list[Note]:
    """``file_paths``: what the answer is about. ``head``: finds the full id of HEAD. Git is asked only where nothing was found, or where
    every file has a part in the answer, and the index does not follow the working tree."""
    snapshot: Snapshot = result.snapshot
    if result.older is not None and snapshot.workspace is None and head() != snapshot.commit_sha:
        return []  # of two commits that were named; what is on disk is another one's
    differing = files.working_copy.differing(snapshot, (path for path in file_paths if path not in snapshot.unsaved))
    if differing:
        return [notes.of_edits(differing)]
    found_nothing = result.page is not None and result.page.total == 0
    if shows_working_tree or not (found_nothing or result.draws_on_every_file):
        return []
    if snapshot.workspace_id is None and head() != snapshot.commit_sha:
        return [notes.of_another_head(head(), snapshot.commit_sha)]
    changed = files.uncommitted()
    if snapshot.workspace_id is not None:
        changed = _not_taken_up(snapshot, files.working_copy, changed)
    return [notes.of_uncommitted(changed)] if changed else []


def _not_taken_up(snapshot: Snapshot, working_copy: WorkingCopy, changed: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the changed files that a workspace does not show as they are on disk."""
    changed = tuple(path for path in changed if path not in snapshot.unsaved)
    known = snapshot.reader.contents.of(changed)
    new = {path for path in changed if path not in known and (working_copy.repository.root / path).is_file()}
    differing = working_copy.differing(snapshot, changed)
    return tuple(path for path in changed if path in new or path in differing)
