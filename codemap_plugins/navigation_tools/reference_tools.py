"""``refs.find``: every place that means a symbol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.toolkit.arguments import AS_TEXT, Names, SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import Budget

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import Target
    from codemap_core.queries.views import FindRefsResponse


class FindArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``refs.find``."""

    kind: Annotated[
        tuple[str, ...],
        Meta(
            description=(
                "call, read, write, instantiate, override, implementation (these by default), type, attribute, method_group, "
                "event_subscribe, nameof, cref, operator, import; all."
            ),
            extra_json_schema=AS_TEXT,
        ),
    ] = ()
    kinds: Names = ()
    resolution_state: Annotated[str, Meta(description="resolved, unresolved (same name only), both.")] = "both"
    limit: Annotated[int, Meta(ge=1)] = 50


def find(context: ToolContext, arguments: FindArguments) -> ToolResult:
    from codemap_core.queries.references import find_references, parse_kinds, parse_states

    kinds = parse_kinds((*arguments.kind, *arguments.kinds))
    states = parse_states(arguments.resolution_state)
    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments)
    budget = Budget()
    limit = budget.clamped("max_references", arguments.limit, context.budgets.max_references, HARD_CAPS.max_references)
    found = find_references(snapshot, target, kinds, states, limit, arguments.offset)
    return ToolResult(
        answer=_answer(snapshot, target, found, states),
        data=found,
        page=Page(arguments.offset, found.total_count),
        next_actions=_actions(target, found),
        confidence=_least(found),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _least(found: FindRefsResponse) -> Confidence:
    """Of what was resolved; the confidence of an answer without references is that of the whole index."""
    order = tuple(Confidence)
    resolved = (each for each in found.references if each.resolution_state is ResolutionState.RESOLVED)
    return max((each.confidence for each in resolved), key=order.index, default=Confidence.HIGH)


def _answer(
    snapshot: Snapshot,
    target: Target,
    found: FindRefsResponse,
    states: tuple[ResolutionState, ...],
) -> str:
    from codemap_core.queries.plain_lines import counted

    what = f"{'library symbol ' if target.is_external else ''}{target.display_name}"
    unresolved = found.unresolved_count if ResolutionState.UNRESOLVED in states else 0
    resolved = found.total_count - unresolved
    only_unresolved = ResolutionState.RESOLVED not in states
    parts = []
    if target.note:
        parts.append(target.note)
    if only_unresolved:
        places = counted(unresolved, "unresolved occurrence") if unresolved else "No unresolved occurrences"
        parts.append(f"{places} of the name of {what}.")
    else:
        references = counted(resolved, "reference") if resolved else "No references"
        parts.append(f"{references} to {what}{f' ({_counts(found.by_kind)})' if resolved and not unresolved else ''}.")
    if found.other_kinds:
        parts.append(f"Of other kinds: {_counts(found.other_kinds)}.")
    if found.unresolved_count and not only_unresolved:
        places = counted(found.unresolved_count, "place")
        listed = "listed last" if unresolved else "resolution_state=unresolved"
        parts.append(f"{places} of the name {target.simple_name!r} could not be resolved and may mean it: {listed}.")
    if not resolved and not unresolved and not only_unresolved:
        parts += _why_none(snapshot, target, found)
    return " ".join(parts)


def _counts(kinds: Mapping[RefKind, int]) -> str:
    return ", ".join(f"{count:,} {kind.value}" for kind, count in kinds.items())


def _why_none(snapshot: Snapshot, target: Target, found: FindRefsResponse) -> list[str]:
    from codemap_core.queries.references import slots_of

    if snapshot.reader.info.reference_count == 0:
        return ["The index holds no references at all: no C# file was bound in it."]
    said = []
    slots = slots_of(snapshot, target.symbol_id)
    if slots:
        said.append(f"It implements or overrides {', '.join(slots[:3])}: graph.callers with follow_interface=true.")
    elif not found.other_kinds and not found.unresolved_count:
        said.append("Nothing in the indexed C# code names it; reflection, markup and generated code are not seen.")
    return said


def _actions(target: Target, found: FindRefsResponse) -> tuple[NextAction, ...]:
    if found.total_count or not found.other_kinds:
        return ()
    kinds = ",".join(kind.value for kind in found.other_kinds)
    return (NextAction("refs.find", "those of other kinds", {"symbol": target.symbol_id, "kind": kinds}),)


REFS = ToolFamily(
    name="refs",
    title="References",
    tools=(
        Tool(
            name="refs.find",
            title="Find references",
            description="Every usage of a symbol, of a library's too: exact by symbol, not by name, with its line.",
            arguments=FindArguments,
            run=find,
        ),
    ),
)
