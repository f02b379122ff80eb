"""The family of tools. Light to import: what runs them is loaded by the first call."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from codemap_core.hooks.tool import Tool, ToolContext, ToolFamily, ToolResult
from codemap_plugins.coderef.arguments import (
    AnalyzeArguments,
    BatchValidateArguments,
    ComplianceArguments,
    GenerateArguments,
    QueryArguments,
    ValidateArguments,
)
from codemap_plugins.coderef.contract import CodeRefContract
from codemap_plugins.coderef.errors import PREFIX

if TYPE_CHECKING:
    from codemap_plugins.coderef.coverage import CoverageOfTrees


@cache
def _coverage() -> CoverageOfTrees:
    """Shared by all calls of the process."""
    from codemap_plugins.coderef.coverage import CoverageOfTrees

    return CoverageOfTrees()


def _query(context: ToolContext, arguments: QueryArguments) -> ToolResult:
    from codemap_plugins.coderef.query_tool import query

    return query(context, _coverage(), arguments)


def _analyze(context: ToolContext, arguments: AnalyzeArguments) -> ToolResult:
    from codemap_plugins.coderef.analyze_tool import analyze

    return analyze(context, _coverage(), arguments)


def _validate(context: ToolContext, arguments: ValidateArguments) -> ToolResult:
    from codemap_plugins.coderef.validation_tools import validate

    return validate(context, arguments)


def _batch_validate(context: ToolContext, arguments: BatchValidateArguments) -> ToolResult:
    from codemap_plugins.coderef.validation_tools import batch_validate

    return batch_validate(context, arguments)


def _check_compliance(context: ToolContext, arguments: ComplianceArguments) -> ToolResult:
    from codemap_plugins.coderef.uds_tools import check_compliance

    return check_compliance(context, _coverage(), arguments)


def _generate(context: ToolContext, arguments: GenerateArguments) -> ToolResult:
    from codemap_plugins.coderef.uds_tools import generate

    return generate(context, arguments)


CODEREF: Final = ToolFamily(
    name="coderef",
    title="CodeRef2",
    tools=(
        Tool(
            name=f"{PREFIX}query",
            title="Find elements",
            description="Find and retrieve CodeRef2 elements by reference or pattern matching.",
            arguments=QueryArguments,
            run=_query,
        ),
        Tool(
            name=f"{PREFIX}analyze",
            title="Analyze an element",
            description="Perform deep analysis on CodeRef2 elements (impact, coverage, complexity, graph traversal).",
            arguments=AnalyzeArguments,
            run=_analyze,
        ),
        Tool(
            name=f"{PREFIX}validate",
            title="Validate references",
            description="Validate CodeRef2 reference format and structure. Supports single or multiple references.",
            arguments=ValidateArguments,
            run=_validate,
        ),
        Tool(
            name=f"{PREFIX}batch_validate",
            title="Validate many references",
            description="Validate multiple references efficiently (sequential or parallel).",
            arguments=BatchValidateArguments,
            run=_batch_validate,
        ),
        Tool(
            name=f"{PREFIX}uds_compliance_check",
            title="Check compliance",
            description="Check elements against the rules of .coderef/uds.json or uds.toml; pending where there is no such file.",
            arguments=ComplianceArguments,
            run=_check_compliance,
        ),
        Tool(
            name=f"{PREFIX}generate_with_uds",
            title="Generate by the rules",
            description="Generate code from a template of .coderef/uds.json or uds.toml, checked against its rules; writes nothing.",
            arguments=GenerateArguments,
            run=_generate,
        ),
    ),
    on_request=True,
    instructions=(
        f"CodeRef2 references name elements: @M/src/Order.cs#Order.Submit:12. {PREFIX}query finds them by pattern, {PREFIX}analyze says "
        f"what a change would reach, {PREFIX}validate whether references still hold."
    ),
    contract=CodeRefContract(),
)
