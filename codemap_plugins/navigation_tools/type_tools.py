"""``types.hierarchy``: what a type derives from, and what derives from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence
from codemap_core.queries.wanted import Wanted
from codemap_core.toolkit.arguments import SymbolArguments, find_target, open_snapshot

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import Target
    from codemap_core.queries.views_graph import TypeHierarchyResponse


class HierarchyArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``types.hierarchy``."""


def hierarchy(context: ToolContext, arguments: HierarchyArguments) -> ToolResult:
    from codemap_core.queries.type_hierarchy import get_hierarchy

    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.TYPE)
    found = get_hierarchy(snapshot, target, HARD_CAPS.max_references, arguments.offset)
    return ToolResult(
        answer=_answer(snapshot, target, found),
        data=found,
        page=Page(arguments.offset, found.derived_count),
        confidence=target.symbol.confidence if target.symbol is not None else Confidence.HIGH,
        snapshot=snapshot,
    )


def _answer(snapshot: Snapshot, target: Target, found: TypeHierarchyResponse) -> str:
    from codemap_core.queries.plain_lines import counted

    indirect = f", {found.indirect_derived_count} more indirectly" if found.indirect_derived_count else ""
    derived = f"{counted(found.derived_count, 'derived type')}{indirect}"
    if target.is_external:
        said = f"library type {target.display_name}: {derived}. Its own base types are not indexed."
    else:
        said = f"{target.display_name}: {derived}."
    if target.note:
        said = f"{target.note} {said}"
    return said


TYPES = ToolFamily(
    name="types",
    title="Types",
    tools=(
        Tool(
            name="types.hierarchy",
            title="Type hierarchy",
            description="Base type, interfaces, subclasses and implementations of a type; of a library's type what derives from it here.",
            arguments=HierarchyArguments,
            run=hierarchy,
        ),
    ),
)
