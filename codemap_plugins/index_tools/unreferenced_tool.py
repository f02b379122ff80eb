"""``symbols.unreferenced``: dead-code candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolResult
from codemap_core.toolkit.arguments import AS_TEXT, RARE, Names, SnapshotArguments, open_snapshot, parse_kinds
from codemap_core.toolkit.budget import Budget

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.unreferenced import Unreferenced
    from codemap_core.storage.reading.symbol_search import SymbolFilter


class UnreferencedArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``symbols.unreferenced``. ``doubtful``: also what is probably used without being named."""

    file_path: str = ""
    namespace: Annotated[str, Meta(extra_json_schema=RARE)] = ""
    project_name: Annotated[str, Meta(extra_json_schema=RARE)] = ""
    kinds: Annotated[tuple[str, ...], Meta(extra_json_schema=RARE | AS_TEXT)] = ()
    kind: Names = ()
    doubtful: bool = False
    limit: Annotated[int, Meta(ge=1, extra_json_schema=RARE)] = HARD_CAPS.max_results


def unreferenced(context: ToolContext, arguments: UnreferencedArguments) -> ToolResult:
    from codemap_core.queries.graph.unreferenced import find_unreferenced
    from codemap_core.queries.search.symbol_search import symbol_filter

    snapshot = open_snapshot(context, arguments)
    budget = Budget()
    limit = budget.clamped("max_references", arguments.limit, HARD_CAPS.max_results, HARD_CAPS.max_references)
    where = symbol_filter(
        parse_kinds((*arguments.kinds, *arguments.kind), snapshot),
        arguments.namespace,
        arguments.file_path,
        arguments.project_name,
    )
    found = find_unreferenced(
        snapshot,
        where,
        doubtful=arguments.doubtful,
        limit=limit,
        offset=arguments.offset,
        check=context.check_cancelled,
    )
    return ToolResult(
        answer=_answer(found) if found.examined_count else _nothing_examined(snapshot, where),
        data=found,
        page=Page(arguments.offset, found.total_count),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _nothing_examined(snapshot: Snapshot, where: SymbolFilter) -> str:
    from codemap_core.queries.names.filter_values import unknown_value

    hidden_by = unknown_value(snapshot, where)
    return f"No declaration passes the filter.{f' {hidden_by}' if hidden_by else ''}"


def _answer(found: Unreferenced) -> str:
    from codemap_core.model.counting import counted
    from codemap_core.queries.views.unreferenced import SURENESS_WORDS, Sureness

    counts = found.counts
    said = [
        f"{counts[sureness]:,} {words}"
        for sureness, words in SURENESS_WORDS.items()
        if sureness is not Sureness.DOUBTFUL and counts.get(sureness)
    ]
    examined = counted(found.examined_count, "declaration")
    answer = f"{examined} examined: {', '.join(said)}." if said else f"{examined} examined: none is unreferenced."
    doubtful = counts.get(Sureness.DOUBTFUL, 0)
    if not doubtful:
        return answer
    if not found.doubtful_by:
        return f"{answer} {doubtful:,} more {'is' if doubtful == 1 else 'are'} probably used without being named."
    reasons = ", ".join(f"{doubt.value} {count:,}" for doubt, count in found.doubtful_by.items())
    one = doubtful == 1
    return (
        f"{answer} {doubtful:,} more {'is' if one else 'are'} probably used without being named and "
        f"{'is' if one else 'are'} listed with doubtful=true ({reasons})."
    )


UNREFERENCED = Tool(
    name="symbols.unreferenced",
    title="Unreferenced symbols",
    description="Dead-code candidates, surest first, with what speaks against each.",
    arguments=UnreferencedArguments,
    run=unreferenced,
    of_index=True,
)
