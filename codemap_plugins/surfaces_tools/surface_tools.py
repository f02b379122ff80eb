"""``surfaces.list_endpoints``, ``list_config_keys``, ``list_db_tables`` and ``list_facts``: architectural facts, filtered and paged."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta
from msgspec.structs import replace

from codemap_core.config import HARD_CAPS
from codemap_core.hooks.tool import NextAction, Page, Tool, ToolContext, ToolFamily, ToolResult
from codemap_core.model import Confidence, FactKind
from codemap_core.toolkit.arguments import RARE, SnapshotArguments, open_snapshot
from codemap_core.toolkit.budget import Budget

if TYPE_CHECKING:
    from codemap_core.queries.facts.fact_listing import FactQuestion
    from codemap_core.queries.snapshot import Snapshot
    from codemap_core.queries.views.absence import Absence
    from codemap_core.queries.views.facts import ListedFacts


class SurfaceArguments(SnapshotArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What narrows every list of facts. ``file_path``: beginnings and globs, with commas. ``tests``: facts of test projects too;
    ``only_tests``: no others."""

    file_path: Annotated[str, Meta(description="Beginnings or globs: src/**/*.cs,!tests/", extra_json_schema=RARE)] = ""
    project_name: Annotated[str, Meta(extra_json_schema=RARE)] = ""
    tests: Annotated[bool, Meta(description="Those of test projects too.", extra_json_schema=RARE)] = True
    only_tests: Annotated[bool, Meta(description="No others.", extra_json_schema=RARE)] = False
    limit: Annotated[int, Meta(ge=1, extra_json_schema=RARE)] = HARD_CAPS.max_results


