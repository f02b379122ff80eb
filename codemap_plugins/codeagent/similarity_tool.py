"""``find_similar``: symbols that are like one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import committed_of, snapshot_of
from codemap_plugins.codeagent.failures import EngineUnavailableError
from codemap_plugins.codeagent.symbol_tools import NodeArguments

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_plugins.codeagent.vectors import Vectors

DEFAULT_RESULTS: Final = 10
MAX_RESULTS: Final = 50


class SimilarArguments(NodeArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``find_similar``."""

    limit: Annotated[int, Meta(description="Maximum number of results.", ge=1, le=MAX_RESULTS)] = DEFAULT_RESULTS


def find_similar(context: ToolContext, arguments: SimilarArguments) -> ToolResult:
    from codemap_core.storage.reading.bulk_rows import row_of
    from codemap_plugins.codeagent.nodes import described, find_node

    snapshot = snapshot_of(context)
    node = find_node(snapshot, arguments.node_id)
    if not node.symbols:
        raise InvalidArgumentError(
            f"'{arguments.node_id}' is a file, a namespace or a library's symbol: only symbols that the repository declares are compared."
        )
    row = row_of(snapshot.reader, node.symbols[0].stable_id)
    found = _vectors(context, snapshot).nearest(row, arguments.limit) if row is not None else None
    if found is None:
        raise InvalidArgumentError(f"Nothing is known of '{arguments.node_id}' that other symbols have too.")
    rows = [
        {**described(symbol), "similarity": each.similarity}
        for symbol, each in zip(snapshot.reader.symbols_numbered([each.number for each in found]), found, strict=True)
    ]
    return ToolResult(answer="", data=rows, snapshot=snapshot)


def _vectors(context: ToolContext, snapshot: Snapshot) -> Vectors:
    from codemap_core.config import load_settings
    from codemap_plugins.codeagent.similarity import Similarity, model_of
    from codemap_plugins.codeagent.vector_process import make_vectors

    committed = committed_of(context, snapshot)
    similarity = Similarity(model_of(load_settings()))
    found = similarity.vectors(snapshot, committed)
    if found is None:
        make_vectors(snapshot, committed, context.check_cancelled)
        found = similarity.vectors(snapshot, committed)
    if found is None:
        raise EngineUnavailableError("The index was replaced while its vectors were made. Ask again.")
    return found


FIND_SIMILAR: Final = Tool(
    name="find_similar",
    title="Find similar symbols",
    description="Symbols like a given one, by what they are named, mention, derive from and look like. The first call on an index is slow.",
    arguments=SimilarArguments,
    run=find_similar,
)
