"""``index.diff``: the difference of two indexed revisions, by symbols, facts and references."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.errors import InvalidArgumentError
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.toolkit.arguments import AS_TEXT, RARE, UNLISTED, Names, SnapshotArguments, open_snapshot, parse_kinds

if TYPE_CHECKING:
    from codemap_core.queries.difference.views import Difference

_MOST_ROWS: Final = 500


class DifferenceArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``index.diff``. ``commit_sha`` is another spelling of ``to_commit``, ``kinds`` of ``kind``, ``include_facts=false`` one
    of leaving facts out. ``workspace_id``: of the newer side. Without ``section``: the changes, not what follows from them."""

    from_commit: Annotated[str, Meta(description="A...B: where B left A.")]
    to_commit: str = ""
    section: Annotated[
        tuple[str, ...],
        Meta(description="breaking, facts, projects, symbols, references, tests", extra_json_schema=AS_TEXT),
    ] = ()
    kind: Annotated[tuple[str, ...], Meta(extra_json_schema=AS_TEXT | RARE)] = ()
    kinds: Names = ()
    file_path: str = ""
    project_name: str = ""
    include_facts: Annotated[bool, Meta(extra_json_schema=UNLISTED)] = True
    limit: Annotated[int, Meta(ge=0, extra_json_schema=RARE)] = 0


def difference(context: ToolContext, arguments: DifferenceArguments) -> ToolResult:
    from codemap_core.queries.difference.comparison import CHANGES, Asked, compared, parse_sections
    from codemap_plugins.difference_tools.compatibility import Compatibility

    if not arguments.from_commit.strip():
        raise InvalidArgumentError("Say what to compare with, for example from_commit='main'.")
    if arguments.commit_sha and arguments.to_commit and arguments.commit_sha != arguments.to_commit:
        raise InvalidArgumentError("to_commit and commit_sha name two different commits. Leave one out.")
    sections = parse_sections(arguments.section)
    old = context.snapshot(arguments.repo_path, arguments.from_commit)
    context.check_cancelled()
    new = open_snapshot(context, replace(arguments, commit_sha=arguments.to_commit or arguments.commit_sha))
    asked = Asked(
        sections=sections or CHANGES,
        kinds=parse_kinds((*arguments.kind, *arguments.kinds), old, new),
        files=arguments.file_path,
        project=arguments.project_name,
        facts=arguments.include_facts,
    )
    if old.scope != new.scope:
        raise InvalidArgumentError(
            f"The two indexes do not cover the same: that of {old.commit_sha[:12]} covers {old.scope.label or 'the whole commit'}, that of "
            f"{new.commit_sha[:12]} {new.scope.label or 'the whole commit'}. Index both whole: index.ensure_baseline with commit_sha."
        )
    comparison = compared(old, new, asked, Compatibility)
    view = comparison.page(arguments.offset, min(arguments.limit or _MOST_ROWS, _MOST_ROWS))
    notes: tuple[str, ...] = ()
    if old.reader.info.fingerprint != new.reader.info.fingerprint:
        notes = (
            "The two indexes were built by different versions of CodeMap or its plug-ins, which alone may make rows differ; "
            "codemap index --commit rebuilds one.",
        )
    return ToolResult(
        answer=_sentence(view),
        data=view,
        page=Page(arguments.offset, view.total_count),
        next_actions=() if sections else tuple(_further(view, arguments)),
        notes=notes,
        snapshot=new,
        older=old,
    )


def _further(view: Difference, arguments: DifferenceArguments) -> Iterator[NextAction]:
    """The sections that follow from the changes, which are listed when they are asked for."""
    stats = view.stats
    revisions = {"from_commit": arguments.from_commit}
    if arguments.to_commit:
        revisions["to_commit"] = arguments.to_commit
    if stats.references_gained or stats.references_lost:
        yield NextAction("index.diff", "uses gained and lost", {**revisions, "section": "references"})
    if stats.tests_reaching:
        yield NextAction("index.diff", "tests to run", {**revisions, "section": "tests"})


def _sentence(view: Difference) -> str:
    from codemap_core.model.counting import counted

    stats = view.stats
    revisions = "..".join(view.revisions)
    if stats.is_empty:
        return f"{revisions}: nothing differs."
    said = [f"{revisions}: {counted(stats.files_changed, 'file')} changed"]
    if stats.authorization_lost:
        said.append(f"{counted(stats.authorization_lost, 'place')} lost authorization")
    if stats.breaking_changes:
        said.append(
            counted(stats.breaking_changes, "breaking change of the public API", "breaking changes of the public API")
        )
    said += [f"symbols: {stats.symbols()}", f"facts: {stats.facts()}"]
    if stats.tests_reaching:
        said.append(counted(stats.tests_reaching, "test reaches what changed", "tests reach what changed"))
    return f"{'; '.join(said)}."


DIFFERENCE: Final = ToolFamily(
    name="difference",
    title="Differences",
    tools=(
        Tool(
            name="index.diff",
            title="Compare two revisions",
            description="What changed between two commits: lost authorization, breaking changes, symbols, facts, tests to run.",
            arguments=DifferenceArguments,
            run=difference,
        ),
    ),
)
