"""Explains a line in a process of its own, as its stages take seconds and hold the interpreter. Nothing is published, so a child that is
told to stop ends at once."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.hooks.manager import load_plugins
from codemap_core.model import PlaceExplanation
from codemap_server.calls import CallControl
from codemap_server.child_process import ChildTask, read_request, run_child, serve_child

MOST_SECONDS: Final = 90.0
"""A repository of a million lines whose files are analysed takes some ten."""

_NO_MEMORY: Final = "There is not enough memory to explain this line. Close other programs and try again."


class ExplainRequest(Struct, frozen=True, kw_only=True):
    """``folder``: what to open the repository at; the others as ``pipeline.explain`` has them."""

    folder: str
    commit: str
    file_path: str
    line: int
    column: int = 0
    name: str = ""
    project: str = ""
    workspace_id: str = ""
    unsaved: dict[str, str] = {}


def explain(request: ExplainRequest, control: CallControl) -> Sequence[PlaceExplanation]:
    """Runs a child to the end. Raises: CancelledError when the client cancelled or it took too long; as ``explain_place``."""
    task = ChildTask(
        module="codemap_server.explain_process",
        cancelled="Explaining was cancelled.",
        failed="Explaining ended unexpectedly. The server's log has more; `codemap explain` in a shell shows the same.",
        seconds=MOST_SECONDS,
        too_long=(
            f"Explaining took longer than {MOST_SECONDS:.0f} seconds and was stopped. Build the index first with "
            "index.ensure_baseline, which leaves behind what explaining needs; `codemap explain` in a shell has no time limit."
        ),
    )
    return msgspec.convert(run_child(task, request, control), list[PlaceExplanation])


def main() -> int:
    """The child."""
    request = msgspec.json.decode(read_request(), type=ExplainRequest)
    return serve_child(lambda _, stopped: _explain_here(request, stopped), _NO_MEMORY)


def _explain_here(request: ExplainRequest, stopped: threading.Event) -> Any:
    from codemap_core.pipeline.explain import explain_place
    from codemap_core.repository import Repository

    threading.Thread(target=_end_when_told, args=(stopped,), daemon=True).start()
    found = explain_place(
        Repository.open(Path(request.folder)),
        load_plugins(),
        load_settings(),
        request.file_path,
        request.line,
        request.column,
        name=request.name,
        commit=request.commit,
        project=request.project,
        workspace_id=request.workspace_id,
        unsaved=request.unsaved,
    )
    return msgspec.to_builtins(found)


def _end_when_told(stopped: threading.Event) -> None:
    stopped.wait()
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
