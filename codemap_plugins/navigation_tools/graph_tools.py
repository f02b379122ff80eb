"""``graph.callers`` and ``graph.callees``: who calls a member, and what it calls."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence
from codemap_core.queries.wanted import Wanted
from codemap_core.toolkit.arguments import AS_TEXT, Names, SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import Budget

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import Target
    from codemap_core.queries.views_graph import CallGraphResponse

PER_LEVEL = 20

Depth = Annotated[int, Meta(ge=1)]
PerLevel = Annotated[int, Meta(ge=1)]


class CallersArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.callers``."""

    depth: Depth = 1
    limit_per_level: PerLevel = PER_LEVEL
    follow_interface: Annotated[bool, Meta(description="Also calls through the interface or base member.")] = False


class CalleesArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.callees``."""

    depth: Depth = 1
    limit_per_level: PerLevel = PER_LEVEL
    kind: Annotated[
        tuple[str, ...],
        Meta(description="Of references to follow, as in refs.find.", extra_json_schema=AS_TEXT),
    ] = ()
    kinds: Names = ()


def callers(context: ToolContext, arguments: CallersArguments) -> ToolResult:
    from codemap_core.queries.call_graph import callers as callers_of

    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.MEMBER)
    budget, depth, limit = _limits(arguments)
    found = callers_of(snapshot, target, depth, limit, arguments.offset, arguments.follow_interface)
    return _result(context, snapshot, target, found, arguments, budget, depth)


def callees(context: ToolContext, arguments: CalleesArguments) -> ToolResult:
    from codemap_core.queries.call_graph import callees as callees_of
    from codemap_core.queries.references import parse_kinds

    kinds = parse_kinds((*arguments.kind, *arguments.kinds))
    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.MEMBER)
    budget, depth, limit = _limits(arguments)
    found = callees_of(snapshot, target, depth, limit, arguments.offset, kinds)
    return _result(context, snapshot, target, found, arguments, budget, depth)


def _limits(arguments: CallersArguments | CalleesArguments) -> tuple[Budget, int, int]:
    budget = Budget()
    depth = budget.clamped("max_depth", arguments.depth, 1, HARD_CAPS.max_depth)
    limit = budget.clamped("max_references", arguments.limit_per_level, PER_LEVEL, HARD_CAPS.max_references)
    return budget, depth, limit


def _result(
    context: ToolContext,
    snapshot: Snapshot,
    target: Target,
    found: CallGraphResponse,
    arguments: CallersArguments | CalleesArguments,
    budget: Budget,
    depth: int,
) -> ToolResult:
    incoming = isinstance(arguments, CallersArguments)
    sites = (site for node in found.nodes for site in node.call_sites)
    return ToolResult(
        answer=_answer(snapshot, target, found, depth, incoming=incoming),
        data=found,
        page=Page(arguments.offset, found.total_nodes_found),
        next_actions=_actions(target, found, depth),
        confidence=max((site.confidence for site in sites), key=tuple(Confidence).index, default=Confidence.HIGH),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _answer(snapshot: Snapshot, target: Target, found: CallGraphResponse, depth: int, *, incoming: bool) -> str:
    from codemap_core.queries.plain_lines import counted

    noun = "caller" if incoming else "callee"
    what = f"{'library symbol ' if target.is_external else ''}{target.display_name}"
    levels = f" over {depth} levels" if depth > 1 else ""
    parts = []
    if target.note:
        parts.append(target.note)
    if found.total_nodes_found:
        parts.append(f"{counted(found.total_nodes_found, noun)} of {what}{levels}.")
    else:
        parts.append(f"No {noun}s of {what}.")
    hint = found.interface_implementation_hint
    if hint is not None and hint.additional_callers_via_interface:
        through = ", ".join(hint.implements[:3])
        count = hint.additional_callers_via_interface
        followed = "follow_interface" not in hint.retry_hint
        calling = f"{'of them' if followed else 'more'} {'calls' if count == 1 else 'call'}"
        parts.append(f"{count} {calling} it through {through}.")
    if not found.total_nodes_found:
        parts += _why_none(snapshot, target, incoming=incoming)
    return " ".join(parts)


def _why_none(snapshot: Snapshot, target: Target, *, incoming: bool) -> Iterable[str]:
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


def _actions(target: Target, found: CallGraphResponse, depth: int) -> tuple[NextAction, ...]:
    hint = found.interface_implementation_hint
    if hint is None or "follow_interface" not in hint.retry_hint:
        return ()
    followed = {"symbol": target.symbol_id, "depth": depth, "follow_interface": True}
    return (NextAction("graph.callers", "with those through interface and base members", followed),)


GRAPH = ToolFamily(
    name="graph",
    title="Call graph",
    tools=(
        Tool(
            name="graph.callers",
            title="Find callers",
            description="Who calls a member, level by level, each with the calling line.",
            arguments=CallersArguments,
            run=callers,
        ),
        Tool(
            name="graph.callees",
            title="Find callees",
            description="What a method calls, level by level, libraries included.",
            arguments=CalleesArguments,
            run=callees,
        ),
    ),
)
