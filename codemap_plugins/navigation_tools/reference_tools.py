"""``refs.find``: every place that means a symbol, listed, grouped or counted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence, ResolutionState
from codemap_core.toolkit.arguments import AS_TEXT, RARE, UNLISTED, Names, SymbolArguments, find_target, open_snapshot
from codemap_core.toolkit.budget import Budget
from codemap_plugins.navigation_tools.wording import named

if TYPE_CHECKING:
    from codemap_core.queries.graph.references import ReferenceQuestion
    from codemap_core.queries.names.symbol_targets import Target
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.references import FindRefsResponse, ReferenceGroupsResponse

_SLOTS_SAID: Final = 3
_FEW: Final = 2
"""References up to which the answer, all of whose rows follow, does not repeat the name as it was asked for."""


class FindArguments(SymbolArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``refs.find``."""

    symbols: Annotated[tuple[str, ...], Meta(description="Several: counts.", extra_json_schema=AS_TEXT)] = ()
    kind: Annotated[
        tuple[str, ...],
        Meta(
            description=(
                "call, read, write, instantiate, override, implementation (default); type, attribute, method_group, "
                "event_subscribe, nameof, cref, operator, import; all"
            ),
            extra_json_schema=AS_TEXT,
        ),
    ] = ()
    kinds: Names = ()
    resolution_state: Annotated[str, Meta(description="resolved or unresolved; both.", extra_json_schema=RARE)] = ""
    path: Annotated[str, Meta(description="Beginnings or globs: src/**/*.cs,!tests/")] = ""
    file_path: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    group_by: Annotated[str, Meta(description="file, project, member, kind: counts.")] = ""
    count_only: Annotated[bool, Meta(extra_json_schema=RARE)] = False
    limit: Annotated[int, Meta(ge=1)] = 50


