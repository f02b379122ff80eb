"""The tool family: its tools, when to use which, and how it answers."""

from __future__ import annotations

from typing import Any

from codemap_core.hooks.tool import ToolFamily, ToolResult
from codemap_plugins.codeagent.failures import failure_code, failure_message
from codemap_plugins.codeagent.file_tools import FILE_TOOLS


class Codeagent:
    """Bare values: what a tool returns, or ``{"error": {"code", "message"}}``."""

    def answer(self, tool: str, result: ToolResult) -> Any:
        return result.data

    def error(self, tool: str, error: Exception) -> Any:
        return {"error": {"code": failure_code(error), "message": failure_message(error)}}


CODEAGENT = ToolFamily(
    name="codeagent",
    title="The codeagent contract",
    tools=FILE_TOOLS,
    on_request=True,
    contract=Codeagent(),
)
