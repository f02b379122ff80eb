"""``refs.find``: every place that means a symbol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, to_builtins
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Evidence, NextAction, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence, RefKind, ResolutionState
from codemap_core.toolkit.arguments import SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import EVIDENCE_SHOWN, Budget, fitting

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.symbol_targets import Target
    from codemap_core.queries.views import ClassifiedReference, FindRefsResponse


class FindArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``refs.find``."""

    kind: Annotated[
        str,
        Meta(
            description=(
                "call, read, write, instantiate, override, implementation (default: these, or all if there are none), type, attribute, "
                "method_group, event_subscribe, nameof, cref, ctor_initializer, operator, import; several with commas; all."
            )
        ),
    ] = ""
    resolution_state: Annotated[
        str, Meta(description="resolved (default), or unresolved: places that only have the same name.")
    ] = ""
    limit: Annotated[int, Meta(description=f"References shown, cap {HARD_CAPS.max_references}.", ge=1)] = 50
    offset: Annotated[int, Meta(description="References to skip, for the next page.", ge=0)] = 0


def find(context: ToolContext, arguments: FindArguments) -> ToolResult:
    from codemap_core.queries.references import find_references, parse_kind, parse_state

    kinds = parse_kind(arguments.kind)
    state = parse_state(arguments.resolution_state)
    snapshot = open_snapshot(context, arguments)
    target = find_target(snapshot, arguments)
    budget = Budget()
    limit = budget.clamped("max_references", arguments.limit, context.budgets.max_references, HARD_CAPS.max_references)
    found = find_references(snapshot, target, kinds, state, limit, arguments.offset)
    shown = tuple(fitting(found.references, context.budgets.max_chars, budget.limits_applied))
    if len(shown) < len(found.references):
        found = replace(found, references=shown, truncated=True)
    return ToolResult(
        answer=_answer(context, snapshot, arguments, target, found),
        data=found,
        evidence=tuple(_evidence(snapshot, each) for each in shown[:EVIDENCE_SHOWN]),
        next_actions=_actions(arguments, target, found),
        confidence=_least(found),
        limits_applied=budget.limits_applied,
        answer_files=tuple(dict.fromkeys(each.file_path for each in shown)),
        snapshot=snapshot,
    )


def _evidence(snapshot: Snapshot, reference: ClassifiedReference) -> Evidence:
    return Evidence(
        snapshot.repo_id,
        reference.file_path,
        reference.line_start,
        reference.line_end,
        symbol_id=reference.from_symbol,
        excerpt=reference.excerpt,
    )


def _least(found: FindRefsResponse) -> Confidence:
    """Of what is shown; the confidence of an answer without references is that of the whole index."""
    order = tuple(Confidence)
    return max((each.confidence for each in found.references), key=order.index, default=Confidence.HIGH)


def _answer(
    context: ToolContext, snapshot: Snapshot, arguments: FindArguments, target: Target, found: FindRefsResponse
) -> str:
    what = f"{'library symbol ' if target.is_external else ''}{target.display_name}"
    unresolved = arguments.resolution_state.strip().lower() == ResolutionState.UNRESOLVED
    parts = []
    if target.note:
        parts.append(target.note)
    noun = "unresolved occurrences of the name of" if unresolved else "references to"
    kind = f" of kind {arguments.kind.strip()}" if arguments.kind.strip() else ""
    if found.references:
        first, last = arguments.offset + 1, arguments.offset + len(found.references)
        shown = f"; shown: {first}–{last}" if found.truncated or arguments.offset else ""
        noun = (
            noun.replace("references", "reference").replace("occurrences", "occurrence")
            if found.total_count == 1
            else noun
        )
        parts.append(f"{found.total_count} {noun} {what}{kind}{shown}.")
    elif found.total_count:
        parts.append(f"There are {found.total_count}; offset {arguments.offset} is past the last.")
    else:
        parts.append(f"No {noun} {what}{kind}.")
    if found.other_kinds:
        parts.append(f"Of other kinds: {_counts(found.other_kinds)}.")
    if found.unresolved_count:
        parts.append(
            f"{found.unresolved_count} places with the name {target.simple_name!r} could not be resolved and may mean it: "
            "resolution_state='unresolved'."
        )
    if not found.total_count and not unresolved:
        parts += _why_none(context, snapshot, target, found)
    return " ".join(parts)


def _counts(kinds: Mapping[RefKind, int]) -> str:
    return ", ".join(f"{count} {kind.value}" for kind, count in kinds.items())


def _why_none(context: ToolContext, snapshot: Snapshot, target: Target, found: FindRefsResponse) -> list[str]:
    from codemap_core.queries.references import slots_of

    if snapshot.reader.info.reference_count == 0:
        return ["The index holds no references at all: no C# file was bound in it."]
    said = []
    slots = slots_of(snapshot, target.symbol_id)
    if slots:
        said.append(f"It implements or overrides {', '.join(slots[:3])}: graph.callers with follow_interface=true.")
    elif not found.other_kinds and not found.unresolved_count:
        said.append("Nothing in the indexed C# code names it; reflection, markup and generated code are not seen.")
    changes = context.changes_since(snapshot)
    return [*said, changes] if changes else said


def _actions(arguments: FindArguments, target: Target, found: FindRefsResponse) -> tuple[NextAction, ...]:
    actions = []
    if found.truncated:
        following = _given(arguments)
        following["offset"] = arguments.offset + len(found.references)
        actions.append(NextAction("refs.find", "the next page", following))
    if not found.total_count and found.other_kinds:
        kinds = ",".join(kind.value for kind in found.other_kinds)
        actions.append(
            NextAction("refs.find", "those of other kinds", _given(arguments) | {"kind": kinds, "offset": 0})
        )
    if found.references and found.references[0].from_symbol is not None:
        actions.append(NextAction("symbols.get_card", "the first user", {"symbol_id": found.references[0].from_symbol}))
    elif not target.is_external:
        actions.append(NextAction("symbols.get_card", "the symbol itself", {"symbol_id": target.symbol_id}))
    return tuple(actions)


def _given(arguments: FindArguments) -> dict[str, Any]:
    given = to_builtins(arguments)
    return {
        name: value
        for name, value in given.items()
        if value not in ("", [], 0) and name not in ("repo_path", "name_filter")
    } | ({"name_filter": given["name_filter"]} if arguments.name_filter != type(arguments.name_filter)() else {})


REFS = ToolFamily(
    name="refs",
    title="References",
    tools=(
        Tool(
            name="refs.find",
            title="Find references",
            description=(
                "Find all references to a symbol: usages with kind, enclosing member, place and source line. Exact by symbol, not by "
                "name; works for library symbols (T:Microsoft.Extensions.Logging.ILogger) too. Who calls a method: "
                "graph.callers."
            ),
            arguments=FindArguments,
            run=find,
        ),
    ),
)
