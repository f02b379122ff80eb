"""``get_callers``, ``get_callees``, ``get_implementations``, ``get_references``, ``get_dependencies`` and ``get_dependents``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from codemap_core.hooks.tool import Tool, ToolContext, ToolResult
from codemap_plugins.codeagent.engine import snapshot_of
from codemap_plugins.codeagent.symbol_tools import NodeArguments, NodeId

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_plugins.codeagent.edges import Direction, EdgeType, Link

MAX_NAMED: Final = 5
"""Nodes that a remark beside an answer names."""


class EdgeArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``get_dependencies`` and ``get_dependents``."""

    node_id: NodeId
    edge_type: Annotated[
        str,
        Meta(
            description="calls, inherits, implements, imports, overrides, references, contains, accepts or extends; all when left out."
        ),
    ] = ""


def get_callers(context: ToolContext, arguments: NodeArguments) -> ToolResult:
    from codemap_plugins.codeagent.edges import Direction, EdgeType

    found = _linked(context, arguments.node_id, Direction.INCOMING, (EdgeType.CALLS,), lambda link: link.row())
    notes = _through(found.snapshot, arguments.node_id, is_called=bool(found.data))
    return _explained(replace(found, notes=notes), "Nothing in this repository calls it.")


def get_callees(context: ToolContext, arguments: NodeArguments) -> ToolResult:
    from codemap_plugins.codeagent.edges import Direction, EdgeType

    found = _linked(context, arguments.node_id, Direction.OUTGOING, (EdgeType.CALLS,), lambda link: link.row())
    notes = () if found.data else _bodies(found.snapshot, arguments.node_id)
    return _explained(replace(found, notes=notes), "It calls nothing.")


def _through(snapshot: Snapshot, node_id: str, *, is_called: bool) -> tuple[str, ...]:
    """Says what else a call may name that reaches a member, and what is not called at all."""
    from codemap_plugins.codeagent.edges import Direction, EdgeType, links
    from codemap_plugins.codeagent.nodes import find_node, is_data, is_type

    node = find_node(snapshot, node_id)
    if not is_called and (is_type(node) or is_data(node)):
        how = "A type is called where it is created" if is_type(node) else "It is read and written, and not called"
        return (f"{how}: get_references lists every mention.",)
    if is_type(node):
        return ()
    filled = links(snapshot, node, Direction.OUTGOING, (EdgeType.IMPLEMENTS, EdgeType.OVERRIDES))
    named = ", ".join(f"{link.end['name']} ({link.end['node_id']})" for link in filled)
    return (f"Calls that name what it implements or overrides are callers of that: {named}.",) if named else ()


def _bodies(snapshot: Snapshot, node_id: str) -> tuple[str, ...]:
    """Says why there is nothing to find where something else has the code."""
    from codemap_plugins.codeagent.edges import Direction, EdgeType, links
    from codemap_plugins.codeagent.nodes import find_node, is_type

    node = find_node(snapshot, node_id)
    if is_type(node) or not node.symbol_id:
        return (
            "A type, file or namespace calls nothing itself: ask for the members that get_dependencies lists as contained.",
        )
    if node.library is not None:
        return ("It is a library's: what its code calls is not known.",)
    filling = links(snapshot, node, Direction.INCOMING, (EdgeType.IMPLEMENTS, EdgeType.OVERRIDES))
    return ("Its implementations may call something: get_dependents lists them.",) if filling else ()


def get_implementations(context: ToolContext, arguments: NodeArguments) -> ToolResult:
    from codemap_plugins.codeagent.edges import Direction, EdgeType

    wanted = (EdgeType.IMPLEMENTS, EdgeType.EXTENDS)
    found = _linked(context, arguments.node_id, Direction.INCOMING, wanted, _with_type)
    notes = _inheriting(found.snapshot, arguments.node_id)
    return _explained(replace(found, notes=notes), "Nothing in this repository implements or extends it.")


