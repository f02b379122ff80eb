"""The file of a workspace that is made again while somebody reads it."""

from __future__ import annotations

import threading
from pathlib import Path

from codemap_core.storage.lock import build_lock
from codemap_core.storage.workspace_file import WorkspaceHead, edited_workspace, new_workspace, open_workspace

_PATIENCE = 20.0
"""Seconds; less than what a writer waits for another one."""


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
