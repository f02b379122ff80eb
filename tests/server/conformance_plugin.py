"""The tools that scenarios of the official conformance suite call, as far as tools of CodeMap can do what those do. Laid out as a
distribution of its own by ``test_conformance``."""

from typing import Any

from msgspec import Struct

from codemap_core.errors import NotFoundError
from codemap_core.hooks import hookimpl
from codemap_core.hooks.capabilities import BUILDS
from codemap_core.hooks.registry import Registry
from codemap_core.hooks.tool import Tool, ToolContext, ToolFamily, ToolResult


class Nothing(Struct, forbid_unknown_fields=True, frozen=True):
    pass


def simple_text(context: ToolContext, arguments: Nothing) -> ToolResult:
    return ToolResult(answer="", data="This is a simple text response for testing.")


def error_handling(context: ToolContext, arguments: Nothing) -> ToolResult:
    raise NotFoundError("This tool intentionally returns an error for testing")


def tool_with_progress(context: ToolContext, arguments: Nothing) -> ToolResult:
    """Indexing is what reports progress."""
    context.ask(BUILDS).ensure_baseline()
    return ToolResult(answer="", data="done")


class Own:
    def answer(self, tool: str, result: ToolResult) -> Any:
        return result.data

    def error(self, tool: str, error: Exception) -> Any:
        return str(error)


CONFORMANCE = ToolFamily(
    name="conformance",
    title="Tools of the conformance suite",
    tools=tuple(
        Tool(name=f"test_{run.__name__}", title="", description="Of the suite.", arguments=Nothing, run=run)
        for run in (simple_text, error_handling, tool_with_progress)
    ),
    on_request=True,
    contract=Own(),
)


@hookimpl
def codemap_register_tool_families(registry: Registry[ToolFamily]) -> None:
    registry.add(CONFORMANCE)
