"""The results that a server remembers (L1), for a question that is asked again.

The key is the contract's (system architecture, "Cache key components"): repository, commit, workspace and revision are those of the
snapshot, which never changes, and the query's signature is the tool with its arguments. So nothing is ever invalid: another commit or
revision is another snapshot, and what was remembered of one goes with it. What is said beside a result is never remembered, as it is about
the present.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_core.toolkit.arguments import SnapshotArguments

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot


class _Results:
    """Of one snapshot, the last used last. Safe to use from several threads."""

    def __init__(self, _snapshot: Snapshot) -> None:
        self._lock: Final = Lock()
        self._results: Final[OrderedDict[tuple[str, bytes], ToolResult]] = OrderedDict()

    def get(self, question: tuple[str, bytes]) -> ToolResult | None:
        with self._lock:
            found = self._results.get(question)
            if found is not None:
                self._results.move_to_end(question)
        return found

    def keep(self, question: tuple[str, bytes], result: ToolResult, most: int) -> None:
        with self._lock:
            self._results[question] = result
            while len(self._results) > most:
                self._results.popitem(last=False)


class RememberingContext(ToolContext, Protocol):
    """What this module asks of the context of a call."""

    @property
    def cached_results(self) -> int:
        """Results of one index that may be remembered."""
        ...

    def hold(self, arguments: SnapshotArguments) -> Snapshot:
        """The index that the arguments ask for; the tool is given the same when it asks. Raises: as ``open_snapshot``."""
        ...


def answered(tool: Tool, context: RememberingContext, arguments: Any) -> tuple[Any, bool]:
    """The tool's result, and whether it was remembered. Raises: whatever the tool raises."""
    most = context.cached_results
    if not (most and tool.of_index and isinstance(arguments, SnapshotArguments)) or arguments.virtual_files:
        return tool.run(context, arguments), False
    snapshot = context.hold(arguments)
    results = snapshot.kept(_Results)
    question = (tool.name, msgspec.msgpack.encode(arguments))
    found = results.get(question)
    if found is not None:
        return replace(found, snapshot=snapshot), True
    result = tool.run(context, arguments)
    if isinstance(result, ToolResult):
        results.keep(question, replace(result, snapshot=None), most)  # a result that held it would keep it open
    return result, False
