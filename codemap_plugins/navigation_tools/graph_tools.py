"""``graph.callers`` and ``graph.callees``: who calls a member, and what it calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence, ResolutionState
from codemap_core.queries.names.wanted import Wanted
from codemap_core.toolkit.arguments import AS_TEXT, RARE, Names, SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import Budget
from codemap_plugins.navigation_tools.trace_tool import TRACE
from codemap_plugins.navigation_tools.wording import named

if TYPE_CHECKING:
    from codemap_core.queries.names.symbol_targets import Target
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.graph import CallGraphResponse, UnresolvedCall
    from codemap_core.queries.views.references import FindRefsResponse

PER_LEVEL: Final = 20
_NAMES_SAID: Final = 6
_PLACES_SAID: Final = 2
_SLOTS_SAID: Final = 3
_FOLLOW: Final = "follow_links=true, or "

Depth = Annotated[int, Meta(ge=1)]
PerLevel = Annotated[int, Meta(description="Rows of one level.", ge=1, extra_json_schema=RARE)]


class CallersArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.callers``."""

    depth: Depth = 1
    limit_per_level: PerLevel = PER_LEVEL
    follow_interface: Annotated[bool, Meta(description="Also through interface or base.")] = False
    follow_links: Annotated[bool, Meta(description="Also by requests, messages and jobs.", extra_json_schema=RARE)] = (
        False
    )


class CalleesArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``graph.callees``."""

    depth: Depth = 1
    limit_per_level: PerLevel = PER_LEVEL
    follow_interface: Annotated[bool, Meta(description="Also implementations of what it calls.")] = False
    unresolved: Annotated[bool, Meta(description="List unresolved calls too.", extra_json_schema=RARE)] = False
    kind: Annotated[
        tuple[str, ...],
        Meta(description="Of references to follow, as in refs.find.", extra_json_schema=RARE | AS_TEXT),
    ] = ()
    kinds: Names = ()


def callers(context: ToolContext, arguments: CallersArguments) -> ToolResult:
    from codemap_core.queries.graph.call_graph import callers as callers_of

    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments, Wanted.MEMBER)
    budget, depth, limit = _limits(arguments)
    found = callers_of(
        snapshot, target, depth, limit, arguments.follow_interface, arguments.follow_links, arguments.offset
    )
    if not found.total_nodes_found:
        found = replace(found, possible_calls=_unresolved_places(snapshot, target, limit))
    answer = " ".join(_callers_said(snapshot, target, found, are_linked=arguments.follow_links))
    return _result(
        snapshot, target, found, arguments.offset, budget, answer, _callers_next(arguments, target, found, depth)
    )


def callees(context: ToolContext, arguments: CalleesArguments) -> ToolResult:
    from codemap_core.queries.graph.call_graph import callees as callees_of
    from codemap_core.queries.graph.references import parse_kinds

    snapshot = open_snapshot(context, arguments)
    kinds = parse_kinds((*arguments.kind, *arguments.kinds), snapshot)
    target = find_target(snapshot, arguments, Wanted.MEMBER)
    budget, depth, limit = _limits(arguments)
    found = callees_of(
        snapshot,
        target,
        depth,
        limit,
        kinds,
        arguments.follow_interface,
        arguments.unresolved,
        arguments.offset,
    )
    answer = " ".join(_callees_said(target, found, arguments))
    return _result(snapshot, target, found, arguments.offset, budget, answer, ())


def _limits(arguments: CallersArguments | CalleesArguments) -> tuple[Budget, int, int]:
    budget = Budget()
    depth = budget.clamped("max_depth", arguments.depth, 1, HARD_CAPS.max_depth)
    limit = budget.clamped("max_references", arguments.limit_per_level, PER_LEVEL, HARD_CAPS.max_references)
    return budget, depth, limit


def _result(
    snapshot: Snapshot,
    target: Target,
    found: CallGraphResponse,
    offset: int,
    budget: Budget,
    answer: str,
    actions: tuple[NextAction, ...],
) -> ToolResult:
    return ToolResult(
        answer=f"{target.note} {answer}".lstrip(),
        data=found,
        page=Page(offset, found.total_nodes_found),
        next_actions=actions,
        confidence=_confidence(found),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _confidence(found: CallGraphResponse) -> Confidence:
    """The confidence of the least certain edge; unresolved calls make an answer less certain, most of all if nothing else is known."""
    if found.possible_calls is not None:
        return Confidence.LOW
    order = tuple(Confidence)
    resolved = (site for node in found.rows if node.unresolved_reason is None for site in node.call_sites)
    least = max((site.confidence for site in resolved), key=order.index, default=None)
    if found.unresolved_count:
        return Confidence.LOW if least is None else max(least, Confidence.MEDIUM, key=order.index)
    return least or Confidence.HIGH


def _callers_said(snapshot: Snapshot, target: Target, found: CallGraphResponse, *, are_linked: bool) -> Iterator[str]:
    """``are_linked``: links were followed, too."""
    from codemap_core.queries.facts.entered import leading_links
    from codemap_core.queries.graph.unseen_uses import unbound_files_said, unnamed_uses_said
    from codemap_core.queries.plain_lines import short_name

    hint = found.interface_implementation_hint
    slots = () if hint is None else tuple(dict.fromkeys(map(short_name, hint.implements)))
    through = ", ".join(slots[:_SLOTS_SAID])
    more = 0 if hint is None else hint.additional_callers_via_interface
    what = named(target)
    if found.total_nodes_found:
        said = f"{_total(found, 'caller')} of {what}{_levels(found)}"
        if hint is not None and hint.included and more:
            said += f", {'all' if more == found.nodes_by_level[0] else f'{more} of them'} only through {through}"
        yield f"{said}."
        if hint is not None and not hint.included and more:
            yield f"{more} more only through {through}: follow_interface=true."
        if not are_linked and (links := leading_links(snapshot, target.symbol_ids, target.projects)):
            yield f"{links.said}: {_FOLLOW if links.come_from_symbols else ''}refs.find with kind=link."
        yield from _possible_calls(snapshot, target)
    else:
        yield from _no_callers_said(snapshot, target, found, are_linked=are_linked)
    if unnamed := unnamed_uses_said(snapshot, target.symbol):
        yield unnamed
    if (found.total_nodes_found or more) and (files := unbound_files_said(snapshot, target.symbol)):
        yield files


def _no_callers_said(
    snapshot: Snapshot, target: Target, found: CallGraphResponse, *, are_linked: bool
) -> Iterator[str]:
    from codemap_core.model.counting import counted
    from codemap_core.queries.facts.entered import leading_links, run_by_a_framework
    from codemap_core.queries.graph.unseen_uses import NOT_SEEN, other_files_said
    from codemap_core.queries.plain_lines import short_name

    what = named(target)
    hint, possible = found.interface_implementation_hint, found.possible_calls
    more = 0 if hint is None else hint.additional_callers_via_interface
    outside = 0 if more else _calls_outside_symbols(snapshot, target)
    if hint is not None and more:
        through = ", ".join(tuple(dict.fromkeys(map(short_name, hint.implements)))[:_SLOTS_SAID])
        yield f"Nothing calls {what} directly; {counted(more, 'caller')} through {through}: follow_interface=true."
    else:
        yield f"No callers of {what}."
    if outside:
        yield f"{counted(outside, 'place')} outside every symbol {'calls' if outside == 1 else 'call'} it: refs.find."
    if possible is not None:
        shown = "" if possible.is_whole else f"; the first {possible.row_count}"
        places = counted(possible.total_count, "place")
        yield f"{places} of the name {target.simple_name!r} could not be resolved and may mean it{shown}:"
    if not more and not outside and possible is None:
        run_by = run_by_a_framework(snapshot, target.symbol_id)
        links = leading_links(snapshot, target.symbol_ids, target.projects)
        if run_by:
            yield run_by
        if links:
            yield f"{links.said}: {_FOLLOW if links.come_from_symbols and not are_linked else ''}refs.find."
        if not run_by and not links:
            yield f"Nothing in the indexed code calls it; {NOT_SEEN}."
            if files := other_files_said(snapshot, target.symbol):
                yield files


def _calls_outside_symbols(snapshot: Snapshot, target: Target) -> int:
    """Uses that no caller stands for, where it has no callers: in languages in which code may stand outside every declaration."""
    from codemap_core.queries.graph.call_graph import CALLER_KINDS
    from codemap_core.storage.reading.reference_lookup import Meaning

    found = snapshot.reader.count_references(Meaning(target.symbol_ids, (), target.projects))
    return sum(each.count for each in found if each.kind in CALLER_KINDS)


def _possible_calls(snapshot: Snapshot, target: Target) -> Iterator[str]:
    """Uses of its name that could not be resolved; where they are, if they are few."""
    from codemap_core.model.counting import counted
    from codemap_core.queries.graph.call_graph import CALLER_KINDS
    from codemap_core.queries.graph.references import ReferenceQuestion, find_references

    question = ReferenceQuestion(kinds=CALLER_KINDS, states=(ResolutionState.UNRESOLVED,))
    total = find_references(snapshot, target, question, limit=0).total_count
    if not total:
        return
    where = "refs.find with resolution_state=unresolved"
    if total <= _PLACES_SAID:
        possible = find_references(snapshot, target, question, limit=total).references
        where = ", ".join(dict.fromkeys(f"{each.file_path}:{each.line_start}" for each in possible))
    yield f"{counted(total, 'place')} of the name {target.simple_name!r} could not be resolved and may mean it: {where}."


def _unresolved_places(snapshot: Snapshot, target: Target, limit: int) -> FindRefsResponse | None:
    """Places of its name that could not be resolved, ``limit`` of them; null where there are none."""
    from codemap_core.queries.graph.call_graph import CALLER_KINDS
    from codemap_core.queries.graph.references import ReferenceQuestion, find_references

    question = ReferenceQuestion(kinds=CALLER_KINDS, states=(ResolutionState.UNRESOLVED,))
    found = find_references(snapshot, target, question, limit=limit)
    return found if found.total_count else None


def _callers_next(
    arguments: CallersArguments, target: Target, found: CallGraphResponse, depth: int
) -> tuple[NextAction, ...]:
    possible = found.possible_calls
    if possible is not None and not possible.is_whole:
        kinds = ",".join(kind.value for kind in possible.by_kind)
        rest = {
            "symbol": target.symbol_id,
            "kind": kinds,
            "resolution_state": "unresolved",
            "offset": possible.row_count,
        }
        return (NextAction("refs.find", "the further places that may call it", rest),)
    hint = found.interface_implementation_hint
    if hint is None or hint.included or not hint.additional_callers_via_interface:
        return ()
    asked = arguments.symbol or arguments.name or target.symbol_id
    followed = {"symbol": asked, "depth": depth, "follow_interface": True}
    if arguments.follow_links:
        followed["follow_links"] = True
    return (NextAction("graph.callers", "with those through interface and base members", followed),)


def _callees_said(
    target: Target,
    found: CallGraphResponse,
    arguments: CalleesArguments,
) -> Iterator[str]:
    from codemap_core.model.counting import counted

    what = named(target)
    if found.lacks_body:
        why = "is a library's, whose code is not indexed" if target.is_external else "has no body"
        known = (
            counted(found.implementation_count, "implementation") if found.implementation_count else "no implementation"
        )
        yield f"{what} {why}; {known} here."
        return
    if found.total_nodes_found > found.unresolved_nodes:
        said = f"{_total(found, 'callee')} of {what}{_levels(found)}"
    elif found.unresolved_count:
        said = f"No callees of {what} are known"
    else:
        yield (
            f"{what} refers to nothing of that kind." if arguments.kind or arguments.kinds else f"{what} calls nothing."
        )
        return
    if found.unresolved_count:
        said += f"; {_unresolved_said(found, listed=arguments.unresolved)}"
    yield f"{said}."
    if found.implementation_count:
        yield f"{counted(found.implementation_count, 'override')} may run in its place: types.hierarchy."


def _unresolved_said(found: CallGraphResponse, *, listed: bool) -> str:
    """``9 calls could not be resolved (a base type is not known: 2, …): Null, ListAsync, …``."""
    from codemap_core.model.counting import counted

    reasons: Counter[str] = Counter()
    for each in found.unresolved_calls:
        reasons[each.reason or "unknown"] += each.count
    why = ", ".join(f"{reason}: {count}" if len(reasons) > 1 else reason for reason, count in reasons.most_common())
    calls = f"{counted(found.unresolved_count, 'call')} could not be resolved ({why})"
    return calls if listed else f"{calls}: {_names(found.unresolved_calls)}"


def _names(calls: tuple[UnresolvedCall, ...]) -> str:
    names = list(dict.fromkeys(each.name for each in calls))
    from codemap_core.model.counting import counted

    left = len(names) - _NAMES_SAID
    return ", ".join(names[:_NAMES_SAID]) + (f" and {counted(left, 'more name')}" if left > 0 else "")


def _total(found: CallGraphResponse, noun: str) -> str:
    from codemap_core.model.counting import counted

    return f"{'at least ' if found.total_is_minimum else ''}{counted(found.total_nodes_found - found.unresolved_nodes, noun)}"


def _levels(found: CallGraphResponse) -> str:
    """`` over 2 levels (7 + 12)``."""
    from codemap_core.model.counting import counted

    if len(found.nodes_by_level) < 2 or found.unresolved_nodes:
        return ""
    return f" over {counted(len(found.nodes_by_level), 'level')} ({' + '.join(map(str, found.nodes_by_level))})"


GRAPH = ToolFamily(
    name="graph",
    title="Call graph",
    tools=(
        Tool(
            name="graph.callers",
            title="Find callers",
            description="Who calls a member, each with the calling line.",
            arguments=CallersArguments,
            run=callers,
            of_index=True,
        ),
        Tool(
            name="graph.callees",
            title="Find callees",
            description="What a method calls; of an interface member, its implementations.",
            arguments=CalleesArguments,
            run=callees,
            of_index=True,
        ),
        TRACE,
    ),
)