def _inheriting(snapshot: Snapshot, node_id: str) -> tuple[str, ...]:
    """Names the interfaces through which an interface is implemented, too."""
    from codemap_plugins.codeagent.edges import Direction, EdgeType, links
    from codemap_plugins.codeagent.nodes import NodeType, find_node

    inheriting = links(snapshot, find_node(snapshot, node_id), Direction.INCOMING, (EdgeType.INHERITS,))
    interfaces = [
        f"{each.end['name']} ({each.end['node_id']})"
        for each in inheriting
        if each.end["node_type"] == NodeType.INTERFACE
    ]
    more = ", …" if len(interfaces) > MAX_NAMED else ""
    named = ", ".join(interfaces[:MAX_NAMED])
    return (f"What implements an interface that inherits from it implements it too: {named}{more}.",) if named else ()


def get_references(context: ToolContext, arguments: NodeArguments) -> ToolResult:
    from codemap_plugins.codeagent.edges import Direction, EdgeType

    every = tuple(each for each in EdgeType if each not in (EdgeType.CONTAINS, EdgeType.INHERITS, EdgeType.ACCEPTS))
    found = _linked(context, arguments.node_id, Direction.INCOMING, every, _with_type)
    return _explained(found, "Nothing in this repository refers to it.")


def get_dependencies(context: ToolContext, arguments: EdgeArguments) -> ToolResult:
    from codemap_plugins.codeagent.edges import Direction

    return _all(context, arguments, Direction.OUTGOING)


def get_dependents(context: ToolContext, arguments: EdgeArguments) -> ToolResult:
    from codemap_plugins.codeagent.edges import Direction

    return _all(context, arguments, Direction.INCOMING)


def _all(context: ToolContext, arguments: EdgeArguments, direction: Direction) -> ToolResult:
    from codemap_plugins.codeagent.edges import edge_type_named

    wanted = (edge_type_named(arguments.edge_type),) if arguments.edge_type else ()
    found = _linked(
        context, arguments.node_id, direction, wanted, lambda link: {**_with_type(link), "direction": direction}
    )
    of_type = f" of the type {arguments.edge_type}" if arguments.edge_type else ""
    return _explained(found, f"It has no {direction} edges{of_type}.")


def _explained(found: ToolResult, nothing: str) -> ToolResult:
    """An answer that says ``nothing`` where it is empty and no better reason is known."""
    return found if found.data or found.notes else replace(found, notes=(nothing,))


def _with_type(link: Link) -> dict[str, Any]:
    return {**link.row(), "edge_type": link.edge_type}


def _linked(
    context: ToolContext,
    node_id: str,
    direction: Direction,
    wanted: tuple[EdgeType, ...],
    row: Callable[[Link], dict[str, Any]],
) -> ToolResult:
    from codemap_plugins.codeagent.edges import links
    from codemap_plugins.codeagent.nodes import find_node

    snapshot = snapshot_of(context)
    found = links(snapshot, find_node(snapshot, node_id), direction, wanted)
    return ToolResult(answer="", data=[row(link) for link in found], snapshot=snapshot)


EDGE_TOOLS: Final = (
    Tool(
        name="get_callers",
        title="Callers",
        description="All symbols that call a given symbol.",
        arguments=NodeArguments,
        run=get_callers,
    ),
    Tool(
        name="get_callees",
        title="Callees",
        description="All symbols that a given symbol calls.",
        arguments=NodeArguments,
        run=get_callees,
    ),
    Tool(
        name="get_implementations",
        title="Implementations",
        description="All symbols that implement a given interface or extend a base class.",
        arguments=NodeArguments,
        run=get_implementations,
    ),
    Tool(
        name="get_references",
        title="References",
        description="All symbols that reference a given symbol: callers, type references, imports and the rest.",
        arguments=NodeArguments,
        run=get_references,
    ),
    Tool(
        name="get_dependencies",
        title="Dependencies",
        description="All outgoing relationships of a symbol: what it depends on.",
        arguments=EdgeArguments,
        run=get_dependencies,
    ),
    Tool(
        name="get_dependents",
        title="Dependents",
        description="All incoming relationships of a symbol: what depends on it.",
        arguments=EdgeArguments,
        run=get_dependents,
    ),
)
