"""``code.explain``: what the names of a line are bound to, by which rule, and why other candidates lost."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolResult
from codemap_core.toolkit.arguments import RARE, UNLISTED, SnapshotArguments, open_snapshot


class ExplainArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``code.explain``. ``symbol`` is a name that stands on the line; without it and ``column``: every name of the line."""

    file_path: Annotated[str, Meta(min_length=1)]
    line: Annotated[int, Meta(ge=1)]
    column: Annotated[int, Meta(ge=0, extra_json_schema=RARE)] = 0
    symbol: str = ""
    project: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""


def explain(context: ToolContext, arguments: ExplainArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.snapshot import normalise_path
    from codemap_core.queries.views_explanation import explained_line

    snapshot = open_snapshot(context, arguments)
    places = context.explain(
        snapshot,
        normalise_path(arguments.file_path),
        arguments.line,
        arguments.column,
        arguments.symbol.strip(),
        arguments.project.strip(),
    )
    found = explained_line(places, HARD_CAPS.max_results, arguments.offset)
    if found.total_count:
        answer = f"{counted(found.total_count, 'name')} explained."
    else:
        answer = "Nothing is bound there: keywords, namespaces, a declaration's own name, or code that is not compiled."
    return ToolResult(answer=answer, data=found, page=Page(arguments.offset, found.total_count), snapshot=snapshot)


EXPLAIN = Tool(
    name="code.explain",
    title="Explain a binding",
    description="What names on a line are bound to, by which rule, and why others lost.",
    arguments=ExplainArguments,
    run=explain,
)
