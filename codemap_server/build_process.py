"""Builds an index in a process of its own. Parent and child are both here; ``child_process`` says how they talk."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct, structs

from codemap_core.config import IndexScope, load_settings
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.manager import load_plugins
from codemap_core.model import Confidence, SemanticLevel
from codemap_server.calls import CallControl
from codemap_server.child_process import ChildTask, Send, read_request, run_child, serve_child

if TYPE_CHECKING:
    from codemap_core.pipeline import BaselineResult
    from codemap_core.queries.views.repository import BaselineReport
    from codemap_core.repository import Repository

_NO_MEMORY: Final = (
    "There is not enough memory to index this commit; nothing was changed. Close other programs and try again, or run "
    "'codemap index --jobs 1' in a shell."
)


class BuildRequest(Struct, frozen=True):
    """``folder``: what to open the repository at. ``solution``: path relative to the git root, or empty."""

    folder: str
    commit: str = ""
    solution: str = ""


def built(result: BaselineResult) -> BaselineReport:
    """The answer of ``index.ensure_baseline``."""
    from codemap_core.queries.views.repository import BaselineReport, IndexSize, IndexStats

    info = result.info
    part = IndexScope(info.subtree, info.solution).label
    if result.already_existed:
        return BaselineReport(
            commit_sha=info.commit_sha,
            already_existed=True,
            from_cache=result.from_cache,
            cache_problem=result.cache_problem or None,
            part=part,
        )
    stats = IndexStats(
        **structs.asdict(IndexSize.of(info)),
        elapsed_seconds=round(result.elapsed_seconds, 3),
        confidence=Confidence.HIGH if info.semantic_level is SemanticLevel.FULL else Confidence.MEDIUM,
        analysed_files=result.analysed_files,
        cached_files=result.cached_files,
        bound_files=result.bound_files,
        replaced=result.replaced or None,
    )
    return BaselineReport(
        commit_sha=info.commit_sha,
        already_existed=False,
        stats=stats,
        cache_problem=result.cache_problem or None,
        part=part,
    )


def build(request: BuildRequest, control: CallControl) -> BaselineReport:
    """Runs a child to the end. Raises: CancelledError, and what ``pipeline.ensure_baseline`` raises."""
    from codemap_core.queries.views.repository import BaselineReport

    task = ChildTask(
        module="codemap_server.build_process",
        cancelled="Indexing was cancelled; nothing was changed.",
        failed="Indexing ended unexpectedly. The server's log has more; `codemap index` in a shell shows the same.",
    )
    return msgspec.convert(run_child(task, request, control), BaselineReport)


def solution_inside(repository: Repository, solution: str) -> str:
    """A solution's path as a client wrote it, relative to the git root. Raises: InvalidArgumentError."""
    if not solution.strip():
        return ""
    path = Path(solution.strip().replace("\\", "/"))
    if path.is_absolute():
        try:
            path = path.resolve().relative_to(repository.root.resolve())
        except ValueError as error:
            raise InvalidArgumentError(
                f"{solution} is not in the repository {repository.root}. Give a path relative to its root."
            ) from error
    if ".." in path.parts:
        raise InvalidArgumentError(f"{solution} leaves the repository. Give a path relative to its root.")
    return path.as_posix()


def main() -> int:
    """The child."""
    request = msgspec.json.decode(read_request(), type=BuildRequest)
    return serve_child(lambda send, stopped: _build_here(request, send, stopped), _NO_MEMORY)


def _build_here(request: BuildRequest, send: Send, stopped: threading.Event) -> dict[str, Any]:
    from codemap_core.pipeline import ensure_baseline
    from codemap_core.repository import Repository

    result = ensure_baseline(
        Repository.open(Path(request.folder)),
        load_plugins(),
        load_settings(),
        commit=request.commit,
        solution=request.solution,
        progress=lambda stage, done, total: send({"progress": [stage, done, total]}),
        cancelled=stopped.is_set,
    )
    return msgspec.convert(msgspec.to_builtins(built(result)), dict[str, Any])


if __name__ == "__main__":
    sys.exit(main())
