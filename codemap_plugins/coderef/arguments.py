"""Arguments of the tools, as the contract's input schemas have them. ``repo_path``, ``workspace_id``, ``commit_sha`` and ``offset`` are
additions that may be left out."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from codemap_core.toolkit.arguments import UNLISTED


class RepositoryArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    repo_path: Annotated[str, Meta(description="A folder in the repository; default: the server's own")] = ""


class IndexArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which state of the repository: without a workspace and a commit that of HEAD, with the edits where the server follows them."""

    workspace_id: Annotated[str, Meta(description="A workspace whose edits are seen; default: none")] = ""
    commit_sha: Annotated[str, Meta(extra_json_schema=UNLISTED)] = ""


class Filter(Struct, frozen=True, forbid_unknown_fields=True):
    type_designators: Annotated[tuple[str, ...], Meta(description='Filter by type (e.g., ["Fn", "C"])')] = ()
    path_pattern: Annotated[str, Meta(description='Glob pattern for path (e.g., "src/*")')] = ""
    metadata_filters: Annotated[
        dict[str, str],
        Meta(
            description="Match metadata values",
            extra_json_schema={"example": {"status": "active", "complexity": "high"}},
        ),
    ] = field(default_factory=dict)
    relationship_types: Annotated[tuple[str, ...], Meta(description="Filter by relationship type")] = ()
    min_line: int | None = None
    max_line: int | None = None
    has_test_coverage: bool | None = None


class QueryArguments(IndexArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    query: Annotated[
        str,
        Meta(
            description="CodeRef2 reference (@Type/path#element:line) or search pattern",
            extra_json_schema={"example": "@Fn/src/utils#calculate:42"},
        ),
    ]
    filter: Annotated[Filter, Meta(description="Optional filter criteria")] = field(default_factory=Filter)
    limit: Annotated[int, Meta(description="Maximum results (1-1000)", ge=1, le=1000)] = 100
    include_relationships: Annotated[bool, Meta(description="Include relationship information")] = True
    include_metadata: Annotated[bool, Meta(description="Include element metadata")] = True
    include_source: Annotated[bool, Meta(description="Include source code snippets")] = False
    offset: Annotated[int, Meta(description="Results to skip, to continue after an earlier page", ge=0)] = 0


class AnalyzeArguments(IndexArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reference: Annotated[
        str,
        Meta(description="CodeRef2 reference to analyze", extra_json_schema={"example": "@Fn/src/core#main:100"}),
    ]
    analysis_type: Annotated[
        str,
        Meta(
            description="Type of analysis",
            extra_json_schema={"enum": ["impact", "deep", "coverage", "complexity"]},
        ),
    ] = "impact"
    depth: Annotated[int, Meta(description="Analysis traversal depth", ge=1, le=10)] = 3
    include_test_impact: Annotated[bool, Meta(description="Include test-related impacts")] = True
    limit: Annotated[int, Meta(description="Maximum elements shown (1-1000)", ge=1, le=1000)] = 100
    offset: Annotated[int, Meta(description="Elements to skip, to continue after an earlier page", ge=0)] = 0


class ValidateArguments(IndexArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``reference`` and ``references`` tell what was not given from what is empty."""

    reference: Annotated[str | UnsetType, Meta(description="Single reference to validate")] = UNSET
    references: Annotated[tuple[str, ...] | UnsetType, Meta(description="Multiple references to validate")] = UNSET
    validate_existence: Annotated[bool, Meta(description="Check if element exists")] = False


class BatchValidateArguments(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    references: Annotated[tuple[str, ...], Meta(description="References to validate", min_length=1)]
    parallel: Annotated[bool, Meta(description="Process in parallel")] = True
    max_workers: Annotated[int, Meta(description="Max concurrent workers", ge=1, le=20)] = 5
    timeout_ms: Annotated[int, Meta(description="Batch timeout milliseconds", ge=1000, le=30000)] = 5000


class ComplianceArguments(IndexArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    reference: Annotated[
        str, Meta(description="CodeRef2 reference or pattern of what to check; default: everything")
    ] = ""
    limit: Annotated[int, Meta(description="Maximum violations shown", ge=1, le=1000)] = 100


class GenerateArguments(RepositoryArguments, frozen=True, kw_only=True, forbid_unknown_fields=True):
    template: Annotated[str, Meta(description="Name of a template of the rule file; default: the only one")] = ""
    name: Annotated[str, Meta(description="Name of what is generated")] = ""
    values: Annotated[dict[str, str], Meta(description="Further values for the template's placeholders")] = field(
        default_factory=dict
    )
