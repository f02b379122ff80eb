"""One run of ``ensure_baseline`` with the time of each stage; garbage is looked for as seldom as the ``codemap`` command does.

python tests/benchmarks/index_once.py REPO JOBS WHAT [COMMIT]        prints one JSON object
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct

from codemap_server.cli import ALLOCATIONS

if TYPE_CHECKING:  # the rest is imported where garbage is looked for seldom already, as by the command
    from codemap_core.hooks.contracts import UnitKey
    from codemap_core.hooks.interests import Interests
    from codemap_core.hooks.manager import PluginHost
    from codemap_core.hooks.registry import Owner
    from codemap_core.model.bound import BoundDocument


class IndexRun(Struct, frozen=True):
    """``stages``: seconds of each, over all languages, in order. ``index_bytes``: size of the database file."""

    already_existed: bool
    stages: dict[str, float]
    statuses: dict[str, int]
    analysed: int
    symbols: int
    references: int
    index_bytes: int
    compiled: bool
    """The binder ran compiled, not from its sources."""


class _Unbinding:
    """A front end that binds nothing."""

    def __init__(self, front_end: Any) -> None:
        self._front_end = front_end

    def bind(self, table: Any, unit: UnitKey, interests: Interests) -> BoundDocument:
        from codemap_core.model.bound import BoundDocument

        return BoundDocument(file_path=unit.file_path, project_path=unit.project_path)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._front_end, name)


class _SymbolsOnly:
    """A plug-in host whose front ends bind nothing."""

    def __init__(self, host: PluginHost) -> None:
        self._host = host
        self.languages = tuple(_Unbinding(each) for each in host.languages)

    def owner_of(self, item: Any) -> Owner:
        return self._host.owner_of(getattr(item, "_front_end", item))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._host, name)


def run(repository: Path, jobs: int, what: str, commit: str = "") -> IndexRun:
    from codemap_core.config import load_settings
    from codemap_core.hooks.manager import load_plugins
    from codemap_core.pipeline import ensure_baseline
    from codemap_core.repository import Repository

    begun: list[tuple[str, float]] = []

    def progress(stage: str, _done: int, _total: int) -> None:
        if not begun or begun[-1][0] != stage:
            begun.append((stage, time.perf_counter()))

    host = load_plugins()
    if what == "symbols":
        host = cast("PluginHost", _SymbolsOnly(host))
    result = ensure_baseline(
        Repository.open(repository), host, load_settings(), commit=commit, jobs=jobs, progress=progress
    )
    ends = [at for _, at in [*begun, ("", time.perf_counter())][1:]]
    stages: dict[str, float] = {}
    for (stage, at), end in zip(begun, ends, strict=True):
        stages[stage] = stages.get(stage, 0.0) + end - at
    return IndexRun(
        already_existed=result.already_existed,
        stages=stages,
        statuses=result.statuses,
        analysed=result.analysed_files,
        symbols=result.info.symbol_count,
        references=result.info.reference_count,
        index_bytes=result.path.stat().st_size,
        compiled=not str(getattr(sys.modules.get("codemap_plugins.csharp.binding.binder"), "__file__", ".py")).endswith(
            ".py"
        ),
    )


if __name__ == "__main__":
    gc.set_threshold(ALLOCATIONS)
    sys.stdout.buffer.write(msgspec.json.encode(run(Path(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:])))
    gc.freeze()
