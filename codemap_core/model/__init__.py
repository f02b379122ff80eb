"""Inert values that flow through the stages: what a file, project, symbol, reference, relation and fact is.

Invariants: frozen; tuples, never lists; no behaviour beyond derived views; paths are relative to the git root with ``/``; lines are
1-based; columns are 1-based UTF-16 code units; byte spans are half-open. Every row is owned by exactly one document (``file_path``).
"""

from codemap_core.model.document import (
    Blob,
    DocumentRow,
    DocumentStatus,
    Problem,
    TextSpan,
)
from codemap_core.model.evidence import Evidence
from codemap_core.model.explanation import CandidateExplanation, Explanation, PlaceExplanation
from codemap_core.model.fact import CATCH, DOCUMENTED, HOLE, FactKind, FactRow, split_value
from codemap_core.model.fact_kinds import FactKindInfo, FactSource, FactSources
from codemap_core.model.library_symbol import LibrarySymbolRow
from codemap_core.model.project import PackageReference, Project, ProjectGraph, ProjectProblem, Solution
from codemap_core.model.reference import ReferenceRow, RefKind, ResolutionState, UnresolvedReason
from codemap_core.model.relation import RelationKind, RelationRow
from codemap_core.model.symbol import (
    Confidence,
    Documentation,
    SemanticLevel,
    SymbolKind,
    SymbolPart,
    SymbolRow,
    Visibility,
    plain_symbol,
)

__all__ = [
    "CATCH",
    "DOCUMENTED",
    "HOLE",
    "Blob",
    "CandidateExplanation",
    "Confidence",
    "DocumentRow",
    "DocumentStatus",
    "Documentation",
    "Evidence",
    "Explanation",
    "FactKind",
    "FactKindInfo",
    "FactRow",
    "FactSource",
    "FactSources",
    "LibrarySymbolRow",
    "PackageReference",
    "PlaceExplanation",
    "Problem",
    "Project",
    "ProjectGraph",
    "ProjectProblem",
    "RefKind",
    "ReferenceRow",
    "RelationKind",
    "RelationRow",
    "ResolutionState",
    "SemanticLevel",
    "Solution",
    "SymbolKind",
    "SymbolPart",
    "SymbolRow",
    "TextSpan",
    "UnresolvedReason",
    "Visibility",
    "plain_symbol",
    "split_value",
]
