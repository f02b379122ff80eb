"""Refreshes a workspace in a process of its own. Parent and child are both here; ``child_process`` says how they talk."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.hooks.manager import load_plugins
from codemap_server.calls import CallControl
from codemap_server.child_process import ChildTask, Send, run_child, serve_child

if TYPE_CHECKING:
    from codemap_core.pipeline.refresh import Refreshed

_NO_MEMORY: Final = (
    "There is not enough memory to refresh this workspace; it is as it was before. Close other programs and try again."
)


class RefreshRequest(Struct, frozen=True):
    """``root``: of the working tree. ``commit``: where to move the workspace; empty for a refresh. ``file_paths``: null for all edits."""

    root: str
    workspace_id: str
    commit: str = ""
    file_paths: tuple[str, ...] | None = None


def run_refresh(request: RefreshRequest, control: CallControl) -> Refreshed:
    """Runs a child to the end. Raises: CancelledError, and what ``pipeline.refresh`` raises."""
    from codemap_core.pipeline.refresh import Refreshed

    task = ChildTask(
        module="codemap_server.refresh_process",
        cancelled="The refresh was cancelled; the workspace is as it was before.",
        failed="The refresh ended unexpectedly; the workspace is as it was before. The server's log has more.",
    )
    return msgspec.convert(run_child(task, msgspec.json.encode(request).decode(), control), Refreshed)


def main(argument: str) -> int:
    """The child."""
    request = msgspec.json.decode(argument, type=RefreshRequest)
    return serve_child(lambda send, stopped: _refresh_here(request, send, stopped), _NO_MEMORY)


def _refresh_here(request: RefreshRequest, send: Send, stopped: threading.Event) -> dict[str, Any]:
    from codemap_core.pipeline.refresh import Refresher
    from codemap_core.repository import Repository

    refresher = Refresher(
        Repository.open(Path(request.root)),
        load_plugins(),
        load_settings(),
        progress=lambda stage, done, total: send({"progress": [stage, done, total]}),
        cancelled=stopped.is_set,
    )
    if request.commit:
        done = refresher.rebase(request.workspace_id, request.commit)
    else:
        done = refresher.refresh(request.workspace_id, request.file_paths)
    return msgspec.convert(msgspec.to_builtins(done), dict[str, Any])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
