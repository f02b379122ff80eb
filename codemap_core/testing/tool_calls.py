"""A call of one tool over sources given as text, as a plug-in's own tests make it: no server, no git, no index that stays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from codemap_core.config import BudgetLimits
from codemap_core.errors import NotFoundError
from codemap_core.hooks.capabilities import Capability, Offered
from codemap_core.hooks.manager import PluginHost
from codemap_core.hooks.tool import Tool, ToolResult
from codemap_core.model import FactRow, FactSources, ReferenceRow
from codemap_core.queries.snapshot import Snapshot
from codemap_core.storage.files.examine import IndexInfo
from codemap_core.storage.files.lock import build_lock
from codemap_core.storage.writing.writer import BaselineWriter
from codemap_core.testing.source_index import fill_from_sources


def call_tool(host: PluginHost, name: str, files: Mapping[str, str], **arguments: Any) -> ToolResult:
    """What the tool ``name`` of a plug-in answers about ``files``, before it is fitted into a budget. Raises: AssertionError when something
    of a plug-in failed; NotFoundError for a tool that there is not; msgspec.ValidationError for arguments that do not fit; whatever the
    tool raises."""
    tool = _tool(host, name)
    given = msgspec.convert(arguments, tool.arguments)
    with tempfile.TemporaryDirectory() as folder:
        path = write_source_index(Path(folder) / "index.db", files, host)
        with Snapshot.open(path, meanings=host.meanings) as snapshot:
            return replace(tool.run(_Context(host, snapshot), given), snapshot=None)


def write_source_index(
    path: Path,
    files: Mapping[str, str],
    host: PluginHost,
    facts: Iterable[FactRow] = (),
    links: Iterable[ReferenceRow] = (),
) -> Path:
    """The index of sources and projects by path, bound for real, with ``facts`` and ``links`` beside those of ``host``."""
    info = IndexInfo(repo_id="r", commit_sha="c", fingerprint="f")
    with build_lock(path) as lock, BaselineWriter.create(lock, info) as writer:
        fill_from_sources(writer, files, host)
        writer.add_facts(facts)
        writer.add_references(links)
        writer.publish()
    return path


class _Context:
    """The part of ``ToolContext`` that needs no repository: there is none."""

    def __init__(self, host: PluginHost, snapshot: Snapshot) -> None:
        self._snapshot: Final = snapshot
        self.budgets: Final = BudgetLimits()
        self.fact_sources: Final[FactSources] = host.fact_sources
        self.follows_working_tree: Final = False

    def snapshot(
        self,
        repo_path: str = "",
        commit: str = "",
        workspace_id: str = "",
        committed: bool = False,
        unsaved: Mapping[str, str] | None = None,
    ) -> Snapshot:
        return self._snapshot

    def ask(self, capability: Capability[Offered]) -> Offered:
        raise NotFoundError(
            f"There is no repository here, so there are no {capability.title}: a test asks about sources given as text."
        )

    def check_cancelled(self) -> None:
        return


def _tool(host: PluginHost, name: str) -> Tool:
    found = {tool.name: tool for family in host.tool_families for tool in family.tools}
    if name not in found:
        raise NotFoundError(f"There is no tool {name!r}. Tools: {', '.join(sorted(found))}.")
    return found[name]
