"""CodeRef2 from Python, without a protocol in between: ``get_server()`` answers as ``codemap serve --toolsets coderef`` does.

    server = get_server()
    content = await server._handle_call_tool("mcp__coderef__query", {"query": "@C/src/Order#Order"})
    answer = json.loads(content[0].text)

``python -m codemap_server.coderef2`` serves them over standard input and output. The names with an underscore are those of the contract.
Calls run in threads, so that the event loop goes on meanwhile.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import anyio.to_thread
import mcp_types as types

from codemap_core.config import load_settings
from codemap_core.errors import CodeMapError
from codemap_core.hooks.manager import load_plugins
from codemap_server.call_context import ServerCallContext
from codemap_server.calls import CallControl, ToolCaller
from codemap_server.composition import Composition
from codemap_server.rendering import render_own
from codemap_server.serve import ServeOptions, serve, start_folder
from codemap_server.toolset import Toolset, UnknownToolError

TOOLSET: Final = "coderef"
API_VERSION: Final = "1.0.0"


class CodeRef2Server:
    """``path``: the repository that calls without ``repo_path`` mean; null: the current directory's. Close it when it is no longer used."""

    def __init__(self, path: Path | None = None) -> None:
        self._composition: Final = Composition(load_settings(), load_plugins(), start_folder(path))
        self._toolset: Final = Toolset(self._composition.host.tool_families, (TOOLSET,))
        self._caller: Final = ToolCaller(self._toolset, partial(ServerCallContext, self._composition))

    async def list_tools(self) -> list[types.Tool]:
        """The six tools, with the schemas of their arguments."""
        return [types.Tool.model_validate(self._toolset.description(tool)) for tool in self._toolset.listed]

    async def _handle_list_tools(self) -> list[types.Tool]:
        return await self.list_tools()

    async def _handle_call_tool(self, name: str, arguments: Mapping[str, Any] | None = None) -> list[types.TextContent]:
        """One call; its answer, an error too, is the JSON text of the only item. A tool that does not exist is such an error."""
        return [types.TextContent(text=await anyio.to_thread.run_sync(self._call, name, arguments or {}))]

    def _call(self, name: str, arguments: Mapping[str, Any]) -> str:
        try:
            if self._toolset.find(name) not in self._toolset.listed:
                raise UnknownToolError(f"Unknown tool: {name[:100]}.")
            return self._caller.call(name, arguments).text
        except UnknownToolError as error:
            contract = self._toolset.contract(self._toolset.listed[0].name)
            assert contract is not None
            return render_own(contract.error(name, error))

    async def health_check(self) -> dict[str, Any]:
        """Whether questions can be answered: ``healthy`` where the commit that is checked out has an index, ``degraded`` with the reason
        where it has none."""
        return await anyio.to_thread.run_sync(self._health)

    def _health(self) -> dict[str, Any]:
        health: dict[str, Any] = {"version": API_VERSION, "tools": len(self._toolset.listed)}
        try:
            snapshot = ServerCallContext(self._composition, CallControl()).snapshot()
        except CodeMapError as error:
            return {"status": "degraded", **health, "message": error.message}
        return {"status": "healthy", **health, "commit": snapshot.commit_sha}

    def close(self) -> None:
        self._composition.close()


@cache
def get_server() -> CodeRef2Server:
    """The server of this process, for the repository of the directory that is current when it is first asked for."""
    return CodeRef2Server()


if __name__ == "__main__":
    sys.exit(serve(ServeOptions(toolsets=(TOOLSET,))))
