"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.registry import Registry
from codemap_core.hooks.tool import ToolFamily


@hookimpl
def codemap_register_tool_families(registry: Registry[ToolFamily]) -> None:
    from codemap_plugins.workspace_tools.overlay_tools import WORKSPACE_TOOLS

    registry.add(WORKSPACE_TOOLS)
