"""Rows of the database back to model structs: for each struct the SELECT that fetches it and the function that builds it, both made from
the list of its stored fields.

A SELECT joins everything its function needs and has neither condition nor order; callers add those.

A link is stored with the target that its extractor names. Whether that exists is looked up where the row is read, since it depends on all
documents of the index: it is resolved if a document declares it, or a front end binds a name to it; external if only a library declares it;
otherwise unresolved, without a target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlalchemy import ColumnElement, Select, case, exists, func, literal, select
from sqlalchemy.orm import aliased

from codemap_core.model import (
    Documentation,
    FactRow,
    ReferenceRow,
    RefKind,
    RelationRow,
    Solution,
    SymbolPart,
    SymbolRow,
)
from codemap_core.model.reference import LinkTarget, judged_link
from codemap_core.storage.schema import baseline_tables as t
from codemap_core.storage.schema.codes import MEMBERS, REF_KIND_CODES
from codemap_core.storage.schema.stored_fields import ROWS, Form, StoredField, stored_fields

FROM_ID: Final = aliased(t.SymbolId, name="from_symbol_id")
TO_ID: Final = aliased(t.SymbolId, name="to_symbol_id")
CONSTRUCTOR_ID: Final = aliased(t.SymbolId, name="constructor_id")
NAME: Final = aliased(t.String, name="to_name_string")
REASON: Final = aliased(t.String, name="reason_string")
CONDITION: Final = aliased(t.String, name="condition_string")
ROLE: Final = aliased(t.String, name="role_string")
_NAMED: Final[dict[str, Any]] = {
    "symbol_id": t.SymbolId,
    "from_symbol": FROM_ID,
    "to_symbol": TO_ID,
    "constructor": CONSTRUCTOR_ID,
    "to_name": NAME,
    "reason": REASON,
    "condition": CONDITION,
    "role": ROLE,
}
"""By field, where callers find its text to sort and select by."""

_Convert = Callable[[Any], Any]
_LINK: Final = REF_KIND_CODES[RefKind.LINK]


class _Stored:
    """How the rows of one table are read. ``statement``: the columns of its fields, in the order of the row, then those that have no
    field."""

    def __init__(self, table: Any, *others: Any) -> None:
        fields = stored_fields(table.__tablename__)
        self.built: Final = _constructor(ROWS[table.__tablename__], fields)
        """The row of the model from one of the SELECT, and from what its other columns make of its other fields."""
        self.statement: Final = _joined(table, fields, others)
        self.count: Final = len(fields)
        """How many columns are fields."""


def _constructor(row: type[Struct], fields: Sequence[StoredField]) -> Callable[..., Any]:
    """One expression, compiled as that of a named tuple is: ``Row(kind=convert(row[0]), line=row[1], **others)``. To go through the list
    for every row would take twice as long."""
    conversions = {field.name: _conversion(field) for field in fields}
    given = (
        f"{name}=row[{place}]" if convert is None else f"{name}=_{name}(row[{place}])"
        for place, (name, convert) in enumerate(conversions.items())
    )
    names = {f"_{name}": convert for name, convert in conversions.items() if convert is not None}
    others = [name for name in row.__struct_fields__ if name not in conversions]
    built: Callable[..., Any] = eval(
        f"lambda row{''.join(f', {name}' for name in others)}: Row({', '.join([*given, *(f'{name}={name}' for name in others)])})",
        {"Row": row, **names},
    )
    return built


def _joined(table: Any, fields: Sequence[StoredField], others: Sequence[Any]) -> Select[Any]:
    columns: list[Any] = []
    required: list[Any] = []
    optional: list[Any] = []
    text: Any
    number: Any
    for field in fields:
        stored = getattr(table, field.column)
        match field.form:
            case Form.FILE:
                text, number = t.File.path, t.File
            case Form.PROJECT:
                text, number = func.coalesce(t.Project.project_path, ""), t.Project
            case Form.SYMBOL:
                number = _NAMED.get(field.name) or aliased(t.SymbolId, name=f"{field.name}_id")
                text = number.symbol_id
            case Form.STRING:
                number = _NAMED.get(field.name) or aliased(t.String, name=f"{field.name}_string")
                text = number.value if field.allows_null or not field.is_nullable else func.coalesce(number.value, "")
            case Form.SPAN:
                columns.append((table.line + stored).label(field.name))
                continue
            case _:
                columns.append(stored)
                continue
        columns.append(text.label(field.name))
        (optional if field.is_nullable else required).append((number, number.id == stored))
    statement = select(*columns, *others).select_from(table)
    for number, condition in required:
        statement = statement.join(number, condition)
    for number, condition in optional:
        statement = statement.outerjoin(number, condition)
    return statement


def _conversion(field: StoredField) -> _Convert | None:
    """Of what the SELECT gives; null for what is a field's value already."""
    match field.form:
        case Form.CODE:
            return MEMBERS[field.type].__getitem__
        case Form.VALUE:
            kind: _Convert = field.type
            return kind
        case Form.TRUTH:
            return bool
        case Form.WORDS:
            return _words
        case Form.JSON:
            return msgspec.json.decode
    return None


def _words(stored: str) -> tuple[str, ...]:
    return tuple(stored.split())


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


_SYMBOLS: Final = _Stored(t.Symbol, t.Symbol.id, t.Symbol.summary, t.Symbol.documentation)
_REFERENCES: Final = _Stored(t.Ref, _link_target().label("link_target"))
_RELATIONS: Final = _Stored(t.Relation)
_FACTS: Final = _Stored(t.Fact)
SYMBOLS: Final = _SYMBOLS.statement
REFERENCES: Final = _REFERENCES.statement
RELATIONS: Final = _RELATIONS.statement
FACTS: Final = _FACTS.statement
PARTS: Final = select(t.SymbolPart.symbol_row, t.File.path, t.SymbolPart.span_start, t.SymbolPart.span_end).join(
    t.File, t.File.id == t.SymbolPart.file_id
)
SOLUTIONS: Final = select(t.Solution.path, t.Solution.projects)
number_of_symbol: Final[Callable[[Sequence[Any]], int]] = itemgetter(_SYMBOLS.count)
"""Of a row of ``SYMBOLS``: its number in the table."""


def symbol(row: Sequence[Any], parts: tuple[SymbolPart, ...]) -> SymbolRow:
    _, summary, rest = row[_SYMBOLS.count :]
    documentation = None if summary is None else Documentation(summary, rest or "")
    built: SymbolRow = _SYMBOLS.built(row, documentation, parts)
    return built


def reference(row: Sequence[Any]) -> ReferenceRow:
    decoded: ReferenceRow = _REFERENCES.built(row)
    link_target = row[_REFERENCES.count]
    return decoded if link_target is None else judged_link(decoded, LinkTarget(link_target))


relation: Final[Callable[[Sequence[Any]], RelationRow]] = _RELATIONS.built
fact: Final[Callable[[Sequence[Any]], FactRow]] = _FACTS.built


def solution(row: Sequence[Any]) -> Solution:
    path, projects = row
    return Solution(path, _list(projects))


def _list(stored: str) -> tuple[Any, ...]:
    return tuple(msgspec.json.decode(stored, type=tuple[Any, ...]))
