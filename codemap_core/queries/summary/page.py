"""One page of an architecture, for a reader who has never seen the repository: projects in layers, entry points, data, messages, what cuts
across, and what was not seen.

On the page every section is brief, a few rows with counts and examples; a section that is asked for alone has a row for each item.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from codemap_core.errors import InvalidArgumentError
from codemap_core.model import FactKind
from codemap_core.queries.facts.past_tables import PastTables
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.summary.project_layers import layered
from codemap_core.queries.summary.rows import Source
from codemap_core.queries.summary.sections import SECTIONS
from codemap_core.queries.views.summary import SummaryResponse, SummarySection, SummaryStats


def name_of(snapshot: Snapshot) -> str:
    """A name for the whole: that of the solution nearest to the root, of several the one with most projects; else that of the project on
    which no other builds."""
    solutions = snapshot.reader.solutions()
    if solutions:
        path = min(solutions, key=lambda each: (each.path.count("/"), -len(each.projects), each.path)).path
        return path.rpartition("/")[2].rpartition(".")[0]
    projects = layered(snapshot.reader.projects())
    return projects[0].project.name if projects else "This repository"


def parse_sections(written: Iterable[str]) -> tuple[str, ...]:
    """Keys of sections, in one text with commas or in several. Raises: InvalidArgumentError for one that does not exist, listing them."""
    wanted = [part.strip().lower() for each in written for part in each.split(",") if part.strip()]
    unknown = [each for each in wanted if each not in SECTIONS]
    if unknown:
        raise InvalidArgumentError(f"There is no section {unknown[0]!r}. Sections: {', '.join(SECTIONS)}.")
    return tuple(dict.fromkeys(wanted))


def summarize(
    snapshot: Snapshot, solution_name: str, sections: Sequence[str] = (), limit: int = 0, offset: int = 0
) -> SummaryResponse:
    """The page; of ``sections`` alone, in full, where any are named: ``limit`` rows of each where that is not 0. Rows behind the first
    ``offset``."""
    source = Source(snapshot)
    made = [SECTIONS[key](source) for key in (sections or SECTIONS)]
    shown = [
        SummarySection(
            key=each.key,
            title=each.title,
            rows=tuple(each.full[: limit or None] if sections else each.brief),
            total=len(each.full) if sections else 0,
        )
        for each in made
        if sections or each.brief or each.is_always
    ]
    view = SummaryResponse(
        solution_name=solution_name,
        commit_sha=snapshot.commit_sha,
        sections=tuple(shown),
        stats=_stats(source),
    )
    return view.behind(offset) if offset else view


def _stats(source: Source) -> SummaryStats:
    info, facts = source.snapshot.reader.info, source.facts

    def different(kind: str, without: AbstractSet[str] = frozenset()) -> int:
        return len({each.value.lower() for each in facts.of(kind)} - without)

    return SummaryStats(
        project_count=len(source.projects),
        test_project_count=len(source.projects) - len(source.production),
        file_count=info.file_count,
        symbol_count=info.symbol_count,
        reference_count=info.reference_count,
        fact_count=sum(facts.kinds.values()),
        endpoint_count=different(FactKind.ROUTE),
        config_key_count=different(FactKind.CONFIG),
        db_table_count=different(FactKind.DB_TABLE, source.snapshot.kept(PastTables).names),
        di_registration_count=len(facts.of(FactKind.DI_REGISTRATION)),
        exception_type_count=different(FactKind.EXCEPTION),
        log_template_count=different(FactKind.LOG),
        semantic_level=source.snapshot.semantic_level.value,
    )
