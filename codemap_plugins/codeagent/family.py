"""The tool family: its tools, when to use which, and how it answers."""

from __future__ import annotations

from typing import Any

from codemap_core.hooks.tool import ToolFamily, ToolResult
from codemap_plugins.codeagent.edge_tools import EDGE_TOOLS
from codemap_plugins.codeagent.engine_tools import ENGINE_TOOLS
from codemap_plugins.codeagent.failures import failure_code, failure_message
from codemap_plugins.codeagent.file_tools import FILE_TOOLS
from codemap_plugins.codeagent.search_tools import SEARCH_TOOLS
from codemap_plugins.codeagent.similarity_tool import FIND_SIMILAR
from codemap_plugins.codeagent.symbol_tools import SYMBOL_TOOLS

_INSTRUCTIONS = (
    "Find symbols with search_symbols or lookup_symbol; their node_id is what get_symbol, get_source_spans, get_callers, get_callees, "
    "get_implementations, get_references, get_dependencies, get_dependents and find_similar take. Files: get_directory_tree, "
    "list_directory, read_file, get_file_outline. Is there an index: get_status. Paths are relative to the repository's root."
)


class Codeagent:
    """Bare values: what a tool returns, or ``{"error": {"code", "message"}}``."""

    def answer(self, tool: str, result: ToolResult) -> Any:
        return result.data

    def error(self, tool: str, error: Exception) -> Any:
        return {"error": {"code": failure_code(error), "message": failure_message(error)}}


CODEAGENT = ToolFamily(
    name="codeagent",
    title="The codeagent contract",
    tools=(*FILE_TOOLS, *SEARCH_TOOLS, FIND_SIMILAR, *SYMBOL_TOOLS, *EDGE_TOOLS, *ENGINE_TOOLS),
    on_request=True,
    follows_working_tree=True,
    contract=Codeagent(),
    instructions=_INSTRUCTIONS,
)
