"""What an indexed repository consists of, in numbers."""

from __future__ import annotations

from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views import RepositorySummary


def summarise(snapshot: Snapshot) -> RepositorySummary:
    info = snapshot.reader.info
    return RepositorySummary(
        repo_id=info.repo_id,
        commit_sha=info.commit_sha,
        semantic_level=info.semantic_level,
        created_at=info.created_at,
        project_count=info.project_count,
        file_count=info.file_count,
        symbol_count=info.symbol_count,
        reference_count=info.reference_count,
        fact_count=info.fact_count,
        symbols_by_kind={kind.value: count for kind, count in snapshot.reader.count_symbols_by_kind().items()},
        facts_by_kind=snapshot.reader.count_facts_by_kind(),
    )
