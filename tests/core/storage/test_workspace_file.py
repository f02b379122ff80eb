"""The file of a workspace that is changed or made again while somebody reads it."""

from __future__ import annotations

import threading
from pathlib import Path

from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.workspace_file import (
    WorkspaceHead,
    edited_workspace,
    new_workspace,
    open_unsaved,
    open_workspace,
)

_PATIENCE = 20.0
"""Seconds; less than what a writer waits for another one."""
_MOMENT = 0.1
"""Seconds; far more than a refresh takes that need not wait."""


def make(path: Path, baseline: Path, revision: int) -> None:
    head = WorkspaceHead(workspace_id="one", root=str(path.parent), follows=False, revision=revision)
    with build_lock(path) as lock, new_workspace(lock, baseline, head):
        pass


def test_a_workspace_that_is_read_is_made_again_at_once(tmp_path: Path, sample_path: Path) -> None:
    """A server keeps what it has read open, and a commit has the workspace made again: neither waits for the other."""
    path = tmp_path / "one.db"
    make(path, sample_path, 1)
    index, state = open_workspace(path)
    with index:
        with edited_workspace(path) as edit:
            edit.publish(edit.state.info, (), changed=0, symbols_updated=0)
        maker = threading.Thread(target=make, args=(path, sample_path, 3), daemon=True)
        maker.start()
        maker.join(_PATIENCE)
        assert not maker.is_alive()
        assert state.revision == 1
        assert list(index.file_paths())
    again, state = open_workspace(path)
    with again:
        assert state.revision == 3


def test_a_question_keeps_the_revision_that_it_began_with(tmp_path: Path, sample_path: Path) -> None:
    path = tmp_path / "one.db"
    make(path, sample_path, 0)
    index, _ = open_workspace(path)
    with index:
        before = list(index.file_paths())
        remove(path, before[0])
        assert list(index.file_paths()) == before
    index, _ = open_workspace(path)
    with index:
        assert list(index.file_paths()) == before[1:]


def test_a_refresh_waits_for_a_question_with_unsaved_files(tmp_path: Path, sample_path: Path) -> None:
    path = tmp_path / "one.db"
    make(path, sample_path, 0)
    asked = open_unsaved(path, 0, lambda _, info: info)
    assert asked is not None
    index, _ = asked
    with index:
        refresh = threading.Thread(target=remove, args=(path, next(iter(index.file_paths()))), daemon=True)
        refresh.start()
        refresh.join(_MOMENT)
        assert refresh.is_alive()
    refresh.join(_PATIENCE)
    assert not refresh.is_alive()


def remove(path: Path, file_path: str) -> None:
    with edited_workspace(path) as edit:
        edit.editor.remove(file_path)
        edit.publish(edit.editor.finish(edit.state.info), (), changed=1, symbols_updated=0)
