"""``code.explain``: what the names of a line are bound to, by which rule, and why other candidates lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.capabilities import EXPLANATIONS
from codemap_core.hooks.tool import Page, Tool, ToolContext, ToolResult
from codemap_core.toolkit.arguments import RARE, UNLISTED, SnapshotArguments, open_snapshot

if TYPE_CHECKING:
    from codemap_core.queries.snapshot import Snapshot


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
    from codemap_core.queries.views.explanation import explained_line

    snapshot = open_snapshot(context, arguments)
    file_path = normalise_path(arguments.file_path)
    _check_place(snapshot, file_path, arguments.line)
    places = context.ask(EXPLANATIONS).explain(
        snapshot,
        file_path,
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


def _check_place(snapshot: Snapshot, file_path: str, line: int) -> None:
    """Explaining takes seconds, and a place that the index does not have need not wait for them. Raises: NotFoundError,
    InvalidArgumentError."""
    from codemap_core.errors import InvalidArgumentError
    from codemap_core.model.counting import counted
    from codemap_core.queries.cards.source_text import split_lines

    count = len(split_lines(snapshot.file_text(file_path)))
    if line > count:
        raise InvalidArgumentError(
            f"{file_path} has {counted(count, 'line')}; there is no line {line}.", file_path=file_path
        )


EXPLAIN = Tool(
    name="code.explain",
    title="Explain a binding",
    description="What names on a line are bound to, by which rule, and why others lost.",
    arguments=ExplainArguments,
    run=explain,
)
