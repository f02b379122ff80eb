"""The contents of an indexed repository in numbers, and the gaps of its index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from codemap_core.model import DocumentRow, DocumentStatus, FactKindInfo, Problem
from codemap_core.model.document import FAULTS
from codemap_core.queries.snapshot import Snapshot
from codemap_core.queries.views.repository import (
    FactCount,
    FileFailure,
    IndexQuality,
    OtherLibraries,
)
from codemap_core.storage.files.examine import IndexInfo

_FAILURES_SHOWN: Final = 5
_REASONS_SHOWN: Final = 5
_SYNTAX: Final = ("syntax",)
_NOT_TEXT: Final = ("too_large", "binary", "lfs_pointer")


def facts_of(snapshot: Snapshot, kinds: Iterable[FactKindInfo]) -> tuple[FactCount, ...]:
    """How many facts there are of each kind. ``kinds``: what plug-ins say of some."""
    titles = {kind.name: kind.title for kind in kinds}
    counts = snapshot.reader.count_facts_by_kind()
    return tuple(FactCount(kind, titles.get(kind, kind), count) for kind, count in counts.items())


def quality_of(snapshot: Snapshot) -> IndexQuality:
    reader = snapshot.reader
    counts = reader.count_documents()
    failed = reader.documents_with_problem(FAULTS)
    broken = reader.documents_with_problem(_SYNTAX) if counts.get(DocumentStatus.FALLBACK) else ()
    skipped = reader.documents_with_problem(_NOT_TEXT) if counts.get(DocumentStatus.SKIPPED) else ()
    unresolved = reader.count_unresolved()
    problems = reader.info.problem_projects
    return IndexQuality(
        files_by_status={status.value: count for status, count in counts.items()},
        failure_count=len(failed),
        failures=tuple(FileFailure(each.file_path, _first(each, FAULTS).message) for each in failed[:_FAILURES_SHOWN]),
        syntax_errors=tuple(
            FileFailure(each.file_path, f"line {problem.line}: {problem.message}")
            for each in broken[:_FAILURES_SHOWN]
            for problem in [_first(each, _SYNTAX)]
        ),
        skipped=tuple(
            FileFailure(each.file_path, _first(each, _NOT_TEXT).message) for each in skipped[:_FAILURES_SHOWN]
        ),
        repository_problems=tuple(
            problem.message for problem in reader.info.project_problems if not problem.project_path
        )[:_FAILURES_SHOWN],
        project_problems=tuple(FileFailure(path, message) for path, message in problems.items())[:_FAILURES_SHOWN],
        problem_project_count=len(problems),
        unresolved_count=unresolved.total,
        unresolved_share=round(unresolved.total / max(1, unresolved.reference_count), 4),
        unresolved_by_reason=dict(list(unresolved.by_reason.items())[:_REASONS_SHOWN]),
        left_out_unresolved_count=unresolved.left_out,
        left_out_file_count=unresolved.left_out_files,
        other_libraries=_other_libraries(reader.info),
    )


def _other_libraries(info: IndexInfo) -> tuple[OtherLibraries, ...]:
    counts = Counter((each.framework, each.libraries) for each in info.project_diagnostics if each.libraries)
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(OtherLibraries(framework, libraries, count) for (framework, libraries), count in ordered)


def _first(document: DocumentRow, codes: Collection[str]) -> Problem:
    return next(problem for problem in document.problems if problem.code in codes)
