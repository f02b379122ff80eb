"""``find_similar``: symbols that are like one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import snapshot_of
from codemap_plugins.codeagent.symbol_tools import NodeArguments

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_plugins.codeagent.vectors import VectorFile

DEFAULT_RESULTS: Final = 10
MAX_RESULTS: Final = 50


class SimilarArguments(NodeArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``find_similar``."""

    limit: Annotated[int, Meta(description="Maximum number of results.", ge=1, le=MAX_RESULTS)] = DEFAULT_RESULTS


def find_similar(context: ToolContext, arguments: SimilarArguments) -> ToolResult:
    """Asks the index of the commit where that declares the symbol, so that an edit does not make all vectors again; else that of the
    edited files."""
    from codemap_core.storage.bulk_rows import row_of
    from codemap_plugins.codeagent.nodes import described, find_node

    edited = snapshot_of(context)
    node = find_node(edited, arguments.node_id)
    if not node.symbols:
        raise InvalidArgumentError(
            f"'{arguments.node_id}' is not declared in this repository: only declared symbols are compared."
        )
    committed = context.snapshot(committed=True)
    stable_id = node.symbols[0].stable_id
    snapshot = committed if row_of(committed.reader, stable_id) is not None else edited
    row = row_of(snapshot.reader, stable_id)
    vectors = _vectors(context, snapshot)
    found = vectors.nearest(row, arguments.limit) if vectors is not None and row is not None else None
    if found is None:
        raise InvalidArgumentError(f"Nothing is known of '{arguments.node_id}' that other symbols have too.")
    rows = [
        {**described(symbol), "similarity": each.similarity}
        for symbol, each in zip(snapshot.reader.symbols_numbered([each.number for each in found]), found, strict=True)
    ]
    return ToolResult(answer="", data=rows, snapshot=snapshot)


def _vectors(context: ToolContext, snapshot: Snapshot) -> VectorFile | None:
    from codemap_plugins.codeagent.similarity import vector_file
    from codemap_plugins.codeagent.vector_process import make_vectors

    found = vector_file(snapshot)
    if found is None:
        make_vectors(snapshot, context.check_cancelled)
        found = vector_file(snapshot)
    return found


FIND_SIMILAR: Final = Tool(
    name="find_similar",
    title="Find similar symbols",
    description="Symbols like a given one, by what they are named, mention, derive from and look like. The first call on an index is slow.",
    arguments=SimilarArguments,
    run=find_similar,
)
