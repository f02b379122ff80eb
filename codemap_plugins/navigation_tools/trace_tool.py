"""``graph.trace_feature``: what a request does, from its entry point down, with what facts say of each member."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolResult
from codemap_core.model import Confidence
from codemap_core.toolkit.arguments import RARE, UNLISTED, SnapshotArguments, open_snapshot
from codemap_core.toolkit.budget import Budget

if TYPE_CHECKING:
    from codemap_core.queries.trace.entry_points import Entry
    from codemap_core.queries.views.trace import FeatureTraceResponse

_SHOWN: Final = 100


class TraceArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.trace_feature``. ``symbol`` and ``name`` are other spellings of ``entry_point``."""

    entry_point: Annotated[str, Meta(description="POST /orders/5, or a method.")] = ""
    depth: Annotated[int, Meta(ge=1)] = 3
    limit: Annotated[int, Meta(ge=1, extra_json_schema=RARE)] = _SHOWN
    project: Annotated[str, Meta(description="Of several that have the route or the name.", extra_json_schema=RARE)] = (
        ""
    )
    symbol: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    name: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""


def trace(context: ToolContext, arguments: TraceArguments) -> ToolResult:
    from codemap_core.queries.trace.entry_points import find_entry
    from codemap_core.queries.trace.feature_trace import trace_feature
    from codemap_core.storage.reading.symbol_search import SymbolFilter

    asked = (arguments.entry_point or arguments.symbol or arguments.name).strip()
    if not asked:
        raise InvalidArgumentError(
            "Say where to begin, for example entry_point='POST /orders' or entry_point='OrderService.Submit'."
        )
    snapshot = open_snapshot(context, arguments)
    budget = Budget()
    depth = budget.clamped("max_depth", arguments.depth, 3, HARD_CAPS.max_depth)
    limit = budget.clamped("max_references", arguments.limit, _SHOWN, HARD_CAPS.max_references)
    entry = find_entry(snapshot, asked, SymbolFilter(project=arguments.project))
    found = trace_feature(snapshot, entry, depth, limit, arguments.offset)
    return ToolResult(
        answer=" ".join(_said(entry, found)),
        data=found,
        page=Page(arguments.offset, found.total_nodes_traversed - found.root_count, found.total_is_minimum),
        confidence=Confidence.MEDIUM if found.unresolved_count else Confidence.HIGH,
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _said(entry: Entry, found: FeatureTraceResponse) -> Iterator[str]:
    from codemap_core.model.counting import counted

    if entry.note:
        yield entry.note
    total = f"{'at least ' if found.total_is_minimum else ''}{counted(found.total_nodes_traversed - found.root_count, 'member')}"
    yield f"{found.entry_point_route or found.entry_point_name}: {total} in {counted(found.depth, 'level')} of calls."
    if found.annotation_counts:
        kinds = (f"{kind.replace('_', ' ')} {count}" for kind, count in found.annotation_counts.items())
        yield f"Facts: {', '.join(kinds)}."
    if found.leads_further_count:
        yield f"{counted(found.leads_further_count, 'member leads', 'members lead')} further (…): depth={found.depth + 1}."
    if found.unresolved_count:
        yield f"{counted(found.unresolved_count, 'call')} could not be resolved: graph.callees with unresolved=true."


TRACE: Final = Tool(
    name="graph.trace_feature",
    title="Trace a feature",
    description="What a request does: a route or method, down to handlers and tables, with facts.",
    arguments=TraceArguments,
    run=trace,
    of_index=True,
)
