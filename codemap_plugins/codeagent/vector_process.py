"""The process that makes the vectors of an index: it takes seconds of computing and hundreds of megabytes, which a server shall not keep.

    python -P -m codemap_plugins.codeagent.vector_process INDEX [--workspace [BASELINE]]

It ends when its standard input closes, so that nothing runs on when the server is killed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codemap_plugins.codeagent.failures import EngineUnavailableError

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_plugins.codeagent.similarity import Similarity

_POLL: Final = 0.05
"""Seconds between two looks at whether the call was cancelled."""
_WORKSPACE: Final = "--workspace"
_EXPLAINED: Final = 3
"""The exit code of a child that has said why on its standard output."""


def make_vectors(snapshot: Snapshot, committed: Snapshot | None, check: Callable[[], None]) -> None:
    """Makes the vectors of a snapshot, as ``Similarity.build`` does, in a child process. ``check`` raises to stop it; what it raises passes
    through. Raises: EngineUnavailableError."""
    options = [_WORKSPACE] if snapshot.workspace_id else []
    if snapshot.workspace_id and committed is not None:
        options.append(str(committed.reader.path.absolute()))
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, str(snapshot.reader.path.absolute()), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    with child:
        try:
            while child.poll() is None:
                check()
                with suppress(subprocess.TimeoutExpired):
                    child.wait(_POLL)
        except BaseException:
            child.kill()
            raise
        said = child.stdout.read().decode("utf-8", "replace").strip() if child.stdout is not None else ""
    if child.returncode == _EXPLAINED:
        raise EngineUnavailableError(said)
    if child.returncode:
        raise EngineUnavailableError("The vectors of the index could not be made, or not be written beside it.")


def main(path: str, *options: str) -> int:
    from codemap_core.config import load_settings
    from codemap_plugins.codeagent.similarity import Similarity, model_of

    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _make(Similarity(model_of(load_settings())), Path(path), options)
    except EngineUnavailableError as error:
        sys.stdout.write(error.message)
        return _EXPLAINED
    return 0


def _make(similarity: Similarity, path: Path, options: tuple[str, ...]) -> None:
    from codemap_core.queries.snapshot import Snapshot

    with ExitStack() as opened:
        if _WORKSPACE not in options:
            similarity.build(opened.enter_context(Snapshot.open(path)))
            return
        snapshot = opened.enter_context(Snapshot.open_workspace(path))
        baselines = [opened.enter_context(Snapshot.open(Path(each))) for each in options if each != _WORKSPACE]
        similarity.build(snapshot, next(iter(baselines), None))


def _end_with_parent() -> None:
    while os.read(0, 1):  # unbuffered: a buffer's lock would be held when the interpreter ends
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