class EndpointArguments(SurfaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``surfaces.list_endpoints``. ``open``: only those that nothing is seen to demand anything of callers of."""

    path_filter: str = ""
    http_method: str = ""
    open: Annotated[
        bool,
        Meta(
            description="Only those that demand nothing of callers, without routes by convention.",
            extra_json_schema=RARE,
        ),
    ] = False


class ConfigKeyArguments(SurfaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``surfaces.list_config_keys``. ``unused``, ``undefined``: only keys that a settings file defines and no code reads, only
    keys that code reads and no settings file defines; both of them where both are asked for."""

    key_filter: str = ""
    unused: Annotated[
        bool, Meta(description="Only keys in settings files that no code reads.", extra_json_schema=RARE)
    ] = False
    undefined: Annotated[bool, Meta(description="Only keys that no settings file defines.", extra_json_schema=RARE)] = (
        False
    )

    @property
    def marks(self) -> tuple[str, ...]:
        """The keys of a fact's detail that say so."""
        return tuple(name for name in ("unused", "undefined") if getattr(self, name))


class TableArguments(SurfaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``surfaces.list_db_tables``."""

    table_filter: str = ""


class FactArguments(SurfaceArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of ``surfaces.list_facts``. Without ``kind``: the kinds there are."""

    kind: Annotated[str, Meta(description="exception, log, middleware, …")] = ""
    filter: Annotated[str, Meta(description="A beginning, or with *.")] = ""
    file_path: str = ""


def list_endpoints(context: ToolContext, arguments: EndpointArguments) -> ToolResult:
    from codemap_core.queries.facts import fact_listing

    snapshot = open_snapshot(context, arguments)
    question = _question(arguments, FactKind.ROUTE, arguments.path_filter, arguments.http_method.strip())
    question = replace(question, is_open=arguments.open)
    limit, budget = _limit(arguments)
    found = fact_listing.list_endpoints(snapshot, question, limit, arguments.offset)
    is_mixed = 0 < found.open_count < found.total_count
    of_which = [f"{found.open_count:,} open to everybody as far as is seen"] if is_mixed else []
    listed = _listed(context, snapshot, arguments, question, found, budget, "endpoint", of_which=of_which)
    further = (NextAction("surfaces.list_endpoints", "only the open ones", {"open": True}),)
    return replace(listed, next_actions=further) if is_mixed and found.truncated else listed


def list_config_keys(context: ToolContext, arguments: ConfigKeyArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.facts import fact_listing

    snapshot = open_snapshot(context, arguments)
    question = replace(_question(arguments, FactKind.CONFIG, arguments.key_filter), marks=arguments.marks)
    limit, budget = _limit(arguments)
    found = fact_listing.list_config_keys(snapshot, question, limit, arguments.offset)
    keys = counted(found.key_count, "configuration key")
    one, several = f"place that uses or defines {keys}", f"places that use or define {keys}"
    counts = {"unused": found.unused_count, "undefined": found.undefined_count}
    marked = {mark: count for mark, count in counts.items() if count and not arguments.marks}
    listed = _listed(
        context,
        snapshot,
        arguments,
        question,
        found,
        budget,
        one,
        several if found.key_count else "configuration keys",
        [f"{count:,} {mark}" for mark, count in marked.items()],
    )
    further = (NextAction("surfaces.list_config_keys", f"only the {mark} ones", {mark: True}) for mark in marked)
    return replace(listed, next_actions=tuple(further)) if found.truncated else listed


def list_db_tables(context: ToolContext, arguments: TableArguments) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.facts import fact_listing

    snapshot = open_snapshot(context, arguments)
    question = _question(arguments, FactKind.DB_TABLE, arguments.table_filter)
    limit, budget = _limit(arguments)
    found = fact_listing.list_db_tables(snapshot, question, limit, arguments.offset)
    dropped = f" Migrations have dropped {found.dropped_count:,} of them." if found.dropped_count else ""
    answer = f"{counted(found.total_count, 'table')}, named in {counted(found.use_count, 'place')}.{dropped}"
    if found.total_count:
        answer = f"{_further_on(snapshot, question)}{answer}"
    else:
        absence = _absence(context, snapshot, question)
        found, answer = replace(found, absence=absence), f"No tables. {_why(absence)}"
    cut = next((each for each in found.tables if each.left_out), None)
    all_of_one = {} if cut is None else {"kind": FactKind.DB_TABLE.value, "filter": cut.table_name}
    return ToolResult(
        answer=answer,
        data=found,
        next_actions=(NextAction("surfaces.list_facts", "all places of a table", all_of_one),) if all_of_one else (),
        page=Page(arguments.offset, found.total_count),
        confidence=_least(each.confidence for each in found.tables),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def list_facts(context: ToolContext, arguments: FactArguments) -> ToolResult:
    from codemap_core.queries.facts import fact_listing
    from codemap_core.queries.facts.fact_absence import known_kind

    snapshot = open_snapshot(context, arguments)
    if not arguments.kind.strip():
        return _kinds(context, snapshot)
    kind = known_kind(snapshot, arguments.kind, context.fact_sources)
    question = _question(arguments, kind, arguments.filter)
    limit, budget = _limit(arguments)
    source = context.fact_sources.of(kind)
    shown = source.shown if source is not None else ()
    found = fact_listing.list_facts(snapshot, question, limit, arguments.offset, shown)
    one, several = f"fact of kind {kind}", f"facts of kind {kind}"
    documented = [f"{found.documented_count:,} documented only"] if found.documented_count else []
    return _listed(context, snapshot, arguments, question, found, budget, one, several, documented)


def _question(arguments: SurfaceArguments, kind: str, text: str, verb: str = "") -> FactQuestion:
    from codemap_core.queries.facts.fact_listing import FactQuestion

    return FactQuestion(
        kind=kind,
        text=text.strip(),
        verb=verb,
        path=arguments.file_path.strip(),
        project=arguments.project_name.strip(),
        tests=True if arguments.only_tests else None if arguments.tests else False,
    )


def _limit(arguments: SurfaceArguments) -> tuple[int, Budget]:
    budget = Budget()
    return budget.clamped("max_results", arguments.limit, HARD_CAPS.max_results, HARD_CAPS.max_references), budget


def _listed(
    context: ToolContext,
    snapshot: Snapshot,
    arguments: SurfaceArguments,
    question: FactQuestion,
    found: ListedFacts,
    budget: Budget,
    noun: str,
    plural: str = "",
    of_which: Sequence[str] = (),
) -> ToolResult:
    from codemap_core.model.counting import counted

    if found.total_count:
        in_files = counted(found.total_count, noun, plural)
        if found.row_count < found.total_count:
            in_files += f" in {counted(found.file_count, 'file')}"
        in_tests = [f"{found.test_count:,} in tests"] if found.test_count else []
        answer = f"{_further_on(snapshot, question)}{', '.join([in_files, *in_tests, *of_which])}."
    else:
        absence = _absence(context, snapshot, question)
        found, answer = replace(found, absence=absence), f"No {plural or f'{noun}s'}. {_why(absence)}"
    return ToolResult(
        answer=answer,
        data=found,
        page=Page(arguments.offset, found.total_count),
        confidence=_least(each.confidence for each in found.rows),
        limits_applied=budget.limits_applied,
        snapshot=snapshot,
    )


def _further_on(snapshot: Snapshot, question: FactQuestion) -> str:
    """Said before what was found where the filter's text begins none of it."""
    from codemap_core.queries.facts.fact_listing import is_further_on, matching
    from codemap_core.queries.plain_lines import clipped

    is_said = question.text and is_further_on(question, matching(snapshot, question))
    return f"None begins with {clipped(question.text)!r}. " if is_said else ""


def _absence(context: ToolContext, snapshot: Snapshot, question: FactQuestion) -> Absence:
    from codemap_core.queries.facts.fact_absence import why_none

    return why_none(snapshot, question, context.fact_sources)


def _why(absence: Absence) -> str:
    return absence.said(build="call index.ensure_baseline", look="repo.status")


def _kinds(context: ToolContext, snapshot: Snapshot) -> ToolResult:
    from codemap_core.model.counting import counted
    from codemap_core.queries.facts.fact_listing import count_kinds

    found = count_kinds(snapshot, context.fact_sources)
    total = sum(each.count for each in found.kinds)
    kinds = sum(each.count > 0 for each in found.kinds)
    return ToolResult(answer=f"{counted(total, 'fact')} of {counted(kinds, 'kind')}.", data=found, snapshot=snapshot)


def _least(confidences: Iterable[Confidence]) -> Confidence:
    """The lowest; an answer without facts has that of the whole index."""
    return max(confidences, key=tuple(Confidence).index, default=Confidence.HIGH)


SURFACES = ToolFamily(
    name="surfaces",
    title="Architectural facts",
    tools=(
        Tool(
            name="surfaces.list_endpoints",
            title="Endpoints",
            description="HTTP routes with handlers and policies; hubs, gRPC, pages.",
            arguments=EndpointArguments,
            run=list_endpoints,
            of_index=True,
        ),
        Tool(
            name="surfaces.list_config_keys",
            title="Configuration keys",
            description="Configuration keys and environment variables: uses and definitions.",
            arguments=ConfigKeyArguments,
            run=list_config_keys,
            of_index=True,
        ),
        Tool(
            name="surfaces.list_db_tables",
            title="Database tables",
            description="Tables, and the mappings and SQL that name them.",
            arguments=TableArguments,
            run=list_db_tables,
            of_index=True,
        ),
        Tool(
            name="surfaces.list_facts",
            title="Facts",
            description="Architectural facts of a kind; without kind, the kinds.",
            arguments=FactArguments,
            run=list_facts,
            of_index=True,
        ),
    ),
)
