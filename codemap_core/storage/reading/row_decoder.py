"""Rows of the database back to model structs: for each struct the SELECT that fetches it and the function that builds
it.

A SELECT joins everything its function needs and has neither condition nor order; callers add those.

A link is stored with the target that its extractor names. Whether that exists is looked up where the row is read, since it depends on all
documents of the index: it is resolved if a document declares it, or a front end binds a name to it; external if only a library declares it;
otherwise unresolved, without a target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, case, exists, literal, select
from sqlalchemy.orm import aliased

from codemap_core.model import (
    Confidence,
    Documentation,
    FactRow,
    ReferenceRow,
    RefKind,
    RelationKind,
    RelationRow,
    Solution,
    SymbolKind,
    SymbolPart,
    SymbolRow,
    Visibility,
)
from codemap_core.model.reference import LinkTarget, judged_link
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import CONFIDENCES, REF_KIND_CODES, REF_KINDS, RESOLUTION_STATES

FROM_ID: Final = aliased(t.SymbolId, name="from_id")
TO_ID: Final = aliased(t.SymbolId, name="to_id")
CONSTRUCTOR_ID: Final = aliased(t.SymbolId, name="constructor_id")
CONTAINER_ID: Final = aliased(t.SymbolId, name="container_id")
NAME: Final = aliased(t.String, name="name_string")
HINT: Final = aliased(t.String, name="hint_string")
REASON: Final = aliased(t.String, name="reason_string")
CONDITION: Final = aliased(t.String, name="condition_string")
ROLE: Final = aliased(t.String, name="role_string")

SYMBOLS: Final = (
    select(
        t.Symbol.id,
        t.SymbolId.symbol_id,
        CONTAINER_ID.symbol_id.label("container_symbol_id"),
        t.Symbol.stable_id,
        t.Symbol.kind,
        t.Symbol.name,
        t.Symbol.fully_qualified_name,
        t.Symbol.signature,
        t.Symbol.summary,
        t.Symbol.documentation,
        t.Symbol.namespace,
        t.Symbol.containing_type,
        t.File.path,
        t.Project.project_path,
        t.Symbol.span_start,
        t.Symbol.span_end,
        t.Symbol.name_line,
        t.Symbol.name_column,
        t.Symbol.visibility,
        t.Symbol.is_static,
        t.Symbol.modifiers,
        t.Symbol.confidence,
        t.Symbol.condition,
        t.Symbol.content_hash,
    )
    .join(t.SymbolId, t.SymbolId.id == t.Symbol.symbol)
    .join(t.File, t.File.id == t.Symbol.file_id)
    .outerjoin(t.Project, t.Project.id == t.Symbol.project_id)
    .outerjoin(CONTAINER_ID, CONTAINER_ID.id == t.Symbol.container)
)
PARTS: Final = select(t.SymbolPart.symbol_row, t.File.path, t.SymbolPart.span_start, t.SymbolPart.span_end).join(
    t.File, t.File.id == t.SymbolPart.file_id
)
_LINK: Final = REF_KIND_CODES[RefKind.LINK]


def _link_target() -> ColumnElement[int | None]:
    """A ``LinkTarget`` for a link with a target, null for other rows."""
    bound = t.Ref.__table__.alias("bound")
    symbol = t.Ref.to_symbol
    is_declared = (
        exists(select(literal(1)).where(t.Symbol.symbol == symbol).correlate(t.Ref))
        | exists(select(literal(1)).where(bound.c.to_symbol == symbol, bound.c.kind != _LINK).correlate(t.Ref))
        | exists(select(literal(1)).where(bound.c.constructor == symbol).correlate(t.Ref))
    )
    is_known = exists(
        select(literal(1)).where(t.LibrarySymbol.id == symbol, t.LibrarySymbol.assembly != "").correlate(t.Ref)
    )
    target = case(
        (is_known, LinkTarget.EXTERNAL.value), (is_declared, LinkTarget.DECLARED.value), else_=LinkTarget.UNKNOWN.value
    )
    return case(((t.Ref.kind == _LINK) & symbol.is_not(None), target))


REFERENCES: Final = (
    select(
        t.Ref.kind,
        FROM_ID.symbol_id.label("from_symbol_id"),
        TO_ID.symbol_id.label("to_symbol_id"),
        CONSTRUCTOR_ID.symbol_id.label("constructor_symbol_id"),
        NAME.value.label("to_name"),
        HINT.value.label("to_container_hint"),
        t.File.path,
        t.Ref.line,
        t.Ref.column,
        t.Ref.line_span,
        t.Ref.state,
        t.Ref.external,
        t.Ref.is_virtual,
        t.Ref.confidence,
        REASON.value.label("reason"),
        CONDITION.value.label("condition"),
        ROLE.value.label("role"),
        t.Project.project_path,
        _link_target().label("link_target"),
    )
    .join(t.File, t.File.id == t.Ref.file_id)
    .join(NAME, NAME.id == t.Ref.to_name)
    .outerjoin(FROM_ID, FROM_ID.id == t.Ref.from_symbol)
    .outerjoin(TO_ID, TO_ID.id == t.Ref.to_symbol)
    .outerjoin(CONSTRUCTOR_ID, CONSTRUCTOR_ID.id == t.Ref.constructor)
    .outerjoin(HINT, HINT.id == t.Ref.to_container_hint)
    .outerjoin(REASON, REASON.id == t.Ref.reason)
    .outerjoin(CONDITION, CONDITION.id == t.Ref.condition)
    .outerjoin(ROLE, ROLE.id == t.Ref.role)
    .outerjoin(t.Project, t.Project.id == t.Ref.project_id)
)
RELATIONS: Final = (
    select(
        t.Relation.kind,
        FROM_ID.symbol_id.label("from_symbol_id"),
        TO_ID.symbol_id.label("to_symbol_id"),
        t.Relation.external,
        t.Relation.display_name,
        t.File.path,
        t.Project.project_path,
        CONDITION.value.label("condition"),
    )
    .join(FROM_ID, FROM_ID.id == t.Relation.from_symbol)
    .join(TO_ID, TO_ID.id == t.Relation.to_symbol)
    .join(t.File, t.File.id == t.Relation.file_id)
    .outerjoin(t.Project, t.Project.id == t.Relation.project_id)
    .outerjoin(CONDITION, CONDITION.id == t.Relation.condition)
)
FACTS: Final = (
    select(
        t.Fact.kind,
        t.Fact.value,
        t.Fact.detail,
        t.SymbolId.symbol_id,
        t.File.path,
        t.Fact.line_start,
        t.Fact.line_end,
        t.Fact.confidence,
        t.Project.project_path,
    )
    .join(t.File, t.File.id == t.Fact.file_id)
    .outerjoin(t.SymbolId, t.SymbolId.id == t.Fact.symbol)
    .outerjoin(t.Project, t.Project.id == t.Fact.project_id)
)
SOLUTIONS: Final = select(t.Solution.path, t.Solution.projects)


def symbol(row: Sequence[Any], parts: tuple[SymbolPart, ...]) -> SymbolRow:
    (
        _,
        symbol_id,
        container_id,
        stable_id,
        kind,
        name,
        full_name,
        signature,
        summary,
        documentation,
        namespace,
        containing_type,
        path,
        project,
        span_start,
        span_end,
        name_line,
        name_column,
        visibility,
        is_static,
        modifiers,
        confidence,
        condition,
        content_hash,
    ) = row
    return SymbolRow(
        symbol_id=symbol_id,
        stable_id=stable_id,
        kind=SymbolKind(kind),
        name=name,
        fully_qualified_name=full_name,
        signature=signature,
        documentation=None if summary is None else Documentation(summary, documentation or ""),
        namespace=namespace,
        containing_type=containing_type,
        container_id=container_id,
        file_path=path,
        span_start=span_start,
        span_end=span_end,
        name_line=name_line,
        name_column=name_column,
        visibility=Visibility(visibility),
        project=project or "",
        is_static=bool(is_static),
        modifiers=tuple(modifiers.split()),
        confidence=Confidence(confidence),
        condition=condition,
        content_hash=content_hash,
        other_parts=parts,
    )


def reference(row: Sequence[Any]) -> ReferenceRow:
    kind, source, target, constructor, name, hint, path, line, col, span, state, external, is_virtual, *rest = row
    confidence, reason, condition, role, project, link_target = rest
    decoded = ReferenceRow(
        kind=REF_KINDS[kind],
        from_symbol=source,
        to_symbol=target,
        constructor=constructor,
        to_name=name,
        to_container_hint=hint,
        file_path=path,
        line=line,
        column=col,
        line_end=line + span,
        resolution_state=RESOLUTION_STATES[state],
        external=bool(external),
        is_virtual=bool(is_virtual),
        confidence=CONFIDENCES[confidence],
        reason=reason,
        condition=condition,
        role=role or "",
        project=project or "",
    )
    return decoded if link_target is None else judged_link(decoded, LinkTarget(link_target))


def relation(row: Sequence[Any]) -> RelationRow:
    kind, source, target, external, display_name, path, project, condition = row
    return RelationRow(
        kind=RelationKind(kind),
        from_symbol=source,
        to_symbol=target,
        external=bool(external),
        display_name=display_name,
        file_path=path,
        project=project or "",
        condition=condition,
    )


def fact(row: Sequence[Any]) -> FactRow:
    kind, value, detail, symbol_id, path, line_start, line_end, confidence, project = row
    return FactRow(
        kind=kind,
        value=value,
        detail=msgspec.json.decode(detail),
        symbol_id=symbol_id,
        file_path=path,
        line_start=line_start,
        line_end=line_end,
        confidence=Confidence(confidence),
        project=project or "",
    )


def solution(row: Sequence[Any]) -> Solution:
    path, projects = row
    return Solution(path, _list(projects))


def _list(stored: str) -> tuple[Any, ...]:
    return tuple(msgspec.json.decode(stored, type=tuple[Any, ...]))
