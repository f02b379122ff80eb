"""Hook implementations, and nothing else."""

from __future__ import annotations

from codemap_core.hooks import hookimpl
from codemap_core.hooks.registry import Registry
from codemap_core.hooks.tool import ToolFamily


@hookimpl
def codemap_register_tool_families(registry: Registry[ToolFamily]) -> None:
    from codemap_plugins.index_tools.baseline_tools import BASELINES
    from codemap_plugins.index_tools.code_tools import CODE
    from codemap_plugins.index_tools.repository_tools import INDEX, REPO
    from codemap_plugins.index_tools.symbol_tools import SYMBOLS

    for family in (REPO, INDEX, SYMBOLS, CODE, BASELINES):
        registry.add(family)
