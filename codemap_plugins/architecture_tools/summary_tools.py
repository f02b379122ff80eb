"""``codemap.summarize`` and ``codemap.export``: an architecture on one page, and as a text of a chosen size."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import LimitApplied, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import AS_TEXT, RARE, UNLISTED, Names, SnapshotArguments, open_snapshot

_ENVELOPE: Final = 800
"""Characters of an answer that an export leaves to what stands around it."""
_ESCAPES_SHARE: Final = 4
"""A quarter is left to quotes and line ends as JSON writes them, where that is more."""


class SummarizeArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``codemap.summarize``. ``section_filter`` is another spelling of ``section``."""

    section: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT)] = ()
    section_filter: Names = ()
    max_items_per_section: Annotated[int, Meta(ge=0, extra_json_schema=RARE)] = 0


class ExportArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``codemap.export``, which has one page."""

    cursor: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""
    format: Annotated[str, Meta(description="markdown or json.", extra_json_schema=RARE)] = "markdown"
    detail: Annotated[str, Meta(description="summary, standard or full.", extra_json_schema=RARE)] = "standard"
    max_tokens: Annotated[int, Meta(ge=1)] = 4000
    section_filter: Names = ()


def summarize(context: ToolContext, arguments: SummarizeArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.summary.page import name_of, parse_sections, summarize

    sections = parse_sections((*arguments.section, *arguments.section_filter))
    snapshot = open_snapshot(context, arguments)
    view = summarize(snapshot, name_of(snapshot), sections, arguments.max_items_per_section, arguments.offset)
    stats = view.stats
    answer = (
        f"{view.solution_name} at {snapshot.commit_sha[:12]}: {counted(stats.project_count, 'project')}, "
        f"{counted(stats.file_count, 'file')}, {counted(stats.symbol_count, 'symbol')}, {counted(stats.fact_count, 'fact')}."
    )
    return ToolResult(
        draws_on_every_file=True,
        answer=answer,
        data=view,
        page=Page(arguments.offset, arguments.offset + view.row_count),
        snapshot=snapshot,
    )


def export(context: ToolContext, arguments: ExportArguments) -> ToolResult:
    from codemap_core.queries.summary.export import export, parse_detail, parse_format
    from codemap_core.queries.summary.page import name_of, parse_sections

    format_, detail = parse_format(arguments.format), parse_detail(arguments.detail)
    sections = parse_sections(arguments.section_filter)
    snapshot = open_snapshot(context, arguments)
    characters = min(arguments.max_chars or HARD_CAPS.max_chars, HARD_CAPS.max_chars)
    cap = max(1, (characters - max(_ENVELOPE, characters // _ESCAPES_SHARE)) // 4)
    limits = {"max_tokens": LimitApplied(arguments.max_tokens, cap)} if arguments.max_tokens > cap else {}
    view = export(snapshot, name_of(snapshot), format_, detail, min(arguments.max_tokens, cap), sections)
    wider = "max_chars" if arguments.max_chars and limits else "max_tokens"
    left = f" More fits into a larger {wider}." if view.truncated else ""
    return ToolResult(
        draws_on_every_file=True,
        answer=f"About {view.estimated_tokens:,} tokens.{left}",
        data=view,
        limits_applied=limits,
        snapshot=snapshot,
    )


CODEMAP: Final = ToolFamily(
    name="codemap",
    title="Architecture",
    tools=(
        Tool(
            name="codemap.summarize",
            title="Summarize the architecture",
            description="The architecture on one page: start here; or one section in full.",
            arguments=SummarizeArguments,
            run=summarize,
        ),
        Tool(
            name="codemap.export",
            title="Export context",
            description="Summary and public types as one long text.",
            arguments=ExportArguments,
            run=export,
        ),
    ),
)
