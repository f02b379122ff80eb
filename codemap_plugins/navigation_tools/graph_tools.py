"""``graph.callers`` and ``graph.callees``: who calls a member, and what it calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Evidence, NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence
from codemap_core.queries.wanted import Wanted
from codemap_core.toolkit.arguments import SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import EVIDENCE_SHOWN, Budget, fitting

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import Target
    from codemap_core.queries.views import CallGraphNode, CallGraphResponse, CallSite

Depth = Annotated[int, Meta(description=f"Levels, cap {HARD_CAPS.max_depth}.", ge=1)]
PerLevel = Annotated[int, Meta(description=f"Nodes added per level, cap {HARD_CAPS.max_references}.", ge=1)]


class CallersArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.callers``."""

    depth: Depth = 1
    limit_per_level: PerLevel = 20
    follow_interface: Annotated[
        bool, Meta(description="With callers through the interface or base member that it implements or overrides.")
    ] = False


class CalleesArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.callees``."""

    depth: Depth = 1
    limit_per_level: PerLevel = 20
    kind: Annotated[
        str,
        Meta(description="Kinds of references to follow, with commas; default call,instantiate,ctor_initializer."),
    ] = ""


def callers(context: ToolContext, arguments: CallersArguments) -> ToolResult:
    from codemap_core.queries.call_graph import callers as callers_of

    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.MEMBER)
    budget, depth, limit = _limits(arguments)
    found = callers_of(snapshot, target, depth, limit, arguments.follow_interface)
    return _result(context, snapshot, target, found, budget, depth, limit, "graph.callers")


def callees(context: ToolContext, arguments: CalleesArguments) -> ToolResult:
    from codemap_core.queries.call_graph import callees as callees_of
    from codemap_core.queries.references import parse_kind

    kinds = parse_kind(arguments.kind)
    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.MEMBER)
    budget, depth, limit = _limits(arguments)
    found = callees_of(snapshot, target, depth, limit, kinds)
    return _result(context, snapshot, target, found, budget, depth, limit, "graph.callees")


def _limits(arguments: CallersArguments | CalleesArguments) -> tuple[Budget, int, int]:
    budget = Budget()
    depth = budget.clamped("max_depth", arguments.depth, 1, HARD_CAPS.max_depth)
    limit = budget.clamped("max_references", arguments.limit_per_level, 20, HARD_CAPS.max_references)
    return budget, depth, limit


def _result(
    context: ToolContext,
    snapshot: Snapshot,
    target: Target,
    found: CallGraphResponse,
    budget: Budget,
    depth: int,
    limit: int,
    tool: str,
) -> ToolResult:
    found = _fitted(found, context.budgets.max_chars, budget)
    sites = [site for node in found.nodes for site in node.call_sites]
    return ToolResult(
        answer=_answer(context, snapshot, target, found, depth, tool),
        data=found,
        evidence=tuple(_evidence(snapshot, site) for site in sites[:EVIDENCE_SHOWN]),
        next_actions=_actions(target, found, depth, limit, tool),
        confidence=max((site.confidence for site in sites), key=tuple(Confidence).index, default=Confidence.HIGH),
        limits_applied=budget.limits_applied,
        answer_files=tuple(dict.fromkeys(site.file_path for site in sites)),
        snapshot=snapshot,
    )


def _fitted(found: CallGraphResponse, max_chars: int, budget: Budget) -> CallGraphResponse:
    """The nearest nodes that fit, with the edges between them: an id counts once for its node and once for an edge to it."""
    priced = [(replace(node, edges_to=()), node.symbol_id) for node in found.nodes]
    kept = found.nodes[: len(fitting(priced, max_chars, budget.limits_applied))]
    if len(kept) == len(found.nodes):
        return found
    known = {node.symbol_id for node in kept}
    nodes = tuple(replace(node, edges_to=tuple(each for each in node.edges_to if each in known)) for node in kept)
    return replace(found, nodes=nodes, truncated=True)


def _evidence(snapshot: Snapshot, site: CallSite) -> Evidence:
    return Evidence(snapshot.repo_id, site.file_path, site.line, site.line, excerpt=site.excerpt)


def _answer(
    context: ToolContext, snapshot: Snapshot, target: Target, found: CallGraphResponse, depth: int, tool: str
) -> str:
    incoming = tool == "graph.callers"
    noun = ("caller" if incoming else "callee") + ("" if found.total_nodes_found == 1 else "s")
    what = f"{'library symbol ' if target.is_external else ''}{target.display_name}"
    levels = f" over {depth} levels" if depth > 1 else ""
    parts = []
    if target.note:
        parts.append(target.note)
    if found.total_nodes_found:
        shown = f"; shown: {len(found.nodes) - 1}" if found.truncated else ""
        parts.append(f"{found.total_nodes_found} {noun} of {what}{levels}{shown}.")
    else:
        parts.append(f"No {noun} of {what}.")
    hint = found.interface_implementation_hint
    if hint is not None and hint.additional_callers_via_interface:
        through = ", ".join(hint.implements[:3])
        count = hint.additional_callers_via_interface
        followed = "follow_interface" not in hint.retry_hint
        calling = f"{'of them' if followed else 'more'} {'calls' if count == 1 else 'call'}"
        parts.append(f"{count} {calling} it through {through}. {hint.retry_hint}")
    if not found.total_nodes_found:
        parts += _why_none(context, snapshot, target, incoming=incoming)
    return " ".join(parts)


def _why_none(context: ToolContext, snapshot: Snapshot, target: Target, *, incoming: bool) -> Iterable[str]:
    if not incoming:
        yield (
            "It is a library's symbol, whose code is not indexed."
            if target.is_external
            else "Its body calls nothing; refs of other kinds: kind='all'."
        )
    else:
        unresolved = sum(snapshot.reader.count_unresolved_references(target.simple_name).values())
        if unresolved:
            yield (
                f"{unresolved} places with the name {target.simple_name!r} could not be resolved and may mean it: refs.find with "
                "resolution_state='unresolved'."
            )
        else:
            yield "Nothing in the indexed C# code calls it; reflection, markup and generated code are not seen."
    changes = context.changes_since(snapshot)
    if changes:
        yield changes


def _actions(target: Target, found: CallGraphResponse, depth: int, limit: int, tool: str) -> tuple[NextAction, ...]:
    actions = []
    root = {"symbol_id": target.symbol_id}
    hint = found.interface_implementation_hint
    if hint is not None and "follow_interface" in hint.retry_hint:
        followed = {**root, "depth": depth, "follow_interface": True}
        actions.append(NextAction("graph.callers", "with those through interface and base members", followed))
    if found.truncated and tool == "graph.callers":
        actions.append(NextAction("refs.find", "all places, page by page", {**root, "kind": "all"}))
    elif found.truncated and limit < HARD_CAPS.max_references:
        wider = {**root, "depth": depth, "limit_per_level": min(HARD_CAPS.max_references, limit * 5)}
        actions.append(NextAction(tool, "more of each level", wider))
    following = _first_member(found.nodes)
    if following is not None:
        actions.append(NextAction("symbols.get_card", "the first one in full", {"symbol_id": following.symbol_id}))
    elif not target.is_external:
        actions.append(NextAction("symbols.get_card", "the member itself", root))
    return tuple(actions)


def _first_member(nodes: Iterable[CallGraphNode]) -> CallGraphNode | None:
    return next((node for node in nodes if node.depth and not node.external), None)


GRAPH = ToolFamily(
    name="graph",
    title="Call graph",
    tools=(
        Tool(
            name="graph.callers",
            title="Find callers",
            description=(
                "Who calls a method, constructor, property or event: callers level by level, each with the line that calls. Says how "
                "many more call it through an interface or base member; follow_interface=true lists them."
            ),
            arguments=CallersArguments,
            run=callers,
        ),
        Tool(
            name="graph.callees",
            title="Find callees",
            description=(
                "What a method calls: methods and constructors level by level, each with the line that calls; library members are "
                "marked external."
            ),
            arguments=CalleesArguments,
            run=callees,
        ),
    ),
)
