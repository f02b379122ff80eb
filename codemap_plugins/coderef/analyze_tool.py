"""``mcp__coderef__analyze``: what a change would reach, what depends on what, how tests cover it, how hard it is to follow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from codemap_core.hooks.capabilities import REPOSITORIES
from codemap_core.hooks.tool import ToolContext, ToolResult
from codemap_core.model.counting import counted
from codemap_core.model.documentation_id import is_type_id
from codemap_core.queries.snapshot import Snapshot
from codemap_plugins.coderef.arguments import AnalyzeArguments
from codemap_plugins.coderef.asked import snapshot_of
from codemap_plugins.coderef.complexity import complexity_of, measured, members_of, score_of
from codemap_plugins.coderef.coverage import CoverageOfTrees
from codemap_plugins.coderef.coverage_analysis import coverage_results
from codemap_plugins.coderef.cycles import cycles
from codemap_plugins.coderef.dependents import Walk, dependencies, dependents, uses_of
from codemap_plugins.coderef.errors import CodeRefCode, CodeRefError
from codemap_plugins.coderef.impact import impact_results
from codemap_plugins.coderef.naming import reference_to
from codemap_plugins.coderef.subject import Subject, read_reference, subject_of
from codemap_plugins.coderef.tests_of import in_tests

MAX_CYCLES: Final = 50
"""Cycles that an answer lists."""
MAX_FILES: Final = 200
"""Files that are measured for one answer."""


def analyze(context: ToolContext, coverage: CoverageOfTrees, arguments: AnalyzeArguments) -> ToolResult:
    run = _ANALYSES.get(arguments.analysis_type)
    if run is None:
        raise CodeRefError(
            CodeRefCode.UNSUPPORTED_ANALYSIS,
            f"There is no analysis {arguments.analysis_type[:40]!r}.",
            "analysis_type",
            f"Analyses: {', '.join(_ANALYSES)}.",
        )
    reference = read_reference(arguments.reference)
    snapshot = snapshot_of(context, arguments)
    subject = subject_of(snapshot, reference)
    answer: dict[str, Any] = {
        "status": "success",
        "reference": arguments.reference,
        "analysis_type": arguments.analysis_type,
        **run(context, coverage, snapshot, subject, arguments),
    }
    if len(subject.elements) > 1:
        answer["message"] = (
            f"The reference means {len(subject.elements):,} elements, which were analyzed together; a line tells them apart."
        )
    return ToolResult(answer="", data=answer, snapshot=snapshot, draws_on_every_file=True)


def _impact(
    context: ToolContext, _: CoverageOfTrees, snapshot: Snapshot, subject: Subject, arguments: AnalyzeArguments
) -> Mapping[str, Any]:
    walk = _dependents(context, snapshot, subject, arguments)
    return impact_results(snapshot, subject, walk, arguments.limit, arguments.offset)


def _deep(
    context: ToolContext, _: CoverageOfTrees, snapshot: Snapshot, subject: Subject, arguments: AnalyzeArguments
) -> Mapping[str, Any]:
    users = _dependents(context, snapshot, subject, arguments)
    used = dependencies(snapshot, subject.symbols, arguments.depth, context.check_cancelled)
    nodes = {*subject.symbols, *users.reached, *used.reached}
    found = cycles(row[:2] for row in chain(users.rows, used.rows) if row[0] in nodes and row[1] in nodes)
    found = _without_types_alone(snapshot, found)
    shown = found[:MAX_CYCLES]
    symbols = {each.number: each for each in snapshot.reader.scans.by_number({node for each in shown for node in each})}
    results: dict[str, Any] = {
        "dependents": {"total": len(users.reached), "by_depth": users.by_depth()},
        "dependencies": {"total": len(used.reached), "by_depth": used.by_depth()},
        "cycles_detected": len(found),
        "cycles": [[str(reference_to(symbols[node])) for node in each if node in symbols] for each in shown],
    }
    if users.is_partial or used.is_partial:
        results["partial"] = True
    return {"results": results}


def _without_types_alone(snapshot: Snapshot, found: list[list[int]]) -> list[list[int]]:
    """A member that uses itself is recursive; a type that names itself, as in ``ILogger<Order>``, does not make a cycle of dependencies."""
    alone = snapshot.reader.scans.by_number({each[0] for each in found if len(each) == 1})
    types = {each.number for each in alone if is_type_id(each.symbol_id)}
    return [each for each in found if len(each) > 1 or each[0] not in types]


def _coverage(
    context: ToolContext, coverage: CoverageOfTrees, snapshot: Snapshot, subject: Subject, arguments: AnalyzeArguments
) -> Mapping[str, Any]:
    reports = coverage.of(context.ask(REPOSITORIES).repository(arguments.repo_path), snapshot)
    return {
        "coverage_results": coverage_results(
            snapshot, subject, reports, arguments.depth, arguments.limit, context.check_cancelled
        )
    }


def _complexity(
    context: ToolContext, _: CoverageOfTrees, snapshot: Snapshot, subject: Subject, arguments: AnalyzeArguments
) -> Mapping[str, Any]:
    elements = subject.members
    files = {each.file_path for each in elements}
    if len(files) > MAX_FILES:
        raise CodeRefError(
            CodeRefCode.ANALYSIS_ERROR,
            f"The reference means code in {counted(len(files), 'file')}; the maximum is {MAX_FILES}.",
            "reference",
            "Name a part of it.",
        )
    measures = measured(context, snapshot, elements, MAX_FILES)
    known = [(each, members_of(each, measures), complexity_of(each, measures)) for each in elements]
    hardest = sorted(
        ((each, members[0], one) for each, members, one in known if one is not None),
        key=lambda found: (-found[2].score, str(found[0].reference)),
    )
    if not hardest:
        raise CodeRefError(
            CodeRefCode.ANALYSIS_ERROR,
            "There is no code to measure: it declares no member with a body or an initializer.",
            "reference",
        )
    top = hardest[0][2]
    return {
        "complexity_score": top.score,
        "complexity_category": top.category.value,
        "complexity_results": {
            "cyclomatic": sum(member.cyclomatic for _, member, _ in hardest),
            "cognitive": sum(member.cognitive for _, member, _ in hardest),
            "measured_members": len(hardest),
            "hardest_members": [
                {
                    "reference": str(each.reference),
                    "cyclomatic": member.cyclomatic,
                    "cognitive": member.cognitive,
                    "complexity_score": score_of(member),
                }
                for each, member, _ in hardest[arguments.offset : arguments.offset + arguments.limit]
            ],
        },
    }


def _dependents(context: ToolContext, snapshot: Snapshot, subject: Subject, arguments: AnalyzeArguments) -> Walk:
    def left_out(numbers: Collection[int]) -> Collection[int]:
        return () if arguments.include_test_impact else in_tests(snapshot, numbers)

    uses = partial(uses_of, snapshot)
    return dependents(uses, subject.symbols, arguments.depth, context.check_cancelled, left_out)


_Analysis = Callable[[ToolContext, CoverageOfTrees, Snapshot, Subject, AnalyzeArguments], Mapping[str, Any]]
_ANALYSES: Final[Mapping[str, _Analysis]] = {
    "impact": _impact,
    "deep": _deep,
    "coverage": _coverage,
    "complexity": _complexity,
}
