"""Builds an index in a process of its own. Parent and child are both here; ``child_process`` says how they talk."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from codemap_core.config import load_settings
from codemap_core.hooks.manager import load_plugins
from codemap_server.calls import CallControl
from codemap_server.child_process import ChildTask, Send, run_child, serve_child

if TYPE_CHECKING:
    from codemap_core.pipeline import BaselineResult
    from codemap_core.storage.examine import IndexInfo

_NO_MEMORY: Final = (
    "There is not enough memory to index this commit; nothing was changed. Close other programs and try again, or run "
    "'codemap index --jobs 1' in a shell."
)


class BuildRequest(Struct, frozen=True):
    """``folder``: what to open the repository at. ``solution``: path relative to the git root, or empty."""

    folder: str
    commit: str = ""
    solution: str = ""


def index_stats(info: IndexInfo) -> dict[str, Any]:
    """Size and quality of an index, as the contract's ``IndexStats`` has them."""
    projects = [msgspec.to_builtins(each) for each in info.project_diagnostics if not each.compiled or each.errors]
    return {
        "project_count": info.project_count,
        "file_count": info.file_count,
        "symbol_count": info.symbol_count,
        "reference_count": info.reference_count,
        "semantic_level": info.semantic_level.value,
        "project_diagnostics": projects[:20] or None,
    }


def built(result: BaselineResult) -> dict[str, Any]:
    """What ``index.ensure_baseline`` answers (contract 6.2). ``project_diagnostics`` names projects with problems."""
    answer: dict[str, Any] = {"commit_sha": result.info.commit_sha, "already_existed": result.already_existed}
    if not result.already_existed:
        answer["stats"] = index_stats(result.info) | {
            "elapsed_seconds": round(result.elapsed_seconds, 3),
            "confidence": "high" if result.info.semantic_level == "full" else "medium",
            "analysed_files": result.analysed_files,
            "cached_files": result.cached_files,
            "replaced": result.replaced or None,
        }
    return answer | {"from_cache": False}


def build(request: BuildRequest, control: CallControl) -> Mapping[str, Any]:
    """Runs a child to the end. Raises: CancelledError, and what ``pipeline.ensure_baseline`` raises."""
    task = ChildTask(
        module="codemap_server.build_process",
        cancelled="Indexing was cancelled; nothing was changed.",
        failed="Indexing ended unexpectedly. The server's log has more; `codemap index` in a shell shows the same.",
    )
    return msgspec.convert(run_child(task, msgspec.json.encode(request).decode(), control), dict[str, Any])


def main(argument: str) -> int:
    """The child."""
    request = msgspec.json.decode(argument, type=BuildRequest)
    return serve_child(lambda send, stopped: _build_here(request, send, stopped), _NO_MEMORY)


def _build_here(request: BuildRequest, send: Send, stopped: threading.Event) -> dict[str, Any]:
    from codemap_core.pipeline import ensure_baseline
    from codemap_core.workspace import Repository

    result = ensure_baseline(
        Repository.open(Path(request.folder)),
        load_plugins(),
        load_settings(),
        commit=request.commit,
        solution=request.solution,
        progress=lambda stage, done, total: send({"progress": [stage, done, total]}),
        cancelled=stopped.is_set,
    )
    return built(result)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