def find(context: ToolContext, arguments: FindArguments) -> ToolResult:
    from codemap_core.queries.graph.references import (
        ReferenceQuestion,
        find_references,
        group_references,
        parse_grouping,
        parse_kinds,
        parse_states,
    )

    snapshot = open_snapshot(context, arguments)
    question = ReferenceQuestion(
        kinds=parse_kinds((*arguments.kind, *arguments.kinds), snapshot),
        states=parse_states(arguments.resolution_state),
        path=arguments.path or arguments.file_path,
    )
    grouping = parse_grouping(arguments.group_by)
    budget = Budget()
    limit = budget.clamped("max_references", arguments.limit, context.budgets.max_references, HARD_CAPS.max_references)
    if arguments.symbols:
        return _of_several(snapshot, arguments, question, limit, budget)
    target = find_target(snapshot, arguments, question.wanted, or_name=ResolutionState.UNRESOLVED in question.states)
    if target.is_name_alone:
        question = replace(question, states=(ResolutionState.UNRESOLVED,))
    view: FindRefsResponse | ReferenceGroupsResponse
    page: Page | None
    confidence = Confidence.HIGH
    if grouping is not None:
        view = grouped = group_references(snapshot, target, question, grouping, limit, arguments.offset)
        page = Page(arguments.offset, grouped.group_count)
    else:
        view = found = find_references(
            snapshot, target, question, 0 if arguments.count_only else limit, arguments.offset
        )
        page = None if arguments.count_only else Page(arguments.offset, found.total_count)
        confidence = Confidence.LOW if target.is_name_alone else _least(found)
    return ToolResult(
        answer=" ".join((*_said(snapshot, target, view, question), *_not_bound(snapshot, target, view, arguments))),
        data=view,
        page=page,
        notes=tuple(_keyword_note(target)),
        next_actions=_actions(target, view),
        confidence=confidence,
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _of_several(
    snapshot: Snapshot, arguments: FindArguments, question: ReferenceQuestion, limit: int, budget: Budget
) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.model.documentation_id import split_outside
    from codemap_core.queries.graph.references import count_uses

    if arguments.group_by or arguments.symbol or arguments.symbol_id or arguments.name:
        raise InvalidArgumentError("symbols gives one line for each of them: leave symbol and group_by out.")
    # Commas between parameters are not commas between symbols.
    asked = [each.strip() for each in split_outside(",".join(arguments.symbols), ",") if each.strip()]
    one = replace(arguments, symbols=())
    found = count_uses(
        snapshot,
        asked,
        lambda each: find_target(snapshot, replace(one, symbol=each), question.wanted),
        question,
        limit,
        arguments.offset,
    )
    return ToolResult(
        answer=f"References to {counted(len(asked), 'symbol')}.",
        data=found,
        page=Page(arguments.offset, found.total_count),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _least(found: FindRefsResponse) -> Confidence:
    """The lowest confidence of the resolved references; an answer without any has that of the whole index."""
    order = tuple(Confidence)
    resolved = (each for each in found.references if each.resolution_state is ResolutionState.RESOLVED)
    return max((each.confidence for each in resolved), key=order.index, default=Confidence.HIGH)


def _said(
    snapshot: Snapshot,
    target: Target,
    found: FindRefsResponse | ReferenceGroupsResponse,
    question: ReferenceQuestion,
) -> Iterator[str]:
    from codemap_core.model.counting import counted
    from codemap_core.queries.views.references import FindRefsResponse, kinds_said

    what = named(target)
    only_unresolved = ResolutionState.RESOLVED not in question.states
    listed = ResolutionState.UNRESOLVED in question.states
    resolved = found.total_count - (found.unresolved_count if listed else 0)
    if target.note:
        yield target.note
    if target.is_name_alone:
        references = counted(found.unresolved_count, "reference") if found.unresolved_count else "no references"
        usual = f"; {found.usual_kind.value} is not marked" if found.usual_kind and found.row_count else ""
        kinds = f" ({kinds_said(found.by_kind)}{usual})" if found.unresolved_count else ""
        yield (
            f"{target.simple_name} is not declared here nor found in a library; {references} of that name{kinds}"
            f"{_where(found)} could not be resolved."
        )
    elif only_unresolved:
        places = (
            counted(found.unresolved_count, "unresolved occurrence") if found.unresolved_count else "No occurrences"
        )
        yield f"{places} of the name of {what}{_where(found)}."
    else:
        references = counted(resolved, "reference") if resolved else "No references"
        usual = f"; {found.usual_kind.value} is not marked" if found.usual_kind and found.row_count else ""
        kinds = f" ({kinds_said(found.by_kind)}{usual})" if resolved else ""
        repeated = 0 < found.total_count <= _FEW and found.is_whole and target.asked.endswith(what)
        of_what = "" if repeated else f" to {what}"
        yield f"{references}{of_what}{kinds}{_where(found) if resolved else ''}."
    if found.elsewhere_count:
        yield f"{found.elsewhere_count:,} in other paths."
        yield from _path_hint(snapshot, found, question)
    if found.other_kinds:
        others = ", ".join(f"{count:,} {kind.value}" for kind, count in found.other_kinds.items())
        yield f"Other kinds: {others}."
    if found.unresolved_count and not only_unresolved:
        places = counted(found.unresolved_count, "place")
        are_rows = listed and isinstance(found, FindRefsResponse)
        how = ("listed last" if found.row_count else "counted apart") if are_rows else "resolution_state=unresolved"
        yield f"{places} of the name {target.simple_name!r} could not be resolved and may mean it: {how}."
    if not found.total_count and not only_unresolved and not found.elsewhere_count:
        yield from _why_none(snapshot, target, found)


def _not_bound(
    snapshot: Snapshot, target: Target, found: FindRefsResponse | ReferenceGroupsResponse, arguments: FindArguments
) -> Iterator[str]:
    """Beside the first of the uses that are bound, the files that may hold more."""
    from codemap_core.queries.graph.unseen_uses import unbound_files_said, unnamed_uses_said

    is_part = bool(arguments.offset or arguments.path or arguments.file_path)
    has_bound = found.total_count > found.unresolved_count
    if has_bound and not is_part:
        yield from filter(
            None, (unnamed_uses_said(snapshot, target.symbol), unbound_files_said(snapshot, target.symbol))
        )


def _path_hint(
    snapshot: Snapshot, found: FindRefsResponse | ReferenceGroupsResponse, question: ReferenceQuestion
) -> Iterator[str]:
    from codemap_core.queries.names.filter_values import unknown_paths

    hidden_by = None if found.total_count else unknown_paths(snapshot, question.path)
    if hidden_by is not None:
        yield str(hidden_by)


def _where(found: FindRefsResponse | ReferenceGroupsResponse) -> str:
    """`` in 3 files, 2 in tests``; no files where all the rows are there."""
    from codemap_core.model.counting import counted

    tests = f", {found.test_count:,} in tests" if found.test_count else ""
    files = "" if found.is_whole else f" in {counted(found.file_count, 'file')}"
    return f"{files}{tests}" if found.file_count else ""


def _why_none(
    snapshot: Snapshot,
    target: Target,
    found: FindRefsResponse | ReferenceGroupsResponse,
) -> Iterator[str]:
    from codemap_core.queries.dispatch.member_slots import slots_of
    from codemap_core.queries.facts.entered import run_by_a_framework
    from codemap_core.queries.graph.unseen_uses import NOT_SEEN, other_files_said, unnamed_uses_said
    from codemap_core.queries.plain_lines import short_name

    if snapshot.reader.info.reference_count == 0:
        yield "The index holds no references at all: no source was bound in it."
        return
    if unnamed := unnamed_uses_said(snapshot, target.symbol):
        yield unnamed
    slots = slots_of(snapshot, target.symbol_id)
    run_by = run_by_a_framework(snapshot, target.symbol_id)
    if run_by:
        yield run_by
    if slots:
        named = ", ".join(short_name(each) for each in slots[:_SLOTS_SAID])
        yield f"It implements or overrides {named}: graph.callers with follow_interface=true."
    elif not run_by and not found.other_kinds and not found.unresolved_count and not _keyword(target):
        yield f"Nothing in the indexed code names it; {NOT_SEEN}."
        if files := other_files_said(snapshot, target.symbol):
            yield files
        twins = _with_type_parameters(snapshot, target)
        if twins:
            yield f"{', '.join(twins)} {'is another symbol' if len(twins) == 1 else 'are other symbols'}."


def _with_type_parameters(snapshot: Snapshot, target: Target) -> tuple[str, ...]:
    """What is called the same and belongs to a type that has type parameters where the one asked about has none: ``ILogger<T>`` beside
    ``ILogger``, ``Task<TResult>.Wait`` beside ``Task.Wait``."""
    from codemap_core.model.documentation_id import container_of, readable_name
    from codemap_core.storage.reading.symbol_search import SymbolFilter

    type_id = target.symbol_id if target.is_type else container_of(target.symbol_id)
    generic = f"{target.symbol_id[:2]}{type_id[2:]}`"
    named = (target.simple_name,)
    found = (*snapshot.reader.symbols_called(named, SymbolFilter()), *snapshot.reader.library_symbols_called(named))
    twins = {each.symbol_id for each in found if each.symbol_id.startswith(generic)}
    return tuple(sorted({readable_name(each).partition("(")[0] for each in twins}))


def _keyword(target: Target) -> str:
    """The keyword of C# that means a type; empty for any other symbol."""
    from codemap_core.model.special_types import KEYWORDS_BY_ID

    return KEYWORDS_BY_ID.get(target.symbol_id, "")


def _keyword_note(target: Target) -> Iterator[str]:
    keyword = _keyword(target)
    if keyword:
        yield f"The keyword {keyword} means it, too, and is not listed; a text search finds it."


def _actions(target: Target, found: FindRefsResponse | ReferenceGroupsResponse) -> tuple[NextAction, ...]:
    if found.total_count or not found.other_kinds:
        return ()
    kinds = ",".join(kind.value for kind in found.other_kinds)
    symbol = target.simple_name if target.is_name_alone else target.symbol_id
    return (NextAction("refs.find", "those of other kinds", {"symbol": symbol, "kind": kinds}),)


REFS = ToolFamily(
    name="refs",
    title="References",
    tools=(
        Tool(
            name="refs.find",
            title="Find references",
            description="Every use of exactly this symbol, a library's too.",
            arguments=FindArguments,
            run=find,
            of_index=True,
        ),
    ),
)
